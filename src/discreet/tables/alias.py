"""Drawing from the rows of a channel in constant time: a look-up and a comparison a record (Walker's alias)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array, Codes, Words

BITS = 52
"""Masses are whole multiples of 2^-52: what is drawn follows the table below to the last bit."""

ONE, WORD = np.uint64(1), np.uint64(64)

TILE = 1 << 15
"""So many records are drawn at a time: they fit the cache."""

LEADING = 12
"""So many leading bits of a word settle most draws by one look-up, …"""

GUIDED = 256
"""… where there are no more rows than this."""


@dataclass(frozen=True, eq=False)
class AliasTable:
    """The rows of a channel as places that are equally likely, each with two symbols and a threshold between them.

    A row with m symbols that can occur has the next power of two of places; the first bits of a word choose the place,
    the next decide between its symbols. A row that releases one symbol for certain needs no word. Where there are few
    rows the answer for the leading bits is looked up, and only the words that lie where a threshold does are decided
    as above: one in 2^12 for each place.

    >>> table = AliasTable.of([[.25, .75, 0.], [0., 0., 1.]])
    >>> table.law(3)
    array([[0.25, 0.75, 0.  ],
           [0.  , 0.  , 1.  ]])
    """

    first: Codes
    bits: Words
    threshold: NDArray[np.uint64]
    itself: NDArray[np.int32]
    other: NDArray[np.int32]

    @classmethod
    def of(cls, p: Any) -> AliasTable:
        """The table of p[x, y]. Steps in Python: as many as a row has symbols; the rest is vectors of rows."""
        rows: Array = np.asarray(p, dtype=np.float64)
        units = whole_units(rows)
        support = (units > 0).sum(axis=1)
        bits = np.ceil(np.log2(support)).astype(np.int64)
        first = np.concatenate([[0], np.cumsum(1 << bits)[:-1]])
        size = int((1 << bits).sum())
        made = cls(
            first.astype(np.int64),
            bits.astype(np.uint64),
            np.zeros(size, dtype=np.uint64),
            np.zeros(size, dtype=np.int32),
            np.zeros(size, dtype=np.int32),
        )
        for b in np.unique(bits):
            alike = np.flatnonzero(bits == b)
            for part in np.array_split(alike, -(-alike.size * units.shape[1] // (1 << 22)) or 1):
                made._fill(units[part], first[part], 1 << int(b))
        return made

    def _fill(self, units: Codes, first: Codes, places: int) -> None:
        """Sweep over light and heavy places together: each step settles one place of every row."""
        n = len(units)
        order = np.argsort(-units, axis=1, kind="stable")[:, :places]
        mass = np.take_along_axis(units, order, axis=1)
        if mass.shape[1] < places:
            room = ((0, 0), (0, places - mass.shape[1]))
            mass, order = np.pad(mass, room), np.pad(order, room)
        full = (1 << BITS) // places
        rows = np.arange(n)
        heavy, light = np.zeros(n, dtype=np.int64), np.full(n, places - 1, dtype=np.int64)
        left = mass[:, 0].copy()
        for _ in range(places):
            passes = (left <= full) | (light <= heavy)
            settled = np.where(passes, heavy, light)
            taken = np.where(passes, np.minimum(left, full), mass[rows, settled])
            following = np.minimum(heavy + 1, places - 1)
            other = np.where(passes, following, heavy)
            at = first + settled
            self.threshold[at] = taken
            self.itself[at] = order[rows, settled]
            self.other[at] = order[rows, other]
            left = np.where(passes, mass[rows, following] - (full - left), left - (full - taken))
            heavy = np.where(passes, following, heavy)
            light = np.where(passes, light, light - 1)

    def draw(self, row: NDArray[Any], words: Words) -> NDArray[Any]:
        """One symbol for each record, from its row, in as few bytes as the symbols take. O(1) a record."""
        y = np.empty(len(row), dtype=np.int32 if self._guide is None else self._guide.dtype)
        for i in range(0, len(row), TILE):
            some, of = row[i : i + TILE], words[i : i + TILE]
            y[i : i + TILE] = self._drawn(some, of) if self._guide is None else self._looked_up(some, of)
        return y

    def _looked_up(self, row: NDArray[Any], words: Words) -> NDArray[Any]:
        """By the leading bits; where these do not decide, by the whole word."""
        guide: Any = self._guide
        leading = (words >> np.uint64(64 - LEADING)).astype(np.uint32)
        y: NDArray[Any] = guide.take((row.astype(np.uint32) << np.uint32(LEADING)) | leading)
        open_still = np.flatnonzero(y == np.iinfo(guide.dtype).max)
        y[open_still] = self._drawn(row[open_still], words[open_still])
        return y

    @cached_property
    def _guide(self) -> NDArray[Any] | None:
        """guide[row · 2^12 + leading bits]: the symbol, or the largest number where they do not decide it."""
        if self.first.size > GUIDED or int(self.bits.max()) > LEADING:
            return None
        cell = np.arange(1 << LEADING)
        bits = self.bits.astype(np.int64)[:, None]
        place = self.first[:, None] + (cell >> (LEADING - bits))
        low = (cell & ((1 << (LEADING - bits)) - 1)).astype(np.uint64) << np.uint64(BITS - LEADING)
        high = low + np.uint64((1 << (BITS - LEADING)) - 1)
        itself, other, threshold = (held[place] for held in (self.itself, self.other, self.threshold))
        kind = np.min_scalar_type(int(max(self.itself.max(), self.other.max())) + 1)
        unknown = np.iinfo(kind).max
        symbol = np.where(
            high < threshold, itself, np.where((low >= threshold) | (itself == other), other, unknown)
        )
        made: NDArray[Any] = symbol.astype(kind).ravel()
        return made

    def _drawn(self, row: NDArray[Any], words: Words) -> NDArray[np.int32]:
        bits = self.bits[0] if self.even else self.bits.take(row)
        at = (words >> ONE) >> (WORD - ONE - bits)
        place = self.first.take(row) + at.view(np.int64)
        rest = (words << bits) >> (WORD - np.uint64(BITS) + bits)
        return np.where(rest < self.threshold.take(place), self.itself.take(place), self.other.take(place))

    @property
    def even(self) -> bool:
        """Whether all rows have as many places."""
        return bool((self.bits == self.bits[0]).all())

    def law(self, symbols: int) -> Array:
        """p[x, y] that is drawn from, exactly: to be measured instead of the channel as it was designed."""
        bounds = np.append(self.first, self.threshold.size)
        made = np.zeros((self.first.size, symbols))
        for x in range(self.first.size):
            at = slice(bounds[x], bounds[x + 1])
            full = np.uint64((1 << BITS) // (bounds[x + 1] - bounds[x]))
            np.add.at(made[x], self.itself[at], self.threshold[at].astype(np.float64))
            np.add.at(made[x], self.other[at], (full - self.threshold[at]).astype(np.float64))
        return made / 2.0**BITS


def whole_units(p: Array) -> Codes:
    """Each row in whole multiples of 2^-52 that sum to one; what cannot occur stays at nothing."""
    scaled = p / p.sum(axis=1, keepdims=True) * 2.0**BITS
    units: Codes = np.floor(scaled).astype(np.int64)
    largest = p.argmax(axis=1)
    units[np.arange(len(p)), largest] += (1 << BITS) - units.sum(axis=1)
    return units
