"""Whether numbers lie on a lattice, or on a few shifted copies of one, and how wide its steps are."""

from __future__ import annotations

import numpy as np

from discreet.core.protocols import Array

LOOKED_AT = 400
"""Distinct numbers compared with one another, those around the median; they give 79,800 differences."""

OFTEN = 0.5
"""A difference is a candidate when it occurs at least so often as the commonest one does."""

DECIMAL = (1.0, 0.1, 0.01)
"""Steps that people write numbers in; tried when no difference stands out, as where the numbers are far apart."""


def period(values: Array) -> float | None:
    """The width of the lattice on which, or on few shifted copies of which, these numbers lie; None without one.

    Ages with a small amount taken off some of them differ by whole years again and again; by that amount, only between
    the two kinds. Numbers with noise of their own have no common difference.

    >>> ages = np.arange(20., 60.)
    >>> period(np.concatenate([ages, ages - .3])), period(np.sqrt(ages))
    (1.0, None)
    """
    distinct = np.unique(values)
    if distinct.size < 3:
        return None
    wide = np.ptp(distinct)
    for steps in (_commonest(distinct), DECIMAL):
        kinds = {step: np.unique(phase(distinct, step)).size for step in steps if 0 < step < wide}
        if kinds and min(kinds.values()) <= distinct.size / 8:
            return min(kinds, key=lambda step: (kinds[step], -step))
    return None


def phase(values: Array, step: float) -> Array:
    """Where in a step a number lies, from −½ to ½, rounded so that equal phases are equal numbers.

    >>> phase(np.array([20., 21.7, 30.7]), 1.0)
    array([ 0. , -0.3, -0.3])
    """
    turned = values / step
    found: Array = np.round(turned - np.round(turned), 6) + 0.0
    return found


def _commonest(distinct: Array) -> list[float]:
    """The differences that come again and again, if any do: the eight smallest."""
    start = max(0, (distinct.size - LOOKED_AT) // 2)
    near = distinct[start : start + LOOKED_AT]
    apart = (near[:, None] - near[None, :])[np.tril_indices(near.size, -1)]
    unit = np.median(apart) * 1e-7
    _, kind, counts = np.unique(np.round(apart / unit), return_inverse=True, return_counts=True)
    often = np.flatnonzero(counts >= max(3, OFTEN * counts.max(), near.size / 8))[:8]
    return [float(apart[kind == which].mean()) for which in often]
