"""The engineer's way with the installed binary: describe columns, design, inspect, apply; and what goes wrong."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import time
from pathlib import Path

import pandas as pd
import pytest
from tests.journeys.command import DISCREET, ran, run
from tests.workflow.people import people

from discreet.report.shapes import checked

COLUMNS = ["age", "job", "sex"]
DESIGN = ("--private", "ill", "--public", "age,job,sex", "--leak", "0.05", "--mechanism", "greedy_funnel")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """People in a file, and a policy for them."""
    where = tmp_path_factory.mktemp("engineer")
    people().to_csv(where / "people.csv", index=False)
    ran("design", "people.csv", *DESIGN, "-o", "public.policy", where=where)
    return where


def test_columns_are_shown_saved_edited_and_read_again(folder: Path) -> None:
    said = ran("design", "people.csv", *DESIGN, "--dry-run", "--save-columns", "columns.toml", where=folder)
    assert "4,000 rows" in said
    assert "nothing was done" in said
    assert all(name in said for name in COLUMNS)
    held = (folder / "columns.toml").read_text()
    (folder / "columns.toml").write_text(held.replace("bins = 8", "bins = 4"))
    told = json.loads(
        ran(
            "design",
            "people.csv",
            "--columns",
            "columns.toml",
            "--dry-run",
            "--json",
            "--leak",
            "1",
            where=folder,
        )
    )
    assert told["schema"] == "discreet/design/1"
    assert told["dry_run"]


def test_design_answers_in_words_and_in_json(folder: Path) -> None:
    words = ran("design", "people.csv", *DESIGN, "-o", "a.policy", where=folder)
    assert "held against an upper bound" in words
    assert "greedy_funnel" in words
    told = checked(
        json.loads(
            ran(
                "design",
                "people.csv",
                *DESIGN,
                "-o",
                "a.policy",
                "--json",
                "--report",
                "a.html",
                where=folder,
            )
        )
    )
    assert told["frontier"]["points"][told["frontier"]["chosen"]]["fits"]
    assert (folder / "a.html").stat().st_size < 2_000_000
    again = json.loads(ran("inspect", "a.policy", "--json", where=folder))
    assert again["schema"] == "discreet/inspect/1"
    assert again["digest"] == told["policy"]
    assert again["limit"]["met"]


def test_a_toml_of_options_equals_the_flags(folder: Path) -> None:
    (folder / "asked.toml").write_text(
        'private = "ill"\npublic = ["age", "job", "sex"]\nleak = 0.05\nmechanism = "greedy_funnel"\nout = "b.policy"\n'
    )
    ran("design", "people.csv", "--config", "asked.toml", where=folder)
    assert (folder / "b.policy").read_bytes() == (folder / "public.policy").read_bytes()


def test_inspect_says_what_is_released_hidden_and_rare(folder: Path) -> None:
    words = ran("inspect", "public.policy", where=folder)
    assert "Releases age, job, sex; hides ill." in words.replace("\n", " ")
    assert "one released record for each person" in words.replace("\n", " ")


@pytest.mark.parametrize("name", ["public.csv", "public.csv.gz", "public.parquet", "public.arrow"])
def test_apply_writes_the_kind_that_the_name_says(folder: Path, name: str) -> None:
    said = ran("apply", "public.policy", "people.csv", "-o", name, where=folder)
    assert "4,000 rows" in said
    first = (folder / name).read_bytes()
    ran("apply", "public.policy", "people.csv", "-o", name, where=folder)
    assert (folder / name).read_bytes() == first


def test_the_released_file_has_the_public_columns_in_their_types(folder: Path) -> None:
    ran("apply", "public.policy", "people.csv", "-o", "types.csv", where=folder)
    out = pd.read_csv(folder / "types.csv")
    assert list(out.columns) == COLUMNS
    assert out["age"].dtype.kind == "i"
    assert set(out["job"].dropna()) <= {"farmer", "clerk", "nurse", "pilot", "(other)"}


def test_from_standard_input_to_standard_output(folder: Path) -> None:
    said = ran(
        "apply", "public.policy", "-", "-o", "-", where=folder, given=(folder / "people.csv").read_text()
    )
    assert len(said.splitlines()) == 4_001


def test_the_key_is_secret_and_stays_at_home(folder: Path) -> None:
    ran("apply", "public.policy", "people.csv", "-o", "k.csv", "--key", "own.key", where=folder)
    assert stat.S_IMODE((folder / "own.key").stat().st_mode) == 0o600
    told = ran(
        "apply", "public.policy", "people.csv", "-o", "k.csv", "--key", "own.key", "--json", where=folder
    )
    secret = (folder / "own.key").read_text().splitlines()[0].split()[-1]
    assert secret not in told
    assert secret not in (folder / "k.csv").read_text()
    other = run("apply", "public.policy", "people.csv", "-o", "own.key", "--key", "own.key", where=folder)
    assert other.returncode in (2, 3)
    assert (folder / "own.key").read_text().splitlines()[0].split()[-1] == secret


def test_a_dry_run_writes_nothing(folder: Path) -> None:
    words = ("apply", "public.policy", "people.csv", "-o", "dry.csv", "--dry-run")
    assert "4,000 rows would be released" in ran(*words, where=folder)
    told = json.loads(ran(*words, "--json", where=folder))
    assert (told["rows"], told["columns"]) == (4_000, COLUMNS)
    assert not (folder / "dry.csv").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("design", "people.csv", "--private", "il", "--leak", "1"), 2, "did you mean 'ill'"),
        (("design", "people.csv", "--private", "ill"), 2, "one limit"),
        (("design", "people.csv", "--private", "ill", "--leak", "1", "--mechanism", "funel"), 2, "'funnel'"),
        (("design", "people.csv", "--private", "ill", "--attacker-at-most", "0.2"), 2, "without any data"),
        (("design", "none.csv", "--private", "ill", "--leak", "1"), 3, "none.csv"),
        (("apply", "people.csv", "people.csv", "-o", "x.csv"), 3, "policy"),
        (("apply", "public.policy", "people.csv", "-o", "people.csv"), 3, "people.csv"),
        (("apply", "public.policy", "people.csv", "-o", "x.docx"), 2, "x.docx"),
        (("inspect", "none.policy"), 3, "none.policy"),
        (("design", "people.csv", "--columns", "none.toml", "--leak", "1"), 2, "none.toml"),
    ],
)
def test_what_goes_wrong_is_told_in_words(folder: Path, words: tuple[str, ...], code: int, said: str) -> None:
    done = run(*words, where=folder)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "x.csv").exists()


def test_a_release_that_keeps_nothing_exits_1(folder: Path) -> None:
    done = run(
        "design",
        "people.csv",
        *DESIGN[:4],
        "--leak",
        "0",
        "--mechanism",
        "suppression",
        "-o",
        "c.policy",
        where=folder,
    )
    assert done.returncode == 1
    assert "constant" in done.stdout.splitlines()[1]


def test_help_is_quick_and_has_an_example(folder: Path) -> None:
    for command in ("design", "apply", "inspect"):
        begun = time.process_time()
        words = ran(command, "--help", where=folder)
        assert f"discreet {command}" in words
        assert time.process_time() - begun < 1


@pytest.mark.slow
def test_an_interrupted_release_goes_on(folder: Path) -> None:
    many = pd.concat([people(seed=k) for k in range(100)], ignore_index=True)
    many.to_parquet(folder / "many.parquet")
    words = [DISCREET, "apply", "public.policy", "many.parquet", "-o", "many.csv", "--key", "m.key"]
    env = {**os.environ, "DISCREET_HOME": str(folder / ".keys")}
    started = subprocess.Popen(words, cwd=folder, env=env, stderr=subprocess.DEVNULL)
    time.sleep(1.5)
    started.send_signal(signal.SIGINT)
    started.wait(timeout=60)
    ran(
        "apply", "public.policy", "many.parquet", "-o", "many.csv", "--key", "m.key", "--resume", where=folder
    )
    ran("apply", "public.policy", "many.parquet", "-o", "again.csv", "--key", "m.key", where=folder)
    assert (folder / "many.csv").read_bytes() == (folder / "again.csv").read_bytes()


@pytest.mark.slow
def test_adult(adult: Path, tmp_path: Path) -> None:
    """From an empty folder, with every mechanism that fits."""
    ran(
        "design", adult, "--private", "income", "--public", "age,sex,education", "--leak", "0.02", "-o", "p.policy",
        where=tmp_path,
    )  # fmt: skip
    said = json.loads(ran("inspect", "p.policy", "--json", where=tmp_path))
    assert len(said["tried"]) >= 8
    assert said["limit"]["held"]["value"] <= 0.02
    assert max(one["utility"]["value"] for one in said["tried"] if one["fits"]) > 0.7
    ran("apply", "p.policy", adult, "-o", "out.parquet", where=tmp_path)
    assert len(pd.read_parquet(tmp_path / "out.parquet")) == 48_842


@pytest.mark.slow
def test_compas(compas: Path, tmp_path: Path) -> None:
    """An attacker kept near blind guessing, on the prepared scores."""
    ran(
        "design", compas, "--private", "race", "--drop", "s", "--attacker-at-most", "0.65", "--mechanism",
        "funnel,greedy_funnel,watchdog", "-o", "p.policy", where=tmp_path,
    )  # fmt: skip
    said = json.loads(ran("inspect", "p.policy", "--json", where=tmp_path))
    assert said["limit"]["knob"] == "attacker_at_most"
    ran("apply", "p.policy", compas, "-o", "out.csv", where=tmp_path)
    assert len(pd.read_csv(tmp_path / "out.csv")) == 5_278
