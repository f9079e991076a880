"""Random words for a release, drawn from a secret key: the same record gets the same words, wherever it is released.

A stream is addressed, never consumed. By position, the j-th word of record i of the input is the i-th word of the j-th
AES-256 counter stream: the upper half of the counter is j, the lower half counts blocks of two words. By id,
a keyed AES-CBC-MAC of the record's id (its length first, so no id is the beginning of another) is the start of a
counter stream of the record's own. Both keys are derived from the secret key, the purpose and the digest of the
policy, so that two policies never share a word, and neither do the two kinds of address.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import ParameterError, SecretKeyError
from discreet.core.protocols import Words

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 16
"""Bytes that AES turns over at a time: two words."""

LONGEST_ID = 1 << 16
"""An id of more bytes is no id."""

TILE = 1 << 16
"""So many ids are worked on at a time."""

ZEROS = bytes(1 << 16)
"""What is encrypted to get a stream."""

Bytes: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, repr=False)
class Key:
    """A secret of 32 bytes. It shows itself to nobody; what is used is derived from it, purpose by purpose.

    `experimental` marks a key made from a published seed: good for experiments, and never for a release.
    """

    secret: bytes
    experimental: bool = False

    def __post_init__(self) -> None:
        if len(self.secret) != 32:
            raise SecretKeyError(
                "a secret key of 32 bytes", f"{len(self.secret)}", "let discreet make one: leave --key out"
            )

    @classmethod
    def fresh(cls) -> Key:
        """A new key from the operating system's entropy."""
        import secrets

        return cls(secrets.token_bytes(32))

    @classmethod
    def of_seed(cls, seed: int) -> Key:
        """A key for experiments. Who knows the seed can subtract the noise."""
        return cls(
            hashlib.blake2b(str(seed).encode(), digest_size=32, person=b"discreet seed").digest(), True
        )

    def derived(self, purpose: str, digest: str) -> bytes:
        """32 bytes for one purpose under one policy; they tell nothing about the key or about one another."""
        message = f"{purpose}\0{digest}".encode()
        return hashlib.blake2b(message, key=self.secret, digest_size=32, person=b"discreet v1").digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and hmac.compare_digest(self.secret, other.secret)

    def __hash__(self) -> int:
        return hash(self.derived("hash", ""))

    def __repr__(self) -> str:
        return "Key (for experiments, not for release)" if self.experimental else "Key (secret)"


class ByPosition:
    """The words of the records of one input, addressed by where a record stands in it.

    The words of one stream lie side by side in memory, column by column of what is returned.

    >>> stream = ByPosition(Key.of_seed(1), "digest")
    >>> whole, part = stream.words(0, 5, 3), stream.words(3, 2, 3)
    >>> bool((whole[3:] == part).all())
    True
    """

    __slots__ = ("_secret",)

    def __init__(self, key: Key, digest: str) -> None:
        self._secret = key.derived("position", digest)

    def words(self, first: int, n: int, each: int) -> Words:
        """words[n, each] of the records first … first + n. O(n · each)."""
        odd = first % 2
        made = np.empty((each, n + odd + 2), dtype="<u8")
        for j in range(each):
            self._fill(made[j], (j << 64) + first // 2, (n + odd) * 8)
        found: Words = made[:, odd : odd + n].T
        return found

    def _fill(self, made: NDArray[Any], counter: int, size: int) -> None:
        """The stream from this counter on; the last block of `made` is room for the cipher."""
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        mode = modes.CTR(counter.to_bytes(BLOCK, "big"))
        stream = Cipher(algorithms.AES(self._secret), mode).encryptor()
        room = made.data.cast("B")
        for start in range(0, size, len(ZEROS)):
            stream.update_into(ZEROS[: size - start], room[start:])


class ById:
    """The words of records addressed by their id: no order, no position, the same on a cluster and in a stream.

    The type of an id is part of it: 17 and "17" are two ids. A record without an id is refused.
    """

    __slots__ = ("_mac", "_stream")

    def __init__(self, key: Key, digest: str) -> None:
        self._mac = key.derived("id", digest)
        self._stream = key.derived("words of an id", digest)

    def words(self, ids: pa.Array, each: int) -> Words:
        """words[n, each] for these ids."""
        import pyarrow as pa

        if isinstance(ids, pa.DictionaryArray):
            _without_missing(ids)
            place = ids.indices.to_numpy(zero_copy_only=False).astype(np.int64)
            return self._drawn(self._tags(ids.dictionary)[place], each)
        return self._drawn(self._tags(ids), each)

    def _tags(self, ids: pa.Array) -> Bytes:
        """The CBC-MAC of every id, sixteen bytes each."""
        head, start, length, data = _messages(ids)
        return np.concatenate(
            [
                self._chained(head[i : i + TILE], start[i : i + TILE], length[i : i + TILE], data)
                for i in range(0, len(head), TILE)
            ]
            or [np.empty((0, BLOCK), dtype=np.uint8)]
        )

    def _chained(self, head: Bytes, start: NDArray[Any], length: NDArray[Any], data: Bytes) -> Bytes:
        state = _turned(self._mac, head)
        within = np.arange(BLOCK)
        for j in range(-(-int(length.max(initial=0)) // BLOCK)):
            live = np.flatnonzero(length > j * BLOCK)
            offset = j * BLOCK + within
            inside = offset < length[live, None]
            block = np.where(inside, data[np.where(inside, start[live, None] + offset, 0)], 0)
            state[live] = _turned(self._mac, state[live] ^ block.astype(np.uint8))
        return state

    def _drawn(self, tags: Bytes, each: int) -> Words:
        blocks = -(-each // 2)
        counted = np.repeat(tags[:, None, :], blocks, axis=1)
        counted.view("<u8")[..., 1] ^= np.arange(blocks, dtype=np.uint64)
        turned = _turned(self._stream, counted.reshape(-1, BLOCK))
        found: Words = turned.view("<u8").reshape(len(tags), 2 * blocks)[:, :each]
        return found


def _turned(secret: bytes, blocks: Bytes) -> Bytes:
    """AES of every block by itself: as a pseudo-random function of one block this is what the mode is good for."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    made = np.empty(blocks.size + BLOCK, dtype=np.uint8)
    one_block_each = Cipher(algorithms.AES(secret), modes.ECB()).encryptor()  # noqa: S305
    one_block_each.update_into(np.ascontiguousarray(blocks).reshape(-1).data, made.data)
    return made[: blocks.size].reshape(-1, BLOCK)


def _messages(ids: pa.Array) -> tuple[Bytes, NDArray[Any], NDArray[Any], Bytes]:
    """The first block of every id's message (its kind and its length or number), and where its bytes lie."""
    import pyarrow as pa

    _without_missing(ids)
    kind, plain = _plain(ids)
    head = np.zeros((len(ids), 2), dtype="<u8")
    head[:, 0] = ord(kind)
    if pa.types.is_integer(plain.type):
        values = plain.to_numpy(zero_copy_only=False)
        head[:, 0] += (values >= 2**63) if values.dtype.kind == "u" else 0
        head[:, 1] = values.view("<u8")
        nowhere = np.zeros(len(ids), dtype=np.int64)
        return head.view(np.uint8), nowhere, nowhere, np.zeros(1, dtype=np.uint8)
    _, bounds, data = plain.buffers()
    at = np.frombuffer(bounds, dtype=np.int64)[plain.offset : plain.offset + len(plain) + 1]
    length = np.diff(at)
    if length.max(initial=0) > LONGEST_ID:
        raise ParameterError(
            f"ids of at most {LONGEST_ID:,} bytes", f"one of {length.max():,}", "use another column as the id"
        )
    head[:, 1] = length
    held = np.frombuffer(data, dtype=np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
    return head.view(np.uint8), at[:-1], length, held


def _plain(ids: pa.Array) -> tuple[str, pa.Array]:
    """The ids as 64-bit integers or as bytes, and a letter for their kind."""
    import pyarrow as pa

    kind, is_a = ids.type, pa.types
    if is_a.is_integer(kind):
        return "i", ids if kind == pa.uint64() else ids.cast(pa.int64())
    if is_a.is_floating(kind):
        return "i", _whole(ids)
    if is_a.is_string(kind) or is_a.is_large_string(kind) or is_a.is_string_view(kind):
        return "s", ids.cast(pa.large_string()).cast(pa.large_binary())
    if is_a.is_binary(kind) or is_a.is_large_binary(kind) or is_a.is_fixed_size_binary(kind):
        return "b", ids.cast(pa.large_binary())
    if is_a.is_temporal(kind) or is_a.is_decimal(kind):
        return "t", ids.cast(pa.large_string()).cast(pa.large_binary())
    raise ParameterError(
        "an id column of whole numbers, text or dates", f"type {kind}", "use another column as the id"
    )


def _whole(ids: pa.Array) -> pa.Array:
    import pyarrow as pa

    values = ids.to_numpy(zero_copy_only=False)
    if not (np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) < 2**53)).all():
        raise ParameterError(
            "an id column of whole numbers, text or dates",
            "numbers with a fraction",
            "use another column as the id",
        )
    return pa.array(values.astype(np.int64))


def _without_missing(ids: pa.Array) -> None:
    if ids.null_count:
        raise ParameterError(
            "an id for every record",
            f"{ids.null_count:,} of {len(ids):,} records without",
            "give each an id, or address by position: leave the id out",
        )
