"""Spark frames that fit one machine, as a source; counting and applying on a cluster do not come through here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from discreet.tables.arrow import checked, cut
from discreet.tables.protocols import BATCH
from discreet.tables.schema import chosen

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class SparkFrame:
    """A Spark batch frame, collected column by column when it is read. Its rows have no position."""

    frame: Any
    name: str = "a Spark frame"

    form = "spark"
    again = True
    ordered = False
    rows = None
    files = ()

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns with their Arrow types."""
        return checked(_table(self.frame.limit(0)).schema, self.name)

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        size: int = BATCH,
        encoded: bool = False,  # noqa: ARG002
    ) -> Iterator[pa.RecordBatch]:
        """The rows, as Spark gives them; all of them are brought here first."""
        names = chosen(columns, self.schema.names)
        table = _table(self.frame.select(*map(ticked, names)))
        yield from cut(table.to_batches(size), table.schema, names, size, self.name)

    def fingerprint(self) -> str:
        """Nothing that a cluster could promise."""
        return ""


def ticked(name: str) -> str:
    """A name as Spark reads it, whatever is in it."""
    return "`" + name.replace("`", "``") + "`"


def _table(frame: Any) -> pa.Table:
    """The frame as an Arrow table, by whichever way this version of Spark has."""
    import pyarrow as pa

    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    return pa.Table.from_pandas(frame.toPandas(), preserve_index=False)
