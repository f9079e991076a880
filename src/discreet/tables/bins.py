"""Numbers and dates ↔ symbols: bins between borders, one symbol for missing, and how a value is drawn within a bin."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array, Codes, Words
from discreet.tables.arrow_types import type_of
from discreet.tables.draws import placed, uniforms
from discreet.tables.levels import MISSING
from discreet.tables.scale import as_floats, from_floats, from_whole, is_whole, worded

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Bins:
    """How one column of numbers or dates is coded.

    Bin i holds the values from cuts[i − 1] on and below cuts[i], so there is one more bin than there are cuts; the
    symbol of a missing value follows them. Values lie on the grid `offset` + k · `grain` (no grid: grain 0).

    `common` holds for each bin the values that many records share, with the share of the bin that has them. The rest
    is drawn evenly between `knots`, which have equal shares of the bin between them; the outermost are not the
    extremes of the data, which belong to somebody. A missing value where none was seen is coded as the most frequent
    bin, and is counted.
    """

    name: str
    type: str
    cuts: tuple[float, ...]
    grain: float
    offset: float
    knots: tuple[tuple[float, ...], ...]
    common: tuple[tuple[tuple[float, float], ...], ...]
    weights: tuple[float, ...]
    missing: bool

    @property
    def size(self) -> int:
        """How many symbols."""
        return len(self.cuts) + 1 + self.missing

    @property
    def words(self) -> int:
        """How many random words a row takes to be decoded."""
        return 1

    @property
    def labels(self) -> tuple[str, ...]:
        """What the symbols are called: "30 to 39" on a grid, "30 to below 40" off it."""
        step = self.grain if self.grain and is_whole(self._kind) else 0
        joint = "to" if step else "to below"
        tops = [worded(cut - step, self._kind) for cut in self.cuts]
        bottoms = [worded(cut, self._kind) for cut in self.cuts]
        if not self.cuts:
            return ("any", MISSING)[: self.size]
        inner = [b if b == t else f"{b} {joint} {t}" for b, t in zip(bottoms, tops[1:], strict=False)]
        lowest = f"up to {tops[0]}" if step else f"below {tops[0]}"
        return (lowest, *inner, f"{bottoms[-1]} and over", *[MISSING] * self.missing)

    def encode(self, column: pa.Array) -> tuple[Codes, int]:
        """The symbols, and how many rows were missing where none was before."""
        values = as_floats(column, self._kind)
        symbols = np.searchsorted(np.array(self.cuts), values, side="right").astype(np.int64)
        absent = np.isnan(values)
        symbols[absent] = self.size - 1 if self.missing else int(np.argmax(self.weights))
        return symbols, 0 if self.missing else int(np.count_nonzero(absent))

    def decode(self, symbols: Codes, words: Words, *, encoded: bool = False) -> pa.Array:  # noqa: ARG002
        """A value of the column's own type for each symbol."""
        chosen = np.asarray(symbols)
        absent = chosen > len(self.cuts)
        bins, uniform = np.where(absent, 0, chosen), uniforms(words[:, 0])
        values: NDArray[Any] = np.zeros(len(bins), dtype=np.int64 if is_whole(self._kind) else np.float64)
        for which in np.flatnonzero(np.bincount(bins, minlength=1)):
            rows = np.flatnonzero(bins == which)
            values[rows] = self._drawn(int(which), uniform[rows])
        if is_whole(self._kind):
            return from_whole(values.astype(np.int64, copy=False), absent, self._kind)
        ends = np.concatenate([[-np.inf], self.cuts, [np.inf]])
        return from_floats(values, absent, self._kind, ends[bins], ends[bins + 1])

    def _drawn(self, which: int, uniform: Array) -> NDArray[Any]:
        """Values of one bin: a common one with its share, else any point of the grid."""
        common = self.common[which]
        shares = np.array([share for _, share in common])
        rest = max(1 - shares.sum(), 0.0)
        place = placed(np.append(shares, rest), uniform)
        before = np.append(0, np.cumsum(shares))[place]
        width = np.append(shares, rest)[place]
        again = np.clip(
            (uniform * (shares.sum() + rest) - before) / np.where(width > 0, width, 1), 0, 1 - 2**-53
        )
        even = self._even(which, again)
        if not common:
            return even
        values = np.append(np.array([value for value, _ in common]), 0).astype(even.dtype)
        drawn: NDArray[Any] = np.where(place < len(common), values[place], even)
        return drawn

    def _even(self, which: int, uniform: Array) -> NDArray[Any]:
        """Values between the knots of one bin, on the grid where there is one."""
        knots = np.array(self.knots[which])
        values: Array = np.interp(uniform * (len(knots) - 1), np.arange(len(knots)), knots)
        if not self.grain:
            return values
        k: Codes = np.floor((values - self.offset) / self.grain + 1e-9).astype(np.int64)
        first, last = self._grid(which)
        k = np.clip(k, first, max(first, last))
        if is_whole(self._kind):
            return int(self.offset) + k * int(self.grain)
        rounded: Array = np.round(self.offset + k * self.grain, 12)
        return rounded

    def _grid(self, which: int) -> tuple[int, int]:
        """The first and the last grid point of a bin; its upper border belongs to the next one."""
        lowest, highest = self.knots[which][0], self.knots[which][-1]
        low = lowest if which == 0 else self.cuts[which - 1]
        first = int(np.ceil((low - self.offset) / self.grain - 1e-9))
        if which == len(self.cuts):
            return first, int(np.floor((highest - self.offset) / self.grain + 1e-9))
        return first, int(np.ceil((self.cuts[which] - self.offset) / self.grain - 1e-9)) - 1

    @cached_property
    def _kind(self) -> pa.DataType:
        return type_of(self.type)

    def to_json(self) -> dict[str, Any]:
        """As JSON can hold it."""
        held = {f.name: getattr(self, f.name) for f in fields(self)}
        held["cuts"], held["weights"] = list(self.cuts), list(self.weights)
        held["knots"] = [list(one) for one in self.knots]
        held["common"] = [[list(pair) for pair in one] for one in self.common]
        return {"coding": "bins"} | held
