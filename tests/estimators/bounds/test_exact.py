"""Coverage computed exactly: every table of a few people is listed, and its probability added up."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from bench.coverage import ROWS, holds
from scipy.special import gammaln

from discreet.core.channel import MatrixChannel
from discreet.core.errors import EvidenceError
from discreet.core.joint import Joint
from discreet.estimators.bounds import binomial
from discreet.estimators.bounds.upper.information import composition_drift

N = 7
NOISY = MatrixChannel([[0.7, 0.3], [0.2, 0.8]])

LAWS = [
    *([[p * (1 - a), p * a], [(1 - p) * b, (1 - p) * (1 - b)]]
      for p in (0.5, 0.8, 0.95) for a, b in ((0, 0), (0.05, 0.05), (0.3, 0.1), (0.5, 0.5), (0.1, 0.9))),
    [[0.25, 0.25], [0.25, 0.25]],
]  # fmt: skip


def tables(n: int) -> np.ndarray:
    """Every 2 × 2 table of n people."""
    cells = [c for c in itertools.product(range(n + 1), repeat=3) if sum(c) <= n]
    return np.array([[[a, b], [c, n - a - b - c]] for a, b, c in cells])


def chances(found: np.ndarray, law: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(found > 0, found * np.log(law), 0.0).sum(axis=(1, 2))
    return np.exp(each + gammaln(N + 1) - gammaln(found + 1).sum(axis=(1, 2)))


@pytest.fixture(scope="module")
def listed() -> np.ndarray:
    return tables(N)


FROM_ONE_TABLE = [row for row in ROWS if row.name not in ("V ≥", "I ≥", "TV ≥", "E ≥ at 1.5", "gain pop")]


WAYS = [
    (row, channel)
    for row in FROM_ONE_TABLE
    for channel in (None, NOISY)
    if row.behind_channel or channel is None
]


@pytest.mark.parametrize(
    ("row", "channel"), WAYS, ids=[f"{row.name}{', channel known' if c else ''}" for row, c in WAYS]
)
def test_every_law_is_covered(row, channel, listed):
    readings = [bounded(row, table, channel) for table in listed]
    for law in LAWS:
        p = np.array(law, dtype=float)
        weight, missed = chances(listed, p), {}
        for table, chance, reading in zip(listed, weight, readings, strict=True):
            if chance == 0 or reading is None:
                continue
            composition = table.sum(axis=1) / N
            about = reading.origin.law
            key = tuple(composition) if about != "the population" else about
            truth = truth_of(row, p, None if about == "the population" else composition, channel)
            hit, of = missed.get(key, (0.0, 0.0))
            missed[key] = (hit + chance * (not holds(reading, truth)), of + chance)
        # about a composition the bound holds at its confidence given the labels, whichever they are
        for share, of in missed.values():
            assert share <= 0.05 * (of if len(missed) > 1 else 1) + 1e-9, (law, missed)


def bounded(row, table, channel):
    from bench.coverage import Drawn

    try:
        return row.bound(Drawn(table, table, channel))
    except EvidenceError:
        return None


def truth_of(row, p, composition, channel):
    if composition is not None:
        rows = p / np.maximum(p.sum(axis=1, keepdims=True), 1e-300)
        p = composition[:, None] * rows
    joint = Joint(p / p.sum())
    return row.truth((joint if channel is None else joint.through(channel)).lift()).value


@pytest.mark.parametrize("beta", [0.05, 0.0125, 0.3])
@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_shares_are_covered_exactly(n, beta):
    from scipy.stats import binom

    k = np.arange(n + 1)
    high, low = binomial.upper(k, n, beta), binomial.lower(k, n, beta)
    assert np.all(np.diff(high) > -1e-15)
    for share in np.linspace(0, 1, 201):
        chance = binom.pmf(k, n, share)
        assert chance[high < share - 1e-12].sum() <= beta + 1e-9
        assert chance[low > share + 1e-12].sum() <= beta + 1e-9
    for hits in range(n):
        assert binom.cdf(hits, n, high[hits]) == pytest.approx(beta, rel=1e-6)
        assert high[hits] <= binomial.upper_of_mean(hits / n, n, beta) + 1e-9


def test_people_who_are_not_alike_are_covered():
    """One person who alone can miss is what breaks the binomial's limit at n − 1 hits."""
    n = 12
    sure = np.ones(n)
    for doubt in (0.01, 0.0499, 0.0501, 0.051, 0.06, 0.2):
        chance = sure.copy()
        chance[0] -= doubt
        misses = 0.0
        for missed in (0, 1):
            probability = 1 - doubt if missed == 0 else doubt
            misses += probability * (binomial.upper_unlike(n - missed, n, 0.05) < chance.mean() - 1e-15)
        assert misses <= 0.05 + 1e-12
    rng = np.random.default_rng(1)
    for _ in range(200):
        chance = rng.beta(rng.choice([0.2, 1, 5]), rng.choice([0.05, 0.2, 1]), size=n)
        law = np.ones(1)
        for c in chance:
            law = np.convolve(law, [1 - c, c])
        limits = np.array([binomial.upper_unlike(k, n, 0.05) for k in range(n + 1)])
        assert law[limits < chance.mean() - 1e-12].sum() <= 0.05 + 1e-9


@pytest.mark.parametrize(("k", "n"), [(2, 1), (2, 10), (2, 60), (3, 12), (4, 8)])
def test_compositions_stay_near_the_prior(k, n):
    rng = np.random.default_rng(2)
    found = np.array([c for c in itertools.product(range(n + 1), repeat=k) if sum(c) == n])
    coefficient = gammaln(n + 1) - gammaln(found + 1).sum(axis=1)
    shares = found / n
    for beta in (0.5, 0.05, 0.005):
        most = composition_drift(k, n, beta)
        for _ in range(40):
            prior = rng.dirichlet(np.full(k, rng.choice([0.3, 1.0, 5.0])))
            with np.errstate(divide="ignore", invalid="ignore"):
                drift = np.where(shares > 0, shares * np.log(shares / prior), 0.0).sum(axis=1)
                chance = np.exp(coefficient + np.where(found > 0, found * np.log(prior), 0.0).sum(axis=1))
            assert chance[drift > most].sum() <= beta + 1e-12
    assert composition_drift(1, n, 0.05) == 0
    assert composition_drift(2, n, 0.05) == pytest.approx(math.log(2 / 0.05) / n)
