"""From a batch of rows to a batch of released rows: pure functions of the rows and of their random words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Codes, Words
from discreet.tables.alias import AliasTable
from discreet.tables.block import Block

if TYPE_CHECKING:
    import pyarrow as pa

Arrays: TypeAlias = tuple[NDArray[Any], ...]


class Read(NamedTuple):
    """All that the release of some rows depends on beside the words, and what had to be replaced."""

    arrays: Arrays
    surprises: dict[str, int]


class Part(Protocol):
    """Columns that are released together."""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        ...

    @property
    def words(self) -> int:
        """How many random words it takes for a row."""
        ...

    @property
    def secret(self) -> bool:
        """Whether it sees the secret."""
        ...

    def read(self, batch: pa.RecordBatch, s: Codes | None) -> tuple[NDArray[Any], dict[str, int]]:
        """What it needs to know of these rows, one entry a row."""
        ...

    def release(self, read: NDArray[Any], words: Words) -> list[pa.Array]:
        """The columns of the release."""
        ...


@dataclass(frozen=True)
class FinitePart:
    """A block of columns as one symbol, released as another symbol of the same block and decoded."""

    block: Block
    table: AliasTable
    secret: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the block."""
        return self.block.names

    @property
    def words(self) -> int:
        """One for the symbol, and those that a bin takes to become a number again."""
        return 1 + self.block.words

    def read(self, batch: pa.RecordBatch, s: Codes | None) -> tuple[NDArray[Any], dict[str, int]]:
        """The row of the channel for each record."""
        kind = np.min_scalar_type(max(self.table.first.size - 1, 0))
        if s is None or not self.secret:
            return self.block.encode(batch, kind)
        coded = self.block.encode(batch)
        return (s * self.block.size + coded.symbols).astype(kind, copy=False), coded.surprises

    def release(self, read: NDArray[Any], words: Words) -> list[pa.Array]:
        """A symbol drawn for each record, and the values that it stands for."""
        y = self.table.draw(read, np.ascontiguousarray(words[:, 0]))
        return self.block.decode(y, words[:, 1:], encoded=True)


@dataclass(frozen=True)
class LabelPart:
    """A block of columns as one symbol, released as generalised labels: "30 to 39", "any"."""

    block: Block
    table: AliasTable
    labels: tuple[tuple[str, ...], ...]
    secret: bool = False
    words = 1

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the block."""
        return self.block.names

    def read(self, batch: pa.RecordBatch, s: Codes | None) -> tuple[NDArray[Any], dict[str, int]]:
        """The row of the channel for each record."""
        return FinitePart(self.block, self.table, self.secret).read(batch, s)

    def release(self, read: NDArray[Any], words: Words) -> list[pa.Array]:
        """A symbol drawn for each record, and its label in each column."""
        import pyarrow as pa

        y = self.table.draw(read, np.ascontiguousarray(words[:, 0]))
        made = []
        for labels in self.labels:
            different = list(dict.fromkeys(labels))
            place = np.array([different.index(label) for label in labels], dtype=np.int32)
            made.append(pa.DictionaryArray.from_arrays(pa.array(place[y]), pa.array(different, pa.string())))
        return made


@dataclass(frozen=True)
class Kernel:
    """All parts of a release. `columns` are the released ones in their order, `types` what they are released as."""

    parts: tuple[Part, ...]
    columns: tuple[str, ...]
    types: tuple[pa.DataType, ...]
    secret: Block | None = None

    @property
    def words(self) -> int:
        """How many random words it takes for a row."""
        return sum(part.words for part in self.parts)

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns that have to be read."""
        names = [name for part in self.parts for name in part.names]
        if any(part.secret for part in self.parts) and self.secret is not None:
            names += self.secret.names
        return tuple(dict.fromkeys(names))

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns of the release."""
        import pyarrow as pa

        return pa.schema(list(zip(self.columns, self.types, strict=True)))

    def read(self, batch: pa.RecordBatch) -> Read:
        """What the release of these rows depends on."""
        surprises: dict[str, int] = {}
        s = None
        if self.secret is not None and any(part.secret for part in self.parts):
            coded = self.secret.encode(batch)
            s, surprises = coded.symbols, dict(coded.surprises)
        arrays = []
        for part in self.parts:
            array, strange = part.read(batch, s)
            arrays.append(array)
            surprises |= strange
        return Read(tuple(arrays), surprises)

    def release(self, arrays: Arrays, words: Words) -> pa.RecordBatch:
        """The released rows; text comes as dictionaries."""
        import pyarrow as pa

        made: dict[str, pa.Array] = {}
        used = 0
        for part, read in zip(self.parts, arrays, strict=True):
            released = part.release(read, words[:, used : used + part.words])
            made.update(zip(part.names, released, strict=True))
            used += part.words
        return pa.RecordBatch.from_arrays([made[name] for name in self.columns], names=list(self.columns))


def joined(reads: Sequence[Arrays]) -> Arrays:
    """What was read of several pieces, as if it had been one."""
    return reads[0] if len(reads) == 1 else tuple(np.concatenate(same) for same in zip(*reads, strict=True))
