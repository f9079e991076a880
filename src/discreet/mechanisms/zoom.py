"""The least value of a function on the unit interval or square, by grids that close in on every low place."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from discreet.core.protocols import Array

FIRST, NEXT = 49, 17
"""Points of the first grid and of the later ones, along each side."""

MOST_ROUNDS, FINEST = 60, 1e-10
"""A later grid is a quarter as wide as the one before, unless its least value was near its edge; down to so little."""

PLACES = 4
"""So many of the first grid's lowest places are looked into."""


class Place(NamedTuple):
    """Where the function is least, and what it is there."""

    at: Array
    value: float


def least(function: Callable[[Array], Array], sides: int) -> Place:
    """The least of a function of points [..., side], which is infinite where it is not defined.

    Global as far as the first grid tells the valleys apart; the ends of the interval are always looked at.
    """
    from scipy.ndimage import minimum_filter

    points = _grid(np.zeros(sides), np.ones(sides), FIRST)
    value = function(points)
    low = np.isfinite(value) & (value <= minimum_filter(value, size=3, mode="nearest"))
    lowest = np.argsort(value[low], kind="stable")[:PLACES]
    found = [_closed_in(function, at) for at in points[low][lowest]]
    return min(found, key=lambda place: place.value, default=Place(np.zeros(sides), np.inf))


def _closed_in(function: Callable[[Array], Array], at: Array) -> Place:
    width = 2 / (FIRST - 1)
    best = Place(at, float(function(at)))
    for _ in range(MOST_ROUNDS):
        points = _grid(np.maximum(best.at - width, 0), np.minimum(best.at + width, 1), NEXT)
        value = function(points)
        where = np.unravel_index(int(value.argmin()), value.shape)
        moved = np.abs(points[where] - best.at).max()
        if value[where] <= best.value:
            best = Place(points[where], float(value[where]))
        if moved < 0.75 * width:
            width /= 4
        if width < FINEST:
            break
    return best


def _grid(low: Array, high: Array, points: int) -> Array:
    sides = (np.linspace(a, b, points) for a, b in zip(low, high, strict=True))
    return np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1)
