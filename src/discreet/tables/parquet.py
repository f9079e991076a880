"""Parquet files, read in bounded memory; text stays in the dictionaries that it is stored in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.errors import SourceError
from discreet.tables.arrow_types import is_text
from discreet.tables.naming import printable, shown
from discreet.tables.protocols import BATCH
from discreet.tables.schema import chosen, repeated
from discreet.tables.text import stamp, unreadable

if TYPE_CHECKING:
    import pyarrow as pa

BOMB = 1 << 30
"""A column of a row group that unpacks to more bytes than this …"""

PACKED = 2000
"""… and is so many times smaller when packed, is a trap."""

SPOKEN = 1 << 30
"""A batch may not unpack to more bytes of text."""


@dataclass(frozen=True)
class ParquetFile:
    """One Parquet file."""

    path: Path

    form = "parquet"
    again = True
    ordered = True

    @property
    def name(self) -> str:
        """Its path."""
        return printable(str(self.path))

    @property
    def files(self) -> tuple[Path, ...]:
        """Itself."""
        return (self.path,)

    @cached_property
    def _plain(self) -> Any:
        """Its metadata and its schema as it is stored."""
        with self._open() as held:
            names, schema = held.metadata.schema.names, held.schema_arrow
            metadata = held.metadata
        twice = repeated(schema.names)
        if twice:
            raise SourceError(
                f"columns with different names from {self.name}",
                f"{shown(twice)} more than once",
                "rename what comes twice",
            )
        _defused(metadata, self.name)
        return metadata, schema.remove_metadata(), set(names)

    @property
    def schema(self) -> pa.Schema:
        """The columns as they are stored."""
        found: pa.Schema = self._plain[1]
        return found

    @property
    def rows(self) -> int:
        """As its metadata says."""
        return int(self._plain[0].num_rows)

    def batches(
        self, columns: Sequence[str] | None = None, *, size: int = BATCH, encoded: bool = False
    ) -> Iterator[pa.RecordBatch]:
        """The rows, in order, row group by row group."""
        import pyarrow as pa

        names = chosen(columns, self.schema.names)
        schema = self.schema
        at = {name: place for place, name in enumerate(schema.names)}
        wanted = pa.schema([schema.field(at[n]) for n in names])
        texts = [f.name for f in wanted if is_text(f.type) and f.name in self._plain[2]]
        try:
            with self._open(read_dictionary=texts) as held:
                for batch in held.iter_batches(size, columns=names, use_threads=False):
                    stored = {name: place for place, name in enumerate(batch.schema.names)}
                    ordered = _sound(batch.select([stored[n] for n in names]))
                    yield ordered if encoded else spoken(ordered, wanted, self.name)
        except (pa.ArrowException, OSError) as wrong:
            raise self._broken(wrong) from None

    def fingerprint(self) -> str:
        """Size and time of change."""
        return stamp(self.path)

    def _open(self, **options: Any) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.ParquetFile(str(self.path), buffer_size=1 << 20, pre_buffer=False, **options)
        except (FileNotFoundError, PermissionError, IsADirectoryError) as wrong:
            raise unreadable(self.name, wrong) from None
        except (pa.ArrowException, OSError) as wrong:
            raise self._broken(wrong) from None

    def _broken(self, wrong: Exception) -> SourceError:
        return SourceError(
            f"rows from the Parquet file {self.name}",
            f"a damaged or unusual file ({type(wrong).__name__})",
            "make or fetch it again",
        )


def _sound(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch, if its places in dictionaries are ones: a changed byte can make them point anywhere."""
    import pyarrow as pa

    for column in batch.columns:
        if isinstance(column, pa.DictionaryArray):
            column.validate(full=True)
    return batch


def spoken(batch: pa.RecordBatch, schema: pa.Schema, name: str) -> pa.RecordBatch:
    """The batch in the types of the schema: dictionaries written out where the column is text."""
    import pyarrow as pa

    arrays = []
    for column, one in zip(batch.columns, schema, strict=True):
        if column.type != one.type and isinstance(column, pa.DictionaryArray):
            _sized(column, one.name, name)
            arrays.append(column.dictionary_decode().cast(one.type))
        else:
            arrays.append(column if column.type == one.type else column.cast(one.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _sized(column: pa.DictionaryArray, column_name: str, name: str) -> None:
    """Refuse to write out a dictionary of huge texts row by row."""
    import pyarrow.compute as pc

    lengths = pc.binary_length(column.dictionary)
    longest = pc.max(lengths).as_py() or 0
    if longest * len(column) <= SPOKEN:
        return
    if (pc.sum(lengths.take(column.indices)).as_py() or 0) > SPOKEN:
        raise SourceError(
            f"texts of the column {shown([column_name])} of {name}, at most {SPOKEN:,} bytes in {len(column):,} rows",
            f"texts of up to {longest:,} bytes",
            "drop the column",
        )


def _defused(metadata: Any, name: str) -> None:
    """Refuse files that unpack to absurd sizes."""
    for g in range(metadata.num_row_groups):
        group = metadata.row_group(g)
        for c in range(group.num_columns):
            chunk = group.column(c)
            packed, unpacked = chunk.total_compressed_size, chunk.total_uncompressed_size
            if unpacked > BOMB and unpacked > PACKED * max(packed, 1):
                raise SourceError(
                    f"rows from {name}",
                    f"a column of {packed:,} bytes that unpacks to {unpacked:,}",
                    "write the file again with ordinary row groups, if you trust it",
                )
