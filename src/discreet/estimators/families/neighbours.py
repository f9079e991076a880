"""Shares of the secret among the nearest records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.estimators.families.family import Predictor, log_shares
from discreet.estimators.matrices.views import Seen

NEAREST = (10, 40, 160)
MOST_ROWS = 20_000
SHRINK = 2.0


@dataclass(frozen=True, slots=True)
class NeighbourFamily:
    """Counts among the k nearest, shrunk towards the shares by two records. Poor in more than a few dimensions."""

    nearest: tuple[int, ...] = NEAREST

    def suits(self, seen: Seen, size: int) -> bool:
        """Something to measure distances in."""
        del size
        return bool(seen.linear.shape[1] > 0)

    def fit(self, seen: Seen, s: Codes, size: int, rng: np.random.Generator) -> dict[str, Predictor]:
        """One member for each k."""
        from sklearn.neighbors import NearestNeighbors

        rows = rng.choice(s.size, MOST_ROWS, replace=False) if s.size > MOST_ROWS else np.arange(s.size)
        index = NearestNeighbors().fit(np.clip(seen.linear[rows], -10, 10))
        ks = sorted({min(k, rows.size) for k in self.nearest})
        base = log_shares(s, size)
        return {f"{k} nearest": _Nearest(index, s[rows], base, k) for k in ks}


@dataclass(frozen=True, slots=True)
class _Nearest:
    index: Any
    s: Codes
    base: Array
    k: int

    def log_ratio(self, seen: Seen) -> Array:
        near = self.index.kneighbors(np.clip(seen.linear, -10, 10), self.k, return_distance=False)
        found = self.s[near]
        count = np.column_stack([(found == c).sum(axis=1) for c in range(self.base.size)])
        share = np.exp(self.base)
        ratio: Array = np.log((count + SHRINK * share) / ((self.k + SHRINK) * share))
        return ratio
