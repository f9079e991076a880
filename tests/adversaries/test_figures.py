"""Figures from held-out rows: their values by hand, their intervals by the law of the counts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from discreet.adversaries import explained, figures
from discreet.core.reading import Origin

ORIGIN = Origin("learned", "the population", n=10)


def shares(right, n):
    return np.arange(n) < right


def test_the_interval_of_a_hit_rate_is_exact():
    found = figures.hit_rate(shares(42, 60), ORIGIN, 0.95)
    assert found.value == pytest.approx(0.7)
    assert (found.side, found.measure, found.origin.law) == (
        "lower",
        "guessing_probability",
        "the population",
    )
    low, high, confidence = found.interval
    assert confidence == 0.95
    assert binom.sf(41, 60, low) == pytest.approx(0.025)
    assert binom.cdf(42, 60, high) == pytest.approx(0.025)


def test_the_interval_covers():
    """Over the law of the hits itself, not over a simulation of it."""
    for rate in (0.5, 0.83, 0.97):
        held = [figures.hit_rate(shares(k, 80), ORIGIN, 0.95).interval for k in range(81)]
        covered = [low <= rate <= high for low, high, _ in held]
        assert binom.pmf(np.arange(81), 80, rate) @ covered >= 0.95


def test_a_gain_counts_both_ways():
    hits, blind = np.array([1, 1, 1, 0, 0] * 40, bool), np.array([1, 0, 0, 1, 0] * 40, bool)
    found = figures.gain(hits, blind, ORIGIN, 0.95)
    assert found.value == pytest.approx(0.2)
    assert 0 < found.interval.low < 0.2 < found.interval.high


def test_no_difference_is_no_gain():
    same = shares(30, 50)
    assert figures.gain(same, same, ORIGIN, 0.95).value == 0
    assert figures.gain(same, same, ORIGIN, 0.95).interval.low <= 0


def test_the_balanced_guess_weighs_secrets_alike():
    s = np.array([0] * 90 + [1] * 10)
    hits = np.concatenate([np.ones(90, bool), shares(5, 10)])
    found = figures.balanced_guess(hits, s, 2, ORIGIN, 0.95)
    assert found.value == pytest.approx(0.75)
    assert found.interval.low < 0.75 < found.interval.high


def test_a_secret_without_rows_could_be_anything():
    s = np.zeros(50, dtype=int)
    found = figures.balanced_guess(np.ones(50, bool), s, 2, ORIGIN, 0.95)
    assert found.interval.low < 0.5 < found.interval.high == 1.0


def test_the_area_under_the_curve_counts_pairs(rng):
    beliefs = rng.integers(0, 5, (40, 1)) / 5
    beliefs = np.hstack([1 - beliefs, beliefs])
    s = rng.integers(0, 2, 40)
    pairs = beliefs[s == 1, 1][:, None] - beliefs[s == 0, 1]
    by_hand = (pairs > 0).mean() + (pairs == 0).mean() / 2
    assert figures.auc(beliefs, s, ORIGIN, 0.95).value == pytest.approx(by_hand)


def test_one_secret_has_no_curve():
    found = figures.auc(np.ones((5, 2)) / 2, np.zeros(5, dtype=int), ORIGIN, 0.95)
    assert found.value == 0.5
    assert found.interval[:2] == (0, 1)


def test_chance_is_rare_for_what_is_known_and_even_for_what_is_not(rng):
    s = rng.integers(0, 2, 200)
    known = np.where(np.eye(2)[s] > 0, 0.9, 0.1)
    assert figures.chance(known, s, rng=rng) == 0.001
    assert figures.chance(np.full((200, 2), 0.5), s, rng=rng) == 1.0
    found = [figures.chance(rng.dirichlet([1, 1], 60), rng.integers(0, 2, 60), rng=rng) for _ in range(100)]
    assert np.mean(np.array(found) <= 0.05) <= 0.13
    assert 0.35 < np.mean(found) < 0.65


def test_overtaking_is_the_sign_test():
    hits, others = shares(60, 100), shares(50, 100)
    assert figures.overtakes(hits, others) == pytest.approx(2.0**-10)
    assert figures.overtakes(others, hits) == 1.0


def test_what_is_explained_lies_in_its_interval(rng):
    covered = []
    for _ in range(60):
        v = rng.uniform(-1, 1, 300)
        guess = 0.8 * v
        found = explained.r_squared((v - guess) ** 2, v**2, 4.0, ORIGIN, 0.95)
        low, high, _ = found.interval
        covered.append(low <= 1 - 0.04 <= high)
        assert low < found.value < high
    assert np.mean(covered) >= 0.95


def test_the_error_of_a_guess_bounds_the_least_from_above(rng):
    v = rng.uniform(0, 1, 2000)
    found = explained.mean_error((v - 0.5) ** 2, 1.0, ORIGIN, 0.95)
    assert found.side == "upper"
    assert found.interval.low < 1 / 12 < found.interval.high


def test_a_mean_of_zero_is_seldom_called_positive(rng):
    """Also where nearly all numbers are small and one in fifty is huge."""
    rare = np.array([rng.choice([-1.0, 1 / 49], 200, p=[0.02, 0.98]) for _ in range(400)])
    assert np.mean([explained.is_positive(v, 1.0, 0.05) for v in rare]) <= 0.05
    even = np.array([rng.choice([-1.0, 1.0], 200) for _ in range(400)])
    assert np.mean([explained.is_positive(v, 1.0, 0.05) for v in even]) <= 0.07


def test_a_positive_mean_is_found(rng):
    assert explained.is_positive(rng.normal(0.2, 0.5, 400).clip(-1, 1), 1.0, 0.025)
    assert explained.is_positive(np.full(3, 0.1), 0.0, 0.05)
    assert not explained.is_positive(np.zeros(3), 0.0, 0.05)
    assert not explained.is_positive(np.ones(2), 1.0, 0.05)


def test_an_exact_guess_is_shown_to_be_close(rng):
    v = rng.uniform(-1, 1, 300)
    found = explained.r_squared(np.zeros(300), v**2, 4.0, ORIGIN, 0.95)
    assert found.value == 1.0
    assert found.interval.low > 0.75
    assert found.interval.high == 1.0


def test_a_constant_number_leaves_nothing_to_explain():
    found = explained.r_squared(np.zeros(50), np.zeros(50), 0.0, ORIGIN, 0.95)
    assert found.value == 0.0
    assert found.interval[:2] == (explained.LEAST, 1.0)
    assert explained.mean_error(np.zeros(50), 0.0, ORIGIN, 0.95).interval[:2] == (0.0, 0.0)
