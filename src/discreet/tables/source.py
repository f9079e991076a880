"""Anything that holds rows, opened: paths, addresses, streams and frames."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from discreet.core.errors import SourceError
from discreet.tables.arrow import ArrowFile, BatchStream
from discreet.tables.databases import Address, DatabaseTable
from discreet.tables.folder import Folder
from discreet.tables.frames import ArrowFrame, PandasFrame
from discreet.tables.naming import printable, shown
from discreet.tables.parquet import ParquetFile
from discreet.tables.protocols import Source
from discreet.tables.relations import Relation
from discreet.tables.sniff import form_of
from discreet.tables.spark_frames import SparkFrame
from discreet.tables.text import Prefixed, TextFile, TextStream, unreadable

if TYPE_CHECKING:
    import pyarrow as pa

PEEK = 1 << 10


def open_source(records: Any, *, encoding: str | None = None, delimiter: str | None = None) -> Source:
    """The rows of a path, a folder, an address of a table, "-", a frame, a relation or an Arrow stream.

    `encoding` and `delimiter` are for text files; they are found out where they are not given. A source is returned
    as it is.
    """
    if isinstance(records, str | os.PathLike):
        return _named(os.fspath(records), encoding, delimiter)
    kind = type(records)
    room = kind.__module__.split(".")[0]
    if room == "discreet" and isinstance(records, Source):
        return records
    if room == "pandas" and kind.__name__ == "DataFrame":
        return PandasFrame(records)
    if room == "polars" and kind.__name__ in {"DataFrame", "LazyFrame"}:
        frame = records.collect() if kind.__name__ == "LazyFrame" else records
        return ArrowFrame(frame, frame.to_arrow(), "polars", "a polars frame")
    if kind.__name__ == "DuckDBPyRelation":
        return Relation(records)
    if room == "pyspark":
        return SparkFrame(records)
    return _arrow(records)


def _arrow(records: Any) -> Source:
    """What speaks Arrow, or what narwhals knows to make speak it."""
    import pyarrow as pa

    if isinstance(records, pa.Table):
        return ArrowFrame(records, records, "table", "a pyarrow table")
    if isinstance(records, pa.RecordBatch):
        return ArrowFrame(records, pa.Table.from_batches([records]), "table", "a record batch")
    if isinstance(records, pa.RecordBatchReader):
        return BatchStream(records, "a record batch reader")
    import narwhals as nw

    frame = nw.from_native(records, pass_through=True) if not hasattr(records, "to_native") else records
    if hasattr(frame, "to_native") and frame.to_native() is not records:
        return open_source(frame.to_native())
    if hasattr(records, "__arrow_c_stream__"):
        return BatchStream(pa.RecordBatchReader.from_stream(records), f"a {type(records).__name__}")
    if hasattr(frame, "to_arrow"):
        return ArrowFrame(records, frame.to_arrow(), "table", f"a {type(records).__name__}")
    raise SourceError(
        "rows",
        f"an object of type {type(records).__name__}",
        "give a path, a frame (pandas, polars, pyarrow), a DuckDB relation, or anything with __arrow_c_stream__",
    )


def _named(text: str, encoding: str | None, delimiter: str | None) -> Source:
    if text == "-":
        return stream_source(sys.stdin.buffer, encoding=encoding, delimiter=delimiter)
    path = Path(text)
    try:
        if not path.exists() and (address := Address.of(text)):
            return DatabaseTable(address)
        if path.is_dir():
            return Folder.of(path, lambda p: _file(p, encoding, delimiter))
    except (OSError, ValueError) as wrong:
        if isinstance(wrong, SourceError):
            raise
        raise SourceError("rows from a path", shown([text]), "give the path of a file") from None
    return _file(path, encoding, delimiter)


def _file(path: Path, encoding: str | None, delimiter: str | None) -> Source:
    """A file, whatever its name, by its first bytes."""
    name = printable(str(path))
    try:
        if not path.is_file():
            raise SourceError(
                f"rows from {name}",
                "no such file" if not path.exists() else "no ordinary file",
                "check the path",
            )
        with path.open("rb") as stream:
            head = stream.read(PEEK)
    except OSError as wrong:
        raise unreadable(name, wrong) from None
    form = form_of(head, name)
    if form == "parquet":
        return ParquetFile(path)
    if form in {"arrow", "stream"}:
        return ArrowFile(path, form)
    if form == "sqlite":
        raise SourceError(f"rows from {name}", "an SQLite database", f"say which table: {name}::table")
    return TextFile(path, None if form == "csv" else form, encoding, delimiter)


def stream_source(
    stream: BinaryIO,
    name: str = "standard input",
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
) -> Source:
    """Rows that arrive as bytes, once: CSV, also compressed, or an Arrow stream."""
    import io

    import pyarrow as pa

    head = stream.read(PEEK)
    form = form_of(head, name)
    whole = Prefixed(head, stream)
    if form in {"parquet", "arrow", "sqlite"}:
        raise SourceError(
            f"rows from {name}",
            f"a file of the form {form}, which has to be read from its end",
            "save it, and give its path",
        )
    if form == "stream":
        return BatchStream.of_bytes(io.BufferedReader(whole), name)
    if form == "csv":
        return TextStream(io.BufferedReader(whole), name, encoding, delimiter)
    unpacked = pa.CompressedInputStream(pa.PythonFile(io.BufferedReader(whole), mode="r"), form)
    return TextStream(unpacked, name, encoding, delimiter)


def table_of(source: Source, columns: list[str] | None = None) -> pa.Table:
    """All rows as one table in the types of the schema: for what fits in memory."""
    import pyarrow as pa

    schema = source.schema if columns is None else pa.schema([source.schema.field(c) for c in columns])
    return pa.Table.from_batches(list(source.batches(columns)), schema)
