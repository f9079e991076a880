"""What a file is, from its first bytes: the name of a file is only a name."""

from __future__ import annotations

import codecs
import csv
from collections import Counter
from typing import NamedTuple

from discreet.core.errors import SourceError

HEAD = 1 << 20
"""So many bytes are looked at."""

DELIMITERS = (",", ";", "\t", "|")

MAGIC = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "stream",
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"SQLite format 3\x00": "sqlite",
}

REFUSED = {
    b"PK\x03\x04": "a zip archive or a spreadsheet",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"ORC": "an ORC file",
    b"Obj\x01": "an Avro file",
    b"\x7fELF": "a program",
}

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Dialect(NamedTuple):
    """How a text file is written: stated beside what is read from it."""

    encoding: str
    delimiter: str
    columns: tuple[str, ...]


def form_of(head: bytes, name: str) -> str:
    """parquet, arrow, stream, gzip, zstd, sqlite, or csv for any text."""
    for magic, form in MAGIC.items():
        if head.startswith(magic):
            return form
    for magic, what in REFUSED.items():
        if head.startswith(magic) and not _words(head[:64]):
            raise SourceError(f"rows from {name}", what, "save the table as CSV, Parquet or Arrow")
    return "csv"


def _words(head: bytes) -> bool:
    """Whether these bytes are a line of text, such as the header ORCID,name."""
    return all(32 <= byte < 127 or byte in b"\t\r\n" for byte in head)


def dialect_of(
    head: bytes, name: str, *, whole: bool, encoding: str | None = None, delimiter: str | None = None
) -> Dialect:
    """Encoding, delimiter and column names of a text file, from its beginning (`whole`: there is no more of it)."""
    if not head:
        raise SourceError(f"rows from {name}", "an empty file", "give a file with a header and rows")
    spoken = encoding or next((e for mark, e in MARKS if head.startswith(mark)), "utf-8")
    text = _text(head, name, spoken, whole)
    if "\x00" in text:
        raise SourceError(f"text from {name}", "zero bytes: this is no text", "give CSV, Parquet or Arrow")
    if text.lstrip()[:1] in {"{", "["} and '"' in text[:200] and ":" in text[:200]:
        raise SourceError(
            f"rows from {name}", "what looks like JSON", "save the table as CSV, Parquet or Arrow"
        )
    chosen = delimiter or _delimiter(text, whole)
    header = _rows(text, chosen, whole, 1)
    if not header:
        raise SourceError(
            f"a header from {name}",
            f"a first line of more than {HEAD:,} bytes, or none" if not whole else "no line with text",
            "give a file whose first line names the columns",
        )
    return Dialect(spoken, chosen, tuple(header[0]))


def _text(head: bytes, name: str, encoding: str, whole: bool) -> str:
    try:
        decoder = codecs.getincrementaldecoder("utf-8-sig" if encoding == "utf-8" else encoding)()
        return decoder.decode(head, final=whole)
    except LookupError:
        raise SourceError(
            f"the encoding {encoding[:40]!r}", "no such encoding", "give one such as utf-8 or cp1252"
        ) from None
    except UnicodeDecodeError as wrong:
        raise not_text(name, encoding, wrong.start) from None


def not_text(name: str, encoding: str, at: int | None = None) -> SourceError:
    """The error for bytes that are no text in this encoding."""
    where = "" if at is None else f" at byte {at:,}"
    return SourceError(
        f"text from {name} in {encoding}",
        f"bytes{where} that are none in this encoding",
        "save the file as UTF-8 (iconv -f WINDOWS-1252 -t UTF-8), or say encoding=…",
    )


def _rows(text: str, delimiter: str, whole: bool, most: int) -> list[list[str]]:
    """The first complete rows."""
    lines = text.splitlines(keepends=True)
    if not whole and lines and len(lines) > 1:
        lines = lines[:-1]
    elif not whole:
        return []
    found: list[list[str]] = []
    try:
        for row in csv.reader(lines, delimiter=delimiter, strict=False):
            if row:
                found.append(row)
            if len(found) == most:
                break
    except csv.Error:
        return found
    return found


def _delimiter(text: str, whole: bool) -> str:
    """The delimiter under which most of the first rows have the same number of fields, and more than one; else a
    comma.
    """

    def score(delimiter: str) -> tuple[float, int]:
        widths = Counter(len(row) for row in _rows(text, delimiter, whole, 200))
        if not widths:
            return 0.0, 0
        width, rows = widths.most_common(1)[0]
        return (rows / widths.total(), width) if width > 1 else (0.0, 0)

    scores = {d: score(d) for d in DELIMITERS}
    best = max(
        scores, key=lambda d: (scores[d][0] > 0.9, scores[d][1] if scores[d][0] > 0.9 else 0, scores[d][0])
    )
    return best if scores[best][1] > 1 else ","
