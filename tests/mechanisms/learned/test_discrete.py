"""GAP for bits: networks of two and four parameters against paper 004's closed forms and against `least_leakage`."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.core.errors import DiscreetError
from discreet.core.joint import Joint
from discreet.measures import guessing_probability, mutual_information
from discreet.mechanisms import least_leakage
from discreet.mechanisms.learned.discrete import gap_discrete
from discreet.mechanisms.learned.rounds import Training

pytest.importorskip("jax")

HAMMING = 1 - np.eye(2)
BUDGETS = [0.02, 0.06, 0.1, 0.14, 0.2, 0.3, 0.5]
MEASURES = {"guessing_probability": guessing_probability, "mutual_information": mutual_information}


def flipped(p: float, q: float) -> Joint:
    """The secret Y = X ⊕ N, X = 1 with probability p, N = 1 with probability q."""
    return Joint([[(1 - p) * (1 - q), p * q], [(1 - p) * q, p * (1 - q)]])


@pytest.mark.parametrize("sees", ["x", "sx"])
@pytest.mark.parametrize("leakage", list(MEASURES))
@pytest.mark.parametrize("p", [0.5, 0.75])
def test_figure_5_within_five_thousandths(p: float, leakage: str, sees: str) -> None:
    law = flipped(p, 0.25)
    found = gap_discrete(law, HAMMING, BUDGETS, leakage=leakage, sees=sees, rng=np.random.default_rng(0))
    for budget, learned in zip(BUDGETS, found, strict=True):
        optimum = least_leakage(law, HAMMING, budget, leakage=leakage, sees=sees)
        assert abs(learned.leakage.value - optimum.leakage.value) <= 0.005
        assert learned.utility.value <= budget + 0.003
        told = MEASURES[leakage](law.through(learned.channel).lift())
        assert learned.leakage.value == pytest.approx(float(told))


def test_the_closed_form_of_mechanisms_that_see_the_secret() -> None:
    """E40: the best guess falls by D until it is the prior's."""
    found = gap_discrete(flipped(0.5, 0.25), HAMMING, BUDGETS, sees="sx", rng=np.random.default_rng(1))
    for budget, design in zip(BUDGETS, found, strict=True):
        assert design.leakage.value == pytest.approx(max(0.75 - budget, 0.5), abs=0.005)


def test_two_numbers_for_a_bit_and_four_if_the_secret_is_seen() -> None:
    from discreet.neural.finite import start

    for sees, count in ((False, 2), (True, 4)):
        table = start(HAMMING, 2, sees, rng=np.random.default_rng(0))["sanitiser"]["table"]
        assert table.size == count


def test_more_symbols_and_another_distortion() -> None:
    rng = np.random.default_rng(3)
    law = Joint(rng.dirichlet(np.ones(12)).reshape(3, 4))
    apart = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    found = gap_discrete(law, apart, [0.3], leakage="mutual_information", rng=rng)
    best = least_leakage(law, apart, 0.3, leakage="mutual_information")
    assert found.points[0].leakage.value - best.leakage.value <= 0.01
    assert found.points[0].utility.value <= 0.31


def test_the_multiplier_keeps_the_budget_as_the_penalty_does() -> None:
    """The augmented Lagrangian, on the same game."""
    from discreet.neural.finite import Finite, masses, start
    from discreet.neural.loop import Schedule, train
    from discreet.neural.networks import stacked

    law = flipped(0.5, 0.25)
    one = start(HAMMING, 2, True, rng=np.random.default_rng(0))
    players = {name: stacked([one[name]]) for name in ("sanitiser", "critic")}
    knobs = {
        "budget": [0.1], "distortion": HAMMING[None], "power": [8.0], "weight": [5.0],
    }  # fmt: skip
    rows = (law.p.astype(np.float32),)
    trained = train(
        Finite(constraint="lagrangian").game(), {**players, "duals": np.zeros((1, 1), np.float32)}, rows, rows,
        knobs=knobs, schedule=Schedule(1500, 5, 2), seed=0,
    )  # fmt: skip
    p = masses(np, trained.players["sanitiser"]["table"][0], HAMMING)
    spent = (law.p[:, :, None] * p * HAMMING).sum()
    assert spent == pytest.approx(0.1, abs=0.005)
    assert trained.players["duals"][0, 0] > 0


def test_the_same_seed_gives_the_same_table() -> None:
    one, two = (
        gap_discrete(
            flipped(0.5, 0.25), HAMMING, [0.1], training=Training(rounds=50), rng=np.random.default_rng(2)
        )
        for _ in range(2)
    )
    assert np.array_equal(one.points[0].channel.p, two.points[0].channel.p)


def test_what_is_refused() -> None:
    rng = np.random.default_rng(0)
    law = flipped(0.5, 0.25)
    with pytest.raises(DiscreetError, match="distortion"):
        gap_discrete(law, np.eye(3), [0.1], rng=rng)
    with pytest.raises(DiscreetError, match="finite"):
        gap_discrete(law, np.where(HAMMING > 0, np.inf, 0), [0.1], rng=rng)
    with pytest.raises(DiscreetError, match="above 0"):
        gap_discrete(law, HAMMING, [-0.1], rng=rng)
    with pytest.raises(DiscreetError, match="sees"):
        gap_discrete(law, HAMMING, [0.1], sees="s", rng=rng)
