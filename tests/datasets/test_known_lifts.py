"""The laws that estimators are judged by: posteriors that are laws, with the shares they claim."""

import numpy as np
import pytest

from discreet.datasets.known_lifts import PROBLEMS, problem

NAMES = [p.name for p in PROBLEMS]


@pytest.mark.parametrize("name", NAMES)
def test_the_true_lift_is_a_lift(name):
    task = problem(name)
    _, posterior, p_s = task.law(8000, np.random.default_rng(0))
    assert np.abs(posterior.sum(axis=1) - 1).max() < 1e-12
    error = posterior.std(axis=0) / np.sqrt(8000)
    assert (np.abs(posterior.mean(axis=0) - p_s) <= 5 * error + 1e-12).all()


@pytest.mark.parametrize("name", NAMES)
def test_secrets_are_drawn_from_it(name):
    samples, true = problem(name).draw(8000, np.random.default_rng(1))
    _, _, p_s = problem(name).law(10, np.random.default_rng(0))
    assert samples.size == p_s.size == len(true)
    p = np.exp(true) * p_s[:, None]
    # every record's secret, against the chance that it had: calibrated over a split by that very chance
    for s in range(samples.size):
        high = p[s] > np.median(p[s])
        for part in (high, ~high):
            if part.sum() > 50:
                spread = np.sqrt((p[s, part] * (1 - p[s, part])).sum()) + 1e-9
                assert abs((samples.s[part] == s).sum() - p[s, part].sum()) < 5 * spread


def test_there_are_twenty_and_they_differ():
    assert len(set(NAMES)) == len(PROBLEMS) == 20
    with pytest.raises(StopIteration):
        problem("none of them")
