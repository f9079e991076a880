"""A table of people the design never saw, and the form in which a bound about them is given."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.channel import MatrixChannel
from discreet.core.counts import Counts
from discreet.core.errors import AxisError, EvidenceError, LawError, ParameterError
from discreet.core.joint import Joint
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Interval, Origin, Reading, Side, unit_of

Target: TypeAlias = Literal["population", "composition"]
Table: TypeAlias = Counts | ArrayLike

LAWS: dict[str, str] = {"population": "the population", "composition": "people of this composition"}

MOST_ROWS = 2**53
"""Above it a count is no longer the number it looks like."""


@dataclass(frozen=True)
class HeldOut:
    """Counts n[s, y] of held-out people; with a known channel n[s, x], and y is what the channel makes of x."""

    counts: Counts
    channel: MatrixChannel | None = None

    @classmethod
    def of(cls, table: Table, channel: MatrixChannel | None = None) -> HeldOut:
        """Checked counts. A channel that is a map leaves nothing to average: its symbols are counted instead."""
        counts = counts_of(table)
        if channel is None:
            return cls(counts)
        _check_fit(counts, channel)
        if np.isin(channel.p, (0.0, 1.0)).all():
            n = counts.n @ channel.p.astype(np.int64)
            return cls(Counts(n, (counts.axes[0], channel.output)))
        return cls(counts, channel)

    @cached_property
    def cells(self) -> Codes:
        """n[s, y], or n[s, x]."""
        return self.counts.n

    @cached_property
    def n(self) -> int:
        """How many people."""
        return self.counts.total

    @cached_property
    def by_s(self) -> Codes:
        """How many people have each secret."""
        return np.asarray(self.cells.sum(axis=1))

    @cached_property
    def composition(self) -> Array:
        """π, the shares of the secrets among these people."""
        return self.by_s / self.n

    @cached_property
    def rarest(self) -> float:
        """The least share of a secret that occurs."""
        return float(self.composition[self.composition > 0].min())

    @cached_property
    def lift(self) -> Lift:
        """The plug-in law of secret and release; behind a known channel x is averaged over its noise."""
        joint = Joint(self.cells / self.n, self.counts.axes)
        return (joint if self.channel is None else joint.through(self.channel)).lift()

    @property
    def shape(self) -> tuple[int, int]:
        """How many secrets, and how many symbols the release can produce, seen or not."""
        return self.lift.shape

    def rate(self, beta: float) -> float:
        """L = ln(1/β)/n, the price of a confidence per person."""
        return -math.log(beta) / self.n

    def bound(
        self,
        measure: str,
        value: float,
        confidence: float,
        of: Target,
        method: str,
        *,
        side: Side = "upper",
        trivial: tuple[float, float] = (0.0, math.inf),
        by_y: Array | None = None,
        **parameters: Any,
    ) -> Reading:
        """A bound as a Reading, held within what is true of every law."""
        floor, ceiling = trivial[0], max(trivial)
        value = float(min(max(value, floor), ceiling)) + 0.0
        span = (floor, value) if side == "upper" else (value, ceiling)
        origin = Origin("counted", LAWS[of], self.n, method=method)
        interval = Interval(*span, confidence)
        return Reading(value, unit_of(measure), measure, side, interval, None, by_y, origin, parameters)


def counts_of(table: Table) -> Counts:
    """Counts over two axes, the secret first, with somebody in them."""
    held = table if isinstance(table, Counts) else _counted(np.asarray(table))
    if len(held.shape) != 2:
        raise AxisError(
            "a table of counts n[s, y], the secret first",
            f"{len(held.shape)} axes: {', '.join(a.name for a in held.axes)}",
            "count the secret against the release, two axes",
        )
    n = held.total
    if n == 0:
        raise EvidenceError(
            "a bound from held-out people", "a table without rows", "hold out some rows and count them"
        )
    if n > MOST_ROWS:
        raise LawError("counts that add up exactly", f"{n:,} rows", "count up to 2⁵³ rows")
    return held


def _counted(n: NDArray[Any]) -> Counts:
    if n.ndim != 2:
        raise AxisError(
            "a table of counts n[s, y], the secret first",
            f"an array of shape {n.shape}",
            "count the secret against the release",
        )
    return Counts(n, ("s", "y"))


def _check_fit(counts: Counts, channel: MatrixChannel) -> None:
    if channel.inputs != "x":
        raise ParameterError(
            "a bound that uses the known channel from x alone",
            "a channel that also sees the secret",
            "count what was released, n[s, y], and give no channel",
        )
    if channel.p.shape[0] != counts.shape[1]:
        raise AxisError(
            "counts n[s, x] of what goes into the channel",
            f"{counts.shape[1]} columns for {channel.p.shape[0]} inputs of the channel",
            "count the secret against the channel's input; a table of releases is bounded without the channel",
        )


def beta_of(confidence: float) -> float:
    """1 − confidence, checked."""
    if not 0 < confidence < 1:
        raise ParameterError(
            "a confidence between 0 and 1", f"confidence = {confidence}", "give a share such as 0.95"
        )
    return 1 - confidence


def target(of: str) -> Target:
    """Which law a bound is about."""
    if of not in LAWS:
        raise ParameterError(
            'a bound about the "population" or people of this "composition"',
            f"of = {of!r}",
            "choose one of the two; they are never mixed",
        )
    return "population" if of == "population" else "composition"
