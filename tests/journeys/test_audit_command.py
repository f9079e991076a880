"""`discreet audit` on real tables: one command, no configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.journeys.command import ran, run

from discreet.report.shapes import checked
from discreet.workflow.demo import written_survey

pytestmark = pytest.mark.slow


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    return written_survey(tmp_path)


def test_a_report_the_columns_and_the_scores(survey: Path, tmp_path: Path) -> None:
    done = run(
        "audit", survey, "--private", "vote", "--public", "party,age", "--report", "audit.html", "--scores",
        "scores.csv", where=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert said.startswith("From the columns you want to release an attacker guesses `vote` right")
    assert "times in 100 (5" in said.split(".")[0]
    assert "the report is in audit.html" in done.stderr
    assert 20_000 < (tmp_path / "audit.html").stat().st_size < 2_000_000
    assert (tmp_path / "scores.csv").stat().st_mode & 0o077 == 0
    # what was guessed can be corrected and passed back
    columns = tmp_path / "audit.columns.toml"
    assert "party" in columns.read_text()
    again = ran("audit", survey, "--columns", columns, "--dry-run", where=tmp_path)
    assert "party" in again


def test_a_config_file_is_the_same_as_the_options(survey: Path, tmp_path: Path) -> None:
    (tmp_path / "discreet.toml").write_text(
        '[audit]\nprivate = "vote"\npublic = ["party"]\nmax-leak = 0.01\n'
    )
    by_file = run("audit", survey, "--config", "discreet.toml", "--json", where=tmp_path)
    by_hand = run(
        "audit", survey, "--private", "vote", "--public", "party", "--max-leak", "0.01", "--json", where=tmp_path
    )  # fmt: skip
    assert by_file.returncode == by_hand.returncode == 1
    assert json.loads(by_file.stdout) == json.loads(by_hand.stdout)
    told = checked(json.loads(by_file.stdout))
    assert told["verdict"]["status"] == "over the limit"
    assert told["headline"].startswith(told["verdict"]["words"])


def test_records_from_standard_input(survey: Path, tmp_path: Path) -> None:
    said = ran(
        "audit", "-", "--private", "vote", "--public", "party", "--json", where=tmp_path,
        given=survey.read_text(),
    )  # fmt: skip
    assert json.loads(said)["guess"]["value"] > 0.85


def test_compas(compas: Path, tmp_path: Path) -> None:
    told = checked(json.loads(ran("audit", compas, "--private", "two_year_recid", "--json", where=tmp_path)))
    assert told["guess"]["value"] == pytest.approx(0.685, abs=0.025)
    assert told["guess"]["baseline"] == pytest.approx(0.53, abs=0.02)
    assert next(iter(told["columns"])) == "decile_score"


@pytest.mark.nightly
def test_adult(adult: Path, tmp_path: Path) -> None:
    said = ran(
        "audit", adult, "--private", "income", "--drop", "split,age7,edu4,fnlwgt,education_num", "--json",
        where=tmp_path,
    )  # fmt: skip
    told = checked(json.loads(said))
    assert told["guess"]["value"] >= 0.865
    assert told["guess"]["lower"] > told["guess"]["baseline"] + 0.1
    assert len(told["columns"]) == 12
