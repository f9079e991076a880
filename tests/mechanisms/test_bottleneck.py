"""The stochastic bottleneck: stationary, on the lower edge, never worse than merging, and right at the ends."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import joints

import discreet as dc
from discreet import measures as m
from discreet.core.design import Status
from discreet.core.errors import ParameterError
from discreet.mechanisms import bottleneck, bottleneck_frontier, greedy_bottleneck, greedy_bottleneck_path
from discreet.mechanisms.annealing import iterate, told

JOINT = dc.Joint(np.random.default_rng(1).dirichlet(np.full(4 * 20, 0.3)).reshape(4, 20))


def information(joint):
    return m.mutual_information(joint.lift()).value


@settings(max_examples=25, deadline=None)
@given(joints(secrets=(1, 4), releases=(1, 7)), st.floats(0, 1))
def test_the_relevance_is_kept_and_merging_says_no_less(joint, share):
    relevance = share * information(joint)
    design = bottleneck(joint, relevance)
    assert design.leakage.value >= relevance - 1e-9
    assert design.leakage.value == pytest.approx(information(joint.through(design.channel)), abs=1e-12)
    pair = joint.through(design.channel, keep="x")
    assert design.utility.value == pytest.approx(information(pair), abs=1e-12)
    # what is said about S is said about X
    assert design.utility.value >= design.leakage.value - 1e-9
    assert design.utility.value <= greedy_bottleneck(joint, relevance).utility.value + 1e-7
    shared = greedy_bottleneck_path(joint)
    for k in range(len(shared)):
        if shared.leak[k] >= relevance:
            assert design.utility.value <= shared.utility[k] + 1e-7
    assert design.status is Status.CONSTRUCTED
    assert design.bound is None


def test_the_curve_is_convex_and_the_design_lies_on_it():
    wanted = np.linspace(0.02, 0.98, 25) * information(JOINT)
    frontier = bottleneck_frontier(JOINT, wanted)
    assert frontier.leak == pytest.approx(wanted, abs=1e-9)
    slopes = np.diff(frontier.utility) / np.diff(frontier.leak)
    assert (slopes >= 1 - 1e-9).all()
    assert (np.diff(slopes) >= -1e-4).all()
    for k in (3, 12, 20):
        alone = bottleneck(JOINT, wanted[k])
        assert alone.utility.value == pytest.approx(frontier.utility[k], abs=1e-4)


def test_a_stationary_point_of_the_lagrangian():
    relevance = 0.4 * information(JOINT)
    design = bottleneck(JOINT, relevance)
    beta = design.trace["beta"][0]
    value = design.utility.value - beta * design.leakage.value
    runs = iterate(JOINT.p, design.channel.p[None], np.array([beta]), 3000, 0.0)
    assert runs.about_x[0] - beta * runs.about_s[0] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("beta", [1.5, 3.0, 10.0])
def test_no_start_drawn_at_random_ends_much_lower(beta):
    rng = np.random.default_rng(2)
    starts = rng.dirichlet(np.full(20, 0.3), size=(20, 20))
    runs = iterate(JOINT.p, starts, np.full(20, beta), 1500, 0.0)
    lowest = float((runs.about_x - beta * runs.about_s).min())
    frontier = bottleneck_frontier(JOINT, np.append(runs.about_s, 0.0))
    assert (frontier.utility - beta * frontier.leak).min() <= lowest + 1e-5


def test_the_iteration_only_goes_down():
    rng = np.random.default_rng(3)
    at = rng.dirichlet(np.ones(20), size=(4, 20))
    beta = np.array([1.2, 2.0, 5.0, 50.0])

    def objective(encoders):
        about_s, about_x = told(JOINT.p, encoders)
        return about_x - beta * about_s

    before = objective(at)
    for _ in range(60):
        at = iterate(JOINT.p, at, beta, 3, 0.0).encoders
        after = objective(at)
        assert (after <= before + 1e-12).all()
        assert at.sum(axis=2) == pytest.approx(1, abs=1e-12)
        before = after


def test_of_x_only_what_tells_about_s_is_kept():
    twins = dc.Joint(np.repeat(np.array([[0.3, 0.1], [0.15, 0.45]]), 2, axis=1) / 2)
    design = bottleneck(twins, information(twins))
    assert design.leakage.value == pytest.approx(information(twins), abs=1e-9)
    assert design.utility.value == pytest.approx(-0.45 * math.log(0.45) - 0.55 * math.log(0.55), abs=1e-6)


@pytest.mark.parametrize(
    "p",
    [
        [[1.0]],
        [[0.4], [0.6]],
        [[0.2, 0.8]],
        np.eye(4) / 4,
        np.outer([0.3, 0.7], [0.2, 0.3, 0.5]),
        [[0.3, 0.0, 0.2], [0.1, 0.0, 0.4]],
        [[0.3, 1e-300, 0.2], [0.1, 0.0, 0.4]],
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_edges(p, share):
    joint = dc.Joint(p)
    design = bottleneck(joint, share * information(joint))
    assert design.leakage.value >= share * information(joint) - 1e-9
    assert np.isfinite(design.channel.p).all()
    if share == 0:
        assert design.utility.value == pytest.approx(0, abs=1e-9)
    if np.array_equal(p, np.eye(4) / 4):
        assert design.utility.value == pytest.approx(share * math.log(len(joint.p)), abs=1e-6)


def test_the_same_call_gives_the_same_design():
    one, two = (bottleneck(JOINT, 0.3) for _ in range(2))
    assert np.array_equal(one.channel.p, two.channel.p)


@pytest.mark.parametrize("value", [-0.1, 5.0, math.nan])
def test_relevances_that_cannot_be_had(value):
    with pytest.raises(ParameterError, match="relevance from 0"):
        bottleneck(JOINT, value)


def test_a_million_symbols_are_refused():
    with pytest.raises(ParameterError, match="1,000,000 symbols"):
        bottleneck(dc.Joint(np.full((2, 1_000_000), 5e-7)), 0.0)
