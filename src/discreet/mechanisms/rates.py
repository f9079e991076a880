"""How to share a rate between independent directions, each of which leaks at a falling price."""

from __future__ import annotations

import heapq
from itertools import count
from typing import NamedTuple

import numpy as np

from discreet.core.protocols import Array

CLOSE = 1e-12
"""A gap between the best sharing and its bound that counts as none."""

MOST_BOXES = 20_000
"""So many boxes are looked into before the search stops with the gap that is left."""


class Sharing(NamedTuple):
    """Rates, what they leak in all, and a sound lower bound on what any sharing leaks."""

    rates: Array
    leak: float
    bound: float


def leak_of(rates: Array, unexplained: Array) -> Array:
    """What each direction leaks at its rate a, when the share λ of its variance says nothing about S.

    b(a) = −½ log(λ + (1 − λ) e^{−2a}), from 0 up to −½ log λ: concave in a, falling in λ
    """
    with np.errstate(divide="ignore"):
        leaked: Array = -0.5 * np.log(unexplained + (1 - unexplained) * np.exp(-2 * rates))
    return np.maximum(leaked, 0.0)


def least_leak(unexplained: Array, caps: Array, rate: float) -> Sharing:
    """Share the rate so that the directions leak least in all, none above its cap.

    min Σ b_i(a_i)  subject to  Σ a_i = rate, 0 ≤ a_i ≤ c_i

    The sum is concave, so the best sharing is a vertex: every direction idle or full, but one. Branch and bound over
    boxes, where chords below the b_i give the bound and the rate is filled in by rising price. Filling by falling λ
    alone is not always best: a full direction of smaller λ may leave a larger one idle.
    """
    ceiling = np.minimum(caps, rate)
    ties = count()
    best = _relaxed(unexplained, np.zeros_like(ceiling), ceiling, rate)
    queue = [(best.bound, next(ties), np.zeros_like(ceiling), ceiling, best.rates)]
    while queue and queue[0][0] < best.leak - CLOSE and next(ties) < MOST_BOXES:
        _, _, low, high, filled = heapq.heappop(queue)
        split = int(np.argmax(np.minimum(filled - low, high - filled)))
        for side in (0, 1):
            ends = low.copy(), high.copy()
            ends[1 - side][split] = filled[split]
            if ends[0].sum() > rate or ends[1].sum() < rate:
                continue
            found = _relaxed(unexplained, *ends, rate)
            if found.leak < best.leak:
                best = found
            heapq.heappush(queue, (found.bound, next(ties), *ends, found.rates))
    bound = min(queue[0][0], best.leak) if queue else best.leak
    return Sharing(best.rates, best.leak, bound)


def _relaxed(unexplained: Array, low: Array, high: Array, rate: float) -> Sharing:
    """The sharing that is best for the chords between these ends; the chords' sum is the bound."""
    floor, top = leak_of(low, unexplained), leak_of(high, unexplained)
    width = high - low
    price = (top - floor) / np.where(width > 0, width, 1)
    order = np.argsort(price, kind="stable")
    before = np.cumsum(width[order]) - width[order]
    rates = low.copy()
    rates[order] += np.clip(rate - low.sum() - before, 0, width[order])
    bound = float(floor.sum() + price @ (rates - low))
    return Sharing(rates, float(leak_of(rates, unexplained).sum()), bound)
