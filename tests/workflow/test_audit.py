"""Audits of tables of many sorts: what leaks is found, what does not is not, and nothing falls over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discreet.core.errors import SourceError
from discreet.report.shapes import checked
from discreet.workflow.audit import audit
from discreet.workflow.audited import Audit

pandas = pytest.importorskip("pandas")
N = 1_200


def people(seed: int = 0) -> Any:
    """People with columns of all kinds; only `score` and `ward` tell about the illness, `ward` all of it."""
    rng = np.random.default_rng(seed)
    ill = rng.random(N) < 0.35
    town = np.array([f"town {i:02d}" for i in range(88)], dtype=object)[rng.integers(0, 88, N)]
    town[rng.random(N) < 0.1] = None
    return pandas.DataFrame(
        {
            "nr": np.arange(N) + 10**6,
            "age": np.where(rng.random(N) < 0.1, np.nan, rng.integers(18, 90, N)),
            "town": town,
            "since": pandas.Timestamp("2020-01-01") + pandas.to_timedelta(rng.integers(0, 900, N), unit="D"),
            "active": rng.random(N) < 0.5,
            "score": np.round(rng.normal(size=N) + 1.2 * ill, 3),
            "nothing": np.nan,
            "same": "x",
            "ward": np.where(ill, rng.choice(["a", "b"], N), rng.choice(["c", "d"], N)),
            "ill": np.where(ill, "ill", "well"),
        }
    )


def audited(table: Any, private: Any = "ill", **how: Any) -> Audit:
    return audit(table, private=private, rng=np.random.default_rng(0), **how)


@pytest.fixture(scope="module")
def revealed() -> Audit:
    return audited(people())


@pytest.fixture(scope="module")
def experiment() -> Audit:
    """Who was dealt which arm: nothing can tell it."""
    dealt = np.random.default_rng(8).choice(["treated", "control"], N)
    return audited(people().drop(columns=["ill"]).assign(arm=dealt), "arm")


@pytest.mark.slow
def test_a_column_that_reveals_the_secret_is_named(revealed: Audit) -> None:
    assert revealed.guess.value > 0.99
    assert "Most of it comes through `ward`" in revealed.headline
    assert "`ward` reveals the secret." in revealed.warnings
    told = revealed.to_json()
    assert told["columns"]["ward"]["verdict"] == "reveals"
    assert told["columns"]["score"]["verdict"] == "tells"
    assert told["columns"]["town"]["verdict"] == "nothing found"
    assert told["columns"]["ward"]["lower"]["side"] == "lower"
    assert (
        0.3
        < told["columns"]["ward"]["lower"]["value"]
        < told["columns"]["ward"]["mutual_information"]["value"]
    )


@pytest.mark.slow
def test_what_tells_records_apart_is_left_out_and_said(revealed: Audit) -> None:
    assert "nr" not in revealed.columns
    assert any("`nr`" in line for line in revealed.warnings)
    assert any("`town` is missing in" in line for line in revealed.warnings)


@pytest.mark.slow
def test_what_remains_without_the_column_that_reveals(revealed: Audit) -> None:
    first = revealed.remains[0]
    assert first.without == ("ward",)
    assert 0.65 < first.guess.value < 0.85


@pytest.mark.slow
def test_nothing_leaks_from_a_randomised_experiment(experiment: Audit) -> None:
    assert experiment.verdict.status == "fine"
    assert "No leak was seen" in experiment.headline
    assert experiment.told.information.value < 0.01
    low, high, _ = experiment.guess.interval
    assert low <= experiment.told.baseline <= high
    assert not any(column.leaks for column in experiment.columns.values())
    assert experiment.remains == ()


@pytest.mark.slow
def test_every_number_says_what_it_is(revealed: Audit) -> None:
    told = checked(json.loads(json.dumps(revealed.to_json(), allow_nan=False)))
    assert set(told["guess"]) == {"value", "lower", "upper", "baseline"}
    for name in ("mutual_information", "guessing_probability", "maximal_leakage", "total_variation"):
        row = told["measures"][name]
        assert row["side"] in {"exact", "estimate", "lower", "upper"}
        assert row["better"] == "lower"
        assert row["law"]
    assert told["measures"]["maximal_leakage"]["null"] > 0
    assert told["measures"]["mutual_information"]["lower"]["side"] == "lower"
    assert len(told["measures"]) >= 15


@pytest.mark.slow
def test_a_limit_is_a_verdict(revealed: Audit) -> None:
    from dataclasses import replace

    over = replace(revealed, max_leak=0.1)
    assert over.verdict.exit == 1
    assert over.headline.startswith(over.verdict.words)
    assert "estimate" in over.verdict.words
    assert replace(revealed, max_leak=2.0).verdict.exit == 0


@pytest.mark.slow
def test_scores_are_for_their_owner_only(revealed: Audit, tmp_path: Path) -> None:
    path = revealed.save_scores(tmp_path / "scores.csv")
    assert path.stat().st_mode & 0o077 == 0
    rows = path.read_text().splitlines()
    assert rows[0] == "row,factor,odds_before,odds_after,reason"
    assert len(rows) == N + 1
    assert any(row.endswith('"ward"') for row in rows)


@pytest.mark.slow
def test_several_secrets_each_all_together_and_the_worst() -> None:
    table = people()[["age", "score", "active", "ill"]]
    table["owner"] = np.where(table["active"] & (np.random.default_rng(1).random(N) < 0.9), "yes", "no")
    found = audited(table, ["ill", "owner"])
    told = found.to_json()["secrets"]
    assert [one["name"] for one in told["each"]] == ["ill", "owner"]
    assert told["worst"] == "owner"
    assert told["together"]["mutual_information"]["value"] > max(
        one["mutual_information"]["value"] for one in told["each"]
    )


@pytest.mark.slow
def test_two_columns_that_tell_only_together() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 2, 2_000), rng.integers(0, 2, 2_000)
    s = np.where(rng.random(2_000) < 0.95, a ^ b, 1 - (a ^ b))
    table = pandas.DataFrame({"left": a, "right": b, "s": np.where(s == 1, "yes", "no")})
    found = audited(table, "s")
    assert [set(pair.names) for pair in found.pairs] == [{"left", "right"}]
    assert "tell only together" in found.headline
    assert found.guess.value > 0.9
    assert {row["verdict"] for row in found.to_json()["columns"].values()} == {"only together"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    [
        {"x": ["a"] * 80, "s": ["u", "v"] * 40},
        {"x": [None] * 80, "s": ["u", "v"] * 40},
        {"x": list("ab") * 40, "s": ["u"] * 80},
        {"x": list("ab") * 25, "s": ["u", "v"] * 25},
        {"x": [1.5, float("inf")] * 40, "s": [True, False] * 40},
        {"x": [f"v{i // 2}" for i in range(60)], "s": [None, "v", "w"] * 20},
    ],
    ids=["constant", "all missing", "one class", "fifty rows", "infinite", "missing secrets"],
)
def test_the_extremes_end_in_a_result(table: dict[str, list[Any]]) -> None:
    found = audited(pandas.DataFrame(table), "s", public=["x"])
    told = checked(json.loads(json.dumps(found.to_json(), allow_nan=False)))
    assert told["headline"]
    assert 0 <= told["guess"]["value"] <= 1
    assert len(found.to_html()) < 2_000_000


def test_too_few_rows_are_a_fault_of_the_data_in_three_parts() -> None:
    with pytest.raises(SourceError, match=r"50 rows at least") as refused:
        audited(pandas.DataFrame({"x": list("ab") * 10, "s": ["u", "v"] * 10}), "s")
    assert refused.value.found == "20"
    assert "Counts" in refused.value.remedy
