"""Information privacy with a tail: how likely a belief is to move by more than a factor e^ε."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.core.lift import Lift
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.measures.arguments import not_negative, share
from discreet.measures.reducers import extremes, mean

ROUNDING = 16 * np.finfo(np.float64).eps
"""A lift is beyond e^ε when it exceeds it by more than the rounding of its own computation; equality is inside."""

LEAST, LARGEST = 5e-324, float(np.finfo(np.float64).max)
"""The ends of the number range."""

LEAST_OCCURRING = 1e-300
"""A lift below it has no mass that a sum would see."""

SORTED_AT_ONCE = 1 << 18
"""So many cells are sorted directly; a larger law is narrowed down first, by"""

SAMPLED = 1 << 15
STRIDE = 2654435761
MARGIN = 0.01
"""so many of its cells, this far apart, and by a band of so much probability on either side."""


def bounds(eps: float) -> tuple[float, float]:
    """The least and the largest lift that count as within e^±ε."""
    high = math.exp(eps) * (1 + ROUNDING) if eps < 700 else LARGEST
    low = max(math.exp(-eps) * (1 - ROUNDING), LEAST) if eps < math.inf else 0.0
    return low, high


def outside(l: Array, low: float, high: float) -> NDArray[np.bool_]:
    """The cells whose lift lies beyond the bounds; one that cannot occur does."""
    return (l > high) | (l < low)


def information_privacy(lift: Lift, eps: float, strong: bool = False) -> Reading:
    """The least δ with (ε, δ)-information privacy: how likely a belief moves by more than a factor e^ε.

    δ(ε) = P{ |log l(S, Y)| > ε };   strong: p_Y{ y : some s has |log l(s, y)| > ε }

    Large: releases that tell too much are common. Zero at ε = sup |log l|. The strong form asks it of every secret,
    also of those that cannot occur with y. Neither obeys data processing: merging two releases can raise the tail.

    >>> from discreet.core.joint import Joint
    >>> information_privacy(Joint([[.3, .1], [.15, .45]]).lift(), .55)
    δ(ε) [eps=0.55] = 0.25 (exact, of this law)

    References: paper 000, Definition 1; zero cells count in the strong form.
    """
    low, high = bounds(not_negative("eps", eps))
    if strong:
        found = extremes(lift)
        by_y = ((found.high > high) | (found.low < low)).astype(np.float64)
        return lift.reading(
            "information_privacy", min(float(lift.p_y @ by_y), 1.0), by_y=by_y, eps=float(eps), strong=True
        )
    by_s, by_y = mean(lift, lambda l: l * outside(l, low, high))
    return lift.reading(
        "information_privacy", min(float(lift.p_s @ by_s), 1.0), by_s=by_s, by_y=by_y, eps=float(eps)
    )


def information_privacy_eps(lift: Lift, delta: float, strong: bool = False) -> Reading:
    """The least ε with (ε, δ)-information privacy: how far beliefs move, except with probability δ.

    ε(δ) = min { ε : δ(ε) ≤ δ }

    Large: even common releases tell much. At δ = 0 it is sup |log l|, over the cells that occur unless strong. A cell
    that cannot occur makes the strong form infinite where its release has more than δ. O(|S| |Y|) time.

    >>> from discreet.core.joint import Joint
    >>> information_privacy_eps(Joint([[.3, .1], [.15, .45]]).lift(), .25)
    ε(δ) [delta=0.25] = 0.5108 nats (exact, of this law)

    References: paper 000, Definition 1, inverted.
    """
    share("delta", delta)
    if strong:
        score = extremes(lift).spread()
        value = _least_threshold(score, lift.p_y, delta)
        value = value if value > ROUNDING else 0.0
        return lift.reading("information_privacy_eps", value, by_y=score, delta=float(delta), strong=True)
    at_once = delta == 0 and bool(lift.limits)
    value = float(extremes(lift).spread().max()) if at_once else math.log(_least_factor(lift, delta))
    return lift.reading("information_privacy_eps", value if value > ROUNDING else 0.0, delta=float(delta))


def _least_threshold(score: Array, mass: Array, delta: float, floor: float = 0.0) -> float:
    """The least t ≥ floor, among the scores, that is exceeded with probability at most δ."""
    order = np.argsort(score)
    above = np.cumsum(mass[order][::-1])[::-1]
    over = np.flatnonzero(above > delta * (1 + ROUNDING))
    return max(float(score[order[over[-1]]]), floor) if over.size else floor


def _least_factor(lift: Lift, delta: float) -> float:
    """The least factor e^ε that max(l, 1/l) exceeds with probability at most δ.

    A large law is sampled first, so that only a narrow band around the answer has to be sorted.
    """
    if lift.p_s.size * lift.p_y.size > SORTED_AT_ONCE:
        for margin in (MARGIN, 5 * MARGIN):
            low, high = _guess(lift, delta, margin)
            factor, mass, above = _band(lift, low, high)
            if above <= delta < above + mass.sum():
                return _least_threshold(factor, mass, delta - above, low)
    return _least_threshold(_factor(lift.ratio).ravel(), lift.p.ravel(), delta, 1.0)


def _factor(l: Array) -> Array:
    """max(l, 1/l), for cells that occur."""
    return np.maximum(l, 1 / np.maximum(l, LEAST_OCCURRING))


def _band(lift: Lift, low: float, high: float) -> tuple[Array, Array, float]:
    """The factors in (low, high] of cells that occur, their masses, and how much probability lies above."""
    factors, masses, above = [], [], 0.0
    for rows, columns, l in lift.tiles():
        beyond = outside(l, 1 / high, high)
        above += float(lift.p_s[rows] @ ((l * beyond) @ lift.p_y[columns]))
        cells = np.flatnonzero(outside(l, 1 / low, low) > beyond)
        s, y = np.divmod(cells, l.shape[1])
        inside = l.ravel()[cells]
        factors.append(_factor(inside))
        masses.append(lift.p_s[rows][s] * (lift.p_y[columns][y] * inside))
    return np.concatenate(factors), np.concatenate(masses), above


def _guess(lift: Lift, delta: float, margin: float) -> tuple[float, float]:
    """Factors that δ ± margin of the probability exceed, by a sample of cells a fixed stride apart."""
    n_s, n_y = lift.shape
    s, y = np.divmod(np.arange(SAMPLED, dtype=np.int64) * STRIDE % (n_s * n_y), n_y)
    p = lift.p[s, y]
    l = p / np.maximum(lift.p_s[s], LEAST_OCCURRING) / np.maximum(lift.p_y[y], LEAST_OCCURRING)
    low, high = (_least_threshold(_factor(l), p, (delta + side) * p.sum(), 1.0) for side in (margin, -margin))
    return low, high if delta > margin else LARGEST
