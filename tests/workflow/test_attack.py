"""Attacks on released files, whoever made them: collapsed, worse than before, a code in the residuals, an id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discreet.core.errors import DiscreetError
from discreet.report.shapes import checked
from discreet.workflow.attack import attack
from discreet.workflow.compare import compare

pandas = pytest.importorskip("pandas")
FEW = ("logistic", "exact values, counted", "boosting, small trees")
N = 1_500


@pytest.fixture(scope="module")
def people() -> Any:
    """People whose job tells something about their income."""
    rng = np.random.default_rng(4)
    job = rng.choice(["clerk", "driver", "nurse", "teacher"], N)
    rich = rng.random(N) < np.where(job == "teacher", 0.75, np.where(job == "nurse", 0.5, 0.25))
    return pandas.DataFrame({"nr": np.arange(N), "job": job, "income": np.where(rich, "high", "low")})


def attacked(release: Any, people: Any, **how: Any) -> Any:
    rng = np.random.default_rng(0)
    return attack(release, truth=people, private="income", effort=FEW, rng=rng, **how)


def test_a_leak_is_found_between_the_baseline_and_the_control(people: Any) -> None:
    found = attacked(people[["job"]], people)
    told = checked(found.to_json())
    assert told["baseline"]["value"] + 0.05 < told["best"]["value"] <= told["control"]["value"] + 0.02
    assert told["best"]["interval"][0] < told["best"]["value"] < told["best"]["interval"][1]
    assert told["verdict"] == {"status": "leaks", "exit": 0, "words": found.verdict.words}
    assert set(told["attackers"]) >= set(FEW)


def test_nobody_guesses_worse_than_blind(people: Any) -> None:
    rng = np.random.default_rng(8)
    noise = pandas.DataFrame({"job": rng.integers(0, 400, N).astype(str)})
    found = attack(noise, truth=people, private="income", effort=("exact values, counted",), rng=rng)
    told = checked(found.to_json())
    assert max(r.value for r in found.attackers.values()) < found.baseline.value
    assert told["best"] == told["baseline"]
    assert "better from the release than by naming its commonest value" in found.headline


def test_a_secret_that_is_a_number_is_guessed_by_its_range_and_estimated(people: Any) -> None:
    pay = people["job"].map({"clerk": 20.0, "driver": 22.0, "nurse": 30.0, "teacher": 45.0})
    paid = people.assign(pay=pay + np.random.default_rng(1).normal(0, 3, N))
    how = {"effort": ("logistic",), "rng": np.random.default_rng(0)}
    found = attack(people[["job"]], truth=paid, private="pay", **how)
    assert found.figures is not None
    assert found.figures["r_squared"].value == pytest.approx(0.91, abs=0.03)
    assert found.figures["mmse"].value == pytest.approx(9.0, rel=0.2)
    assert found.best.value > 2 * found.baseline.value
    assert checked(found.to_json())["figures"]["mmse"]["side"] == "upper"


def test_a_constant_release_is_a_collapse_and_the_first_line_says_so(people: Any) -> None:
    found = attacked(people[["job"]].assign(job="somebody"), people)
    assert found.verdict.status == "collapsed"
    assert found.verdict.exit == 1
    assert found.headline.startswith("The release is constant")


def test_a_release_that_got_worse_exits_with_1_and_says_so_first(people: Any) -> None:
    code = people["job"] + np.where(people["income"] == "high", ".", "")
    found = attacked(pandas.DataFrame({"job": code}), people)
    assert found.verdict.status == "worse than before"
    assert found.verdict.exit == 1
    assert found.headline.startswith("The release tells an attacker more")


def test_a_correlation_remover_leaves_a_code_for_the_secret_in_one_hot_columns(people: Any) -> None:
    s = (people["income"] == "high").to_numpy(float)
    hot = pandas.get_dummies(people["job"]).to_numpy(float)
    centred = s - s.mean()
    residual = hot - np.outer(centred, centred @ hot / (centred @ centred))
    assert np.abs(np.corrcoef(np.column_stack([s, residual]).T)[0, 1:]).max() < 1e-9
    found = attacked(pandas.DataFrame(residual, columns=["a", "b", "c", "d"]), people)
    assert found.best.value == pytest.approx(1.0)
    assert found.verdict.exit == 1 or found.control is None
    assert any("code for `income`" in line for line in found.to_json()["warnings"])
    assert not attacked(people[["job"]], people).code


def test_rows_in_another_order_are_matched_by_an_id(people: Any) -> None:
    shuffled = people[["nr", "job"]].sample(frac=0.8, random_state=1)
    by_id = attacked(shuffled, people, id="nr")
    assert by_id.best.value == pytest.approx(attacked(people[["job"]], people).best.value, abs=0.08)
    with pytest.raises(DiscreetError, match="id"):
        attacked(shuffled, people)


def test_a_limit_is_held_against_the_upper_end(people: Any) -> None:
    loose, tight = (attacked(people[["job"]], people, limit=at) for at in (0.99, 0.6))
    assert loose.verdict.exit == 0
    assert tight.verdict.status == "over the limit"
    assert tight.headline.startswith(tight.verdict.words)


def test_a_page_is_made_and_holds_no_row(people: Any, tmp_path: Path) -> None:
    page = attacked(people[["job"]], people).save(tmp_path / "attack.html").read_text()
    assert "income" in page
    assert len(page) < 2_000_000


def test_several_releases_on_one_scale(people: Any) -> None:
    rng = np.random.default_rng(1)
    noisy = people["job"].where(rng.random(N) < 0.5, rng.choice(["clerk", "driver", "nurse", "teacher"], N))
    found = compare(
        {"as it is": people[["job"]], "noisy": noisy.to_frame(), "constant": people[["job"]].assign(job="x")},
        truth=people, private="income", effort=FEW, rng=rng,
    )  # fmt: skip
    told = checked(found.to_json())
    by_name = {one["name"]: one for one in told["releases"]}
    assert list(by_name) == ["as it is", "noisy", "constant"]
    nats = {name: one["mutual_information"]["value"] for name, one in by_name.items()}
    assert nats["as it is"] > nats["noisy"] > nats["constant"] - 0.002
    assert by_name["as it is"]["utility"]["value"] > by_name["noisy"]["utility"]["value"]
    assert found.verdict.exit == 1
    assert "`constant`" in found.headline
    assert "Of 3 releases `noisy` tells least" in found.headline
