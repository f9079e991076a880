"""What a level told about the secret in the training rows, as a feature; out of fold for those very rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array, Codes

SHRINK = 10.0
"""A level's counts are shrunk towards the shares by so many records."""

FOLDS = 4
MOST = 8
"""So many features at most stand for what a level told about many secrets."""

Learner = Callable[[NDArray[np.intp]], Callable[[NDArray[np.intp]], Array]]
"""From rows to learn from to a function of rows: what they are told, [row, secret], as log-ratios."""


def by_counts(codes: Codes, levels: int, s: Codes, size: int) -> Array:
    """log p(s | level) / p(s) for each level, from counts shrunk towards the shares; 0 for a level never seen."""
    n = np.bincount(codes * size + s, minlength=levels * size).reshape(levels, size).astype(np.float64)
    share = (np.bincount(s, minlength=size) + 0.5) / (s.size + 0.5 * size)
    shrunk = (n + SHRINK * share) / (n.sum(axis=1, keepdims=True) + SHRINK)
    found: Array = np.log(shrunk / share)
    return found


def out_of_fold(n: int, learner: Learner, size: int, rng: np.random.Generator) -> Array:
    """What each row is told by a learner that has not seen it."""
    fold = rng.permutation(n) % FOLDS
    told = np.zeros((n, size))
    for k in range(FOLDS):
        here = np.flatnonzero(fold == k)
        if here.size and here.size < n:
            told[here] = learner(np.flatnonzero(fold != k))(here)
    return told


def directions(told: Array) -> Array:
    """[secret, feature]: one for two secrets, all for a few, the strongest for many."""
    size = told.shape[1]
    if size == 2:
        return np.array([[-0.5], [0.5]])
    if size <= MOST:
        return np.eye(size)
    _, _, right = np.linalg.svd(told - told.mean(axis=0), full_matrices=False)
    strongest: Array = right[:MOST].T
    return strongest
