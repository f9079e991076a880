"""How the command behaves before it works: help, slips, exit codes, completion, and what it loads for that."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.journeys.command import DISCREET, ran, run

from discreet import __version__

COMMANDS = ("demo", "audit", "design", "apply", "attack", "release", "verify", "compare", "inspect", "doctor")
HEAVY = (
    "numpy",
    "scipy",
    "sklearn",
    "pyarrow",
    "duckdb",
    "pandas",
    "altair",
    "jinja2",
    "jax",
    "narwhals",
)
TABLE = "a,s\n" + "\n".join(f"{i % 7},{'uv'[i % 2]}" for i in range(80)) + "\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(TABLE)
    return tmp_path


def test_help_names_every_command_and_each_has_one_example(tmp_path: Path) -> None:
    said = ran("--help", where=tmp_path)
    for command in COMMANDS:
        assert command in said
        help_ = " ".join(ran(command, "--help", where=tmp_path, width=300).split())
        assert help_.count("Example") == 1
        assert f"discreet {command}" in help_


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, discreet.cli\n"
        "from typer.testing import CliRunner\n"
        "for args in (['--help'], ['audit', '--help']):\n"
        "    assert CliRunner().invoke(discreet.cli.app, args).exit_code == 0\n"
        "print('\\n'.join(sys.modules))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert [name for name in HEAVY if name in said] == []
    ours = {name for name in said if name.startswith("discreet.") and name.split(".")[1] != "cli"}
    assert ours == {"discreet.core", "discreet.core.doors"}


def test_help_takes_little_time(tmp_path: Path) -> None:
    import resource

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    took = []
    for _ in range(3):  # of the processor, so that a busy machine does not count
        begun = spent()
        ran("--help", where=tmp_path)
        took.append(spent() - begun)
    assert min(took) < 0.5


def test_the_version_and_a_slip(tmp_path: Path) -> None:
    assert ran("--version", where=tmp_path).strip() == f"discreet {__version__}"
    slip = run("aduit", where=tmp_path)
    assert slip.returncode == 2
    assert "audit" in slip.stderr
    assert run("audit", "--no-such-option", where=tmp_path).returncode == 2


def test_a_misspelt_column_is_guessed(table: Path) -> None:
    done = run("audit", "people.csv", "--private", "S", where=table)
    assert done.returncode == 2
    assert "did you mean" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("audit", "people.csv"), 2),
        (("audit", "people.csv", "--private", "s", "--config", "missing.toml"), 2),
        (("audit", "missing.csv", "--private", "s"), 3),
        (("verify", "missing.json"), 3),
        (("attack", "missing.csv", "--truth", "people.csv", "--private", "s"), 3),
        (("release", "people.csv", "--private", "s", "-o", "out"), 2),
        (("attack", "people.csv", "--private", "s"), 2),
    ],
)
def test_exit_codes(table: Path, args: tuple[str, ...], code: int) -> None:
    done = run(*args, where=table)
    assert done.returncode == code, done.stderr
    assert done.stderr or "DIFFERS" in done.stdout
    assert "Traceback" not in done.stderr


def test_no_value_of_the_data_stands_in_a_message(table: Path) -> None:
    (table / "bad.csv").write_text("a,s\n1,u\nsecretvalue," + "x," * 5 + "\n")
    done = run("audit", "bad.csv", "--private", "s", where=table)
    assert done.returncode in {2, 3}
    assert "secretvalue" not in done.stdout + done.stderr


def test_a_dry_run_says_what_it_would_take(table: Path) -> None:
    told = json.loads(ran("audit", "people.csv", "--private", "s", "--dry-run", "--json", where=table))
    assert told["dry_run"] is True
    assert told["schema"] == "discreet/audit/1"
    said = ran("audit", "people.csv", "--private", "s", "--dry-run", where=table)
    assert "80 rows" in said
    assert "about" in said


def test_a_dry_run_of_an_attack_looks_at_files_and_columns(table: Path) -> None:
    args = ("attack", "people.csv", "--truth", "people.csv", "--dry-run", "--private")
    assert "nothing was done" in ran(*args, "s", where=table)
    assert json.loads(ran(*args, "s", "--json", where=table))["releases"]["people.csv"]["rows"] == 80
    assert run(*args, "salary", where=table).returncode == 2


def test_doctor(tmp_path: Path) -> None:
    told = json.loads(ran("doctor", "--json", where=tmp_path))
    assert told["schema"] == "discreet/doctor/1"
    assert told["versions"]["discreet"] == __version__
    assert "secret keys lie in" in ran("doctor", where=tmp_path)


def test_completion_knows_the_commands(tmp_path: Path) -> None:
    env = {"_DISCREET_COMPLETE": "complete_bash", "COMP_WORDS": "discreet ", "COMP_CWORD": "1"}
    said = run(where=tmp_path, **env).stdout.split()
    assert set(COMMANDS) <= set(said)


def test_a_terminal_without_unicode(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(DISCREET), "doctor"], cwd=tmp_path, capture_output=True, check=False,
        env={"PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_name_that_says_no_kind_is_refused_before_any_work(table: Path) -> None:
    slip = run("audit", "people.csv", "--private", "s", "--report", "told.doc", where=table)
    assert slip.returncode == 2
    assert "told.doc" in slip.stderr
