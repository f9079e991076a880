"""Counts of the secret for each combination of values, shrunk towards its shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array, Codes
from discreet.estimators.families.family import Predictor, log_shares
from discreet.estimators.matrices.views import Seen

SHRINK = (0.5, 5.0, 50.0)
ROWS_A_CELL = 5
ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class CountFamily:
    """(n(s, x) + a p(s)) / (n(x) + a) for each combination x; one that was never seen tells nothing.

    `bin_numbers` cuts numbers into bins of equal shares; without it records with such numbers do not suit.
    """

    shrink: tuple[float, ...] = SHRINK
    bin_numbers: bool = False

    def suits(self, seen: Seen, size: int) -> bool:
        """Combinations that come several times each."""
        if self.bin_numbers:
            return True
        del size
        return seen.countable and np.unique(_keys(seen)).size * ROWS_A_CELL <= len(seen)

    def fit(self, seen: Seen, s: Codes, size: int, rng: np.random.Generator) -> dict[str, Predictor]:
        """One member for each strength of shrinking."""
        del rng
        found, cell = np.unique(_keys(seen), return_inverse=True)
        n = np.bincount(cell.reshape(-1) * size + s, minlength=found.size * size).reshape(-1, size)
        base = log_shares(s, size)
        return {
            f"counts shrunk by {a:g}": _Counted(found, n.astype(np.float64), base, a) for a in self.shrink
        }


@dataclass(frozen=True, slots=True)
class _Counted:
    keys: NDArray[np.uint64]
    n: Array
    base: Array
    shrink: float

    def log_ratio(self, seen: Seen) -> Array:
        keys = _keys(seen)
        place = np.minimum(np.searchsorted(self.keys, keys), self.keys.size - 1)
        n = np.where((self.keys[place] == keys)[:, None], self.n[place], 0.0)
        share = np.exp(self.base)
        ratio: Array = np.log(
            (n + self.shrink * share) / ((n.sum(axis=1, keepdims=True) + self.shrink) * share)
        )
        return ratio


def _keys(seen: Seen) -> NDArray[np.uint64]:
    """A number for each combination; two different ones share it with a chance of about n² / 2⁶⁴."""
    key = np.zeros(len(seen), dtype=np.uint64)
    for column in seen.cells.T:
        key = (key ^ (column.astype(np.uint64) + np.uint64(1))) * ODD
        key ^= key >> np.uint64(29)
    return key
