"""Bounds that are sound for every law, where none is known that converges.

I(S;Y) ≥ I(X;Y) − H(X|S)                     what is said about X beyond S cannot exceed H(X|S)
I(S;Y) ≥ I(f(S);Y) for every function f      and with two values of f in each part that funnel is solved exactly
"""

from __future__ import annotations

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.mechanisms.finished import entropy_of
from discreet.mechanisms.posteriors import Pool
from discreet.mechanisms.search import Effort, search
from discreet.mechanisms.split import Split, split_masses
from discreet.mechanisms.vertices import add_corners


class CheapBound:
    """The larger of the two bounds at rates up to H(X|A); the coarser law's columns are kept from rate to rate."""

    def __init__(self, split: Split, columns: int) -> None:
        self._split, self._columns = split, columns
        self._pool: Pool | None = None

    def at(self, rate: float, seconds: float | None = None) -> float:
        """A lower bound on the leak beyond A of any release at this rate."""
        plain = rate - self._split.hidden
        effort = Effort(self._columns, seconds)
        if self._pool is None:
            self._pool = Pool(coarsened(self._split))
            add_corners(self._pool, effort.rng)
        found = search(self._pool, effort, rate=min(rate, self._pool.split.entropy_x))
        return max(plain, found.bound if found else 0.0, 0.0)


def coarsened(split: Split) -> Split:
    """The law of f(S) and X, where f leaves two values in each part: those that X tells the most about."""
    p = split.given_x * split.p_x
    group = np.zeros(len(p), dtype=np.int64)
    count = 0
    for part in split.parts:
        upper = _halves(p[np.ix_(part.secrets, part.symbols)])
        group[part.secrets] = count + upper
        count += 1 + int(upper.any())
    coarse = np.zeros((count, p.shape[1]))
    np.add.at(coarse, group, p)
    return split_masses(coarse, split.symbols)


def _halves(p: Array) -> Codes:
    """Which secrets are put together: the best of one against the rest and of cuts along the main direction."""
    n = len(p)
    if n < 2:
        return np.zeros(n, dtype=np.int64)
    root_s, root_x = np.sqrt(p.sum(axis=1)), np.sqrt(p.sum(axis=0))
    left = np.linalg.svd(p / root_s[:, None] / root_x, full_matrices=False)[0]
    place = np.argsort(np.argsort(left[:, 1] / root_s)) if left.shape[1] > 1 else np.arange(n)
    tried = np.vstack([np.eye(n, dtype=np.int64), place[None] >= np.arange(1, n)[:, None]])
    told = [_information(np.stack([p[upper == 0].sum(axis=0), p[upper == 1].sum(axis=0)])) for upper in tried]
    best: Codes = tried[int(np.argmax(told))].astype(np.int64)
    return best


def _information(p: Array) -> float:
    return entropy_of(p.sum(axis=0)) + entropy_of(p.sum(axis=1)) - entropy_of(p)
