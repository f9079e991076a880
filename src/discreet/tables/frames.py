"""Frames in memory: pandas, polars, pyarrow; and back into a frame of the kind that came in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from discreet.core.errors import SourceError
from discreet.tables.arrow import checked, cut
from discreet.tables.naming import shown
from discreet.tables.protocols import BATCH
from discreet.tables.schema import chosen, repeated

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class ArrowFrame:
    """A pyarrow table, or a polars frame seen as one; `frame` is what came in."""

    frame: Any
    table: pa.Table
    form: str
    name: str

    again = True
    ordered = True
    files = ()

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns as they are held."""
        return checked(self.table.schema, self.name)

    @property
    def rows(self) -> int:
        """How many."""
        return int(self.table.num_rows)

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        size: int = BATCH,
        encoded: bool = False,  # noqa: ARG002
    ) -> Iterator[pa.RecordBatch]:
        """The rows, in order."""
        names = chosen(columns, self.schema.names)
        at = {name: place for place, name in enumerate(self.schema.names)}
        table = self.table.select([at[n] for n in names])
        yield from cut(table.to_batches(size), table.schema, names, size, self.name)

    def fingerprint(self) -> str:
        """Where it lies, and its size."""
        return f"{id(self.frame)}-{self.rows}"


@dataclass(frozen=True)
class PandasFrame:
    """A pandas frame, converted batch by batch; its index stays with it and is no column."""

    frame: Any
    name: str = "a pandas frame"

    form = "pandas"
    again = True
    ordered = True
    files = ()

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns with the Arrow types that hold their values."""
        import pyarrow as pa

        names = [str(c) for c in self.frame.columns]
        twice = repeated(names)
        if twice:
            raise SourceError(
                f"columns with different names from {self.name}",
                f"{shown(twice)} more than once",
                "rename what comes twice",
            )
        fields = []
        for place, name in enumerate(names):
            try:
                fields.append(pa.field(name, pa.Array.from_pandas(self.frame.iloc[:, place]).type))
            except (pa.ArrowException, TypeError, ValueError, OverflowError) as wrong:
                raise SourceError(
                    f"values of one type in the column {shown([name])} of {self.name}",
                    f"a mixture or a foreign type ({type(wrong).__name__})",
                    "make them all text, or all numbers: frame[column].astype(str)",
                ) from None
        return pa.schema(fields)

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.frame)

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        size: int = BATCH,
        encoded: bool = False,  # noqa: ARG002
    ) -> Iterator[pa.RecordBatch]:
        """The rows, in order."""
        import pyarrow as pa

        names = chosen(columns, self.schema.names)
        at = {name: place for place, name in enumerate(self.schema.names)}
        places, types = [at[n] for n in names], self.schema.types
        for start in range(0, self.rows, size):
            rows = self.frame.iloc[start : start + size]
            arrays = [pa.Array.from_pandas(rows.iloc[:, p], type=types[p]) for p in places]
            yield pa.RecordBatch.from_arrays([_whole(a) for a in arrays], names=names)

    def fingerprint(self) -> str:
        """Where it lies, and its size."""
        return f"{id(self.frame)}-{self.frame.shape}"


def _whole(column: Any) -> pa.Array:
    import pyarrow as pa

    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
