"""Counts of any sets of columns in one read, whatever values turn up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from discreet.core.axis import Axis
from discreet.core.counts import Counts
from discreet.core.errors import SourceError
from discreet.core.protocols import Codes
from discreet.tables.alphabet import Alphabet
from discreet.tables.block import column_of
from discreet.tables.levels import MISSING
from discreet.tables.naming import shown
from discreet.tables.scalars import as_levels
from discreet.tables.schema import known

if TYPE_CHECKING:
    import pyarrow as pa

NONE = np.empty(0, dtype=np.int64)

COUNT = "(count)"

Set: TypeAlias = tuple[str, ...]

TOGETHER = 1 << 14
"""Sets of columns are counted in one table while it has no more cells: the cells of all of them fit the cache."""

WHOLE = 1 << 21
"""So many cells in all are held whole (16 MB); tables that find no room are sparse."""

GATHERED = 1 << 20
"""So many cells are gathered before they are merged."""

MOST = 1 << 22
"""A sparse table may have so many occurring cells."""


class Cells:
    """The cells that occur, and how often: parts are gathered, and merged when they have become many."""

    def __init__(self) -> None:
        self._parts: list[tuple[Codes, Codes]] = []
        self._merged = 0

    def add(self, cells: Codes, n: Codes) -> None:
        """Gather these."""
        self._parts.append((cells, n))
        if sum(len(c) for c, _ in self._parts) > 2 * self._merged + GATHERED:
            self.merged()

    def merged(self) -> tuple[Codes, Codes]:
        """Each cell once, in order."""
        if len(self._parts) != 1:
            cells = np.concatenate([c for c, _ in self._parts] or [NONE])
            n = np.concatenate([n for _, n in self._parts] or [NONE])
            self._parts = [summed(cells, n)]
        self._merged = len(self._parts[0][0])
        if self._merged > MOST:
            raise SourceError(
                f"counts with at most {MOST:,} cells that occur",
                f"{self._merged:,}",
                "bin or group the columns first, or count fewer together",
            )
        return self._parts[0]


@dataclass
class Tables:
    """Tables that are being filled, of column sets that cover what was asked; `radix` is the room for each column."""

    radix: dict[str, int]
    dense: dict[Set, Codes] = field(default_factory=dict)
    sparse: dict[Set, Cells] = field(default_factory=dict)
    open: bool = False

    @classmethod
    def of(cls, sets: Sequence[Set], radix: dict[str, int]) -> Tables:
        """Empty tables: whole ones while there is room for them, the smallest first."""
        made, left = cls(radix, open=True), WHOLE
        for names in sorted(cover(sets, radix), key=made.cells):
            cells = made.cells(names)
            if cells <= left:
                made.dense[names] = np.zeros(cells, dtype=np.int64)
                left -= cells
            else:
                made.sparse[names] = Cells()
        return made

    @property
    def sets(self) -> tuple[Set, ...]:
        """The column sets, the shorter ones first."""
        return tuple(sorted((*self.dense, *self.sparse), key=len))

    def cells(self, names: Set) -> int:
        """How many cells the table of this set has."""
        return prod(self.radix[n] for n in names)

    def add(self, names: Set, flat: Any) -> None:
        """Count rows in the table of this set."""
        if names in self.dense:
            self.dense[names] += np.bincount(flat, minlength=len(self.dense[names]))
        else:
            self.sparse[names].add(*np.unique(flat, return_counts=True))

    def read(self, names: Set) -> tuple[list[Codes], Codes]:
        """The value numbers, column by column, of the cells of `names` that occur, and how often; others are summed
        out.
        """
        held = next(s for s in self.sets if set(names) <= set(s))
        if held in self.dense:
            cells = np.flatnonzero(self.dense[held])
            n = self.dense[held][cells]
        else:
            cells, n = self.sparse[held].merged()
        codes = dict(zip(held, np.unravel_index(cells, [self.radix[c] for c in held]), strict=True))
        shape = [self.radix[c] for c in names]
        flat, n = summed(np.ravel_multi_index([codes[c] for c in names], shape), n)
        return list(np.unravel_index(flat, shape)), n


class Tally:
    """How often each combination of values occurs, for several sets of columns.

    Values are numbered as they turn up; tables that become too small for them are put aside and larger ones begun.
    """

    def __init__(self, sets: Iterable[Sequence[str]], schema: pa.Schema) -> None:
        self.sets: tuple[Set, ...] = tuple(tuple(s) for s in sets)
        self.columns = tuple(dict.fromkeys(name for one in self.sets for name in one))
        self.alphabets = {n: Alphabet(n, schema.field(known(n, schema.names)).type) for n in self.columns}
        self._tables: list[Tables] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Count these rows."""
        if not batch.num_rows:
            return
        numbers = {n: self.alphabets[n].numbers(column_of(batch, n)) for n in self.columns}
        tables = self._roomy()
        flats: dict[Set, Codes] = {}
        for names in tables.sets:
            tables.add(names, _flat(names, numbers, tables.radix, flats))

    def _roomy(self) -> Tables:
        """Tables with room for every value that was met."""
        now = self._tables[-1] if self._tables and self._tables[-1].open else None
        if now is not None and all(a.size <= now.radix[n] for n, a in self.alphabets.items()):
            return now
        radix = {n: a.size if now is None else a.size * 5 // 4 + 4 for n, a in self.alphabets.items()}
        self._tables.append(Tables.of([self._numberable(s, radix) for s in self.sets], radix))
        return self._tables[-1]

    def _numberable(self, names: Set, radix: dict[str, int]) -> Set:
        if prod(radix[n] for n in names) < 2**62:
            return names
        raise SourceError(
            f"counts of {len(names)} columns together: {shown(names)}",
            "more combinations than 64 bits can number",
            "count fewer at once",
        )

    def counts(self, names: Sequence[str]) -> Counts:
        """The counts of one of the sets, its values in their order and missing ones last."""
        wanted = tuple(names)
        axes, places = zip(*(self._axis(n) for n in wanted), strict=True)
        shape = tuple(axis.size for axis in axes)
        total = Counts.empty(shape, axes)
        for codes, n in self._read(wanted):
            placed = np.stack([place[code] for place, code in zip(places, codes, strict=True)], axis=1)
            total = total + Counts.of_codes(placed, shape, axes, n=n)
        return total

    def _axis(self, name: str) -> tuple[Axis, Codes]:
        """The axis of a column, and place[number]; there is a place for missing values only if there are any."""
        place, values = self.alphabets[name].order()
        labels: list[Any] = list(as_levels(values))
        if not labels or any((codes[0] == 0).any() for codes, _ in self._read((name,))):
            labels.append(MISSING if MISSING not in labels else MISSING + "′")
        return Axis(name, tuple(labels)), place

    def _read(self, names: Set) -> list[tuple[list[Codes], Codes]]:
        return [
            tables.read(names) for tables in self._tables if any(set(names) <= set(s) for s in tables.sets)
        ]

    def parts(self) -> list[pa.Table]:
        """What was counted, set by set: the values of each cell that occurs, and how often."""
        import pyarrow as pa

        made = []
        for names in self.sets:
            for codes, n in self._read(names):
                values = [self.alphabets[c].named(code) for c, code in zip(names, codes, strict=True)]
                made.append(pa.Table.from_arrays([*values, pa.array(n)], [*names, COUNT]))
        return made

    def take(self, parts: Iterable[pa.Table]) -> None:
        """Add what was counted elsewhere: all parts of one tally. Counts stand in the last column, whatever the
        others are called.
        """
        held = [(tuple(part.column_names[:-1]), part) for part in parts]
        numbers = [
            [self.alphabets[c].met(part.column(j).combine_chunks()) for j, c in enumerate(names)]
            for names, part in held
        ]
        made = Tables({c: a.size for c, a in self.alphabets.items()})
        for (names, part), coded in zip(held, numbers, strict=True):
            cells = made.sparse.setdefault(self._numberable(names, made.radix), Cells())
            flat = np.ravel_multi_index(coded, [made.radix[c] for c in names])
            cells.add(flat, np.asarray(part.column(len(names)), dtype=np.int64))
        self._tables.insert(0, made)

    def result(self) -> dict[Set, Counts]:
        """The counts of every set."""
        return {names: self.counts(names) for names in self.sets}


def _flat(names: Set, numbers: dict[str, Any], radix: dict[str, int], done: dict[Set, Any]) -> Any:
    """The cell of each row; a beginning that was worked out for another set is used again."""
    if names not in done:
        last = numbers[names[-1]]
        if len(names) == 1:
            done[names] = last
        else:
            wide = np.int32 if prod(radix[n] for n in names) < 2**31 else np.int64
            flat = np.multiply(_flat(names[:-1], numbers, radix, done), radix[names[-1]], dtype=wide)
            flat += last
            done[names] = flat
    return done[names]


def summed(cells: Codes, n: Codes) -> tuple[Codes, Codes]:
    """Each cell once, in order, with the sum of its counts."""
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[starts], np.add.reduceat(n[order], starts) if len(starts) else NONE


def cover(sets: Sequence[Set], radix: dict[str, int]) -> list[Set]:
    """Column sets that contain those asked for, few, while their tables fit the cache: counted once, summed out later.

    >>> cover([("s", "a"), ("s", "b"), ("t", "a")], {"s": 2, "t": 3, "a": 10, "b": 20})
    [('s', 't', 'a', 'b')]
    """
    order = {n: i for i, n in enumerate(radix)}
    held: list[set[str]] = []
    for names in sorted((set(s) for s in sets), key=lambda s: sorted((order[n] for n in s), reverse=True)):
        sizes = [prod(radix[n] for n in names | one) for one in held]
        at = min(range(len(held)), key=sizes.__getitem__, default=None)
        inside = [i for i, one in enumerate(held) if names <= one]
        if inside:
            continue
        if at is not None and sizes[at] <= TOGETHER:
            held[at] |= names
        else:
            held.append(set(names))
    return [tuple(sorted(one, key=order.__getitem__)) for one in held]
