"""Where secret keys lie, and which rows each of them serves.

A key file holds the secret, then one line for each policy that used it by position: the fingerprint of the rows that it
served, itself keyed, so that it tells nothing about them. Lines are only ever appended and the first one for a policy
holds, so that two programs at once cannot both win. Files are owner-only and made whole or not at all.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import SecretKeyError
from discreet.tables.keystream import Key

FIRST_LINE = re.compile(r"discreet secret key 1: ([0-9a-f]{64})")
BOUND_LINE = re.compile(r"policy ([0-9a-f]{64}) by position: ([0-9a-f]{64}) of (\d{1,15}) rows")
LARGEST_FILE = 1 << 20
OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class KeyFile:
    """A key and the file that it lies in."""

    path: Path
    key: Key

    @classmethod
    def at(cls, path: Path) -> KeyFile:
        """The key in this file; a new one, made atomically, where there is no file yet."""
        if not path.exists():
            _make(path)
        return cls(path, Key(_secret_in(path)))

    @classmethod
    def of_policy(cls, digest: str) -> KeyFile:
        """The key of a policy, in the user's own state folder: the same at every release, never beside the policy."""
        return cls.at(state_folder() / "keys" / f"{digest}.key")

    def bind(self, digest: str, fingerprint: str, rows: int) -> None:
        """Let the key serve these rows under this policy by position, and no others, from now on."""
        line = f"policy {digest} by position: {fingerprint} of {rows} rows"
        bound = self.bound(digest)
        if bound is None:
            with self.path.open("ab") as file:
                file.write(f"\n{line}\n".encode())
                file.flush()
                os.fsync(file.fileno())
            bound = self.bound(digest)
        if bound != (fingerprint, rows):
            raise SecretKeyError(
                "the rows that this key has served under this policy before",
                f"other rows ({rows:,} now, {bound[1]:,} then)"
                if bound
                else "a key file that does not keep what is written",
                "two inputs under one key would share their noise: address records by an id column, "
                "or give a new key: --key NEW-FILE",
            )

    def bound(self, digest: str) -> tuple[str, int] | None:
        """The fingerprint and the number of the rows that it serves under this policy."""
        for line in _read(self.path).splitlines():
            found = BOUND_LINE.fullmatch(line)
            if found and found[1] == digest:
                return found[2], int(found[3])
        return None


class Fingerprint:
    """What a channel reads of some rows, told apart from any other rows by whoever holds the key and by nobody else.

    It is taken of blocks of rows at fixed places, so that the same rows cut into other files have the same one.
    """

    __slots__ = ("_digest", "_secret")

    def __init__(self, key: Key, digest: str) -> None:
        self._secret, self._digest = key.derived("fingerprint", digest), digest

    def of_block(self, read: Sequence[NDArray[Any]]) -> str:
        """The fingerprint of one block: of the arrays that the channel reads of its rows."""
        held = hashlib.blake2b(key=self._secret, digest_size=32)
        for array in read:
            held.update(f"{array.shape}{array.dtype.str};".encode())
            held.update(np.ascontiguousarray(array).view(np.uint8).data)
        return held.hexdigest()

    def of_all(self, blocks: Sequence[str]) -> str:
        """The fingerprint of all blocks in their order."""
        return hashlib.blake2b(" ".join(blocks).encode(), key=self._secret, digest_size=32).hexdigest()


def state_folder() -> Path:
    """Where keys lie: DISCREET_HOME, or the place that the system has for a user's state."""
    named = os.environ.get("DISCREET_HOME")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "discreet"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "discreet"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "discreet"


def _make(path: Path) -> None:
    """A new key under this name, unless somebody else was quicker: then theirs stays."""
    whole = f"discreet secret key 1: {Key.fresh().secret.hex()}\n"
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(whole.encode())
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(beside, path)
    except OSError as error:
        raise SecretKeyError(
            f"a place for the secret key: {path}",
            f"it cannot be written ({error.strerror})",
            "give one that can: --key FILE, or set DISCREET_HOME",
        ) from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def _secret_in(path: Path) -> bytes:
    _refuse_open(path)
    found = FIRST_LINE.fullmatch(_read(path).partition("\n")[0])
    if not found:
        raise SecretKeyError(
            f"a secret key in {path}",
            "a file that is none",
            "give the file that discreet made, or a name that does not exist yet",
        )
    return bytes.fromhex(found[1])


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_FILE).decode("ascii", "replace")
    except OSError as error:
        raise SecretKeyError(
            f"the secret key in {path}", f"it cannot be read ({error.strerror})", "give the file of the key"
        ) from error


def _refuse_open(path: Path) -> None:
    if os.name == "posix" and path.is_file() and path.stat().st_mode & OTHERS:
        raise SecretKeyError(
            f"a key file that only its owner can read: {path}",
            f"mode {path.stat().st_mode & 0o777:03o}",
            f"chmod 600 {path}; if others may have read it, use a new key",
        )
