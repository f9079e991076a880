"""Utility is the share of values that stay, numbers by how far they move beside how far people are apart."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.core.samples import Column, Columns
from discreet.mechanisms.learned.layout import Layout
from discreet.mechanisms.learned.likeness import Likeness


@pytest.fixture
def people():
    rng = np.random.default_rng(0)
    return Columns(
        [
            Column("age", rng.integers(20, 60, 4000).astype(float)),
            Column("work", rng.integers(0, 3, 4000), ("a", "b", "c")),
            Column("country", (rng.random(4000) < 0.01).astype(int), ("here", "there")),
            Column("planet", np.zeros(4000, dtype=int), ("earth", "mars")),
        ]
    )


def likeness_of(columns):
    layout = Layout.of(columns)
    matrix = layout.matrix(columns)
    return Likeness.of(layout, matrix), matrix


def test_untouched_is_one_and_each_column_counts_alike(people):
    likeness, x = likeness_of(people)
    assert likeness.utility(x, x) == 1
    for place in (1, 2):
        y = x.copy()
        y[:, place] = (y[:, place] + 1) % 2
        assert likeness.utility(x, y) == pytest.approx(1 - (x[:, place] != y[:, place]).mean() / 3, abs=1e-12)


def test_somebody_elses_number_costs_a_column_in_the_mean(people):
    likeness, x = likeness_of(people)
    y = x.copy()
    y[:, 0] = np.random.default_rng(1).permutation(x[:, 0])
    assert likeness.utility(x, y) == pytest.approx(1 - 1 / 3, abs=0.01)


def test_what_everybody_has_counts_for_nothing(people):
    likeness, x = likeness_of(people)
    y = x.copy()
    y[:, 3] = 1
    assert likeness.utility(x, y) == 1


def test_a_nearly_constant_release_keeps_hardly_any_spread(people):
    likeness, x = likeness_of(people)
    y = np.tile(x[0], (len(x), 1))
    assert likeness.spread(x, y) == 0
    y[0] = x[1]
    assert 0 <= likeness.spread(x, y) < 0.02
    assert likeness.spread(x, x) == pytest.approx(1)
