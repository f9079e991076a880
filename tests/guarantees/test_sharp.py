"""The bounds that are minima over one number: against the programs they solve."""

import math

import numpy as np
import pytest

from discreet.guarantees import sharp


def coin_kl(p, q):
    with np.errstate(all="ignore"):
        heads, tails = p * np.log(p / q), (1 - p) * np.log((1 - p) / (1 - q))
    return np.where(p > 0, heads, 0) + np.where(p < 1, tails, 0)


GRID = np.linspace(0, 1, 801)
P, Q = np.meshgrid(GRID, GRID[1:-1], indexing="ij")
KL = coin_kl(P, Q)


@pytest.mark.parametrize("gamma", [1.0, 1.3, 3.0])
@pytest.mark.parametrize("eta", [0.003, 0.1, 0.7, 3.0])
def test_the_gap_is_the_best_over_all_pairs_of_coins(eta, gamma):
    allowed = eta >= KL
    best = float((P - gamma * Q)[allowed].max())
    turned = float((Q - gamma * P)[allowed].max())
    assert best <= sharp.kl_gap(eta, gamma) <= best + 0.01
    assert turned <= sharp.kl_gap_turned(eta, gamma) <= turned + 0.01


def test_pinsker_made_sharp_is_fedotov_s_curve():
    for t in (0.05, 0.5, 2.0, 6.0):
        distance = t * (1 - (1 / math.tanh(t) - 1 / t) ** 2)
        information = math.log(t / math.sinh(t)) + t / math.tanh(t) - (t / math.sinh(t)) ** 2
        assert sharp.kl_gap(information, 1.0) == pytest.approx(distance / 2, rel=1e-5)


@pytest.mark.parametrize("law", ["p", "q"])
@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize(("eta", "t"), [(0.01, 0.4), (0.2, 1.0), (0.5, 0.7)])
def test_a_tail_is_the_best_over_all_pairs_of_coins(eta, t, side, law):
    far = (
        np.log(np.maximum(P, 1e-300) / Q) >= t if side == "upper" else np.log(np.maximum(P, 1e-300) / Q) <= -t
    )
    best = float((P if law == "p" else Q)[(eta >= KL) & far].max(initial=0))
    bound = min(sharp.kl_tail(eta, t, side, law), 1.0)
    assert best <= bound + 1e-12
    assert bound <= best + 0.02


def test_every_place_of_the_minimum_is_a_bound():
    """Markov's own, at κ = 1, among them."""
    for eta, eps in ((0.01, 0.5), (0.2, 1.0)):
        assert sharp.kl_tails(eta, eps) <= eta / (eps - 1 + math.exp(-eps))


def test_small_numbers_do_not_cancel():
    assert sharp.kl_bregman(1e-9, 0.0) == pytest.approx(5e-19, rel=1e-6)
    assert sharp.kl_bregman(2e-5, 0.0) == pytest.approx(2e-10 * (1 + 4e-5 / 3), rel=1e-6)
    assert sharp.kl_tails(0.0, 1e-6) == 0
    assert sharp.kl_gap(0.0, 1.0) == pytest.approx(0, abs=1e-3)
    assert sharp.kl_tails(1.0, 0.0) == sharp.kl_tail(1.0, 0.0, "upper", "p") == 1


def test_a_guess():
    assert sharp.kl_guess(0.0, 0.3) == pytest.approx(0.3)
    assert sharp.kl_guess(5.0, 0.3) == 1
    found = sharp.kl_guess(0.1, 0.3)
    assert float(sharp.binary_kl(found, 0.3)) == pytest.approx(0.1)


def test_theta_at_its_ends():
    assert sharp.theta(0.5, 0.0, 1.0) == 0
    assert sharp.theta(-0.5, 0.0, 1.0) == pytest.approx(1 - math.exp(-0.5))
    assert sharp.theta(0.5, 1.0, math.inf) == 0
    assert sharp.theta(0.5, 1.0, 1e-9) == pytest.approx(1)
    assert sharp.theta(60.0, 1.0, 1.0) == 0


def test_least_and_largest():
    assert sharp.least(lambda x: (x - 0.3) ** 2 + 1, 0, 5) == pytest.approx(1)
    assert sharp.largest(lambda x: x < 0.3, 0, 1) == pytest.approx(0.3)
    assert sharp.largest(lambda x: True, 0, 1) == 1
