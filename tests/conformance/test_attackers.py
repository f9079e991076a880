"""What every attacker owes: beliefs that are laws, for any records of the same columns, the same with the same seed."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from discreet.adversaries import FULL, NUMBER_ZOO, Attacker, Guesser
from discreet.adversaries.desk import Desk
from discreet.adversaries.trial import quiet
from discreet.core.samples import Column, Columns, Samples
from discreet.estimators.threads import alone


def records(n, rng, levels=("a", "b", "c", None)):
    """Mixed columns, one constant, one missing throughout, one with holes and an infinite value."""
    number = rng.normal(size=n)
    number[::7] = np.nan
    number[1] = np.inf
    return Columns(
        [
            Column("number", number),
            Column("whole", rng.integers(0, 9, n)),
            Column("level", rng.integers(0, len(levels), n), levels=levels),
            Column("constant", np.ones(n)),
            Column("missing", np.full(n, np.nan)),
        ]
    )


def told(attacker, samples, others, seed=3):
    with quiet(), alone():
        guesser = attacker.fit(samples, rng=np.random.default_rng(seed))
        assert isinstance(guesser, Guesser)
        return guesser.beliefs(others)


@pytest.mark.parametrize("attacker", FULL, ids=lambda a: a.name)
def test_every_attacker(attacker):
    assert isinstance(attacker, Attacker)
    rng = np.random.default_rng(1)
    x = records(90, rng)
    s = np.where(x["whole"].values > 4, 2, 0)  # secret 1 of 3 never occurs
    s[0] = 1  # but once
    samples = Samples(x, s, size=4)
    unseen = records(25, rng, levels=("c", "new", "a", None))
    beliefs = told(attacker, samples, unseen)
    assert beliefs.shape == (25, 4)
    np.testing.assert_allclose(beliefs.sum(axis=1), 1)
    assert beliefs.min() >= 0
    assert beliefs[:, 3].max() < 0.5
    np.testing.assert_array_equal(beliefs, told(attacker, samples, unseen))


@pytest.mark.parametrize("attacker", FULL, ids=lambda a: a.name)
def test_one_secret_is_believed_of_all(attacker):
    rng = np.random.default_rng(2)
    beliefs = told(attacker, Samples(records(20, rng), np.ones(20, dtype=int), size=2), records(5, rng))
    assert (beliefs.argmax(axis=1) == 1).all()


@pytest.mark.parametrize("student", NUMBER_ZOO, ids=lambda a: a.name)
def test_every_attacker_of_a_number(student):
    rng = np.random.default_rng(4)
    x = records(80, rng)
    numbers = x["whole"].values * 100.0
    samples = Samples(x, (numbers > 400).astype(int))
    with quiet(), alone():
        predict = student.learn(Desk(samples, rng), numbers, rng=rng)
        found = predict(records(15, rng))
        constant = student.learn(Desk(samples, rng), np.full(80, 3.0), rng=rng)(x)
    assert found.shape == (15,)
    assert np.isfinite(found).all()
    assert (constant == 3.0).all()


def test_attackers_have_names_of_their_own():
    assert len({a.name for a in FULL}) == len(FULL)


def test_quiet_is_quiet():
    with quiet():
        warnings.warn("a learner stopped early", UserWarning, stacklevel=1)
