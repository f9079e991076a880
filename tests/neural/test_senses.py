"""Tents: they add up to one, stand where people are, and never where one person is alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.neural.senses import COMMON, SHARED, finer, finer_width, knots_of, tents

POINTS = st.lists(st.floats(-50, 50).map(lambda v: round(v, 3)), min_size=2, max_size=9, unique=True).map(
    sorted
)


@given(POINTS, st.lists(st.floats(-100, 100), min_size=1, max_size=20))
def test_tents_share_one_between_the_knots_beside(at, y):
    made = tents(np, np.array(y), np.array(at))
    assert made.shape == (len(y), len(at))
    assert made.min() >= 0
    np.testing.assert_allclose(made.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(made @ np.array(at), np.clip(y, at[0], at[-1]), atol=1e-9)


@given(POINTS)
def test_a_knot_is_its_own_tent(at):
    np.testing.assert_array_equal(tents(np, np.array(at), np.array(at)), np.eye(len(at)))


def test_features_are_followed_by_the_tents_of_the_first_ones():
    y = np.array([[0.0, 5.0, 1.0], [1.0, 6.0, 0.0]])
    made = finer(np, y, ((0.0, 1.0), ()))
    assert made.shape[1] == finer_width(3, ((0.0, 1.0), ()))
    np.testing.assert_array_equal(made, [[0, 5, 1, 1, 0], [1, 6, 0, 0, 1]])
    assert finer(np, y, ()) is y


@given(st.lists(st.integers(0, 40), min_size=1, max_size=400), st.integers(2, 12))
def test_knots_are_values_that_several_people_have(values, most):
    x = np.array(values, dtype=float)
    made = knots_of(x, most)
    value, often = np.unique(x, return_counts=True)
    shared = value[often >= SHARED]
    assert list(made) == sorted(set(made))
    assert set(made) <= set(shared)
    common = often >= max(SHARED, COMMON * x.size + 1)
    if made and common.sum() <= most:
        assert set(value[common]) <= set(made)


@pytest.mark.parametrize("x", [np.random.default_rng(0).normal(size=500), np.ones(500), np.arange(4.0)])
def test_no_knots_without_common_values_or_with_one_alone(x):
    assert knots_of(x) == ()
