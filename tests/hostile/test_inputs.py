"""Hundreds of hostile files: each is read or refused in plain words, none crashes, and memory stays bounded."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.hostile.inputs import Hostile, all_of_them

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads its memory from /proc"),
]

INPUTS = list(all_of_them())
MOST_MB = 1000
"""What any of them may make the reader hold, with all libraries loaded."""


def outcomes(paths: list[Path]) -> Iterator[dict[str, Any]]:
    """What came of each file; where the reader dies, that file has crashed it, and another goes on."""
    while paths:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("reading.py"))],
            input="\n".join(map(str, paths)),
            capture_output=True,
            text=True,
            check=False,
            timeout=400,
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        told = [line for line in lines if "path" in line]
        yield from told
        if len(told) == len(paths):
            return
        yield {"path": str(paths[len(told)]), "what": "crashed", "said": done.stderr[-500:], "peak": 0}
        paths = paths[len(told) + 1 :]


@pytest.fixture(scope="module")
def came_of(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("hostile")
    paths = []
    for k, one in enumerate(INPUTS):
        paths.append(folder / f"{k}.data")
        paths[-1].write_bytes(one.content())
    found = {Path(line["path"]).name: line for line in outcomes(paths)}
    for path in paths:
        path.unlink()
    return {one.name: found[f"{k}.data"] for k, one in enumerate(INPUTS)}


def test_there_are_hundreds_of_different_ones() -> None:
    assert len({one.name for one in INPUTS}) == len(INPUTS) >= 300


@pytest.mark.parametrize("one", INPUTS, ids=[one.name for one in INPUTS])
def test_it_is_read_or_refused_in_plain_words(one: Hostile, came_of: dict[str, dict[str, Any]]) -> None:
    told = came_of[one.name]
    assert told["what"] in ({"refused"} if one.refused else {"read", "refused"}), told["said"]
    assert told["said"].replace("\n", " ").isprintable()
    assert len(told["said"]) < 1500


def test_memory_is_bounded(came_of: dict[str, dict[str, Any]]) -> None:
    before = 0
    for name, told in came_of.items():
        assert told["peak"] < MOST_MB, f"{name}: {before} MB before, {told['peak']} MB after"
        before = told["peak"]
