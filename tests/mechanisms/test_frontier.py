"""A frontier chooses by budget, mixes only averages, and makes only the designs that are asked for."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import joints

import discreet as dc
from discreet import measures as m
from discreet.core.design import Design, Status
from discreet.core.errors import AxisError, ParameterError
from discreet.core.frontier import Frontier, share_time, side_by_side
from discreet.mechanisms.greedy import greedy_funnel_path

JOINT = dc.Joint(
    np.array([[12, 3, 5, 2, 8], [3, 10, 6, 9, 2], [5, 7, 4, 14, 10]]) / 100,
)


def made(joint, channel, leakage=m.mutual_information):
    told = leakage(joint.through(channel).lift())
    return Design(
        channel, Status.CONSTRUCTED, told, m.mutual_information(joint.through(channel, keep="x").lift())
    )


def test_the_best_within_a_budget():
    frontier = greedy_funnel_path(JOINT)
    for leak in (0.0, 0.001, 0.01, 0.1, 1.0):
        chosen = frontier.at(leak=leak)
        allowed = frontier.utility[frontier.leak <= leak + 1e-12]
        assert chosen.leakage.value <= leak + 1e-12
        assert chosen.utility.value == pytest.approx(allowed.max(), abs=1e-12)
    for utility in (0.0, 0.5, 1.0, 1.5):
        chosen = frontier.at(utility=utility)
        allowed = frontier.leak[frontier.utility >= utility - 1e-12]
        assert chosen.utility.value >= utility - 1e-12
        assert chosen.leakage.value == pytest.approx(allowed.min(), abs=1e-12)


@given(joints(secrets=(2, 4), releases=(2, 6)), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_time_sharing_meets_the_budget_and_is_what_it_says(joint, share):
    frontier = greedy_funnel_path(joint).convex()
    target = share * frontier.utility.max()
    chosen = frontier.at(utility=target)
    lift, pair = joint.through(chosen.channel).lift(), joint.through(chosen.channel, keep="x").lift()
    assert chosen.utility.value >= target - 1e-9
    assert chosen.leakage.value == pytest.approx(m.mutual_information(lift).value, abs=1e-9)
    assert chosen.utility.value == pytest.approx(m.mutual_information(pair).value, abs=1e-9)
    assert chosen.leakage.value <= greedy_funnel_path(joint).at(utility=target).leakage.value + 1e-9
    again = frontier.at(leak=chosen.leakage.value)
    assert again.utility.value >= chosen.utility.value - 1e-7


@given(joints(secrets=(2, 3), releases=(2, 6)))
@settings(max_examples=30, deadline=None)
def test_the_convex_frontier_is_convex_and_begins_in_silence(joint):
    frontier = greedy_funnel_path(joint).convex()
    assert (frontier.leak[0], frontier.utility[0] >= 0) == (0, True)
    assert (np.diff(frontier.utility) > 0).all()
    slopes = np.diff(frontier.leak) / np.diff(frontier.utility)
    assert (np.diff(slopes) >= -1e-9).all()


def test_guessing_may_be_mixed_and_a_worst_case_may_not():
    channels = [dc.MatrixChannel(np.eye(5)), dc.MatrixChannel(np.ones((5, 1)))]
    guesses = Frontier([made(JOINT, c, m.guessing_probability) for c in channels]).convex()
    middle = guesses.at(utility=0.5)
    assert middle.leakage.value == pytest.approx(
        m.guessing_probability(JOINT.through(middle.channel).lift()).value
    )
    for measure in (m.maximal_leakage, m.local_privacy, m.min_entropy_leakage):
        worst = Frontier([made(JOINT, c, measure) for c in channels])
        with pytest.raises(ParameterError, match="no average"):
            worst.convex()
        assert worst.at(utility=0.5).utility.value > 0.5
    over_worst = made(JOINT, channels[0])
    reading = m.mutual_information(JOINT.lift(), over="worst")
    with pytest.raises(ParameterError, match="no average"):
        Frontier([replace(over_worst, leakage=reading)]).convex()


def test_time_is_shared_between_like_designs_only():
    whole, silent = (made(JOINT, c) for c in (dc.MatrixChannel(np.eye(5)), dc.MatrixChannel(np.ones((5, 1)))))
    half = share_time(whole, silent, 0.5)
    assert half.channel.p.shape == (5, 6)
    assert half.utility.value == pytest.approx(whole.utility.value / 2)
    other = made(JOINT, dc.MatrixChannel(np.eye(5)), m.total_variation)
    with pytest.raises(ParameterError, match="one measure"):
        share_time(whole, other, 0.5)
    with pytest.raises(AxisError, match="same alphabet"):
        side_by_side(dc.MatrixChannel(np.eye(5)), dc.MatrixChannel(np.eye(4)), 0.5)


def test_a_mixture_keeps_the_bound_of_the_less_useful():
    whole, silent = (made(JOINT, c) for c in (dc.MatrixChannel(np.eye(5)), dc.MatrixChannel(np.ones((5, 1)))))
    bounded = replace(silent, bound=replace(silent.leakage, side="lower"))
    mixed = share_time(whole, bounded, 0.5)
    assert mixed.bound is bounded.bound
    assert mixed.status is Status.NEAR
    assert share_time(whole, silent, 0.5).bound is None


def test_only_what_is_chosen_is_made():
    path = greedy_funnel_path(JOINT)
    asked = []

    class Watched(type(path.points)):
        def __getitem__(self, i):
            asked.append(i)
            return super().__getitem__(i)

    watched = Watched.__new__(Watched)
    watched.__dict__.update(path.points.__dict__)
    frontier = Frontier(watched, leak=path.leak, utility=path.utility)
    frontier.at(utility=1.0)
    assert len(asked) == 1
    assert len(list(path)) == len(path) == 5


@pytest.mark.parametrize(
    ("asked", "match"),
    [
        ({"leak": -1.0}, "least leak"),
        ({"utility": 9.0}, "largest"),
        ({}, "none"),
        ({"leak": 1, "utility": 1}, "both"),
    ],
)
def test_what_cannot_be_had_is_said(asked, match):
    with pytest.raises(ParameterError, match=match):
        greedy_funnel_path(JOINT).at(**asked)


def test_an_empty_frontier_is_refused():
    with pytest.raises(ParameterError, match="one design"):
        Frontier([])
