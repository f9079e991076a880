"""The game's own critics, trained afresh as attackers."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.adversaries import CriticAttacker
from discreet.adversaries.zoo import attackers
from discreet.core.samples import Columns, Samples


def corners(rng, n):
    """A secret that no column tells alone: whether two signs agree, in nine cases of ten."""
    x = rng.normal(size=(n, 3))
    s = ((x[:, 0] * x[:, 1] > 0) ^ (rng.random(n) < 0.1)).astype(int)
    return Samples(Columns.of_array(x), s)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["log_loss", "donsker_varadhan", "chi_squared"])
def test_critics_learn_what_no_column_tells_alone(rng, objective):
    pytest.importorskip("optax")
    known, others = corners(rng, 2000), corners(rng, 1000)
    beliefs = CriticAttacker(objective=objective, seeds=2).fit(known, rng=rng).beliefs(others.x)
    np.testing.assert_allclose(beliefs.sum(axis=1), 1)
    assert 0.82 < (beliefs.argmax(axis=1) == others.s).mean() < 0.94


def test_what_cannot_be_learnt_is_believed_by_the_shares(rng):
    samples = Samples(Columns.of_array(rng.normal(size=(20, 1))), np.ones(20, dtype=int), size=3)
    beliefs = CriticAttacker().fit(samples, rng=rng).beliefs(samples.x)
    assert (beliefs.argmax(axis=1) == 1).all()


def test_they_come_with_full_effort_where_they_can_learn(monkeypatch):
    from discreet.adversaries import learned

    for able in (True, False):
        monkeypatch.setattr(learned, "can_learn", lambda able=able: able)
        assert (attackers("full")[-1].name == "critics, five") is able
