"""Releases that go wrong on the way: a clear error, and nothing half-written under the final name."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.core.errors import DiscreetError, SecretKeyError, SourceError
from discreet.tables import safe
from discreet.tables.keystream import Key
from discreet.workflow.apply import applied
from discreet.workflow.design import design
from discreet.workflow.policy import Policy

KEY, ROWS = Key.of_seed(4), 6000
FORMS = ("out.parquet", "out.csv", "out.csv.gz", "out.csv.zst", "out.tsv", "out.arrows")


def people(n: int = ROWS, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    s = rng.integers(0, 2, n)
    return pa.table(
        {
            "s": pa.array(np.where(s, "yes", "no")),
            "x": pa.array(rng.integers(0, 8, n) + s),
            "word": pa.array(rng.choice(["a", "b"], n)),
            "id": pa.array(range(n)),
        }
    )


@pytest.fixture(scope="module")
def policy() -> Policy:
    rng = np.random.default_rng(0)
    return design(
        people(), private="s", public=["x", "word"], leak=0.05, mechanism="randomised_response", rng=rng
    )


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of several blocks; keys lie in the test's own folder."""
    monkeypatch.setenv("DISCREET_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("discreet.tables.mapping.MOST_ROWS", 1 << 10)
    pq.write_table(people(), tmp_path / "in.parquet", row_group_size=900)
    return tmp_path / "in.parquet"


def hidden(folder: Path) -> list[str]:
    return [p.name for p in folder.iterdir() if p.name.startswith(".discreet-")]


@pytest.mark.parametrize("name", FORMS)
def test_interrupted_it_goes_on(policy: Policy, rows: Path, tmp_path: Path, name: str) -> None:
    def interrupt(done: int) -> None:
        if done >= ROWS // 2:
            raise KeyboardInterrupt

    target, whole = tmp_path / name, tmp_path / f"whole-{name}"
    policy.apply(rows, whole, key=KEY)
    with pytest.raises(KeyboardInterrupt):
        applied(policy, rows, target, key=KEY, progress=interrupt)
    assert not target.exists()
    assert len(hidden(tmp_path)) == 2
    told = applied(policy, rows, target, key=KEY, resume=True)
    assert (told.rows, told.resumed > 0) == (ROWS, True)
    assert target.read_bytes() == whole.read_bytes()
    assert hidden(tmp_path) == []


def test_to_resume_with_nothing_to_go_on_from_is_to_start(policy: Policy, rows: Path, tmp_path: Path) -> None:
    assert applied(policy, rows, tmp_path / "out.parquet", key=KEY, resume=True).rows == ROWS


def test_to_resume_under_another_key_or_with_other_rows(policy: Policy, rows: Path, tmp_path: Path) -> None:
    def interrupt(done: int) -> None:
        if done >= ROWS // 2:
            raise KeyboardInterrupt

    target = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        applied(policy, rows, target, key=KEY, progress=interrupt)
    pq.write_table(people(seed=1), rows)
    with pytest.raises(SourceError, match="other rows"):
        applied(policy, rows, target, key=KEY, resume=True)
    assert not target.exists()
    told = applied(policy, rows, target, key=Key.of_seed(5), resume=True)
    assert told.resumed == 0


def test_rows_that_change_while_they_are_read(policy: Policy, rows: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"

    def touch(done: int) -> None:
        os.utime(rows, (done, done))

    with pytest.raises(SourceError, match="changed meanwhile"):
        applied(policy, rows, target, key=KEY, progress=touch)
    assert not target.exists()
    assert hidden(tmp_path) == []


def test_a_file_that_joins_a_folder_while_it_is_read(policy: Policy, rows: Path, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for k in range(3):
        shutil.copy(rows, folder / f"{k}.parquet")

    def join(done: int) -> None:
        shutil.copy(rows, folder / "late.parquet")

    with pytest.raises(SourceError, match="changed meanwhile"):
        applied(policy, folder, tmp_path / "out.parquet", key=KEY, progress=join)
    assert not (tmp_path / "out.parquet").exists()


def test_onto_its_own_input(policy: Policy, rows: Path, tmp_path: Path) -> None:
    before = rows.read_bytes()
    (tmp_path / "soft.parquet").symlink_to(rows)
    for target in (rows, tmp_path / "soft.parquet"):
        with pytest.raises(SourceError, match="write under another name"):
            policy.apply(rows, target, key=KEY)
    assert rows.read_bytes() == before
    folder = tmp_path / "many"
    folder.mkdir()
    shutil.copy(rows, folder / "0.parquet")
    with pytest.raises(SourceError, match="write under another name"):
        policy.apply(folder, folder / "0.parquet", key=KEY)
    with pytest.raises(SourceError, match="another folder"):
        policy.apply(folder, folder / "new.parquet", key=KEY)
    assert (folder / "0.parquet").read_bytes() == before


@pytest.mark.parametrize("when", ["begin", "middle", "end"])
def test_a_full_disk(
    policy: Policy, rows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    import errno

    target, calls, real = tmp_path / "out.parquet", [], safe._synced
    monkeypatch.setattr(safe, "SYNC_SECONDS", 0.0)
    policy.apply(rows, tmp_path / "whole.parquet", key=KEY)

    def count(file: Any) -> None:
        calls.append(1)
        real(file)

    monkeypatch.setattr(safe, "_synced", count)
    policy.apply(rows, tmp_path / "counted.parquet", key=KEY)
    last = {"begin": 3, "middle": len(calls) // 2, "end": len(calls)}[when]

    def full(file: Any) -> None:
        calls.append(1)
        if len(calls) >= last:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(file)

    calls.clear()
    monkeypatch.setattr(safe, "_synced", full)
    with pytest.raises(SourceError, match="disk is full"):
        policy.apply(rows, target, key=KEY)
    assert not target.exists()
    monkeypatch.setattr(safe, "_synced", real)
    policy.apply(rows, target, key=KEY, resume=True)
    assert target.read_bytes() == (tmp_path / "whole.parquet").read_bytes()


@pytest.fixture
def tiny() -> Iterator[Path]:
    """A real file system with room for a few kilobytes, where one can be had."""
    folder = Path("/tmp") / f"discreet-tiny-{os.getpid()}"
    folder.mkdir()
    mount = shutil.which("mount")
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if not made or made.returncode:
        folder.rmdir()
        pytest.skip("no right to mount a small file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
    folder.rmdir()


def test_a_disk_that_is_really_full(policy: Policy, rows: Path, tiny: Path) -> None:
    with pytest.raises(SourceError, match="disk is full"):
        policy.apply(rows, tiny / "out.csv", key=KEY)
    assert not (tiny / "out.csv").exists()


def refused_to(user: int, target: Path) -> bool:
    """Whether a process of this user is told that it may not write there."""
    child = os.fork()
    if not child:
        try:
            os.setuid(user)
            safe.write_whole(target, b"")
        except SourceError as refused:
            os._exit(0 if "may not be written to" in str(refused) else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(os.name != "posix", reason="needs another user's rights")
def test_a_folder_that_may_not_be_written_to(policy: Policy, rows: Path, tmp_path: Path) -> None:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    (tmp_path / "closed").mkdir(mode=0o000)
    try:
        for place in (folder, tmp_path / "closed"):
            if os.geteuid() == 0:
                assert refused_to(65534, place / "out.parquet")
            else:
                with pytest.raises(SourceError, match="may not be written to"):
                    policy.apply(rows, place / "out.parquet", key=KEY)
        assert list(folder.iterdir()) == []
    finally:
        shutil.rmtree(folder)
        (tmp_path / "closed").chmod(0o700)


def test_two_inputs_under_one_key_by_position(policy: Policy, rows: Path, tmp_path: Path) -> None:
    policy.apply(rows, tmp_path / "a.parquet", key=tmp_path / "secret.key")
    pq.write_table(people(seed=9), tmp_path / "other.parquet")
    with pytest.raises(SecretKeyError, match="share their noise"):
        policy.apply(tmp_path / "other.parquet", tmp_path / "b.parquet", key=tmp_path / "secret.key")
    assert not (tmp_path / "b.parquet").exists()
    policy.apply(tmp_path / "other.parquet", tmp_path / "b.parquet", key=tmp_path / "secret.key", id="id")


def test_the_same_rows_in_other_files_are_the_same_input(policy: Policy, rows: Path, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for k in range(6):
        pq.write_table(people().slice(k * 1000, 1000), folder / f"{k}.parquet")
    policy.apply(rows, tmp_path / "a.parquet", key=tmp_path / "secret.key")
    policy.apply(folder, tmp_path / "b.parquet", key=tmp_path / "secret.key")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


@pytest.mark.parametrize("id", ["missing", "fraction"])
def test_records_without_an_id(policy: Policy, tmp_path: Path, id: str) -> None:  # noqa: A002
    ids = {"missing": pa.array([None] + [1] * 9), "fraction": pa.array([0.5] * 10)}[id]
    table = people(10).set_column(3, "id", ids)
    with pytest.raises(DiscreetError, match="id"):
        policy.apply(table, tmp_path / "out.parquet", key=KEY, id="id")
    assert not (tmp_path / "out.parquet").exists()


def test_no_rows_are_released_as_none(policy: Policy, tmp_path: Path) -> None:
    for name in FORMS:
        policy.apply(people(0), tmp_path / name, key=KEY)
        assert (tmp_path / name).exists()
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


def test_values_never_seen_are_counted_and_released_as_known_ones(policy: Policy, tmp_path: Path) -> None:
    table = people(100).set_column(2, "word", pa.array(["a", "never"] * 50))
    told = applied(policy, table, key=KEY)
    assert told.surprises == {"word": 50}
    assert set(told.out["word"].to_pylist()) == {"a", "b"}


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_control_c_is_safe(policy: Policy, rows: Path, tmp_path: Path) -> None:
    policy.save(tmp_path / "a.policy")
    program = """
import sys, time
from discreet.tables import mapping
mapping.MOST_ROWS = 1 << 10
from discreet.workflow.apply import applied
from discreet.workflow.policy import load
from discreet.tables.keystream import Key
def slowly(rows):
    print(rows, flush=True)
    time.sleep(0.5)
applied(load(sys.argv[1]), sys.argv[2], sys.argv[3], key=Key.of_seed(4), progress=slowly)
"""
    target = tmp_path / "out.parquet"
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "a.policy"), str(rows), str(target)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) != 0
    process.stdout.close()
    assert not target.exists()
    assert applied(policy, rows, target, key=KEY, resume=True).resumed > 0
    policy.apply(rows, tmp_path / "whole.parquet", key=KEY)
    assert target.read_bytes() == (tmp_path / "whole.parquet").read_bytes()
