"""The commands of the tutorial, in its order, in an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.journeys.command import run

TUTORIAL = Path(__file__).parents[2] / "docs" / "guides" / "tutorial.md"


def commands() -> list[list[str]]:
    """What stands in its shell blocks, line by line."""
    blocks = re.findall(r"```sh\n(.*?)```", TUTORIAL.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.strip().splitlines()]


@pytest.mark.slow
def test_every_command_of_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    said = {}
    for name, *args in commands():
        assert name == "discreet"
        done = run(*args, where=tmp_path)
        assert done.returncode == 0, f"{args}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        said[args[0]] = " ".join(done.stdout.split())
    assert "58 without the data" in said["demo"]
    assert "Most of it comes through `party` with `ideology`." in said["demo"]
    # the release draws from a fresh secret key: whether an attacker still gains a little is luck, and said either way
    assert re.search("guesses? `vote` (right|better from the release than)", said["attack"])
    assert "the best from the data untouched" in said["attack"]
    assert "agrees" in said["verify"]
    for written in (
        "audit.html",
        "audit.columns.toml",
        "out/certificate.html",
        "out/report.html",
        "again.csv",
    ):
        assert (tmp_path / written).stat().st_size > 100
    assert (tmp_path / "new.key").stat().st_mode & 0o077 == 0
