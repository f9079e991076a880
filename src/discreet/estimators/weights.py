"""How much each predictor counts: the log-linear mixture that explains unseen records best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.estimators.families.family import log_shares

CELLS = 6e6
"""Predictors × rows × secrets at most; beyond, a random part of the rows decides about the weights."""

STEPS = 120
PULL = 1.0
"""Weights and shifts cost their squares, as much as so many records."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """log q(s | x) = log p(s) + Σ_k w_k z_k(s, x) + b_s + const, with weights w ≥ 0; Σ_s q = 1 by construction.

    Weights below one in sum draw the predictors towards the shares: the mixture is calibrated, and on independent
    columns it says nothing.
    """

    weight: Array
    shift: Array

    @classmethod
    def fit(cls, z: Array, s: Codes, rng: np.random.Generator) -> Mixture:
        """From log-ratios z[predictor, row, secret] of rows that the predictors have not seen, by log-loss."""
        from scipy.optimize import minimize

        members, n, size = z.shape
        if not members:
            return cls(np.zeros(0), np.zeros(size))
        most = int(CELLS / (members * size))
        if n > most:
            rows = rng.choice(n, most, replace=False)
            z, s, n = z[:, rows], s[rows], most
        base = log_shares(s, size)
        truth = np.arange(n)
        flat = z.reshape(members, -1)

        def loss(at: Array) -> tuple[float, Array]:
            w, b = at[:members], at[members:]
            log = (w @ flat).reshape(n, size) + (base + b)
            log -= log.max(axis=1, keepdims=True)
            p = np.exp(log)
            total = p.sum(axis=1)
            value = float(np.mean(np.log(total) - log[truth, s])) + PULL * float(at @ at) / (2 * n)
            p /= total[:, None]
            p[truth, s] -= 1
            slope = np.concatenate([flat @ p.reshape(-1), p.sum(axis=0)]) / n
            return value, slope + PULL * at / n

        start = np.concatenate([np.full(members, 0.5 / members), np.zeros(size)])
        limits = [(0.0, None)] * members + [(None, None)] * size
        found = minimize(
            loss, start, jac=True, method="L-BFGS-B", bounds=limits, options={"maxiter": STEPS, "ftol": 1e-8}
        )
        return cls(found.x[:members], found.x[members:])

    def log_posterior(self, z: Array, base: Array) -> Array:
        """log q(s | x), [row, secret], normalised."""
        log = np.tensordot(self.weight, z, axes=1) + self.shift + base
        return normalised(log)


def normalised(log: Array) -> Array:
    """Less its log-sum over secrets, row by row."""
    top = log.max(axis=1, keepdims=True)
    made: Array = log - top - np.log(np.exp(log - top).sum(axis=1, keepdims=True))
    return made


def log_loss(log_posterior: Array, s: Codes) -> float:
    """The mean of −log q(s_i | x_i)."""
    return -float(np.mean(log_posterior[np.arange(s.size), s]))
