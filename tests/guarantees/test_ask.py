"""The search: chains, what it refuses, and what a conclusion stands on."""

import math
import re

import numpy as np
import pytest

import discreet as dc
from discreet.core.guarantee import Guarantee
from discreet.guarantees import notions as n

g, m = dc.guarantees, dc.measures
FLIP = dc.MatrixChannel([[0.75, 0.25], [0.25, 0.75]])


def chain(guarantee):
    return [type(step.follows).__name__ for step in guarantee.chain]


def test_a_row_of_the_table_is_a_chain_of_one():
    found = g.imply(g.ChiSquared(eta=0.01), g.InformationPrivacy, eps=0.5)
    assert found.notion == g.InformationPrivacy(0.5, 0.01 / (4 * math.sinh(0.25) ** 2))
    assert (found.basis, found.confidence, found.law) == ("supposed", None, "this law")
    (step,) = found.chain
    assert step.known == (g.ChiSquared(0.01),)
    assert step.cite == "T1, replaces paper 000, Theorem 1(c)"
    assert str(found).splitlines()[1] == "  because χ²(S;Y) is at most 0.01"


def test_what_is_known_is_given_back():
    known = g.of(m.chi_squared(dc.Joint([[0.3, 0.1], [0.15, 0.45]]).lift()))
    assert g.imply(known, g.ChiSquared) is known
    supposed = g.imply(g.ChiSquared(0.2), g.ChiSquared)
    assert (supposed.notion, supposed.chain, supposed.law) == (g.ChiSquared(0.2), (), "this law")


def test_what_is_known_serves_where_it_only_becomes_weaker():
    known = g.InformationPrivacy(0.3, 0.1)
    found = g.imply(known, g.InformationPrivacy, eps=0.5)
    assert found.notion == g.InformationPrivacy(0.5, 0.1)
    assert found.chain[0].cite == "it only becomes weaker"
    assert g.imply(known, g.InformationPrivacy, eps=0.2).notion.delta == 1
    assert g.imply(g.Sibson(2.0, 0.1), g.Sibson, alpha=1.5).notion.eta == 0.1
    assert g.imply(g.Sibson(2.0, 0.1), g.Sibson, alpha=3.0) is None
    assert g.imply(g.Arimoto(2.0, 0.1), g.Arimoto, alpha=1.5) is None


def test_the_chain_of_figure_2():
    """Strong χ² ⇒ strong information privacy ⇒ differential privacy, two steps of the asker's own."""
    known = g.ChiSquared(0.0004953968774071739, direction="prior", over="worst")
    strong = g.imply(known, g.InformationPrivacy, strong=True, eps=0.1, p_s=[0.5, 0.5])
    private = g.imply(strong, g.DifferentialPrivacy, eps=0.2, p_s=[0.5, 0.5])
    assert chain(private)[-2:] == ["InformationPrivacy", "DifferentialPrivacy"]
    assert private.notion.delta == pytest.approx(2 * strong.notion.delta)
    direct = g.imply(known, g.DifferentialPrivacy, eps=0.2, p_s=[0.5, 0.5])
    assert direct.notion.delta < private.notion.delta <= 0.18950609695127676


def test_no_chain_is_none_and_so_is_a_missing_fact():
    assert g.imply(g.MutualInformation(0.1), g.LiftPrivacy) is None
    assert g.imply(g.MutualInformation(0.1), g.GuessingProbability) is None
    assert g.imply(g.MutualInformation(0.1), g.GuessingProbability, p_s=[0.5, 0.5]) is not None
    assert g.imply(g.MaximalCorrelation(0.1), g.Mmse) is None
    assert g.imply(g.MaximalCorrelation(0.1), g.Mmse, var_s=2.0).notion.eta == pytest.approx(1.98)
    assert g.imply(g.Mmse(0.1), g.TotalVariation) is None


def test_a_vacuous_bound_is_clipped():
    assert g.imply(g.ChiSquared(50.0), g.InformationPrivacy, eps=0.1).notion.delta == 1
    assert g.imply(g.ChiSquared(9.0), g.MutualInformation, p_s=[0.5, 0.5]).notion.eta == pytest.approx(
        math.log(2)
    )
    clipped = g.imply(g.ChiSquared(50.0), g.ChiSquared, n_s=3)
    assert clipped.notion.eta == 2
    assert chain(clipped) == ["ChiSquared"]
    assert g.imply(g.LiftPrivacy(800.0), g.TotalVariation).notion.eta == 1
    assert g.imply(g.LiftPrivacy(math.inf), g.Mmse, var_s=1.0).notion.eta == 0


def test_several_facts_together():
    both = g.imply([g.Tail(0.5, 0.02), g.Tail(0.5, 0.03, side="lower")], g.InformationPrivacy, eps=0.5)
    assert both.notion.delta == pytest.approx(0.05)
    assert both.chain[-1].known[0].side == "upper"
    best = g.imply([g.ChiSquared(0.5), g.MutualInformation(0.01)], g.MutualInformation)
    assert best.notion.eta == 0.01


def test_open_numbers_are_searched():
    """The best γ lies inside, and a known one is tried exactly."""
    found = g.imply(g.EGamma(1.3, 0.01, over="mean"), g.GuessingProbability, p_s=[0.5, 0.5])
    assert found.notion.eta == pytest.approx(0.66)
    curve = g.imply(g.InformationPrivacy(0.4, 0.02), g.TotalVariation)
    assert curve.notion.eta == pytest.approx(1 - 0.98 * math.exp(-0.4))
    by_order = g.imply(g.Renyi(2.0, 0.3), g.Tail, t=1.0, over="mean")
    assert by_order.notion.delta == pytest.approx(
        math.exp(0.3 - 1), rel=1e-6
    ) or by_order.notion.delta < math.exp(-0.7)


# ---------------------------------------------------------------------------------------------------------- channels


def test_a_channel_contracts_what_was_known_before_it():
    found = g.imply([g.Contraction(0.25), g.MutualInformation(0.1)], g.MutualInformation)
    assert found.notion.eta == pytest.approx(0.025)
    assert found.chain[0].known == (g.Contraction(0.25), g.MutualInformation(0.1))
    guess = g.imply([g.Doeblin(0.5), g.GuessingProbability(0.9)], g.GuessingProbability, p_s=[0.6, 0.4])
    assert guess.notion.eta == pytest.approx(0.5 * 0.6 + 0.5 * 0.9)


def test_a_channel_contracts_once():
    for known in (
        [g.Contraction(0.25), g.ChiSquared(0.1)],
        [g.ChiSquared(0.1), g.Contraction(0.25), g.Dobrushin(0.5)],
    ):
        assert g.imply(known, g.ChiSquared).notion.eta == pytest.approx(0.025)
    noise = g.imply(g.GaussianNoise(1.0, 1.0), g.EGamma, gamma=math.exp(0.5))
    assert noise.notion.eta == pytest.approx(0.23842170813487662)
    assert g.imply(g.LocalPrivacy(0.5), g.MaximalCorrelation).notion.eta == pytest.approx(math.tanh(0.25))
    channel = Guarantee(g.LocalPrivacy(0.5), law="the channel")
    assert g.imply(channel, g.MaximalCorrelation).notion.eta == pytest.approx(math.tanh(0.25))


def test_only_what_obeys_data_processing_passes_a_channel_as_it_is():
    private = g.InformationPrivacy(0.5, 0.01)
    assert g.imply(private, g.InformationPrivacy, eps=0.5).notion.delta == 0.01
    assert g.imply([private, g.Contraction(1.0)], g.InformationPrivacy, eps=0.5).notion.delta > 0.01
    assert g.imply([g.LocalPrivacy(0.5), g.Contraction(1.0)], g.LocalPrivacy).notion.eps == 0.5
    merged = dc.Joint(np.array([[0.1, 0.1, 0.8], [0.45, 0.45, 0.1]]) / 2)
    weak = g.of(m.information_privacy(merged.lift(), 0.5))
    found = g.imply([weak, g.Dobrushin(1.0)], g.InformationPrivacy, eps=0.5)
    for together in ([0, 0, 1], [0, 1, 1], [0, 1, 0]):
        after = merged.through(dc.MatrixChannel(np.eye(2)[together])).lift()
        assert float(m.information_privacy(after, 0.5)) <= found.notion.delta + 1e-12


def test_a_channel_alone_bounds_every_law():
    known = g.of(m.channel.contraction(FLIP))
    found = g.imply(known, g.MaximalCorrelation)
    assert found.notion.eta == pytest.approx(0.5)
    assert (found.law, found.basis) == ("the channel", "theorem")
    information = g.imply(known, g.MutualInformation, p_s=[0.5, 0.5])
    assert information.notion.eta == pytest.approx(0.25 * math.log(2))
    assert information.law == "this law"  # the masses of its secrets went in
    assert g.imply(g.of(m.channel.local_privacy(FLIP)), g.Contraction).notion.eta == pytest.approx(0.25)
    table = g.of(m.mutual_information(dc.Counts([[3, 1], [2, 4]]).joint().lift()))
    assert g.imply([known, table], g.MutualInformation).law == "this table"
    assert g.imply(Guarantee(g.Contraction(0.25), law="this law"), g.Contraction).law == "the channel"


def test_how_many_releases_there_are_says_nothing_of_what_was_before():
    known = [g.Contraction(0.5), g.MaximalCorrelation(0.6)]
    with_releases = g.imply(known, g.ChiSquared, n_y=2)
    assert with_releases.notion.eta == pytest.approx(0.5 * 0.36)
    assert chain(with_releases) == ["MaximalCorrelation", "ChiSquared"]


# ------------------------------------------------------------------------------------------- laws, basis, confidence


def measured(notion, confidence=0.95, law="the population"):
    return Guarantee(notion, law, confidence, "confidence")


def test_the_chances_to_be_wrong_add_up():
    one, two = measured(g.Tail(0.5, 0.02)), measured(g.Tail(0.5, 0.03, side="lower"))
    both = g.imply([one, two], g.InformationPrivacy, eps=0.5)
    assert (both.confidence, both.basis, both.law) == (0.9, "confidence", "the population")
    alone = g.imply([one, two], g.Tail, t=0.5)
    assert alone is one
    mixed = g.imply(
        [measured(g.MutualInformation(0.1)), g.of(m.channel.contraction(FLIP))], g.MutualInformation
    )
    assert (mixed.confidence, mixed.basis) == (0.95, "confidence")


def test_what_rests_on_a_supposition_is_supposed():
    table = g.of(m.mutual_information(dc.Counts([[3, 1], [2, 4]]).joint().lift()))
    found = g.imply([g.Contraction(0.5), table], g.MutualInformation)
    assert (found.basis, found.law) == ("supposed", "this table")
    assert g.imply([table, g.ChiSquared(9.0)], g.MutualInformation) is table


def test_different_laws_are_not_combined():
    table = g.of(m.chi_squared(dc.Counts([[3, 1], [2, 4]]).joint().lift()))
    with pytest.raises(dc.DiscreetError, match="the population, this table"):
        g.imply([table, measured(g.MutualInformation(0.1))], g.MutualInformation)


def test_the_chain_goes_back_to_the_beginning():
    first = g.imply(g.ChiSquared(0.1), g.MutualInformation)
    second = g.imply(first, g.TotalVariation)
    assert chain(second) == ["MutualInformation", "TotalVariation"]
    assert second.chain[0].known == (g.ChiSquared(0.1),)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: g.imply(g.ChiSquared(0.1), g.InformationPrivacy), "say at which"),
        (lambda: g.imply(g.ChiSquared(0.1), g.InformationPrivacy, eps=0.5, delta=0.1), "what is solved for"),
        (lambda: g.imply(g.ChiSquared(0.1), g.MutualInformation, prior=[1]), "the facts are p_s"),
        (lambda: g.imply(g.ChiSquared(0.1), g.InformationPrivacy, eps=-1), "eps of 0 or more"),
        (lambda: g.imply(g.ChiSquared(0.1), g.ChiSquared, over="all"), "'mean', 'worst'"),
        (lambda: g.imply(g.ChiSquared(0.1), g.MutualInformation, p_s=[0.5, 0.6]), "sum to one"),
        (lambda: g.imply(g.ChiSquared(0.1), g.MutualInformation, n_s=0), "how many secrets"),
        (lambda: g.imply(g.ChiSquared(0.1), g.EGamma, gamma=1.2, p_s=[1.0], flagged=[0.1, 0.2]), "flagged"),
        (lambda: g.imply([], g.MutualInformation), "something known"),
        (lambda: g.imply(0.3, g.MutualInformation), "a notion with its numbers"),
        (lambda: g.imply(g.ChiSquared, g.MutualInformation), "a notion with its numbers"),
        (lambda: g.imply(g.ChiSquared(0.1), dict), "a notion"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(ask, said):
    with pytest.raises(dc.DiscreetError, match=re.escape(said)):
        ask()


def test_secrets_without_mass_do_not_count():
    known = g.InformationPrivacy(0.5, 0.01, strong=True)
    found = g.imply(known, g.DifferentialPrivacy, eps=1.0, p_s=[0.5, 0.0, 0.5])
    assert found.notion.delta == pytest.approx(0.02)


EXTREMES = {
    "eta": [0.0, 1e-300, 0.3, 1.0, 50.0, math.inf],
    "delta": [0.0, 1e-300, 0.3, 1.0],
    "eps": [0.0, 1e-300, 0.5, 1000.0, math.inf],
    "gamma": [1e-300, 0.5, 1.0, 1.3, 1e308],
    "alpha": [1e-9, 0.5, 1 - 1e-9, 1.0, 2.0, math.inf],
    "t": [0.0, 1e-300, 0.4, 1000.0, math.inf],
    "f": [lambda t: (t - 1) ** 2, lambda t: -np.log(t)],
    "deviation": [1e-300, 1.0, 1e300],
    "diameter": [1e-300, 1.0, 1e300],
}


@pytest.mark.parametrize("seed", range(20))
def test_extreme_numbers_are_answered(seed):
    """Single secrets, vanishing ones, bounds of zero and without end: an answer within range, or none."""
    rng = np.random.default_rng(seed)

    def some(options):
        return options[rng.integers(len(options))]

    for _ in range(5):
        known, asked = some(n.NOTIONS), some(n.NOTIONS)
        given = {name: some(EXTREMES[name]) for name in (*known.free, known.bound)}
        given[known.bound] = min(given[known.bound], known.most)
        facts = {"p_s": some([[1.0], [0.5, 0.5], [1e-300, 1.0], [0.0, 1.0]]), "var_s": 1.0, "range_s": 2.0}
        facts |= {"cost_range": 1.0, "n_y": some([1, 2, 10**9]), "p_kept": some([0.0, 0.3, 1.0])}
        free = {name: some(EXTREMES[name]) for name in asked.free}
        found = g.imply(known(**given), asked, **free, **facts)
        assert found is None or 0 <= getattr(found.notion, asked.bound) <= asked.most * (1 + 1e-9)
        assert found is None or str(found)


def test_the_named_costs_need_no_range():
    """A wrong guess costs one and a belief at most two, so information alone bounds what the release saves."""
    known = g.MutualInformation(0.02)
    guess = g.imply(known, g.InferenceGain, cost="zero_one").notion.eta
    assert guess <= math.sqrt(0.01)
    assert g.imply(known, g.InferenceGain, cost="brier").notion.eta == pytest.approx(0.02)
    table = g.imply(known, g.InferenceGain, cost="table", cost_range=3.0).notion.eta
    assert table == g.imply(known, g.InferenceGain, cost_range=3.0).notion.eta <= 3 * math.sqrt(0.01)
    assert g.imply(known, g.InferenceGain, cost="table") is None
