"""Greedy merging: the published cases, the literal algorithm, and laws that leave nothing to merge."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import joints
from tests.reference import cases, law

import discreet as dc
from discreet import measures as m
from discreet.core.design import Status
from discreet.core.errors import ParameterError
from discreet.mechanisms.greedy import (
    greedy_bottleneck,
    greedy_bottleneck_path,
    greedy_funnel,
    greedy_funnel_path,
)
from discreet.mechanisms.merging import merge_pairs

SEED = "002_privacy_funnel"


def entropy(v):
    held = v[v > 0]
    return -(held * np.log(held)).sum()


def literal(p, rate, relevance=0.0, by="s"):
    """The algorithm as it is printed, every pair measured at every step; the blocks."""
    blocks = [[x] for x in range(p.shape[1])]

    def about(parts):
        q = np.stack([p[:, part].sum(axis=1) for part in parts], axis=1)
        said = entropy(q.sum(axis=0))
        return entropy(q.sum(axis=1)) + said - entropy(q), said

    while len(blocks) > 1:
        tried = []
        for i in range(len(blocks)):
            for j in range(i + 1, len(blocks)):
                merged = [b for k, b in enumerate(blocks) if k not in (i, j)] + [blocks[i] + blocks[j]]
                about_s, about_x = about(merged)
                if about_x >= rate - 1e-12 and about_s >= relevance - 1e-12:
                    tried.append((about_s if by == "s" else about_x, merged))
        if not tried:
            break
        blocks = min(tried, key=lambda t: t[0])[1]
    return {frozenset(b) for b in blocks}


def blocks_of(design):
    to = design.channel.p.argmax(axis=1)
    return {frozenset(np.flatnonzero(to == y).tolist()) for y in np.unique(to)}


@pytest.mark.parametrize("case", cases(SEED, "greedy_funnel"))
def test_the_funnel_of_the_paper(case):
    joint = dc.Joint(law(case["inputs"]["counts_rows_s_cols_x"]))
    design, expected = greedy_funnel(joint, case["inputs"]["R"]), case["expected"]
    assert blocks_of(design) == {frozenset(b) for b in expected["blocks"]}
    assert design.leakage.value == pytest.approx(expected["I_SY"], abs=case["tol"]["abs"])
    assert design.utility.value == pytest.approx(expected["I_XY"], abs=case["tol"]["abs"])
    assert design.bound.value >= expected["lower_bound"] - 1e-9
    assert design.bound.value <= design.leakage.value
    shared = greedy_funnel_path(joint).convex().at(utility=case["inputs"]["R"])
    assert shared.leakage.value >= expected["timeshared_partitions_I_SY"] - 1e-9
    assert shared.leakage.value <= expected["erasure_upper"] + 1e-9


@pytest.mark.parametrize("case", cases(SEED, "greedy_ib"))
def test_the_bottleneck_of_the_paper(case):
    joint = dc.Joint(law(case["inputs"]["counts_rows_s_cols_x"]))
    design = greedy_bottleneck(joint, case["inputs"]["Delta"])
    assert blocks_of(design) == {frozenset(b) for b in case["expected"]["blocks"]}
    assert design.leakage.value == pytest.approx(case["expected"]["I_SY"], abs=case["tol"]["abs"])
    assert design.utility.value == pytest.approx(case["expected"]["I_XY"], abs=case["tol"]["abs"])
    assert design.bound is None


@pytest.mark.parametrize("case", cases(SEED, "merge_drop"))
def test_what_one_merge_takes(case):
    p = law(case["inputs"]["counts_rows_s_cols_x"])
    pair = p[:, [case["inputs"]["i"], case["inputs"]["j"]]]
    merges = merge_pairs(pair, "s", math.inf)
    assert merges.drop_s == pytest.approx([case["expected"]["drop_I_SY"]], abs=case["tol"]["abs"])
    assert merges.drop_x == pytest.approx([case["expected"]["drop_I_XY"]], abs=case["tol"]["abs"])


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 9), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_the_path_is_that_of_the_literal_algorithm(seed, n_s, n_x, share):
    p = np.random.default_rng(seed).dirichlet(np.ones(n_s * n_x)).reshape(n_s, n_x)
    joint, about_x = dc.Joint(p), entropy(p.sum(axis=0))
    about_s = m.mutual_information(joint.lift()).value
    if n_s > 1:  # with one secret every merge gains the same
        assert blocks_of(greedy_funnel(joint, share * about_x)) == literal(p, share * about_x)
        bottleneck = greedy_bottleneck(joint, share * about_s)
        assert blocks_of(bottleneck) == literal(p, 0.0, share * about_s, by="x")
    assert greedy_funnel(joint, share * about_x).utility.value >= share * about_x - 1e-9


@given(joints(secrets=(1, 4), releases=(1, 7)), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_any_law_keeps_its_budget(joint, share):
    lift = joint.lift()
    rate = share * m.entropy(lift.reversed).value
    design = greedy_funnel(joint, rate)
    assert design.utility.value >= rate - 1e-9
    pair = joint.through(design.channel, keep="x").lift()
    assert design.utility.value == pytest.approx(m.mutual_information(pair).value, abs=1e-9)
    assert design.bound.value <= design.leakage.value + 1e-12
    relevance = share * m.mutual_information(lift).value
    assert greedy_bottleneck(joint, relevance).leakage.value >= relevance - 1e-9


def test_the_band_between_the_two():
    p = np.random.default_rng(1).dirichlet(np.full(80, 0.5)).reshape(4, 20)
    low, high = greedy_funnel_path(dc.Joint(p)), greedy_bottleneck_path(dc.Joint(p))
    for utility in np.linspace(0.2, 0.9, 8) * low.utility.max():
        under = low.at(utility=utility)
        over = np.interp(under.utility.value, high.utility[::-1], high.leak[::-1])
        assert under.leakage.value <= over


def test_a_path_is_made_in_one_run_and_its_points_are_what_it_says():
    joint = dc.Joint(np.random.default_rng(2).dirichlet(np.ones(60)).reshape(3, 20))
    for path in (greedy_funnel_path(joint), greedy_bottleneck_path(joint)):
        assert len(path) == 20
        for k in (0, 7, 19, -1):
            point = path.points[k]
            assert point.leakage.value == pytest.approx(path.leak[k], abs=1e-12)
            assert point.utility.value == pytest.approx(path.utility[k], abs=1e-12)
        with pytest.raises(IndexError):
            path.points[20]
        assert len(path.points[3:6]) == 3


def test_symbols_without_mass_go_where_the_most_common_goes():
    joint = dc.Joint([[0.2, 0.0, 0.1, 0.3], [0.1, 0.0, 0.2, 0.1]])
    to = greedy_funnel(joint, m.entropy(joint.lift().reversed).value).channel.p.argmax(axis=1)
    assert to[1] == to[3]
    assert len(set(to.tolist())) == 3


def test_a_budget_that_rounding_moved_is_the_end_it_lies_at():
    joint = dc.Joint([[0.3, 0.1], [0.15, 0.45]])
    most = m.entropy(joint.lift().reversed).value
    assert greedy_funnel(joint, -1e-16).utility.value == 0
    assert greedy_funnel(joint, most + 1e-16).utility.value == pytest.approx(most, abs=1e-15)


@pytest.mark.parametrize("value", [-0.1, 5.0, math.nan])
def test_budgets_that_no_map_can_meet(value):
    joint = dc.Joint([[0.3, 0.1], [0.15, 0.45]])
    with pytest.raises(ParameterError, match="rate"):
        greedy_funnel(joint, value)
    with pytest.raises(ParameterError, match="relevance"):
        greedy_bottleneck(joint, value)


def test_a_million_symbols_are_refused():
    p = np.full((2, 1_000_000), 5e-7)
    with pytest.raises(ParameterError, match="1,000,000 symbols"):
        greedy_funnel(dc.Joint(p), 1.0)


def test_a_thousand_symbols_take_no_time():
    p = np.random.default_rng(3).dirichlet(np.ones(14_000)).reshape(14, 1000)
    design = greedy_funnel(dc.Joint(p), 0.5 * entropy(p.sum(axis=0)))
    assert design.status is Status.CHEAP
    assert design.utility.value >= 0.5 * entropy(p.sum(axis=0))
