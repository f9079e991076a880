"""Secrets that are numbers, and several secrets at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.axis import Axis
from discreet.core.errors import AxisError, EvidenceError, ParameterError
from discreet.core.protocols import Array
from discreet.core.reading import Origin, Reading, unit_of
from discreet.core.samples import Columns, Samples
from discreet.estimators.fitted import Learner, Score
from discreet.estimators.learning import LEAST, MOST_SECRETS
from discreet.estimators.matrices.views import Seen, Views
from discreet.estimators.parts import folds_of, split
from discreet.estimators.readings import Measured, measured
from discreet.estimators.records import columns_of, samples_of
from discreet.estimators.secrets import quantile_bins

FOLDS = 3
ROWS = 40_000
PENALTIES = (1.0, 100.0)


@dataclass(frozen=True, slots=True)
class Predicted:
    """How well a number is estimated from the columns, by the best mixture of regressors on unseen records.

    `mmse` is the mean square error reached, an estimate of the least one from above; `r_squared` is 1 − mmse over the
    variance, never below zero, since the mean is among the estimates. `predictions` are those of the records in `rows`.
    """

    mmse: Reading
    r_squared: Reading
    variance: float
    scores: tuple[Score, ...]
    predictions: Array
    rows: NDArray[np.intp]


def predicted(x: Any, numbers: ArrayLike, *, rng: np.random.Generator) -> Predicted:
    """The least mean square error with which a secret number is estimated from the columns.

    ŝ = Σ_k w_k ŝ_k(x) + b, w ≥ 0 least in squares on unseen records: ridge regressions of the numbers and of curves of
    them, and boosted trees. Large error: the number stays hidden. Records without the number are left out. O(records).

    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(500, 1))
    >>> round(predicted(x, x[:, 0] + .5 * rng.normal(size=500), rng=rng).r_squared.value, 1)
    0.8

    References: paper 000, Section II-B.
    """
    held, v = columns_of(x), np.asarray(numbers, dtype=np.float64)
    if v.shape != (held.n,):
        raise AxisError("one number a record", f"shape {v.shape} for {held.n} records", "give one column")
    rows = np.flatnonzero(np.isfinite(v))
    if rows.size < LEAST:
        raise EvidenceError(
            f"{LEAST} records with the number", f"{rows.size}: not enough data", "bring more records"
        )
    if rows.size > ROWS:
        rows = np.sort(rng.choice(rows, ROWS, replace=False))
    own, mean = v[rows], float(v[rows].mean())
    variance = float(own.var())
    names, apart = _out_of_fold(held.take(rows), own - mean, rng)
    weight, made = _mixed(apart, own - mean)
    error = min(float(np.mean((own - mean - made) ** 2)), variance)
    scores = [
        Score(name, float(np.mean((own - mean - apart[:, k]) ** 2)), float(weight[k]))
        for k, name in enumerate(names)
    ]
    origin = Origin("learned", "the population", rows.size, method="stack of regressors")
    told = 1 - error / variance if variance > 0 else 0.0
    return Predicted(
        Reading(error, unit_of("mmse"), "mmse", "estimate", origin=origin),
        Reading(told, "", "r_squared", "estimate", origin=origin),
        variance,
        tuple(sorted(scores, key=lambda s: s.log_loss)),
        made + mean,
        rows,
    )


def _out_of_fold(x: Columns, v: Array, rng: np.random.Generator) -> tuple[list[str], Array]:
    """What each regressor makes of records that it has not seen."""
    codes, axis = quantile_bins(v, 6)
    samples = Samples(x, codes, "s", axis.size)
    fold = folds_of(samples, FOLDS, rng)
    names = [*(f"ridge, penalty {p:g}" for p in PENALTIES), "ridge of curves", "boosted trees"]
    made = np.zeros((v.size, len(names)))
    for k in range(FOLDS):
        rest, here = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        if not here.size or not rest.size:
            continue
        views, seen = Views.fit(samples.take(rest), rng)
        made[here] = _regressions(seen, v[rest], views.see(x.take(here)), rng)
    return names, made


def _regressions(seen: Seen, v: Array, other: Seen, rng: np.random.Generator) -> Array:
    from sklearn.ensemble import HistGradientBoostingRegressor

    found = [_ridge(seen.linear, v, other.linear, p) for p in PENALTIES]
    found.append(_ridge(seen.additive, v, other.additive, PENALTIES[0]))
    if seen.trees.shape[1]:
        trees = HistGradientBoostingRegressor(
            max_iter=100,
            max_leaf_nodes=15,
            early_stopping=v.size > 200,
            categorical_features=seen.named if seen.named.any() else None,
            random_state=int(rng.integers(2**31)),
        )
        found.append(trees.fit(seen.trees, v).predict(other.trees))
    else:
        found.append(np.zeros(len(other)))
    return np.column_stack(found)


def _ridge(z: Any, v: Array, other: Any, penalty: float) -> Array:
    mean, centre = z.mean(axis=0), float(v.mean())
    own = np.asarray(z - mean, dtype=np.float64)
    gram = own.T @ own + penalty * np.eye(own.shape[1])
    weight = np.linalg.solve(gram, own.T @ (v - centre)) if own.shape[1] else np.zeros(0)
    found: Array = np.asarray(other - mean, dtype=np.float64) @ weight + centre
    return found


def _mixed(apart: Array, v: Array) -> tuple[Array, Array]:
    from scipy.optimize import nnls

    weight = nnls(apart, v)[0]
    return weight, apart @ weight


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
    secrets: Mapping[str, Any],
    *,
    learner: Learner | None = None,
    share: float = 0.5,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> SecretsTold:
    """Several secrets: each by itself, all at once, and the worst; half of the records learn, half judge.

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

    if not secrets:
        raise ParameterError("one secret or more", "none", "give names and values")
    own = Stack() if learner is None else learner
    columns = columns_of(x)
    sets = {name: samples_of(columns, s, name=name) for name, s in secrets.items()}

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
