"""Spark frames as a source; counting and applying on a cluster do not come through here, only what is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from discreet.core.errors import SourceError
from discreet.tables.arrow import checked, cut
from discreet.tables.protocols import BATCH
from discreet.tables.schema import chosen

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class SparkFrame:
    """A Spark frame, of a batch or of a stream. Its rows have no position."""

    frame: Any
    name: str = "a Spark frame"

    form = "spark"
    ordered = False
    rows = None
    files = ()

    @property
    def again(self) -> bool:
        """A batch can be read a second time."""
        return not self.frame.isStreaming

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns with the Arrow types in which workers and driver see them."""
        nothing = self.frame.sparkSession.createDataFrame([], self.frame.schema)
        return checked(_table(nothing).schema, self.name)

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        size: int = BATCH,
        encoded: bool = False,  # noqa: ARG002
    ) -> Iterator[pa.RecordBatch]:
        """The rows, as Spark gives them, one partition after the other."""
        import pyarrow as pa

        self.refuse_stream("rows, collected on one machine")
        names = chosen(columns, self.schema.names)
        schema = pa.schema([self.schema.field(name) for name in names])
        for row in self.placed(names).mapInArrow(_packing, "batch binary").toLocalIterator():
            table = unpacked(bytes(row["batch"])).rename_columns(names).cast(schema)
            yield from cut(table.to_batches(size), schema, names, size, self.name)

    def placed(self, names: Sequence[str]) -> Any:
        """These columns under the names c0, c1, …: not every name that a frame can have goes into `mapInArrow`."""
        return self.frame.select(*map(ticked, names)).toDF(*(f"c{place}" for place in range(len(names))))

    def head(self, rows: int) -> SparkFrame:
        """The first rows that Spark finds."""
        self.refuse_stream("the first rows")
        return SparkFrame(self.frame.limit(rows), self.name)

    def fingerprint(self) -> str:
        """Nothing that a cluster could promise."""
        return ""

    def refuse_stream(self, asked: str) -> None:
        """A stream has no end to wait for."""
        if self.frame.isStreaming:
            raise SourceError(
                f"{asked}, from {self.name}",
                "a stream, which has no end",
                "look at rows that were saved, and apply the policy to the stream",
            )


def ticked(name: str) -> str:
    """A name as Spark reads it, whatever is in it."""
    return "`" + name.replace("`", "``") + "`"


def packed(table: pa.Table) -> bytes:
    """A table as the bytes of an Arrow stream."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def unpacked(stream: bytes) -> pa.Table:
    """The table again."""
    import pyarrow as pa

    return pa.ipc.open_stream(stream).read_all()


def _packing(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What runs on a worker: each batch as one binary value, which any driver can read piece by piece."""
    import pyarrow as pa

    for batch in batches:
        held = packed(pa.Table.from_batches([batch]))
        yield pa.RecordBatch.from_arrays([pa.array([held], pa.binary())], ["batch"])


def _table(frame: Any) -> pa.Table:
    """The frame as an Arrow table, by whichever way this version of Spark has."""
    import pyarrow as pa

    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    return pa.Table.from_pandas(frame.toPandas(), preserve_index=False)
