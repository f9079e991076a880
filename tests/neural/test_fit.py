"""A critic of a law that is known: its bound, its log-lift, its refusals, and the same result twice."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.core.errors import DiscreetError
from discreet.neural import Critic, fit_critic

TOLD = 0.3369
"""I(S; X) of a fair coin seen through N(±1, 1), in nats."""


def draw(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    s = rng.integers(0, 2, n)
    return np.c_[rng.normal(2 * s - 1, 1), rng.normal(size=n)], s


def log_lift(x: np.ndarray) -> np.ndarray:
    g = np.c_[-((x[:, 0] + 1) ** 2) / 2, -((x[:, 0] - 1) ** 2) / 2]
    return g - np.log(np.exp(g).mean(axis=1))[:, None]


def fitted(objective: str, **settings: float) -> Critic:
    x, s = draw(8000)
    return fit_critic(x, s, 2, objective, rng=np.random.default_rng(1), **settings)


@pytest.mark.parametrize("objective", ["log_loss", "donsker_varadhan", "nwj"])
def test_the_log_lift_is_found(objective: str) -> None:
    critic = fitted(objective)
    x, _ = draw(4000, seed=5)
    near = np.abs(x[:, 0]) < 2
    assert critic.held_out == pytest.approx(TOLD, abs=0.06)
    assert np.abs(critic.log_lift(x) - log_lift(x))[near].mean() < 0.12


@pytest.mark.parametrize("objective", ["squared", "chi_squared"])
def test_the_ratio_is_found(objective: str) -> None:
    critic = fitted(objective)
    x, _ = draw(4000, seed=5)
    assert np.abs(np.exp(critic.log_lift(x)) - np.exp(log_lift(x))).mean() < 0.08


def test_a_clip_is_kept() -> None:
    critic = fitted("nwj", clip=0.5)
    x, _ = draw(1000, seed=6)
    assert np.abs(critic.scores(x)).max() <= 0.5


def test_the_same_seed_gives_the_same_critic() -> None:
    x, s = draw(500)
    once, again = (fit_critic(x, s, 2, steps=30, rng=np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(once.scores(x), again.scores(x))


def test_extremes_do_not_break_it() -> None:
    """A constant column, a secret that never occurs, and a record of enormous numbers."""
    x, s = draw(400)
    x = np.c_[x, np.full(400, 7.0)]
    critic = fit_critic(x, s, 3, steps=60, rng=np.random.default_rng(0))
    assert np.isfinite(critic.scores(x * 1e6)).all()


@pytest.mark.parametrize(
    ("x", "s", "objective"),
    [
        (np.array([[1.0], [np.nan]]), [0, 1], "log_loss"),
        (np.ones((2, 1)), [0, 2], "log_loss"),
        (np.ones((1, 1)), [0], "log_loss"),
        (np.ones((3, 1)), [0, 1], "log_loss"),
        (np.ones((2, 1)), [0, 1], "hinge"),
    ],
)
def test_what_is_refused(x: np.ndarray, s: list[int], objective: str) -> None:
    with pytest.raises(DiscreetError, match="to do"):
        fit_critic(x, s, 2, objective, rng=np.random.default_rng(0))
