"""Some columns as one symbol: the alphabet of the combinations that occur often enough, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from discreet.core.axis import Axis
from discreet.core.errors import SchemaError
from discreet.core.protocols import Array, Codes, Words
from discreet.tables.bins import Bins
from discreet.tables.levels import Levels
from discreet.tables.naming import shown

if TYPE_CHECKING:
    import pyarrow as pa

Coding: TypeAlias = Levels | Bins

TABLE = 1 << 22
"""Up to so many combinations are looked up in a table; beyond, they are searched."""


class Coded(NamedTuple):
    """Symbols of rows, and how many rows, by column or by all columns together, held what had not been seen before."""

    symbols: Codes
    surprises: dict[str, int]


@dataclass(frozen=True)
class Block:
    """Columns coded together.

    `cells` are the combinations that have a symbol, as sorted flat numbers over the columns' symbols; `counts` how many
    records had each when the codec was made. A row of any other combination is coded as the combination that differs
    in the fewest columns, of these the most frequent; and it is counted.
    """

    columns: tuple[Coding, ...]
    cells: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Its columns."""
        return tuple(c.name for c in self.columns)

    @property
    def size(self) -> int:
        """How many symbols."""
        return len(self.cells)

    @property
    def words(self) -> int:
        """How many random words a row takes to be decoded."""
        return sum(c.words for c in self.columns)

    @cached_property
    def weights(self) -> Array:
        """The share of each symbol when the codec was made."""
        held = np.array(self.counts, dtype=np.float64)
        shares: Array = held / held.sum()
        return shares

    @cached_property
    def parts(self) -> Codes:
        """parts[symbol, column]: the symbol of each column."""
        return np.stack(np.unravel_index(np.array(self.cells, dtype=np.int64), self._shape), axis=1)

    @cached_property
    def axis(self) -> Axis:
        """The axis of its symbols: the labels of several columns are joined by a dot."""
        names = [c.labels for c in self.columns]
        labels = [" · ".join(names[j][k] for j, k in enumerate(row)) for row in self.parts.tolist()]
        apart = len(set(labels)) == len(labels)
        return Axis(" × ".join(self.names), tuple(labels) if apart else tuple(range(self.size)))

    def encode(self, batch: pa.RecordBatch | pa.Table, kind: Any = np.int64) -> Coded:
        """The symbol of each row, as integers of this kind."""
        surprises: dict[str, int] = {}
        found = []
        for coding in self.columns:
            symbols, strange = coding.encode(column_of(batch, coding.name))
            found.append(symbols)
            if strange:
                surprises[coding.name] = strange
        if len(found) == 1 and self._whole:
            return Coded(found[0].astype(kind, copy=False), surprises)
        symbols, strange = self.placed(flat_cells(found, self._shape))
        if strange:
            surprises[" × ".join(self.names)] = strange
        return Coded(symbols.astype(kind, copy=False), surprises)

    def decode(self, symbols: Codes, words: Words, *, encoded: bool = False) -> list[pa.Array]:
        """A value for each column and symbol, in the columns' own types."""
        made, used = [], 0
        for j, coding in enumerate(self.columns):
            one = symbols if self._whole and len(self.columns) == 1 else self.parts[:, j].take(symbols)
            made.append(coding.decode(one, words[:, used : used + coding.words], encoded=encoded))
            used += coding.words
        return made

    def labelled(self, symbols: Codes) -> list[pa.Array]:
        """The label for each column and symbol, as text: what is released when the user prefers "30 to 39" to a
        number.
        """
        import pyarrow as pa

        parts = self.parts[np.asarray(symbols)].astype(np.int32)
        return [
            pa.DictionaryArray.from_arrays(pa.array(parts[:, j]), pa.array(coding.labels, pa.string()))
            for j, coding in enumerate(self.columns)
        ]

    def symbols_of(self, flat: Codes) -> Codes:
        """The symbols of combinations of the columns' symbols, given as flat numbers."""
        return self.placed(flat)[0]

    def placed(self, flat: Codes) -> tuple[Codes, int]:
        """The symbol of each combination, and for how many rows it had to be a near one."""
        if self._whole:
            return flat, 0
        if self._table is not None:
            found = self._table[flat]
        else:
            found = np.searchsorted(self._sorted, flat).clip(max=self.size - 1)
            found = np.where(self._sorted[found] == flat, found, -1)
        strange = np.flatnonzero(found < 0)
        if strange.size:
            unseen, back = np.unique(flat[strange], return_inverse=True)
            found = found.astype(np.int64)
            found[strange] = self.nearest(unseen)[back]
        return found.astype(np.int64, copy=False), int(strange.size)

    def nearest(self, flat: Codes) -> Codes:
        """For combinations without a symbol, the symbol that differs in the fewest columns; of these the most
        frequent.
        """
        return nearest(
            np.stack(np.unravel_index(flat, self._shape), axis=1), self.parts, np.array(self.counts)
        )

    @cached_property
    def _shape(self) -> tuple[int, ...]:
        return tuple(c.size for c in self.columns)

    @cached_property
    def _whole(self) -> bool:
        """Whether every combination of the columns' symbols has a symbol."""
        return len(self.cells) == prod(self._shape)

    @cached_property
    def _sorted(self) -> Codes:
        return np.array(self.cells, dtype=np.int64)

    @cached_property
    def _table(self) -> Any:
        if prod(self._shape) > TABLE:
            return None
        table = np.full(prod(self._shape), -1, dtype=np.int32)
        table[self._sorted] = np.arange(self.size)
        return table

    def to_json(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "columns": [c.to_json() for c in self.columns],
            "cells": list(self.cells),
            "counts": list(self.counts),
        }


def nearest(rows: Codes, parts: Codes, counts: Codes) -> Codes:
    """For each row of column symbols the row of `parts` that differs in the fewest columns; of these the one counted
    most.
    """
    found = np.empty(len(rows), dtype=np.int64)
    step = max(1, (1 << 22) // max(len(parts), 1))
    order = np.argsort(-counts, kind="stable")
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        differ = np.zeros((len(some), len(parts)), dtype=np.int16)
        for j in range(parts.shape[1]):
            differ += some[:, j, None] != parts[order, j]
        found[start : start + step] = order[differ.argmin(axis=1)]
    return found


def column_of(batch: pa.RecordBatch | pa.Table, name: str) -> pa.Array:
    """A column of a batch or a table as one array."""
    import pyarrow as pa

    place = batch.schema.get_field_index(name)
    if place < 0:
        raise SchemaError(
            f"the column {shown([name])}",
            f"columns {shown(batch.schema.names)}",
            "give all columns that are coded",
        )
    held = batch.column(place)
    return held.combine_chunks() if isinstance(held, pa.ChunkedArray) else held


def flat_cells(symbols: Sequence[Codes], sizes: Sequence[int]) -> Codes:
    """Combinations of column symbols as flat numbers."""
    flat = np.zeros(len(symbols[0]), dtype=np.int64)
    for one, size in zip(symbols, sizes, strict=True):
        flat = flat * size + one
    return flat
