"""A column of numbers as features: on one scale, with its gaps said, and smoothly bent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.core.protocols import Array

HEAVY = 8.0
"""A value so many deviations off makes the tails heavy: the column is then read through asinh."""

FAR = 12.0
"""Beyond so much, on the scale of asinh, a value no longer widens the scale: e¹² widths off the middle."""

KNOTS = 8
FEW = 30
"""A column of whole numbers with up to so many values may stand for categories."""


@dataclass(frozen=True, slots=True)
class NumberCode:
    """How one column of numbers is read. What is missing or infinite is an indicator, and the middle elsewhere."""

    middle: float
    width: float
    bend: float
    mean: float
    scale: float
    odd: tuple[float, ...]
    knots: Array
    ends: tuple[float, float]
    values: Array

    @classmethod
    def fit(cls, column: Array) -> NumberCode:
        """From the training rows."""
        present = column[np.isfinite(column)]
        odd = tuple(
            value
            for value, found in (
                (np.nan, np.isnan(column)),
                (np.inf, column == np.inf),
                (-np.inf, column == -np.inf),
            )
            if found.any()
        )
        if not present.size:
            return cls(0.0, 1.0, 0.0, 0.0, 0.0, odd, np.zeros(0), (0.0, 0.0), np.zeros(0))
        low, middle, high = np.quantile(present, [0.25, 0.5, 0.75])
        unit = float(np.abs(present).max()) or 1.0
        scaled = present / unit
        spread, far = float(scaled.std()), float(np.abs(scaled - middle / unit).max())
        width = (float(high / unit - low / unit) / 1.35 or spread or 1.0) * unit
        bend = 1.0 if far > HEAVY * spread or far * (unit / width) > 4 * HEAVY else 0.0
        draft = cls(float(middle), width, bend, 0.0, 1.0, odd, np.zeros(0), (0.0, 0.0), np.zeros(0))
        read = np.clip(draft._bent(present), -FAR, FAR) if bend else draft._bent(present)
        distinct = np.unique(present)
        few = distinct if distinct.size <= FEW and (distinct == np.floor(distinct)).all() else np.zeros(0)
        scale = float(read.std())
        z = (read - read.mean()) / scale if scale > 0 else read * 0
        knots = np.unique(np.quantile(z, np.linspace(0, 1, KNOTS)))
        ends = (float(present.min()), float(present.max()))
        return cls(float(middle), width, bend, float(read.mean()), scale, odd, knots, ends, few)

    @property
    def constant(self) -> bool:
        """Whether the present values are all one."""
        return self.scale == 0

    def _bent(self, values: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            off = np.clip(values / self.width - self.middle / self.width, -1e300, 1e300)
        bent: Array = np.arcsinh(off) if self.bend else off
        return bent

    def scaled(self, values: Array) -> Array:
        """z, with 0 where the value is no number."""
        if self.constant:
            return np.zeros(values.size)
        z: Array = (self._bent(np.where(np.isfinite(values), values, self.middle)) - self.mean) / self.scale
        return np.clip(z, -3 * HEAVY, 3 * HEAVY)

    def gaps(self, values: Array) -> Array:
        """An indicator for each of NaN, +∞ and −∞ that training rows have."""
        return np.column_stack(
            [
                np.zeros((values.size, 0)),
                *((np.isnan(values) if np.isnan(v) else values == v) for v in self.odd),
            ]
        ).astype(np.float64)

    def linear(self, values: Array) -> Array:
        """The number itself and its gaps."""
        z = np.zeros((values.size, 0)) if self.constant else self.scaled(values)[:, None]
        return np.hstack([z, self.gaps(values)])

    def additive(self, values: Array) -> Array:
        """A curve: cubic splines between quantiles, or one indicator a value where values are few."""
        if self.values.size > 2:
            return np.hstack([(values[:, None] == self.values).astype(np.float64), self.linear(values)])
        if self.knots.size < 4:
            return self.linear(values)
        from scipy.interpolate import BSpline

        k = self.knots
        t = np.concatenate([[k[0]] * 3, k, [k[-1]] * 3])
        z = np.clip(self.scaled(values), k[0], k[-1])
        curve = BSpline.design_matrix(z, t, 3).toarray()
        return np.hstack([curve[:, 1:] * 2, self.linear(values)])

    def tree(self, values: Array) -> Array:
        """The number as trees read it: an infinity lies beyond all others, and what is missing below them."""
        low, high = (self._bent(np.array([end]))[0] for end in self.ends)
        step = 1.0 + (high - low)
        read = np.clip(self._bent(values), low - step, high + step)
        made: Array = np.where(np.isnan(values), low - 2 * step, read)
        return made
