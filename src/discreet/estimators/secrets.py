"""The secret as a finite one: sorted labels, or bins of equal shares with a stated resolution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.axis import Axis
from discreet.core.errors import AxisError, LawError, ParameterError
from discreet.core.protocols import Array, Codes

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
    (('up to 3', 'over 3'), (2.0, 5.0))
    """
    if bins < 2:
        raise ParameterError("two bins or more", f"bins = {bins}", "give the number of intervals")
    held = as_numbers(values)
    missing = np.isnan(held)
    present = held[~missing]
    if not present.size:
        raise LawError("a secret with a number in it", "only missing values", "choose another column")
    ordered = np.sort(present)
    upper = np.unique(ordered[np.ceil(np.arange(1, bins + 1) / bins * present.size).astype(int) - 1])
    codes = np.full(held.size, upper.size, dtype=np.int64)
    codes[~missing] = np.searchsorted(upper, present)
    means = []
    for i in range(upper.size):
        own = present[codes[~missing] == i]
        means.append(float(own.mean()) if np.isfinite(own).all() else float(own.min()))
    labels = named_ranges(ordered, upper)
    if missing.any():
        return codes, Axis("s", labels=(*_apart(labels), "missing"))
    return codes, Axis("s", labels=_apart(labels), values=tuple(means))


SHOWN = 20
"""A number that fewer records have is rounded where it bounds a range; the extremes are never written."""


def named_ranges(ordered: NDArray[Any], upper: NDArray[Any]) -> list[str]:
    """What the ranges up to each of `upper` are called. The ends are open, so that nobody's extreme number is told.

    >>> named_ranges(np.arange(100.0), np.array([32.0, 65.0, 99.0]))
    ['up to 32', '33 to 65', 'over 65']
    """
    if not upper.size:
        return []
    first = [0, *np.searchsorted(ordered, upper[:-1], side="right").tolist()]
    last = (np.searchsorted(ordered, upper, side="right") - 1).tolist()

    def border(i: int) -> str:
        held = float(ordered[i])
        same = np.searchsorted(ordered, held, side="right") - np.searchsorted(ordered, held)
        return f"{held:.6g}" if same >= SHOWN or not np.isfinite(held) else f"{float(f'{held:.3g}'):.6g}"

    made = []
    for i, (low, high) in enumerate(zip(first, last, strict=True)):
        if ordered[low] == ordered[high]:
            made.append(f"{ordered[high]:.6g}")
        elif i == 0:
            made.append(f"up to {border(high)}" if len(upper) > 1 else "any number")
        else:
            made.append(
                f"over {border(last[i - 1])}" if i == len(upper) - 1 else f"{border(low)} to {border(high)}"
            )
    return made


def as_numbers(values: ArrayLike) -> Array:
    """A column of numbers, NaN where one is missing."""
    try:
        held = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise LawError(
            "a secret that is a number",
            f"{np.asarray(values).reshape(-1)[:1].tolist()}",
            "give numbers, or None",
        ) from None
    if held.ndim != 1:
        raise AxisError("one number a record", f"an array of shape {held.shape}", "give one column")
    return held


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
    held = (values.astype("M8[us]") if values.dtype.kind == "M" else values).astype(object)
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
