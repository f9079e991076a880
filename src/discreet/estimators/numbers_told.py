"""Secrets that are numbers: how well the columns estimate them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.errors import AxisError, EvidenceError, LawError
from discreet.core.protocols import Array
from discreet.core.reading import Origin, Reading, unit_of
from discreet.core.samples import Columns, Samples
from discreet.estimators.fitted import Score
from discreet.estimators.learning import LEAST
from discreet.estimators.matrices.views import Seen, Views
from discreet.estimators.parts import folds_of
from discreet.estimators.records import columns_of
from discreet.estimators.secrets import as_numbers, quantile_bins

FOLDS = 3
ROWS = 40_000
PENALTIES = (1.0, 100.0)
LARGEST = 1e150


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
    held, v = columns_of(x), as_numbers(numbers)
    if v.size != held.n:
        raise AxisError("one number a record", f"{v.size} numbers, {held.n} records", "give one column")
    rows = np.flatnonzero(np.isfinite(v))
    if rows.size < LEAST:
        raise EvidenceError(
            f"{LEAST} records with the number", f"{rows.size}: not enough data", "bring more records"
        )
    if rows.size > ROWS:
        rows = np.sort(rng.choice(rows, ROWS, replace=False))
    unit = float(np.abs(v[rows]).max()) or 1.0
    if unit > LARGEST:
        raise LawError(
            "numbers whose squares can be added up", f"one of {unit:.3g}", "give them on another scale"
        )
    own = v[rows] / unit
    mean, variance = float(own.mean()), float(own.var())
    names, apart = _out_of_fold(held.take(rows), own - mean, rng)
    weight, made = _mixed(apart, own - mean)
    error = min(float(np.mean((own - mean - made) ** 2)), variance)
    scores = [
        Score(name, unit**2 * float(np.mean((own - mean - apart[:, k]) ** 2)), float(weight[k]))
        for k, name in enumerate(names)
    ]
    origin = Origin("learned", "the population", rows.size, method="stack of regressors")
    told = 1 - error / variance if variance > 0 else 0.0
    return Predicted(
        Reading(unit**2 * error, unit_of("mmse"), "mmse", "estimate", origin=origin),
        Reading(told, "", "r_squared", "estimate", origin=origin),
        unit**2 * variance,
        tuple(sorted(scores, key=lambda s: s.log_loss)),
        unit * (made + mean),
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
