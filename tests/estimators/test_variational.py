"""The papers' own estimators: the constant that Donsker and Varadhan leave open, the box, and χ²."""

import numpy as np
import pytest

from discreet.core.errors import ParameterError
from discreet.core.joint import Joint
from discreet.core.samples import Column, Columns, Samples
from discreet.estimators import ChiSquared, DonskerVaradhan, Nwj, Tide

pytest.importorskip("jax")
pytestmark = pytest.mark.slow

LAW = np.array([[0.42, 0.05, 0.03], [0.03, 0.12, 0.35]])
"""The law of errata E18 and E35."""

TRUE = Joint(LAW).lift().log_lift
LEVELS = Columns([Column("x", [0, 1, 2], levels=("a", "b", "c"))])


@pytest.fixture(scope="module")
def samples():
    cell = np.random.default_rng(0).choice(6, 12_000, p=LAW.ravel())
    return Samples(Columns([Column("x", cell % 3, levels=("a", "b", "c"))]), cell // 3)


def fitted(estimator, samples):
    return estimator.fit(samples, rng=np.random.default_rng(0))


def test_the_open_constant_is_taken_off(samples):
    model = fitted(DonskerVaradhan(hidden=(32,), folds=2), samples)
    lift = model.lift(LEVELS)
    np.testing.assert_allclose(lift.log_lift, TRUE, atol=0.15)
    assert abs(np.average(model.p_s @ lift.ratio, weights=LAW.sum(axis=0)) - 1) < 0.03
    assert model.origin.clip is None
    assert model.origin.defect < 0.1


def test_in_a_box_only_one_of_the_two_is_the_clipped_lift(samples):
    """Errata E35: the box moves the optimum of Donsker and Varadhan, not that of NWJ."""
    clipped = np.clip(TRUE, -0.5, 0.5)
    inside = np.abs(TRUE) < 0.5
    nwj = fitted(Nwj(trim=0.5, hidden=(32,), folds=2), samples)
    assert nwj.origin.clip == 0.5
    found = nwj.lift(LEVELS).log_lift
    assert np.abs(found).max() <= 0.5 + 1e-6
    np.testing.assert_allclose(found, clipped, atol=0.06)
    tide = fitted(Tide(trim=0.5, hidden=(32,), folds=2), samples).lift(LEVELS).log_lift
    assert np.abs(tide - clipped)[inside].max() < 0.03
    moved = (tide - clipped)[np.abs(TRUE) > 0.6]
    assert np.abs(moved).min() > 0.06  # both ends of the box have moved by the constant


def test_the_squared_critic_finds_the_lift(samples):
    lift = fitted(ChiSquared(hidden=(32,), folds=2), samples).lift(LEVELS)
    np.testing.assert_allclose(lift.ratio, np.exp(TRUE), atol=0.15)


@pytest.mark.parametrize("estimator", [Tide(trim=0.0), Nwj(trim=-1.0)])
def test_a_box_has_a_size(estimator, samples):
    with pytest.raises(ParameterError, match="a trim above 0"):
        fitted(estimator, samples)


def test_beyond_a_stated_size_a_sample_is_learned_from(samples, monkeypatch):
    from discreet.estimators import variational

    monkeypatch.setattr(variational, "MOST_ROWS", 300)
    model = fitted(Nwj(hidden=(8,), folds=2), samples)
    assert model.rows.size == model.origin.n == model.held_out.shape[1] == 300
    assert "a random 300 of 12,000 records" in model.choice
