"""What a network sees of a number beside its size: which of the column's usual values it is near.

A network is slow to learn what a tree asks at once: whether somebody works 40 hours, and not 39 or 41. So numbers with
common values are given by tents over knots as well:

    t_k(y) = 1 at knot k, 0 at the knots beside it and beyond, straight in between; the first and the last go on at 1
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array

Knots: TypeAlias = tuple[tuple[float, ...], ...]
"""For each of the first features, where its tents stand, in rising order; none for a feature without tents."""

COMMON = 0.02
"""A value that so large a share of the records has gets a tent of its own, between those of its neighbours."""

SHARED = 5
"""A knot is a value that so many records have: a network is stored with its knots, and must not tell of one person."""


def finer(xp: Any, y: Any, knots: Knots) -> Any:
    """The features, and the tents of the first ones."""
    made = [tents(xp, y[:, j], np.array(at)) for j, at in enumerate(knots) if at]
    return xp.concatenate([y, *made], axis=1) if made else y


def finer_width(width: int, knots: Knots) -> int:
    """How many features that makes of so many."""
    return width + sum(len(at) for at in knots)


def tents(xp: Any, y: Any, at: Array) -> Any:
    """How near each y lies to each of two or more knots; a row sums to one, and at most two of it are above 0.

    >>> tents(np, np.array([-1.0, 0.5, 2.0]), np.array([0.0, 1.0, 3.0]))
    array([[1. , 0. , 0. ],
           [0.5, 0.5, 0. ],
           [0. , 0.5, 0.5]])
    """
    along = xp.clip((y[:, None] - at[:-1]) / np.diff(at), 0.0, 1.0)
    ones = xp.ones_like(y)[:, None]
    return xp.concatenate([ones, along], axis=1) - xp.concatenate([along, 0 * ones], axis=1)


def knots_of(x: NDArray[Any], most: int = 12) -> tuple[float, ...]:
    """Knots for a column: each common value with the shared values next to it, and `most` quantiles of the other ones.

    None for a column without common values: what is told by a number that nobody shares is told by its size.
    O(n log n).

    >>> knots_of(np.repeat([0.0, 1, 2, 3, 4], [900, 10, 10, 10, 4]), most=2)
    (0.0, 1.0, 3.0)
    """
    value, often = np.unique(np.asarray(x, dtype=np.float64), return_counts=True)
    value, often = value[often >= SHARED], often[often >= SHARED]
    common = np.flatnonzero(often > COMMON * x.size)
    if not common.size or value.size < 2:
        return ()
    common = common[np.argsort(-often[common], kind="stable")][:most]
    beside = np.unique(np.clip(common[:, None] + [-1, 0, 1], 0, value.size - 1))
    often[common] = 0
    others = np.repeat(value, often)
    if others.size:
        others = np.quantile(others, np.linspace(0, 1, most), method="nearest")
    return tuple(np.union1d(value[beside], others).tolist())
