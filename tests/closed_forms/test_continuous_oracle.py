"""Gaussian laws and mixtures, against figures computed apart from the product."""

import math

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
