"""Gaussian laws and mixtures, against figures computed apart from the product."""

import math

import numpy as np
import pytest
from tests.reference import cases, number

import discreet as dc
from discreet import measures as m


@pytest.mark.parametrize(
    "case", cases("continuous", "bivariate_gaussian"), ids=lambda c: f"rho={c['inputs']['rho']}"
)
def test_bivariate_gaussian(case):
    law, expected, tol = dc.Gaussian(1, 1, case["inputs"]["rho"]), case["expected"], case["tol"]["abs"]
    assert float(m.gaussian.mutual_information(law)) == pytest.approx(expected["mutual_information"], abs=tol)
    assert float(m.gaussian.chi_squared(law)) == pytest.approx(expected["chi2"], abs=tol * 10)
    assert float(m.gaussian.maximal_correlation(law)) == pytest.approx(expected["max_correlation"], abs=tol)
    assert float(m.gaussian.mmse(law)) == pytest.approx(expected["mmse_unit_variance"], abs=tol)


AT = {
    "ip_delta_plain": m.information_privacy,
    "ip_delta_strong": lambda lift, eps: m.information_privacy(lift, eps, strong=True),
    "dp_delta": m.differential_privacy,
    "E_gamma_joint_vs_product": lambda lift, g: m.e_gamma(lift, g, over="mean"),
}

READ = {
    "mutual_information": m.mutual_information,
    "chi2": m.chi_squared,
    "tv_L1_unhalved": lambda lift: 2 * float(m.total_variation(lift)),
    "bayes_error": lambda lift: 1 - float(m.guessing_probability(lift)),
    "mmse": lambda lift: m.mmse(lift, [0, 1]),
    "max_correlation": m.maximal_correlation,
    "maximal_leakage": m.maximal_leakage,
}


@pytest.mark.parametrize(
    "case", cases("continuous", "binary_gaussian_mixture"), ids=lambda c: str(c["inputs"]["mean0"])
)
def test_binary_gaussian_mixture(case):
    i, tol = case["inputs"], case["tol"]["abs"]
    prior = [1 - i["P_S1"], i["P_S1"]]
    lift = dc.GaussianMixture(prior, [i["mean0"], i["mean1"]], [i["sd0"] ** 2, i["sd1"] ** 2]).lift()
    for key, expected in case["expected"].items():
        if key in AT:
            for at, figure in expected.items():
                assert float(AT[key](lift, float(at))) == pytest.approx(number(figure), abs=tol), (key, at)
        else:
            assert float(READ[key](lift)) == pytest.approx(number(expected), abs=tol), key


@pytest.mark.parametrize(
    "case", cases("000_fdivergence_ip", "gaussian_divergences"), ids=lambda c: str(c["inputs"])
)
def test_two_normal_laws(case):
    i, expected, tol = case["inputs"], case["expected"], case["tol"]["abs"]
    shift = abs(i["mu0"] - i["mu1"]) / i["sigma"]
    assert float(m.shift.chi_squared(shift)) == pytest.approx(expected["chi2"], abs=tol)
    assert float(m.shift.mutual_information(shift)) == pytest.approx(expected["kl"], abs=tol)
    assert 2 * float(m.shift.total_variation(shift)) == pytest.approx(expected["tv_L1_unhalved"], abs=tol)
    assert float(m.shift.renyi(shift, 2)) == pytest.approx(expected["renyi_2"], abs=tol)
    for eps, figure in expected["dp_delta"].items():
        assert float(m.shift.e_gamma(shift, math.exp(float(eps)))) == pytest.approx(figure, abs=tol)


def calibrated(case):
    """Paper 000's Gaussian mechanism on means one apart, whose printed calibration gives its deviation."""
    i = case["inputs"]
    variance = 2 * math.log(1.25 / i["delta"]) / i["eps"] ** 2
    return dc.GaussianMixture(i["prior"], [0, 1], [variance, variance]).lift(), variance


@pytest.mark.parametrize(
    "case",
    cases("000_fdivergence_ip", "fig2_chain_uniform_prior", "fig2c_prior")[::4],
    ids=lambda c: str(c["inputs"]),
)
def test_figure_2_begins_with_a_divergence_from_the_prior(case):
    """χ² of p(y) from p(y | s), the worst s, and the exact δ that the mechanism has."""
    lift, variance = calibrated(case)
    expected, tol = case["expected"], case["tol"]["abs"]
    eta = expected.get("chi2_pY_vs_pYs", expected.get("eta_max"))
    assert float(m.chi_squared(lift, "prior", "worst")) == pytest.approx(eta, abs=tol)
    for link in expected.get("chain", []):
        exact, eps = link["exact_dp_delta"], link["eps_prime"]
        assert float(m.shift.e_gamma(variance**-0.5, math.exp(eps))) == pytest.approx(exact, abs=tol)
        assert float(m.differential_privacy(lift, eps)) == pytest.approx(exact, abs=tol)


@pytest.mark.parametrize(
    "case", cases("000_fdivergence_ip", "hypothesis_testing_bayes_accuracy"), ids=lambda c: str(c["inputs"])
)
def test_the_best_guess_of_a_sign_from_its_noisy_neighbour(case):
    """U′ = U + N for a sign U that equals S with some probability: S from U′, and from S′ as well where that is all."""
    i, expected, tol = case["inputs"], case["expected"], case["tol"]["abs"]
    same, variance = i["p_SU_equal"], i["noise_sd"] ** 2
    seen = dc.GaussianMixture([0.5, 0.5], [-1, 1], [variance, variance]).lift()
    neighbour = dc.Joint(np.array([[same, 1 - same], [1 - same, same]]) @ seen.p).lift()
    assert float(m.guessing_probability(neighbour)) == pytest.approx(
        expected["acc_S_from_Uprime_only"], abs=tol
    )
    if same == 0.5:
        assert float(m.guessing_probability(seen)) == pytest.approx(expected["acc_S_from_X"], abs=tol)


def test_divergences_from_the_prior_where_variances_differ():
    """Closed forms: E_q over normal laws. χ² of the worst s is infinite once the wide law is twice as wide."""
    lift = dc.GaussianMixture([0.5, 0.5], [0, 0], [1, 1.5]).lift()
    narrow, wide = (1 / v for v in (1, 1.5))
    second = (2 * wide - narrow) ** -0.5 * wide / narrow**0.5
    chi_squared = 0.25 * (1 + 2 + second) - 1
    assert float(m.chi_squared(lift, "prior", "worst")) == pytest.approx(chi_squared, abs=2e-9)
    assert float(m.f_information(lift, lambda t: (t - 1) ** 2, "prior", "worst")) == pytest.approx(
        chi_squared, abs=2e-9
    )
    wider = dc.GaussianMixture([0.5, 0.5], [0, 0], [1, 2.1]).lift()
    assert float(m.chi_squared(wider, "prior", "worst")) == math.inf
    assert float(m.mutual_information(wider, "prior")) < 0.1


def test_laws_far_apart_keep_their_divergence():
    """So far apart that neither mass is a number where the other law is: D(p_Y ‖ p_s) = ½ (d²/2) − log 2."""
    lift = dc.GaussianMixture([0.5, 0.5], [0, 300], [1, 1]).lift()
    assert float(m.mutual_information(lift, "prior")) == pytest.approx(22500 - math.log(2), rel=1e-9)
    assert float(m.information_privacy_eps(lift, 0.0)) == math.inf


def test_a_mixture_of_equals_tells_nothing():
    lift = dc.GaussianMixture([0.3, 0.7], [1, 1], [2, 2]).lift()
    assert float(m.mutual_information(lift)) == 0
    assert float(m.lift_privacy(lift)) < 1e-9


def test_a_supremum_that_is_only_approached_at_infinity():
    lift = dc.GaussianMixture([0.5, 0.5], [0, 0.1], [1, 1]).lift()
    assert float(m.lift_privacy(lift)) == math.inf
    wider = dc.GaussianMixture([0.5, 0.5], [0, 0], [1, 1.1]).lift()
    assert float(m.local_privacy(wider)) == math.inf
    assert wider.ratio.max() == pytest.approx(2)


def test_a_singular_pair_tells_everything():
    law = dc.Gaussian(1, 1, 1)
    assert float(m.gaussian.mutual_information(law)) == math.inf
    assert float(m.gaussian.chi_squared(law)) == math.inf
    assert float(m.gaussian.mmse(law)) == 0
