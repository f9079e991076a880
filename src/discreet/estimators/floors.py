"""How far beliefs are drawn towards the shares before they are judged: fixed beforehand, from other records."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from discreet.core.lift import Lift
from discreet.core.protocols import Array, LiftModel

if TYPE_CHECKING:
    from discreet.estimators.bounds.lower import Floored

FLOORS = np.geomspace(0.003, 0.7, 16)
MOST_ROWS = 5000
"""So many records suffice to choose a floor."""


class Anticipated(NamedTuple):
    """The floor that serves best if a model is right, and the bound of I(S; X) that is then to be expected."""

    floor: float
    bound: float


def anticipated(lift: Lift, composition: Array, n: int, confidence: float) -> Anticipated:
    """What n judging records of this composition would bound, if these columns and their beliefs were the law.

    A high floor narrows the range that Bernstein's bound pays for, a low one keeps what sure beliefs tell.
    """
    from discreet.estimators.bounds import lower

    q = posterior(lift)[:, :: max(1, lift.p_y.size // MOST_ROWS)]
    weight = q / q.shape[1]
    found = []
    for floor in FLOORS.tolist():
        told = lower.floored(q, composition, floor)
        mean = float((weight * told.log_lift).sum())
        variance = float((weight * (told.log_lift - mean) ** 2).sum())
        short = lower.shortfall(variance, told.high - told.low, n, confidence)
        found.append(Anticipated(floor, mean - short))
    return max(found, key=lambda one: one.bound)


def floor_of(model: LiftModel, composition: Array, n: int, confidence: float) -> float:
    """The floor for n judging records: by the model's out-of-fold beliefs about its own, or 1/√n without them."""
    own = getattr(model, "held_out", None)
    if not isinstance(own, Lift):
        return 1 / math.sqrt(n)
    return anticipated(own, composition, n, confidence).floor


def floored_on(lift: Lift, composition: Array, floor: float) -> Floored:
    """The learned log-lift against these shares, drawn towards them by `floor`."""
    from discreet.estimators.bounds import lower

    return lower.floored(posterior(lift), composition, floor)


def posterior(lift: Lift) -> Array:
    """p(s | x) of a lift whose columns may be no laws."""
    q = lift.posterior
    total = q.sum(axis=0)
    found: Array = np.divide(q, total, out=np.full_like(q, 1 / len(q)), where=total > 0)
    return found
