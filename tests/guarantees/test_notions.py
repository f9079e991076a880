"""Notions: their words, their ranges, their kinds."""

import math
import re

import pytest

import discreet as dc
from discreet.core.protocols import Notion
from discreet.guarantees import notions as n
from discreet.guarantees.statement import alike, defaults, kind, kind_of, numbers, of_channel, settings

PLAUSIBLE = {"eta": 0.25, "delta": 0.1, "eps": 0.5, "gamma": 1.5, "alpha": 2.0, "t": 0.5, "f": abs} | {
    "deviation": 1.0,
    "diameter": 2.0,
}


def made(notion, **more):
    return notion(**{name: PLAUSIBLE[name] for name in (*notion.free, notion.bound)}, **more)


@pytest.mark.parametrize("notion", n.NOTIONS)
def test_every_notion_says_a_sentence_with_its_number(notion):
    one = made(notion)
    assert isinstance(one, Notion)
    assert "{" not in one.words
    assert re.match(r"[^.]+$", one.words.replace("0.", "").replace("1.", ""))
    stated = {"MaximalLeakage": "1.284", "MinEntropyLeakage": "1.284", "InformationPrivacy": "0.9"}
    number = stated.get(notion.__name__, f"{PLAUSIBLE[notion.bound]:.4g}")
    assert number in one.words


@pytest.mark.parametrize("notion", n.NOTIONS)
def test_every_choice_of_qualifiers_reads_differently(notion):
    every = [made(notion, **chosen) for chosen in settings((alike(notion),))]
    distinct = {kind_of(one) for one in every}
    assert len({one.words for one in every}) >= len(distinct)
    assert {kind_of(one).words for one in every} == {one.words for one in distinct}


def test_a_measure_and_its_notion_share_a_name():
    snake = {re.sub(r"(?<!^)(?=[A-Z])", "_", one.__name__).lower() for one in n.NOTIONS}
    of_lifts = {row.name for row in dc.measures.CATALOGUE if not row.name.endswith("_eps")}
    assert of_lifts - snake <= {"entropy", "conditional_entropy", "alpha_loss"}
    assert snake - of_lifts <= {"tail", "gaussian_noise", "flagged_noise", "watchdog"}


def test_words():
    assert n.ChiSquared(eta=0.01).words == "χ²(S;Y) is at most 0.01"
    assert n.MutualInformation(0.0).words == "I(S;Y) is at most 0 nats"
    assert n.EGamma(1.5, 0.1, over="mean").words == "E_1.5(S;Y) is at most 0.1"
    assert n.EGamma(1.5, 0.1).words == "E_1.5 of p(y|s) from p(y) is at most 0.1 for every s"
    strong = n.InformationPrivacy(0.5, 0.039, strong=True).words
    assert strong.startswith("with probability at least 0.961 the posterior of every secret")
    lower = n.Tail(0.5, 0.1, side="lower", direction="prior")
    assert lower.words == "under p(y) the log-lift falls below −0.5 with probability at most 0.1 for every s"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: n.ChiSquared(-0.1), "eta of 0 or more"),
        (lambda: n.ChiSquared(math.nan), "eta = nan"),
        (lambda: n.TotalVariation(1.2), "at most 1"),
        (lambda: n.InformationPrivacy(0.5, 1.2), "delta = 1.2"),
        (lambda: n.InformationPrivacy(-0.5, 0.2), "eps of 0 or more"),
        (lambda: n.InformationPrivacy(0.5, 0.2, strong="yes"), "one of False, True"),
        (lambda: n.EGamma(0, 0.2), "gamma above 0"),
        (lambda: n.Sibson(0, 0.2), "alpha above 0"),
        (lambda: n.ChiSquared(0.1, direction="back"), "'release', 'prior'"),
        (lambda: n.MutualInformation("much"), "eta = 'much'"),
    ],
)
def test_numbers_out_of_range_are_refused(make, said):
    with pytest.raises(dc.DiscreetError, match=re.escape(said)):
        make()


def test_infinity_is_a_bound_and_rounding_no_error():
    assert n.LiftPrivacy(math.inf).words.startswith("the posterior")
    assert n.TotalVariation(1 + 2e-16).eta >= 1


def test_nearly_certain_is_not_certain():
    assert "at least 1 − 1e-06 the" in n.InformationPrivacy(0.5, 1e-6).words
    assert "at least 1 the" in n.InformationPrivacy(0.5, 0.0).words


def test_kinds():
    assert kind(n.ChiSquared) == kind_of(n.ChiSquared(0.1))
    assert kind(n.ChiSquared, over="worst").name == "ChiSquared (worst)"
    assert kind(n.InformationPrivacy, strong=True).words == "information privacy (strong)"
    assert alike(n.EGamma).name == "EGamma (any direction, any over)"
    assert of_channel(n.LocalPrivacy).words == "local privacy (of the channel)"
    assert of_channel(n.Contraction) == kind(n.Contraction)
    assert numbers(n.EGamma(1.5, 0.1)) == ({"gamma": 1.5}, 0.1)
    assert defaults(n.EGamma) == {"direction": "release", "over": "worst"}


def test_where_both_directions_are_one_there_is_one_kind():
    assert kind_of(n.TotalVariation(0.1, direction="prior")) == kind(n.TotalVariation)
    assert kind_of(n.Hellinger(0.1, direction="prior")) == kind(n.Hellinger)
    assert kind_of(n.ChiSquared(0.1, direction="prior")) != kind(n.ChiSquared)
