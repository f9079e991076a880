"""How good beliefs are, on rows that nobody learnt from: each figure with an interval that needs no large numbers."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array, Codes
from discreet.core.reading import Origin, Reading, unit_of
from discreet.estimators.bounds import binomial

PERMUTATIONS = 999

Hits: TypeAlias = NDArray[np.bool_]
"""Whether each guess was right."""


def hit_rate(hits: Hits, origin: Origin, confidence: float) -> Reading:
    """How often the guess is right: V(S | Y) is at least the true rate, of which the interval is Clopper and Pearson's.

    The value is the share of hits; the interval holds this attacker's rate, and V(S | Y) lies above its lower end with
    more than this confidence. Exact for a guess that was fixed before the rows were looked at.
    """
    n, right = hits.size, int(hits.sum())
    beta = (1 - confidence) / 2
    found = _lower("guessing_probability", right / n, origin)
    return found.with_interval(
        float(binomial.lower(right, n, beta)), float(binomial.upper(right, n, beta)), confidence
    )


def gain(hits: Hits, blind: Hits, origin: Origin, confidence: float) -> Reading:
    """How much more often the guess is right than the blind one, on the same rows.

    P(right, the blind guess wrong) − P(wrong, the blind guess right), each in its own exact interval at β/2
    """
    n, beta = hits.size, (1 - confidence) / 4
    won, lost = int((hits & ~blind).sum()), int((~hits & blind).sum())
    low = float(binomial.lower(won, n, beta)) - float(binomial.upper(lost, n, beta))
    high = float(binomial.upper(won, n, beta)) - float(binomial.lower(lost, n, beta))
    found = _lower("inference_gain", (won - lost) / n, origin, cost="zero_one")
    return found.with_interval(low, high, confidence)


def balanced_guess(hits: Hits, s: Codes, size: int, origin: Origin, confidence: float) -> Reading:
    """How often the guess is right when every secret is as common as any other: the mean over secrets of their rates.

    Each secret's rate is in its own exact interval at β/|S|; a secret without rows could be anything. The blind guess
    has 1/|S|.
    """
    n_s = np.bincount(s, minlength=size)
    right = np.bincount(s, hits, minlength=size)
    beta = (1 - confidence) / (2 * size)
    low, high = binomial.lower(right, n_s, beta), binomial.upper(right, n_s, beta)
    rates = right[n_s > 0] / n_s[n_s > 0]
    found = _lower("balanced_guess", float(rates.mean()), origin)
    return found.with_interval(float(np.mean(low)), float(np.mean(high)), confidence)


def auc(beliefs: Array, s: Codes, origin: Origin, confidence: float) -> Reading:
    """How often a record with a secret is believed to have it more than a record without: the area under the curve.

    The mean over the secrets that occur, ties counted half, ½ without any knowledge. Hoeffding's bound for the mean
    over all pairs: √(log(2/β) / 2 min(n_s, n − n_s)), β shared among the secrets.
    """
    from scipy.stats import rankdata

    n_s = np.bincount(s, minlength=beliefs.shape[1])
    occurring = np.flatnonzero((n_s > 0) & (n_s < s.size))
    if not occurring.size:
        return _lower("auc", 0.5, origin).with_interval(0.0, 1.0, confidence)
    areas = []
    for secret in occurring:
        ranks = rankdata(beliefs[:, secret])[s == secret]
        m = n_s[secret]
        areas.append((ranks.sum() - m * (m + 1) / 2) / (m * (s.size - m)))
    fewest = np.minimum(n_s, s.size - n_s)[occurring]
    wide = float(np.sqrt(np.log(2 * occurring.size / (1 - confidence)) / (2 * fewest)).mean())
    value = float(np.mean(areas))
    return _lower("auc", value, origin).with_interval(
        max(0.0, value - wide), min(1.0, value + wide), confidence
    )


def chance(beliefs: Array, s: Codes, *, rng: np.random.Generator) -> float:
    """How often secrets dealt out anew would be told so well: the p-value of independence, exact.

    The mean log belief in the true secrets, among that of 999 permutations of them. Beliefs are first mixed with
    a hundredth of an even one, so that a few certainties do not decide.
    """
    held = np.log(0.99 * beliefs + 0.01 / beliefs.shape[1])
    rows = np.arange(s.size)
    reached = held[rows, s].sum()
    as_good = sum(held[rows, rng.permutation(s)].sum() >= reached - 1e-9 for _ in range(PERMUTATIONS))
    return float((1 + as_good) / (1 + PERMUTATIONS))


def overtakes(hits: Hits, others: Hits) -> float:
    """The p-value of "this guess is right no more often than the other", on the same rows: the exact sign test."""
    from scipy.stats import binom

    won, lost = int((hits & ~others).sum()), int((~hits & others).sum())
    return float(binom.sf(won - 1, won + lost, 0.5))


def _lower(measure: str, value: float, origin: Origin, **parameters: str) -> Reading:
    return Reading(value, unit_of(measure), measure, "lower", origin=origin, parameters=parameters)
