"""The adversary who knows the law: he reaches what the measures say, and nobody passes him."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.adversaries import GaussianAdversary, MapAdversary, MixtureAdversary
from discreet.core.axis import Axis
from discreet.core.channel import MatrixChannel
from discreet.core.errors import AxisError, ParameterError
from discreet.core.joint import Joint
from discreet.measures.gaussian import Gaussian
from discreet.measures.mixture import GaussianMixture


def law(rng, *shape):
    return Joint(rng.dirichlet(np.full(int(np.prod(shape)), 0.5)).reshape(shape))


def test_his_rate_is_that_of_the_release(rng):
    joint = law(rng, 3, 5)
    channel = MatrixChannel(rng.dirichlet(np.ones(4), size=5))
    adversary = MapAdversary(joint, channel)
    released = joint.p @ channel.p
    assert adversary.guessing_probability.value == pytest.approx(released.max(axis=0).sum())
    assert adversary.guessing_probability.side == "exact"
    right = released[adversary.guess(np.arange(4)), np.arange(4)].sum()
    assert right == pytest.approx(adversary.guessing_probability.value)


def test_a_channel_that_sees_the_secret_is_read_as_one(rng):
    joint = law(rng, 2, 3)
    tells = np.zeros((2, 3, 2))
    tells[0, :, 0] = tells[1, :, 1] = 1
    assert MapAdversary(joint, MatrixChannel(tells)).guessing_probability.value == pytest.approx(1.0)


def test_drawn_records_are_guessed_as_often_as_he_says(rng):
    joint = law(rng, 3, 6)
    adversary = MapAdversary(joint)
    cells = rng.choice(18, 40_000, p=joint.p.ravel())
    s, x = np.divmod(cells, 6)
    assert (adversary.guess(x) == s).mean() == pytest.approx(adversary.guessing_probability.value, abs=0.01)


def test_his_estimate_is_the_conditional_mean_and_his_error_the_least(rng):
    values = np.array([0.0, 1.0, 5.0])
    joint = Joint(law(rng, 3, 4).p, axes=(Axis("s", values=tuple(values)), "x"))
    adversary = MapAdversary(joint)
    mean = values @ joint.p / joint.p.sum(axis=0)
    np.testing.assert_allclose(adversary.estimate(np.arange(4)), mean)
    missed = ((values[:, None] - mean) ** 2 * joint.p).sum()
    assert adversary.mmse().value == pytest.approx(missed)


def test_a_release_that_never_occurs_is_guessed_by_the_prior():
    joint = Joint([[0.3, 0.0, 0.1], [0.1, 0.0, 0.5]])
    assert MapAdversary(joint).guess([1])[0] == 1


def test_wrong_input_is_said():
    joint = Joint([[0.3, 0.1], [0.15, 0.45]])
    with pytest.raises(ParameterError, match="symbol numbers 0 … 1"):
        MapAdversary(joint).guess([2])
    with pytest.raises(ParameterError, match="a number for each"):
        MapAdversary(joint).estimate([0])
    with pytest.raises(AxisError):
        MapAdversary(Joint(np.full((2, 2, 2), 1 / 8), axes=("s", "a", "x")))


def test_a_mixture_is_guessed_as_often_as_he_says(rng):
    prior, means, variances = np.array([0.25, 0.75]), np.array([-1.0, 1.0]), np.array([1.0, 4.0])
    adversary = MixtureAdversary(GaussianMixture(prior, means, variances))
    s = rng.choice(2, 200_000, p=prior)
    y = means[s] + np.sqrt(variances[s]) * rng.normal(size=s.size)
    assert (adversary.guess(y) == s).mean() == pytest.approx(adversary.guessing_probability.value, abs=0.004)
    error = ((adversary.estimate(y, [0, 1]) - s) ** 2).mean()
    assert error == pytest.approx(adversary.mmse([0, 1]).value, abs=0.002)
    density = prior * np.exp(-((y[:9, None] - means) ** 2) / 2 / variances) / np.sqrt(variances)
    np.testing.assert_allclose(adversary.posterior(y[:9]), density / density.sum(axis=1, keepdims=True))


def test_far_out_only_the_widest_law_is_believed():
    adversary = MixtureAdversary(GaussianMixture([0.5, 0.5, 0.0], [-1, 1, 0], [1, 4, 9]))
    np.testing.assert_allclose(adversary.posterior([1e6]), [[0, 1, 0]])


def test_the_linear_estimate_is_the_best_where_all_is_normal(rng):
    root = rng.normal(size=(5, 5))
    cov = root @ root.T
    law = Gaussian(cov[:2, :2], cov[2:, 2:], cov[:2, 2:])
    both = rng.multivariate_normal(np.zeros(5), cov, 100_000)
    adversary = GaussianAdversary(law)
    error = ((adversary.estimate(both[:, 2:]) - both[:, :2]) ** 2).sum(axis=1).mean()
    assert error == pytest.approx(adversary.mmse.value, rel=0.02)


def test_wrong_numbers_are_said():
    adversary = MixtureAdversary(GaussianMixture([0.5, 0.5], [-1, 1], [1, 1]))
    with pytest.raises(AxisError, match="finite numbers"):
        adversary.guess([np.nan])
    with pytest.raises(ParameterError, match="a number for each"):
        adversary.estimate([0.0], [1, 2, 3])
    with pytest.raises(AxisError, match="releases of 2"):
        GaussianAdversary(Gaussian(1, np.eye(2), [[0.5, 0.1]])).estimate([1.0, 2.0])
