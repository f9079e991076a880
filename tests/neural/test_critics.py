"""Each objective reaches, at its best critic, the number it is a bound of, and never more."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.core.joint import Joint
from discreet.measures import chi_squared, mutual_information
from discreet.neural import critics

P = np.array([[0.3, 0.1, 0.05], [0.15, 0.2, 0.2]])


def sample() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows in exact proportion: one row a hundredth, the release and the secret one-hot."""
    s, y = np.divmod(np.repeat(np.arange(6), np.round(P.ravel() * 100).astype(int)), 3)
    return np.eye(2)[s], y, P.sum(axis=1)


def best(name: str) -> np.ndarray:
    """The best scores g[y, s] of each objective."""
    p_s, p_y = P.sum(axis=1), P.sum(axis=0)
    ratio = (P / np.outer(p_s, p_y)).T
    return {
        "log_loss": np.log(ratio * p_s) + 3.0,
        "donsker_varadhan": np.log(ratio) + 0.7,
        "nwj": np.log(ratio),
        "chi_squared": -5 * ratio + 2,
        "squared": ratio * p_s - p_s,
        "alpha_loss": 2 * np.log(ratio * p_s),  # the posterior, tilted to the power α
    }[name]


TRUE = {
    "log_loss": float(mutual_information(Joint(P).lift())),
    "donsker_varadhan": float(mutual_information(Joint(P).lift())),
    "nwj": float(mutual_information(Joint(P).lift())),
    "chi_squared": float(np.sqrt(float(chi_squared(Joint(P).lift())))),
    "squared": 2 * 0.45 * 0.55 * float(chi_squared(Joint(P).lift())),
}


@pytest.mark.parametrize("name", sorted(TRUE))
def test_the_best_critic_reaches_it(name: str) -> None:
    s, y, p_s = sample()
    found = critics.OBJECTIVES[name](np, best(name)[y], s, p_s)
    assert found == pytest.approx(TRUE[name], rel=1e-5)


@pytest.mark.parametrize("name", sorted(TRUE))
def test_no_critic_goes_beyond_it(name: str) -> None:
    s, y, p_s = sample()
    rng = np.random.default_rng(0)
    for _ in range(200):
        near = best(name) * rng.uniform(0.2, 2) + rng.normal(size=(3, 2)) * rng.uniform(0, 1)
        assert critics.OBJECTIVES[name](np, near[y], s, p_s) <= TRUE[name] + 1e-9


def test_alpha_loss_reaches_its_corrected_value() -> None:
    """E38 on the law of the errata: the least loss is .40723 for α = 2."""
    p = np.array([[0.3, 0.1], [0.15, 0.45]])
    s, y = np.divmod(np.repeat(np.arange(4), np.round(p.ravel() * 100).astype(int)), 2)
    g = 2 * np.log(p / p.sum(axis=0)).T
    found = critics.alpha_loss(np, g[y], np.eye(2)[s], p.sum(axis=1), alpha=2.0)
    assert -found == pytest.approx(0.40723, abs=1e-5)


def test_clipped_nwj_is_the_clipped_log_lift() -> None:
    """E35: within |g| ≤ M the best NWJ critic is the log-lift, clipped."""
    s, y, p_s = sample()
    clipped = np.clip(best("nwj"), -0.3, 0.3)
    top = critics.nwj(np, clipped[y], s, p_s)
    rng = np.random.default_rng(1)
    for _ in range(200):
        other = np.clip(clipped + rng.normal(size=(3, 2)) * 0.1, -0.3, 0.3)
        assert critics.nwj(np, other[y], s, p_s) <= top + 1e-12


def test_mmd_is_zero_at_independence_only() -> None:
    rng = np.random.default_rng(2)
    y = np.repeat(rng.normal(size=(50, 2)), 2, axis=0)
    s = np.eye(2)[np.tile([0, 1], 50)]
    assert critics.kernel_mmd(np, y, s, np.array([0.5, 0.5])) == pytest.approx(0, abs=1e-12)
    assert critics.kernel_mmd(np, y + s[:, :1], s, np.array([0.5, 0.5])) > 0.05


def test_gaussian_kl_is_the_closed_form() -> None:
    """Between N(0, 1) and N(1, 4): log 2 + 2/8 − 1/2 one way, and −log 2 + 5/2 − 1/2 the other."""
    mean, log_variance = np.array([[0.0], [1.0]]), np.log([[1.0], [4.0]])
    there, back = np.log(2) + 2 / 8 - 0.5, -np.log(2) + 5 / 2 - 0.5
    found = critics.pairwise_gaussian_kl(np, mean, log_variance, np.eye(2))
    assert found == pytest.approx((there + back) / 2)


def test_numeric_squared_is_the_variance_told() -> None:
    s = np.array([[-1.0], [1.0], [1.0], [-1.0]])
    assert critics.numeric_squared(np, 0.5 * s, s, None) == pytest.approx(0.75)
