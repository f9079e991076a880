"""Design meets its limit on rows that it never saw, says by which number, and explains its choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.workflow.people import designed_policy, people

from discreet.core.errors import DiscreetError, ParameterError
from discreet.estimators.bounds import upper
from discreet.measures import mutual_information
from discreet.tables.keystream import Key
from discreet.workflow.apply import applied
from discreet.workflow.choice import Designed
from discreet.workflow.design import design
from discreet.workflow.designed import designed
from discreet.workflow.designer import MECHANISMS
from discreet.workflow.families import FAMILIES

QUICK = (
    "greedy_funnel",
    "generalisation",
    "watchdog",
    "randomised_response",
    "suppression",
    "perfect_privacy",
)


@pytest.fixture(scope="module")
def several() -> Designed:
    return designed(
        people(), private="ill", public=["age", "job", "sex"], mechanism=QUICK, leak=0.05,
        rng=np.random.default_rng(1),
    )  # fmt: skip


@pytest.mark.parametrize("mechanism", sorted(FAMILIES))
def test_a_leak_is_held_by_an_upper_bound(mechanism: str) -> None:
    made = designed_policy(mechanism=mechanism).design
    assert made.limit.met
    assert made.limit.held.value <= 0.03
    assert made.limit.held.side == ("exact" if any("constant" in w for w in made.warnings) else "upper")
    assert made.leakage["mutual_information, rows it never saw"].value <= 0.03


def test_some_of_it_is_kept() -> None:
    made = designed_policy(mechanism="funnel").design
    assert made.utility["share kept of the columns, rows it never saw"].value > 0.4


def test_the_released_file_tells_what_the_policy_said() -> None:
    """The bound was made on held-out rows of one sample; a release of new people of the same town stays below it."""
    from discreet.core.counts import Counts

    policy = designed_policy()
    town = people(20_000, seed=7)
    out = policy.apply(town, key=Key.of_seed(5))
    block = policy.codec.public[0]
    assert len(policy.codec.public) >= 1
    import pyarrow as pa

    s = policy.codec.secret.encode(pa.Table.from_pandas(town)).symbols
    told = 0.0
    for block in policy.codec.public:
        y = block.encode(pa.Table.from_pandas(out)).symbols
        table = Counts.of_codes(np.stack([s, y], axis=1), (policy.codec.secret.size, block.size), ("s", "y"))
        told = max(told, mutual_information(table.joint().lift()).value)
        assert upper.mutual_information(table).value < 0.04
    low, high, _ = policy.design.limit.held.interval or (0.0, 0.0, 0.0)
    slack = policy.codec.secret.size * max(b.size for b in policy.codec.public) / (2 * len(town))
    assert low <= told <= high + slack


def test_an_attacker_limit_is_held() -> None:
    made = designed_policy(leak=None, attacker_at_most=0.75).design
    assert made.limit.met
    assert made.limit.held.value <= 0.75
    assert made.limit.held.measure == "guessing_probability"


def test_a_share_is_kept() -> None:
    made = designed_policy(leak=None, keep=0.6).design
    assert made.limit.met
    assert made.limit.held.value == pytest.approx(0.6, abs=0.1)
    assert made.limit.held.value >= 0.55


def test_a_share_of_the_utility_is_kept() -> None:
    policy = design(
        people(), private="ill", public=["age", "job", "sex"], utility="pays", mechanism="greedy_funnel", keep=0.8,
        rng=np.random.default_rng(1),
    )  # fmt: skip
    assert policy.design.limit.held.measure == "share kept of the utility"
    assert policy.design.limit.held.value > 0.7
    assert "pays" not in policy.kernel.columns


def test_the_most_useful_of_those_that_meet_the_limit_is_chosen(several: Designed) -> None:
    assert not several.policy.collapsed
    fitting = [p for p in several.points[: len(QUICK)] if p.fits]
    best = several.points[several.place]
    assert best.fits
    assert best.utility.value == max(p.utility.value for p in fitting)
    made = several.policy.design
    assert made.mechanism == best.mechanism
    assert best.mechanism in made.why
    assert [t.mechanism for t in made.tried] == list(QUICK)
    assert all(t.leakage.interval is not None for t in made.tried)


def test_the_choice_is_told_in_json_and_on_a_page(several: Designed) -> None:
    told = several.to_json()
    assert told["schema"] == "discreet/design/1"
    assert told["frontier"]["chosen"] == several.place
    assert told["policy"] == several.policy.digest
    curves = [p for p in told["frontier"]["points"] if p["parameters"]]
    assert {p["mechanism"] for p in curves} <= set(QUICK)
    assert "greedy_funnel" in several.to_html()


def test_numbers_alone_may_be_obfuscated() -> None:
    policy = design(
        people(),
        private="ill",
        public="age",
        mechanism="obfuscation",
        leak=0.02,
        rng=np.random.default_rng(0),
    )
    held = policy.design.limit.held
    assert (held.side, held.origin.law) == ("upper", "the channel")
    assert held.value <= 0.02
    assert "e_gamma, whatever the data" in policy.design.leakage
    out = policy.apply(people(), key=Key.of_seed(1))
    assert out["age"].dtype == np.int64
    assert out["age"].std() > 100


def test_a_mechanism_that_does_not_fit_is_named_with_its_reason() -> None:
    with pytest.raises(ParameterError, match="numbers or dates only"):
        designed_policy(mechanism="obfuscation")
    found = designed(
        people(), private="ill", public=["age", "job", "sex"], mechanism=["obfuscation", "greedy_funnel"], leak=0.03,
        rng=np.random.default_rng(1),
    )  # fmt: skip
    assert "numbers or dates" in found.skipped["obfuscation"]
    assert found.policy.design.mechanism == "greedy_funnel"


def test_a_limit_below_blind_guessing_is_refused() -> None:
    with pytest.raises(ParameterError, match="without any data"):
        designed_policy(leak=None, attacker_at_most=0.4)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"leak": None}, "one limit"),
        ({"keep": 0.5}, "one limit"),
        ({"leak": -1.0}, "leak from 0"),
        ({"leak": None, "keep": 1.2}, "keep from 0 to 1"),
        ({"mechanism": "funel"}, "did you mean 'funnel'"),
        ({"mechanism": []}, "mechanisms among"),
    ],
)
def test_what_cannot_be_meant_is_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        designed_policy(**asked)


def test_a_leak_of_nothing_gives_a_constant_release_and_says_so() -> None:
    policy = designed_policy(leak=0.0)
    assert policy.collapsed
    assert policy.design.limit.met
    assert any("constant" in warning for warning in policy.design.warnings)
    assert not policy.design.limit.held.value > 1e-9


def test_the_same_seed_gives_the_same_policy() -> None:
    assert designed_policy().digest == designed_policy().digest


def test_many_columns_are_released_in_blocks_with_a_stated_loss() -> None:
    rng = np.random.default_rng(3)
    town = people()
    for j in range(6):
        town[f"zone{j}"] = rng.integers(0, 12, len(town)).astype(str)
    town["copy"] = town["zone0"]
    policy = design(
        town, private="ill", drop="id", mechanism="randomised_response", leak=0.05, symbols=40, rng=rng
    )
    assert len(policy.codec.public) > 3
    assert all(block.size <= 40 for block in policy.codec.public)
    assert policy.codec.loss.between > 0
    assert any("blocks" in warning for warning in policy.design.warnings)
    assert policy.design.limit.held.side == "estimate"


def test_a_column_of_very_many_values_does_not_explode() -> None:
    rng = np.random.default_rng(3)
    town = people()
    town["street"] = pd.Series(rng.integers(0, 900, len(town)).astype(str)).radd("street ")
    policy = design(
        town,
        private="ill",
        public=["age", "street"],
        mechanism="greedy_funnel",
        leak=0.03,
        symbols=64,
        rng=rng,
    )
    assert max(block.size for block in policy.codec.public) <= 64
    assert policy.codec.loss.within["street"] > 0


def test_labels_in_place_of_values() -> None:
    policy = designed_policy(mechanism="generalisation", labels=True, leak=0.05)
    out = policy.apply(people(), key=Key.of_seed(1))
    assert {str(v) for v in out["sex"].unique()} <= {"any", "false", "true"}
    assert out["age"].dtype == object
    assert out["age"].nunique() < 10


def test_every_mechanism_has_a_name() -> None:
    assert {"funnel", "obfuscation", "learned", "generalisation"} <= set(MECHANISMS)


@pytest.mark.nightly
def test_a_learned_game_becomes_a_policy(tmp_path: Any) -> None:
    pytest.importorskip("jax")
    from discreet.workflow.policy import load

    town = people()
    policy = design(
        town,
        private="ill",
        public=["age", "job", "sex"],
        mechanism="learned",
        leak=0.08,
        rng=np.random.default_rng(0),
    )
    assert policy.design.limit.held.side in ("estimate", "exact")
    again = load(policy.save(tmp_path / "learned.policy"))
    first, second = (one.apply(town, key=Key.of_seed(3)) for one in (policy, again))
    pd.testing.assert_frame_equal(first, second)
    assert (first.dtypes == town[["age", "job", "sex"]].dtypes).all()


@pytest.fixture(scope="module")
def odd() -> pd.DataFrame:
    """Columns that ordinary tables have, and that break ordinary programs."""
    rng = np.random.default_rng(0)
    town = people(1_500)
    town["const"], town["gone"], town["copy"], town["none"] = 1, None, town["ill"], np.nan
    town["when"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, len(town)), "D")
    town["town"] = rng.integers(0, 88, len(town)).astype(str)
    town["amount"] = rng.lognormal(8, 2, len(town))
    town["endless"] = np.where(rng.random(len(town)) < 0.01, np.inf, 1.0)
    return town


@pytest.mark.parametrize(
    "asked",
    [
        {"public": ["const", "age"]},
        {"public": ["gone", "none", "age"]},
        {"public": ["copy", "age"]},
        {"public": ["when", "town", "amount", "endless"]},
        {"public": ["when", "amount", "age"], "mechanism": "obfuscation", "leak": 0.5},
        {"private": ["ill", "sex"], "public": ["age", "job"]},
        {"private": "amount", "public": ["age", "job"]},
        {"private": "when", "public": ["age", "job"]},
        {"public": ["age", "pays"], "utility": "pays", "leak": None, "keep": 0.9},
        {"public": ["age", "job"], "leak": None, "keep": 1.0},
        {"public": ["age", "copy"], "leak": None, "attacker_at_most": 1.0},
        {"drop": "id"},
    ],
    ids=str,
)
def test_odd_columns_are_released_in_their_types(odd: pd.DataFrame, asked: dict[str, Any]) -> None:
    given = {"private": "ill", "mechanism": "greedy_funnel", "leak": 0.05, "rng": np.random.default_rng(0)}
    policy = design(odd, **(given | asked))
    assert policy.design.limit.met
    out = applied(policy, odd, key=Key.of_seed(1)).out
    assert (out.dtypes == odd[list(out.columns)].dtypes).all()
    assert len(out) == len(odd)


def test_a_column_that_gives_the_secret_away_is_blunted(odd: pd.DataFrame) -> None:
    policy = design(
        odd,
        private="ill",
        public="copy",
        mechanism="randomised_response",
        leak=0.1,
        rng=np.random.default_rng(0),
    )
    out = policy.apply(odd, key=Key.of_seed(1))
    assert 0.5 < (out["copy"] == odd["ill"]).mean() < 0.85


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_too_few_rows_are_refused(odd: pd.DataFrame, rows: int) -> None:
    with pytest.raises(DiscreetError, match=r"rows|records|values"):
        design(odd[:rows], private="ill", public="age", leak=0.1, mechanism="greedy_funnel")
