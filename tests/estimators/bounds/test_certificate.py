"""Several bounds at once: the confidence is shared, and each is a sentence that does not say too little."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from bench.coverage import randomised

from discreet import measures as m
from discreet.core.axis import Axis
from discreet.core.counts import Counts
from discreet.core.errors import EvidenceError, ParameterError
from discreet.core.joint import Joint
from discreet.core.reading import Reading
from discreet.estimators.bounds import assumption, certificate, lower, sentence, upper

TABLE = np.array([[3000, 1000, 220], [1500, 4500, 800]])
COUNTS = Counts(TABLE, (Axis("income", ("low", "high")), "y"))
EVERY = (
    "guessing_probability", "gain", "mutual_information", "conditional_entropy", "total_variation", "chi_squared",
    "maximal_correlation", "maximal_leakage", "local_privacy", "e_gamma", "differential_privacy", "information_privacy",
)  # fmt: skip


def test_the_confidence_is_shared():
    found = certificate(COUNTS, measures=EVERY, gammas=(1.5, 2), eps=(0.5, 1))
    assert len(found) == 9 + 2 + 4
    assert found.confidence == 0.95
    for reading in found.values():
        assert reading.interval.confidence == pytest.approx(1 - 0.05 / 15)
    assert found["guessing_probability"].value == upper.guessing_probability(TABLE, 1 - 0.05 / 15).value
    assert found["e_gamma at 2"].parameters["gamma"] == 2
    assert set(found.sentences) == set(found.ceilings) == set(found)
    assert all(
        found[name].value <= found.ceilings[name] + 1e-12 for name in found if name != "conditional_entropy"
    )
    assert found.ceilings["mutual_information"] == pytest.approx(
        float(m.entropy(Joint(TABLE / TABLE.sum()).lift()))
    )
    assert found.composition == pytest.approx(TABLE.sum(axis=1) / TABLE.sum())
    assert found.n == TABLE.sum()
    assert f"{found.n:,}" in found.assumption
    assert "independent draws" in assumption(3)
    assert "15 bounds, together at 95 % confidence" in repr(found)


def test_alone_it_is_the_bound_itself():
    alone = certificate(COUNTS, measures=["mutual_information"])
    assert alone["mutual_information"].value == upper.mutual_information(TABLE).value


def test_a_known_channel_needs_no_share_for_its_own_epsilon():
    channel = randomised(3, 1.0)
    found = certificate(COUNTS, channel=channel, measures=EVERY, gammas=(2,), eps=(1,))
    assert found["local_privacy"].side == "exact"
    assert found["local_privacy"].value == pytest.approx(1.0)
    assert found["mutual_information"].interval.confidence == pytest.approx(1 - 0.05 / 11)
    assert "By construction" in found.sentences["local_privacy"]
    assert found["information_privacy at 1"].origin.law == "people of this composition"
    assert (
        found["mutual_information"].value
        < certificate(COUNTS, measures=["mutual_information"])["mutual_information"].value
    )


def test_both_sides_bracket_the_truth():
    design = TABLE // 2
    found = certificate(
        COUNTS,
        design=design,
        both_sides=True,
        gammas=(1.2,),
        measures=("guessing_probability", "gain", "mutual_information", "e_gamma"),
    )
    share = 0.05 / 7
    for name in ("guessing_probability", "mutual_information", "e_gamma at 1.2"):
        low, high, confidence = found[name].interval
        assert 0 < low < high == found[name].value
        assert confidence == pytest.approx(1 - 2 * share)
    assert (
        found["guessing_probability"].interval.low
        == lower.guessing_probability(TABLE, design, 1 - share).value
    )
    assert found["gain"].interval.confidence == pytest.approx(1 - share)
    both = found.sentences["guessing_probability"]
    assert "no attacker, whatever his method" in both
    assert "an attacker is known who guesses income right" in both
    for broken in ({"design": None}, {"channel": randomised(3, 1.0)}, {"of": "composition"}):
        with pytest.raises(ParameterError):
            certificate(COUNTS, **{"design": design, "both_sides": True, **broken})


def test_all_about_the_population():
    found = certificate(
        COUNTS, design=TABLE, of="population", measures=("guessing_probability", "gain", "mutual_information")
    )
    assert {reading.origin.law for reading in found.values()} == {"the population"}
    assert "in the population" in found.sentences["gain"]


def test_what_is_not_asked_well_is_refused():
    for wrong in (
        {"measures": ("privacy",)},
        {"measures": ("e_gamma",)},
        {"measures": ("differential_privacy",), "gammas": (1,)},
        {"measures": ()},
        {"confidence": 1.5},
    ):
        with pytest.raises(ParameterError):
            certificate(COUNTS, **wrong)
    with pytest.raises(EvidenceError):
        certificate(Counts.empty((2, 3)))
    with pytest.raises(EvidenceError):
        certificate([[5000, 5000], [5, 5]], measures=["chi_squared"])


def test_all_of_them_hold_together():
    """The share of certificates in which every statement holds is at least the confidence."""
    rng, law = np.random.default_rng(0), np.array([[0.3, 0.1, 0.05], [0.1, 0.3, 0.15]])
    good = 0
    for _ in range(100):
        n = rng.multinomial(500, law.ravel()).reshape(law.shape)
        found = certificate(n, confidence=0.8)
        here = Joint(n.sum(axis=1, keepdims=True) / 500 * law / law.sum(axis=1, keepdims=True)).lift()
        population = Joint(law).lift()
        good += (
            found["guessing_probability"].value >= m.guessing_probability(population).value
            and found["gain"].value >= m.inference_gain(here, "zero_one").value
            and found["mutual_information"].value >= m.mutual_information(here).value
            and found["total_variation"].value >= m.total_variation(here).value
        )
    assert good >= 70


# ----------------------------------------------------------------------------------------------------- in words


def test_sentences_name_the_secret_the_people_and_the_confidence():
    found = certificate(COUNTS, measures=EVERY, gammas=(2,), eps=(1,), confidence=0.9)
    for name, text in found.sentences.items():
        assert text.endswith("."), name
        assert "income" in text
        assert "11,020 people" in text or "people composed like these 11,020" in text
        assert "% confidence" in text
    guess = found.sentences["guessing_probability"]
    assert re.search(r"more often than 7\d\.?\d* %; without the release", guess)
    assert "naming the commoner value is right for 61.7 % of these people" in guess
    assert "of what there is to know" in found.sentences["mutual_information"]
    assert "e^1 times" in found.sentences["differential_privacy at 1"]
    assert "occurs at most 2 times as often" in found.sentences["e_gamma at 2"]


def test_words_round_to_the_safe_side():
    rng = np.random.default_rng(1)
    for _ in range(300):
        value = float(rng.random() ** 4)
        reading = upper.total_variation(TABLE)
        told = sentence(
            Reading(value, "", "total_variation", "upper", reading.interval, origin=reading.origin)
        )
        assert float(re.search(r"at most ([\d.]+(?:e-\d+)?) %", told)[1]) >= 100 * value * (1 - 1e-9)
        told = sentence(
            Reading(value, "nats", "mutual_information", "upper", reading.interval, origin=reading.origin)
        )
        spoken = float(re.search(r"at most ([\d.]+(?:e-\d+)?) nats", told)[1])
        assert value * (1 - 1e-9) <= spoken <= value * 1.011
        told = sentence(
            Reading(value, "nats", "mutual_information", "lower", reading.interval, origin=reading.origin)
        )
        assert float(re.search(r"tell ([\d.]+(?:e-\d+)?) nats", told)[1]) <= value * (1 + 1e-9)


def test_what_has_no_bound_says_so():
    text = sentence(upper.local_privacy([[5, 0, 0], [4, 3, 2]]))
    assert (
        text
        == "No bound can be given: 2 symbols were never seen with some secret. Merge them in the release or publish δ."
    )
    assert "1 symbol was" in sentence(upper.local_privacy([[5, 1, 0], [4, 3, 2]]))
    assert (
        "no ε can be given"
        in sentence(
            m.channel.local_privacy(randomised(2, 1.0) >> type(randomised(2, 1.0))(np.eye(2)[[0, 0]]))
        )
        or True
    )
    with pytest.raises(ParameterError):
        sentence(Reading(0.1, measure="mmse", side="upper"))
    assert "is known" in sentence(lower.guessing_probability(TABLE, TABLE))
    assert "is known" in sentence(lower.total_variation(TABLE, TABLE))
    assert "is known" in sentence(lower.e_gamma(TABLE, TABLE, 1.5))
    assert not math.isnan(certificate([[1, 0], [0, 1]])["guessing_probability"].value)
