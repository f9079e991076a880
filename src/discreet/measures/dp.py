"""Differential privacy between secrets: every two of them are neighbours."""

from __future__ import annotations

import math

import numpy as np

from discreet.core.lift import TILE_CELLS, Lift
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.measures.arguments import not_negative, share
from discreet.measures.pointwise import local_privacy


def differential_privacy(lift: Lift, eps: float) -> Reading:
    """The least δ with (ε, δ)-differential privacy between secrets.

    δ(ε) = max_{s, s′} Σ_y (p(y | s) − e^ε p(y | s′))₊

    Large: some set of releases is much more likely under one secret than under another. Zero at local privacy's ε. The
    prior does not matter, but a secret without mass is not asked about. O(|S|² |Y|) time.

    >>> from discreet.core.joint import Joint
    >>> differential_privacy(Joint([[.3, .1], [.15, .45]]).lift(), .5)
    DP δ(ε) [eps=0.5] = 0.3378 (exact, of this law)

    References: paper 000, Definition 2.
    """
    worst, _ = _worst_pair(_rows(lift), _factor(not_negative("eps", eps)))
    return lift.reading("differential_privacy", worst, eps=float(eps))


def differential_privacy_eps(lift: Lift, delta: float) -> Reading:
    """The least ε with (ε, δ)-differential privacy between secrets.

    ε(δ) = min { ε ≥ 0 : δ(ε) ≤ δ }

    Large: secrets stay apart even after the δ is spent. Infinite where more than δ of a secret's releases cannot occur
    under another; at δ = 0 it is local privacy. δ(·) is convex and piecewise linear in e^ε, so Newton's steps from pair
    to pair end at the answer after a few walks of O(|S|² |Y|).

    >>> from discreet.core.joint import Joint
    >>> differential_privacy_eps(Joint([[.3, .1], [.15, .45]]).lift(), 0.)
    DP ε(δ) [delta=0] = 1.099 nats (exact, of this law)

    References: paper 000, Definition 2, inverted.
    """
    if share("delta", delta) == 0:
        return lift.reading("differential_privacy_eps", local_privacy(lift).value, delta=0.0)
    rows, factor = _rows(lift), 1.0
    while math.isfinite(factor):
        found, (s, other) = _worst_pair(rows, factor)
        further = _least_factor(rows[s], rows[other], delta, factor) if found > delta else factor
        if further <= factor * (1 + 4 * np.finfo(np.float64).eps):
            break
        factor = further
    return lift.reading("differential_privacy_eps", math.log(factor), delta=float(delta))


def _least_factor(p: Array, q: Array, delta: float, factor: float) -> float:
    """The least number from `factor` on where Σ (p − number·q)₊ ≤ δ, by Newton's steps; infinite if there is none."""
    while True:
        above = p / factor > q
        slope = float(q[above].sum())
        excess = float(p[above].sum()) - factor * slope - delta
        if slope == 0:
            return math.inf if excess > 0 else factor
        further = factor + excess / slope
        if further <= factor * (1 + 4 * np.finfo(np.float64).eps):
            return factor
        factor = further


def _factor(eps: float) -> float:
    """e^ε, or a number so large that only releases that cannot occur under the other secret are left."""
    return math.exp(min(eps, 690.0))


def _rows(lift: Lift) -> Array:
    """p(y | s) of the secrets that have mass."""
    mass = lift.p_s > 0
    p, p_s = (lift.p, lift.p_s) if mass.all() else (lift.p[mass], lift.p_s[mass])
    return p / p_s[:, None]


def _worst_pair(rows: Array, factor: float) -> tuple[float, tuple[int, int]]:
    """max over pairs of Σ (p − factor·q)₊, and the pair that attains it; some rows against some others at a time."""
    n, width = rows.shape
    others = min(n, max(1, TILE_CELLS // width))
    some = max(1, TILE_CELLS // (width * others))
    worst, pair = 0.0, (0, 0)
    for i in range(0, n, some):
        weighed = rows[i : i + some, None] / factor
        for j in range(0, n, others):
            beyond = weighed - rows[None, j : j + others]
            sums = np.maximum(beyond, 0, out=beyond).sum(axis=2)
            top = int(sums.argmax())
            if sums.flat[top] > worst:
                worst, pair = float(sums.flat[top]), (i + top // sums.shape[1], j + top % sums.shape[1])
    return min(worst * factor, 1.0), pair
