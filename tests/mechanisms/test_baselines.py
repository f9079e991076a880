"""The plain mechanisms, and what two releases of one record tell together."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import channels, joints

import discreet as dc
from discreet import measures as m
from discreet.core.design import Status
from discreet.core.errors import AxisError, ParameterError
from discreet.mechanisms.baselines import generalisation, randomised_response, suppression
from discreet.mechanisms.composition import both


@settings(max_examples=50, deadline=None)
@given(joint=joints(), keep=st.floats(0, 1))
def test_randomised_response(joint, keep):
    design = randomised_response(joint, keep)
    n = joint.p.shape[1]
    assert design.status is Status.CONSTRUCTED
    assert float(design.leakage) <= float(m.mutual_information(joint.lift())) + 1e-12
    if keep < 1:
        expected = math.log1p(n * keep / (1 - keep)) if n > 1 else 0
        assert float(m.channel.local_privacy(design.channel)) == pytest.approx(expected, abs=1e-9)
    if keep == 0:
        assert float(design.utility) == pytest.approx(0, abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(joint=joints(releases=(1, 6)), seed=st.integers(0, 10**6))
def test_maps_keep_what_they_name(joint, seed):
    rng = np.random.default_rng(seed)
    n = joint.p.shape[1]
    grouped = generalisation(joint, rng.integers(0, 3, n))
    assert float(grouped.utility) == pytest.approx(
        float(m.entropy(joint.through(grouped.channel).lift().reversed)), abs=1e-9
    )
    blank = np.flatnonzero(rng.random(n) < 0.4)
    hidden = suppression(joint, blank)
    assert hidden.trace["suppressed"].tolist() == blank.tolist()
    assert hidden.channel.p.shape[1] == n - blank.size + (blank.size > 0)
    assert float(hidden.leakage) <= float(m.mutual_information(joint.lift())) + 1e-12
    assert suppression(joint, []).channel.p.tolist() == np.eye(n).tolist()


def test_another_measure_of_the_leak():
    joint = dc.Joint([[0.3, 0.1], [0.15, 0.45]])
    assert float(randomised_response(joint, 0.6, "guessing_probability").leakage) == pytest.approx(0.65)
    with pytest.raises(ParameterError, match="keep"):
        randomised_response(joint, 1.5)
    with pytest.raises(ParameterError, match="leakage"):
        randomised_response(joint, 0.5, "harm")
    with pytest.raises(AxisError, match="2 symbols"):
        generalisation(joint, [0, 1, 1])
    with pytest.raises(ParameterError, match="from 0 to 1"):
        suppression(joint, [2])


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_a_pair_tells_at_least_as_much_as_either_and_no_more_than_the_record(data):
    joint = data.draw(joints())
    first, second = (data.draw(channels(joint.p.shape[1])) for _ in range(2))
    pair = both(joint, first, second)
    told = float(m.mutual_information(pair.lift()))
    alone = [float(m.mutual_information(joint.through(w).lift())) for w in (first, second)]
    assert max(alone) - 1e-12 <= told <= float(m.mutual_information(joint.lift())) + 1e-12
    # the marginals of the pair are the releases themselves
    n1, n2 = first.p.shape[1], second.p.shape[1]
    cube = pair.p.reshape(-1, n1, n2)
    assert cube.sum(axis=2) == pytest.approx(joint.through(first).p, abs=1e-12)
    assert cube.sum(axis=1) == pytest.approx(joint.through(second).p, abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_one_channel_after_another_tells_no_more(data):
    joint = data.draw(joints())
    first = data.draw(channels(joint.p.shape[1]))
    second = data.draw(channels(first.p.shape[1]))
    after = joint.through(first >> second)
    assert after.p == pytest.approx(dc.Joint(joint.through(first).p).through(second).p, abs=1e-12)
    assert (
        float(m.mutual_information(after.lift()))
        <= float(m.mutual_information(joint.through(first).lift())) + 1e-12
    )


def test_pairs_too_many_to_write_out_and_mechanisms_that_see_the_secret():
    wide = dc.MatrixChannel(np.full((4, 6000), 1 / 6000))
    with pytest.raises(ParameterError, match="written out"):
        both(dc.Joint(np.full((1, 4), 0.25)), wide, wide)
    with pytest.raises(AxisError, match="two channels that read x"):
        both(dc.Joint([[0.5, 0.5]]), dc.MatrixChannel(np.ones((1, 2, 1))), dc.MatrixChannel(np.eye(2)))
