"""What the rooms of records expect of one another: rows come and go as Arrow record batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

BATCH = 1 << 16
"""Rows of one batch, unless asked otherwise."""


@runtime_checkable
class Source(Protocol):
    """Rows with one schema, read in batches of bounded size."""

    @property
    def name(self) -> str:
        """What a message calls it: a path, "standard input", "a pandas frame"."""
        ...

    @property
    def form(self) -> str:
        """What it is: csv, parquet, arrow, stream, table, pandas, polars, duckdb, postgresql, sqlite or spark."""
        ...

    @property
    def schema(self) -> pa.Schema:
        """Its columns in order, with their types; names are text and all different."""
        ...

    @property
    def rows(self) -> int | None:
        """How many rows, where that is known without reading them."""
        ...

    @property
    def again(self) -> bool:
        """Whether it can be read a second time; a stream cannot."""
        ...

    @property
    def ordered(self) -> bool:
        """Whether a row has a position that stays: files and frames yes, databases and clusters no."""
        ...

    def batches(
        self, columns: Sequence[str] | None = None, *, size: int = BATCH, encoded: bool = False
    ) -> Iterator[pa.RecordBatch]:
        """The rows of these columns, in order, at most `size` at a time.

        `encoded`: text may come as dictionaries where that is how it is stored; otherwise in the types of `schema`.
        """
        ...

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it reads, in order; none where it is no file."""
        ...

    def fingerprint(self) -> str:
        """What changes when the rows may have changed: sizes and times of files, addresses of frames."""
        ...


@runtime_checkable
class Sink(Protocol):
    """Where released rows go, batch by batch."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Take these rows; text may come as dictionaries, whatever the type of the column."""
        ...

    def close(self) -> Any:
        """Finish, and return what was made: the path, or a frame of the kind that came in."""
        ...

    def discard(self) -> None:
        """Stop without a result; a file that was begun is removed."""
        ...
