"""Attacks on hostile tables: the right answer or a clear refusal."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.adversaries import Verdict, attack
from discreet.core.axis import Axis
from discreet.core.errors import DiscreetError
from discreet.core.samples import Column, Columns, Samples

SOME = ["logistic", "boosting, small trees", "exact values, counted", "nearest neighbours"]


@pytest.fixture
def rng():
    return np.random.default_rng(77)


def sent(x, s, rng, effort=SOME, **more):
    x = x if isinstance(x, Columns) else Columns.of_array(x)
    return attack(Samples(x, s, **more), effort=effort, rng=rng)


@pytest.mark.slow
def test_twenty_rows_and_every_quick_attacker(rng):
    found = sent(rng.normal(size=(20, 3)), rng.integers(0, 2, 20), rng, effort="quick")
    assert found.best.interval.high - found.best.interval.low > 0.3
    assert found.verdict in (Verdict.TOO_FEW, Verdict.LEAKS)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_next_to_no_rows_are_refused(rng, n):
    with pytest.raises(DiscreetError, match="rows to learn from"):
        sent(np.ones((n, 1)), np.zeros(n, dtype=int), rng)


def test_one_secret(rng):
    found = sent(rng.normal(size=(100, 2)), np.zeros(100, dtype=int), rng, axis=Axis("s", labels=("only",)))
    assert found.best.value == found.baseline.value == 1.0
    assert found.verdict is Verdict.QUIET


def test_constant_and_missing_columns(rng):
    x = np.column_stack([np.ones(200), np.full(200, np.nan)])
    found = sent(x, rng.integers(0, 2, 200), rng)
    assert found.verdict in (Verdict.COLLAPSED, Verdict.LEAKS)
    assert found.collapse.commonest == 1.0


def test_holes_and_infinities(rng):
    s = rng.integers(0, 2, 400)
    x = rng.normal(size=(400, 3)) + s[:, None]
    x[rng.random(x.shape) < 0.2] = np.nan
    x[0], x[1] = np.inf, -np.inf
    assert sent(x, s, rng).best.value > 0.65


def test_whether_a_value_is_missing_may_tell(rng):
    s = rng.integers(0, 2, 400)
    assert sent(np.where(s == 1, np.nan, rng.normal(size=400)), s, rng).best.value == 1.0


def test_a_perfect_leak(rng):
    s = rng.integers(0, 5, 500)
    found = sent(np.column_stack([rng.normal(size=500), s * 1e-9]), s, rng)
    assert found.best.value > 0.99


def test_ten_thousand_levels_of_which_each_has_its_secret(rng):
    level = rng.integers(0, 10_000, 20_000)
    s = rng.integers(0, 2, 10_000)[level]
    x = Columns([Column("id", level, levels=tuple(f"v{i}" for i in range(10_000)))])
    found = sent(x, s, rng, effort=["exact values, counted", "logistic"])
    # three of four levels are met again; the others are guessed
    assert found.best.value > 0.8


def test_a_class_with_three_rows(rng):
    s = np.zeros(300, dtype=int)
    s[:3] = 1
    s[3:100] = 2
    found = sent(rng.normal(size=(300, 2)) + s[:, None], s, rng)
    assert 0.6 < found.best.value < 1
    # the rate of a class with one row to judge by is nearly open: a third of the mean
    low, high, _ = found.figures["balanced_guess"].interval
    assert high - low > 0.3


def test_numbers_at_the_ends_of_their_range(rng):
    s = rng.integers(0, 2, 200)
    x = np.where(s == 1, 1e308, -1e308) * rng.random(200)
    assert sent(x, s, rng, effort=["logistic", "random forest", "boosting"]).best.value > 0.95


def test_more_columns_than_rows(rng):
    s = rng.integers(0, 2, 60)
    found = sent(rng.normal(size=(60, 200)), s, rng, effort=["logistic", "boosting, principal directions"])
    assert 0 <= found.best.value <= 1


def test_text_for_names(rng):
    x = Columns(
        [Column('a <b> & "c"\n', rng.normal(size=60)), Column("", rng.integers(0, 2, 60), levels=("", "ü"))]
    )
    assert sent(x, rng.integers(0, 2, 60), rng).to_json()["schema"] == "discreet/attack/1"


def test_huge_noise_hides_little_from_a_rank_or_a_clip(rng):
    """Cauchy noise: most of it is small, and no standardised column shows that."""
    s = rng.integers(0, 2, 3000)
    x = (s + 0.1 * rng.standard_cauchy(3000))[:, None] * 1e6
    found = sent(x, s, rng, effort=["logistic", "network, 128-64-32, ranks", "logistic, degree 2, clipped"])
    assert found.best.value > 0.92


def test_a_noise_that_two_columns_share_hides_nothing(rng):
    s = rng.integers(0, 2, 1000)
    noise = rng.normal(size=1000) * 1e3
    x = np.column_stack([noise + s, noise + rng.normal(size=1000) * 0.1])
    found = sent(x, s, rng, effort=["boosting", "boosting, principal directions"])
    assert found.best.value > 0.95
    assert found.attackers["boosting"].value < 0.7


def residuals(x, s):
    """What a correlation remover leaves of each column: x − b (s − s̄)."""
    away = s - s.mean()
    b = away @ x / (away @ away)
    return x - away[:, None] * b


def test_the_residuals_of_indicators_are_a_perfect_code(rng):
    """Nothing in them correlates with the secret, and every record gives it away."""
    s = (rng.random(1500) < 0.3).astype(int)
    level = np.where(rng.random(1500) < 0.3, s, rng.integers(0, 6, 1500))
    left = residuals(np.eye(6)[level], s)
    assert np.abs(np.corrcoef(left.T, s)[-1, :-1]).max() < 1e-9
    found = attack(
        Samples(Columns.of_array(left), s), untouched=Columns.of_array(np.eye(6)[level]), effort=SOME, rng=rng
    )
    assert found.best.value == 1.0
    assert found.verdict is Verdict.WORSE


@pytest.mark.parametrize("standardised", [False, True])
def test_the_residuals_of_ages_are_a_perfect_code_in_their_digits(rng, standardised):
    s = rng.integers(0, 2, 2500)
    x = np.column_stack([rng.integers(17, 90, 2500) + 2 * s, rng.integers(10_000, 900_000, 2500)]).astype(
        float
    )
    left = residuals((x - x.mean(axis=0)) / x.std(axis=0) if standardised else x, s)
    found = sent(left, s, rng, effort=["logistic", "boosting, digits"])
    assert found.best.value == 1.0
    assert found.attackers["logistic"].value < 0.6


@pytest.mark.slow
def test_a_correlation_remover_on_the_census_leaves_the_income_readable(adult, rng):
    import csv
    import gzip

    with gzip.open(adult, "rt") as file:
        rows = [row for row, _ in zip(csv.DictReader(file), range(3000), strict=False)]
    s = np.array([row["income"] == ">50K" for row in rows]).astype(int)
    names = ("workclass", "education", "marital_status", "occupation", "relationship", "race", "sex")
    plain = np.hstack(
        [np.eye(len(u))[i] for u, i in (np.unique([r[c] for r in rows], return_inverse=True) for c in names)]
    )
    release = Samples(Columns.of_array(residuals(plain, s)), s, "income")
    found = attack(release, untouched=Columns.of_array(plain), effort=SOME, rng=rng)
    assert found.best.value == 1.0
    assert found.verdict is Verdict.WORSE
    assert found.control.value < 0.9
