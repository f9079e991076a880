"""Ways to look at released columns before learning from them, so that no disguise of a secret goes unread.

A huge noise hides from a standardised column what a rank or a clipped value shows; a secret written into the last
digits shows in no size at all. Each way is fitted on the rows that an attacker learns from, and read on any others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from discreet.adversaries.lattice import period, phase
from discreet.core.protocols import Array
from discreet.core.samples import Column, Columns

Reader: TypeAlias = Callable[[Columns], Columns]
Look: TypeAlias = Callable[[Columns], Reader]
"""Made from the rows that are learnt from, a look reads any rows."""

NARROW = 3.0
"""Clipped columns end so many robust deviations from their median."""

FINEST = 6
"""A column with up to so many decimals has a last digit."""


def as_released(seen: Columns) -> Reader:  # noqa: ARG001
    """The columns as they are."""
    return lambda columns: columns


def ranked(seen: Columns) -> Reader:
    """Numbers by their rank among those seen, as a normal law would space them: blind to size, so to outliers."""
    from scipy.special import ndtri

    def reader(column: Column) -> Callable[[Array], Array]:
        known = np.sort(column.values[np.isfinite(column.values)])
        if not known.size:
            return lambda values: np.where(np.isnan(values), np.nan, 0.0)

        def read(values: Array) -> Array:
            below = np.searchsorted(known, values, "left") + np.searchsorted(known, values, "right")
            return np.where(np.isnan(values), np.nan, ndtri((below + 1) / (2 * known.size + 2)))

        return read

    return _each_number(seen, reader)


def clipped(seen: Columns) -> Reader:
    """Numbers near the middle in full, those far out only by their side: what is left when the noise is huge.

    (x − median) / deviation, held within ±3, with the deviation of a normal law that had the same quartiles.
    """

    def reader(column: Column) -> Callable[[Array], Array]:
        middle, deviation = robust(column.values)
        return lambda values: np.clip((values - middle) / deviation, -NARROW, NARROW)

    return _each_number(seen, reader)


def digits(seen: Columns) -> Reader:
    """The columns, and beside each number what stands in its small places.

    Where the numbers seen lie on a lattice, the phase: how far a number lies from its points. Where they have few
    decimals, the last digit and whether it is odd; where they have many, the last three bits. A tool that subtracts
    from a column what the secret explains leaves the secret there, exactly.
    """
    made: dict[str, list[tuple[str, Callable[[Array], Array]]]] = {}
    for column in seen:
        if column.is_number:
            made[column.name] = small_places(column.values)

    def read(columns: Columns) -> Columns:
        found = list(columns)
        for column in columns:
            for what, place in made.get(column.name, ()):
                known = np.isfinite(column.values)
                values = np.where(known, place(np.where(known, column.values, 0.0)), np.nan)
                found.append(Column(f"{what} of {column.name}", values))
        return Columns(found)

    return read


def small_places(values: Array) -> list[tuple[str, Callable[[Array], Array]]]:
    """What there is to read in the small places of these numbers: a name and a function for each."""
    known = values[np.isfinite(values)]
    if not known.size:
        return []
    found: list[tuple[str, Callable[[Array], Array]]] = []
    step = period(known)
    if step is not None:
        found.append(("phase", lambda v: phase(v, step)))
    places = _decimals(known)
    if places is None:
        found.append(("last bits", lambda v: (v.view(np.uint64) & np.uint64(7)).astype(np.float64)))
    else:
        found.append(("last digit", lambda v: np.round(v * 10.0**places) % 10))
        found.append(("parity", lambda v: np.round(v * 10.0**places) % 2))
    return [(name, place) for name, place in found if np.ptp(place(known)) > 0]


def robust(values: Array) -> tuple[float, float]:
    """A middle and a deviation that a few huge numbers do not move; a deviation of 1 for a constant."""
    known = values[np.isfinite(values)]
    if not known.size:
        return 0.0, 1.0
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75])
    deviation = (high - low) / 1.349 or float(np.abs(known - middle).mean())
    return float(middle), float(deviation) if 0 < deviation < np.inf else 1.0


def _decimals(values: Array) -> int | None:
    """With how many decimals these numbers are written, none of them more than six."""
    for places in range(FINEST + 1):
        scaled = values * 10.0**places
        if np.all(np.abs(scaled - np.round(scaled)) <= 1e-9 * np.maximum(np.abs(scaled), 1.0)):
            return places
    return None


def _each_number(seen: Columns, reader: Callable[[Column], Callable[[Array], Array]]) -> Reader:
    readers = {c.name: reader(c) for c in seen if c.is_number}

    def read(columns: Columns) -> Columns:
        return Columns(
            [Column(c.name, readers[c.name](c.values)) if c.name in readers else c for c in columns]
        )

    return read
