"""`discreet release`, `verify` and `compare` on COMPAS, as a publisher would."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.journeys.command import ran, run

from discreet.report.shapes import checked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(compas: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records as a plain file, and their release in `out`."""
    where = tmp_path_factory.mktemp("publisher")
    shutil.copy(compas, where / "people.csv.gz")
    said = ran(
        "release", "people.csv.gz", "--private", "two_year_recid", "--public", "priors_count,age,sex", "--leak",
        "0.02", "--mechanism", "greedy_funnel,randomised_response", "--form", "parquet", "-o", "out",
        "--json", where=where,
    )  # fmt: skip
    (where / "said.json").write_text(said)
    return where


def test_a_release_with_all_that_goes_with_it(folder: Path) -> None:
    told = checked(json.loads((folder / "said.json").read_text()))
    assert told["verdict"]["exit"] == 0
    assert told["after"]["guess"]["value"] < told["before"]["guess"]["value"]
    bounds = {row["measure"]: row["reading"]["value"] for row in told["certificate"]["bounded"]}
    assert told["attack"]["best"]["value"] <= bounds["guessing_probability"]
    assert {one.name for one in (folder / "out").iterdir()} == {
        "public.parquet", "public.policy", "certificate.json", "certificate.html", "report.html",
    }  # fmt: skip
    assert not list((folder / "out").glob("*key*"))


def test_it_verifies_elsewhere(folder: Path, tmp_path: Path) -> None:
    for name in ("public.parquet", "public.policy", "certificate.json"):
        shutil.copy(folder / "out" / name, tmp_path / name)
    assert "agree" in ran("verify", "certificate.json", "public.parquet", where=tmp_path)


def test_other_tools_on_the_same_scale(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    people = pandas.read_csv(folder / "people.csv.gz")
    people[["age", "sex"]].to_csv(folder / "dropped.csv", index=False)
    done = run(
        "compare", "out/public.parquet", "dropped.csv", "--truth", "people.csv.gz", "--private",
        "two_year_recid", "--json", "--report", "compare.html", where=folder,
    )  # fmt: skip
    told = checked(json.loads(done.stdout))
    assert done.returncode == told["verdict"]["exit"] == 0
    assert [one["name"] for one in told["releases"]] == ["public.parquet", "dropped.csv"]
    assert (folder / "compare.html").exists()


def test_a_dry_run_writes_nothing(folder: Path) -> None:
    said = ran(
        "release", "people.csv.gz", "--private", "two_year_recid", "--leak", "0.1", "-o", "nowhere", "--dry-run",
        where=folder,
    )  # fmt: skip
    assert "nothing was done" in said
    assert not (folder / "nowhere").exists()
