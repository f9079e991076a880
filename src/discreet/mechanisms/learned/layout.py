"""How records of mixed columns become numbers for a network, and how what it makes becomes records again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from discreet.core.errors import AxisError, LawError
from discreet.core.protocols import Array
from discreet.core.samples import Column, Columns

FINEST = 4
"""Numbers with up to so many decimals are released with as many."""

MOST, COMMON, NEARLY = 256, 5, 0.95
"""A number with up to so many values, of which those that come COMMON times make up NEARLY all, is released as one of
these: a 3 beside thousands of zeros would tell that it was something else. Rarer ones are not written down.
"""

HEAVY = 6.0
"""A column whose extremes lie so many deviations out is bent by arcsinh before a network sees it."""


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """One column: its levels, or where its numbers lie, and whether some are missing.

    `step` is 1 for whole numbers, .01 for cents, 0 for broken ones. A number is seen as z = (x − centre) / scale, or
    arcsinh z where it is `bent`.
    """

    name: str
    levels: tuple[Any, ...] | None = None
    centre: float = 0.0
    scale: float = 1.0
    low: float = 0.0
    high: float = 0.0
    step: float = 0.0
    bent: bool = False
    missing: bool = False
    values: tuple[float, ...] = ()

    @classmethod
    def of(cls, column: Column) -> ColumnLayout:
        """Read off a column."""
        if column.levels is not None:
            return cls(column.name, tuple(column.levels))
        held = column.values[np.isfinite(column.values)]
        if not held.size:
            raise LawError(
                f"numbers in column {column.name!r}", "none: all are missing", "leave the column out"
            )
        centre, scale = float(held.mean()), float(held.std()) or 1.0
        bent = bool(np.abs(held - centre).max() > HEAVY * scale)
        if bent:
            low, centre, high = (float(q) for q in np.quantile(held, [0.1, 0.5, 0.9]))
            scale = max(high - low, 1e-3 * scale) / 2
        low, high = float(held.min()), float(held.max())
        missing = held.size < len(column)
        return cls(column.name, None, centre, scale, low, high, _step(held), bent, missing, _common(held))

    def check(self) -> None:
        """Refuse what was not read off a column."""
        numbers = (self.centre, self.scale, self.low, self.high, self.step, *self.values)
        levels = self.levels is None or (
            len(self.levels) > 0 and all(isinstance(v, str | int | float | None) for v in self.levels)
        )
        name: object = self.name
        if not (
            isinstance(name, str)
            and levels
            and all(type(one) in (int, float) and math.isfinite(one) for one in numbers)
            and (self.scale > 0 and self.low <= self.high and self.step >= 0)
            and (type(self.bent), type(self.missing)) == (bool, bool)
            and not (self.missing and self.levels is not None)
            and list(self.values) == sorted(set(self.values))
        ):
            raise LawError(
                "a column with levels, or with numbers from low to high on a scale above 0",
                f"{asdict(self)}"[:200],
                "store the channel again",
            )

    def seen(self, x: Array) -> Array:
        """Numbers as the network sees them; a missing one lies at the centre."""
        z = np.where(np.isfinite(x), (x - self.centre) / self.scale, 0.0)
        return np.arcsinh(z) if self.bent else z

    def given(self, z: Array) -> Array:
        """Numbers as they are released: within the range that was seen, on the column's steps or common values."""
        if self.values:
            known = np.array(self.values)
            seen = self.seen(known)
            nearest: Array = known[np.searchsorted((seen[1:] + seen[:-1]) / 2, z)]
            return nearest
        bounded = np.sinh(np.clip(z, -30, 30)) if self.bent else z
        x = np.clip(bounded * self.scale + self.centre, self.low, self.high)
        whole = round(1 / self.step) if self.step else 0
        return np.rint(x * whole) / whole if whole else x


@dataclass(frozen=True, slots=True)
class Layout:
    """All columns. A record is a row of a matrix in the columns' own units: numbers (NaN is missing) and level numbers.

    The network sees `wide`: all numbers, then each category one-hot; a number with missing values has a category of its
    own, whether it is there.
    """

    columns: tuple[ColumnLayout, ...]

    @classmethod
    def of(cls, columns: Columns) -> Layout:
        """Read off columns."""
        return cls(tuple(ColumnLayout.of(c) for c in columns))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The places of the columns of numbers."""
        return tuple(j for j, c in enumerate(self.columns) if c.levels is None)

    @property
    def categories(self) -> tuple[tuple[int, int], ...]:
        """The place and the size of each category, in the order of `wide`; flags of missing numbers come last."""
        named = [(j, len(c.levels)) for j, c in enumerate(self.columns) if c.levels is not None]
        return (*named, *((j, 2) for j, c in enumerate(self.columns) if c.missing))

    @property
    def width(self) -> int:
        """How many numbers the network sees of a record."""
        return len(self.numbers) + sum(size for _, size in self.categories)

    def matrix(self, columns: Columns) -> Array:
        """Records as a matrix; levels are matched by what they are called, one never seen becomes the first."""
        made = []
        for layout in self.columns:
            column = columns[layout.name]
            if (column.levels is None) != (layout.levels is None):
                raise AxisError(
                    f"column {layout.name!r} as it was when the mechanism was learned",
                    "numbers" if column.levels is None else "levels",
                    "give the same columns",
                )
            if layout.levels is None or column.levels == layout.levels:
                made.append(column.values.astype(np.float64))
                continue
            places = {level: i for i, level in enumerate(layout.levels)}
            unknown = places.get(None, 0)
            made.append(np.array([places.get(v, unknown) for v in column.levels], dtype=float)[column.values])
        return np.column_stack(made)

    def records(self, matrix: Array) -> Columns:
        """A matrix as columns."""
        return Columns(
            [
                Column(c.name, matrix[:, j] if c.levels is None else matrix[:, j].astype(np.int64), c.levels)
                for j, c in enumerate(self.columns)
            ]
        )

    def wide(self, matrix: Array) -> Array:
        """Records as the network sees them."""
        if matrix.ndim != 2 or matrix.shape[1] != len(self.columns):
            raise AxisError(
                f"records of {len(self.columns)} columns",
                f"an array of shape {matrix.shape}",
                "one row a record; layout.matrix(columns) makes it",
            )
        parts = [self.columns[j].seen(matrix[:, j])[:, None] for j in self.numbers]
        for j, size in self.categories:
            held = matrix[:, j]
            code = np.isnan(held).astype(float) if self.columns[j].levels is None else held
            if not ((code >= 0) & (code < size) & (code == np.rint(code))).all():
                raise LawError(
                    f"level numbers 0 … {size - 1} in column {self.columns[j].name!r}",
                    "other numbers",
                    "layout.matrix(columns) makes them",
                )
            parts.append(np.eye(size)[code.astype(np.int64)])
        return np.concatenate(parts, axis=1) if parts else np.empty((len(matrix), 0))

    def narrow(self, wide: Array) -> Array:
        """Records from what the network released."""
        made = np.empty((len(wide), len(self.columns)))
        for at, j in enumerate(self.numbers):
            made[:, j] = self.columns[j].given(wide[:, at])
        at = len(self.numbers)
        for j, size in self.categories:
            level = wide[:, at : at + size].argmax(axis=1)
            if self.columns[j].levels is None:
                made[level == 1, j] = np.nan
            else:
                made[:, j] = level
            at += size
        return made

    def to_json(self) -> list[dict[str, Any]]:
        """The layout as plain values."""
        held = [asdict(c) for c in self.columns]
        return [
            {**c, "levels": None if c["levels"] is None else list(c["levels"]), "values": list(c["values"])}
            for c in held
        ]

    @classmethod
    def of_json(cls, given: list[Mapping[str, Any]]) -> Layout:
        """The layout from plain values."""
        columns = [_column(c) for c in given]
        for column in columns:
            column.check()
        return cls(tuple(columns))


def _step(held: Array) -> float:
    """What all numbers are multiples of, among 1, .1, .01 and so on; 0 where they have more decimals."""
    for places in range(FINEST + 1):
        scaled = held * 10.0**places
        if (np.abs(scaled - np.rint(scaled)) <= 1e-9 * np.maximum(np.abs(scaled), 1.0)).all():
            return float(10.0**-places)
    return 0.0


def _column(given: Mapping[str, Any]) -> ColumnLayout:
    """A column from plain values."""
    levels = None if given["levels"] is None else tuple(given["levels"])
    return ColumnLayout(**{**given, "levels": levels, "values": tuple(given["values"])})


def _common(held: Array) -> tuple[float, ...]:
    """The values that come several times, where these are few and nearly all there is; none otherwise."""
    known, often = np.unique(held, return_counts=True)
    common = often >= COMMON
    few = known.size <= MOST and common.sum() > 1
    return tuple(known[common].tolist()) if few and often[common].sum() >= NEARLY * held.size else ()
