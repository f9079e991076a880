"""Numbers released with Gaussian noise, on a grid.

A float that was computed carries traces of its record in its last digits (Mironov, 2012). Here a record is first put
between the limits of its columns and on a grid whose step is a power of two, at most 1/256 of the least noise and far
above the last digit of the largest number; then noise is added, made from 64-bit words, and the sum is rounded to the
same grid. Multiples of the step are exact, whatever the record; more than 2^40 different values of the noise fall into
each cell of one step that lies within eight deviations, so that no cell is empty for one record and not for another.
The rounding of the record moves it by half a step at most: the diameter that a guarantee is about is one step larger.
A missing value is put at the middle of its column, so that noise hides that it was missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.gaussian_channel import GaussianChannel
from discreet.core.protocols import Array, Codes, Words
from discreet.tables.block import column_of
from discreet.tables.scale import as_floats, from_floats, from_whole, is_whole

if TYPE_CHECKING:
    import pyarrow as pa

FINENESS = 256
"""The step of the grid is so many times smaller than the deviation, at least."""

DIGITS = 40
"""The step is at least 2^-40 of the largest number, so that multiples of it are far from the last digit of a float."""


@dataclass(frozen=True)
class NoisyPart:
    """Columns of numbers through a Gaussian channel: clipped, on a grid, noised, on the grid again."""

    names: tuple[str, ...]
    types: tuple[pa.DataType, ...]
    channel: GaussianChannel
    low: Array
    high: Array
    step: Array

    @property
    def words(self) -> int:
        """As many as the channel takes."""
        return self.channel.words

    @property
    def secret(self) -> bool:
        """Whether the noise or the shift depends on the secret."""
        return self.channel.inputs == "sx"

    @cached_property
    def _middle(self) -> Array:
        return on_grid((self.low + self.high) / 2, self.step)

    def read(self, batch: pa.RecordBatch, s: Codes | None) -> tuple[NDArray[Any], dict[str, int]]:
        """The numbers between their limits and on the grid; last, the secret where it is seen."""
        made, surprises = [], {}
        for j, name in enumerate(self.names):
            values = as_floats(column_of(batch, name), self.types[j])
            outside = int(np.count_nonzero((values < self.low[j]) | (values > self.high[j])))
            if outside:
                surprises[name] = outside
            held = on_grid(np.clip(values, self.low[j], self.high[j]), self.step[j])
            made.append(np.where(np.isnan(values), self._middle[j], held))
        if self.secret and s is not None:
            made.append(s.astype(np.float64))
        return np.stack(made, axis=1), surprises

    def release(self, read: NDArray[Any], words: Words) -> list[pa.Array]:
        """The numbers with noise, in the types of the columns."""
        x, s = (read[:, :-1], read[:, -1].astype(np.int64)) if self.secret else (read, None)
        y = on_grid(self.channel.push(x, words, s), self.step)
        nothing = np.zeros(len(y), dtype=bool)
        return [
            from_whole(y[:, j].astype(np.int64), nothing, kind)
            if is_whole(kind)
            else from_floats(y[:, j], nothing, kind)
            for j, kind in enumerate(self.types)
        ]


def on_grid(values: Array, step: Any) -> Array:
    """The nearest multiples of the step; exact, as the step is a power of two."""
    rounded: Array = np.rint(values / step) * step
    return rounded


def steps(deviation: ArrayLike, low: ArrayLike, high: ArrayLike, whole: Sequence[bool]) -> Array:
    """The step of each column's grid: a power of two, and at least one for whole numbers."""
    noise, reach = np.atleast_1d(np.asarray(deviation, float)), np.maximum(np.abs(low), np.abs(high))
    made = []
    for d, r, only_whole in zip(noise, np.atleast_1d(reach), whole, strict=True):
        largest = r + 16 * d
        step = 2.0 ** math.floor(math.log2(d / FINENESS)) if d > 0 else 0.0
        least = 2.0 ** math.ceil(math.log2(largest) - DIGITS) if largest > 0 else 1.0
        made.append(max(step, least, 1.0 if only_whole else 0.0))
    return np.array(made)
