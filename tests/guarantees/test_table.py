"""The table itself: readable, complete, and every printed form no better than ours."""

import math

import numpy as np
import pytest

import discreet as dc
from discreet.guarantees import implications
from discreet.guarantees import notions as n
from discreet.guarantees.facts import FACTS
from discreet.guarantees.implication import arguments, names_of
from discreet.guarantees.implications import LEADING_TO, TABLE
from discreet.guarantees.statement import Kind, kind

g = dc.guarantees


def test_names_are_used_once():
    assert len({row.name for row in TABLE}) == len(TABLE)
    assert implications.named("pinsker").name == "pinsker"
    with pytest.raises(KeyError):
        implications.named("no such theorem")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_a_row_says_what_it_is(row):
    assert row.formula
    assert row.cite
    assert row.domain
    assert isinstance(row.target, Kind)
    assert all(isinstance(one, Kind) and one.words and one.name for one in row.source)
    assert len(row.source) <= 2
    assert set(row.facts) <= FACTS.keys()
    assert row.formula.count("{") == row.formula.count("}")
    known = {*names_of(row.source), *row.target.free, *(f"{name}_asked" for name in row.target.free), *FACTS}
    for function in filter(None, (row.map, row.at, row.holds)):
        assert set(arguments(function)) <= known
    assert row.printed or not row.wrong
    assert not (row.printed and row.tight)


def test_every_fact_is_needed_somewhere():
    assert {name for row in TABLE for name in row.facts} == FACTS.keys()


def test_every_notion_has_its_place():
    touched = {one.notion for row in TABLE for one in (*row.source, row.target)}
    assert touched == set(n.NOTIONS)


def test_printed_rows_are_never_used():
    used = {form.row for forms in LEADING_TO.values() for form in forms}
    assert used == {row for row in TABLE if not row.printed}


def test_the_papers_theorems_are_all_there():
    printed = " ".join(row.cite for row in TABLE if row.printed)
    for theorem in (
        *(f"paper 000, Theorem 1({part})" for part in "abc"),
        "paper 000, Corollary 1",
        *(f"paper 000, Lemma {number}" for number in (2, 3, 4)),
        "paper 000, Section III",
        "paper 001, Lemma 1(3)",
        "paper 001, equation (5)",
        *(f"paper 001, Proposition 1({part})" for part in (1, 2, 3)),
        "paper 001, Proposition 2",
        "paper 002, Theorem 1",
        "paper 003, equation (12)",
        "paper 003, Theorem 3",
        "paper 003, equation (18)",
    ):
        assert theorem in printed
    ours = " ".join(row.cite for row in TABLE if not row.printed)
    for label in (
        "T1",
        "T2",
        "T3",
        "T3b",
        "T4",
        "T4b",
        "T5",
        "T6",
        "E1",
        "E13",
        "E26",
        "E27",
        "E29",
        "E31",
        "E32",
    ):
        assert f"{label}" in ours
    for lemma in ("paper 000, Lemma 1", "paper 000, Lemma 5", "paper 003, Theorem 1", "paper 002, Lemma 1"):
        assert lemma in ours


@pytest.mark.parametrize("eta", [0.001, 0.03, 0.4])
@pytest.mark.parametrize("eps", [0.1, 0.5, 1.5])
def test_ours_are_no_worse_than_the_printed_ones(eta, eps):
    ip, strong = n.InformationPrivacy, {"strong": True}
    for name, known, notion, asked in (
        ("theorem-1a-printed", n.TotalVariation(eta), ip, {"eps": eps}),
        ("theorem-1b-printed", n.MutualInformation(eta), ip, {"eps": eps}),
        ("theorem-1c-printed", n.ChiSquared(eta), ip, {"eps": eps}),
        ("corollary-1-tv-printed", n.TotalVariation(eta, over="worst"), ip, {"eps": eps, "n_s": 3} | strong),
        (
            "corollary-1-kl-printed",
            n.MutualInformation(eta, direction="prior", over="worst"),
            ip,
            {"eps": eps, "n_s": 3} | strong,
        ),
        (
            "corollary-1-chi-squared-printed",
            n.ChiSquared(eta, direction="prior", over="worst"),
            ip,
            {"eps": eps, "n_s": 3} | strong,
        ),
        ("lemma-2-printed", ip(eps, eta), n.GuessingProbability, {"p_s": [0.5, 0.3, 0.2]}),
        ("lemma-4-printed", ip(eps, eta), n.TotalVariation, {}),
        ("lemma-1-3-printed", n.LiftPrivacy(eps), n.MutualInformation, {}),
        ("proposition-1-3-printed", n.LiftPrivacy(eps), n.FInformation, {"f": lambda t: t * np.log(t)}),
        ("proposition-1-2-printed", n.LiftPrivacy(eps), n.Arimoto, {"alpha": 2.0}),
        (
            "theorem-1-printed",
            n.MutualInformation(eta),
            n.InferenceGain,
            {"cost_range": 2.0, "cost_top": 1.0},
        ),
    ):
        found = g.imply(known, notion, **asked)
        seen = {**vars(known), **{k: np.array(v) if k == "p_s" else v for k, v in asked.items()}}
        row = implications.named(name)
        printed = row.map(*(seen[one] for one in arguments(row.map)))
        assert getattr(found.notion, notion.bound) <= printed + 1e-12, name


def test_lemma_3_is_far_below_ours():
    known = n.InformationPrivacy(0.2, 0.05, strong=True)
    ours = g.imply(known, n.Mmse, var_s=0.25).notion.eta
    printed = implications.named("lemma-3-printed").map(0.2, 0.05, 0.5, 0.25)
    assert ours == pytest.approx(0.194, abs=5e-4)
    assert printed == pytest.approx(-0.055, abs=5e-4)


def test_a_raw_share_may_rise_with_eps_and_a_clipped_one_does_not():
    raw = [implications.named("theorem-1c-printed").map(10.0, eps) for eps in (0, 0.25, 0.5, 1, 2)]
    assert raw == pytest.approx([2.0, 2.049, 2.179, 2.452, 1.580], abs=1e-3)
    ours = [
        g.imply(n.ChiSquared(10.0), n.InformationPrivacy, eps=eps).notion.delta for eps in (0.25, 1, 2, 4)
    ]
    assert ours == sorted(ours, reverse=True)


def numbers_for(row):
    """Plausible values for whatever a map may take, by name."""
    facts = {
        "p_s": np.array([0.5, 0.3, 0.2]),
        "n_s": 3,
        "n_y": 4,
        "var_s": 1.0,
        "mean_s": 0.5,
        "range_s": 2.0,
    }
    facts |= {"cost_range": 1.0, "cost_top": 1.0, "regular": True, "p_kept": 0.2}
    facts |= {"flagged": np.array([0.1, 0.2, 0.6])}
    chosen = {"eps": 0.4, "gamma": 1.4, "alpha": 2.0, "t": 0.6, "f": lambda t: (t - 1) ** 2, "diameter": 1.0}
    for suffix in ("_asked", "_2"):
        chosen |= {f"{name}{suffix}": value for name, value in chosen.items() if "_" not in name}
    return facts | chosen | {"eta": 0.3, "delta": 0.3, "eta_2": 0.8, "delta_2": 0.3, "deviation": 1.0}


@pytest.mark.parametrize("row", [r for r in TABLE if r.source and not r.printed], ids=lambda row: row.name)
def test_a_map_rises_with_what_is_known(row):
    """A worse bound never gives a better one, so that the best of each source is all the search needs."""
    for one, suffix in zip(row.source, ("", "_2"), strict=False):
        name, values = one.notion.bound + suffix, []
        for value in np.linspace(0.02, 0.98, 30):
            seen = {**numbers_for(row), name: float(value)}
            if row.holds is None or row.holds(*(seen[a] for a in arguments(row.holds))):
                values.append(float(row.map(*(seen[a] for a in arguments(row.map)))))
        finite = np.array([value for value in values if math.isfinite(value)])
        steps = np.diff(finite) * (1 if one.notion.at_least == row.target.notion.at_least else -1)
        assert (steps >= -1e-9).all()


def test_ceilings_are_attained_by_the_secret_itself():
    p_s = np.array([0.5, 0.3, 0.2])
    lift = dc.Joint(np.diag(p_s)).lift()
    known = g.of(dc.measures.mutual_information(lift))
    assert g.imply([g.Contraction(1.0), known], g.MutualInformation).notion.eta == pytest.approx(
        float(dc.measures.mutual_information(lift))
    )
    for notion, measure in (
        (n.TotalVariation, dc.measures.total_variation),
        (n.Hellinger, dc.measures.hellinger),
        (n.MaximalLeakage, dc.measures.maximal_leakage),
    ):
        found = g.imply(n.LiftPrivacy(math.inf), notion, p_s=p_s).notion.eta
        assert found == pytest.approx(float(measure(lift)))
    assert kind(n.TotalVariation) in LEADING_TO
