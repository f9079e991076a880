"""Whole or not at all: drafts, journals, what is broken off and goes on."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.core.errors import SourceError
from discreet.tables import safe
from discreet.tables.safe import Draft, refuse_own_input, write_whole

HEAD, WHOLE = b"head\n", b"head\n" + b"".join(b"%d\n" % i for i in range(5)) + b"tail\n"


def write(target, *, upto=5, resume=False, identity="a"):
    draft = Draft.begun(target, HEAD, {"of": identity}, resume=resume)
    for i in range(len(draft.entries), upto):
        draft.add(b"%d\n" % i, 1, f"print{i}", "note")
        draft.sync()
    return draft


def others(folder):
    return sorted(p.name for p in folder.iterdir() if not p.name.startswith(".discreet-"))


def test_a_file_appears_whole_and_nothing_else_stays(tmp_path):
    target = tmp_path / "out"
    draft = write(target)
    assert others(tmp_path) == []
    assert draft.starts == [5, 7, 9, 11, 13]
    draft.publish(b"tail\n")
    assert target.read_bytes() == WHOLE
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    assert target.stat().st_mode & 0o777 == 0o666 & ~safe._umask()


def test_a_draft_is_for_its_owner_only(tmp_path):
    write(tmp_path / "out", upto=2).keep()
    assert {p.stat().st_mode & 0o777 for p in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize("upto", range(6))
def test_what_was_broken_off_goes_on(tmp_path, upto):
    target = tmp_path / "out"
    write(target, upto=upto).keep()
    draft = write(target, resume=True)
    draft.publish(b"tail\n")
    assert target.read_bytes() == WHOLE


def test_what_the_journal_does_not_vouch_for_is_cut_off(tmp_path):
    target = tmp_path / "out"
    draft = write(target, upto=3)
    draft.keep()
    with draft.partial.open("ab") as file:
        file.write(b"not known to the journal")
    with draft.journal.open("ab") as file:
        file.write(b'[1,"print3",99')
    again = Draft.begun(target, HEAD, {"of": "a"}, resume=True)
    assert [e.fingerprint for e in again.entries] == ["print0", "print1", "print2"]
    assert again.partial.read_bytes() == b"head\n0\n1\n2\n"
    again.discard()


def test_bytes_that_are_missing_are_not_vouched_for(tmp_path):
    target = tmp_path / "out"
    draft = write(target, upto=3)
    draft.keep()
    os.truncate(draft.partial, 10)
    again = Draft.begun(target, HEAD, {"of": "a"}, resume=True)
    assert len(again.entries) == 2
    again.discard()


@pytest.mark.parametrize("spoil", [b"", b"{}\n", b"nonsense\n", b'{"journal":1}\n[1,2,3,4]\n', b"\xff\xfe\n"])
def test_a_journal_of_something_else_starts_anew(tmp_path, spoil):
    target = tmp_path / "out"
    draft = write(target, upto=3)
    draft.keep()
    draft.journal.write_bytes(spoil)
    again = write(target, resume=True)
    again.publish(b"tail\n")
    assert target.read_bytes() == WHOLE


def test_another_release_is_not_gone_on_with(tmp_path):
    write(tmp_path / "out", upto=3).keep()
    again = Draft.begun(tmp_path / "out", HEAD, {"of": "b"}, resume=True)
    assert again.entries == []
    again.discard()
    assert list(tmp_path.iterdir()) == []


def test_without_resume_it_starts_anew(tmp_path):
    write(tmp_path / "out", upto=3).keep()
    again = Draft.begun(tmp_path / "out", HEAD, {"of": "a"}, resume=False)
    assert again.entries == []
    again.discard()


def test_two_runs_at_once_are_refused(tmp_path):
    first = write(tmp_path / "out", upto=2)
    with pytest.raises(SourceError, match="another run is writing"):
        Draft.begun(tmp_path / "out", HEAD, {"of": "a"}, resume=True)
    first.publish(b"")
    assert (tmp_path / "out").read_bytes() == b"head\n0\n1\n"


def test_a_full_disk_leaves_nothing_under_the_name_and_can_go_on(tmp_path, monkeypatch):
    target = tmp_path / "out"
    draft = write(target, upto=2)

    def full(file):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(safe, "_synced", full)
    with pytest.raises(SourceError, match="disk is full"):
        draft.publish(b"tail\n")
    draft.discard()
    monkeypatch.undo()
    assert not target.exists()
    again = write(target, resume=True)
    again.publish(b"tail\n")
    assert target.read_bytes() == WHOLE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_device_that_is_full():
    with pytest.raises(OSError, match="space"), Path("/dev/full").open("wb", buffering=0) as file:
        file.write(b"x")
    assert "disk is full" in str(safe._said(OSError(errno.ENOSPC, ""), safe.Path("/x/y")))


def test_places_where_no_file_can_be(tmp_path):
    with pytest.raises(SourceError, match="mkdir -p"):
        write(tmp_path / "none" / "out")
    with pytest.raises(SourceError, match="a folder"):
        write(tmp_path)
    for number, said in (
        (errno.EACCES, "may not be written"),
        (errno.EROFS, "may not be written"),
        (errno.EIO, "see to"),
    ):
        assert said in str(safe._said(OSError(number, "x"), tmp_path / "out"))


def test_what_is_read_is_not_written(tmp_path):
    there, hard, soft = tmp_path / "in.csv", tmp_path / "hard.csv", tmp_path / "soft.csv"
    there.write_text("a")
    os.link(there, hard)
    soft.symlink_to(there)
    for target in (there, hard, soft, tmp_path / "." / "in.csv"):
        with pytest.raises(SourceError, match="write under another name"):
            refuse_own_input(target, (there,))
    refuse_own_input(tmp_path / "other.csv", (there,))


def test_a_link_in_the_place_of_the_draft_is_not_followed(tmp_path):
    draft = write(tmp_path / "out", upto=1)
    draft.discard()
    victim = tmp_path / "victim"
    victim.write_text("mine")
    draft.partial.symlink_to(victim)
    with pytest.raises(SourceError):
        write(tmp_path / "out")
    assert victim.read_text() == "mine"


def test_a_small_file_at_once(tmp_path):
    assert write_whole(tmp_path / "small", b"held").read_bytes() == b"held"
    assert write_whole(tmp_path / "small", b"again").read_bytes() == b"again"


def test_the_lock_goes_with_the_process(tmp_path):
    program = f"""
import os, pathlib
from discreet.tables.safe import Draft
draft = Draft.begun(pathlib.Path({str(tmp_path / "out")!r}), b"head\\n", {{"of": "a"}}, resume=False)
draft.add(b"0\\n", 1, "print0", "note")
draft.sync()
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    again = write(tmp_path / "out", resume=True)
    assert len(again.entries) == 5
    again.publish(b"tail\n")
    assert (tmp_path / "out").read_bytes() == WHOLE
