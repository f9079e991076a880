"""The measure cases of the papers' own reference figures."""

import math

import numpy as np
import pytest
from tests.reference import cases, law, number

import discreet as dc
from discreet import measures as m


def lift_of(counts):
    return dc.Joint(law(counts)).lift()


@pytest.mark.parametrize("case", cases("001_lift_watchdog", "lift_bounds"), ids=lambda c: c["key"])
def test_lift_and_what_it_bounds(case):
    lift = lift_of(case["inputs"]["joint_counts_rows_s_cols_y"])
    expected, tol = case["expected"], case["tol"]["abs"]
    read = {
        "eps_lift": m.lift_privacy(lift),
        "mi": m.mutual_information(lift),
        "chi2": m.chi_squared(lift),
        "tv_L1": 2 * float(m.total_variation(lift)),
        "ldp": m.local_privacy(lift.reversed),
        "pc": m.guessing_probability(lift),
    }
    for key, value in read.items():
        assert float(value) == pytest.approx(number(expected[key]), abs=tol), key


@pytest.mark.parametrize("case", cases("002_privacy_funnel", "inference_cost_gain"), ids=lambda c: c["key"])
def test_inference_gain_of_three_costs(case):
    lift = lift_of(case["inputs"]["joint_counts_rows_s_cols_y"])
    expected, tol = case["expected"], case["tol"]["abs"]
    assert float(m.inference_gain(lift, "log")) == pytest.approx(expected["gain_logloss"], abs=tol)
    assert float(m.inference_gain(lift, "zero_one")) == pytest.approx(expected["gain_01"], abs=tol)
    assert float(m.inference_gain(lift, "brier")) == pytest.approx(expected["gain_brier"], abs=tol)
    guesses = 1 - np.eye(lift.p_s.size)
    assert float(m.inference_gain(lift, guesses)) == pytest.approx(expected["gain_01"], abs=tol)


def one_against_all(p, q):
    """A law of two secrets whose first has the law p while Y has the law q, for the E_γ of a pair."""
    p, q = np.asarray(p), np.asarray(q)
    share = 0.5 * min(1.0, float(np.min(q[p > 0] / p[p > 0])))
    return dc.Joint([share * p, q - share * p]).lift()


@pytest.mark.parametrize("case", cases("003_tide", "tail_formula"), ids=lambda c: str(c["inputs"]["eps"]))
def test_e_gamma_is_an_integral_of_the_tail(case):
    """E_γ = e^ε ∫ e^−t Pr{i > t | s} dt with the probability under p(y | s), not under p(y)."""
    i, expected, tol = case["inputs"], case["expected"], case["tol"]["abs"]
    p, q, eps = np.array(i["P_Y_given_s"]), np.array(i["P_Y"]), i["eps"]
    value = m.e_gamma(one_against_all(p, q), math.exp(eps)).by_s[0]
    assert value == pytest.approx(expected["E"], abs=tol)
    density = np.log(p / q)
    above = density > eps
    integral = math.exp(eps) * (p[above] @ (math.exp(-eps) - np.exp(-density[above])))
    assert integral == pytest.approx(expected["rhs12_with_Pr_under_P_Y_given_s"], abs=tol)


@pytest.mark.parametrize("case", cases("003_tide", "composition"), ids=lambda c: str(c["inputs"]["eps"]))
def test_e_gamma_of_two_releases(case):
    i, expected, tol = case["inputs"], case["expected"], case["tol"]["abs"]
    (p1, q1, p2, q2), gamma = (np.array(i[k]) for k in ("P1", "Q1", "P2", "Q2")), math.exp(i["eps"])
    first = m.e_gamma(one_against_all(p1, q1), gamma).by_s[0]
    assert first == pytest.approx(expected["delta1"], abs=tol)
    second = max(m.e_gamma(one_against_all(a, b), gamma).by_s[0] for a, b in zip(p2, q2, strict=True))
    assert second == pytest.approx(expected["delta2"], abs=tol)
    both = one_against_all((p1[:, None] * p2).ravel(), (q1[:, None] * q2).ravel())
    assert m.e_gamma(both, gamma**2).by_s[0] == pytest.approx(expected["E_total_at_2eps"], abs=tol)


@pytest.mark.parametrize("case", cases("003_tide", "theta"), ids=lambda c: str(c["inputs"]))
def test_theta(case):
    i = case["inputs"]
    value = m.shift.e_gamma(i["a"] / i["lam"], math.exp(i["eps"]))
    assert float(value) == pytest.approx(case["expected"], abs=case["tol"]["abs"])


def test_history_counterexample():
    """Two columns, each the secret itself: the second tells nothing new, and yet everything is told."""
    (case,) = cases("003_tide", "history_counterexample")
    i, expected, tol = case["inputs"], case["expected"], case["tol"]["abs"]
    k = i["k"]
    p = np.zeros((k, k, k))
    p[range(k), range(k), range(k)] = 1 / k
    joint = dc.Joint(p, axes=("s", "x1", "x2"))
    first, second = m.conditional_density(joint)
    assert first[3, 3] == pytest.approx(expected["i_s_x1"], abs=tol)
    assert second[3, 3, 3] == pytest.approx(expected["i_s_x2_given_x1"], abs=tol)
    released = joint.marginal("s", "x2").lift()
    assert float(m.e_gamma(released, math.exp(2 * i["eps"]))) == pytest.approx(expected["E_e2eps"], abs=tol)


def test_zero_cells_count_in_the_strong_form():
    (case,) = cases("000_fdivergence_ip", "eq6_zero_cell_counterexample")
    expected, tol = case["expected"], case["tol"]["abs"]
    p = np.full((10, 2), 0.1) * [0.18, 0.82]
    p[9] = [0, 0.1]
    lift = dc.Joint(p).lift()
    assert float(m.information_privacy(lift, 0.2)) == pytest.approx(expected["plain_delta"], abs=tol)
    assert float(m.information_privacy(lift, 0.2, strong=True)) == pytest.approx(
        expected["strong_delta_eq3"], abs=tol
    )
    assert float(m.differential_privacy(lift, 0.4)) == pytest.approx(expected["dp_delta_at_0p4"], abs=tol)


@pytest.mark.parametrize("case", cases("004_gap", "alpha_loss"), ids=lambda c: str(c["inputs"]["alpha"]))
def test_alpha_loss(case):
    i, expected, tol = case["inputs"], case["expected"], case["tol"]["abs"]
    lift = lift_of(i["joint_counts_rows_y_cols_xhat"])
    assert float(m.alpha_loss(lift, i["alpha"])) == pytest.approx(
        expected["min_expected_alpha_loss"], abs=tol
    )
    uncertain = float(m.conditional_entropy(lift, i["alpha"]))
    assert uncertain == pytest.approx(expected["arimoto_conditional_entropy"], abs=tol)


def test_the_best_guess_sums_over_releases():
    (case,) = cases("004_gap", "map_accuracy_eq5")
    lift = lift_of(case["inputs"]["joint_counts_rows_y_cols_xhat"])
    assert float(m.guessing_probability(lift)) == pytest.approx(case["expected"]["accuracy"], abs=1e-12)
