"""The papers' bounds against figures that were computed apart from the product."""

import math

import numpy as np
import pytest

import discreet as dc
from discreet.guarantees.implications import named
from discreet.guarantees.sharp import theta
from tests.reference import cases, law, number

g, m = dc.guarantees, dc.measures


def close(case):
    return {"abs": case["tol"]["abs"], "rel": 0}


# --------------------------------------------------------------------------------------------------------- paper 000


@pytest.mark.parametrize("case", cases("000_fdivergence_ip", "thm1"), ids=lambda c: str(c["inputs"]))
def test_theorem_1(case):
    """Its total variation is twice ours; the figures are raw where printed, and shares where not."""
    eps, eta, expected = case["inputs"]["eps"], case["inputs"]["eta"], case["expected"]
    for part, given in (("a", eta / 2), ("b", eta), ("c", eta)):
        name = {"a": "tv", "b": "kl", "c": "chi2"}[part]
        printed = named(f"theorem-1{part}-printed").map(given, eps)
        assert printed == pytest.approx(expected[f"{name}_printed"], **close(case))
    notion = g.InformationPrivacy
    tv = g.imply(g.TotalVariation(min(eta / 2, 1.0)), notion, eps=eps).notion.delta
    chi_squared = g.imply(g.ChiSquared(eta), notion, eps=eps).notion.delta
    kl = g.imply(g.MutualInformation(eta), notion, eps=eps).notion.delta
    assert tv == pytest.approx(expected["tv_sharp_coth"], **close(case))
    assert chi_squared == pytest.approx(expected["chi2_tight_markov"], **close(case))
    assert eta / (eps - 1 + math.exp(-eps)) == pytest.approx(expected["kl_markov"], **close(case)) or kl == 1
    assert kl <= min(expected["kl_markov"], 1, expected["kl_printed"]) + 1e-12


@pytest.mark.parametrize(
    "case", cases("000_fdivergence_ip", "thm1_sharp_program"), ids=lambda c: str(c["inputs"])
)
def test_theorem_1_is_as_sharp_as_the_convex_program(case):
    eps, eta, expected = case["inputs"]["eps"], case["inputs"]["eta"], case["expected"]
    for known, name in (
        (g.TotalVariation(min(eta / 2, 1.0)), "tv"),
        (g.MutualInformation(eta), "kl"),
        (g.ChiSquared(eta), "chi2"),
    ):
        delta = g.imply(known, g.InformationPrivacy, eps=eps).notion.delta
        assert delta == pytest.approx(expected[name], **close(case))


@pytest.mark.parametrize(
    "case", cases("000_fdivergence_ip", "fig2_chain_uniform_prior"), ids=lambda c: str(c["inputs"])
)
def test_figure_2(case):
    eta, tolerance = case["expected"]["chi2_pY_vs_pYs"], close(case)
    p_s, last = np.array([0.5, 0.5]), named("lemma-1").map
    for link in case["expected"]["chain"]:
        eps = link["eps_ip"]
        assert named("lemma-1").at(link["eps_prime"]) == {"eps": pytest.approx(eps)}
        printed = last(named("corollary-1-chi-squared-printed").map(eta, eps, 2), p_s)
        markov = last(named("corollary-1-chi-squared").map(eta, eps, 2), p_s)
        one_sided = last(named("corollary-1-two-secrets").map(eta, eps), p_s)
        assert printed == pytest.approx(link["delta_prime_corrected"], **tolerance)
        assert markov == pytest.approx(link["delta_prime_markov"], **tolerance)
        assert one_sided == pytest.approx(link["delta_prime_one_sided_uniform_binary"], **tolerance)


@pytest.mark.parametrize(
    "case", cases("000_fdivergence_ip", "fig2_chain_uniform_prior")[::5], ids=lambda c: str(c["inputs"])
)
def test_the_search_goes_below_figure_2_and_stays_above_the_truth(case):
    known = g.ChiSquared(case["expected"]["chi2_pY_vs_pYs"], direction="prior", over="worst")
    for link in case["expected"]["chain"][::2]:
        eps, prior = link["eps_prime"], [0.5, 0.5]
        best = min(link["delta_prime_markov"], link["delta_prime_one_sided_uniform_binary"], 1.0)
        found = g.imply(known, g.DifferentialPrivacy, eps=eps, p_s=prior).notion.delta
        strong = g.imply(known, g.InformationPrivacy, strong=True, eps=eps / 2, p_s=prior)
        by_two = g.imply(strong, g.DifferentialPrivacy, eps=eps, p_s=prior).notion.delta
        assert link["exact_dp_delta"] <= found <= by_two <= best + 1e-12


@pytest.mark.parametrize(
    "case", cases("000_fdivergence_ip", "fig2c_prior"), ids=lambda c: str(c["inputs"]["prior"])
)
def test_figure_2c(case):
    p_s, eps = np.array(case["inputs"]["prior"]), case["inputs"]["eps_prime"]
    eta = case["expected"]["eta_max"]
    printed = named("lemma-1").map(named("corollary-1-chi-squared-printed").map(eta, eps / 2, 2), p_s)
    assert printed == pytest.approx(case["expected"]["delta_prime"], **close(case))
    known = g.ChiSquared(eta, direction="prior", over="worst")
    assert g.imply(known, g.DifferentialPrivacy, eps=eps, p_s=p_s).notion.delta <= printed


# --------------------------------------------------------------------------------------------------------- paper 001


@pytest.mark.parametrize("case", cases("001_lift_watchdog", "lift_bounds"), ids=lambda c: c["key"])
def test_bounds_from_the_lift(case):
    expected, tolerance = case["expected"], close(case)
    joint = dc.Joint(law(case["inputs"]["joint_counts_rows_s_cols_y"]))
    lift = joint.lift()
    known = g.of(m.lift_privacy(lift))
    assert known.notion.eps == pytest.approx(expected["eps_lift"], **tolerance)
    for notion, name, factor, measure in (
        (g.MutualInformation, "mi_bound_tanh", 1, m.mutual_information),
        (g.ChiSquared, "chi2_bound_4sinh2", 1, m.chi_squared),
        (g.TotalVariation, "tv_L1_bound_2tanh", 2, m.total_variation),
        (g.LocalPrivacy, "ldp_bound", 1, m.local_privacy),
    ):
        found = g.imply(known, notion).notion
        bound = getattr(found, found.bound)
        assert factor * bound == pytest.approx(expected[name], **tolerance)
        assert float(measure(lift)) <= bound + 1e-12
    for alpha, bound in expected["renyi_bound"].items():
        for notion, measure in ((g.Sibson, m.sibson), (g.Arimoto, m.arimoto), (g.Renyi, m.renyi)):
            found = g.imply(known, notion, alpha=float(alpha))
            assert found.notion.eta == pytest.approx(bound, **tolerance)
            assert float(measure(lift, float(alpha))) <= found.notion.eta + 1e-12
    guess = g.imply(known, g.GuessingProbability, p_s=lift.p_s).notion.eta
    assert expected["pc"] <= guess + 1e-12
    assert guess <= min(expected["pc_bound"], 1) + 1e-12


@pytest.mark.parametrize("case", cases("001_lift_watchdog", "watchdog"), ids=lambda c: str(c["inputs"]))
def test_the_watchdog(case):
    eps, expected = case["inputs"]["eps"], case["expected"]
    found = g.imply(g.Watchdog(eps), g.LiftPrivacy, p_kept=min(expected["P_keep"], 1.0))
    bound = math.inf if found is None else found.notion.eps
    assert bound == pytest.approx(number(expected["gamma_bound_eps_P"]), **close(case))
    assert expected["gamma_exact"] <= bound + 1e-12
    printed = named("proposition-2-printed")
    if expected["gamma_printed"] is None:
        assert not printed.holds(eps, expected["P_keep"])
    else:
        assert printed.map(eps, expected["P_keep"]) == pytest.approx(expected["gamma_printed"], **close(case))


# --------------------------------------------------------------------------------------------------------- paper 002


@pytest.mark.parametrize("case", cases("002_privacy_funnel", "inference_cost_gain"), ids=lambda c: c["key"])
def test_what_an_adversary_gains(case):
    expected = case["expected"]
    lift = dc.Joint(law(case["inputs"]["joint_counts_rows_s_cols_y"])).lift()
    information = float(m.mutual_information(lift))
    for cost, cost_range, name in (("zero_one", 1.0, "gain_01"), ("brier", 2.0, "gain_brier")):
        tight = named("theorem-1").map(information, cost_range)
        assert tight == pytest.approx(expected[name.replace("gain", "bound_tight")], **close(case))
        found = g.imply(g.of(m.mutual_information(lift)), g.InferenceGain, cost_range=cost_range)
        assert float(m.inference_gain(lift, cost)) == pytest.approx(expected[name], **close(case))
        assert expected[name] <= found.notion.eta <= tight
    printed = named("theorem-1-printed").map(information, 1.0)
    assert printed == pytest.approx(expected["bound_printed_01"], **close(case))
    log_loss = g.imply(g.of(m.mutual_information(lift)), g.InferenceGain, cost="log").notion.eta
    assert log_loss == pytest.approx(expected["gain_logloss"], **close(case))


# --------------------------------------------------------------------------------------------------------- paper 003


def test_theta():
    for case in cases("003_tide", "theta"):
        eps, a, deviation = (case["inputs"][name] for name in ("eps", "a", "lam"))
        assert theta(eps, a, deviation) == pytest.approx(case["expected"], **close(case))
        if eps >= 0:
            found = g.imply(g.GaussianNoise(deviation, a), g.DifferentialPrivacy, eps=eps)
            assert found.notion.delta == pytest.approx(case["expected"], **close(case))


def test_the_deviation_for_a_target():
    for case in cases("003_tide", "lambda_for_target"):
        eps, diameter, target = (case["inputs"][name] for name in ("eps", "diameter", "target"))
        assert theta(eps, diameter, case["expected"]) == pytest.approx(target, abs=1e-8)


def test_tails_from_e_gamma():
    for case in cases("003_tide", "tail_from_E"):
        t, eps, eta = (case["inputs"][name] for name in ("t", "eps", "E"))
        known = g.EGamma(math.exp(eps), eta)
        under_s = g.imply(known, g.Tail, t=t).notion.delta
        under_y = g.imply(known, g.Tail, t=t, direction="prior").notion.delta
        assert under_s == pytest.approx(case["expected"]["bound_P_given_s"], **close(case))
        assert under_y == pytest.approx(case["expected"]["bound_P_Y"], **close(case))


def test_e_gamma_is_the_discounted_tail_of_the_release():
    """Paper 003, Theorem 1: the identity behind the rows, under p(y | s) and, with e^t, under p(y)."""
    for case in cases("003_tide", "tail_formula"):
        p, q = (np.array(case["inputs"][name]) for name in ("P_Y_given_s", "P_Y"))
        eps, i = case["inputs"]["eps"], np.log(p / q)
        beyond = i > eps
        gamma = math.exp(eps)
        under_s = float((p * (1 - gamma * np.exp(-i)))[beyond].sum())
        under_y = float((q * (np.exp(i) - gamma))[beyond].sum())
        assert under_s == pytest.approx(case["expected"]["E"], **close(case))
        assert under_y == pytest.approx(case["expected"]["alternative_under_P_Y_int_e_t"], **close(case))
        joint = dc.Joint([1e-3 * p, q - 1e-3 * p])
        bound = g.imply(g.Tail(eps, float(p[beyond].sum())), g.EGamma, gamma=gamma, p_s=joint.lift().p_s)
        assert under_s <= bound.notion.eta <= p[beyond].sum()


def test_theorem_3_needs_the_diameter():
    for case in cases("003_tide", "theorem3_radius_counterexample"):
        gamma, deviation = math.exp(case["inputs"]["eps"]), case["inputs"]["lam"]
        expected, p = case["expected"], case["inputs"]["P_s"]
        printed = named("theorem-3-printed").map(deviation, 2.0, gamma)
        assert printed == pytest.approx(expected["theta_radius_K1"], **close(case))
        found = g.imply(g.GaussianNoise(deviation, 2.0), g.EGamma, gamma=gamma).notion.eta
        assert found == pytest.approx(expected["theta_diameter"], **close(case))
        aware = g.imply(g.GaussianNoise(deviation, 2.0), g.EGamma, gamma=gamma, p_s=[p, 1 - p]).notion.eta
        assert expected["E_actual"] <= aware + 1e-5
        assert aware <= found


def test_selective_noise_reveals_its_flag():
    (case,) = cases("003_tide", "flag_leak_counterexample")
    flagged = np.array(case["inputs"]["P_X_given_s"])[:, case["inputs"]["flagged"]].sum(axis=1)
    found = g.imply(
        g.FlaggedNoise(1e9, 1.0, case["inputs"]["eps"]),
        g.EGamma,
        gamma=math.exp(case["inputs"]["eps"]),
        p_s=case["inputs"]["P_s"],
        flagged=flagged,
    )
    assert found.notion.eta == pytest.approx(case["expected"]["E_s0_after_mechanism_any_lambda"], abs=1e-8)
