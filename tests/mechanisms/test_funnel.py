"""The funnel: never worse than its rivals, never below its bound, exact where it says so, on any law and any budget."""

import math
import time

import numpy as np
import pytest
from bench.census import census as counted
from bench.rivals import least_at, mirror_descent
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import joints
from tests.reference import cases, law

import discreet as dc
from discreet import measures as m
from discreet.core.design import Status
from discreet.core.errors import ParameterError
from discreet.mechanisms.funnel import funnel, funnel_frontier
from discreet.mechanisms.greedy import greedy_funnel, greedy_funnel_path
from discreet.mechanisms.perfect import perfect_privacy

ROUNDING = 1e-9


def entropy_of_x(joint):
    return m.entropy(joint.lift().reversed).value


def check(joint, design, rate=0.0, leak=math.inf):
    """What any design must be: within its budget, measured on its own channel, and not below its bound."""
    assert design.utility.value >= rate - ROUNDING
    assert design.leakage.value <= leak + ROUNDING
    assert design.bound.side == "lower"
    assert design.bound.value <= design.leakage.value + 1e-12
    told = m.mutual_information(joint.through(design.channel).lift()).value
    kept = m.mutual_information(joint.through(design.channel, keep="x").lift()).value
    assert design.leakage.value == pytest.approx(told, abs=1e-12)
    assert design.utility.value == pytest.approx(kept, abs=1e-9)
    if design.status is Status.OPTIMAL:
        assert design.gap <= 1e-6


def rivals(joint, rng, starts=30):
    """(leak, rate) points of greedy merging and of mirror descent."""
    path = greedy_funnel_path(joint)
    p = joint.p[:, joint.p.sum(axis=0) > 0]
    p = p[p.sum(axis=1) > 0]
    descended = mirror_descent(p, [0.1, 0.4, 0.8], rng, starts=starts, steps=80)
    return np.vstack([np.column_stack([path.leak, path.utility]), descended])


def never_worse(joint, share, seed):
    rate = share * entropy_of_x(joint)
    design = funnel(joint, rate=rate)
    check(joint, design, rate=rate)
    best = least_at(rivals(joint, np.random.default_rng(seed)), rate)
    assert design.leakage.value <= greedy_funnel(joint, rate).leakage.value + 1e-8
    assert design.leakage.value <= best + 1e-8
    assert design.bound.value <= best + ROUNDING


@settings(max_examples=15, deadline=None)
@given(joints(secrets=(1, 4), releases=(1, 8)), st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_never_worse_than_greedy_shared_time_or_thirty_descents(joint, share, seed):
    never_worse(joint, share, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(200))
def test_never_worse_on_two_hundred_laws(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(2, (6, 16)))
    p = rng.dirichlet(np.full(shape[0] * shape[1], rng.choice([0.1, 0.5, 1.0, 5.0]))).reshape(shape)
    never_worse(dc.Joint(p), float(rng.choice([0.2, 0.4, 0.6, 0.8, 0.95])), seed)


@pytest.mark.parametrize("case", cases("002_privacy_funnel", "greedy_funnel"))
def test_below_every_partition_and_their_mixtures(case):
    joint, rate, expected = (
        dc.Joint(law(case["inputs"]["counts_rows_s_cols_x"])),
        case["inputs"]["R"],
        case["expected"],
    )
    design = funnel(joint, rate=rate)
    check(joint, design, rate=rate)
    assert expected["lower_bound"] - ROUNDING <= design.bound.value
    assert design.leakage.value <= expected["timeshared_partitions_I_SY"] + 1e-8


@settings(max_examples=25, deadline=None)
@given(joints(secrets=(1, 2), releases=(1, 8)), st.floats(0, 1))
def test_two_secrets_are_solved(joint, share):
    rate = share * entropy_of_x(joint)
    design = funnel(joint, rate=rate)
    check(joint, design, rate=rate)
    assert design.status is Status.OPTIMAL
    other_way = funnel(joint, leak=design.leakage.value)
    check(joint, other_way, leak=design.leakage.value)
    assert other_way.utility.value >= rate - 1e-4


def test_masses_far_below_rounding_keep_the_rate():
    p = [[1.354646139027285e-13, 0.03920732207862325, 3.665327828607895e-14, 0.0001839779007972464]]
    joint = dc.Joint([[*p[0], 1 - sum(p[0])]])
    for share in (0.1, 0.5, 0.9):
        rate = share * entropy_of_x(joint)
        check(joint, funnel(joint, rate=rate), rate=rate)


def test_the_search_does_not_end_early_where_hardly_anything_is_told():
    p = [
        [4.632645330064287e-11, 0.937573590042809, 6.5803743548752456e-06],
        [2.0315708367435655e-11, 3.102782521969875e-12, 0.04716877246370111],
        [4.4612489885303255e-08, 4.730908132228226e-06, 0.015246281528767882],
    ]
    never_worse(dc.Joint(p), 1e-5, 0)


@pytest.mark.parametrize("leak", [0.0, 5e-324, 1e-308, 1e-16, 1e-13])
def test_a_leak_below_rounding_is_none(leak):
    joint = dc.Joint(np.array([[4.0, 1, 3, 2], [2, 3, 1, 4]]) / 20)
    design = funnel(joint, leak=leak)
    check(joint, design, leak=leak)
    assert design.utility.value == pytest.approx(perfect_privacy(joint).utility.value, abs=1e-5)


@settings(max_examples=15, deadline=None)
@given(joints(secrets=(1, 4), releases=(1, 7)), st.floats(0, 1.2))
def test_as_much_as_a_leak_allows(joint, share):
    leak = share * m.mutual_information(joint.lift()).value
    design = funnel(joint, leak=leak)
    check(joint, design, leak=leak)
    path = greedy_funnel_path(joint).convex()
    assert design.utility.value >= path.at(leak=leak).utility.value - 1e-6


def test_the_curve_is_convex_and_its_slope_from_silence_rises():
    joint = dc.Joint(np.random.default_rng(4).dirichlet(np.ones(24)).reshape(2, 12))
    most = entropy_of_x(joint)
    frontier = funnel_frontier(joint, np.linspace(0, 1, 11) * most)
    assert np.all(np.diff(frontier.leak, 2) >= -1e-6)
    assert np.all(np.diff(frontier.leak[1:] / frontier.utility[1:]) >= -1e-6)
    assert frontier.leak[-1] == pytest.approx(m.mutual_information(joint.lift()).value, abs=1e-9)
    assert frontier.leak[0] == 0
    for point, rate in zip(frontier, np.linspace(0, 1, 11) * most, strict=True):
        assert point.leakage.value == pytest.approx(funnel(joint, rate=rate).leakage.value, abs=1e-6)


def test_the_same_call_gives_the_same_design():
    joint = dc.Joint(np.random.default_rng(5).dirichlet(np.ones(40)).reshape(4, 10))
    one, two = (funnel(joint, rate=1.5) for _ in range(2))
    assert np.array_equal(one.channel.p, two.channel.p)
    assert one.status is Status.CHEAP


def test_little_work_is_said_to_be_little():
    joint = dc.Joint(np.random.default_rng(1).dirichlet(np.full(120, 0.2)).reshape(2, 60))
    rate = 0.9 * entropy_of_x(joint)
    short, full = funnel(joint, rate=rate, columns=20), funnel(joint, rate=rate)
    assert short.status is Status.OUT_OF_BUDGET
    assert full.status is Status.OPTIMAL
    check(joint, short, rate=rate)
    assert short.bound.value <= full.leakage.value <= short.leakage.value
    check(joint, funnel(joint, rate=rate, seconds=0.0), rate=rate)


def test_columns_that_come_in_thousands_do_not_go_in_circles():
    joint = dc.Joint(np.random.default_rng(2).dirichlet(np.full(240, 0.05)).reshape(2, 120))
    design = funnel(joint, rate=0.85 * entropy_of_x(joint))
    assert design.status is Status.OPTIMAL
    assert design.gap <= 2e-8


def test_fourteen_secrets_at_most_half_of_the_greedy_leak():
    joint = dc.Joint(np.random.default_rng(0).dirichlet(np.full(14 * 60, 0.3)).reshape(14, 60))
    rate = 0.6 * entropy_of_x(joint)
    design = funnel(joint, rate=rate)
    check(joint, design, rate=rate)
    assert design.leakage.value <= 0.5 * greedy_funnel(joint, rate).leakage.value


# -------------------------------------------------------------------------------------- perfect privacy


@settings(max_examples=25, deadline=None)
@given(joints(secrets=(1, 4), releases=(1, 7)))
def test_nothing_is_said(joint):
    design = perfect_privacy(joint)
    check(joint, design)
    assert design.leakage.value <= 1e-12
    hidden = entropy_of_x(joint) - m.mutual_information(joint.lift()).value
    assert design.utility.value <= hidden + ROUNDING


def test_what_nothing_can_be_is_known_exactly():
    # posteriors of X with P(S) unchanged: of the three symbols the middle one is p(s), the others lie on either side
    joint = dc.Joint(np.array([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]]) / 1.2)
    design = perfect_privacy(joint)
    share = 0.4 / 1.2
    assert design.utility.value == pytest.approx(-share * math.log(share) - (1 - share) * math.log(1 - share))
    assert design.status is Status.OPTIMAL


def test_twins_are_told_apart_for_free():
    p = np.random.default_rng(8).dirichlet(np.full(30, 0.05)).reshape(6, 5)
    joint = dc.Joint(np.hstack([0.6 * p, 0.4 * p]))
    coin = -0.6 * math.log(0.6) - 0.4 * math.log(0.4)
    assert perfect_privacy(joint).utility.value >= coin - ROUNDING


def test_a_binary_symmetric_secret_leaves_nothing_to_tell():
    assert perfect_privacy(dc.Joint([[0.4, 0.1], [0.1, 0.4]])).utility.value == 0


# ------------------------------------------------------------------------------------------- the census


@pytest.fixture(scope="module")
def census(adult):
    """Counts of ((age, income), X) in the training table and in the test table; and income as a map of the secret."""
    return counted(adult.with_name("adult_sx_counts.csv.gz"))


def on_others(channel, counts):
    """What the release tells in a table that the design has not seen."""
    return m.mutual_information(dc.Joint(counts / counts.sum()).through(channel).lift()).value


@pytest.mark.parametrize(
    ("share", "leak", "gap", "greedy"),
    [
        (0.4, 0.0005, 1e-4, 0.0978),
        (0.5, 0.0376, 1e-4, 0.2824),
        (0.6, 0.3248, 1e-6, 0.4660),
        (0.7, 0.6868, 1e-6, 0.7597),
    ],
)
def test_the_census_with_age_and_income_secret(census, share, leak, gap, greedy):
    train, test, _ = census
    joint = dc.Joint(train / train.sum())
    assert entropy_of_x(joint) == pytest.approx(3.6205, abs=1e-4)
    rate = share * entropy_of_x(joint)
    design = funnel(joint, rate=rate)
    check(joint, design, rate=rate)
    assert design.leakage.value <= leak
    assert design.gap <= gap
    assert greedy_funnel(joint, rate).leakage.value == pytest.approx(greedy, abs=1e-4)
    assert on_others(design.channel, test) <= design.leakage.value + 0.01


def test_the_census_with_income_secret(census):
    train, test, income = census
    joint = dc.Joint(income @ train / train.sum())
    perfect_privacy(joint)
    start = time.process_time()
    silent = perfect_privacy(joint)
    assert time.process_time() - start < 0.1
    assert silent.leakage.value <= 1e-12
    assert silent.utility.value >= 0.845 * entropy_of_x(joint)
    assert 0 < on_others(silent.channel, income @ test) < 0.002
    for share, known in ((0.9, 0.00899), (0.95, 0.04732)):
        design = funnel(joint, rate=share * entropy_of_x(joint))
        check(joint, design, rate=share * entropy_of_x(joint))
        assert design.leakage.value <= known
        assert design.gap <= 1e-4


# --------------------------------------------------------------------------------------------- the edges


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
        [[0.3, 0.2, 1e-14], [0.1, 0.4 - 1e-14, 0.0]],
        [[0.5, 0.5], [1e-300, 5e-324]],
        [[0.25, 0.25, 0, 0], [0, 0, 0.25, 0.25]],
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_edges(p, share):
    joint = dc.Joint(p)
    rate = share * entropy_of_x(joint)
    design = funnel(joint, rate=rate)
    check(joint, design, rate=rate)
    information = m.mutual_information(joint.lift()).value
    check(joint, funnel(joint, leak=share * information), leak=share * information)
    assert perfect_privacy(joint).leakage.value <= 1e-12


def test_a_secret_that_is_x_leaks_what_is_told_and_an_independent_one_nothing():
    itself = funnel(dc.Joint(np.eye(4) / 4), rate=0.7)
    assert itself.leakage.value == pytest.approx(0.7, abs=1e-9)
    assert itself.status is Status.OPTIMAL
    apart = dc.Joint(np.outer([0.3, 0.7], [0.2, 0.3, 0.5]))
    assert funnel(apart, leak=0.0).utility.value == pytest.approx(entropy_of_x(apart), abs=1e-9)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda j: funnel(j), "one budget"),
        (lambda j: funnel(j, rate=0.1, leak=0.1), "one budget"),
        (lambda j: funnel(j, rate=2.0), "rate from 0"),
        (lambda j: funnel(j, rate=-0.1), "rate from 0"),
        (lambda j: funnel(j, rate=math.nan), "rate from 0"),
        (lambda j: funnel(j, leak=-0.1), "leak"),
        (lambda j: funnel(j, leak=math.nan), "leak"),
    ],
)
def test_budgets_that_cannot_be(build, words):
    with pytest.raises(ParameterError, match=words) as caught:
        build(dc.Joint([[0.3, 0.1], [0.15, 0.45]]))
    assert caught.value.remedy


@pytest.mark.parametrize("mechanism", [lambda j: funnel(j, rate=1.0), perfect_privacy])
def test_a_million_symbols_are_refused(mechanism):
    with pytest.raises(ParameterError, match="1,000,000 symbols"):
        mechanism(dc.Joint(np.full((2, 1_000_000), 5e-7)))
