"""A binary secret behind normal laws: the theorems of paper 004 as they hold, and the optimum of its general family."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from tests.reference import cases

import discreet as dc
from discreet import measures as m
from discreet.core.design import Status
from discreet.mechanisms import zoom
from discreet.mechanisms.mixture import gaussian_mixture, mixture_saturation
from discreet.mechanisms.two_normals import Prior, exact_information, guess, information, saturated

FAMILIES = ("noise", "shift", "shift_and_noise", "additive")


def law(i):
    p = i["p_tilde"]
    return [1 - p, p], [-i["mu"], i["mu"]], [i.get("var0", i.get("var")), i.get("var1", i.get("var"))]


def row(case):
    i = case["inputs"]
    return f"{i.get('table', i.get('dataset'))}-{i['D']}"


@pytest.mark.parametrize("case", cases("004_gap", "gaussian_table_row"), ids=row)
def test_the_tables_with_their_optimum(case):
    i, expected = case["inputs"], case["expected"]
    design = gaussian_mixture(*law(i), i["D"])
    assert float(design.leakage) == pytest.approx(expected["optimum"], abs=1e-8)
    assert float(design.utility) <= i["D"] * (1 + 1e-9)
    one_noise = expected["theorem4_equal_gamma"]
    if one_noise is not None:
        found = gaussian_mixture(*law(i), i["D"], family="shift_and_noise")
        assert float(found.leakage) == pytest.approx(one_noise, abs=1e-12)


@pytest.mark.parametrize("case", cases("004_gap", "gaussian_logloss_optimum"), ids=row)
def test_the_tables_for_the_log_loss(case):
    i = case["inputs"]
    design = gaussian_mixture(*law(i), i["D"], leakage="mutual_information")
    assert float(design.leakage) == pytest.approx(case["expected"]["min_MI"], abs=1e-7)


@pytest.mark.parametrize("case", cases("004_gap", "gaussian_theorems"), ids=lambda c: str(c["inputs"]["D"]))
def test_the_theorems(case):
    i, expected, tol = case["inputs"], case["expected"], case["tol"]["abs"]
    found = {name: gaussian_mixture(*law(i), i["D"], family=name) for name in FAMILIES}
    assert float(found["noise"].leakage) == pytest.approx(expected["th2_pdi"], abs=tol)
    assert float(found["shift"].leakage) == pytest.approx(expected["th3_shift"], abs=tol)
    assert float(found["shift_and_noise"].leakage) == pytest.approx(expected["th4"], abs=tol)
    moved = found["shift"].trace["shift"]
    np.testing.assert_allclose(moved, [expected["th3_beta0"], -expected["th3_beta1"]], atol=tol)
    b0, b1, gamma = expected["th4_b0_b1_g"]
    both = found["shift_and_noise"].trace
    np.testing.assert_allclose([*both["shift"], *both["noise"]], [b0, -b1, gamma**2, gamma**2], atol=tol)


def test_saturation():
    (case,) = cases("004_gap", "saturation_D_general_scheme")
    mu, tol = case["inputs"]["mu"], case["tol"]["abs"]
    settings_of = [(0.5, [1, 1]), (0.5, [4, 1]), (0.75, [1, 1]), (0.75, [4, 1])]
    for number, (p, variances) in enumerate(settings_of, 1):
        at = mixture_saturation([1 - p, p], [-mu, mu], variances).value
        assert at == pytest.approx(case["expected"][f"dataset{number}"], abs=tol)
        reached = gaussian_mixture([1 - p, p], [-mu, mu], variances, at + 1e-3)
        assert reached.status is Status.OPTIMAL
        assert reached.leakage.value <= max(p, 1 - p) + 1e-9
        short = gaussian_mixture([1 - p, p], [-mu, mu], variances, at - 0.05)
        assert short.leakage.value > max(p, 1 - p) + 1e-7


def test_beyond_where_the_means_meet_the_printed_shift_would_overshoot():
    design = gaussian_mixture([0.5, 0.5], [-3, 3], [1, 1], 12, family="shift")
    assert float(design.leakage) == 0.5
    assert float(design.utility) == 9
    assert float(gaussian_mixture([0.5, 0.5], [-3, 3], [1, 1], 100).utility) == 9


def test_a_guess_no_better_than_the_prior_may_still_tell_and_ties_go_to_the_quiet():
    start = gaussian_mixture([0.25, 0.75], [-3, 3], [1, 1], 6)
    assert float(start.leakage) == pytest.approx(0.75, abs=1e-9)
    assert start.trace["mutual_information"].value == pytest.approx(0.011973, abs=1e-5)
    for distortion, variances in ((6.75, [1, 1]), (7, [1, 1]), (9, [4, 1])):
        design = gaussian_mixture([0.25, 0.75], [-3, 3], variances, distortion)
        assert design.trace["mutual_information"].value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("distortion", [6.9, 7.0, 8.0])
def test_the_quiet_among_the_saturated_against_another_search(distortion):
    prior, v = Prior(0.25, 0.75), (4.0, 1.0)
    design = gaussian_mixture(prior, [-3, 3], v, distortion)

    def pair(x):
        return np.abs(6 - x[0]), v[0] + abs(x[1]), v[1] + abs(x[2])

    def left(x):
        return distortion - 0.1875 * x[0] ** 2 - 0.25 * abs(x[1]) - 0.75 * abs(x[2])

    conditions = [
        {"type": "ineq", "fun": left},
        {"type": "ineq", "fun": lambda x: float(saturated(prior, *pair(x)))},
    ]
    best = math.inf
    for seed in range(8):
        start = np.random.default_rng(seed).random(3) * [6, 2, 4]
        found = minimize(
            lambda x: float(information(prior, *pair(x))), start, constraints=conditions, method="SLSQP"
        )
        if min(one["fun"](found.x) for one in conditions) > -1e-9:
            best = min(best, found.fun)
    assert design.trace["mutual_information"].value <= best + 1e-6


@settings(max_examples=40, deadline=None)
@given(
    st.floats(0.02, 0.98), st.floats(0, 5), st.floats(0.05, 20), st.floats(0.05, 20), st.integers(0, 2**32)
)
def test_guess_and_information_of_two_normal_laws(p, d, v0, v1, seed):
    prior, pair = Prior(1 - p, p), (np.array(d), np.array(v0), np.array(v1))
    y = np.linspace(-45, 50, 200_001)
    f0, f1 = (
        q * np.exp(-((y - mean) ** 2) / 2 / v) / math.sqrt(2 * math.pi * v)
        for q, mean, v in ((1 - p, 0, v0), (p, d, v1))
    )
    step = y[1] - y[0]
    assert float(guess(prior, *pair)) == pytest.approx(np.maximum(f0, f1).sum() * step, abs=1e-6)
    with np.errstate(divide="ignore", invalid="ignore"):
        told = sum(np.nansum(f * np.log(f / (f0 + f1) / q)) for q, f in ((1 - p, f0), (p, f1))) * step
    exact = exact_information(prior, d, v0, v1)
    assert exact == pytest.approx(told, abs=1e-7)
    apart = max(v0 / v1, v1 / v0)
    allowed = 1e-10 if apart < 10 else 1e-4 if apart < 150 else 1e-3
    assert float(information(prior, *pair)) == pytest.approx(exact, abs=allowed)
    further = np.array(d) + np.random.default_rng(seed).exponential()
    assert float(guess(prior, further, *pair[1:])) >= float(guess(prior, *pair)) - 1e-12
    assert exact_information(prior, float(further), v0, v1) >= exact - 1e-10
    assert (float(saturated(prior, *pair)) >= 0) == (float(guess(prior, *pair)) <= prior.larger + 1e-15) or (
        float(guess(prior, *pair)) <= prior.larger + 1e-9
    )


@pytest.mark.parametrize("d", [0.0, 5e-324, 1e-160, 1e-8, 1.0, 50.0, 1e20, 1e99])
@pytest.mark.parametrize("variances", [(0.25, 0.25), (1.0, 4.0), (1e-8, 1e8), (1e-90, 1e-90), (1e90, 1.0)])
def test_no_pair_of_laws_is_too_near_or_too_far(d, variances):
    for p in (0.25, 0.5, 1e-300):
        prior, pair = Prior(1 - p, p), (np.array(d), *(np.array(v) for v in variances))
        assert prior.larger <= float(guess(prior, *pair)) <= 1
        assert 0 <= exact_information(prior, d, *variances) <= math.log(2) + 1e-12
        assert float(information(prior, *pair)) <= math.log(2) + 1e-6
    for distortion in (0, 5e-324, 1e-20, 1e3, 1e300):
        design = gaussian_mixture([0.3, 0.7], [0, d], variances, distortion)
        assert 0.7 <= design.leakage.value <= 1
        assert design.utility.value <= distortion * (1 + 1e-9)


def test_a_pair_of_laws_in_another_unit_tells_the_same():
    prior, pair = Prior(0.4, 0.6), (1.3, 0.7, 2.5)
    for unit in (1e-40, 1e-3, 1e40):
        other = (pair[0] * unit, pair[1] * unit**2, pair[2] * unit**2)
        assert exact_information(prior, *other) == pytest.approx(exact_information(prior, *pair), rel=1e-12)
        ours, theirs = (float(guess(prior, *(np.array(v) for v in one))) for one in (other, pair))
        assert ours == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("ratio", [1e-2, 1.0, 1 + 1e-13, 30.0])
def test_against_the_cells_of_the_line(ratio):
    lift = dc.GaussianMixture([0.3, 0.7], [0, 1.5], [1, ratio]).lift()
    prior = Prior(0.3, 0.7)
    found = guess(prior, np.array(1.5), np.array(1.0), np.array(ratio))
    assert float(found) == pytest.approx(m.guessing_probability(lift).value, abs=1e-9)
    told = exact_information(prior, 1.5, 1.0, ratio)
    assert told == pytest.approx(m.mutual_information(lift).value, abs=1e-8)


@pytest.mark.parametrize("leakage", ["guessing_probability", "mutual_information"])
@pytest.mark.parametrize("variances", [[1.0, 1.0], [3.0, 0.5], [0.5, 3.0]])
@pytest.mark.parametrize("distortion", [0.3, 1.5])
def test_each_family_against_schemes_drawn_at_random(leakage, variances, distortion):
    prior, gap, rng = Prior(0.35, 0.65), 3.0, np.random.default_rng(7)
    told = {"guessing_probability": guess, "mutual_information": information}[leakage]
    found = {
        name: gaussian_mixture(prior, [5, 5 - gap], variances, distortion, family=name, leakage=leakage)
        for name in FAMILIES
    }
    value = {name: design.leakage.value for name, design in found.items()}
    assert value["additive"] <= value["shift_and_noise"] + 1e-9
    assert value["shift_and_noise"] <= min(value["noise"], value["shift"]) + 1e-9
    parts = rng.dirichlet(np.ones(5) * 0.6, size=4_000) * distortion
    b0, b1 = np.sqrt(parts[:, 0] / prior.p0), np.sqrt(parts[:, 1] / prior.p1)
    g0, g1 = parts[:, 2] / prior.p0, parts[:, 3] / prior.p1
    for name in FAMILIES:
        common = np.minimum(g0, g1) * (name in {"noise", "shift_and_noise"})
        noise0, noise1 = (g0, g1) if name == "additive" else (common, common)
        moves = 0.0 if name == "noise" else 1.0
        drawn = told(prior, np.abs(gap - moves * (b0 + b1)), variances[0] + noise0, variances[1] + noise1)
        assert drawn.min() >= value[name] - 1e-9, name


@pytest.mark.parametrize("family", FAMILIES)
def test_the_channel_does_what_the_design_says(family):
    prior, means, variances = [0.3, 0.7], [2.0, -1.0], [0.5, 2.0]
    design = gaussian_mixture(prior, means, variances, 1.0, family=family)
    assert design.channel.inputs == ("x" if family == "noise" else "sx")
    rng = np.random.default_rng(0)
    s = (rng.random(400_000) < prior[1]).astype(np.int64)
    x = rng.normal(size=s.size) * np.sqrt(np.array(variances)[s]) + np.array(means)[s]
    y = design.channel.apply(x, s=s, rng=rng)
    assert np.mean((y - x) ** 2) == pytest.approx(design.utility.value, rel=0.02)
    release = design.trace["release"]
    density = [
        q * np.exp(-((y - mean) ** 2) / 2 / v) / math.sqrt(v)
        for q, mean, v in zip(release.prior, release.means, release.variances, strict=True)
    ]
    assert np.mean(np.argmax(density, axis=0) == s) == pytest.approx(design.leakage.value, abs=4e-3)


def test_the_same_call_gives_the_same_design():
    a, b = (gaussian_mixture([0.4, 0.6], [0, 2], [1, 3], 0.7) for _ in range(2))
    assert a.leakage.value == b.leakage.value
    assert np.array_equal(a.channel.cov, b.channel.cov)


def test_the_ends():
    nothing_to_do = gaussian_mixture([0.4, 0.6], [0, 2], [1, 3], 0)
    assert nothing_to_do.utility.value == 0
    lift = dc.GaussianMixture([0.4, 0.6], [0, 2], [1, 3]).lift()
    expected = m.guessing_probability(lift).value
    assert nothing_to_do.leakage.value == pytest.approx(expected, abs=1e-9)
    for family in FAMILIES:
        certain = gaussian_mixture([0, 1], [0, 2], [1, 3], 0.5, family=family)
        assert (certain.leakage.value, certain.utility.value) == (1, 0)
        alike = gaussian_mixture([0.4, 0.6], [1, 1], [2, 2], 0.5, family=family)
        assert alike.leakage.value == pytest.approx(0.6, abs=1e-12)
    same_mean = gaussian_mixture([0.4, 0.6], [1, 1], [2, 5], 0.5, leakage="mutual_information")
    assert same_mean.status is Status.CHEAP
    assert mixture_saturation([0, 1], [0, 1], [1, 1]).value == 0
    quiet = gaussian_mixture([0.05, 0.95], [1, 1], [1, 2], 0.02)
    assert quiet.leakage.value == pytest.approx(0.95, abs=1e-9)


def test_grids_that_close_in_find_a_corner_an_edge_and_nothing():
    corner = zoom.least(lambda at: at[..., 0] + at[..., 1], 2)
    assert corner.value == 0
    inside = zoom.least(lambda at: (at[..., 0] - 0.123456) ** 2, 1)
    assert inside.at[0] == pytest.approx(0.123456, abs=1e-7)
    assert zoom.least(lambda at: np.full(at.shape[:-1], np.inf), 2).value == math.inf


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: gaussian_mixture([0.2, 0.3, 0.5], [0, 1, 2], [1, 1, 1], 1), "two values"),
        (lambda: gaussian_mixture([0.5, 0.5], [0, 1], [1, 0], 1), "variances"),
        (lambda: gaussian_mixture([0.5, 0.5], [0, 1e200], [1, 1], 1), "another unit"),
        (lambda: gaussian_mixture([0.5, 0.5], [0, 1], [1, 1e-310], 1), "another unit"),
        (lambda: gaussian_mixture([0.5, 0.6], [0, 1], [1, 1], 1), "sum to one"),
        (lambda: gaussian_mixture([0.5, 0.5], [0, 1], [1, 1], -1), "distortion"),
        (lambda: gaussian_mixture([0.5, 0.5], [0, 1], [1, 1], math.inf), "distortion"),
        (lambda: gaussian_mixture([0.5, 0.5], [0, 1], [1, 1], 1, family="magic"), "family"),
        (lambda: gaussian_mixture([0.5, 0.5], [0, 1], [1, 1], 1, leakage="chi"), "leakage"),
    ],
)
def test_refusals_say_what_to_do(build, words):
    with pytest.raises(dc.DiscreetError, match=words) as caught:
        build()
    assert caught.value.remedy
