"""Logistic regression of degree 1 and 2 along a path of penalties, each started from the one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array, Codes
from discreet.estimators.families.family import Predictor, log_shares
from discreet.estimators.matrices.views import Seen

PENALTIES = (300.0, 30.0, 3.0, 0.3)
"""Coefficients cost their squares so many times over, divided by twice the rows; the features have one scale."""

WORK = 6e7
"""Rows × features × secrets at most; beyond, a random part of the rows is used."""

STEPS = 60
MOST_PRODUCTS = 250
SCREENED_ROWS = 8000
FEATURES = 800
"""A side with more features than this is not tried."""


@dataclass(frozen=True, slots=True)
class LogisticFamily:
    """log p(s | x) = w_s · f(x) + b_s + const, penalised; f is linear, curves, or all products of two features."""

    side: str = "linear"
    penalties: tuple[float, ...] = PENALTIES
    widest: int = FEATURES

    def suits(self, seen: Seen, size: int) -> bool:
        """Curves need a number; products need two features."""
        width = seen.linear.shape[1]
        if width == 0 or width > self.widest or width * size > 40_000:
            return False
        if self.side == "additive":
            return bool(width < seen.additive.shape[1] <= self.widest)
        return True

    def fit(self, seen: Seen, s: Codes, size: int, rng: np.random.Generator) -> dict[str, Predictor]:
        """One member for each penalty."""
        base = log_shares(s, size)
        features = _Features.fit(seen, self.side, s, size, base, rng)
        made = features.of(seen)
        rows = _within(len(s), made.shape[1] * max(1, size - 1), rng)
        read = made[rows]
        path = _path(read, s[rows], size, base, self.penalties)
        return {
            f"{_NAMES[self.side]}, penalty {penalty:g}": _Linear(features, weight)
            for penalty, weight in zip(self.penalties, path, strict=True)
        }


_NAMES = {"linear": "logistic", "additive": "logistic of curves", "products": "logistic of degree 2"}


@dataclass(frozen=True, slots=True, eq=False)
class _Features:
    """A side of the records, with the products of pairs of its columns that were kept, on one scale."""

    side: str
    pairs: NDArray[np.intp]
    mean: NDArray[np.float32]
    scale: NDArray[np.float32]

    @classmethod
    def fit(
        cls, seen: Seen, side: str, s: Codes, size: int, base: Array, rng: np.random.Generator
    ) -> _Features:
        products = side == "products"
        pairs = _pairs(seen.linear, s, size, base, rng) if products else np.zeros((0, 2), dtype=np.intp)
        draft = cls(side, pairs, np.zeros(0, np.float32), np.zeros(0, np.float32))
        raw = draft._raw(seen)
        mean, scale = raw.mean(axis=0), raw.std(axis=0)
        # an indicator that is hardly ever set is not blown up
        return cls(side, pairs, mean, np.maximum(scale, 0.1).astype(np.float32))

    def _raw(self, seen: Seen) -> NDArray[np.float32]:
        if self.side != "products":
            held: NDArray[np.float32] = getattr(seen, self.side).copy()
            return held
        z = np.clip(seen.linear, -6, 6)
        return np.hstack([seen.linear, z[:, self.pairs[:, 0]] * z[:, self.pairs[:, 1]]])

    def of(self, seen: Seen) -> NDArray[np.float32]:
        """The features of these records; made once for all penalties."""
        if self not in seen.made:
            seen.made[self] = self._scaled(seen)
        found: NDArray[np.float32] = seen.made[self]
        return found

    def _scaled(self, seen: Seen) -> NDArray[np.float32]:
        raw = self._raw(seen)
        raw -= self.mean
        raw /= self.scale
        return np.clip(raw, -30, 30, out=raw)


@dataclass(frozen=True, slots=True)
class _Linear:
    features: _Features
    weight: NDArray[np.float32]

    def log_ratio(self, seen: Seen) -> Array:
        made = self.features.of(seen)
        found: Array = (made @ self.weight[1:] + self.weight[0]).astype(np.float64)
        return found


def curve_scores(learn: NDArray[np.float32], s: Codes, judge: NDArray[np.float32], size: int) -> Array:
    """log p(s | x) + const of some rows by a logistic regression on others, with a mild penalty."""
    base = log_shares(s, size)
    weight = _path(learn, s, size, base, (1.0,))[0]
    found: Array = (judge @ weight[1:] + weight[0]).astype(np.float64) + base
    return found


def _within(n: int, width: int, rng: np.random.Generator) -> Any:
    most = int(WORK / max(width, 1))
    return slice(None) if n <= most else rng.choice(n, max(most, 500), replace=False)


def _pairs(z: NDArray[np.float32], s: Codes, size: int, base: Array, rng: np.random.Generator) -> Any:
    """The products that go best with what a linear model leaves unexplained; all of them where they are few."""
    width = z.shape[1]
    first, second = np.triu_indices(width)
    varies = np.array([np.unique(z[:2000, j]).size > 2 for j in range(width)])
    own = (first != second) | varies[first]
    first, second = first[own], second[own]
    if first.size <= MOST_PRODUCTS:
        return np.column_stack([first, second])
    rows = rng.choice(len(s), SCREENED_ROWS, replace=False) if len(s) > SCREENED_ROWS else np.arange(len(s))
    zc = np.clip(z[rows], -6, 6)
    weight = _path(zc, s[rows], size, base, (30.0,))[0]
    left = _left(zc, weight, base, s[rows], size)
    score = np.zeros((width, width))
    for i in range(width):
        product = zc * zc[:, [i]]
        product -= product.mean(axis=0)
        spread = np.maximum(product.std(axis=0), 0.03)
        score[i] = (((product.T @ left) / spread[:, None]) ** 2).sum(axis=1)
    best = np.argsort(-score[first, second], kind="stable")[:MOST_PRODUCTS]
    return np.column_stack([first[best], second[best]])


def _left(z: Any, weight: Any, base: Array, s: Codes, size: int) -> Array:
    log = z @ weight[1:] + weight[0] + base
    log -= log.max(axis=1, keepdims=True)
    p = np.exp(log)
    p /= p.sum(axis=1, keepdims=True)
    left: Array = (np.arange(size) == s[:, None]) - p
    return left


def _contrast(size: int) -> NDArray[np.float32]:
    """Two secrets need one score; more have one each."""
    return np.array([[-0.5, 0.5]], np.float32) if size == 2 else np.eye(size, dtype=np.float32)


def _path(
    z: NDArray[np.float32], s: Codes, size: int, base: Array, penalties: tuple[float, ...]
) -> list[NDArray[np.float32]]:
    """Weights [1 + feature, secret] for each penalty, by L-BFGS on −mean log p(s | x) + penalty ‖w‖² / 2n."""
    from scipy.optimize import minimize

    n, width = z.shape
    across = _contrast(size)
    score = len(across)
    truth = (np.arange(size) == s[:, None]).astype(np.float32)
    start, path = np.zeros((width + 1) * score), []
    for penalty in penalties:

        def loss(flat: Array, penalty: float = penalty) -> tuple[float, Array]:
            weight = flat.reshape(width + 1, score).astype(np.float32)
            log = (z @ weight[1:] + weight[0]) @ across + base.astype(np.float32)
            log -= log.max(axis=1, keepdims=True)
            p = np.exp(log)
            total = p.sum(axis=1, keepdims=True)
            value = float(np.mean(np.log(total[:, 0]) - (log * truth).sum(axis=1)))
            p /= total
            p -= truth
            back = p @ across.T / n
            slope = np.vstack([back.sum(axis=0), z.T @ back]).astype(np.float64)
            own = flat.reshape(width + 1, score)[1:]
            slope[1:] += penalty / n * own
            return value + penalty / (2 * n) * float((own**2).sum()), slope.reshape(-1)

        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "ftol": 1e-7})
        start = found.x
        path.append(start.reshape(width + 1, score).astype(np.float32) @ across)
    return path
