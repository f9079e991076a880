"""What the embedded data are, and that the toy laws have the answers they are known for."""

import math

import numpy as np
import pytest

import discreet as dc
from discreet import measures as m
from discreet.core.errors import AxisError
from discreet.datasets import survey, toy


def test_the_survey_is_whole():
    counts = survey.votes("vote", "party", "education")
    assert counts.total == 944
    assert counts.n.sum(axis=(1, 2)).tolist() == [551, 393]
    assert counts.joint().axes[1].labels[0] == "strong Democrat"
    for column in survey.AXES:
        assert survey.votes(column).n.sum() == 944
        assert (survey.votes(column).n > 0).all(), column


def test_ages_fall_into_the_group_their_label_says():
    assert survey.votes("age").n.shape == (4,)
    assert np.searchsorted(survey.AGES, [18, 29, 30, 44, 45, 64, 65, 91], side="right").tolist() == [
        0,
        0,
        1,
        1,
        2,
        2,
        3,
        3,
    ]


def test_a_column_that_is_not_there():
    with pytest.raises(AxisError, match="shoe_size"):
        survey.votes("vote", "shoe_size")


def test_toy_laws():
    assert float(m.guessing_probability(toy.two_by_two().lift())) == pytest.approx(0.75)
    assert float(m.guessing_probability(toy.symmetric(0.1, 5).lift())) == pytest.approx(0.9)
    assert float(m.maximal_correlation(toy.symmetric(0.1).lift())) == pytest.approx(0.8)
    assert toy.symmetric(0.3, 1).p.tolist() == [[1.0]]
    xor = toy.exclusive_or()
    assert float(m.mutual_information(xor.marginal("s", "x1").lift())) == 0
    assert float(xor.given("x1").average(m.mutual_information)) == pytest.approx(math.log(2))
    first, second = m.conditional_density(toy.digits())
    assert first[37, 3] == pytest.approx(math.log(10))
    assert second[37, 3, 7] == pytest.approx(math.log(10))
    assert isinstance(toy.digits(3), dc.Joint)
