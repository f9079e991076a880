"""Does anything leak? A test with an exact level, and what a maximum reads when nothing leaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.core.errors import EvidenceError, ParameterError
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes, LiftModel
from discreet.core.reading import Reading
from discreet.core.samples import Samples
from discreet.estimators.fitted import Learner
from discreet.estimators.parts import copies

LEVEL = 0.04
"""The chance of "leaks" where nothing does; below 5 % so that 400 repetitions stay under 6 % by more than luck."""

DRAWS = 499
LEAST = 20
"""Fewer held-out records than this carry no verdict."""

FLOOR = 0.05
"""Beliefs are drawn towards the shares by so much for the test, so that no single record decides it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a leak was seen: the chance of as much by luck, the level it is held against, the records it is from."""

    leaks: bool
    p_value: float
    level: float
    n: int

    @property
    def words(self) -> str:
        """The verdict as a sentence."""
        if self.leaks:
            return f"leaks: as much is told by luck in {100 * self.p_value:.2g} of 100 tables without a leak"
        return (
            f"no leak seen in {self.n:,} held-out records: as much is told by luck in {100 * self.p_value:.2g} of "
            "100 tables without a leak; that is no proof that there is none"
        )

    def __str__(self) -> str:
        return self.words


def leaks(
    model: LiftModel, held_out: Samples, *, level: float = LEVEL, rng: np.random.Generator | None = None
) -> Verdict:
    """Whether these records, which the model has not seen, show a leak.

    T = Σ_i log l(s_i, x_i),   p = (1 + #{permutations of s with T as large}) / (1 + draws)

    Exact: where secret and columns are independent, every order of the secrets is as likely, so that a false alarm has
    a chance of at most `level`, whatever the model. Copies of a record count once. O(draws × records).

    >>> rng = np.random.default_rng(0)
    >>> from discreet.estimators import estimate, samples_of, split
    >>> x = rng.normal(size=(400, 1))
    >>> learn, judge = split(samples_of(x, x[:, 0] + rng.normal(size=400) > 0), rng=rng)
    >>> leaks(estimate(learn, method="logistic", rng=rng), judge, rng=rng).leaks
    True
    """
    generator = np.random.default_rng() if rng is None else rng
    return judged(model.lift(held_out.x).log_lift, held_out, level, generator)


def judged(log_lift: Array, held_out: Samples, level: float, rng: np.random.Generator) -> Verdict:
    """The verdict from log l[secret, record] of held-out records."""
    if not 0 < level < 1:
        raise ParameterError(
            "a level between 0 and 1", f"level = {level}", "give the chance of a false alarm"
        )
    once = ~copies(held_out)
    n = int(once.sum())
    if n < LEAST:
        raise EvidenceError(
            f"a verdict from {LEAST} different held-out records or more",
            f"{n}: not enough data",
            "hold out more records",
        )
    ratio = np.exp(np.minimum(log_lift[:, once], 700.0))
    told = np.log((1 - FLOOR) * ratio + FLOOR)
    p_value = permuted(told, held_out.s[once], rng)
    return Verdict(bool(p_value <= level), p_value, level, n)


def permuted(told: Array, s: Codes, rng: np.random.Generator, draws: int = DRAWS) -> float:
    """The share of orders of the secrets under which told[secret, record] adds up to as much, this one among them."""
    if told.shape[0] == 2:
        # Σ_i told[0, i] is the same for every order
        told = np.stack([np.zeros(told.shape[1]), told[1] - told[0]])
    records = np.arange(s.size)
    found = float(told[s, records].sum())
    slack = 1e-9 * (1 + np.abs(told).max() * s.size)
    as_large = sum(float(told[rng.permutation(s), records].sum()) >= found - slack for _ in range(draws))
    return float((1 + as_large) / (1 + draws))


@dataclass(frozen=True, slots=True)
class Null:
    """What a measure read when the secrets were dealt anew, so that there was nothing to tell."""

    measure: str
    values: Array

    @property
    def mean(self) -> float:
        """The mean over the deals."""
        return float(self.values.mean())

    def p_value(self, reading: Reading) -> float:
        """The share of deals that read as much, the records as they are among them."""
        return (1 + int((self.values >= reading.value).sum())) / (1 + self.values.size)

    def __repr__(self) -> str:
        low, high = self.values.min(), self.values.max()
        return f"{self.measure} without a leak: {low:.4g} to {high:.4g} in {self.values.size} deals"


def null_of(
    measure: Callable[[Lift], Reading],
    samples: Samples,
    *,
    estimator: Learner | None = None,
    repetitions: int = 19,
    rng: np.random.Generator,
) -> Null:
    """What the measure reads off the out-of-fold lift of these records when their secrets are dealt at random.

    A maximum over many cells is large without any leak: show it beside this. Each deal is learned anew, by counts where
    nothing else is given.

    >>> from discreet.core.samples import Columns
    >>> from discreet.measures import lift_privacy
    >>> rng = np.random.default_rng(0)
    >>> samples = Samples(Columns.of_array(rng.integers(0, 4, 200)), rng.integers(0, 2, 200))
    >>> null_of(lift_privacy, samples, repetitions=3, rng=rng).values.size
    3
    """
    from discreet.estimators.single import Plugin

    if repetitions < 1:
        raise ParameterError("one deal or more", f"repetitions = {repetitions}", "give 19 or 99")
    own = Plugin() if estimator is None else estimator
    read = []
    for _ in range(repetitions):
        dealt = Samples(samples.x, rng.permutation(samples.s), samples.axes[0], samples.size)
        read.append(measure(own.fit(dealt, rng=rng).held_out))
    return Null(read[0].measure, np.array([r.value for r in read]))
