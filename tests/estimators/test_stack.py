"""The default stack on laws whose lift is known: near the truth, and nothing where there is nothing."""

import numpy as np
import pytest

from discreet.datasets.known_lifts import problem
from discreet.estimators import Stack

TRIM = 3.0

MOST = {
    "one normal number": 0.35,
    "rings": 0.62,
    "exclusive or of three flags": 0.25,
    "mixed columns": 0.35,
    "telling gaps": 0.25,
    "codes that look like numbers": 0.35,
}
"""How far from the truth the learned lift may be, as a share of how far nothing is."""


def missed(log_lift, true):
    return float(np.sqrt(np.mean((np.clip(log_lift, -TRIM, TRIM) - np.clip(true, -TRIM, TRIM)) ** 2)))


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST)
def test_the_lift_is_near_the_truth(name):
    rng = np.random.default_rng(0)
    task = problem(name)
    samples, _ = task.draw(3000, rng)
    fresh, true = task.draw(3000, rng)
    model = Stack(folds=3).fit(samples, rng=rng)
    log_lift = model.lift(fresh.x).log_lift
    assert missed(log_lift, true) < MOST[name] * missed(0 * true, true)
    assert np.abs(model.p_s @ np.exp(log_lift) - 1).max() < 1e-9


def test_nothing_is_found_where_nothing_is():
    rng = np.random.default_rng(0)
    samples, _ = problem("nothing").draw(1500, rng)
    model = Stack(folds=2).fit(samples, rng=rng)
    assert np.abs(model.lift(samples.x).log_lift).max() < 0.5
    held = model.held_out.log_lift[samples.s, np.arange(1500)].mean()
    assert abs(held) < 0.01
    assert "nats are left of" in model.choice
