"""How many rows a bound needs, and how it tightens as rows are added: before they are collected."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet import measures as m
from discreet.core.channel import MatrixChannel
from discreet.core.counts import Counts
from discreet.core.errors import ParameterError
from discreet.core.joint import Joint
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Reading
from discreet.estimators.bounds import upper
from discreet.estimators.bounds.held_out import MOST_ROWS, Table, counts_of

FEWEST, MOST = 16, 10**10
CLOSE = 1.02
"""The number of rows is found within so much."""


@dataclass(frozen=True, slots=True)
class Curve:
    """What a bound is expected to be for so many held-out rows, where `truth` is the leak of the law supposed."""

    measure: str
    rows: Codes
    bound: Array
    truth: float

    @property
    def width(self) -> Array:
        """How far above the truth the bound is expected to lie."""
        return np.abs(self.bound - self.truth)


def learning_curve(
    law: Joint | Table,
    measure: str,
    rows: Sequence[int],
    *,
    at: float | None = None,
    channel: MatrixChannel | None = None,
    confidence: float = 0.95,
    repetitions: int = 20,
    rng: np.random.Generator | None = None,
) -> Curve:
    """The mean of the bound over tables of so many rows, drawn from a law that is supposed.

    `law` is a Joint over secret and release (or channel input), typed in or of a pilot's counts, or those counts. A
    pilot of few rows seems to leak more than it does, so the curve errs on the high side. `at` is the γ or ε of
    measures that have one.

    >>> rng, pilot = np.random.default_rng(0), [[300, 100], [150, 450]]
    >>> curve = learning_curve(pilot, "guessing_probability", [100, 10_000], rng=rng)
    >>> curve.width.round(2)
    array([0.07, 0.01])
    """
    joint, bound = _joint(law), _bound(measure, at, channel, confidence)
    rng = np.random.default_rng() if rng is None else rng
    wanted = np.asarray(rows, dtype=np.int64)
    if wanted.size == 0 or wanted.min() < 1 or wanted.max() > MOST_ROWS:
        raise ParameterError("numbers of rows from 1", f"{list(rows)}", "give whole numbers such as 1_000")
    found = [_expected(joint, bound, int(n), repetitions, rng) for n in wanted]
    return Curve(measure, wanted, np.array(found), _truth(joint, measure, at, channel))


def rows_needed(
    law: Joint | Table,
    measure: str,
    width: float,
    *,
    at: float | None = None,
    channel: MatrixChannel | None = None,
    confidence: float = 0.95,
    repetitions: int = 20,
    rng: np.random.Generator | None = None,
) -> int:
    """How many held-out rows bring the bound, in the mean, within `width` of the truth.

    Found by doubling and bisection to 2 %, over tables drawn from the law supposed, with the same random numbers for
    every n. For both limits of an interval ask at the confidence of one side.

    >>> rows_needed(Joint([[.25, .25], [.25, .25]]), "guessing_probability", .01, rng=np.random.default_rng(0)) > 6000
    True
    """
    if not width > 0:
        raise ParameterError("a width above 0", f"width = {width}", "give the distance that can be tolerated")
    joint, bound = _joint(law), _bound(measure, at, channel, confidence)
    rng = np.random.default_rng() if rng is None else rng
    truth, seed = _truth(joint, measure, at, channel), int(rng.integers(2**63))

    def enough(n: int) -> bool:
        found = _expected(joint, bound, n, repetitions, np.random.default_rng(seed))
        return abs(found - truth) <= width

    high = FEWEST
    while not enough(high):
        high *= 2
        if high > MOST:
            raise ParameterError(
                f"{measure} within {width:g} of the truth",
                f"more than {MOST:.0e} rows would be needed, if it can be reached at all",
                "ask for a larger width, merge rare symbols, or release through a known noisy channel",
            )
    low = high // 2
    while high > CLOSE * low + 1:
        middle = math.isqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _joint(law: Joint | Table) -> Joint:
    if isinstance(law, Joint):
        return law
    counts = counts_of(law)
    return Joint(counts.n / counts.total, counts.axes)


def _expected(
    joint: Joint, bound: Callable[[Counts], Reading], n: int, repetitions: int, rng: np.random.Generator
) -> float:
    tables = rng.multinomial(n, joint.p.ravel(), size=repetitions)
    return float(np.mean([bound(Counts(t.reshape(joint.p.shape), joint.axes)).value for t in tables]))


def _bound(
    measure: str, at: float | None, channel: MatrixChannel | None, confidence: float
) -> Callable[[Counts], Reading]:
    function = getattr(upper, measure, None) if measure in upper.__all__ else None
    if function is None:
        raise ParameterError(
            "a measure that can be bounded", f"{measure!r}", f"one of {', '.join(upper.__all__)}"
        )
    if (at is None) == (measure in NUMBERED):
        raise ParameterError(
            f"{measure} {'at a number' if at is None else 'as it is'}",
            f"at = {at}",
            "pass at=γ or at=ε for " + ", ".join(NUMBERED),
        )
    numbers = () if at is None else (at,)
    told: dict[str, Any] = {} if channel is None else {"channel": channel}
    return lambda counts: function(counts, *numbers, confidence, **told)


NUMBERED: dict[str, Callable[[Lift, float], Reading]] = {
    "e_gamma": lambda lift, at: m.e_gamma(lift, at, over="mean"),
    "differential_privacy": m.differential_privacy,
    "information_privacy": m.information_privacy,
}


def _truth(joint: Joint, measure: str, at: float | None, channel: MatrixChannel | None) -> float:
    lift = (joint if channel is None else joint.through(channel)).lift()
    if at is not None:
        return NUMBERED[measure](lift, at).value
    if measure == "gain":
        return m.inference_gain(lift, "zero_one").value
    return float(getattr(m, measure)(lift))
