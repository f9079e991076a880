"""What a family of predictors promises: from training rows to log-ratios log p(s | x) / p(s) of other rows."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.estimators.matrices.views import Seen

FURTHEST = 16.0
"""A log-ratio of one predictor is not taken beyond this; the stack may stretch it."""


class Predictor(Protocol):
    """A fitted predictor."""

    def log_ratio(self, seen: Seen) -> Array:
        """log p(s | x) / p(s), [row, secret], up to a constant a row."""
        ...


class Family(Protocol):
    """Related predictors, fitted in one go: one model at several penalties, one tree ensemble."""

    def suits(self, seen: Seen, size: int) -> bool:
        """Whether it is worth trying on such records."""
        ...

    def fit(self, seen: Seen, s: Codes, size: int, rng: np.random.Generator) -> dict[str, Predictor]:
        """Its members by name, fitted to these rows; every secret 0 … size − 1 has its column."""
        ...


def log_shares(s: Codes, size: int) -> Array:
    """The logarithm of each secret's share, shrunk by half a record so that one that is absent stays possible."""
    found: Array = np.log((np.bincount(s, minlength=size) + 0.5) / (s.size + 0.5 * size))
    return found


def centred(log_ratio: Array) -> Array:
    """Within the number range, and with mean 0 over secrets: the stack does not see a constant a row."""
    held = np.clip(log_ratio, -FURTHEST, FURTHEST)
    centred_: Array = held - held.mean(axis=1, keepdims=True)
    return centred_
