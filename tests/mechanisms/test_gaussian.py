"""Jointly Gaussian laws: the funnel in its constrained form, rate caps, and noise within a distortion."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from tests.reference import cases, number

import discreet as dc
from discreet.core.design import Status
from discreet.core.gaussian_channel import GaussianChannel
from discreet.measures import gaussian as measure
from discreet.mechanisms import noise
from discreet.mechanisms.gaussian import gaussian_funnel, leakage_of
from discreet.mechanisms.noise import gaussian_noise, gaussian_release
from discreet.mechanisms.rates import leak_of, least_leak


def independent(unexplained, var_x=1.0):
    """A law whose directions are the coordinates."""
    kept = np.asarray(unexplained, dtype=float)
    variance = np.broadcast_to(var_x, kept.shape)
    return np.eye(len(kept)), np.diag(variance), np.diag(np.sqrt(variance * (1 - kept)))


def drawn(rng, n_s, n_x):
    root = rng.normal(size=(n_s + n_x, n_s + n_x))
    cov = root @ root.T + 0.05 * np.eye(n_s + n_x)
    return cov[:n_s, :n_s], cov[n_s:, n_s:], cov[:n_s, n_s:]


def known(case):
    i = case["inputs"]
    return i["Sigma_s"], i["Sigma_x"], np.array(i["Sigma_xs"]).T


@pytest.mark.parametrize("case", cases("002_privacy_funnel", "gaussian_funnel"), ids=lambda c: c["key"])
def test_the_funnel_and_its_dual(case):
    law, expected, tol = known(case), case["expected"], case["tol"]["abs"]
    for rate, leak in expected["min_leak_given_rate"].items():
        design = gaussian_funnel(*law, rate=float(rate))
        assert float(design.leakage) == pytest.approx(leak, abs=tol)
        assert float(design.utility) == pytest.approx(float(rate), abs=tol)
        assert design.bound.value <= design.leakage.value
    for leak, rate in expected["max_rate_given_leak"].items():
        design = gaussian_funnel(*law, leak=float(leak))
        assert float(design.utility) == pytest.approx(number(rate), abs=tol)
        assert design.leakage.value <= float(leak) + 1e-12
    found = np.sort(design.trace["unexplained"])[::-1]
    np.testing.assert_allclose(found, expected["lambdas_desc"], atol=tol)
    told = gaussian_funnel(*law, leak=math.inf).leakage
    assert float(told) == pytest.approx(expected["I_SX"], abs=tol)


@pytest.mark.parametrize(
    "case",
    cases("002_privacy_funnel", "gaussian_single_direction", "gaussian_box_rates"),
    ids=lambda c: str(c["inputs"]["R"]),
)
def test_rates_over_independent_directions(case):
    i, tol = case["inputs"], case["tol"]["abs"]
    design = gaussian_funnel(*independent(i["lambdas"]), rate=i["R"], caps=i.get("rate_caps"))
    assert float(design.leakage) == pytest.approx(case["expected"]["min_leak"], abs=tol)
    assert float(design.utility) == pytest.approx(i["R"], abs=tol)
    assert design.gap <= 1e-12


def test_mutual_information_is_vacuous_there_and_the_design_says_so():
    case = gaussian_funnel(1, 1, math.sqrt(0.5), rate=1)
    assert case.status is Status.VACUOUS
    assert case.bound.parameters == {"among": "jointly Gaussian"}
    assert "gaussian_noise" in case.trace["note"]
    for higher, leak in ((5, 0.0693), (20, 0.0173), (100, 0.0035)):
        erased = float(gaussian_funnel(1, 1, math.sqrt(0.5), rate=higher).leakage) / higher
        assert erased == pytest.approx(leak, abs=1e-4)
        assert erased < case.leakage.value


@pytest.mark.parametrize(
    ("cov_sx", "asked", "leak", "rate", "status"),
    [
        (1.0, {"rate": 2}, 2, 2, Status.OPTIMAL),
        (1.0, {"leak": 2}, 2, 2, Status.OPTIMAL),
        (0.0, {"rate": 3}, 0, 3, Status.OPTIMAL),
        (0.0, {"leak": 0}, 0, math.inf, Status.OPTIMAL),
        (0.5, {"rate": 0}, 0, 0, Status.OPTIMAL),
        (0.5, {"leak": 0}, 0, 0, Status.OPTIMAL),
        (0.5, {"rate": math.inf}, -0.5 * math.log(0.75), math.inf, Status.VACUOUS),
        (0.5, {"leak": 1}, -0.5 * math.log(0.75), math.inf, Status.VACUOUS),
        (0.5, {"rate": 200}, -0.5 * math.log(0.75), 200, Status.VACUOUS),
    ],
)
def test_the_ends(cov_sx, asked, leak, rate, status):
    design = gaussian_funnel(1, 1, cov_sx, **asked)
    assert float(design.leakage) == pytest.approx(leak, abs=1e-12)
    assert float(design.utility) == pytest.approx(rate, abs=1e-9)
    assert design.status is status


def test_a_leak_that_is_left_over_goes_to_the_next_direction():
    design = gaussian_funnel(*independent([0.9, 0.6, 0.3]), leak=0.2)
    assert np.isposinf(design.trace["rates"]).sum() == 1
    assert (design.trace["rates"] > 0).sum() == 2
    assert float(design.leakage) == pytest.approx(0.2, abs=1e-12)
    free = gaussian_funnel(1, np.eye(4), [[0.5, 0.5, 0, 0]], leak=0)
    assert np.isposinf(free.trace["rates"]).sum() == 3
    assert float(free.leakage) == pytest.approx(0, abs=1e-12)


def test_the_channel_is_what_it_is_said_to_be():
    law = drawn(np.random.default_rng(0), 2, 2)
    design = gaussian_funnel(*law, rate=0.7)
    rng = np.random.default_rng(1)
    whole = np.block([[law[0], law[2]], [law[2].T, law[1]]])
    both = rng.multivariate_normal(np.zeros(4), whole, size=200_000)
    y = design.channel.apply(both[:, 2:], rng=rng)
    told = np.corrcoef(np.column_stack([both[:, :2], y]).T)
    left = 1 - told[2, :2] @ np.linalg.solve(told[:2, :2], told[:2, 2])
    assert -0.5 * math.log(left) == pytest.approx(design.leakage.value, abs=0.01)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(1, 3), st.floats(0.05, 2))
def test_no_jointly_gaussian_release_does_better(seed, n_s, n_x, rate):
    rng = np.random.default_rng(seed)
    law = drawn(rng, n_s, n_x)
    design = gaussian_funnel(*law, rate=rate)
    held = dc.Gaussian(*law)

    def told(a):
        return 0.5 * np.linalg.slogdet(np.eye(n_x) + a @ held.cov_x @ a.T).logabsdet

    for _ in range(30):
        a = rng.normal(size=(n_x, n_x)) * rng.exponential(size=(n_x, 1))
        scale = brentq(lambda t, a=a: told(math.exp(t) * a) - rate, -20, 20)
        leak = leakage_of(held, GaussianChannel(math.exp(scale) * a, 1.0))
        assert leak.value >= design.leakage.value - 1e-9


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6), st.floats(0, 1))
def test_caps_against_every_vertex(seed, n, share):
    rng = np.random.default_rng(seed)
    kept, caps = rng.random(n), rng.exponential(size=n)
    rate = share * caps.sum()
    best = math.inf
    for full in itertools.product([0, 1], repeat=n):
        for partial in range(n):
            rates = np.array(full) * caps
            rates[partial] = 0
            rates[partial] = rate - rates.sum()
            if -1e-12 <= rates[partial] <= caps[partial] + 1e-12:
                best = min(best, leak_of(np.maximum(rates, 0), kept).sum())
    found = least_leak(kept, caps, rate)
    assert found.leak == pytest.approx(best, abs=1e-10)
    assert found.bound <= best + 1e-10
    assert found.rates.sum() == pytest.approx(rate, abs=1e-12)
    assert (found.rates <= caps + 1e-12).all()


def test_filling_by_falling_lambda_is_not_always_best():
    kept, caps, rate = np.array([0.55, 0.5]), np.array([0.1, 10.0]), 10.0
    falling = leak_of(np.array([0.1, 9.9]), kept).sum()
    found = gaussian_funnel(*independent(kept), rate=rate, caps=caps)
    assert found.leakage.value == pytest.approx(0.34657, abs=1e-5)
    assert falling == pytest.approx(0.38912, abs=1e-5)


def test_caps_follow_the_coordinates_or_falling_lambda():
    kept, caps = np.array([0.3, 0.9, 0.5]), [0.2, 0.3, 0.4]
    plain = gaussian_funnel(*independent(kept), rate=0.6, caps=caps)
    assert (plain.trace["rates"] <= np.array(caps) + 1e-12).all()
    np.testing.assert_allclose(plain.trace["unexplained"], kept, atol=1e-12)
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    cov_s, cov_x, cov_sx = independent(kept)
    turned = gaussian_funnel(cov_s, turn @ cov_x @ turn.T, cov_sx @ turn.T, rate=0.6, caps=[0.3, 0.4, 0.2])
    np.testing.assert_allclose(turned.trace["unexplained"], [0.9, 0.5, 0.3], atol=1e-12)
    assert turned.leakage.value == pytest.approx(plain.leakage.value, abs=1e-12)


def test_caps_with_a_leak():
    law, caps = independent([0.9, 0.5, 0.3]), [0.4, 0.8, 1.0]
    design = gaussian_funnel(*law, leak=0.2829439013846951, caps=caps)
    assert float(design.utility) == pytest.approx(1.2, abs=1e-9)
    assert float(gaussian_funnel(*law, leak=9, caps=caps).utility) == pytest.approx(2.2, abs=1e-9)
    assert float(gaussian_funnel(*law, leak=0, caps=caps).utility) == 0


def test_many_alike_directions_end_with_an_honest_gap():
    rng = np.random.default_rng(0)
    kept, caps = 0.5 + 0.01 * rng.random(20), 0.5 + 0.01 * rng.random(20)
    design = gaussian_funnel(*independent(kept), rate=caps.sum() / 2.3, caps=caps)
    assert design.status is Status.OUT_OF_BUDGET
    assert 0 < design.gap < 0.02


@pytest.mark.parametrize(
    "case", cases("002_privacy_funnel", "additive_noise_budget"), ids=lambda c: str(c["inputs"]["D"])
)
@pytest.mark.parametrize("general", [False, True])
def test_the_noise_budget(case, general, monkeypatch):
    i, expected, tol = case["inputs"], case["expected"], case["tol"]["abs"]
    if general:
        monkeypatch.setattr(noise, "COMMUTING", -1.0)
    design = gaussian_noise(*independent(i["lambdas"], i["var_x"]), i["D"])
    assert float(design.leakage) == pytest.approx(expected["min_leak"], abs=tol)
    np.testing.assert_allclose(np.diag(design.trace["noise"]), expected["noise"], atol=tol)
    assert float(design.utility) == pytest.approx(i["D"], abs=1e-9)
    assert design.trace["least_additive"] >= design.leakage.value - 1e-9
    assert design.bound.value < design.leakage.value


@pytest.mark.parametrize(
    "case", cases("002_privacy_funnel", "additive_noise_budget"), ids=lambda c: str(c["inputs"]["D"])
)
@pytest.mark.parametrize("general", [False, True])
def test_the_best_release_fills_the_error_from_below(case, general, monkeypatch):
    i = case["inputs"]
    if general:
        monkeypatch.setattr(noise, "COMMUTING", -1.0)
    v, kept = np.array(i["var_x"]), np.array(i["lambdas"])
    design = gaussian_release(*independent(kept, v), i["D"])

    def error(level):
        return np.clip(level - kept * v / (1 - kept), 0, v)

    level = brentq(lambda t: error(t).sum() - i["D"], 0, 100, xtol=1e-14)
    least = -0.5 * np.log(kept + (1 - kept) * error(level) / v).sum()
    assert float(design.leakage) == pytest.approx(least, abs=1e-9)
    assert design.status is Status.OPTIMAL
    assert float(design.utility) <= i["D"] + 1e-9


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(2, 4), st.floats(0.02, 0.9))
def test_no_noise_and_no_release_does_better(seed, n_s, n_x, share):
    rng = np.random.default_rng(seed)
    law = drawn(rng, n_s, n_x)
    held, budget = dc.Gaussian(*law), share * np.trace(law[1])
    added, best = gaussian_noise(*law, budget), gaussian_release(*law, budget)
    assert added.leakage.value - added.trace["least_additive"] <= 1e-8
    assert best.gap <= 1e-8
    assert best.leakage.value <= added.leakage.value + 1e-9
    assert added.bound.value == pytest.approx(best.bound.value, abs=1e-9)
    assert max(added.utility.value, best.utility.value) <= budget * (1 + 1e-9)
    for _ in range(40):
        root = rng.normal(size=(n_x, n_x)) * rng.exponential(size=n_x)
        cov = root @ root.T
        some = measure.mutual_information(
            dc.Gaussian(law[0], held.cov_x + cov * (budget / np.trace(cov)), law[2])
        )
        assert some.value >= added.leakage.value - 1e-8
        a = np.eye(n_x) + 0.5 * rng.normal(size=(n_x, n_x))
        spent = np.trace((a - np.eye(n_x)) @ held.cov_x @ (a - np.eye(n_x)).T)
        if spent < budget:
            y = a @ held.cov_x @ a.T + cov * ((budget - spent) / np.trace(cov))
            scaled = measure.mutual_information(dc.Gaussian(law[0], (y + y.T) / 2, law[2] @ a.T))
            assert scaled.value >= best.leakage.value - 1e-8


def test_the_barrier_against_another_solver():
    law = drawn(np.random.default_rng(5), 2, 3)
    held, budget = dc.Gaussian(*law), 2.0

    def leak(flat):
        root = flat.reshape(3, 3)
        cov = root @ root.T
        y = held.cov_x + cov * (budget / np.trace(cov))
        return measure.mutual_information(dc.Gaussian(law[0], (y + y.T) / 2, law[2])).value

    starts = (np.random.default_rng(k).normal(size=9) for k in range(5))
    least = min(minimize(leak, start, method="BFGS").fun for start in starts)
    assert gaussian_noise(*law, budget).leakage.value == pytest.approx(least, abs=1e-7)


def test_the_ends_of_a_distortion():
    law = drawn(np.random.default_rng(6), 2, 3)
    whole = measure.mutual_information(dc.Gaussian(*law)).value
    for design in (gaussian_noise(*law, 0), gaussian_release(*law, 0)):
        assert design.leakage.value == pytest.approx(whole, abs=1e-9)
        assert design.status is Status.OPTIMAL
    nothing = gaussian_release(*law, np.trace(law[1]))
    assert nothing.leakage.value == pytest.approx(0, abs=1e-9)
    assert not nothing.channel.a.any()
    assert gaussian_noise(1, 1, 1, 0).leakage.value == math.inf
    assert gaussian_noise(1, 1, 0, 3).utility.value == 0
    a_function = gaussian_noise(1, [[1, 0.5], [0.5, 2]], [[1, 0.5]], 0.1)
    assert 1.1 < a_function.leakage.value < 1.3


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: gaussian_funnel(1, 1, 0.5), "a rate or a leak"),
        (lambda: gaussian_funnel(1, 1, 0.5, rate=1, leak=1), "a rate or a leak"),
        (lambda: gaussian_funnel(1, 1, 0.5, rate=-1), "0 nats or more"),
        (lambda: gaussian_funnel(1, 1, 0.5, leak=math.nan), "0 nats or more"),
        (lambda: gaussian_funnel(1, 1, 0.5, rate=1, caps=[0.5]), "within the caps"),
        (lambda: gaussian_funnel(1, 1, 0.5, rate=1, caps=[0.5, 3]), "one for each direction"),
        (lambda: gaussian_funnel(1, 1, 0.5, rate=1, caps=[math.inf]), "finite rates"),
        (lambda: gaussian_funnel(1, 1, 1.5, rate=1), "correlation"),
        (lambda: gaussian_noise(1, 1, 0.5, -1), "distortion"),
        (lambda: gaussian_release(1, 1, 0.5, math.inf), "distortion"),
        (lambda: gaussian_noise(*drawn(np.random.default_rng(0), 1, 41), 1), "at most 40"),
    ],
)
def test_refusals_say_what_to_do(build, words):
    with pytest.raises(dc.DiscreetError, match=words) as caught:
        build()
    assert caught.value.remedy
