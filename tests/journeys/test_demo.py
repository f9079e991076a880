"""The first five minutes of a stranger: the demonstration, then the same commands by hand on its survey."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from tests.journeys.command import ran, run

from discreet.report.shapes import checked

pytestmark = pytest.mark.slow

WRITTEN = {
    "survey.csv", "public.csv", "public.policy", "certificate.json", "certificate.html", "report.html",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demonstration was run; what it printed is in `said.json`."""
    where = tmp_path_factory.mktemp("stranger")
    begun = time.process_time()
    (where / "said.json").write_text(ran("demo", "--json", where=where))
    assert time.process_time() - begun < 60
    return where


def test_the_demonstration_goes_the_whole_way(folder: Path) -> None:
    told = checked(json.loads((folder / "said.json").read_text()))
    assert told["schema"] == "discreet/demo/2"
    before, after = told["release"]["before"], told["release"]["after"]
    assert before["guess"]["value"] > 0.8 > after["guess"]["value"]
    assert told["audit"]["guess"]["value"] == pytest.approx(0.9, abs=0.05)
    assert {one.name for one in (folder / "discreet-demo").iterdir()} == WRITTEN
    page = (folder / "discreet-demo" / "report.html").read_text()
    assert len(page.encode()) < 2_000_000
    assert "What leaks" in page or "What the release tells" in page
    assert "What no attacker exceeds" in page


def test_its_certificate_verifies_and_a_changed_byte_does_not(folder: Path) -> None:
    out = folder / "discreet-demo"
    said = ran("verify", out / "certificate.json", out / "public.csv", where=folder)
    assert "agrees" in said
    held = (out / "public.csv").read_bytes()
    (out / "public.csv").write_bytes(held[:-3] + b"?" + held[-2:])
    changed = run("verify", out / "certificate.json", "--json", where=folder)
    (out / "public.csv").write_bytes(held)
    assert changed.returncode == 3
    assert json.loads(changed.stdout)["verdict"]["status"] == "failed"


def test_an_attack_on_the_released_file_by_hand(folder: Path) -> None:
    out = folder / "discreet-demo"
    said = ran(
        "attack", out / "public.csv", "--truth", out / "survey.csv", "--private", "vote", "--json",
        "--report", "attack.html", where=folder,
    )  # fmt: skip
    told = checked(json.loads(said))
    assert told["schema"] == "discreet/attack/1"
    assert told["best"]["value"] < 0.75 < told["control"]["value"]
    assert "vote" in (folder / "attack.html").read_text()


def test_a_limit_that_is_broken_exits_with_1_and_says_so_first(folder: Path) -> None:
    survey = folder / "discreet-demo" / "survey.csv"
    done = run(
        "attack",
        "discreet-demo/public.csv",
        "--truth",
        survey,
        "--private",
        "vote",
        "--attacker-at-most",
        "0.4",
        where=folder,
    )
    assert done.returncode == 1
    said = " ".join(done.stdout.split())
    assert said.startswith("The best attacker is right up to ")
    assert "over the limit of 40. " in said


def test_a_collapsed_release_exits_with_1_and_says_so_first(folder: Path) -> None:
    survey = folder / "discreet-demo" / "survey.csv"
    rows = survey.read_text().count("\n") - 1
    (folder / "constant.csv").write_text("party\n" + "anything\n" * rows)
    done = run("attack", "constant.csv", "--truth", survey, "--private", "vote", where=folder)
    assert done.returncode == 1
    assert done.stdout.strip().startswith("The release is constant")
