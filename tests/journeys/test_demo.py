"""The first five minutes of a stranger: the command, its help, its output for eyes and for programs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from discreet import __version__

DISCREET = Path(sys.executable).with_name("discreet")


def run(*args, where, width="100"):
    """The command in an empty folder, as a stranger would run it."""
    env = {**os.environ, "COLUMNS": width, "NO_COLOR": "1"}
    return subprocess.run(
        [str(DISCREET), *args], cwd=where, env=env, capture_output=True, encoding="utf-8", check=False
    )


def test_demo_tells_what_leaks_and_what_follows(tmp_path):
    ran = run("demo", where=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    out = " ".join(ran.stdout.split())
    assert "From `party` alone an attacker guesses `vote` right 90 times in 100 (58 without it)." in out
    assert "I(S;Y) = 0.4031 nats (exact, of this table, n = 944)" in out
    assert "δ(ε) [eps=1]" in out
    assert "by theorem, of the channel" in out
    assert "says nothing yet about other people" in out
    assert list(tmp_path.iterdir()) == []


def test_demo_for_programs(tmp_path):
    ran = run("demo", "--json", where=tmp_path)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["schema"] == "discreet/demo/1"
    assert told["guess"]["value"] == pytest.approx(854 / 944)
    assert told["guess"]["baseline"] == pytest.approx(551 / 944)
    party = told["columns"]["party"]["mutual_information"]
    assert party.pop("value") == pytest.approx(0.403136, abs=1e-6)
    assert party == {"unit": "nats", "side": "exact", "law": "this table", "interval": None}
    # what is released instead tells less
    itself, coarse, funnel, silent = told["releases"].values()
    assert itself["mutual_information"]["value"] == pytest.approx(0.403136, abs=1e-6)
    assert coarse["mutual_information"]["value"] < 0.25 * 0.403136
    assert coarse["guessing_probability"]["value"] < 0.71
    assert funnel["kept"]["value"] == pytest.approx(0.75 * itself["kept"]["value"], abs=1e-6)
    assert funnel["mutual_information"]["value"] < 0.25 * 0.403136
    assert silent["mutual_information"]["value"] == pytest.approx(0, abs=1e-9)
    assert silent["kept"]["value"] > coarse["kept"]["value"]
    assert len(told["guarantees"]) == 3


def test_help_shows_an_example_and_a_slip_is_a_usage_error(tmp_path):
    assert "discreet demo" in run("demo", "--help", where=tmp_path).stdout
    assert "Example" in run("demo", "--help", where=tmp_path).stdout
    assert run("--version", where=tmp_path).stdout.strip() == f"discreet {__version__}"
    slip = run("dmeo", where=tmp_path)
    assert slip.returncode == 2
    assert "demo" in slip.stderr
    assert run("demo", "--no-such-option", where=tmp_path).returncode == 2


def test_a_narrow_terminal_and_a_pipe_without_unicode(tmp_path):
    assert run("demo", where=tmp_path, width="40").returncode == 0
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ran = subprocess.run([str(DISCREET), "demo"], cwd=tmp_path, env=env, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
