"""A secret that is a number: how much of it is explained, and how often its interval is guessed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from discreet.adversaries import NUMBER_ZOO, Verdict, attack_number
from discreet.core.errors import AxisError, EvidenceError
from discreet.core.samples import Columns

TWO = (NUMBER_ZOO[0], NUMBER_ZOO[2])
EFFORT = ["logistic", "boosting, small trees"]


def run(x, v, rng, **more):
    return attack_number(Columns.of_array(x), v, students=TWO, effort=EFFORT, rng=rng, **more)


def test_what_is_known_is_explained(rng):
    x = rng.normal(size=(2000, 2))
    v = x[:, 0] + rng.normal(size=2000)
    found = run(x, v, rng, name="age", untouched=Columns.of_array(x))
    assert found.best.value == pytest.approx(0.5, abs=0.07)
    assert found.best.interval.low < 0.5 < found.best.interval.high
    assert found.mmse.side == "upper"
    assert found.mmse.value == pytest.approx(1.0, abs=0.15)
    assert found.baseline.value == pytest.approx(2.0, abs=0.3)
    assert found.control.value == pytest.approx(found.best.value, abs=0.02)
    assert found.binned.best.value > 0.35
    assert found.verdict is Verdict.LEAKS
    assert found.passed
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert written["schema"] == "discreet/attack-number/1"
    assert written["binned"]["schema"] == "discreet/attack/1"
    assert "of the variance of age" in found.sentence


def test_noise_explains_nothing(rng):
    found = run(rng.normal(size=(500, 2)), rng.normal(size=500), rng)
    assert found.best.value < 0.05
    assert found.best.interval.low <= 0


def test_missing_numbers_are_left_out_and_outliers_held(rng):
    x = rng.normal(size=(600, 1))
    v = x[:, 0].copy()
    v[::3] = np.nan
    v[1] = 1e12
    found = run(x, v, rng, held_out=np.arange(450, 600))
    assert found.binned.learnt + found.binned.judged == 400
    assert found.best.value > 0.9


def test_a_constant_number_is_survived(rng):
    found = run(rng.normal(size=(200, 1)), np.full(200, 7.0), rng)
    assert found.best.value == 0
    assert Verdict.LEAKS not in found.verdicts


def test_fresh_releases_serve_both_attacks(rng):
    x = rng.normal(size=(300, 1))
    calls = []

    def redraw(columns, rng):
        calls.append(1)
        return columns

    found = run(x, x[:, 0], rng, untouched=Columns.of_array(x), redraw=redraw)
    assert calls == [1]
    assert found.best.value > 0.9


def test_a_number_written_into_the_release_made_it_worse(rng):
    plain, v = rng.normal(size=(600, 2)), rng.normal(size=600)
    found = run(np.column_stack([plain[:, 0], v]), v, rng, untouched=Columns.of_array(plain))
    assert found.verdict is Verdict.WORSE
    assert not found.passed


def test_wrong_input_is_said(rng):
    with pytest.raises(AxisError, match="a number for each"):
        run(np.ones((5, 1)), np.ones(4), rng)
    with pytest.raises(EvidenceError, match="numbers in it"):
        run(np.ones((5, 1)), np.full(5, np.nan), rng)
