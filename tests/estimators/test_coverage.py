"""How often learned bounds hold and verdicts alarm: the bench on a small scale, with fewer draws."""

import numpy as np
import pytest
from bench.coverage_learned import MEASURES, cover

from discreet.datasets.known_lifts import problem
from discreet.estimators import Logistic, leaks, split


@pytest.mark.parametrize("name", ["nothing", "one normal number", "one secret in a hundred", "thresholds"])
def test_learned_lower_bounds_hold(name):
    """Of 60 draws a bound at 95 % misses more than 9 once in a thousand times."""
    found = cover(problem(name), 500, 60)
    for measure in MEASURES:
        assert found.share[measure] >= 51 / 60, measure
        assert found.mean[measure] <= found.truth[measure] + 0.01


def test_bounds_come_near_as_records_are_added():
    few, many = (cover(problem("four secrets in the plane"), n, 10) for n in (500, 10_000))
    for measure in MEASURES[:-1]:  # the tail's bound knows lifts above one only
        missed = [found.truth[measure] - found.mean[measure] for found in (few, many)]
        assert missed[1] < 0.6 * missed[0] or missed[1] < 0.01, measure
    assert many.mean["mutual_information"] > 0.75 * many.truth["mutual_information"]


def test_a_learned_model_seldom_alarms_where_nothing_leaks():
    rng = np.random.default_rng(0)
    alarms = 0
    for _ in range(60):
        learn, judge = split(problem("nothing").draw(200, rng)[0], rng=rng)
        alarms += leaks(Logistic(folds=2).fit(learn, rng=rng), judge, rng=rng).leaks
    assert alarms <= 8
