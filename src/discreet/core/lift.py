"""The lift: how many times more likely a secret becomes when a release is seen. Everything is read off it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.axis import Axis, as_axes
from discreet.core.channel import alphabet_rows
from discreet.core.errors import AxisError, LawError
from discreet.core.masses import as_numbers, check_masses
from discreet.core.protocols import Array, Channel
from discreet.core.reading import EXACT, Origin, Reading, Side, unit_of

TILE_CELLS = 1 << 17
"""A block of a law this large (1 MB) stays in the cache while a formula walks over it."""

TILE_COLUMNS = 1 << 15

SAFE_MASS = 1e-300
"""Below it the inverse of a mass comes near the end of the number range, and we divide instead."""

LEAST_MASS = 1e-305
"""A secret and a release that occur together must not both be rarer, so that l log l stays a number."""


class Lift:
    """l(s, y) = p(s | y) / p(s), with the masses of s and y.

    Made by `joint.lift()` from an exact law, or by an estimator from records, whose columns then are records. It lives
    in the log domain: −inf is a cell that cannot occur. An atom without mass keeps its place with log-lift 0, which no
    measure sees. `log_lift` and `ratio` are made when first asked; measures walk over `tiles()` and make no copy.

    >>> from discreet.core.joint import Joint
    >>> Joint([[.3, .1], [.15, .45]]).lift().ratio.round(4)
    array([[1.6667, 0.4545],
           [0.5556, 1.3636]])
    """

    __slots__ = ("_inverse", "_log", "_massless", "_p", "_ratio", "axes", "limits", "origin", "p_s", "p_y")

    def __init__(
        self,
        log_lift: ArrayLike,
        p_s: ArrayLike,
        p_y: ArrayLike,
        axes: Sequence[str | Axis] = ("s", "y"),
        origin: Origin = EXACT,
    ) -> None:
        log = as_numbers("log_lift", log_lift)
        s, y = as_numbers("p_s", p_s), as_numbers("p_y", p_y)
        if log.ndim != 2 or log.shape != (s.size, y.size):
            raise AxisError(
                "log_lift[s, y] with one row a secret and one column a release",
                f"shape {log.shape} for {s.size} secrets and {y.size} releases",
                "check the order of the axes: s is always the first",
            )
        wrong = int(np.count_nonzero(np.isnan(log) | (log == np.inf)))
        if wrong:
            raise LawError(
                "log-lifts below infinity",
                f"{wrong} cells that are NaN or +inf",
                "a cell that cannot occur has log-lift −inf; a cell without mass has 0",
            )
        for name, mass in (("p_s", s), ("p_y", y)):
            check_masses(name, mass)
        massless = (s == 0, y == 0)
        log[massless[0]] = 0.0
        log[:, massless[1]] = 0.0
        self._set(None, log, s, y, as_axes(axes, log.shape), origin)

    @classmethod
    def of_law(cls, p: Array, p_s: Array, p_y: Array, axes: tuple[Axis, ...], origin: Origin) -> Lift:
        """The lift of a law already checked; nothing is copied."""
        made = cls.__new__(cls)
        made._set(p, None, p_s, p_y, axes, origin)
        return made

    @classmethod
    def of_line(
        cls, p: Array, log: Array, limits: tuple[int, ...], axes: tuple[Axis, ...], origin: Origin
    ) -> Lift:
        """The lift of cells of the line, with its logarithm where masses are too small for their ratio.

        `limits` are the columns that stand for what is only approached: an extreme sees them, a mean does not.
        """
        made = cls.of_law(p, p.sum(axis=1), p.sum(axis=0), axes, origin)
        log.setflags(write=False)
        made._log, made._ratio, made.limits = log, np.exp(log), limits
        made._ratio.setflags(write=False)
        return made

    def _set(
        self,
        p: Array | None,
        log: Array | None,
        p_s: Array,
        p_y: Array,
        axes: tuple[Axis, ...],
        origin: Origin,
    ) -> None:
        for held in (log, p_s, p_y):
            if held is not None:
                held.setflags(write=False)
        self.limits: tuple[int, ...] = ()
        self._p: Array | None = p
        self._log: Array | None = log
        self._ratio: Array | None = None
        self.p_s, self.p_y, self.axes, self.origin = p_s, p_y, axes, origin
        least_s, least_y = float(p_s.min()), float(p_y.min())
        self._massless = (p_s == 0, p_y == 0) if min(least_s, least_y) == 0 else None
        self._inverse = (1 / p_s, 1 / p_y) if min(least_s, least_y) > SAFE_MASS else None
        if self._inverse is None and p is not None:
            _check_rare(p, p_s, p_y)

    @property
    def shape(self) -> tuple[int, int]:
        """How many secrets, how many releases."""
        return self.p_s.size, self.p_y.size

    def tiles(self) -> Iterator[tuple[slice, slice, Array]]:
        """The ratio l block by block: (rows, columns, l). A block fits the cache; it is not to be written to."""
        for rows, columns in self._blocks():
            yield rows, columns, self._tile(rows, columns)

    def log_tiles(self) -> Iterator[tuple[slice, slice, Array]]:
        """The log-lift in the same blocks; it is made, once, when first asked."""
        log = self.log_lift
        for rows, columns in self._blocks():
            yield rows, columns, log[rows, columns]

    def _blocks(self) -> Iterator[tuple[slice, slice]]:
        n_s, n_y = self.shape
        width = min(n_y, TILE_COLUMNS)
        height = max(1, TILE_CELLS // width)
        for column in range(0, n_y, width):
            for row in range(0, n_s, height):
                yield slice(row, row + height), slice(column, column + width)

    def _tile(self, rows: slice, columns: slice) -> Array:
        if self._ratio is not None:
            return self._ratio[rows, columns]
        if self._p is None:
            return self.ratio[rows, columns]
        if self._inverse is not None:
            tile = self._p[rows, columns] * self._inverse[0][rows, None]
            tile *= self._inverse[1][columns]
            return tile
        s, y = self.p_s[rows, None], self.p_y[columns]
        tile = self._p[rows, columns] / np.where(s > 0, s, 1)
        tile /= np.where(y > 0, y, 1)
        if self._massless is not None:
            tile[self._massless[0][rows]] = 1.0
            tile[:, self._massless[1][columns]] = 1.0
        return tile

    @property
    def ratio(self) -> Array:
        """l(s, y) itself."""
        if self._ratio is None:
            if self._log is not None:
                with np.errstate(over="ignore"):
                    made = np.exp(self._log)
            else:
                made = np.empty(self.shape)
                for rows, columns, tile in self.tiles():
                    made[rows, columns] = tile
            made.setflags(write=False)
            self._ratio = made
        return self._ratio

    @property
    def log_lift(self) -> Array:
        """i(s, y) = log l(s, y); −inf for a cell that cannot occur."""
        if self._log is None:
            made = np.empty(self.shape)
            with np.errstate(divide="ignore"):
                for rows, columns, tile in self.tiles():
                    np.log(tile, out=made[rows, columns])
            made.setflags(write=False)
            self._log = made
        return self._log

    @property
    def p(self) -> Array:
        """The joint mass p(s, y) = p(s) p(y) l(s, y)."""
        if self._p is not None:
            return self._p
        return self.p_s[:, None] * (self.p_y * self.ratio)

    @property
    def posterior(self) -> Array:
        """p(s | y) = p(s) l(s, y), one column for each release."""
        return self.p_s[:, None] * self.ratio

    @property
    def defect(self) -> float:
        """How far the two laws Σ_s p(s) l = 1 and Σ_y p(y) l = 1 are missed, at worst; zero for a true lift."""
        by_y, by_s = np.zeros(self.p_y.size), np.zeros(self.p_s.size)
        for rows, columns, tile in self.tiles():
            by_y[columns] += self.p_s[rows] @ tile
            by_s[rows] += tile @ self.p_y[columns]
        return float(max(np.abs(by_y - 1).max(), np.abs(by_s - 1).max()))

    @property
    def reversed(self) -> Lift:
        """The same lift with the roles exchanged: what s tells about y."""
        axes = (self.axes[1], self.axes[0])
        if self._p is not None:
            return Lift.of_law(np.ascontiguousarray(self._p.T), self.p_y, self.p_s, axes, self.origin)
        return Lift(self.log_lift.T, self.p_y, self.p_s, axes, self.origin)

    def through(self, channel: Channel, x: ArrayLike | None = None) -> Lift:
        """The lift of what the channel makes of the release: l(s, y) = E[l(s, X) | Y = y].

        `x` are the records that a learned lift's columns stand for; without it the columns are the symbols 0, 1, …
        """
        if channel.inputs != "x":
            raise LawError(
                "a mechanism that averages the lift",
                "a channel that also sees the secret",
                "go through the joint law: joint.through(channel)",
            )
        rows = alphabet_rows(channel, self.p_y.size) if x is None else channel.rows(np.asarray(x))
        if rows.shape[0] != self.p_y.size:
            raise AxisError(
                "one row of the channel for each column of the lift",
                f"{rows.shape[0]} rows and {self.p_y.size} columns",
                "apply the channel to the alphabet (or the records) that the lift is about",
            )
        axes = (self.axes[0], getattr(channel, "output", Axis("y")))
        if self._p is not None:
            p = self._p @ rows
            return Lift.of_law(p, p.sum(axis=1), p.sum(axis=0), axes, self.origin)
        p_y = self.p_y @ rows
        with np.errstate(divide="ignore"):
            weighted = np.exp(self.log_lift + np.log(self.p_y)) @ rows
            log = np.log(weighted) - np.log(np.where(p_y > 0, p_y, 1))
        return Lift(log, self.p_s, p_y / p_y.sum(), axes, self.origin)

    def reading(
        self,
        measure: str,
        value: float,
        *,
        by_s: Array | None = None,
        by_y: Array | None = None,
        **parameters: Any,
    ) -> Reading:
        """A Reading of this lift: exact for a law or a table, an estimate for what was learned.

        `parameters` are what the measure was asked at, such as eps=0.5.
        """
        side: Side = "estimate" if self.origin.kind == "learned" else "exact"
        return Reading(
            float(value) + 0.0, unit_of(measure), measure, side, None, by_s, by_y, self.origin, parameters
        )

    def __repr__(self) -> str:
        s, y = self.axes
        sides = f"{s.name} by {y.name}, {self.shape[0]} × {self.shape[1]}"
        return f"Lift of {sides}, {self.origin.kind}, of {self.origin.law}"


def _check_rare(p: Array, p_s: Array, p_y: Array) -> None:
    """Refuse a cell whose lift is beyond what floats hold: its masses have lost their digits as well."""
    both = p[np.ix_(p_s < LEAST_MASS, p_y < LEAST_MASS)]
    if both.any():
        raise LawError(
            "a law whose lifts are numbers",
            f"{int(np.count_nonzero(both))} cells of a secret and a release that are both rarer than {LEAST_MASS:g}",
            "give these symbols no mass at all, or merge them with others",
        )
