"""Before more records are collected: what more of them would show, and how many a lower bound needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.core.errors import EvidenceError, ParameterError
from discreet.core.protocols import Codes, LiftModel
from discreet.core.reading import Reading
from discreet.core.samples import Samples
from discreet.estimators.fitted import Learner
from discreet.estimators.floors import anticipated
from discreet.estimators.learning import LEAST as LEAST_LEARNT
from discreet.estimators.parts import split
from discreet.estimators.readings import LEAST, measured

SHARES = (0.125, 0.25, 0.5, 1.0)
MOST, ENDLESS = 10**10, 10**20
CLOSE = 1.02
"""The number of records is found within so much."""


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What is told by a lift that was learned from so many records, always judged by the same others.

    `information` are the estimates of I(S; X) by number of records, `lower` its lower bounds. A curve that still climbs
    says that the leak is larger than what is read; one that is flat says nothing about better estimators.
    """

    rows: Codes
    information: tuple[Reading, ...]
    lower: tuple[Reading, ...]

    @property
    def climb(self) -> float:
        """What the last step added, in nats."""
        return float(self.information[-1]) - float(self.information[-2]) if len(self.rows) > 1 else 0.0

    def __repr__(self) -> str:
        pairs = zip(self.rows.tolist(), self.information, strict=True)
        return ", ".join(f"{n:,} records: {float(told):.4g} nats" for n, told in pairs)


def learning_curve(
    samples: Samples,
    rows: Sequence[int] | None = None,
    *,
    learner: Learner | None = None,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> Learned:
    """What more records to learn from would show: half of the records judge, growing parts of the others learn.

    Without `rows` an eighth, a quarter, a half and all of the learning half. One fit for each number.

    >>> rng = np.random.default_rng(0)
    >>> from discreet.estimators import Logistic, samples_of
    >>> x = rng.normal(size=(800, 1))
    >>> learning_curve(samples_of(x, x[:, 0] > rng.normal(size=800)), [100, 400], learner=Logistic(), rng=rng)
    100 records: 0... nats, 400 records: 0... nats
    """
    from discreet.estimators.stack import Stack

    own = Stack() if learner is None else learner
    learn, judge = split(samples, rng=rng)
    order = rng.permutation(learn.n)
    wanted = _wanted(rows, learn.n)
    read = [
        measured(own.fit(learn.take(order[:n]), rng=rng), judge, confidence=confidence, rng=rng)
        for n in wanted.tolist()
    ]
    return Learned(
        wanted,
        tuple(one.estimates["mutual_information"] for one in read),
        tuple(one.lower["mutual_information"] for one in read),
    )


def rows_needed(model: LiftModel, pilot: Samples, width: float, *, confidence: float = 0.95) -> int:
    """How many judging records bring the lower bound of I(S; X) within `width` of the information that it bounds.

    I − mean log(q′(s | x)/π(s)) + √(2v ln(2/β)/n) + 7 (high − low) ln(2/β) / (3(n − 1)) ≤ width

    All of it as the model would have it on the pilot's records, which it has not seen: q′ is drawn towards the shares
    by the floor that serves n records best. Found by doubling and bisection, to 2 %.

    >>> rng = np.random.default_rng(0)
    >>> from discreet.estimators import Logistic, samples_of
    >>> x = rng.normal(size=(800, 1))
    >>> both = split(samples_of(x, x[:, 0] > rng.normal(size=800)), rng=rng)
    >>> 3000 < rows_needed(Logistic().fit(both[0], rng=rng), both[1], .02) < 30_000
    True
    """
    if not width > 0:
        raise ParameterError("a width above 0", f"width = {width}", "give the distance that can be tolerated")
    if pilot.n < LEAST:
        raise EvidenceError(
            f"a pilot of {LEAST} records or more", f"{pilot.n}: not enough data", "hold out more records"
        )
    lift = model.lift(pilot.x)
    whole = anticipated(lift, pilot.shares, ENDLESS, confidence).bound

    def enough(n: int) -> bool:
        return whole - anticipated(lift, pilot.shares, n, confidence).bound <= width

    high = LEAST
    while not enough(high):
        high *= 2
        if high > MOST:
            raise ParameterError(
                f"a bound within {width:g} nats", f"more than {MOST:.0e} records", "ask for a larger width"
            )
    low = high // 2
    while high > CLOSE * low + 1:
        middle = math.isqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _wanted(rows: Sequence[int] | None, most: int) -> Codes:
    chosen = [max(LEAST_LEARNT, round(share * most)) for share in SHARES] if rows is None else list(rows)
    wanted: Codes = np.unique(np.asarray(chosen, dtype=np.int64))
    if wanted.size == 0 or wanted.min() < LEAST_LEARNT or wanted.max() > most:
        raise ParameterError(
            f"numbers of records from {LEAST_LEARNT} to {most:,}, the half that learns",
            f"{chosen}",
            "give numbers within it, or bring more records",
        )
    return wanted
