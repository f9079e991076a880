"""A file appears under its name whole or not at all, and what was broken off can go on.

The bytes lie beside the target, in a draft, with a journal of the blocks that are in it: each line is written after its
bytes have reached the disk. To go on, the draft is cut back to the last line that is whole.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from discreet.core.errors import SourceError

VERSION = 1
SYNC_SECONDS = 1.0
"""The journal is written when the last line is so old; at most so much work is done again."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A block of the draft: its rows, the fingerprint of what was read, where its bytes end, a note for the tail."""

    rows: int
    fingerprint: str
    end: int
    note: str


@dataclass(slots=True)
class Draft:
    """The bytes of a file that is not there yet, and its journal."""

    target: Path
    partial: Path
    journal: Path
    entries: list[Entry] = field(default_factory=list)
    head: int = 0
    _bytes: IO[bytes] | None = None
    _lines: IO[bytes] | None = None
    _waiting: list[Entry] = field(default_factory=list)
    _synced: float = 0.0
    _kept: bool = False

    @classmethod
    def begun(cls, target: Path, head: bytes, identity: Mapping[str, str], *, resume: bool) -> Draft:
        """A draft for this file: a new one, or to resume the one that was broken off, if it is of the same release."""
        target = target.absolute()
        check_place(target)
        tag = hashlib.sha256(target.name.encode()).hexdigest()[:16]
        made = cls(
            target, target.with_name(f".discreet-{tag}.partial"), target.with_name(f".discreet-{tag}.journal")
        )
        with made.guarded():
            made._lines = made._opened(made.journal)
            _lock(made._lines, target)
            made._bytes = made._opened(made.partial)
            first = {"journal": VERSION, "head": len(head), **identity}
            made.head = len(head)
            if not (resume and made._goes_on(first)):
                made._starts(first, head)
            made._synced = time.monotonic()
        return made

    @property
    def starts(self) -> list[int]:
        """Where the bytes of each block begin."""
        return [self.head, *(entry.end for entry in self.entries)][: len(self.entries)]

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return self.entries[-1].end if self.entries else self.head

    def add(self, part: bytes, rows: int, fingerprint: str, note: str) -> None:
        """Write the bytes of one more block."""
        with self.guarded():
            self._out.write(part)
            entry = Entry(rows, fingerprint, self.size + len(part), note)
            self.entries.append(entry)
            self._waiting.append(entry)
            if time.monotonic() - self._synced > SYNC_SECONDS:
                self.sync()

    def sync(self) -> None:
        """Let everything so far reach the disk, then say so in the journal."""
        _synced(self._out)
        lines = "".join(
            json.dumps([e.rows, e.fingerprint, e.end, e.note], separators=(",", ":")) + "\n"
            for e in self._waiting
        )
        if self._lines is not None:
            self._lines.write(lines.encode())
            _synced(self._lines)
        self._waiting, self._synced = [], time.monotonic()

    def publish(self, tail: bytes, *, owner_only: bool = False) -> Path:
        """Write the end, and give the file its name; others may read it where the user's files are theirs to read."""
        with self.guarded():
            self.sync()
            self._out.write(tail)
            _synced(self._out)
            self._close()
            if os.name == "posix" and not owner_only:
                self.partial.chmod(0o666 & ~_umask())
            self.partial.replace(self.target)
            _sync_folder(self.target.parent)
            self.journal.unlink(missing_ok=True)
        return self.target

    def discard(self) -> None:
        """Leave nothing behind, unless it was kept."""
        self._close()
        if self._kept:
            return
        for path in (self.partial, self.journal):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def keep(self) -> None:
        """Stop here; `resume` goes on from this point."""
        self._kept = True
        with contextlib.suppress(OSError, SourceError):
            self.sync()
        self._close()

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """Whatever the disk refuses is said in plain words."""
        try:
            yield
        except OSError as error:
            self.keep()
            raise _said(error, self.target) from error

    @property
    def _out(self) -> IO[bytes]:
        if self._bytes is None:
            raise SourceError(
                f"a draft of {self.target} that is open", "one that was closed", "begin it again"
            )
        return self._bytes

    def _opened(self, path: Path) -> IO[bytes]:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        return os.fdopen(os.open(path, flags, 0o600), "r+b")

    def _starts(self, first: Mapping[str, Any], head: bytes) -> None:
        for file in (self._bytes, self._lines):
            if file is not None:
                file.seek(0)
                file.truncate()
        self._out.write(head)
        _synced(self._out)
        if self._lines is not None:
            self._lines.write((json.dumps(first, sort_keys=True) + "\n").encode())
            _synced(self._lines)

    def _goes_on(self, first: Mapping[str, Any]) -> bool:
        """Whether the journal is of this very release; then the draft is cut back to what the journal vouches for."""
        if self._lines is None:
            return False
        lines = self._lines.read().split(b"\n")[:-1]
        if not lines or _parsed(lines[0]) != dict(first):
            return False
        size, good = os.fstat(self._out.fileno()).st_size, len(lines[0]) + 1
        if size < self.head:
            return False
        for line in lines[1:]:
            entry = _entry(line, self.size, size)
            if entry is None:
                break
            self.entries.append(entry)
            good += len(line) + 1
        self._lines.seek(good)
        self._lines.truncate()
        self._out.seek(self.size)
        self._out.truncate()
        return True

    def _close(self) -> None:
        for file in (self._bytes, self._lines):
            if file is not None:
                with contextlib.suppress(OSError):
                    file.close()
        self._bytes = self._lines = None


def refuse_own_input(target: Path, inputs: tuple[Path, ...], what: str = "the records that are read") -> None:
    """Refuse to write onto what is being read, also under another name."""
    for path in inputs:
        same = target.exists() and path.exists() and target.samefile(path)
        if same or target.absolute() == path.absolute():
            raise SourceError(
                f"a file to write that is not {what}",
                f"{target} for both",
                "write under another name, then rename it",
            )


def check_place(target: Path) -> None:
    """Refuse a name that no file can have: that of a folder, or one in a folder that does not exist."""
    try:
        folder, within = target.is_dir(), target.parent.is_dir()
    except OSError as error:
        raise _said(error, target) from error
    if folder:
        raise SourceError(
            f"the name of a file to write: {target}", "a folder", f"write to {target / 'release.parquet'}"
        )
    if not within:
        raise SourceError(
            f"a folder to write {target.name} into",
            f"{target.parent} does not exist",
            f"mkdir -p {target.parent}",
        )


def _said(error: OSError, target: Path) -> SourceError:
    asked = f"room to write {target}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return SourceError(
            asked, "the disk is full; nothing stands under that name", "make room, then go on with --resume"
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return SourceError(asked, f"{target.parent} may not be written to", "write into a folder of your own")
    if error.errno == errno.EWOULDBLOCK:
        return SourceError(asked, "another run is writing it", "wait for it, or write under another name")
    return SourceError(asked, f"{error.strerror or error}", "see to the disk, then go on with --resume")


def _lock(file: IO[bytes], target: Path) -> None:
    """One run at a time; the lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise _said(OSError(errno.EWOULDBLOCK, "locked"), target) from error


def _synced(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _umask() -> int:
    found = os.umask(0o077)
    os.umask(found)
    return found


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _entry(line: bytes, after: int, size: int) -> Entry | None:
    """The entry of a line, if it is one, follows the last and lies within the draft."""
    found = _parsed(line)
    if not (isinstance(found, list) and [type(v) for v in found] == [int, str, int, str]):
        return None
    entry = Entry(*found)
    return entry if entry.rows > 0 and after < entry.end <= size else None


def write_whole(target: Path, held: bytes, *, owner_only: bool = False) -> Path:
    """A small file under this name, whole or not at all."""
    draft = Draft.begun(target, held, {}, resume=False)
    return draft.publish(b"", owner_only=owner_only)
