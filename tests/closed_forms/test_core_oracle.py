"""Every measure on small laws, against figures computed apart from the product."""

import math

import numpy as np
import pytest
from tests.reference import cases, law, number

import discreet as dc
from discreet import measures as m

CASES = cases("core_measures", "measures")

READ = {
    "H_S": lambda lift, _: m.entropy(lift),
    "H_Y": lambda lift, _: m.entropy(lift.reversed),
    "mutual_information": lambda lift, _: m.mutual_information(lift),
    "tv_half": lambda lift, _: m.total_variation(lift),
    "tv_L1_unhalved": lambda lift, _: 2 * float(m.total_variation(lift)),
    "chi2": lambda lift, _: m.chi_squared(lift),
    "hellinger2_unhalved": lambda lift, _: 2 * float(m.hellinger(lift)),
    "max_correlation": lambda lift, _: m.maximal_correlation(lift),
    "maximal_leakage": lambda lift, _: m.maximal_leakage(lift),
    "min_entropy_leakage": lambda lift, _: m.min_entropy_leakage(lift),
    "bayes_error": lambda lift, _: 1 - float(m.guessing_probability(lift)),
    "prior_error": lambda lift, _: 1 - lift.p_s.max(),
    "mmse": lambda lift, s: m.mmse(lift, s),
    "var_S": lambda lift, s: lift.p_s @ (np.array(s) - lift.p_s @ np.array(s)) ** 2,
    "max_abs_log_lift": lambda lift, _: m.lift_privacy(lift),
    "lift_min": lambda lift, _: lift.ratio.min(),
    "lift_max": lambda lift, _: lift.ratio.max(),
    "ldp_Y_given_S": lambda lift, _: m.local_privacy(lift),
    "ldp_S_given_Y": lambda lift, _: m.local_privacy(lift.reversed),
}

AT = {
    "E_gamma_joint_vs_product": lambda lift, g: m.e_gamma(lift, g, over="mean"),
    "E_gamma_product_vs_joint": lambda lift, g: m.e_gamma(lift, g, direction="prior", over="mean"),
    "sibson_S_to_Y": m.sibson,
    "arimoto_S_given_Y": m.arimoto,
    "arimoto_conditional_entropy": m.conditional_entropy,
    "min_expected_alpha_loss": m.alpha_loss,
    "renyi_joint_vs_product": m.renyi,
    "ip_delta_plain": m.information_privacy,
    "ip_delta_strong": lambda lift, eps: m.information_privacy(lift, eps, strong=True),
    "dp_delta": m.differential_privacy,
}

BY_SECRET = {
    "E_exp_eps_per_s_PYs_vs_PY": lambda lift, eps: m.e_gamma(lift, math.exp(eps)),
    "E_exp_eps_per_s_PY_vs_PYs": lambda lift, eps: m.e_gamma(lift, math.exp(eps), direction="prior"),
}


def left_right(lift: dc.Lift, eps: float) -> list[float]:
    outside = [lift.ratio < math.exp(-eps), lift.ratio > math.exp(eps)]
    return [float(lift.p[side].sum()) for side in outside]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["key"])
def test_every_figure_of_a_law(case):
    lift = dc.Joint(law(case["inputs"]["joint_counts_rows_s_cols_y"])).lift()
    values, tol = case["inputs"]["s_values"], case["tol"]["abs"]
    seen = 0
    for key, expected in case["expected"].items():
        if key in READ:
            assert float(READ[key](lift, values)) == pytest.approx(number(expected), abs=tol), key
            seen += 1
        elif key in AT:
            for at, figure in expected.items():
                assert float(AT[key](lift, float(at))) == pytest.approx(number(figure), abs=tol), (key, at)
                seen += 1
        elif key in BY_SECRET:
            for eps, figures in expected.items():
                reading = BY_SECRET[key](lift, float(eps))
                assert reading.by_s == pytest.approx(figures, abs=tol), (key, eps)
                assert float(reading) == pytest.approx(max(figures), abs=tol)
                seen += 1
        elif key == "ip_delta_left_right":
            for eps, figures in expected.items():
                assert left_right(lift, float(eps)) == pytest.approx(figures, abs=tol), (key, eps)
                assert float(m.information_privacy(lift, float(eps))) == pytest.approx(sum(figures), abs=tol)
                seen += 1
        else:
            raise AssertionError(f"no measure for {key}")
    assert seen > 30
