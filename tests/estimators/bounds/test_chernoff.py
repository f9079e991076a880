"""The searches behind the bounds never undershoot: against the definitions, tried out densely."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from discreet.estimators.bounds import known
from discreet.estimators.bounds.upper import chernoff
from discreet.estimators.bounds.upper.distance import LAMBDAS, _chernoff
from discreet.estimators.bounds.upper.likelihood import _water_filled


def tilted(q: np.ndarray, pi: np.ndarray, lam: float, eta: float) -> np.ndarray:
    """M_λ(q) − 1 + η D(q ‖ π), for laws q in the columns."""
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.where(q > 0, q ** (1 - lam) * pi[:, None] ** lam, 0.0).sum(axis=0) - 1
        told = np.where(q > 0, q * np.log(q / pi[:, None]), 0.0).sum(axis=0)
    return moved + eta * told


def apart(pi: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Laws that set one secret apart and leave the others as they are among themselves."""
    secrets = np.arange(pi.size)[:, None]
    each = [np.where(secrets == s, places, (1 - places) * pi[:, None] / (1 - pi[s])) for s in range(pi.size)]
    return np.concatenate(each, axis=1)


@pytest.mark.parametrize("seed", range(12))
def test_the_maximum_over_laws_is_not_missed(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 7))
    pi = rng.dirichlet(np.full(k, rng.choice([0.3, 1.0, 10.0]))) + 1e-4
    pi /= pi.sum()
    cells = chernoff._rectangles(np.unique(np.stack([pi, pi], axis=1), axis=0))
    q = np.concatenate([rng.dirichlet(np.full(k, a), size=4000).T for a in (0.05, 0.3, 1.0, 5.0)], axis=1)
    near = np.geomspace(1e-9, 0.5, 1500)
    q = np.concatenate([q, *(apart(pi, places) for places in (near, 1 - near))], axis=1)
    for lam in (1e-4, 0.05, 0.4, 0.9, 0.999):
        for eta in (1e-5, 0.1 * lam, lam, 0.5, 3.0):
            goal = -lam * 0.01
            most = chernoff._maximum(cells, chernoff.Exponents(lam, 1 / eta), goal).most
            tried = tilted(q, pi, lam, eta).max()
            assert tried <= most + 1e-11
            assert most <= tried + 5e-3 * (max(tried, 0) - goal)


def test_a_range_of_priors_holds_each_of_them():
    rng = np.random.default_rng(3)
    low, high = np.array([0.1, 0.5, 0.2]), np.array([0.15, 0.62, 0.3])
    cells = chernoff._rectangles(np.stack([low, high], axis=1))
    for lam, eta in ((0.02, 0.01), (0.3, 0.2), (0.8, 1.0)):
        most, tried = chernoff._maximum(cells, chernoff.Exponents(lam, 1 / eta), -0.01).most, 0.0
        for _ in range(200):
            pi = rng.uniform(low, high)
            pi /= pi.sum()
            if ((pi >= low) & (pi <= high)).all():
                q = np.concatenate(
                    [rng.dirichlet(np.full(3, 0.3), size=500).T, apart(pi, np.linspace(0, 1, 301))], axis=1
                )
                tried = max(tried, tilted(q, pi, lam, eta).max())
        assert tried <= most
        assert most <= 1.1 * tried + 1e-3


@pytest.mark.parametrize("pi", [(0.5, 0.5), (0.9, 0.1), (0.2, 0.3, 0.5), (0.999, 0.001)])
@pytest.mark.parametrize("estimate", [0.0, 0.003, 0.1])
@pytest.mark.parametrize("rate", [3e-8, 3e-4, 0.03])
def test_the_inversion_is_that_of_the_definition(pi, estimate, rate):
    """Safe at the exponents that were chosen, and these are nearly the best there are."""
    prior = np.array(pi)
    near = np.geomspace(1e-9, 0.5, 600)
    q = np.concatenate([apart(prior, prior.min() * near), apart(prior, near), apart(prior, 1 - near)], axis=1)

    def at(lam: float, weights: np.ndarray) -> float:
        goal = math.expm1(-lam * estimate - rate)
        moved, told = tilted(q, prior, lam, 0.0), tilted(q, prior, lam, 1.0) - tilted(q, prior, lam, 0.0)
        return min(float(max((w * (moved - goal) + told).max(), -w * goal)) for w in weights)

    found, lam = (
        chernoff.most_information(estimate, rate, prior, prior),
        chernoff._search(estimate, rate, prior.min()).lam,
    )
    here = at(lam, np.geomspace(0.5, 1e5, 6001))
    assert max(here, estimate) <= found * 1.005
    assert found <= max(here, estimate) * 1.005
    best = min(at(other, np.geomspace(0.5, 1e5, 601)) for other in lam * np.geomspace(0.3, 1.5, 9))
    assert found <= max(best, estimate) * 1.05


def test_the_witness_of_a_distance_is_bounded_as_claimed():
    """e^{λ(p − m)} (1 − p + p e^{−λ}) ≤ ξ (1 − m) + m e^{−λ} for every mean m ≤ p, which the inversion stands on."""
    b = np.linspace(0, 1, 2001)
    for lam in (1e-3, 0.1, 0.5, 1.0, 3.0, 10.0, 40.0):
        widest = np.exp(lam * b) * (1 - b + b * math.exp(-lam))
        mean, p = np.meshgrid(np.linspace(0, 1, 201), np.linspace(0, 1, 201), indexing="ij")
        with np.errstate(over="ignore"):
            made = np.exp(lam * (p - mean)) * (1 - p + p * math.exp(-lam))
        allowed = widest.max() * (1 - mean) + mean * math.exp(-lam)
        assert (made[p >= mean] <= allowed[p >= mean] * (1 + 1e-6)).all()


@pytest.mark.parametrize("estimate", [0.0, 0.05, 0.3, 0.9])
@pytest.mark.parametrize("rate", [1e-4, 1e-2])
def test_distances_are_inverted_as_defined(estimate, rate):
    found = _chernoff(estimate, rate)
    b = np.linspace(0, 1, 20_001)
    crossings = []
    for lam in LAMBDAS[::4]:
        widest = (np.exp(lam * b) * (1 - b + b * math.exp(-lam))).max()
        crossings.append((widest - math.exp(-lam * estimate - rate)) / (widest - math.exp(-lam)))
    assert found <= min(crossings) * (1 + 1e-6)
    assert found >= estimate
    rule = estimate + math.sqrt((1 - estimate) * (1 + 4 * estimate) * rate / 2)
    assert found == pytest.approx(rule, rel=0.2)


@pytest.mark.parametrize("seed", range(6))
def test_water_filling_is_the_best_split(seed):
    """Against a general optimiser, at one λ after the other; and never wider than Hoeffding's form."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(5, 400, size=int(rng.integers(2, 6))).astype(float)
    told, log = float(rng.uniform(1, groups.size * 0.8)), math.log(20)
    found = _water_filled(told, groups, log)
    assert told <= found <= min(groups.size, told + known.hoeffding(log * (1 / groups).sum())) + 1e-6

    def least_excluded(lam: float) -> float:
        caught = -np.expm1(-lam / groups)

        def most(theta: float) -> float:
            start = np.full(groups.size, theta / groups.size)
            solved = minimize(
                lambda a: -(groups * np.log1p(-a * caught)).sum(),
                start,
                jac=lambda a: groups * caught / (1 - a * caught),
                bounds=[(0, 1)] * groups.size,
                constraints={
                    "type": "eq",
                    "fun": lambda a: a.sum() - theta,
                    "jac": lambda a: np.ones_like(a),
                },
            )
            return -solved.fun

        low, high = 0.0, float(groups.size)
        if most(high) > -lam * told - log:
            return high
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (low, middle) if most(middle) <= -lam * told - log else (middle, high)
        return high

    tried = min(least_excluded(lam) for lam in math.sqrt(groups.min()) * np.array([0.3, 1.0, 2.0, 4.0, 8.0]))
    assert found <= tried + 1e-3
