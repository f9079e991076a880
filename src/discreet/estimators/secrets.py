"""The secret as a finite one: sorted labels, or bins of equal shares with a stated resolution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.axis import Axis
from discreet.core.errors import LawError, ParameterError
from discreet.core.protocols import Codes

MOST_NUMBERS = 20
"""A secret of more different numbers than this, one of them broken, is cut into bins."""

MOST_WHOLE = 100
"""Whole numbers are kept apart up to so many."""

BINS = 8


def quantile_bins(values: ArrayLike, bins: int = BINS) -> tuple[Codes, Axis]:
    """A number as one of `bins` intervals of equal shares; labels are the intervals, values their means.

    The resolution is part of every result: what is told within an interval is not seen. A value that comes often makes
    an interval of its own, so there may be fewer. A missing number is a level of its own. O(n log n).

    >>> codes, axis = quantile_bins([1., 2., 3., 4., 5., 6.], bins=2)
    >>> axis.labels, axis.values
    (('1 to 3', '4 to 6'), (2.0, 5.0))
    """
    if bins < 2:
        raise ParameterError("two bins or more", f"bins = {bins}", "give the number of intervals")
    held = np.asarray(values, dtype=np.float64)
    missing = np.isnan(held)
    present = held[~missing]
    if not present.size:
        raise LawError("a secret with a number in it", "only missing values", "choose another column")
    ordered = np.sort(present)
    upper = np.unique(ordered[np.ceil(np.arange(1, bins + 1) / bins * present.size).astype(int) - 1])
    codes = np.full(held.size, upper.size, dtype=np.int64)
    codes[~missing] = np.searchsorted(upper, present)
    labels, means = [], []
    for i in range(upper.size):
        own = present[codes[~missing] == i]
        low, high = float(own.min()), float(own.max())
        labels.append(f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}")
        means.append(float(own.mean()) if np.isfinite(own).all() else low)
    if missing.any():
        return codes, Axis("s", labels=(*_apart(labels), "missing"))
    return codes, Axis("s", labels=_apart(labels), values=tuple(means))


def secret_of(values: NDArray[Any], name: str) -> tuple[Codes, Axis]:
    """The secret of each record as a number of its label, and the axis; sorted, or in bins where it is a number."""
    from discreet.estimators.records import sorted_levels

    if values.size == 0:
        raise LawError("a secret for each record", "no record", "give one record at least")
    if values.dtype.kind == "f" and _many(values):
        codes, axis = quantile_bins(values)
        return codes, Axis(name, axis.labels, axis.values)
    if values.dtype.kind in "iu" and np.unique(values).size > MOST_WHOLE:
        codes, axis = quantile_bins(values)
        return codes, Axis(name, axis.labels, axis.values)
    held = values.astype(object)
    absent = np.array([v is None or (isinstance(v, float) and math.isnan(v)) for v in held.tolist()])
    labels, found = sorted_levels(held[~absent])
    codes = np.full(held.size, len(labels), dtype=np.int64)
    codes[~absent] = found
    return codes, Axis(name, labels=(*labels, None) if absent.any() else labels)


def _many(values: NDArray[Any]) -> bool:
    distinct = np.unique(values[np.isfinite(values)])
    whole = bool((distinct == np.floor(distinct)).all())
    return distinct.size > (MOST_WHOLE if whole else MOST_NUMBERS)


def _apart(labels: list[str]) -> tuple[str, ...]:
    """The same labels, numbered where rounding made two of them equal."""
    if len(set(labels)) == len(labels):
        return tuple(labels)
    return tuple(f"{label} ({i + 1})" for i, label in enumerate(labels))
