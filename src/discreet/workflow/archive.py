"""A policy as one file: an uncompressed zip of three parts, with one form only for one content.

Nothing is unpacked to disk. A file is read whole, its parts are taken out, and the archive that they make is compared
with the file byte by byte: an additional entry, a path, a compressed part, a comment, a byte behind the end are all
refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from discreet.core.errors import PolicyError

LIMITS = {"policy.json": 64 << 20, "weights.safetensors": 1 << 30, "manifest.json": 4 << 10}
"""The parts, in their order, and the most bytes that each may have."""

FORMAT = "discreet/policy-archive/1"


class Parts(NamedTuple):
    """What a policy file holds, and the digest that stands for all of it."""

    policy: bytes
    weights: bytes
    digest: str


def canonical(value: Any) -> bytes:
    """JSON in its one form: sorted names, no spaces, UTF-8, no NaN."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def manifest(policy: bytes, weights: bytes) -> bytes:
    """The digests of the parts."""
    digests = {"policy.json": policy, "weights.safetensors": weights}
    return canonical(
        {
            "format": FORMAT,
            "sha256": {name: hashlib.sha256(held).hexdigest() for name, held in digests.items()},
        }
    )


def digest_of(policy: bytes, weights: bytes) -> str:
    """The digest of the manifest, which stands for the whole policy. It is no signature: it says which, not whose."""
    return hashlib.sha256(manifest(policy, weights)).hexdigest()


def packed(policy: bytes, weights: bytes) -> bytes:
    """The archive."""
    out = io.BytesIO()
    held = {"policy.json": policy, "weights.safetensors": weights, "manifest.json": manifest(policy, weights)}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, part in held.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, part)
    return out.getvalue()


def unpacked(held: bytes, name: str = "the policy") -> Parts:
    """The parts of an archive, if it is one that `packed` makes, to the last byte."""
    parts = _parts(held, name)
    policy, weights = parts["policy.json"], parts["weights.safetensors"]
    if parts["manifest.json"] != manifest(policy, weights):
        raise PolicyError(
            f"{name}: parts with the digests that its manifest states",
            "a part or the manifest was changed",
            "get the file again from whoever made it",
        )
    if packed(policy, weights) != held:
        raise _no_policy(name, "an archive with something more or something other in it")
    return Parts(policy, weights, digest_of(policy, weights))


def read(path: Path) -> Parts:
    """The parts of a policy file."""
    most = sum(LIMITS.values()) + (1 << 16)
    try:
        size = path.stat().st_size
        if size > most:
            raise _no_policy(path.name, f"{size:,} bytes, more than any policy has")
        return unpacked(path.read_bytes(), path.name)
    except OSError as error:
        raise PolicyError(
            f"a policy file: {path}", error.strerror or "it cannot be read", "give the file that design made"
        ) from error


def _parts(held: bytes, name: str) -> Mapping[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(held)) as archive:
            entries = archive.infolist()
            if [entry.filename for entry in entries] != list(LIMITS):
                raise _no_policy(name, f"{len(entries)} entries that are not exactly {', '.join(LIMITS)}")
            for entry in entries:
                whole = entry.compress_type == zipfile.ZIP_STORED and entry.file_size == entry.compress_size
                if not whole or entry.file_size > min(LIMITS[entry.filename], len(held)):
                    raise _no_policy(name, f"a part {entry.filename} that is packed or too large")
            return {entry.filename: archive.read(entry) for entry in entries}
    except (
        zipfile.BadZipFile,
        ValueError,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OverflowError,
    ) as error:
        if isinstance(error, PolicyError):
            raise
        raise _no_policy(name, f"a broken archive ({type(error).__name__})") from error


def _no_policy(name: str, found: str) -> PolicyError:
    return PolicyError(
        f"{name}: a policy file", found, "give the file that `discreet design` made, unchanged"
    )
