"""The rules of a game: which players move, what each constraint holds, and secrets that are numbers."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.neural.constraints import added, lagrangian, penalty
from discreet.neural.contest import Contest, Utility
from discreet.neural.sanitisers import AdditiveNoise, Generator, ShiftByClass

pytest.importorskip("jax")


def test_who_moves() -> None:
    family = Generator(2)
    assert [m.players for m in Contest(family).game().moves] == [("critic",), ("sanitiser",)]
    decoded = Contest(family, utility=Utility("decoder"), aim="loss")
    assert [m.players for m in decoded.game().moves] == [("critic", "decoder"), ("sanitiser",)]
    alone = Contest(family, objective="kernel_mmd")
    assert [m.players for m in alone.game().moves] == [("sanitiser",)]
    assert Contest(family, critic_steps=7).game().moves[0].steps == 7


def test_equal_rules_share_one_program() -> None:
    assert Contest(Generator(2, (3,))).game() is Contest(Generator(2, (3,))).game()
    assert Contest(Generator(2)).game() is not Contest(Generator(3)).game()


def test_only_a_lagrangian_has_multipliers() -> None:
    for constraint in ("penalty", "lagrangian", "weight"):
        game = Contest(Generator(1), utility=Utility("distortion", (1.0,)), constraint=constraint).game()
        assert (game.violation is not None) == (constraint == "lagrangian")


def test_penalty_and_hinge_are_nothing_within_the_budget() -> None:
    assert penalty(np, -0.3, 5.0) == 0
    assert penalty(np, 0.3, 5.0) == pytest.approx(1.5)
    assert added(np, "weight", -0.3, 0.0, 5.0) == pytest.approx(-1.5)


def test_the_lagrangian_has_its_slack_at_its_best() -> None:
    """λ (v + δ) + ρ/2 (v + δ)², least over slacks δ ≥ 0."""
    slacks = np.linspace(0, 10, 200_001)
    for over in (-2.0, -0.1, 0.0, 0.4):
        for dual in (0.0, 0.5, 3.0):
            for weight in (0.7, 4.0):
                by_hand = (dual * (over + slacks) + weight / 2 * (over + slacks) ** 2).min()
                assert lagrangian(np, over, dual, weight) == pytest.approx(by_hand, abs=1e-6)


def test_a_share_of_the_budget_can_be_zero_and_the_whole_is_kept() -> None:
    family = ShiftByClass(2)
    own = {"point": np.array([[[0.0], [2.0]], [[0.0], [0.0]]]), "slack": np.zeros(1)}
    knobs = {"budget": np.array(3.0), "p_s": np.array([0.25, 0.75])}
    b, g = family.parameters(np, own, knobs)
    assert b[0, 0] == 0
    assert not g.any()
    assert knobs["p_s"] @ (b[:, 0] ** 2 + g[:, 0] ** 2) == pytest.approx(3.0)


@pytest.mark.slow
def test_a_secret_that_is_a_number_is_hidden() -> None:
    """X = S + noise, both standard normal: X tells half of Var S. Normal noise with E |Y − X| = 1.5 would leave .18 of
    it; what is learned within that distortion leaves no more, up to sampling.
    """
    from discreet.neural.loop import Schedule, train
    from discreet.neural.networks import stacked

    rng = np.random.default_rng(0)
    s = rng.normal(size=(4000, 1)).astype(np.float32)
    x = s + rng.normal(size=(4000, 1)).astype(np.float32)
    contest = Contest(
        Generator(1, hidden=(16,), latent=1), objective="numeric_squared", critics=((16,),), activation="tanh",
        utility=Utility("distortion", (1.0,)), rates=(1e-2, 1e-2),
    )  # fmt: skip
    one = contest.start(1, 1, rng=rng)
    start = {name: stacked([held]) if isinstance(held, dict) and held else held for name, held in one.items()}
    start["duals"] = np.zeros((1, 1), np.float32)
    knobs = {"budget": [1.5], "p_s": [[1.0]], "weight": [1.0]}
    trained = train(
        contest.game(), start, (x[400:], s[400:]), (x[:400], s[:400]), knobs=knobs,
        schedule=Schedule(600, 5, 512), seed=0,
    )  # fmt: skip
    own = {name: held[0] for name, held in trained.players["sanitiser"].items()}
    drawn = rng.normal(size=(4000, contest.sanitiser.noise.normals)), np.empty((4000, 0))
    y, _ = contest.sanitiser.release(np, own, x, None, drawn, None)
    assert np.abs(y - x).mean() < 1.65
    told = np.corrcoef(y[:, 0], s[:, 0])[0, 1] ** 2
    assert told < 0.23
    assert trained.score[0] < 0.3


def test_additive_noise_does_not_look_at_the_record() -> None:
    family = AdditiveNoise(2)
    own = family.start(np.random.default_rng(0))
    drawn = (np.random.default_rng(1).normal(size=(5, family.latent)), np.empty((5, 0)))
    first, second = (
        family.release(np, own, x, None, drawn, None)[0] - x for x in (np.zeros((5, 2)), np.ones((5, 2)))
    )
    assert np.allclose(first, second)
    assert np.abs(first).max() > 0
