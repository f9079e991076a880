"""The classical notions: their definitions on rows, and what they imply about measures of the lift."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet import measures as m
from discreet.core.errors import LawError, ParameterError
from discreet.measures import classical

SLACK = 1e-9


@st.composite
def tables(draw):
    """Rows of (secret, class), a few of each, every secret there at least once."""
    n_s, n_y = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    n = draw(st.integers(1, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.integers(n_s, size=n), rng.integers(n_y, size=n)


def lift_of(s, y):
    codes = np.column_stack([s, y])
    return dc.Counts.of_codes(codes, (s.max() + 1, y.max() + 1)).joint().lift()


def shares(s, size):
    return np.bincount(s, minlength=size) / s.size


@settings(max_examples=60, deadline=None)
@given(table=tables())
def test_each_notion_is_its_definition_on_rows(table):
    s, y = table
    size = s.max() + 1
    whole = shares(s, size)
    classes = [shares(s[y == c], size) for c in np.unique(y)]
    lift = lift_of(s, y)
    occurs = whole > 0
    with np.errstate(divide="ignore"):
        logs = [np.abs(np.log(q[occurs] / whole[occurs])).max() for q in classes]
    surprise = [-sum(p * math.log(p) for p in q if p > 0) for q in classes]

    assert classical.k_anonymity(lift).value == min(np.sum(y == c) for c in np.unique(y))
    assert classical.distinct_diversity(lift).value == min(np.unique(s[y == c]).size for c in np.unique(y))
    assert classical.entropy_diversity(lift).value == pytest.approx(math.exp(min(surprise)))
    assert classical.t_closeness(lift).value == pytest.approx(
        max(0.5 * np.abs(q - whole).sum() for q in classes)
    )
    assert classical.delta_disclosure(lift).value == pytest.approx(max(logs))
    gains = [(q[occurs] - whole[occurs]) / whole[occurs] for q in classes]
    assert classical.beta_likeness(lift).value == pytest.approx(max(g.max() for g in gains), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(table=tables())
def test_the_ordered_distance_is_the_earth_movers(table):
    from scipy.stats import wasserstein_distance

    s, y = table
    places = np.arange(s.max() + 1)
    whole = shares(s, places.size)
    moved = [
        wasserstein_distance(places, places, shares(s[y == c], places.size), whole) for c in np.unique(y)
    ]
    read = classical.t_closeness(lift_of(s, y), distance="ordered").value
    assert read == pytest.approx(max(moved) / max(places.size - 1, 1), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(table=tables())
def test_what_each_notion_promises_holds(table):
    lift = lift_of(*table)
    blind = float(lift.p_s.max())
    t, beta, delta = (
        f(lift).value for f in (classical.t_closeness, classical.beta_likeness, classical.delta_disclosure)
    )
    guess = float(m.guessing_probability(lift))
    assert float(m.total_variation(lift)) <= t + SLACK
    assert float((lift.posterior * (lift.p_y > 0)).max()) <= blind + t + SLACK
    assert float(m.maximal_leakage(lift)) <= math.log1p(beta) + SLACK
    assert guess <= (1 + beta) * blind + SLACK
    assert beta <= math.exp(delta) - 1 + SLACK
    assert float(m.local_privacy(lift)) <= 2 * delta + SLACK
    told = float(m.entropy(lift)) - math.log(classical.entropy_diversity(lift).value)
    assert float(m.mutual_information(lift)) <= told + SLACK
    assert classical.entropy_diversity(lift).value <= classical.distinct_diversity(lift).value + SLACK


def test_k_belongs_to_a_table():
    with pytest.raises(LawError, match="count the rows"):
        classical.k_anonymity(dc.Joint([[0.3, 0.1], [0.15, 0.45]]).lift())
    with pytest.raises(ParameterError):
        classical.t_closeness(dc.Joint([[0.3, 0.1], [0.15, 0.45]]).lift(), distance="far")


def test_classes_and_secrets_without_a_record_are_not_seen():
    with_empty = dc.Counts([[30, 0, 10], [0, 0, 0], [15, 0, 45]]).joint().lift()
    without = dc.Counts([[30, 10], [15, 45]]).joint().lift()
    for row in classical.CLASSICAL:
        assert row.function(with_empty).value == pytest.approx(row.function(without).value)


def test_more_secrets_than_a_block_holds_are_moved_in_order():
    s, y = np.divmod(np.arange(6 * 40_000), 40_000)
    lift = lift_of(s, y % 40_000)
    assert classical.t_closeness(lift, distance="ordered").value == pytest.approx(0)
    n = np.ones((9, 40_000), dtype=int)
    n[0, 0] = 100
    spoiled = dc.Counts(n).joint().lift()
    whole, one = spoiled.p_s, n[:, 0] / n[:, 0].sum()
    expected = np.abs(np.cumsum(one - whole)).sum() / 8
    assert classical.t_closeness(spoiled, distance="ordered").value == pytest.approx(expected)


def test_every_notion_says_what_it_is():
    lift = dc.Counts([[30, 10], [15, 45]]).joint().lift()
    assert [repr(row.function(lift)).split(" = ")[0] for row in classical.CLASSICAL] == [
        "k",
        "distinct l",
        "entropy l",
        "t",
        "δ",
        "β",
    ]
