"""Limits for a share: exact for a count, and for a mean of numbers between 0 and 1."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.protocols import Array

HALVINGS = 20

MARGIN = 1e-9
"""A search stops this much (relatively) on the safe side."""

CANDIDATES = 40


def upper(hits: ArrayLike, n: ArrayLike, beta: float) -> Array:
    """The share that `hits` of `n` would fall short of with probability at most β: Clopper–Pearson.

    Beta⁻¹(1 − β; hits + 1, n − hits), and 1 where everybody was hit or nobody was asked.

    >>> float(upper(0, 10, .05).round(4))
    0.2589
    """
    from scipy.special import betaincinv

    k, of = np.asarray(hits, dtype=np.float64), np.asarray(n, dtype=np.float64)
    k, of = np.broadcast_arrays(k, of)
    missed = of - k
    found = betaincinv(k + 1, np.where(missed > 0, missed, 1), 1 - beta)
    return np.asarray(np.where(missed > 0, found, 1.0))


def lower(hits: ArrayLike, n: ArrayLike, beta: float) -> Array:
    """The share that `hits` of `n` would exceed with probability at most β: Clopper–Pearson.

    >>> float(lower(10, 10, .05).round(4))
    0.7411
    """
    from scipy.special import betaincinv

    k, of = np.asarray(hits, dtype=np.float64), np.asarray(n, dtype=np.float64)
    k, of = np.broadcast_arrays(k, of)
    found = betaincinv(np.where(k > 0, k, 1), of - k + 1, beta)
    return np.asarray(np.where(k > 0, found, 0.0))


def upper_unlike(hits: int, n: int, beta: float) -> float:
    """The same upper limit for the mean chance of people who are not alike.

    A sum of unlike chances is less spread than the binomial (Hoeffding 1956), but for one case: a single person who
    alone can miss breaks the binomial value at hits = n − 1, where 1 − β/n holds.
    """
    return 1 - beta / n if hits == n - 1 else float(upper(hits, n, beta))


def upper_of_mean(mean: float, n: int, beta: float) -> float:
    """An upper limit for the expectation of a mean of n independent numbers between 0 and 1: the hinge.

    exclude θ   if   min_a E(a − Bin(n, θ))₊ / (a − n·mean) ≤ β

    No such sum is more spread than the binomial, so its shortfall below any a is at most the binomial's; Markov's
    inequality does the rest. About a sixth tighter than Chernoff's bound.
    """
    if mean >= 1:
        return 1.0
    low, high = mean, 1.0
    steps = _steps(mean, n, beta)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _shortfall(steps, n, middle, n * mean) <= beta:
            high = middle
        else:
            low = middle
    return min(high * (1 + MARGIN), 1.0)


def _steps(mean: float, n: int, beta: float) -> Array:
    """Whole numbers a above n·mean, dense near it and out to well beyond where the best one lies; any is valid."""
    reach = 6 * math.sqrt(n * (1 - math.log(beta))) + 10
    beyond = np.unique(np.floor(np.geomspace(1, max(reach, 2), CANDIDATES)))
    return np.asarray(np.floor(n * mean) + beyond)


def _shortfall(a: Array, n: int, share: float, total: float) -> float:
    """min over a of E(a − Bin(n, share))₊ / (a − total)."""
    from scipy.special import bdtr

    below = bdtr(np.minimum(a - 1, n), n, share)
    fewer = np.where(a >= 2, bdtr(np.clip(a - 2, 0, n - 1), n - 1, share), 0.0) if n > 1 else (a >= 2) * 1.0
    hinge = np.maximum(a * below - n * share * fewer, 0) + 1e-12 * a * below
    return float((hinge / (a - total)).min())
