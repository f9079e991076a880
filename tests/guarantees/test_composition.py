"""Several releases of one record: every rule on random pairs of releases, the second in view of the first."""

import math

import numpy as np
import pytest

import discreet as dc
from discreet.core.guarantee import Guarantee
from discreet.guarantees.composition import RULES
from discreet.guarantees.statement import settings
from tests.guarantees.exact import MEASURES
from tests.reference import cases

g = dc.guarantees

KINDS = [rule.kind.where(**chosen) for rule in RULES for chosen in settings((rule.kind,))]


def two_releases(rng):
    """p(s), p(y1 | s) and p(y2 | s, y1), with cells that cannot occur."""
    sizes = rng.integers(2, 5, size=3)

    def rows(*shape):
        p = rng.dirichlet(np.full(shape[-1], rng.choice([0.5, 2.0, 20.0])), size=shape[:-1])
        p = np.where(rng.random(p.shape) < 0.15 * rng.integers(2), 0, p) + 1e-12 * (rng.random() < 0.5)
        return (p + (p.sum(-1, keepdims=True) == 0)) / (p + (p.sum(-1, keepdims=True) == 0)).sum(
            -1, keepdims=True
        )

    return rng.dirichlet(np.full(sizes[0], 3.0)), rows(sizes[0], sizes[1]), rows(*sizes)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_rule_holds_for_adaptive_releases(kind):
    rng, how, measure = np.random.default_rng(5), dict(kind.fixed), MEASURES[kind.notion]
    for _ in range(60):
        p_s, first, second = two_releases(rng)
        p = p_s[:, None, None] * first[:, :, None] * second
        free = [{name: float(np.exp(rng.random())) for name in kind.free} for _ in range(2)]
        one = float(measure(dc.Joint(p.sum(axis=2)).lift(), **free[0], **how))
        given = [dc.Joint(p[:, y] / p[:, y].sum()).lift() for y in range(p.shape[1]) if p[:, y].sum() > 1e-9]
        values = [float(measure(lift, **free[1], **how)) for lift in given]
        # information is known in the mean over the first release, everything else whatever it was
        p_y = [p[:, y].sum() for y in range(p.shape[1]) if p[:, y].sum() > 1e-9]
        mean = kind.notion is g.MutualInformation and how["over"] == "mean"
        two = float(np.dot(p_y, values)) if mean else max(values)
        if not math.isfinite(one + two):
            continue
        both = g.compose([kind.make(free[0], one), kind.make(free[1], two)]).notion
        whole = dc.Joint(p.reshape(len(p_s), -1) / p.sum()).lift()
        total = {name: getattr(both, name) for name in kind.free}
        assert float(measure(whole, **total, **how)) <= getattr(both, kind.notion.bound) + 1e-9


def test_the_paper_s_theorem_and_the_tighter_total():
    for case in cases("003_tide", "composition"):
        expected, gamma = case["expected"], math.exp(case["inputs"]["eps"])
        both = g.compose([g.EGamma(gamma, expected["delta1"]), g.EGamma(gamma, expected["delta2"])])
        assert both.notion.gamma == pytest.approx(gamma**2)
        assert both.notion.eta == pytest.approx(expected["tighter_bound"], abs=case["tol"]["abs"])
        assert expected["E_total_at_2eps"] <= both.notion.eta <= expected["printed_bound"]
        (printed,) = (rule for rule in RULES if rule.printed)
        total = printed.bound(expected["delta1"], expected["delta2"])
        assert total == pytest.approx(min(expected["printed_bound"], 1), abs=case["tol"]["abs"])


def test_many_releases():
    one = g.DifferentialPrivacy(0.1, 0.01)
    many = g.compose([one] * 10)
    assert (many.notion.eps, many.notion.delta) == pytest.approx((1.0, 1 - 0.99**10))
    assert "each given what was released before" in str(many)
    assert "T8" in str(many)


def test_information_privacy_of_the_true_secret_only_adds():
    assert g.compose([g.InformationPrivacy(0.1, 0.2)] * 2).notion.delta == pytest.approx(0.4)
    assert g.compose([g.InformationPrivacy(0.1, 0.2, strong=True)] * 2).notion.delta == pytest.approx(0.36)
    assert g.compose([g.InformationPrivacy(0.1, 0.7)] * 2).notion.delta == 1


def test_what_it_stands_on():
    measured = Guarantee(g.MutualInformation(0.1), "the population", 0.95, "confidence")
    certain = Guarantee(g.MutualInformation(0.2), "the population", None, "theorem")
    both = g.compose([measured, certain, measured])
    assert both.notion.eta == pytest.approx(0.4)
    assert (both.law, both.confidence, both.basis) == ("the population", 0.9, "confidence")
    assert g.compose([measured, g.MutualInformation(0.2)]).basis == "supposed"
    assert g.compose([measured]).notion == measured.notion
    chained = g.compose([g.imply(g.ChiSquared(0.1), g.MutualInformation)] * 2)
    assert len(chained.chain) == 2


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([], "guarantees of releases"),
        ([g.LiftPrivacy(0.1), g.LocalPrivacy(0.1)], "of one kind"),
        ([g.InformationPrivacy(0.1, 0.1), g.InformationPrivacy(0.1, 0.1, strong=True)], "of one kind"),
        ([g.ChiSquared(0.1), g.ChiSquared(0.1)], "a kind of guarantee that composes"),
        ([g.GuessingProbability(0.6)] * 2, "a kind of guarantee that composes"),
        (
            [Guarantee(g.LiftPrivacy(0.1), "this table"), Guarantee(g.LiftPrivacy(0.1), "this law")],
            "about one law",
        ),
        (
            [Guarantee(g.LocalPrivacy(0.1), "the channel"), Guarantee(g.LocalPrivacy(0.1), "this law")],
            "about one law",
        ),
    ],
)
def test_what_does_not_compose_is_refused(parts, said):
    with pytest.raises(dc.DiscreetError, match=said):
        g.compose(parts)
