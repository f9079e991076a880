"""The watchdog: exact γ, whatever replaces the flagged symbols, and the whole frontier."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import joints
from tests.reference import cases, law, number

import discreet as dc
from discreet import measures as m
from discreet.core.errors import LawError, ParameterError
from discreet.mechanisms.watchdog import exact_gamma, watchdog, watchdog_for, watchdog_frontier

LAW = [[0.10, 0.05, 0.15, 0.02], [0.08, 0.20, 0.10, 0.30]]


@pytest.mark.parametrize(
    "case", cases("001_lift_watchdog", "watchdog"), ids=lambda c: str(c["inputs"]["eps"])
)
def test_reference_figures(case):
    i, expected, tol = case["inputs"], case["expected"], case["tol"]["abs"]
    design = watchdog(dc.Joint(law(i["joint_counts_rows_s_cols_x"])).lift(), i["eps"])
    assert np.flatnonzero(design.trace["kept"]).tolist() == expected["kept_columns"]
    assert design.trace["share"] == pytest.approx(expected["P_keep"], abs=tol)
    assert design.trace["gamma"] == pytest.approx(number(expected["gamma_exact"]), abs=tol)
    assert float(design.leakage) == pytest.approx(number(expected["gamma_exact"]), abs=tol)
    assert design.trace["gamma_of_eps_and_share"] == pytest.approx(
        number(expected["gamma_bound_eps_P"]), abs=tol
    )
    assert float(design.utility) == pytest.approx(expected["utility_I_X_Y"], abs=tol)


@settings(max_examples=100, deadline=None)
@given(joint=joints(), eps=st.floats(0, 3), seed=st.integers(0, 10**6))
def test_gamma_is_what_is_released_whatever_replaces_it(joint, eps, seed):
    lift = joint.lift()
    plain = watchdog(lift, eps)
    flagged = ~plain.trace["kept"]
    assert float(plain.leakage) == pytest.approx(plain.trace["gamma"], abs=1e-9)
    if lift.p_y[flagged].sum() > 1e-9 or not lift.p_y[flagged].any():
        assert plain.trace["gamma"] <= plain.trace["gamma_of_eps_and_share"] + 1e-6
    if flagged.any():
        other = np.zeros(flagged.size)
        other[flagged] = np.random.default_rng(seed).dirichlet(np.ones(int(flagged.sum())))
        replaced = watchdog(lift, eps, other)
        assert float(replaced.leakage) == pytest.approx(float(plain.leakage), abs=1e-9)
        # the draw is independent, so what it names beyond the flag tells nothing
        assert float(replaced.utility) == pytest.approx(float(plain.utility), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(joint=joints(releases=(1, 7)))
def test_the_frontier_is_the_watchdog_at_every_eps(joint):
    lift = joint.lift()
    frontier = watchdog_frontier(lift)
    for i, design in enumerate(frontier):
        assert float(design.leakage) == pytest.approx(frontier.leak[i], abs=1e-9)
        assert float(design.utility) == pytest.approx(frontier.utility[i], abs=1e-9)
        assert exact_gamma(lift, design.trace["kept"]) == pytest.approx(frontier.leak[i], abs=1e-9)
    for eps in (0.05, 0.3, 1.0, 4.0):
        utility = float(watchdog(lift, eps).utility)
        assert np.abs(frontier.utility - utility).min() < 1e-9


@settings(max_examples=60, deadline=None)
@given(joint=joints(releases=(1, 7)), gamma=st.floats(0, 3))
def test_a_wanted_gamma_is_kept_with_the_most_utility(joint, gamma):
    lift = joint.lift()
    design = watchdog_for(lift, gamma)
    assert float(design.leakage) <= gamma + 1e-9
    for eps in np.linspace(0, 4, 23):
        other = watchdog(lift, float(eps))
        if float(other.leakage) <= gamma - 1e-9:
            assert float(other.utility) <= float(design.utility) + 1e-9


def test_a_symbol_at_the_edge_is_kept():
    lift = dc.Joint(np.array([[4, 1, 1], [1, 4, 1], [1, 1, 4]]) / 18).lift()
    assert watchdog(lift, math.log(2)).trace["kept"].all()
    assert not watchdog(lift, math.log(2) - 1e-9).trace["kept"].any()


def test_extremes():
    independent = dc.Joint(np.outer([0.3, 0.7], [0.2, 0.8])).lift()
    all_kept = watchdog(independent, 1e-9)
    assert all_kept.trace["kept"].all()
    assert float(all_kept.leakage) == pytest.approx(0, abs=1e-12)
    identity = dc.Joint(np.eye(3) / 3).lift()
    nothing = watchdog(identity, 1.0)
    assert not nothing.trace["kept"].any()
    assert float(nothing.leakage) == pytest.approx(0, abs=1e-12)
    assert float(nothing.utility) == pytest.approx(0, abs=1e-12)
    assert float(watchdog(identity, math.inf).leakage) == math.inf
    assert watchdog(dc.Joint([[0.4], [0.6]]).lift(), 0.1).trace["kept"].tolist() == [True]


def test_what_is_refused():
    lift = dc.Joint(LAW).lift()
    with pytest.raises(ParameterError, match="eps"):
        watchdog(lift, -1)
    with pytest.raises(LawError, match="1 kept symbols with mass"):
        watchdog(lift, 0.5, [0.25, 0.25, 0.25, 0.25])
    with pytest.raises(LawError, match="shape"):
        watchdog(lift, 0.5, [1.0])
    million = dc.Joint(np.full((1, 10**6), 1e-6)).lift()
    with pytest.raises(ParameterError, match="1,000,000 symbols"):
        watchdog(million, 0.5)
    assert float(m.lift_privacy(million)) == pytest.approx(0, abs=1e-9)
