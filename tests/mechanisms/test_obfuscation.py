"""Gaussian obfuscation as it really holds: the diameter, the flag that noise reveals, and the released history."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import cases

import discreet as dc
from discreet import guarantees
from discreet.measures import shift
from discreet.mechanisms.flags import flags_on_release, leaking
from discreet.mechanisms.obfuscation import (
    features_together,
    gaussian_obfuscation,
    selective_obfuscation_bound,
)
from discreet.mechanisms.selective import _positive_mass, selective_obfuscation


@pytest.mark.parametrize("case", cases("003_tide", "theta"), ids=lambda c: str(list(c["inputs"].values())))
def test_theta(case):
    i = case["inputs"]
    design = gaussian_obfuscation(i["eps"], i["a"], deviation=i["lam"])
    assert float(design.leakage) == pytest.approx(case["expected"], abs=1e-12)
    assert design.channel.deviation == pytest.approx(i["lam"], rel=1e-15)


@pytest.mark.parametrize(
    "case", cases("003_tide", "lambda_for_target"), ids=lambda c: str(list(c["inputs"].values()))
)
def test_calibration(case):
    i = case["inputs"]
    design = gaussian_obfuscation(i["eps"], i["diameter"], delta=i["target"])
    assert design.channel.deviation == pytest.approx(case["expected"], abs=1e-8)
    assert design.leakage.value <= i["target"]


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 20), st.floats(1e-3, 1e3), st.floats(1e-9, 0.999))
def test_calibration_comes_back(eps, diameter, delta):
    design = gaussian_obfuscation(eps, diameter, delta=delta)
    assert design.leakage.value == pytest.approx(delta, rel=1e-6)
    assert design.leakage.value <= delta
    again = gaussian_obfuscation(eps, diameter, deviation=design.channel.deviation)
    assert again.leakage.value == design.leakage.value
    more = gaussian_obfuscation(eps, diameter, deviation=design.channel.deviation * 1.01)
    assert more.leakage.value < delta


def test_a_deviation_in_every_coordinate():
    design = gaussian_obfuscation(0.5, math.sqrt(12), delta=0.1, dimension=12)
    y = design.channel.apply(np.zeros((50_000, 12)), rng=np.random.default_rng(0))
    np.testing.assert_allclose(y.std(axis=0), design.channel.deviation, rtol=0.02)
    assert np.mean((y**2).sum(axis=1)) == pytest.approx(design.utility.value, rel=0.02)
    assert design.leakage.origin.law == "the channel"


def test_no_error_at_all_is_the_total_variation():
    delta = 0.2
    design = gaussian_obfuscation(0, 3, delta=delta)
    # erf(D / (λ √8)) = δ
    assert math.erf(3 / (design.channel.deviation * math.sqrt(8))) == pytest.approx(delta, abs=1e-12)


@pytest.mark.parametrize(
    "case", cases("003_tide", "theorem3_radius_counterexample"), ids=lambda c: str(c["inputs"]["P_s"])
)
def test_the_diameter_counts_and_not_the_radius(case):
    i, expected = case["inputs"], case["expected"]
    joint = dc.Joint([[0, i["P_s"]], [1 - i["P_s"], 0]])
    real = selective_obfuscation(joint, i["feature_set"], [True, True], i["eps"], i["lam"])
    assert real.by_s[0] == pytest.approx(expected["E_actual"], abs=1e-9)
    radius = gaussian_obfuscation(i["eps"], 1, deviation=i["lam"])
    diameter = gaussian_obfuscation(i["eps"], 2, deviation=i["lam"])
    assert float(radius.leakage) == pytest.approx(expected["theta_radius_K1"], abs=1e-9)
    assert float(diameter.leakage) == pytest.approx(expected["theta_diameter"], abs=1e-9)
    assert real.value <= diameter.leakage.value


@pytest.mark.parametrize("deviation", [0.01, 1.0, 1e3])
def test_noise_reveals_the_flag(deviation):
    (case,) = cases("003_tide", "flag_leak_counterexample")
    i = case["inputs"]
    joint = dc.Joint(np.array(i["P_X_given_s"]) * np.array(i["P_s"])[:, None])
    real = selective_obfuscation(joint, [0, 1, 2], i["flagged"], i["eps"], deviation)
    told = case["expected"]["E_s0_after_mechanism_any_lambda"]
    assert real.by_s[0] == pytest.approx(told, abs=case["tol"]["abs"])
    other = dc.Joint(np.array([[0.3, 0.3, 0.4], [0.475, 0.475, 0.05]]) * [[0.1], [0.9]])
    flags = leaking(other.lift(), 0.5)
    assert flags.tolist() == [False, False, True]
    real = selective_obfuscation(other, [0, 1, 2], flags, 0.5, deviation)
    assert real.value == pytest.approx(0.4 - math.exp(0.5) * 0.085, abs=1e-12)
    bound = selective_obfuscation_bound([0.4, 0.05], 0.085, 0.5, 0, deviation)
    assert bound.value == pytest.approx(real.value, abs=1e-12)
    everything = selective_obfuscation(other, [0, 1, 2], [0, 1, 2], 0.5, 1e3)
    assert everything.value < 1e-6


def random_law(seed, n_s=None):
    rng = np.random.default_rng(seed)
    n_s, n_x = n_s or rng.integers(2, 5), rng.integers(2, 8)
    p = rng.dirichlet(np.full(n_s * n_x, 0.4)).reshape(n_s, n_x)
    return rng, dc.Joint(p / p.sum()), rng.normal(size=n_x) * rng.exponential() * 3


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 1.5), st.floats(0.05, 5))
def test_the_exact_figure_against_a_fine_grid(seed, eps, deviation):
    rng, joint, points = random_law(seed)
    flags = rng.random(points.size) < 0.6
    real = selective_obfuscation(joint, points, flags, eps, deviation)
    p_s = np.maximum(joint.p.sum(axis=1), 1e-300)
    excess = joint.p / p_s[:, None] - math.exp(eps) * joint.p.sum(axis=0)
    y = np.linspace(points.min() - 10 * deviation, points.max() + 10 * deviation, 20_001)
    bell = np.exp(-(((y[:, None] - points[flags]) / deviation) ** 2) / 2)
    bell /= deviation * math.sqrt(2 * math.pi)
    slow = np.maximum(excess[:, ~flags], 0).sum(axis=1)
    slow += np.trapezoid(np.maximum(bell @ excess[:, flags].T, 0), y, axis=0)
    np.testing.assert_allclose(real.by_s, slow, atol=2e-5)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 1.5), st.floats(0.05, 5))
def test_the_bounds_bound(seed, eps, deviation):
    _, joint, points = random_law(seed)
    all_noised = selective_obfuscation(joint, points, np.arange(points.size), eps, deviation)
    whole = gaussian_obfuscation(eps, np.ptp(points), deviation=deviation)
    assert all_noised.value <= whole.leakage.value + 1e-12
    flags = leaking(joint.lift(), eps)
    if flags.any():
        p_s = joint.p.sum(axis=1)
        given_s = joint.p[:, flags].sum(axis=1) / p_s
        bound = selective_obfuscation_bound(
            given_s, joint.p[:, flags].sum(), eps, np.ptp(points[flags]), deviation
        )
        real = selective_obfuscation(joint, points, flags, eps, deviation)
        assert (real.by_s <= bound.by_s + 1e-12).all()


def test_points_in_space():
    joint = dc.Joint([[0.1, 0.2, 0.2], [0.3, 0.1, 0.1]])
    line = [[0, 0], [3, 4], [6, 8]]
    flat = selective_obfuscation(joint, [0, 5, 10], [0, 1, 2], 0.3, 2.0)
    assert selective_obfuscation(joint, line, [0, 1, 2], 0.3, 2.0).value == pytest.approx(
        flat.value, abs=1e-12
    )
    with pytest.raises(dc.DiscreetError, match="one line"):
        selective_obfuscation(joint, [[0, 0], [3, 4], [6, 0]], [0, 1, 2], 0.3, 2.0)
    two = selective_obfuscation(joint, [[0, 0], [3, 4], [6, 0]], [0, 1], 0.3, 2.0)
    assert two.value == selective_obfuscation(joint, [0, 5, 100], [0, 1], 0.3, 2.0).value


def test_no_noise_and_symbols_at_one_place():
    joint = dc.Joint([[0.1, 0.2, 0.2], [0.3, 0.1, 0.1]])
    for flagged in ([], [0, 1, 2]):
        clear = selective_obfuscation(joint, [0, 1, 2], flagged, 0.3, 0)
        assert clear.value == pytest.approx(dc.measures.e_gamma(joint.lift(), math.exp(0.3)).value, abs=1e-12)
    merged = selective_obfuscation(joint, [7, 7, 7], [], 0.3, 1)
    assert merged.value == 0
    zero = dc.Joint([[0.5, 0.5], [0.0, 0.0]])
    assert selective_obfuscation(zero, [0, 1], [0, 1], 0.3, 1).value == 0


def copies(k):
    p = np.zeros((k, k, k))
    p[range(k), range(k), range(k)] = 1 / k
    return dc.Joint(p, axes=("s", "x1", "x2"))


def total_of_copies(k, eps, deviation, by_release):
    """E at e^{2ε} of two copies of S, the first noised, the second as the flags say; the first is integrated out."""
    gamma, points, joint = math.exp(2 * eps), np.arange(k, dtype=float), copies(k)
    y1 = np.linspace(-8 * deviation, k + 8 * deviation, 1601)
    worst = 0.0
    for s in {0, k // 2}:
        told = []
        for y in y1:
            bell = np.exp(-(((y - points) / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))
            excess = ((points == s) - gamma / k) * bell
            flags = np.zeros(k, dtype=bool)
            if by_release:
                flags = flags_on_release(joint, [points, points], [y], eps, deviation)
            sure = np.maximum(excess[~flags], 0).sum()
            told.append(
                sure + (_positive_mass(points[flags] / deviation, excess[flags]) if flags.any() else 0)
            )
        worst = max(worst, float(np.trapezoid(told, y1)))
    return worst


def test_flags_by_the_raw_history_release_everything():
    (case,) = cases("003_tide", "history_counterexample")
    k, eps = case["inputs"]["k"], case["inputs"]["eps"]
    joint = copies(k)
    first = dc.Joint(joint.p.sum(axis=2))
    assert leaking(first.lift(), eps).all()
    assert first.lift().log_lift[0, 0] == pytest.approx(case["expected"]["i_s_x1"])
    raw = joint.given("x1")
    assert all(not leaking(lift, eps).any() for lift in raw.lifts)
    for deviation in (5.0, 100.0):
        told = total_of_copies(k, eps, deviation, by_release=False)
        assert told == pytest.approx(case["expected"]["E_e2eps"], abs=1e-6)


def test_flags_by_the_released_history_protect():
    eps, deviation = 0.5, 20.0
    told = total_of_copies(10, eps, deviation, by_release=True)
    one = gaussian_obfuscation(eps, 9, deviation=deviation)
    assert told <= features_together([one, one]).value + 1e-9
    assert told < 0.01


def test_flags_after_a_clear_release():
    p = np.array([[[0.25, 0.0], [0.0, 0.25]], [[0.0, 0.25], [0.25, 0.0]]])
    joint = dc.Joint(p, axes=("s", "x1", "x2"))
    assert not flags_on_release(joint, [[0, 1], [0, 1]], [], 0.5, 1.0).any()
    assert flags_on_release(joint, [[0, 1], [0, 1]], [1], 0.5, 1.0).all()
    with pytest.raises(dc.DiscreetError, match="can make"):
        flags_on_release(joint, [[0, 1], [0, 1]], [0.3], 0.5, 1.0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0.01, 5), st.floats(0.05, 5)), min_size=1, max_size=5))
def test_features_together_stay_below_the_composition(features):
    designs = [gaussian_obfuscation(eps, size, deviation=noise) for eps, size, noise in features]
    together = features_together(designs)
    loose = guarantees.compose([guarantees.of(one.leakage) for one in designs]).notion
    product = 1 - math.prod(1 - one.leakage.value for one in designs)
    assert loose.eta == pytest.approx(product, abs=1e-12)
    assert loose.gamma == pytest.approx(together.parameters["gamma"])
    assert together.value <= product + 1e-12


def test_a_whole_image():
    # 1024 patches: each alone tells 0.238 at diameter 1, in all nothing is left; together they need λ near 1
    one = gaussian_obfuscation(0.5, 1, deviation=1)
    assert 1024 * one.leakage.value > 1
    printed = gaussian_obfuscation(0.5, 1, delta=0.1 / 1024)
    assert printed.channel.deviation == pytest.approx(5.91, abs=0.01)
    jointly = [gaussian_obfuscation(0.5, 1, deviation=1.05)] * 1024
    assert features_together(jointly).value < 0.1
    assert features_together(jointly).value == shift.e_gamma(32 / 1.05, math.exp(512)).value


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: gaussian_obfuscation(0.5, 1), "δ or a deviation"),
        (lambda: gaussian_obfuscation(0.5, 1, delta=0.1, deviation=1), "δ or a deviation"),
        (lambda: gaussian_obfuscation(0.5, 1, delta=0), "neither end"),
        (lambda: gaussian_obfuscation(0.5, 1, delta=1), "neither end"),
        (lambda: gaussian_obfuscation(-1, 1, delta=0.5), "between 0.6321"),
        (lambda: gaussian_obfuscation(0.5, -1, delta=0.1), "diameter"),
        (lambda: gaussian_obfuscation(0.5, 1, deviation=-1), "deviation"),
        (lambda: gaussian_obfuscation(1e4, 1, delta=0.1), "eps between"),
        (lambda: gaussian_obfuscation(0.5, 1, delta=0.1, dimension=0), "dimension"),
        (lambda: selective_obfuscation_bound(1.2, 0.5, 0.5, 1, 1), "p_flagged_given_s"),
        (lambda: selective_obfuscation_bound(0.2, 0, 0.5, 1, 1), "p_flagged above 0"),
        (lambda: selective_obfuscation(dc.Joint([[0.5, 0.5]]), [0, 1], [2], 0.5, 1), "flagged"),
        (lambda: selective_obfuscation(dc.Joint([[0.5, 0.5]]), [0, 1, 2], [0], 0.5, 1), "2 symbols"),
        (lambda: selective_obfuscation(dc.Joint([[0.5, 0.5]]), [0, 1], [0], 0.5, -1), "deviation"),
        (lambda: flags_on_release(copies(2), [[0, 1]], [], 0.5, 1), "points for every feature"),
        (lambda: flags_on_release(copies(2), [[0, 1], [0]], [0.0, 1.0], 0.5, 1), "features"),
        (lambda: features_together([]), "one for each feature"),
    ],
)
def test_refusals_say_what_to_do(build, words):
    with pytest.raises(dc.DiscreetError, match=words) as caught:
        build()
    assert caught.value.remedy
