"""What is given as numbers or as masses, checked at the door."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.errors import LawError
from discreet.core.protocols import Array


def as_numbers(name: str, given: ArrayLike) -> Array:
    """A copy as floats, row after row; text, complex numbers and rows of different lengths are refused."""
    try:
        read = np.asarray(given)
        odd = f"values of type {read.dtype}" if read.dtype.kind in "USc" else ""
        fresh = None if isinstance(given, list | tuple) else True
        held = np.zeros(0) if odd else np.array(read, dtype=np.float64, order="C", copy=fresh)
    except (TypeError, ValueError) as wrong:
        odd = str(wrong).splitlines()[0]
    if odd:
        raise LawError(
            f"{name}: an array of numbers",
            odd,
            "give numbers, in rows of equal length; text has to be counted or encoded first",
        )
    return held


def check_masses(name: str, mass: Array) -> None:
    """Refuse masses that are no law: none at all, negative or NaN, or not summing to one within 1e-9."""
    if mass.size == 0:
        raise LawError(
            f"{name}: at least one position", "none", "give a law with one symbol or more on every axis"
        )
    least = float(mass.min())
    if not least >= 0:
        bad = ~(mass >= 0)
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise LawError(
            f"{name}: masses of 0 or more",
            f"{int(np.count_nonzero(bad))} negative or NaN, the first {mass[where]:.6g} at {where}",
            "remove or correct these cells; missing values are a level of their own",
        )
    total = float(mass.sum())
    if not abs(total - 1) <= 1e-9:
        raise LawError(
            f"{name}: masses that sum to one within 1e-9",
            f"a sum of {total:.12g}",
            "divide by the sum; for counts use Counts(n).joint()",
        )
