"""Every measure from records that the model has not seen: what holds at a confidence, and what is an estimate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import AxisError, EvidenceError, ParameterError
from discreet.core.lift import Lift
from discreet.core.protocols import Array, LiftModel
from discreet.core.reading import Interval, Origin, Reading, unit_of
from discreet.core.samples import Samples
from discreet.estimators.doubts import cautions
from discreet.estimators.floors import floor_of, floored_on, posterior
from discreet.estimators.verdict import LEVEL, Verdict, judged
from discreet.measures.arguments import not_negative

LEAST = 20
SLACK = 1e-9
CAP = 10.0
"""A learned ratio above this counts as this in the bound of χ², so that its range stays small."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What held-out records show: lower bounds at a confidence each, estimates, doubts, and the verdict.

    The names are those of the measures, with what they were asked at: "e_gamma at 1.5". A bound says what an attacker
    is known to reach, never what the strongest could.
    """

    lower: Mapping[str, Reading]
    estimates: Mapping[str, Reading]
    cautions: tuple[str, ...]
    verdict: Verdict
    n: int
    composition: Array

    def __repr__(self) -> str:
        lines = [*map(repr, self.lower.values()), *map(repr, self.estimates.values()), self.verdict.words]
        return "\n".join([*lines, *self.cautions])


def measured(
    model: LiftModel,
    held_out: Samples,
    *,
    confidence: float = 0.95,
    eps: float = 1.0,
    gamma: float = 2.0,
    level: float = LEVEL,
    rng: np.random.Generator | None = None,
) -> Measured:
    """Every measure, read off records that took no part in learning the model.

    Lower bounds, each at this confidence, valid whatever the model and the law: I by empirical Bernstein from the mean
    log-lift, with a floor that the model's own records have fixed beforehand, χ² likewise from 2 E_p r − E_q r² − 1,
    the guessing probability from hits, TV and E_γ from the set where the learned lift exceeds γ, and the tail
    P(|log l| > ε) from E_γ at γ = e^ε, which it cannot be below. The prior is the shares of these very records, so all
    but the guess are about people of this composition. Estimates have no interval: none was found that covers.

    >>> rng = np.random.default_rng(0)
    >>> from discreet.estimators import estimate, samples_of, split
    >>> x = rng.normal(size=(2000, 1))
    >>> learn, judge = split(samples_of(x, x[:, 0] + rng.normal(size=2000) > 0), rng=rng)
    >>> told = measured(estimate(learn, method="logistic", rng=rng), judge, rng=rng)
    >>> 0.05 < told.lower["mutual_information"].value < told.estimates["mutual_information"].value < 0.25
    True

    References: certificates, 4; errata T9.
    """
    if held_out.n < LEAST:
        raise EvidenceError(
            f"readings from {LEAST} held-out records or more",
            f"{held_out.n}: not enough data",
            "hold out more records",
        )
    lift = _asked(model, held_out, eps, gamma)
    read = _Judged.of(lift, held_out, floor_of(model, held_out.shares, held_out.n, confidence))
    generator = np.random.default_rng() if rng is None else rng
    return Measured(
        MappingProxyType(read.bounds(confidence, eps, gamma)),
        MappingProxyType(read.estimates(lift, eps, gamma)),
        cautions(held_out),
        judged(lift.log_lift, held_out, level, generator),
        held_out.n,
        held_out.shares,
    )


def known_to_leak(
    model: LiftModel, held_out: Samples, *, confidence: float = 0.95, eps: float = 1.0, gamma: float = 2.0
) -> dict[str, Reading]:
    """The lower bounds of `measured` alone."""
    lift = _asked(model, held_out, eps, gamma)
    floor = floor_of(model, held_out.shares, held_out.n, confidence)
    return _Judged.of(lift, held_out, floor).bounds(confidence, eps, gamma)


def _asked(model: LiftModel, held_out: Samples, eps: float, gamma: float) -> Lift:
    """The lift of these records, where all that was asked for can be read off it."""
    not_negative("eps", eps)
    if not 0 < gamma < math.inf:
        raise ParameterError("γ above 0 and finite", f"gamma = {gamma}", "give γ of E_γ, such as 2")
    lift = model.lift(held_out.x)
    learned, here = lift.axes[0], held_out.axes[0]
    if lift.p_s.size != held_out.size or (learned.labels and here.labels and learned.labels != here.labels):
        raise AxisError(
            f"records whose secrets are those that were learned, {lift.p_s.size} of them",
            f"{held_out.size} secrets of {here.name}",
            "split one set of Samples, so that both parts name the same secrets",
        )
    return lift


@dataclass(frozen=True, slots=True)
class _Judged:
    """The learned posterior of held-out records, against their own shares."""

    log_lift: Array
    """log(q / π)[secret, record], with a floor of 1/√n; π the shares of these records."""

    own: Array
    """The log-lift of each record's own secret, with the floor that was chosen for the bound of I."""

    low: float
    high: float
    """Between which the bound's log-lifts lie, whatever the records."""

    hits: NDArray[np.bool_]
    """Whether the likeliest secret, by the learned posterior alone, is the right one."""

    held_out: Samples
    method: str | None

    @classmethod
    def of(cls, lift: Lift, held_out: Samples, floor: float) -> _Judged:
        told = floored_on(lift, held_out.shares, 1 / math.sqrt(held_out.n)).log_lift
        bound = floored_on(lift, held_out.shares, floor)
        own = bound.log_lift[held_out.s, np.arange(held_out.n)]
        hits = posterior(lift).argmax(axis=0) == held_out.s
        return cls(told, own, bound.low, bound.high, hits, held_out, lift.origin.method)

    @property
    def _witness(self) -> Array:
        """2 r − E_π r² − 1 for each record, r capped."""
        r = np.minimum(np.exp(self.log_lift), CAP)
        own = r[self.held_out.s, np.arange(self.held_out.n)]
        found: Array = 2 * own - self.held_out.shares @ r**2 - 1
        return found

    @property
    def _reach(self) -> tuple[float, float]:
        """Between which the witness lies: as Σ π r ≤ 1 and r ≤ cap, E_π r² ≤ cap, 2r − E_π r² ≤ 2cap − π_min cap²."""
        rarest = float(self.held_out.shares[self.held_out.shares > 0].min())
        cap = min(CAP, 1 / rarest)
        return -cap - 1 - SLACK, 2 * cap - rarest * cap**2 - 1 + SLACK

    def bounds(self, confidence: float, eps: float, gamma: float) -> dict[str, Reading]:
        """What an attacker is known to reach, by measure."""
        from discreet.estimators.bounds import lower

        s, above = self.held_out.s, self.log_lift
        chi = lower.of_log_lift(self._witness, *self._reach, confidence)
        found = {
            "mutual_information": lower.of_log_lift(self.own, self.low, self.high, confidence),
            "guessing_probability": lower.of_hits(self.hits, confidence),
            "total_variation": lower.of_sets(above > 0, s, 1.0, confidence),
            f"e_gamma at {gamma:g}": lower.of_sets(above > math.log(gamma), s, gamma, confidence),
            "chi_squared": replace(chi, measure="chi_squared", unit=unit_of("chi_squared")),
            f"information_privacy at {eps:g}": self._tail(eps, confidence),
        }
        most = _entropy(self.held_out.shares)
        told = found["mutual_information"]
        if told.interval is not None:
            interval = Interval(told.value, max(most, told.value), confidence)
            found["mutual_information"] = replace(told, interval=interval)
        return {name: self._signed(reading) for name, reading in found.items()}

    def _tail(self, eps: float, confidence: float) -> Reading:
        """P(|log l| > ε) holds at least what the set of learned lifts above e^ε has beyond e^ε times independence."""
        from discreet.estimators.bounds import lower

        gamma = math.exp(min(eps, 700.0))
        held = lower.of_sets(self.log_lift > eps, self.held_out.s, gamma, confidence)
        return replace(held, measure="information_privacy", parameters={"eps": float(eps)})

    def _signed(self, bound: Reading) -> Reading:
        """With the method that the witness was learned by."""
        return replace(bound, origin=replace(bound.origin, method=f"{self.method}, {bound.origin.method}"))

    def estimates(self, lift: Lift, eps: float, gamma: float) -> dict[str, Reading]:
        """What the learned lift reads on these records; nothing here is a bound."""
        from discreet import measures as m

        s, shares = self.held_out.s, self.held_out.shares
        own = np.arange(self.held_out.n)

        def above(threshold: float) -> float:
            inside = self.log_lift > math.log(threshold)
            return float(inside[s, own].mean() - threshold * (shares @ inside).mean())

        found = {
            "mutual_information": self._estimate("mutual_information", float(self.log_lift[s, own].mean())),
            "guessing_probability": self._estimate("guessing_probability", float(self.hits.mean())),
            "total_variation": self._estimate("total_variation", above(1.0)),
            f"e_gamma at {gamma:g}": self._estimate("e_gamma", above(gamma), gamma=gamma, over="mean"),
            "chi_squared": self._estimate("chi_squared", float(self._witness.mean())),
        }
        read: tuple[Callable[..., Reading], ...] = (m.hellinger, m.maximal_leakage, m.lift_privacy)
        found |= {measure.__name__: measure(lift) for measure in (*read, m.local_privacy)}
        return found | {f"information_privacy at {eps:g}": m.information_privacy(lift, eps)}

    def _estimate(self, measure: str, value: float, **parameters: float | str) -> Reading:
        origin = Origin("learned", "people of this composition", self.held_out.n, method=self.method)
        if measure == "guessing_probability":
            origin = replace(origin, law="the population")
        return Reading(
            max(value, 0.0), unit_of(measure), measure, "estimate", origin=origin, parameters=parameters
        )


def _entropy(p: Array) -> float:
    return -float(np.sum(p * np.log(np.where(p > 0, p, 1)))) + 0.0
