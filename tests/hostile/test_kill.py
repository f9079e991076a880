"""A release killed at a hundred random moments: never a part of a file under its name, and it goes on to a good end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.tables.keystream import Key
from discreet.workflow.design import design

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="kills with a signal, from a fork"),
]

KILLS, ROWS, BLOCK = 100, 30_000, 1 << 10
"""Thirty blocks: there is much to be interrupted."""

PROGRAM = """
import os, sys, time
from discreet.tables import mapping, safe
mapping.MOST_ROWS = {block}
safe.SYNC_SECONDS = 0.0
from discreet.tables.keystream import Key
from discreet.workflow.apply import applied
from discreet.workflow.policy import load
import discreet.tables.source, discreet.tables.parts, pyarrow.parquet
policy = load(sys.argv[1])
policy.kernel
for line in sys.stdin:  # each line a release, in a child that is to be killed after so many seconds
    target, seconds = line.split("\\t")
    child = os.fork()
    if not child:
        applied(policy, sys.argv[2], target, key=Key.of_seed(1), resume=True)
        os._exit(0)
    end, ended = time.monotonic() + float(seconds), (0, 0)
    while not ended[0] and time.monotonic() < end:
        time.sleep(0.001)
        ended = os.waitpid(child, os.WNOHANG)
    if not ended[0]:
        os.kill(child, 9)
        ended = os.waitpid(child, 0)
    print(ended[1], flush=True)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy and the rows to release."""
    folder = tmp_path_factory.mktemp("kill")
    rng = np.random.default_rng(0)
    s = rng.integers(0, 2, ROWS)
    table = pa.table(
        {
            "secret": pa.array(np.where(s, "yes", "no")),
            "number": pa.array(rng.normal(40 + 5 * s, 10).round().astype(np.int32)),
            "word": pa.array(rng.choice(["a", "b", "c"], ROWS)),
        }
    )
    pq.write_table(table, folder / "in.parquet")
    made = design(
        folder / "in.parquet", private="secret", leak=0.01, mechanism="randomised_response", rng=rng
    )
    made.save(folder / "a.policy")
    return folder


class Killer:
    """Runs releases in children of a process that has everything loaded, and kills them."""

    def __init__(self, place: Path) -> None:
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                PROGRAM.format(block=BLOCK),
                str(place / "a.policy"),
                str(place / "in.parquet"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def kill(self, target: Path, seconds: float) -> int:
        """How the child ended: by the signal, or well, if it was quicker."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{target}\t{seconds}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        assert self._process.wait(60) == 0


def whole(path: Path, wanted: bytes) -> bool:
    """Whether nothing stands under the name, or all of it."""
    return not path.exists() or path.read_bytes() == wanted


@pytest.mark.parametrize("name", ["out.parquet", "out.csv.gz", "out.arrows"])
def test_a_release_that_is_killed_is_never_half_there_and_goes_on(
    place: Path, tmp_path: Path, name: str
) -> None:
    from discreet.tables import mapping, safe
    from discreet.workflow.policy import load

    wanted_at = tmp_path / f"wanted-{name}"
    before = mapping.MOST_ROWS, safe.SYNC_SECONDS
    mapping.MOST_ROWS, safe.SYNC_SECONDS = BLOCK, 0.0
    try:
        start = time.monotonic()
        load(place / "a.policy").apply(place / "in.parquet", wanted_at, key=Key.of_seed(1))
        took = time.monotonic() - start
    finally:
        mapping.MOST_ROWS, safe.SYNC_SECONDS = before
    wanted = wanted_at.read_bytes()
    rng = np.random.default_rng(len(name))
    killer = Killer(place)
    killed = resumed = 0
    target = tmp_path / name
    for _ in range(-(-KILLS // 3)):
        ended = killer.kill(target, float(rng.uniform(0, took / 2)))
        killed += os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL
        assert whole(target, wanted)
        resumed += any(tmp_path.glob(".discreet-*.journal"))
        target.unlink(missing_ok=True)
    assert killer.kill(target, 60) == 0
    killer.close()
    assert target.read_bytes() == wanted
    assert [p.name for p in tmp_path.glob(".discreet-*")] == []
    assert killed >= 10
    assert resumed >= 5


def test_without_resume_a_killed_release_starts_anew(place: Path, tmp_path: Path) -> None:
    from discreet.workflow.policy import load

    killer = Killer(place)
    target = tmp_path / "out.parquet"
    killer.kill(target, 0.05)
    killer.close()
    made = load(place / "a.policy")
    made.apply(place / "in.parquet", target, key=Key.of_seed(1))
    made.apply(place / "in.parquet", tmp_path / "other.parquet", key=Key.of_seed(1))
    assert target.read_bytes() == (tmp_path / "other.parquet").read_bytes()
