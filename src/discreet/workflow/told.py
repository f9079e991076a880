"""What columns tell about a secret in all: one model, judged on records that it had not seen, in every measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet import measures as m
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Interval, Origin, Reading
from discreet.core.samples import Samples
from discreet.estimators.fitted import Fitted
from discreet.estimators.verdict import Verdict
from discreet.measures.catalogue import CATALOGUE

FOLDS, JUDGING = 5, 2
"""Of so many parts so many judge, and the others learn."""

SPECIALISTS = ("whole records, counted", "exact values, counted", "boosting, digits")
"""Attackers who find a code for the secret that a smooth model overlooks."""

READ: dict[str, tuple[Callable[..., Reading], tuple[float, ...]]] = {
    "sibson[alpha=2]": (m.sibson, (2.0,)),
    "arimoto[alpha=2]": (m.arimoto, (2.0,)),
    "renyi[alpha=2]": (m.renyi, (2.0,)),
    "min_entropy_leakage": (m.min_entropy_leakage, ()),
    "maximal_correlation": (m.maximal_correlation, ()),
    "conditional_entropy": (m.conditional_entropy, ()),
    "differential_privacy[eps=1]": (m.differential_privacy, (1.0,)),
}
"""Measures read off the learned lift besides those that the readings of estimators have."""

DEALS, DEALT_ROWS = 5, 4_000
"""Nulls of maxima: so many times the secrets of so many records are dealt anew, and learned anew."""

PERMUTATIONS = 99
MAXIMA = ("maximal_leakage", "lift_privacy", "local_privacy", "maximal_correlation")


@dataclass(frozen=True, slots=True, eq=False)
class Overall:
    """A secret's figures: the guess with its interval, every measure, lower bounds, nulls, the verdict, the method."""

    guess: Reading
    attacker: str
    baseline: float
    measures: Mapping[str, Reading]
    lower: Mapping[str, Reading]
    nulls: Mapping[str, float]
    verdict: Verdict
    cautions: tuple[str, ...]
    model: Fitted
    judged: int

    @property
    def information(self) -> Reading:
        """I(S; X), an estimate between its lower bound and H(S)."""
        return self.measures["mutual_information"]

    @property
    def share(self) -> float:
        """The share of what there is to guess beyond the baseline that is guessed."""
        return (self.guess.value - self.baseline) / max(1 - self.baseline, 1e-12)

    def measures_json(self) -> dict[str, Any]:
        """Every measure, with symbol, meaning, direction, lower bound and null."""
        return {name: self._measure(name, reading) for name, reading in self.measures.items()}

    def _measure(self, name: str, reading: Reading) -> dict[str, Any]:
        row = next((r for r in CATALOGUE if r.name == reading.measure), None)
        low = self.lower.get(name)
        return {
            **reading.to_json(),
            "symbol": reading.measure if row is None else row.symbol,
            "meaning": "" if row is None else row.meaning,
            "better": "lower" if row is None else row.direction.split()[0],
            "parameters": {k: v for k, v in reading.parameters.items() if isinstance(v, float | int | str)},
            "null": self.nulls.get(name),
            "lower": None if low is None else low.to_json(),
        }

    def method_json(self) -> dict[str, Any]:
        """How the numbers were made."""
        return {
            "estimator": self.model.origin.method or "stack",
            "candidates": [
                {"name": s.name, "log_loss": float(s.log_loss), "weight": float(s.weight)}
                for s in self.model.scores
            ],
            "records": int(self.model.rows.size),
            "held_out": self.judged,
            "folds": FOLDS,
            "shuffles": PERMUTATIONS,
            "notes": [
                self.model.choice,
                f"The guess is that of {self.attacker}; its interval allows for the choice.",
                f"Every number is read off {self.judged:,} records that the estimator had not seen.",
                f"Nulls of maxima: the largest of {DEALS} deals of the secrets of up to {DEALT_ROWS:,} records.",
            ],
        }


def overall(
    samples: Samples, *, confidence: float, rng: np.random.Generator, nulls: bool = True
) -> tuple[Overall, Lift]:
    """Learn on three fifths of the records, judge on two; beside it the lift of every record, out of sample."""
    from discreet.estimators import Stack, measured

    judging, learning = _parts(samples, rng)
    model = Stack().fit(samples.take(learning), rng=rng)
    held = samples.take(judging)
    read = measured(model, held, confidence=confidence, rng=rng)
    lift = unseen(model, samples, learning)
    guess, attacker = _guess(model, samples, judging, confidence, rng)
    own = model.lift(held.x)
    found = {_key(name): r for name, r in read.estimates.items()}
    found["mutual_information"] = _bracketed(found["mutual_information"], read.lower["mutual_information"])
    found["guessing_probability"] = guess
    found |= {name: measure(own, *at) for name, (measure, at) in READ.items()}
    told = Overall(
        guess=guess,
        attacker=attacker,
        baseline=_blind(samples, learning, judging),
        measures=found,
        lower={_key(name): r for name, r in read.lower.items()},
        nulls=_nulls(samples, own, held, rng) if nulls else {},
        verdict=read.verdict,
        cautions=read.cautions,
        model=model,
        judged=held.n,
    )
    return told, lift


def quick(samples: Samples, *, rng: np.random.Generator) -> tuple[Reading, Reading]:
    """I(S; X) and the guess, by one boosted model: for what is asked many times."""
    from discreet.adversaries.figures import hit_rate
    from discreet.estimators import Boosting, measured

    judging, learning = _parts(samples, rng)
    model = Boosting().fit(samples.take(learning), rng=rng)
    held = samples.take(judging)
    read = measured(model, held, rng=rng)
    origin = Origin("learned", "the population", held.n, method=model.origin.method)
    return read.estimates["mutual_information"], hit_rate(model.guess(held.x) == held.s, origin, 0.95)


def unseen(model: Fitted, samples: Samples, learning: Codes) -> Lift:
    """The lift of every record: those that the model learned from are judged by the folds that left them out."""
    lift = model.lift(samples.x)
    log = lift.log_lift.copy()
    log[:, learning[model.rows]] = model.held_out.log_lift
    return Lift(log, lift.p_s, lift.p_y, lift.axes, lift.origin)


def _parts(samples: Samples, rng: np.random.Generator) -> tuple[Codes, Codes]:
    from discreet.estimators.parts import folds_of

    fold = folds_of(samples, FOLDS, rng)
    return np.flatnonzero(fold < JUDGING), np.flatnonzero(fold >= JUDGING)


def _guess(
    model: Fitted, samples: Samples, judging: Codes, confidence: float, rng: np.random.Generator
) -> tuple[Reading, str]:
    """The better of the model and the specialists, each at half the doubt, so that choosing costs no confidence."""
    from discreet.adversaries import attack
    from discreet.adversaries.figures import hit_rate

    each = 1 - (1 - confidence) / 2
    held = samples.take(judging)
    origin = Origin("learned", "the population", held.n, method=model.origin.method)
    own = hit_rate(model.guess(held.x) == held.s, origin, each)
    other = attack(samples, held_out=judging, effort=SPECIALISTS, confidence=each, rng=rng)
    best, name = (own, "the stack") if own.value >= other.best.value else (other.best, other.best_attacker)
    if other.baseline.value > best.value:
        best, name = other.baseline, "naming the commonest value, without any data"
    if best.interval is None:
        return best, name
    return best.with_interval(best.interval.low, best.interval.high, confidence), name


def _blind(samples: Samples, learning: Codes, judging: Codes) -> float:
    """How often the secret that is commonest among those learned from is right."""
    commonest = samples.take(learning).counts.argmax()
    return float((samples.s[judging] == commonest).mean())


def _bracketed(estimate: Reading, lower: Reading) -> Reading:
    """The estimate with what is certain on either side: its lower bound, and all there is to know."""
    interval = lower.interval or Interval(0.0, math.inf, 0.95)
    return estimate.with_interval(max(interval.low, 0.0), interval.high, interval.confidence)


def _nulls(samples: Samples, lift: Lift, held: Samples, rng: np.random.Generator) -> dict[str, float]:
    """What measures read without a leak: the 95th percentile of orders of the secrets, or the largest deal."""
    told, right = _permuted(lift, held, rng)
    found = {
        "mutual_information": max(float(np.quantile(told, 0.95)), 0.0),
        "guessing_probability": float(np.quantile(right, 0.95)),
    }
    dealt = [_dealt(samples, rng) for _ in range(DEALS)]
    return found | {name: max(getattr(m, name)(one).value for one in dealt) for name in MAXIMA}


def _permuted(lift: Lift, held: Samples, rng: np.random.Generator) -> tuple[Array, Array]:
    """The mean log-lift and the share of hits when the secrets of the held-out records change places."""
    own = np.arange(held.n)
    log = np.maximum(lift.log_lift, -20.0)
    guess = (log + np.log(np.maximum(lift.p_s, 1e-300))[:, None]).argmax(axis=0)
    orders = [rng.permutation(held.s) for _ in range(PERMUTATIONS)]
    return np.array([log[s, own].mean() for s in orders]), np.array([(guess == s).mean() for s in orders])


def _dealt(samples: Samples, rng: np.random.Generator) -> Lift:
    from discreet.estimators import Logistic

    rows = np.sort(rng.permutation(samples.n)[:DEALT_ROWS])
    part = samples.take(rows)
    dealt = Samples(part.x, rng.permutation(part.s), part.axes[0], part.size)
    made: Fitted = Logistic().fit(dealt, rng=rng)
    return made.held_out


def _key(name: str) -> str:
    """A measure's name with what it was asked at, as results write it."""
    measure, _, at = name.partition(" at ")
    letter = {"e_gamma": "gamma", "information_privacy": "eps"}.get(measure, "at")
    return f"{measure}[{letter}={at}]" if at else measure
