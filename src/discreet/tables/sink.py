"""Released rows as a frame of the kind that came in: the same types, categories, index and time zones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from discreet.core.errors import SourceError
from discreet.tables.arrow_types import nature
from discreet.tables.databases import Address, DatabaseSink
from discreet.tables.frames import ArrowFrame, PandasFrame
from discreet.tables.parquet import spoken
from discreet.tables.protocols import Sink, Source
from discreet.tables.relations import Relation, quoted

if TYPE_CHECKING:
    import pyarrow as pa


def frame_sink(like: Source, schema: pa.Schema) -> Sink:
    """A sink for rows of this schema that gives a frame of the kind of `like`; a table where that is a file."""
    return FrameSink(like, schema)


def database_sink(address: str, schema: pa.Schema) -> Sink:
    """A sink that makes a new table: `postgresql://host/db::table` or `people.db::table`."""
    found = Address.of(address)
    if found is None:
        raise SourceError("the address of a table", "a text without ::table", "write it as people.db::table")
    return DatabaseSink(found, schema)


@dataclass
class FrameSink:
    """Collects released rows in memory."""

    like: Source
    schema: pa.Schema
    _batches: list[Any] = field(default_factory=list)

    def write(self, batch: pa.RecordBatch) -> None:
        """Take these rows."""
        self._batches.append(spoken(batch, self.schema, "the release"))

    def close(self) -> Any:
        """The frame."""
        import pyarrow as pa

        table = pa.Table.from_batches(self._batches, self.schema)
        return framed(table, self.like)

    def discard(self) -> None:
        """Forget them."""
        self._batches.clear()


def framed(table: pa.Table, like: Source) -> Any:
    """The table as a frame of the kind of `like`; labels in place of numbers stay text."""
    if isinstance(like, PandasFrame):
        return _pandas(table, like)
    if isinstance(like, ArrowFrame) and like.form == "polars":
        return _polars(table, like)
    if isinstance(like, Relation):
        return _relation(table, like)
    return table


def _pandas(table: pa.Table, like: PandasFrame) -> Any:
    """With the dtypes, the column labels and, where every row is there, the index of the frame that came in."""
    import pandas as pd

    labels = {str(label): label for label in like.frame.columns}
    made = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        kept = _kept(column.type, like.schema.field(name).type)
        made[labels[name]] = _typed(column, like.frame[labels[name]].dtype) if kept else column.to_pandas()
    index = like.frame.index if len(table) == len(like.frame) else pd.RangeIndex(len(table))
    frame = pd.DataFrame({i: series.array for i, series in enumerate(made.values())}, index=index, copy=False)
    frame.columns = pd.Index(list(made), dtype=like.frame.columns.dtype, name=like.frame.columns.name)
    return frame


def _typed(column: pa.ChunkedArray, dtype: Any) -> Any:
    """A column as a pandas series of this dtype; a category that the frame did not have comes after its own."""
    import pandas as pd

    arrow = getattr(dtype, "__from_arrow__", None)
    if isinstance(dtype, pd.CategoricalDtype):
        values = column.to_pandas().astype(object)
        fresh = values[values.notna() & ~values.isin(dtype.categories)].unique()
        wider = dtype.categories.append(pd.Index(fresh)) if len(fresh) else dtype.categories
        return pd.Series(pd.Categorical(values, dtype=pd.CategoricalDtype(wider, dtype.ordered)))
    if arrow is not None and not isinstance(dtype, pd.DatetimeTZDtype):
        return pd.Series(arrow(_spelt(column)))
    plain = _spelt(column).to_pandas()
    return (
        plain if plain.dtype == dtype or (column.null_count and dtype.kind in "iub") else plain.astype(dtype)
    )


def _polars(table: pa.Table, like: ArrowFrame) -> Any:
    """With the dtypes of the frame that came in; an enumeration only where it has all values."""
    import polars as pl

    frame: Any = pl.from_arrow(table)
    for name, kind in zip(table.column_names, table.schema.types, strict=True):
        dtype: Any = like.frame.schema[name]
        fits = not isinstance(dtype, pl.Enum) or _within(table.column(name), dtype.categories.to_arrow())
        if fits and _kept(kind, like.schema.field(name).type):
            frame = frame.with_columns(frame[name].cast(dtype))
    return frame


def _relation(table: pa.Table, like: Relation) -> Any:
    """With the types of the relation that came in: an enumeration stays one, if it has all values."""
    import duckdb
    import pyarrow as pa

    before = dict(zip(like.relation.columns, like.relation.types, strict=True))

    def typed(name: str, kind: pa.DataType) -> str:
        dtype = before[name]
        fits = dtype.id != "enum" or _within(table.column(name), pa.array(dtype.children[0][1]))
        kept = fits and _kept(kind, like.schema.field(name).type)
        return f"CAST({quoted(name)} AS {dtype}) AS {quoted(name)}" if kept else quoted(name)

    return duckdb.from_arrow(table).project(", ".join(map(typed, table.column_names, table.schema.types)))


def _kept(kind: pa.DataType, own: pa.DataType) -> bool:
    """Whether released values of the type `kind` can have the type `own` of the frame that came in."""
    import pyarrow.types as is_

    if nature(kind) == nature(own) == "text" or kind == own:
        return True
    if is_.is_dictionary(kind) and is_.is_dictionary(own):
        return bool(kind.value_type == own.value_type)
    return bool(is_.is_timestamp(kind) and is_.is_timestamp(own) and bool(kind.tz) == bool(own.tz))


def _within(column: pa.ChunkedArray, known: pa.Array) -> bool:
    """Whether all its values are among these texts."""
    import pyarrow.compute as pc

    values = pc.unique(_spelt(column)).drop_null()
    return bool(pc.all(pc.is_in(pc.cast(values, "string"), pc.cast(known, "string"))).as_py() is not False)


def _spelt(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column whose values are written out, where they came as dictionaries."""
    import pyarrow as pa

    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
