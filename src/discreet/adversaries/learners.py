"""The classifiers that attackers train, each made for the rows and secrets that it will see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array, Codes

TREES_OF_A_CLASS = 2_000
"""Boosting grows one tree a round and secret; so many in all."""

CONVERGED = 500
"""Iterations that a logistic regression may take."""


class Learner(Protocol):
    """A classifier in the manner of scikit-learn."""

    classes_: Any

    def fit(self, x: Array, s: Codes) -> Any:
        """Learn from these rows; `classes_` then names the columns of predict_proba."""
        ...

    def predict_proba(self, x: Array) -> Any:
        """How likely each secret is, for each row."""
        ...


@dataclass(frozen=True, slots=True)
class Making:
    """What a learner may need to know before it is made: rows, secrets, which columns are level numbers, a seed."""

    n: int
    n_s: int
    levels: NDArray[np.bool_]
    seed: int


Maker: TypeAlias = Callable[[Making], Learner]


def logistic(penalty: float = 1.0) -> Maker:
    """Log-odds linear in the columns, with a ridge penalty as strong as this many records' doubt."""

    def make(_: Making) -> Any:
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(C=1 / penalty, max_iter=CONVERGED)

    return make


def quadratic(penalty: float = 100.0, columns: int = 32) -> Maker:
    """Log-odds quadratic in the columns that differ most between secrets, under a ridge penalty."""

    def make(_: Making) -> Any:
        return Quadratic(penalty, columns)

    return make


def boosting(leaves: int = 31, rate: float = 0.08, rounds: int = 120, smallest: int = 20) -> Maker:
    """Gradient-boosted trees on binned columns; levels are split as sets."""

    def make(task: Making) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        rounds_here = max(10, min(rounds, TREES_OF_A_CLASS // task.n_s))
        return HistGradientBoostingClassifier(**boosted_how(task, leaves, rate, rounds_here, smallest))

    return make


def boosted_how(task: Making, leaves: int, rate: float, rounds: int, smallest: int) -> dict[str, Any]:
    """How trees are boosted, for classes and for numbers alike; a leaf holds a tenth of few records."""
    return {
        "max_leaf_nodes": leaves,
        "learning_rate": rate,
        "max_iter": rounds,
        "min_samples_leaf": max(1, min(smallest, task.n // 10)),
        "l2_regularization": 1.0,
        "categorical_features": task.levels if task.levels.any() else None,
        "early_stopping": False,
        "random_state": task.seed,
    }


def directions(of: Maker) -> Maker:
    """Another learner, on the principal directions of the columns."""
    return lambda task: Whitened(of(task))


def forest(trees: int = 100, smallest: int = 3, extra: bool = False) -> Maker:
    """Trees on resampled records and columns; `extra` ones split at random places."""

    def make(task: Making) -> Any:
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

        kind = ExtraTreesClassifier if extra else RandomForestClassifier
        return Filled(kind(trees, min_samples_leaf=smallest, n_jobs=1, random_state=task.seed))

    return make


def neighbours(most: int = 60) -> Maker:
    """The shares of secrets among the nearest records."""

    def make(task: Making) -> Any:
        from sklearn.neighbors import KNeighborsClassifier

        k = max(1, min(most, int(np.sqrt(task.n)), task.n))
        return KNeighborsClassifier(k, algorithm="brute")

    return make


def kernel(landmarks: int = 300, width: float = 1.0, penalty: float = 1.0) -> Maker:
    """Logistic regression on Gaussian kernels at some of the records; `width` in units of their median distance."""

    def make(task: Making) -> Any:
        return Kernel(min(landmarks, task.n), width, penalty, task.seed)

    return make


def perceptron(hidden: tuple[int, ...] = (64, 64), penalty: float = 1e-4, work: int = 600_000) -> Maker:
    """A network that stops when records set aside say so, at most after so many presentations of a record."""

    def make(task: Making) -> Any:
        return Perceptron(hidden, penalty, work, task.seed)

    return make


@dataclass
class Quadratic:
    """Products of the columns whose means differ most between secrets, standardised, under logistic regression."""

    penalty: float
    columns: int
    classes_: Any = field(init=False, default=None)

    def fit(self, x: Array, s: Codes) -> Quadratic:
        """Choose the columns, then weigh their products."""
        from sklearn.linear_model import LogisticRegression

        self.chosen = np.argsort(-_between(x, s), kind="stable")[: self.columns]
        made = self._products(x)
        self.mean, self.scale = made.mean(axis=0), made.std(axis=0)
        self.scale[self.scale < 1e-9] = np.inf
        self.model = LogisticRegression(C=1 / self.penalty, max_iter=CONVERGED)
        self.model.fit((made - self.mean) / self.scale, s)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, x: Array) -> Any:
        """How likely each secret is."""
        return self.model.predict_proba((self._products(x) - self.mean) / self.scale)

    def _products(self, x: Array) -> Array:
        kept = x[:, self.chosen]
        first, second = np.triu_indices(kept.shape[1])
        return np.concatenate([x, kept[:, first] * kept[:, second]], axis=1)


@dataclass
class Whitened:
    """Each principal direction of the columns at deviation 1: small ones are read as loudly as large ones.

    What two columns share, such as one huge noise, is taken out of their difference.
    """

    inner: Learner
    classes_: Any = field(init=False, default=None)

    def fit(self, x: Array, s: Codes) -> Whitened:
        """Find the directions, then train on them."""
        held = np.asarray(x, dtype=np.float64)
        self.mean = held.mean(axis=0)
        variance, turn = np.linalg.eigh(np.atleast_2d(np.cov((held - self.mean).T)))
        kept = variance > 1e-12 * max(float(variance.max()), 1e-300)
        self.turn = turn[:, kept] / np.sqrt(variance[kept]) if kept.any() else np.zeros((x.shape[1], 1))
        self.inner.fit((held - self.mean) @ self.turn, s)
        self.classes_ = self.inner.classes_
        return self

    def predict_proba(self, x: Array) -> Any:
        """How likely each secret is."""
        return self.inner.predict_proba((x - self.mean) @ self.turn)


@dataclass
class Kernel:
    """Nyström features of a Gaussian kernel as wide as records lie apart, under logistic regression."""

    landmarks: int
    width: float
    penalty: float
    seed: int
    classes_: Any = field(init=False, default=None)

    def fit(self, x: Array, s: Codes) -> Kernel:
        """Measure the width, then weigh the features."""
        from sklearn.kernel_approximation import Nystroem
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        some = np.random.default_rng(self.seed).choice(len(x), (2, 1000))
        apart = ((x[some[0]] - x[some[1]]) ** 2).sum(axis=1)
        square = float(np.median(apart[apart > 0])) if (apart > 0).any() else 1.0
        self.model = make_pipeline(
            Nystroem(gamma=1 / (self.width**2 * square), n_components=self.landmarks, random_state=self.seed),
            LogisticRegression(C=1 / self.penalty, max_iter=CONVERGED),
        )
        self.model.fit(x, s)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, x: Array) -> Any:
        """How likely each secret is."""
        return self.model.predict_proba(x)


@dataclass
class Filled:
    """A classifier or regression that knows no missing numbers; they become a number far below all others."""

    model: Any
    classes_: Any = field(init=False, default=None)

    def fit(self, x: Array, s: Codes | Array) -> Filled:
        """Train it."""
        known = x[np.isfinite(x)]
        self.below = float(known.min() - 1 - np.ptp(known)) if known.size else -1.0
        self.model.fit(self._filled(x), s)
        self.classes_ = getattr(self.model, "classes_", None)
        return self

    def predict_proba(self, x: Array) -> Any:
        """How likely each secret is."""
        return self.model.predict_proba(self._filled(x))

    def predict(self, x: Array) -> Any:
        """What a regression expects."""
        return self.model.predict(self._filled(x))

    def _filled(self, x: Array) -> Array:
        limit = float(np.finfo(np.float32).max)
        return np.clip(np.where(np.isnan(x), self.below, x), -limit, limit)


@dataclass
class Perceptron:
    """A multilayer perceptron by Adam, a tenth of the records set aside to say when it is best."""

    hidden: tuple[int, ...]
    penalty: float
    work: int
    seed: int
    patience: int = 4
    classes_: Any = field(init=False, default=None)

    def fit(self, x: Array, s: Codes) -> Perceptron:
        """Go through the records until those set aside are told no better for some rounds."""
        from sklearn.neural_network import MLPClassifier

        rng = np.random.default_rng(self.seed)
        order = rng.permutation(len(x))
        aside, learnt = order[: len(x) // 10], order[len(x) // 10 :]
        self.model = MLPClassifier(
            hidden_layer_sizes=self.hidden,
            alpha=self.penalty,
            batch_size=max(1, min(200, learnt.size)),
            random_state=self.seed,
        )
        self.classes_ = np.unique(s)
        best, kept, since = np.inf, None, 0
        for _ in range(max(10, min(150, self.work // max(1, learnt.size)))):
            self.model.partial_fit(x[learnt], s[learnt], classes=self.classes_)
            loss = self._loss(x[aside], s[aside]) if aside.size else 0.0
            if loss < best - 1e-5:
                best, since = loss, 0
                kept = [w.copy() for w in (*self.model.coefs_, *self.model.intercepts_)]
            elif (since := since + 1) >= self.patience:
                break
        if kept is not None and aside.size:
            layers = len(self.model.coefs_)
            self.model.coefs_, self.model.intercepts_ = kept[:layers], kept[layers:]
        return self

    def predict_proba(self, x: Array) -> Any:
        """How likely each secret is."""
        return self.model.predict_proba(x)

    def _loss(self, x: Array, s: Codes) -> float:
        beliefs = self.model.predict_proba(x)[np.arange(len(s)), np.searchsorted(self.classes_, s)]
        return -float(np.log(np.maximum(beliefs, 1e-12)).mean())


def _between(x: Array, s: Codes) -> Array:
    """For each column the spread of its means between secrets, over its spread within them."""
    counts = np.bincount(s).astype(np.float64)
    means = np.stack([np.bincount(s, column) for column in x.T], axis=1) / np.maximum(counts, 1)[:, None]
    between = counts @ (means - x.mean(axis=0)) ** 2 / len(x)
    within = x.var(axis=0) - between
    found: Array = between / np.maximum(within, 1e-12)
    return found
