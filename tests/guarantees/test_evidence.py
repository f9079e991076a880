"""Which Readings are guarantees."""

import math

import numpy as np
import pytest

import discreet as dc
from discreet.core.reading import Reading

g, m = dc.guarantees, dc.measures
LAW = dc.Joint([[0.3, 0.1], [0.15, 0.45]])
LIFT = LAW.lift()
FLIP = dc.MatrixChannel([[0.75, 0.25], [0.25, 0.75]])


@pytest.mark.parametrize(
    ("reading", "notion"),
    [
        (m.chi_squared(LIFT), g.ChiSquared(8 / 33)),
        (m.chi_squared(LIFT, "prior", "worst"), g.ChiSquared(0.48, direction="prior", over="worst")),
        (m.e_gamma(LIFT, 1.2), g.EGamma(1.2, 0.21)),
        (m.e_gamma(LIFT, 1.2, over="mean"), g.EGamma(1.2, 0.138, over="mean")),
        (m.sibson(LIFT, math.inf), g.Sibson(math.inf, math.log(1.5))),
        (m.maximal_leakage(LIFT), g.MaximalLeakage(math.log(1.5))),
        (m.lift_privacy(LIFT), g.LiftPrivacy(math.log(2.2))),
        (m.information_privacy(LIFT, 0.55), g.InformationPrivacy(0.55, 0.25)),
        (m.information_privacy(LIFT, 0.55, strong=True), g.InformationPrivacy(0.55, 1.0, strong=True)),
        (m.information_privacy_eps(LIFT, 0.25), g.InformationPrivacy(math.log(5 / 3), 0.25)),
        (m.differential_privacy(LIFT, 0.0), g.DifferentialPrivacy(0.0, 0.5)),
        (m.differential_privacy_eps(LIFT, 0.0), g.DifferentialPrivacy(math.log(3), 0.0)),
        (m.inference_gain(LIFT, "zero_one"), g.InferenceGain(0.15, cost="zero_one")),
        (m.mmse(LIFT, [0, 1]), g.Mmse(2 / 11)),
    ],
    ids=lambda one: getattr(one, "measure", type(one).__name__),
)
def test_an_exact_reading_is_the_guarantee_of_its_notion(reading, notion):
    guarantee = g.of(reading)
    assert (guarantee.law, guarantee.confidence, guarantee.basis) == ("this law", None, "exact")
    ours, theirs = vars(guarantee.notion), vars(notion)
    assert type(guarantee.notion) is type(notion)
    for name, value in theirs.items():
        assert ours[name] == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value), name


def test_the_law_comes_along():
    assert g.of(m.chi_squared(dc.Counts([[3, 1], [2, 4]]).joint().lift())).law == "this table"
    assert g.of(m.channel.contraction(FLIP)).law == "the channel"
    assert g.of(m.channel.local_privacy(FLIP)).notion.eps == pytest.approx(math.log(3))


def test_an_estimate_is_no_guarantee():
    learned = dc.Lift(
        LIFT.log_lift, LIFT.p_s, LIFT.p_y, origin=dc.Origin(kind="learned", law="the population", n=500)
    )
    with pytest.raises(dc.DiscreetError, match="an estimate without a confidence"):
        g.of(m.chi_squared(learned))
    bounded = g.of(m.chi_squared(learned).with_interval(0.2, 0.31, 0.95))
    assert (bounded.notion, bounded.confidence, bounded.basis) == (g.ChiSquared(0.31), 0.95, "confidence")
    assert bounded.law == "the population"


def upper(measure, value, confidence=0.95, side="upper", law="the population", **parameters):
    low, high = (0.0, value) if side == "upper" else (value, math.inf)
    reading = Reading(
        value, "", measure, side, origin=dc.Origin(kind="learned", law=law), parameters=parameters
    )
    return reading.with_interval(low, high, confidence) if confidence else reading


def test_bounds_from_the_right_side_only():
    assert g.of(upper("guessing_probability", 0.81)).notion == g.GuessingProbability(0.81)
    assert g.of(upper("mmse", 0.2, side="lower")).notion == g.Mmse(0.2)
    with pytest.raises(dc.DiscreetError, match="a bound on the lower side"):
        g.of(upper("guessing_probability", 0.81, side="lower"))
    with pytest.raises(dc.DiscreetError, match="a bound on the upper side"):
        g.of(upper("mmse", 0.2))
    with pytest.raises(dc.DiscreetError, match="an upper bound without a confidence"):
        g.of(upper("guessing_probability", 0.81, confidence=None))


def test_what_no_notion_bounds_is_refused():
    with pytest.raises(dc.DiscreetError, match="a measure that a notion bounds"):
        g.of(m.entropy(LIFT))
    xor = dc.Joint([[[0.25, 0], [0, 0.25]], [[0, 0.25], [0.25, 0]]], axes=("s", "a", "x"))
    with pytest.raises(dc.DiscreetError, match="beside the release"):
        g.of(xor.given("a").average(m.mutual_information))
    with pytest.raises(dc.DiscreetError, match=r"FInformation\(f=…, eta"):
        g.of(m.f_information(LIFT, lambda t: np.abs(t - 1)))


def test_an_infinite_reading_promises_nothing_but_is_no_error():
    identity = dc.Joint(np.eye(2) / 2).lift()
    known = g.of(m.lift_privacy(identity))
    assert known.notion.eps == math.inf
    assert g.imply(known, g.LocalPrivacy) is None
    assert g.imply(known, g.TotalVariation).notion.eta == 1
