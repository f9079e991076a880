"""A kernel over the rows of a source, in blocks of rows at fixed places, however the rows were cut into batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discreet.core.errors import SourceError
from discreet.core.protocols import Words
from discreet.tables.kernels import Arrays, Kernel, joined
from discreet.tables.keystream import ById, ByPosition

if TYPE_CHECKING:
    import pyarrow as pa

MOST_ROWS, LEAST_ROWS, CELLS = 1 << 20, 1 << 10, 1 << 22


@dataclass(frozen=True, slots=True)
class Address:
    """Where a record's random words lie: by its position, or by the id in a column."""

    stream: ByPosition | ById
    column: str | None = None

    def ids(self, batch: pa.RecordBatch) -> pa.Array | None:
        """The ids of these rows, where they are needed."""
        return None if self.column is None else batch.column(batch.schema.get_field_index(self.column))

    def words(self, first: int, n: int, ids: list[pa.Array], each: int) -> Words:
        """The words of n records that begin at this position."""
        import numpy as np

        if isinstance(self.stream, ByPosition):
            return self.stream.words(first, n, each)
        return np.concatenate([self.stream.words(some, each) for some in ids])


@dataclass(frozen=True, slots=True)
class Block:
    """Rows at a fixed place: what the kernel reads of them, and what it had to replace."""

    number: int
    first: int
    rows: int
    read: Arrays
    ids: list[pa.Array]
    surprises: dict[str, int]

    def released(self, kernel: Kernel, address: Address) -> pa.RecordBatch:
        """The released rows."""
        return kernel.release(self.read, address.words(self.first, self.rows, self.ids, kernel.words))


def rows_of_block(kernel: Kernel) -> int:
    """How many rows a block has: fewer where there are many columns, so that memory is bounded."""
    rows = MOST_ROWS
    while rows > LEAST_ROWS and rows * (len(kernel.columns) + kernel.words) > CELLS:
        rows //= 2
    return rows


def blocks(batches: Iterable[pa.RecordBatch], kernel: Kernel, address: Address) -> Iterator[Block]:
    """The rows in blocks. Pieces are joined after they were read, as arrays of small numbers."""
    size = rows_of_block(kernel)
    number = held = 0
    reads: list[Arrays] = []
    ids: list[pa.Array] = []
    surprises: dict[str, int] = {}

    def block() -> Block:
        return Block(number, number * size, held, joined(reads), ids, surprises)

    for batch in batches:
        start = 0
        while start < batch.num_rows:
            piece = batch.slice(start, min(size - held, batch.num_rows - start))
            read = kernel.read(piece)
            reads.append(read.arrays)
            for name, n in read.surprises.items():
                surprises[name] = surprises.get(name, 0) + n
            own = address.ids(piece)
            if own is not None:
                ids.append(own)
            held, start = held + piece.num_rows, start + piece.num_rows
            if held == size:
                yield block()
                number, held, reads, ids, surprises = number + 1, 0, [], [], {}
    if held:
        yield block()


def mapped(
    kernel: Kernel, address: Address
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The kernel as a function from batches to batches, for clusters and streams, which can only address by id."""
    if address.column is None:
        raise SourceError(
            "rows of a cluster or of a stream, addressed by an id",
            "no id column",
            "name the column that tells records apart: id=…",
        )

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from discreet.tables.parts import plain

        for batch in batches:
            ids = address.ids(batch)
            words = address.words(0, batch.num_rows, [ids] if ids is not None else [], kernel.words)
            yield plain(kernel.release(kernel.read(batch).arrays, words), kernel.schema)

    return run
