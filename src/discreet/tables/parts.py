"""Files made of parts: a head, one piece of bytes for each block of rows, a tail. Each piece depends on its rows alone.

A run that was broken off therefore goes on where it stopped and writes the same bytes as one that was not.
"""

from __future__ import annotations

import base64
import gzip
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from discreet.core.errors import ParameterError
from discreet.tables import footer

if TYPE_CHECKING:
    import pyarrow as pa

END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"

Packing = Literal["", "gz", "zst"]


class Form(Protocol):
    """A kind of file, for rows of one schema."""

    def head(self) -> bytes:
        """What the file begins with."""
        ...

    def part(self, batch: pa.RecordBatch) -> tuple[bytes, str]:
        """The bytes of one block of rows, and a note for the tail."""
        ...

    def tail(self, notes: Sequence[str], starts: Sequence[int]) -> bytes:
        """What the file ends with, given the note of each part and where it begins."""
        ...


@dataclass(frozen=True, slots=True)
class CsvParts:
    """Text with a separator; packed, each part is a member of its own, which all readers accept."""

    schema: pa.Schema
    separator: str = ","
    packing: Packing = ""

    def head(self) -> bytes:
        """The names of the columns."""
        return self._packed(self._text(self.schema.empty_table().to_batches(), header=True))

    def part(self, batch: pa.RecordBatch) -> tuple[bytes, str]:
        """The rows as lines."""
        return self._packed(self._text([plain(batch, self.schema)], header=False)), ""

    def tail(self, notes: Sequence[str], starts: Sequence[int]) -> bytes:  # noqa: ARG002
        """Nothing."""
        return b""

    def _text(self, batches: list[pa.RecordBatch], *, header: bool) -> bytes:
        import pyarrow as pa
        from pyarrow import csv

        out = io.BytesIO()
        options = csv.WriteOptions(include_header=header, delimiter=self.separator)
        csv.write_csv(pa.Table.from_batches(batches, self.schema), out, options)
        return out.getvalue()

    def _packed(self, text: bytes) -> bytes:
        if self.packing == "gz":
            return gzip.compress(text, 6, mtime=0)
        if self.packing == "zst":
            import pyarrow as pa

            packed: bytes = pa.Codec("zstd").compress(text, asbytes=True)
            return packed
        return text


@dataclass(frozen=True, slots=True)
class ArrowParts:
    """An Arrow stream: a schema message, then the messages of each block."""

    schema: pa.Schema

    def head(self) -> bytes:
        """The schema message."""
        return self._stream(None)

    def part(self, batch: pa.RecordBatch) -> tuple[bytes, str]:
        """The messages of these rows."""
        return self._stream(plain(batch, self.schema))[len(self.head()) :], ""

    def tail(self, notes: Sequence[str], starts: Sequence[int]) -> bytes:  # noqa: ARG002
        """The mark that ends a stream."""
        return END_OF_STREAM

    def _stream(self, batch: pa.RecordBatch | None) -> bytes:
        from pyarrow import ipc

        out = io.BytesIO()
        with ipc.new_stream(out, self.schema) as writer:
            if batch is not None:
                writer.write_batch(batch)
        return out.getvalue()[: -len(END_OF_STREAM)]


@dataclass(frozen=True, slots=True)
class ParquetParts:
    """Row groups, each made alone, and one footer. Text may come as dictionaries; readers get the schema's types."""

    schema: pa.Schema

    def head(self) -> bytes:
        """The magic number."""
        return footer.MAGIC

    def part(self, batch: pa.RecordBatch) -> tuple[bytes, str]:
        """One row group; the note is its footer."""
        rows, end = footer.split(self._file(batch))
        return rows, base64.b64encode(end).decode()

    def tail(self, notes: Sequence[str], starts: Sequence[int]) -> bytes:
        """The footer of all row groups."""
        _, empty = footer.split(self._file(None))
        return footer.joined(empty, [base64.b64decode(note) for note in notes], starts)

    def _file(self, batch: pa.RecordBatch | None) -> bytes:
        from pyarrow import parquet

        said = base64.b64encode(self.schema.serialize()).decode()
        physical = self.schema if batch is None else _dressed(batch, self.schema)
        out = io.BytesIO()
        kept = [name for name, kind in zip(physical.names, physical.types, strict=True) if not _worded(kind)]
        with parquet.ParquetWriter(out, physical, store_schema=False, write_statistics=kept) as writer:
            if batch is not None:
                writer.write_batch(batch, row_group_size=max(batch.num_rows, 1))
            writer.add_key_value_metadata({**(self.schema.metadata or {}), b"ARROW:schema": said})
        return out.getvalue()


def form_of(path: Path, schema: pa.Schema) -> Form:
    """The kind of file that the name asks for."""
    name = path.name.lower()
    packing: Packing = "gz" if name.endswith(".gz") else "zst" if name.endswith((".zst", ".zstd")) else ""
    bare = name.removesuffix(".gz").removesuffix(".zst").removesuffix(".zstd")
    if bare.endswith((".csv", ".txt")):
        return CsvParts(schema, ",", packing)
    if bare.endswith((".tsv", ".tab")):
        return CsvParts(schema, "\t", packing)
    if name.endswith((".parquet", ".pq")):
        return ParquetParts(schema)
    if name.endswith((".arrows", ".arrow", ".ipc", ".feather")):
        return ArrowParts(schema)
    raise ParameterError(
        "a file to write whose name says what it is",
        repr(path.name),
        "end it with .parquet, .csv, .csv.gz, .csv.zst, .tsv or .arrows",
    )


def plain(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The same rows in the types of the schema."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays(
        [
            column if column.type == kind.type else column.cast(kind.type)
            for column, kind in zip(batch.columns, schema, strict=True)
        ],
        schema=schema,
    )


def _worded(kind: pa.DataType) -> bool:
    """Whether values come as dictionaries: their extremes cost more to find than all the rest of writing them."""
    import pyarrow as pa

    return bool(pa.types.is_dictionary(kind))


def _dressed(batch: pa.RecordBatch, schema: pa.Schema) -> pa.Schema:
    """The schema with columns as they come, dictionaries among them; same names, same nullability."""
    import pyarrow as pa

    return pa.schema(
        [kind.with_type(column.type) for column, kind in zip(batch.columns, schema, strict=True)]
    )
