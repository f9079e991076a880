"""Chernoff's bound turned around: the most information that could have left so small an estimate.

The witness is the true log-lift i. Whatever the law, E e^{−λ i} ≤ max_q (M_λ(q) + η D(q ‖ π)) − η I for every η > 0,
with M_λ(q) = Σ_s q(s)^{1−λ} π(s)^λ. The largest q sets one secret apart and leaves the others as they were among
themselves, so with a = q(s) and p = π(s)

    M = p^λ a^{1−λ} + (1 − p)^λ (1 − a)^{1−λ},    D = a log(a/p) + (1 − a) log((1 − a)/(1 − p)).

I is excluded as soon as some λ makes that smaller than e^{−λ Î − L}. Any λ and η are valid, so they may be looked for
carelessly; only the maximum over a must not be missed. M is concave in (a, p) and D convex: over a small rectangle M
lies below a tangent plane, which together with D is convex and so is largest in a corner. That bounds the maximum.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from discreet.core.protocols import Array

NEAREST = 1e-8
COARSE, FINER, FINEST = 40, 200, 300
"""How near to its ends the unit interval is cut, and into how many cells a half: for many λ, for some, for one."""

SLICES = 4
"""A range of p is cut into so many at first."""

PARTS, ROUNDS, AT_ONCE = 4, 25, 400
"""The cells with the highest bounds, so many at once, are cut into so many parts on each side, so often,"""

STEPS = 4
"""Newton's steps for the weight at which no other a is worse than a = p."""

CLOSE = 1e-3
"""until what the bound may lie above the maximum no longer matters: this share of the result."""

HALVINGS = 26
ROUNDING = 1e-14
UNIT = 4e-16
MARGIN = 1e-9


class Exponents(NamedTuple):
    """λ of the bound, and the weight of D against M: 1/η."""

    lam: float
    weight: float


def most_information(estimate: float, rate: float, low: Array, high: Array, ceiling: float = np.inf) -> float:
    """sup { I : estimate > max_λ (−log Ψ(λ, I) − rate) / λ }, each p(s) between low[s] > 0 and high[s].

    What cannot come below `ceiling` is not worked out further.
    """
    if float(high.min()) >= 1:
        return 0.0
    if estimate >= ceiling:
        return ceiling
    found = _search(estimate, rate, float(low.min()))
    cells = _rectangles(np.unique(np.stack([low, high], axis=1), axis=0))
    lost = UNIT / max(1 - float(high.max()), UNIT) * (found.lam + 1 / found.weight) + ROUNDING
    goal, best = float(np.expm1(-found.lam * estimate - rate)), np.inf
    for _ in range(STEPS):
        most, slope = _maximum(cells, found, goal, ceiling / found.weight + goal)
        best = min(best, (most + lost - goal) * found.weight)
        if most <= -CLOSE * goal or slope >= 0:
            break
        found = Exponents(found.lam, found.weight * (1 - most / slope))
    return float(max(best * (1 + MARGIN), estimate))


# --------------------------------------------------------------------------------------- the search, careless


def _search(estimate: float, rate: float, p: float) -> Exponents:
    """λ and 1/η that do best when the secret of share p is set apart; the rarest has always been the worst."""
    logits = np.linspace(-16, 2, 37)
    weights, values = _tried(_share(logits), estimate, rate, p, COARSE)
    near = logits[int(values.argmin())] + np.linspace(-0.5, 0.5, 11)
    weights, values = _tried(_share(near), estimate, rate, p, FINER)
    lam = _share(near[[int(values.argmin())]])
    weights, _ = _tried(lam, estimate, rate, p, FINEST)
    return Exponents(float(lam[0]), float(weights[0]))


def _tried(lams: Array, estimate: float, rate: float, p: float, halves: int) -> tuple[Array, Array]:
    """For each λ the best weight and the bound that it gives, on a grid."""
    a = _places(p, halves)[1:-1]
    log_ratio = np.log(p / a), np.log((1 - p) / (1 - a))
    moved = a * np.expm1(lams[:, None] * log_ratio[0]) + (1 - a) * np.expm1(lams[:, None] * log_ratio[1])
    moved -= np.expm1(-lams * estimate - rate)[:, None]
    return _best_weights(moved, _divergence(a, 1 - a, p))


def _share(logit: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-logit)))


def _best_weights(moved: Array, told: Array) -> tuple[Array, Array]:
    """For each λ the weight w that makes max_a (w · moved + told) least: convex in w, by bisection on the slope."""
    low, high = np.full(len(moved), -5.0), np.full(len(moved), 32.0)
    rows = np.arange(len(moved))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        at = (np.exp(middle)[:, None] * moved + told).argmax(axis=1)
        falling = moved[rows, at] < 0
        low, high = np.where(falling, middle, low), np.where(falling, high, middle)
    weights = np.exp((low + high) / 2)
    return weights, (weights[:, None] * moved + told).max(axis=1)


# --------------------------------------------------------------------------------------- the maximum, careful


class Rectangles(NamedTuple):
    """Cells a0 ≤ a ≤ a1, p0 ≤ p ≤ p1 that cover every place where the maximum can lie."""

    a0: Array
    a1: Array
    p0: Array
    p1: Array


def _places(p: float, halves: int) -> Array:
    """Places of a from 0 to 1, fine near 0, p and 1."""
    near = np.geomspace(NEAREST, 0.5, halves)
    unit = np.concatenate([[0.0], near, 1 - near[-2::-1], [1.0]])
    return np.concatenate([p * unit, (p + (1 - p) * unit)[1:]])


def _rectangles(boxes: Array) -> Rectangles:
    parts = []
    for low, high in boxes:
        if low == high:
            cuts, halves = np.array([low, high]), COARSE
        else:
            cuts, halves = np.geomspace(low, high, SLICES + 1), COARSE
            cuts[0], cuts[-1] = low, high
        for p0, p1 in pairwise(cuts):
            a = _places((p0 + p1) / 2, halves)
            size = len(a) - 1
            parts.append((a[:-1], a[1:], np.full(size, p0), np.full(size, p1)))
    return Rectangles(*(np.concatenate(side) for side in zip(*parts, strict=True)))


def _divergence(a: Array, rest: Array, p: Array | float) -> Array:
    """D = a log(a/p) + (1 − a) log((1 − a)/(1 − p))."""
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.where(a > 0, a * np.log(a / p), 0.0)
        others = np.where(rest > 0, rest * np.log(rest / (1 - p)), 0.0)
    return np.asarray(apart + others)


class Maximum(NamedTuple):
    """An upper bound of M − 1 + η D, and M − 1 in the cell where it lies."""

    most: float
    slope: float


def _maximum(cells: Rectangles, at: Exponents, goal: float, enough: float = np.inf) -> Maximum:
    """The maximum, which is at least the 0 of a = p: cells with the highest bounds are cut over and over."""
    above = _corners(cells, at)
    for _ in range(ROUNDS):
        met = max(float((_moved(cells, at.lam) + _told(cells) / at.weight).max()), 0.0)
        if above.max() - met <= CLOSE * (met - goal) or met >= enough:
            break
        worst = np.argpartition(above, -AT_ONCE)[-AT_ONCE:] if above.size > AT_ONCE else np.arange(above.size)
        stays = above > met
        stays[worst] = False
        cut = _cut(Rectangles(*(side[worst] for side in cells)))
        cells = Rectangles(*(np.concatenate([a[stays], b]) for a, b in zip(cells, cut, strict=True)))
        above = np.concatenate([above[stays], _corners(cut, at)])
    top = int(above.argmax())
    slope = float(_moved(Rectangles(*(side[[top]] for side in cells)), at.lam)[0])
    return Maximum(max(float(above[top]), 0.0), slope)


def _moved(cells: Rectangles, lam: float) -> Array:
    """M − 1 in the middle of each cell."""
    a, p = (cells.a0 + cells.a1) / 2, (cells.p0 + cells.p1) / 2
    return np.asarray(a * np.expm1(lam * np.log(p / a)) + (1 - a) * np.expm1(lam * np.log((1 - p) / (1 - a))))


def _told(cells: Rectangles) -> Array:
    """D in the middle of each cell."""
    a, p = (cells.a0 + cells.a1) / 2, (cells.p0 + cells.p1) / 2
    return _divergence(a, 1 - a, p)


def _cut(cells: Rectangles) -> Rectangles:
    """Each cell in parts; a p that is known exactly stays one."""
    shares = np.arange(PARTS + 1) / PARTS
    a = cells.a0[:, None] + (cells.a1 - cells.a0)[:, None] * shares
    a[:, -1] = cells.a1
    p = cells.p0[:, None] + (cells.p1 - cells.p0)[:, None] * shares
    p[:, -1] = cells.p1
    slices = 1 if (cells.p0 == cells.p1).all() else PARTS
    parts = [(a[:, i], a[:, i + 1], p[:, j], p[:, j + 1]) for i in range(PARTS) for j in range(slices)]
    if slices == 1:
        parts = [(a0, a1, cells.p0, cells.p1) for a0, a1, _, _ in parts]
    return Rectangles(*(np.concatenate(side) for side in zip(*parts, strict=True)))


def _corners(cells: Rectangles, at: Exponents) -> Array:
    """For each cell an upper bound of M − 1 + η D: the tangent plane of M and D itself, at the worst corner."""
    lam, weight = at
    a, p = (cells.a0 + cells.a1) / 2, (cells.p0 + cells.p1) / 2
    tilt, other_tilt = np.expm1(lam * np.log(p / a)), np.expm1(lam * np.log((1 - p) / (1 - a)))
    worst = np.full(len(a), -np.inf)
    for corner_p in (cells.p0, cells.p1):
        moved = lam * (a / p - (1 - a) / (1 - p)) * (corner_p - p)
        moved += lam * (tilt * a * corner_p / p + other_tilt * (1 - a) * (1 - corner_p) / (1 - p))
        for corner_a in (cells.a0, cells.a1):
            plane = moved + (1 - lam) * (tilt * corner_a + other_tilt * (1 - corner_a))
            np.maximum(worst, plane + _divergence(corner_a, 1 - corner_a, corner_p) / weight, out=worst)
    return worst
