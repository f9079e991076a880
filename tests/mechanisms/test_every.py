"""One suite over every mechanism: it returns a Design, which says what it is and of which law, and can be applied."""

from pathlib import Path

import numpy as np
import pytest

import discreet as dc
from discreet import mechanisms as mech
from discreet.core.design import Design, Status
from discreet.core.errors import DiscreetError
from discreet.core.frontier import Frontier

P = np.array([[12, 3, 5, 2, 8], [3, 10, 6, 9, 2], [5, 7, 4, 14, 10]]) / 100
HAMMING = 1 - np.eye(5)
NORMAL = (
    np.array([[1.0, 0.2], [0.2, 2.0]]),
    np.array([[2.0, 0.5], [0.5, 1.5]]),
    np.array([[0.8, 0.3], [0.1, 0.9]]),
)

FINITE = {
    "greedy_funnel": lambda j: mech.greedy_funnel(j, 0.8),
    "greedy_bottleneck": lambda j: mech.greedy_bottleneck(j, 0.05),
    "bottleneck": lambda j: mech.bottleneck(j, 0.05),
    "funnel, rate": lambda j: mech.funnel(j, rate=0.8),
    "funnel, leak": lambda j: mech.funnel(j, leak=0.02),
    "perfect_privacy": mech.perfect_privacy,
    **{
        f"least_leakage, {leakage}, sees {sees}": lambda j, m=leakage, s=sees: mech.least_leakage(
            j, HAMMING, 0.3, m, s
        )
        for leakage in (
            "mutual_information",
            "guessing_probability",
            "maximal_leakage",
            "local_privacy",
            "lift_privacy",
            "chi_squared",
        )
        for sees in ("x", "sx")
    },
    "watchdog": lambda j: mech.watchdog(j.lift(), 0.5),
    "watchdog_for": lambda j: mech.watchdog_for(j.lift(), 0.6),
    "randomised_response": lambda j: mech.randomised_response(j, 0.5),
    "generalisation": lambda j: mech.generalisation(j, [0, 0, 1, 1, 2]),
    "suppression": lambda j: mech.suppression(j, [1]),
    "convex path": lambda j: mech.greedy_funnel_path(j).convex().at(utility=0.7),
    "funnel frontier": lambda j: mech.funnel_frontier(j, [0.4, 0.8]).at(leak=0.05),
}
CONTINUOUS = {
    "gaussian_funnel, rate": lambda: mech.gaussian_funnel(*NORMAL, rate=0.5),
    "gaussian_funnel, leak": lambda: mech.gaussian_funnel(*NORMAL, leak=0.1),
    "gaussian_funnel, caps": lambda: mech.gaussian_funnel(*NORMAL, rate=0.5, caps=[0.4, 0.4]),
    "gaussian_noise": lambda: mech.gaussian_noise(*NORMAL, 1.0),
    "gaussian_release": lambda: mech.gaussian_release(*NORMAL, 1.0),
    "gaussian_obfuscation": lambda: mech.gaussian_obfuscation(0.5, 1.0, delta=0.1),
    **{
        f"gaussian_mixture, {family}, {leakage}": lambda f=family, m=leakage: mech.gaussian_mixture(
            [0.4, 0.6], [-3, 3], [1, 4], 2.0, family=f, leakage=m
        )
        for family in ("noise", "shift", "shift_and_noise", "additive")
        for leakage in ("guessing_probability", "mutual_information")
    },
}


def check(design):
    assert isinstance(design, Design)
    assert isinstance(design.status, Status)
    assert str(design.status).endswith(".")
    for reading in (design.leakage, design.utility):
        assert reading.side == "exact"
        assert reading.measure
        assert np.isfinite(reading.value)
    if design.bound is None:
        assert design.gap is None
        assert design.status is Status.CONSTRUCTED
    else:
        assert design.bound.side == "lower"
        assert design.bound.measure == design.leakage.measure
        assert design.bound.value <= design.leakage.value + 1e-12
        assert design.gap >= 0
    assert repr(design).startswith("Design: leak ")


@pytest.mark.parametrize("name", FINITE)
def test_designs_of_a_finite_law(name):
    joint = dc.Joint(P)
    design = FINITE[name](joint)
    check(design)
    channel = design.channel
    assert channel.p.shape[-2] == 5
    assert channel.inputs == ("sx" if name.endswith("sees sx") else "x")
    rng = np.random.default_rng(0)
    s, x = np.divmod(rng.choice(15, p=P.ravel(), size=20_000), 5)
    y = channel.apply(x, s=s if channel.inputs == "sx" else None, rng=rng)
    seen = np.bincount(s * channel.p.shape[-1] + y, minlength=3 * channel.p.shape[-1]) / s.size
    assert np.abs(seen - joint.through(channel).p.ravel()).max() < 0.02


@pytest.mark.parametrize("name", FINITE)
def test_about_this_table_if_the_law_is_of_a_table(name):
    joint = dc.Counts(np.rint(100 * P).astype(np.int64)).joint()
    design = FINITE[name](joint)
    assert design.leakage.origin.law == "this table"
    assert design.utility.origin.law == "this table"


@pytest.mark.parametrize("name", FINITE)
def test_a_symbol_without_mass_has_a_row_too(name):
    wide = np.insert(P, 2, 0.0, axis=1)
    if "least_leakage" in name or name == "generalisation":  # their tables are made for five symbols
        with pytest.raises(DiscreetError, match="6"):
            FINITE[name](dc.Joint(wide))
        return
    design = FINITE[name](dc.Joint(wide))
    rows = design.channel.p
    assert rows.sum(axis=-1) == pytest.approx(1, abs=1e-9)
    if name not in ("suppression", "randomised_response"):
        assert design.leakage.value == pytest.approx(FINITE[name](dc.Joint(P)).leakage.value, abs=1e-6)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_designs_of_normal_laws(name):
    design = CONTINUOUS[name]()
    check(design)
    channel = design.channel
    n_x = channel.a.shape[-1]
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, n_x))
    y = channel.apply(x, s=rng.integers(0, 2, 50) if channel.inputs == "sx" else None, rng=rng)
    assert len(y) == 50
    assert np.isfinite(y).all()


def test_every_frontier_chooses():
    joint = dc.Joint(P)
    for frontier in (
        mech.greedy_funnel_path(joint),
        mech.greedy_bottleneck_path(joint),
        mech.funnel_frontier(joint, [0.3, 0.6, 0.9]),
        mech.bottleneck_frontier(joint, [0.02, 0.06, 0.1]),
        mech.watchdog_frontier(joint.lift()),
    ):
        assert isinstance(frontier, Frontier)
        for i, design in enumerate(frontier):
            check(design)
            assert design.leakage.value == pytest.approx(frontier.leak[i], abs=1e-9)
            assert design.utility.value == pytest.approx(frontier.utility[i], abs=1e-9)
        budget = float(np.median(frontier.leak))
        assert frontier.at(leak=budget).leakage.value <= budget + 1e-9


def test_one_design_after_another_and_two_of_one_record():
    joint = dc.Joint(P)
    first = mech.funnel(joint, rate=1.2).channel
    again = mech.greedy_funnel(joint.through(first), 0.5).channel
    chained = first >> again
    told = dc.measures.mutual_information
    assert told(joint.through(chained).lift()).value == pytest.approx(
        told(joint.through(first).through(again).lift()).value, abs=1e-12
    )
    other = mech.least_leakage(joint, HAMMING, 0.3).channel
    pair = told(mech.both(joint, first, other).lift()).value
    alone = [told(joint.through(channel).lift()).value for channel in (first, other)]
    assert max(alone) - 1e-12 <= pair <= told(joint.lift()).value + 1e-12
    noise = [mech.gaussian_obfuscation(0.5, 1.0, deviation=d).channel for d in (1.0, 2.0)]
    assert (noise[0] >> noise[1]).deviation == pytest.approx(5**0.5)


def test_every_public_mechanism_is_tried_here():
    text = Path(__file__).read_text()
    elsewhere = {"features_together", "flags_on_release", "leaking", "mixture_saturation"}
    elsewhere |= {"selective_obfuscation", "selective_obfuscation_bound"}
    assert [n for n in mech.__all__ if f"mech.{n}" not in text and n not in elsewhere] == []
