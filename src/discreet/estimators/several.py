"""Several secrets at once: each, all together, and the worst."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from discreet.core.axis import Axis
from discreet.core.errors import ParameterError
from discreet.core.samples import Samples
from discreet.estimators.fitted import Learner
from discreet.estimators.learning import MOST_SECRETS
from discreet.estimators.parts import split
from discreet.estimators.readings import Measured, measured
from discreet.estimators.records import columns_of, samples_of, series_of


@dataclass(frozen=True, slots=True)
class SecretsTold:
    """What the columns tell about each of several secrets, about all of them together, and which one is worst off.

    `worst` is the secret of whose entropy the largest share is told, by estimate. `joint` is None where the
    combinations are too many to learn; `why` then says so.
    """

    each: Mapping[str, Measured]
    joint: Measured | None
    worst: str
    why: str


def secrets_told(
    x: Any,
    secrets: Mapping[str, Any] | Any,
    *,
    learner: Learner | None = None,
    share: float = 0.5,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> SecretsTold:
    """Several secrets, by name or as a frame: each by itself, all at once, and the worst; half of the records judge.

    The joint secret has one value for each combination that occurs. A confidence is that of one secret: for a statement
    about all of them together divide what is left of one by their number. One fit for each secret and one for all.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(400, 2))
    >>> s = {"first": x[:, 0] > 0, "noise": rng.integers(0, 2, 400)}
    >>> from discreet.estimators import Logistic
    >>> secrets_told(x, s, learner=Logistic(), rng=rng).worst
    'first'
    """
    from discreet.estimators.stack import Stack

    named = secrets if isinstance(secrets, Mapping) else dict(series_of(secrets))
    if not named:
        raise ParameterError("one secret or more", "none", "give names and values")
    own = Stack() if learner is None else learner
    columns = columns_of(x)
    sets = {name: samples_of(columns, s, name=name) for name, s in named.items()}

    def told(samples: Samples) -> Measured:
        learn, judge = split(samples, share, rng=rng)
        return measured(own.fit(learn, rng=rng), judge, confidence=confidence, rng=rng)

    each = {name: told(samples) for name, samples in sets.items()}
    together = _together(list(sets.values()))
    if len(sets) == 1:
        joint, why = next(iter(each.values())), ""
    elif together.size > MOST_SECRETS:
        joint, why = None, f"{together.size:,} combinations of the secrets are too many to learn"
    else:
        joint, why = told(together), ""
    return SecretsTold(
        MappingProxyType(each), joint, max(each, key=lambda name: _told_share(each[name])), why
    )


def _together(sets: list[Samples]) -> Samples:
    """One secret with a value for each combination that occurs."""
    codes = np.column_stack([samples.s for samples in sets])
    found, code = np.unique(codes, axis=0, return_inverse=True)
    labels = [samples.axes[0].labels or tuple(range(samples.size)) for samples in sets]
    names = tuple(tuple(own[i] for own, i in zip(labels, row, strict=True)) for row in found.tolist())
    name = " and ".join(samples.axes[0].name for samples in sets)
    return Samples(sets[0].x, code.reshape(-1), Axis(name, labels=names))


def _told_share(told: Measured) -> float:
    p = told.composition
    entropy = -float(np.sum(p * np.log(np.where(p > 0, p, 1))))
    return told.estimates["mutual_information"].value / entropy if entropy > 0 else 0.0
