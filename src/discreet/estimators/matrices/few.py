"""Whole numbers with few values: a number or a category? What predicts the secret better on unseen rows decides."""

from __future__ import annotations

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.core.samples import Samples
from discreet.estimators.matrices.numbers import FEW
from discreet.estimators.matrices.told import by_counts

ROWS = 6000
FOLDS = 3
MARGIN = 2.0
"""A category has to win by so many standard errors of the difference."""


def read_as_levels(samples: Samples, rng: np.random.Generator) -> frozenset[str]:
    """The columns of few whole numbers that are better read as names of categories.

    Each is tried alone, out of fold: log-loss of a curve of degree 2 in the number against shares of its values.
    """
    rows = rng.permutation(samples.n)[:ROWS]
    s, chosen = samples.s[rows], set()
    for column in samples.x:
        if not column.is_number:
            continue
        values = column.values[rows]
        distinct, codes = np.unique(values, return_inverse=True)
        if not 3 <= distinct.size <= FEW or not (np.isnan(distinct) | (distinct == np.floor(distinct))).all():
            continue
        gain = _gain(values, codes.reshape(-1), s, samples.size)
        spread = float(gain.std()) / np.sqrt(gain.size)
        if float(gain.mean()) > MARGIN * spread:
            chosen.add(column.name)
    return frozenset(chosen)


def _gain(values: Array, codes: Codes, s: Codes, size: int) -> Array:
    """By how much the shares of values explain each row better than a curve does, both learnt on other rows."""
    from discreet.estimators.families.family import log_shares
    from discreet.estimators.families.logistic import curve_scores

    z = np.where(np.isfinite(values), values, np.nan)
    z = (z - np.nanmean(z)) / (np.nanstd(z) or 1.0)
    features = np.column_stack([np.nan_to_num(z), np.nan_to_num(z) ** 2, np.isnan(z)]).astype(np.float32)
    fold = np.arange(s.size) % FOLDS
    gain = np.zeros(s.size)
    for k in range(FOLDS):
        learn, judge = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        base = log_shares(s[learn], size)
        told = by_counts(codes[learn], int(codes.max()) + 1, s[learn], size)[codes[judge]] + base
        curve = curve_scores(features[learn], s[learn], features[judge], size)
        gain[judge] = _log_likely(told, s[judge]) - _log_likely(curve, s[judge])
    return gain


def _log_likely(score: Array, s: Codes) -> Array:
    top = score.max(axis=1)
    found: Array = score[np.arange(s.size), s] - top - np.log(np.exp(score - top[:, None]).sum(axis=1))
    return found
