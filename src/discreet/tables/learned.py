"""Mixed records through a learned sanitiser: columns as numbers and levels, a forward pass in NumPy, columns again.

What is computed lies in the channel, which knows nothing of Arrow; here a batch becomes its matrix and what it releases
becomes values of the columns' own types. Numbers are released on a grid of a millionth of their range or finer, a power
of two: the last digits of a float carry traces of its record, and of the processor that made it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import SchemaError
from discreet.core.protocols import Array, Codes, Words
from discreet.core.samples import Columns
from discreet.tables.levels import MISSING
from discreet.tables.noisy import on_grid
from discreet.tables.samples import columns_of, own_units
from discreet.tables.scalars import level_array, read_as
from discreet.tables.scale import from_floats, from_whole, is_whole
from discreet.tables.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

FINE = 20
"""The grid of a column has 2^20 steps over its range, at least."""


class SeenColumn(Protocol):
    """A column as the sanitiser learned it: its levels, or the range of its numbers."""

    name: str
    levels: tuple[Any, ...] | None
    low: float
    high: float


class Layout(Protocol):
    """How columns become rows of a matrix."""

    @property
    def columns(self) -> Sequence[Any]:
        """The columns, each of them a `SeenColumn`."""
        ...

    def matrix(self, columns: Columns) -> Array:
        """Numbers as they are, NaN where missing; levels as their numbers."""
        ...


class RecordChannel(Protocol):
    """A sanitiser of records, as the room of mechanisms makes them."""

    layout: Any

    @property
    def inputs(self) -> Literal["x", "sx"]:
        """Whether it sees the secret."""
        ...

    @property
    def words(self) -> int:
        """How many random words it takes for a record."""
        ...

    def push(self, x: NDArray[Any], words: Words, s: Codes | None = None) -> Array:
        """The record released for each record: a row of the layout's matrix."""
        ...


@dataclass(frozen=True)
class LearnedPart:
    """The columns of a layout, released together by one network."""

    schema: Schema
    channel: RecordChannel

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the layout."""
        return tuple(column.name for column in self.channel.layout.columns)

    @property
    def words(self) -> int:
        """As many as the channel takes."""
        return self.channel.words

    @property
    def secret(self) -> bool:
        """Whether the network sees the secret."""
        return self.channel.inputs == "sx"

    def read(self, batch: pa.RecordBatch, s: Codes | None) -> tuple[NDArray[Any], dict[str, int]]:
        """The matrix of these records; last, the secret where it is seen. Levels never seen are counted."""
        columns = columns_of(batch, self.schema, self.names)
        surprises = {c.name: n for c in self.channel.layout.columns if (n := _strange(columns[c.name], c))}
        matrix = self.channel.layout.matrix(columns)
        if self.secret and s is not None:
            matrix = np.column_stack([matrix, s])
        return matrix, surprises

    def release(self, read: NDArray[Any], words: Words) -> list[pa.Array]:
        """What the network makes of them, in the types of the columns."""
        x, s = (read[:, :-1], read[:, -1].astype(np.int64)) if self.secret else (read, None)
        y = self.channel.push(x, words, s)
        return [
            self._numbers(y[:, j], column) if column.levels is None else self._levels(y[:, j], j)
            for j, column in enumerate(self.channel.layout.columns)
        ]

    def _numbers(self, y: Array, column: SeenColumn) -> pa.Array:
        """Numbers of a column in its own type; NaN is missing."""
        kind = self.schema[column.name].arrow
        missing = np.isnan(y)
        held = np.where(missing, column.low, y)
        if is_whole(kind):
            return from_whole(np.rint(own_units(held, kind)).astype(np.int64), missing, kind)
        return from_floats(on_grid(held, _step(column)), missing, kind)

    def _levels(self, y: Array, place: int) -> pa.Array:
        """Level numbers as the levels' values."""
        import pyarrow as pa

        values = self._spoken[place]
        absent = np.asarray(values.is_null())
        codes = y.astype(np.int64)
        made = pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=absent[codes]), values)
        kind = self.schema[self.names[place]].arrow
        return (
            made if pa.types.is_dictionary(kind) or values.type == pa.string() else made.dictionary_decode()
        )

    @cached_property
    def _spoken(self) -> list[pa.Array]:
        """The levels of each column as Arrow values; a level that stands for missing is null."""
        return [
            None if c.levels is None else _values(c.levels, self.schema[c.name].arrow)
            for c in self.channel.layout.columns
        ]


def _values(levels: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Labels of levels as values of a column's type."""
    import pyarrow as pa
    import pyarrow.compute as pc

    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    missing = [level in (None, MISSING) for level in levels]
    named = [str(level) for level, absent in zip(levels, missing, strict=True) if not absent]
    try:
        held = level_array(read_as(named, value), value)
    except ValueError as wrong:
        raise SchemaError(
            f"levels of a column of type {kind}",
            f"levels that are none ({type(wrong).__name__})",
            "design again",
        ) from None
    places = np.cumsum([not absent for absent in missing]) - 1
    return pc.take(held, pa.array(np.maximum(places, 0), mask=np.array(missing)))


def _strange(column: Any, seen: SeenColumn) -> int:
    """How many values are levels that the sanitiser has not learned."""
    if seen.levels is None or column.levels is None:
        return 0
    known = set(seen.levels)
    new = np.array([level not in known for level in column.levels], dtype=bool)
    return int(np.count_nonzero(new[column.values]))


def _step(column: SeenColumn) -> float:
    """A power of two, 2^-20 of the column's range or less."""
    width = column.high - column.low or max(abs(column.high), 1.0)
    return 2.0 ** (math.floor(math.log2(width)) - FINE)
