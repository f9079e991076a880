"""Text files of rows: CSV with any usual delimiter, plain or compressed, from a path or from standard input."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from discreet.core.errors import SourceError
from discreet.tables import spelling
from discreet.tables.arrow_types import is_text
from discreet.tables.naming import printable, shown
from discreet.tables.protocols import BATCH
from discreet.tables.schema import chosen, repeated
from discreet.tables.sniff import HEAD, Dialect, dialect_of, not_text

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 22
"""Bytes that are parsed at once."""

LONGEST = 1 << 24
"""No row may have more bytes."""

LOOKED_AT = 1 << 26
"""So many bytes of text decide on the types of columns: all of a file up to this size, the beginning of a larger one.
"""


@dataclass(frozen=True)
class TextFile:
    """A CSV file. Encoding, delimiter and types are found out, and `dialect` and `schema` state them."""

    path: Path
    compression: str | None = None
    encoding: str | None = None
    delimiter: str | None = None

    form = "csv"
    again = True
    ordered = True
    rows = None

    @property
    def name(self) -> str:
        """Its path."""
        return printable(str(self.path))

    @property
    def files(self) -> tuple[Path, ...]:
        """Itself."""
        return (self.path,)

    @cached_property
    def dialect(self) -> Dialect:
        """How it is written."""
        try:
            with self._open() as stream:
                head = stream.read(HEAD + 1)
        except (OSError, EOFError):
            raise broken(self.name) from None
        return dialect_of(
            head[:HEAD],
            self.name,
            whole=len(head) <= HEAD,
            encoding=self.encoding,
            delimiter=self.delimiter,
        )

    @cached_property
    def _reading(self) -> Reading:
        with self._open() as stream:
            return Reading.begun(stream, self.dialect, self.name)

    @property
    def schema(self) -> pa.Schema:
        """The columns, with the types that their texts allow."""
        return self._reading.schema

    def batches(
        self, columns: Sequence[str] | None = None, *, size: int = BATCH, encoded: bool = False
    ) -> Iterator[pa.RecordBatch]:
        """The rows, in order."""
        with self._open() as stream:
            yield from self._reading.batches(stream, columns, size, encoded)

    def fingerprint(self) -> str:
        """Size and time of change."""
        return stamp(self.path)

    def _open(self) -> BinaryIO:
        import pyarrow as pa

        try:
            return pa.input_stream(str(self.path), compression=self.compression)  # type: ignore[no-any-return]
        except OSError as wrong:
            raise unreadable(self.name, wrong) from None


@dataclass(frozen=True)
class TextStream:
    """CSV that arrives once, such as on standard input. Its types are decided by its beginning."""

    stream: BinaryIO
    name: str = "standard input"
    encoding: str | None = None
    delimiter: str | None = None
    _taken: list[bool] = field(default_factory=list)

    form = "csv"
    again = False
    ordered = True
    rows = None
    files = ()

    @cached_property
    def _begun(self) -> tuple[bytes, Reading]:
        try:
            head = _read(self.stream, LONGEST)
        except (OSError, EOFError):
            raise broken(self.name) from None
        whole = len(head) < LONGEST
        dialect = dialect_of(
            head[:HEAD],
            self.name,
            whole=whole and len(head) <= HEAD,
            encoding=self.encoding,
            delimiter=self.delimiter,
        )
        cut = head if whole else head[: head.rfind(b"\n") + 1]
        return head, Reading.begun(io.BytesIO(cut), dialect, self.name)

    @property
    def dialect(self) -> Dialect:
        """How it is written."""
        return self._begun[1].dialect

    @property
    def schema(self) -> pa.Schema:
        """The columns, with the types that the first texts allow."""
        return self._begun[1].schema

    def batches(
        self, columns: Sequence[str] | None = None, *, size: int = BATCH, encoded: bool = False
    ) -> Iterator[pa.RecordBatch]:
        """The rows, in order, once."""
        head, reading = self._begun
        once(self._taken, self.name)
        yield from reading.batches(Prefixed(head, self.stream), columns, size, encoded)

    def fingerprint(self) -> str:
        """Nothing: it cannot be read again."""
        return ""


@dataclass(frozen=True)
class Reading:
    """How the texts of the columns become values: columns in `spelled` have words for missing values among their
    numbers.
    """

    dialect: Dialect
    schema: pa.Schema
    spelled: frozenset[str]
    name: str

    @classmethod
    def begun(cls, stream: Any, dialect: Dialect, name: str) -> Reading:
        """The types that the beginning of the stream allows."""
        import pyarrow as pa

        twice = repeated(dialect.columns)
        if twice:
            raise SourceError(
                f"columns with different names from {name}",
                f"{shown(twice)} more than once",
                "rename what comes twice",
            )
        texts = pa.schema([(c, pa.string()) for c in dialect.columns])
        guesses = {c: spelling.Guess() for c in dialect.columns}
        seen = 0
        for batch in Reading(dialect, texts, frozenset(), name).batches(stream, None, BATCH, False):
            for column, values in zip(dialect.columns, batch.columns, strict=True):
                guesses[column].see(values)
            seen += batch.nbytes
            if seen > LOOKED_AT:
                break
        schema = pa.schema([(c, g.type) for c, g in guesses.items()])
        return cls(dialect, schema, frozenset(c for c, g in guesses.items() if g.spelled), name)

    def batches(
        self, stream: Any, columns: Sequence[str] | None, size: int, encoded: bool
    ) -> Iterator[pa.RecordBatch]:
        """The rows of these columns in their types."""
        import pyarrow as pa
        from pyarrow import csv

        names = chosen(columns, self.schema.names)
        ragged: list[Any] = []
        types = {n: self._parsed(n, encoded) for n in names}
        try:
            reader = csv.open_csv(
                stream,
                read_options=csv.ReadOptions(
                    use_threads=False, block_size=BLOCK, encoding=_spoken(self.dialect.encoding)
                ),
                parse_options=csv.ParseOptions(
                    delimiter=self.dialect.delimiter,
                    newlines_in_values=True,
                    invalid_row_handler=_noting(ragged),
                ),
                convert_options=csv.ConvertOptions(
                    column_types=types,
                    include_columns=names,
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                    null_values=[""],
                    timestamp_parsers=[csv.ISO8601],
                ),
            )
            for batch in reader:
                for part in parts(batch, size):
                    yield self._typed(part, names, encoded)
        except (pa.ArrowException, UnicodeError, OSError, EOFError) as wrong:
            raise self._explained(wrong, ragged) from None

    def _parsed(self, name: str, encoded: bool) -> pa.DataType:
        """What the parser makes of a column: text where words for missing values have to be found first."""
        import pyarrow as pa

        kind = self.schema.field(name).type
        if encoded and is_text(kind):
            return pa.dictionary(pa.int32(), pa.string())
        return pa.string() if name in self.spelled or not spelling.parses(kind) else kind

    def _typed(self, batch: pa.RecordBatch, names: list[str], encoded: bool) -> pa.RecordBatch:
        import pyarrow as pa

        arrays = []
        for name, column in zip(names, batch.columns, strict=True):
            kind = self.schema.field(name).type
            done = column.type == kind or (encoded and is_text(kind))
            arrays.append(column if done else spelling.typed(column, kind))
        return pa.RecordBatch.from_arrays(arrays, names=names)

    def _explained(self, wrong: Exception, ragged: list[Any]) -> SourceError:
        """The parser's complaint without the row that it quotes: it belongs to somebody."""
        said = str(wrong)
        if ragged:
            row = ragged[0]
            at = "a row" if row.number is None else f"row {row.number:,}"
            return SourceError(
                f"rows of {row.expected_columns:,} fields from {self.name}, delimited by {self.dialect.delimiter!r}",
                f"{at} with {row.actual_columns:,} fields",
                "repair that row, or say delimiter=…; a field with a delimiter in it needs quotes",
            )
        if "straddling" in said or "block size" in said:
            return SourceError(
                f"rows of at most {BLOCK:,} bytes from {self.name}",
                "a longer one",
                "look for a quote that is never closed",
            )
        if "UTF" in said or "codec" in said or isinstance(wrong, UnicodeError):
            return not_text(self.name, self.dialect.encoding)
        if "conversion error" in said:
            column = said.split(":", 1)[0][-80:]
            return SourceError(
                f"values of the type that the beginning of {self.name} shows",
                f"a value of another type in {column}",
                "repair the value, or give Parquet, which states its types",
            )
        if isinstance(wrong, EOFError | OSError) or "compress" in said.lower():
            return broken(self.name)
        return SourceError(
            f"rows from {self.name}",
            "text that is no table",
            "open it in an editor and look at its first lines",
        )


class Prefixed(io.RawIOBase):
    """A stream whose beginning was read already."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = memoryview(head), rest

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, into: Any) -> int:
        """The head first, then the rest."""
        if self._head:
            n = min(len(into), len(self._head))
            into[:n] = self._head[:n]
            self._head = self._head[n:]
            return n
        held = self._rest.read(len(into))
        into[: len(held)] = held
        return len(held)


def parts(batch: pa.RecordBatch, size: int) -> Iterator[pa.RecordBatch]:
    """The batch in pieces of at most this many rows."""
    for start in range(0, batch.num_rows, size):
        yield batch.slice(start, size)


def once(taken: list[bool], name: str) -> None:
    """Note that a stream is being read; refuse a second time."""
    if taken:
        raise SourceError(
            f"{name}, read again", "a stream, which can be read once", "save it to a file first"
        )
    taken.append(True)


def stamp(path: Path) -> str:
    """Size, time of change and identity of a file."""
    try:
        found = path.stat()
    except OSError as wrong:
        raise unreadable(printable(str(path)), wrong) from None
    return f"{found.st_size}-{found.st_mtime_ns}-{found.st_ino}"


def broken(name: str) -> SourceError:
    """The error for a file that ends too early, or cannot be unpacked."""
    return SourceError(f"all of {name}", "a file that breaks off or is damaged", "make or fetch it again")


def unreadable(name: str, wrong: OSError) -> SourceError:
    """The error for a file that the system does not give."""
    why = os.strerror(wrong.errno) if wrong.errno else type(wrong).__name__
    return SourceError(f"rows from {name}", why, "check the path and the permissions")


def _noting(ragged: list[Any]) -> Any:
    def note(row: Any) -> str:
        ragged.append(row)
        return "error"

    return note


def _read(stream: BinaryIO, most: int) -> bytes:
    """At most so many bytes; fewer only where the stream ends."""
    held = bytearray()
    while len(held) < most and (more := stream.read(most - len(held))):
        held += more
    return bytes(held)


def _spoken(encoding: str) -> str:
    return "utf8" if encoding == "utf-8" else encoding
