"""The laws that the catalogue says a measure obeys, tried on random laws, row by row."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet import measures as m
from discreet.measures.catalogue import CATALOGUE, HIGHER, LAWS
from tests.laws import channels, joints

SLACK = 1e-9

ON_LIFTS = [
    pytest.param(row, at, id=f"{row.name}{i or ''}")
    for row in CATALOGUE
    if row.about == "lift"
    for i, at in enumerate(row.at)
]


def obeying(law):
    assert law in LAWS
    return [param for param in ON_LIFTS if law in param.values[0].obeys]


def read(row, at, lift):
    """The measure's value, for a secret whose values are 0, 1, 4, 9 … where it needs them."""
    args = (np.arange(lift.p_s.size) ** 2,) if row.name == "mmse" else at
    return float(row.function(lift, *args))


def no_more(row, after, before):
    """Whether the second value is at least as private as the first."""
    if row.direction == HIGHER:
        after, before = before, after
    return after <= before + SLACK * max(1, abs(before)) or (after == before == math.inf)


@pytest.mark.parametrize(("row", "at"), obeying("data_processing"))
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_processing_the_release_helps_nobody(row, at, data):
    joint = data.draw(joints())
    channel = data.draw(channels(joint.p.shape[1]))
    assert no_more(row, read(row, at, joint.through(channel).lift()), read(row, at, joint.lift()))


@pytest.mark.parametrize(("row", "at"), obeying("secret_processing"))
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_function_of_the_secret_is_told_no_more_about(row, at, data):
    joint = data.draw(joints())
    channel = data.draw(channels(joint.p.shape[0]))
    of_function = dc.Joint(channel.p.T @ joint.p)
    assert no_more(row, read(row, at, of_function.lift()), read(row, at, joint.lift()))


@pytest.mark.parametrize(("row", "at"), obeying("symmetric"))
@settings(max_examples=40, deadline=None)
@given(joint=joints())
def test_secret_and_release_tell_the_same_about_each_other(row, at, joint):
    there, back = read(row, at, joint.lift()), read(row, at, joint.lift().reversed)
    assert there == pytest.approx(back, abs=SLACK, rel=SLACK)


@pytest.mark.parametrize(("row", "at"), obeying("zero_at_independence"))
@settings(max_examples=25, deadline=None)
@given(joint=joints())
def test_independence_tells_nothing(row, at, joint):
    lift = dc.Joint(np.outer(joint.p.sum(axis=1), joint.p.sum(axis=0))).lift()
    assert read(row, at, lift) == pytest.approx(0, abs=1e-7 if row.unit == "" else 1e-12)


@pytest.mark.parametrize(("row", "at"), obeying("only_at_independence"))
def test_dependence_tells_something(row, at):
    assert read(row, at, dc.Joint([[0.26, 0.24], [0.24, 0.26]]).lift()) > 1e-5


@pytest.mark.parametrize(("row", "at"), obeying("prior_free"))
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_prior_does_not_matter(row, at, data):
    secrets = data.draw(st.integers(1, 4))
    w = data.draw(channels(secrets)).p
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    one, other = (dc.Joint(rng.dirichlet(np.ones(secrets))[:, None] * w).lift() for _ in range(2))
    assert read(row, at, one) == pytest.approx(read(row, at, other), abs=SLACK, rel=1e-7)


def test_weak_tails_do_not_obey_data_processing():
    """Merging two releases can raise the tail, which is why the catalogue does not claim it."""
    p_y, lifts = np.array([0.1, 0.1, 0.8]), np.array([3, 1.4, 0.7])
    p_s = 0.1
    joint = dc.Joint(np.array([p_s * p_y * lifts, p_y * (1 - p_s * lifts)]))
    merged = joint.through(dc.MatrixChannel([[1, 0], [1, 0], [0, 1]]))
    tail = [m.information_privacy(j.lift(), math.log(2), strong=True) for j in (joint, merged)]
    assert float(tail[0]) == pytest.approx(0.1)
    assert float(tail[1]) == pytest.approx(0.2)


@settings(max_examples=100, deadline=None)
@given(joint=joints())
def test_both_laws_of_conservation(joint):
    lift = joint.lift()
    p_s, p_y = lift.p_s, lift.p_y
    assert lift.p_s @ lift.ratio == pytest.approx(np.ones(p_y.size), abs=1e-12)
    assert lift.ratio @ lift.p_y == pytest.approx(np.ones(p_s.size), abs=1e-12)
    assert lift.defect < 1e-12


@settings(max_examples=100, deadline=None)
@given(joint=joints(secrets=(2, 5), releases=(2, 5)))
def test_orderings(joint):
    lift = joint.lift()
    value = {row.name: read(row, row.at[0], lift) for row in CATALOGUE if row.about == "lift"}
    chi2, mi, tv = value["chi_squared"], value["mutual_information"], value["total_variation"]
    small = SLACK
    assert tv <= math.sqrt(mi / 2) + small
    assert mi <= math.log1p(chi2) + small
    assert value["hellinger"] <= tv + small <= math.sqrt(2 * value["hellinger"]) + 2 * small
    inertias = m.principal_inertias(lift)
    assert inertias.sum() == pytest.approx(chi2, abs=small)
    assert inertias[0] == pytest.approx(value["maximal_correlation"] ** 2, abs=small)
    orders = [0.1, 0.5, 0.999, 1, 1.001, 2, 5, 50, math.inf]
    for family in (m.sibson, m.renyi):
        values = [float(family(lift, a)) for a in orders]
        assert all(a <= b + small for a, b in itertools.pairwise(values)), family
    assert float(m.sibson(lift, 3)) <= float(m.renyi(lift, 3)) + small
    assert value["min_entropy_leakage"] <= value["maximal_leakage"] + small
    assert value["maximal_leakage"] <= value["lift_privacy"] + small
    assert value["lift_privacy"] <= value["local_privacy"] + small <= 2 * value["lift_privacy"] + 2 * small
    assert mi <= value["entropy"] + small
    assert float(m.e_gamma(lift, 1, over="mean")) == pytest.approx(tv, abs=small)
    assert value["guessing_probability"] <= math.exp(value["maximal_leakage"]) * lift.p_s.max() + small
    assert float(m.conditional_entropy(lift)) == pytest.approx(value["entropy"] - mi, abs=small)


@pytest.mark.parametrize(
    "family", [m.sibson, m.arimoto, m.renyi, m.entropy, m.conditional_entropy, m.alpha_loss]
)
def test_orders_are_continuous_at_their_limits(family):
    lift = dc.Joint([[0.3, 0.1], [0.15, 0.45]]).lift()
    for alpha in (1 - 1e-9, 1 - 1e-5, 1 + 1e-9, 1 + 1e-5):
        assert float(family(lift, alpha)) == pytest.approx(float(family(lift, 1.0)), abs=3e-5)
    # the series around order 1 meets the general formula
    for edge in (1 - 0.01, 1 + 0.01):
        inside, outside = (float(family(lift, edge + side * 1e-9)) for side in (-1, 1))
        assert inside == pytest.approx(outside, abs=1e-9)
    assert float(family(lift, 1e5)) == pytest.approx(float(family(lift, math.inf)), abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(joint=joints(), delta=st.sampled_from([0.0, 0.01, 0.1, 0.5, 1.0]), strong=st.booleans())
def test_the_inverse_of_information_privacy(joint, delta, strong):
    lift = joint.lift()
    eps = float(m.information_privacy_eps(lift, delta, strong=strong))
    assert float(m.information_privacy(lift, eps, strong=strong)) <= delta + 1e-12
    if 1e-9 < eps < math.inf:
        assert float(m.information_privacy(lift, eps * (1 - 1e-9) - 1e-13, strong=strong)) > delta


@settings(max_examples=60, deadline=None)
@given(joint=joints(secrets=(2, 4)), delta=st.sampled_from([0.0, 0.01, 0.1, 0.5]))
def test_the_inverse_of_differential_privacy(joint, delta):
    lift = joint.lift()
    eps = float(m.differential_privacy_eps(lift, delta))
    if eps < math.inf:
        assert float(m.differential_privacy(lift, eps)) <= delta + 1e-9
    if eps > 1e-6:
        below = 30.0 if eps == math.inf else eps * (1 - 1e-6)
        assert float(m.differential_privacy(lift, below)) > delta - 1e-12
    if delta == 0:
        assert eps == pytest.approx(float(m.local_privacy(lift)), rel=1e-7, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_averaging_the_lift_is_processing_the_law(data):
    joint = data.draw(joints())
    channel = data.draw(channels(joint.p.shape[1]))
    exact = joint.through(channel).lift()
    averaged = joint.lift().through(channel)
    by_hand = dc.Lift(joint.lift().log_lift, joint.lift().p_s, joint.lift().p_y).through(channel)
    for row in CATALOGUE:
        if row.about == "lift":
            for at in row.at:
                expected = read(row, at, exact)
                assert read(row, at, averaged) == pytest.approx(expected, abs=1e-12, rel=1e-12), row.name
                tolerance = 1e-6 if row.name.startswith(("information_privacy", "maximal_corr")) else 1e-9
                assert read(row, at, by_hand) == pytest.approx(expected, abs=tolerance, rel=1e-6), row.name


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_channel_alone_bounds_every_law_through_it(data):
    joint = data.draw(joints())
    channel = data.draw(channels(joint.p.shape[1]))
    before, after = joint.lift(), joint.through(channel).lift()
    eta, tau = float(m.channel.contraction(channel)), float(m.channel.dobrushin(channel))
    alpha = float(m.channel.doeblin(channel))
    assert eta <= tau + SLACK
    assert eta <= math.tanh(min(float(m.channel.local_privacy(channel)), 700) / 2) ** 2 + SLACK
    for measure in (m.mutual_information, m.chi_squared):
        assert float(measure(after)) <= eta * float(measure(before)) + SLACK
    assert float(m.total_variation(after)) <= tau * float(m.total_variation(before)) + SLACK
    blind, sees = float(before.p_s.max()), float(m.guessing_probability(before))
    assert float(m.guessing_probability(after)) <= alpha * blind + (1 - alpha) * sees + SLACK
    assert float(m.local_privacy(after)) <= float(m.channel.local_privacy(channel)) + SLACK
    assert float(m.maximal_leakage(after)) <= float(m.channel.maximal_leakage(channel)) + SLACK


@settings(max_examples=40, deadline=None)
@given(joint=joints(secrets=(2, 4), releases=(2, 4)), seed=st.integers(0, 10**6))
def test_what_is_already_known(joint, seed):
    """I(S; X | A) by the chain rule, and a worst case that is no less than the average."""
    rng = np.random.default_rng(seed)
    a = rng.dirichlet(np.ones(3), size=joint.p.shape)
    whole = dc.Joint(np.moveaxis(joint.p[..., None] * a, 2, 1), axes=("s", "a", "x"))
    given_a = whole.given("a")
    average, worst = given_a.average(m.mutual_information), given_a.worst(m.mutual_information)
    both = dc.Joint(whole.p.reshape(whole.p.shape[0], -1)).lift()
    chain = float(m.mutual_information(both)) - float(m.mutual_information(whole.marginal("s", "a").lift()))
    assert float(average) == pytest.approx(chain, abs=1e-9)
    assert float(worst) >= float(average) - 1e-12
    densities = m.conditional_density(whole)
    second = np.where(whole.p > 0, densities[1], 0)
    assert (whole.p * second).sum() == pytest.approx(float(average), abs=1e-9)
