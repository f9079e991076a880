"""Free text as features: hashed n-grams of characters and words, read by a logistic regression out of fold."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array, Codes
from discreet.core.samples import Column
from discreet.estimators.matrices.told import directions, out_of_fold

HASHES = 1 << 16
LONG = 8
"""Levels that are longer than this in the mean, and nearly all different, are free text."""

MOST_ROWS = 12_000


def is_free(labels: tuple[Any, ...], count: NDArray[np.int64]) -> bool:
    """Whether these levels are rather texts than names of categories."""
    seen = [label for label, n in zip(labels, count.tolist(), strict=True) if n and isinstance(label, str)]
    return len(seen) > 0.3 * count.sum() and float(np.mean([len(t) for t in seen])) > LONG


def told(
    column: Column, s: Codes, size: int, rng: np.random.Generator
) -> tuple[Callable[[Column], Array], Array]:
    """What a text told about the secret, as a function of columns and, out of fold, for these rows."""
    grams = _grams(column)

    def learner(rows: Any) -> Callable[[Any], Array]:
        own = rng.choice(rows, MOST_ROWS, replace=False) if len(rows) > MOST_ROWS else rows
        read = _regression(grams[own], s[own], size)
        return lambda others: read(grams[others])

    apart = out_of_fold(s.size, learner, size, rng)
    across = directions(apart)
    rows = np.arange(s.size)
    own = rng.choice(rows, MOST_ROWS, replace=False) if rows.size > MOST_ROWS else rows
    whole = _regression(grams[own], s[own], size)
    return lambda other: whole(_grams(other)) @ across, apart @ across


def _grams(column: Column) -> Any:
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import HashingVectorizer

    texts = ["" if label is None else str(label) for label in column.levels or ()]
    characters = HashingVectorizer(analyzer="char_wb", ngram_range=(3, 4), n_features=HASHES)
    words = HashingVectorizer(analyzer="word", ngram_range=(1, 2), n_features=HASHES)
    return hstack([characters.transform(texts), words.transform(texts)]).tocsr()[column.values]


def _regression(grams: Any, s: Codes, size: int) -> Callable[[Any], Array]:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    share = (np.bincount(s, minlength=size) + 0.5) / (s.size + 0.5 * size)
    seen = np.unique(s)
    if seen.size < 2:
        return lambda other: np.zeros((other.shape[0], size))
    made = LogisticRegression(C=3.0, max_iter=40, tol=1e-3, solver="lbfgs")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # stopping before the last digit is meant
        made.fit(grams, s)

    def read(other: Any) -> Array:
        ratio = np.zeros((other.shape[0], size))
        ratio[:, seen] = made.predict_log_proba(other) - np.log(share[seen])
        return np.clip(ratio, -10, 10)

    return read
