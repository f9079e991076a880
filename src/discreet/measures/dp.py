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
    under another; at δ = 0 it is local privacy. δ(·) is convex and piecewise linear in e^ε, so Newton's steps end at
    the answer after a few walks of O(|S|² |Y|).

    >>> from discreet.core.joint import Joint
    >>> differential_privacy_eps(Joint([[.3, .1], [.15, .45]]).lift(), 0.)
    DP ε(δ) [delta=0] = 1.099 nats (exact, of this law)

    References: paper 000, Definition 2, inverted.
    """
    if share("delta", delta) == 0:
        return lift.reading("differential_privacy_eps", local_privacy(lift).value, delta=0.0)
    rows, factor = _rows(lift), 1.0
    for _ in range(1000):
        found, (s, other) = _worst_pair(rows, factor)
        slope = float(rows[other][rows[s] / factor > rows[other]].sum())
        if found <= delta or slope == 0:
            break
        further = factor + (found - delta) / slope
        if further <= factor * (1 + 4 * np.finfo(np.float64).eps):
            break
        factor = further
    value = math.inf if found > delta and slope == 0 else math.log(factor)
    return lift.reading("differential_privacy_eps", value, delta=float(delta))


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
