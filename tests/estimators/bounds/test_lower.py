"""What an attacker is known to reach is never more than the truth, and a learned one is caught out when he boasts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet import measures as m
from discreet.core.errors import AxisError, EvidenceError, LawError
from discreet.core.joint import Joint
from discreet.estimators.bounds import lower, upper

LAW = np.array([[0.3, 0.1], [0.15, 0.45]])


def drawn(n: int, seed: int, law: np.ndarray = LAW) -> np.ndarray:
    return np.random.default_rng(seed).multinomial(n, law.ravel()).reshape(law.shape)


def truth(measure, n, *at):
    p = n.sum(axis=1, keepdims=True) / n.sum() * LAW / LAW.sum(axis=1, keepdims=True)
    return measure(Joint(p).lift(), *at).value


def test_lower_and_upper_close_in_on_the_truth():
    for n, apart in ((1000, 0.2), (100_000, 0.02), (10_000_000, 0.002)):
        held, design = drawn(n, 1), drawn(n, 2)
        for name, at in (
            ("guessing_probability", ()),
            ("mutual_information", ()),
            ("total_variation", ()),
            ("e_gamma", (1.3,)),
        ):
            low, high = getattr(lower, name)(held, design, *at), getattr(upper, name)(held, *at)
            assert low.side == "lower"
            assert low.value <= high.value
            assert high.value - low.value < apart
            assert (low.measure, low.origin.law) == (high.measure, high.origin.law)


@pytest.mark.parametrize("n", [100, 1000, 10_000])
def test_a_rare_contradiction_is_not_forgotten(n):
    """The channel that flips .5/n: the mean less its standard errors covers 40 % there; this never missed."""
    rng, flip = np.random.default_rng(5), 0.5 / n
    law = np.array([[1 - flip, flip], [flip, 1 - flip]]) / 2
    posterior = np.array([[1 - flip, flip], [flip, 1 - flip]])
    for _ in range(200):
        table = rng.multinomial(n, law.ravel()).reshape(2, 2)
        pi = table.sum(axis=1) / n
        if pi.min() == 0:
            continue
        s, y = np.repeat([0, 0, 1, 1], table.ravel()), np.repeat([0, 1, 0, 1], table.ravel())
        told, low, high = lower.floored(posterior[:, y], pi, 1 / n)
        found = lower.of_log_lift(told[s, np.arange(n)], low, high)
        exact = m.mutual_information(Joint(pi[:, None] * law * 2).lift()).value
        assert found.value <= exact + 1e-12


def test_rows_and_tables_agree():
    held, design = drawn(400, 3), drawn(400, 4)
    s, y = np.repeat([0, 0, 1, 1], held.ravel()), np.repeat([0, 1, 0, 1], held.ravel())
    rule = design.argmax(axis=0)
    by_rows = lower.of_hits(rule[y] == s)
    assert by_rows.value == lower.guessing_probability(held, design).value
    pi = held.sum(axis=1) / 400
    q = (design + 2 * pi[:, None]) / (design.sum(axis=0) + 2)
    told = np.log(q / pi[:, None])
    exact = lower.mutual_information(held, design).value
    assert lower.of_log_lift(told[s, y], told.min(), told.max()).value == pytest.approx(exact, abs=1e-12)
    inside = (q > 1.2 * pi[:, None])[:, y]
    of_rows = lower.of_sets(inside, s, 1.2)
    assert of_rows.value <= lower.e_gamma(held, design, 1.2).value + 1e-12
    assert of_rows.parameters == {"gamma": 1.2, "over": "mean"}
    assert lower.of_sets(inside, s).measure == "total_variation"


def test_a_floor_bounds_the_range_and_boasting_is_refused():
    posterior = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])
    told, low, high = lower.floored(posterior, np.array([0.5, 0.5]), 0.01)
    assert low <= told.min() < -4
    assert told.max() <= high < math.log(2)
    assert np.exp(told).mean(axis=0) == pytest.approx(1)
    with pytest.raises(LawError, match="range"):
        lower.of_log_lift([0.1, 3.0], -1, 1)
    with pytest.raises(LawError):
        lower.of_log_lift([0.1, math.nan], -1, 1)
    with pytest.raises(LawError):
        lower.of_log_lift([0.1, -math.inf], -math.inf, 1)
    with pytest.raises(EvidenceError):
        lower.floored(posterior, np.array([0.5, 0.5]), 0.0)
    with pytest.raises(LawError):
        lower.floored(2 * posterior, np.array([0.5, 0.5]), 0.1)


def test_hostile_rows():
    with pytest.raises(EvidenceError):
        lower.of_hits([])
    with pytest.raises(LawError):
        lower.of_hits([0, 1, 2])
    with pytest.raises(AxisError):
        lower.of_hits([[True], [False]])
    with pytest.raises(AxisError):
        lower.of_sets([[True, False]], [0, 1])
    with pytest.raises(AxisError):
        lower.mutual_information([[1, 2], [3, 4]], [[1, 2, 3], [3, 4, 5]])
    assert lower.of_log_lift([0.2], -1, 1).value == 0
    assert lower.of_hits([False] * 9).value == 0
    assert lower.mutual_information([[1, 0], [0, 1]], [[1, 0], [0, 1]]).value == 0
    assert lower.mutual_information([[5, 5]], [[5, 5]]).value == 0
    unseen = lower.guessing_probability([[0, 9], [0, 4]], [[5, 0], [2, 0]])
    assert unseen.value == pytest.approx(lower.of_hits([True] * 9 + [False] * 4).value)
    assert lower.guessing_probability(10**12 * np.eye(2, dtype=int), np.eye(2, dtype=int)).value > 0.999


def test_without_a_design_few_symbols_still_tell():
    held = drawn(10_000, 6)
    found = lower.plug_in_guessing(held).value
    assert 0.72 < found < truth(m.guessing_probability, held) + 0.01
    assert found < lower.guessing_probability(held, drawn(10_000, 7)).value
