"""How many rows: more for a smaller width, and what is planned is what happens."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench.coverage import randomised

from discreet.core.errors import ParameterError
from discreet.core.joint import Joint
from discreet.estimators.bounds import learning_curve, rows_needed

EVEN = Joint([[0.25, 0.25], [0.25, 0.25]])
LEAKING = Joint([[0.3, 0.1], [0.15, 0.45]])


def fresh() -> np.random.Generator:
    return np.random.default_rng(0)


def test_the_curve_falls_towards_the_truth():
    for measure, at in (
        ("guessing_probability", None),
        ("mutual_information", None),
        ("e_gamma", 1.2),
        ("gain", None),
    ):
        curve = learning_curve(LEAKING, measure, [50, 500, 5000, 500_000], at=at, rng=fresh(), repetitions=10)
        assert (np.diff(curve.width) < 0).all()
        assert curve.width[-1] < 0.01
        assert (curve.bound >= curve.truth).all()
    noisy = learning_curve(LEAKING, "mutual_information", [5000], channel=randomised(2, 1.0), rng=fresh())
    plain = learning_curve(LEAKING, "mutual_information", [5000], rng=fresh())
    assert noisy.width[0] < plain.width[0]
    dark = learning_curve(LEAKING, "conditional_entropy", [500, 50_000], rng=fresh())
    assert dark.width[1] < dark.width[0]


def test_rows_for_a_width_are_enough_and_not_many_more():
    for width in (0.05, 0.02):
        n = rows_needed(EVEN, "guessing_probability", width, rng=fresh())
        assert 0.5 < n / (math.log(20) / (2 * width**2)) < 2.5
        assert (
            learning_curve(EVEN, "guessing_probability", [n], rng=np.random.default_rng(9)).width[0]
            < 1.15 * width
        )
    near, far = (
        rows_needed(LEAKING, "mutual_information", width, rng=fresh(), repetitions=3)
        for width in (0.02, 0.05)
    )
    assert near > 2 * far
    assert rows_needed([[30, 10], [15, 45]], "total_variation", 0.05, rng=fresh(), repetitions=5) > 100
    assert learning_curve(LEAKING, "mutual_information", [near], rng=fresh(), repetitions=10).width[0] < 0.024


def test_what_cannot_be_planned():
    with pytest.raises(ParameterError, match="width"):
        rows_needed(EVEN, "guessing_probability", 0.0)
    with pytest.raises(ParameterError, match="at a number"):
        rows_needed(EVEN, "e_gamma", 0.1)
    with pytest.raises(ParameterError):
        rows_needed(EVEN, "gain", 0.1, at=2.0)
    with pytest.raises(ParameterError):
        rows_needed(EVEN, "shannon", 0.1)
    with pytest.raises(ParameterError):
        learning_curve(EVEN, "gain", [0])
    with pytest.raises(ParameterError, match="rows would be needed"):
        rows_needed(Joint([[0.5, 0], [0, 0.5]]), "local_privacy", 0.1, repetitions=1)
