"""A number with its provenance: what was measured, on which law, by which method, and on which side of the truth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from discreet.core.errors import ParameterError
from discreet.core.protocols import Array

Kind = Literal["exact", "counted", "learned"]
Side = Literal["exact", "estimate", "lower", "upper"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a lift comes from. It is copied into every Reading made from it.

    `law` says what the number is about: "this law" (typed in), "this table" (the rows at hand), "the population",
    "people of this composition" or "the channel" (whatever the data).
    """

    kind: Kind = "exact"
    law: str = "this law"
    n: int | None = None
    clip: float | None = None
    defect: float | None = None
    method: str | None = None
    seed: int | None = None


EXACT = Origin()


class Interval(NamedTuple):
    """A range that holds the truth with this confidence."""

    low: float
    high: float
    confidence: float


class Quantity(NamedTuple):
    """What a measure's number is called and counted in."""

    symbol: str
    unit: str


QUANTITIES: dict[str, Quantity] = {}
"""Filled by the catalogue of measures, row by row; a name that is not there is shown as it is, without a unit."""


def unit_of(measure: str) -> str:
    """What the measure's number is counted in."""
    return QUANTITIES[measure].unit if measure in QUANTITIES else ""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Reading:
    """The value of a measure. `float(r)` is nats, or the pure number; `repr` is one honest line.

    `by_s` and `by_y` say where the value comes from, secret by secret and release by release, where that has a meaning.
    `parameters` holds what the measure was asked at, such as `eps`.
    """

    value: float
    unit: str = ""
    measure: str = ""
    side: Side = "exact"
    interval: Interval | None = None
    by_s: Array | None = None
    by_y: Array | None = None
    origin: Origin = EXACT
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, measure: str, value: float, origin: Origin = EXACT, **parameters: Any) -> Reading:
        """An exact value of a measure of the catalogue; a zero has no sign."""
        return cls(float(value) + 0.0, unit_of(measure), measure, origin=origin, parameters=parameters)

    def __float__(self) -> float:
        return float(self.value)

    @property
    def bits(self) -> float:
        """The value in bits, for a measure in nats."""
        if self.unit != "nats":
            raise ParameterError(
                f"{self.measure} in bits",
                f"a number in {self.unit or 'no unit'}",
                "take float(reading); only information has bits",
            )
        return self.value / math.log(2)

    def to_json(self) -> dict[str, Any]:
        """The number and what it is, for a file; infinity is "inf" and what is undefined is null."""
        return {
            "value": _written(self.value),
            "unit": self.unit,
            "side": self.side,
            "law": self.origin.law,
            "interval": None if self.interval is None else [_written(v) for v in self.interval],
        }

    def with_interval(self, low: float, high: float, confidence: float) -> Reading:
        """The same number with the range that holds the truth."""
        return replace(self, interval=Interval(low, high, confidence))

    def __repr__(self) -> str:
        plain, given, condition = self.measure.partition(" given ")
        symbol = (QUANTITIES[plain].symbol if plain in QUANTITIES else plain) + given + condition
        asked = ", ".join(
            f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in self.parameters.items()
        )
        name = f"{symbol} [{asked}]" if asked else symbol
        value = f"{self.value:.4g} {self.unit}".rstrip()
        span = ""
        if self.interval is not None:
            low, high, confidence = self.interval
            span = f", {low:.4g} to {high:.4g} at {100 * confidence:g} %"
        n = "" if self.origin.n is None else f", n = {self.origin.n:,}"
        return f"{name} = {value} ({self.side}, of {self.origin.law}{span}{n})"


def _written(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    return ("inf" if value > 0 else "-inf") if math.isinf(value) else float(value)
