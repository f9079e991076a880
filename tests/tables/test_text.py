"""Text files: how they are written is found out and stated, and what is none is refused."""

from __future__ import annotations

import datetime as dt
import gzip
from pathlib import Path

import pyarrow as pa
import pytest

from discreet.core.errors import SourceError
from discreet.tables.source import open_source, table_of
from discreet.tables.spelling import Guess
from discreet.tables.text import BLOCK, TextFile


def written(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "people.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str, tmp_path: Path) -> None:
    rows = [["name", "note", "n"], ["a", '"x, y; z"' if delimiter != "|" else "x", "1"], ["b", "", "2"]]
    source = open_source(written(tmp_path, "\n".join(delimiter.join(row) for row in rows) + "\n"))
    assert isinstance(source, TextFile)
    assert source.dialect.delimiter == delimiter
    assert table_of(source).column("n").to_pylist() == [1, 2]


def test_a_delimiter_may_be_given(tmp_path: Path) -> None:
    source = open_source(written(tmp_path, "a:b\n1:2\n"), delimiter=":")
    assert table_of(source).to_pydict() == {"a": [1], "b": [2]}


def test_decimal_commas_do_not_hide_the_semicolon(tmp_path: Path) -> None:
    source = open_source(written(tmp_path, "a;b;c\n1,5;x;y\n2,5;x;y\n"))
    assert source.schema.names == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("encoded", "said"),
    [
        ("ü,n\nß,1\n".encode("utf-8-sig"), "utf-8"),
        ("ü,n\nß,1\n".encode("utf-16"), "utf-16"),
        ("ü,n\nß,1\n".encode(), "utf-8"),
    ],
)
def test_marks_of_the_encoding_are_read(encoded: bytes, said: str, tmp_path: Path) -> None:
    source = open_source(written(tmp_path, encoded))
    assert isinstance(source, TextFile)
    assert source.dialect.encoding == said
    assert table_of(source).to_pydict() == {"ü": ["ß"], "n": [1]}


def test_another_encoding_has_to_be_said(tmp_path: Path) -> None:
    path = written(tmp_path, "ü,n\nß,1\n".encode("cp1252"))
    with pytest.raises(SourceError, match="encoding"):
        _ = open_source(path).schema
    assert table_of(open_source(path, encoding="cp1252")).to_pydict() == {"ü": ["ß"], "n": [1]}
    with pytest.raises(SourceError, match="no such encoding"):
        _ = open_source(path, encoding="klingon").schema


def test_bad_text_far_into_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, b"a,b\n" + b"x,1\n" * 400_000 + b"\xff\xfe,2\n")
    with pytest.raises(SourceError, match="in this encoding"):
        table_of(open_source(path))


def test_codes_stay_text_and_words_for_missing_do_not(tmp_path: Path) -> None:
    source = open_source(written(tmp_path, "zip,n,country,x\n01234,1,NA,1.5\n98765,NA,DE,n/a\n,,,\n"))
    assert source.schema == pa.schema(
        [("zip", "string"), ("n", "int64"), ("country", "string"), ("x", "double")]
    )
    assert table_of(source).to_pydict() == {
        "zip": ["01234", "98765", None],
        "n": [1, None, None],
        "country": ["NA", "DE", None],
        "x": [1.5, None, None],
    }


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1", "-2", "0"], "int64"),
        (["9223372036854775808"], "double"),
        (["1", "2.5", "1e-3", ".5"], "double"),
        (["0", "0.5"], "double"),
        (["007"], "string"),
        (["true", "FALSE"], "bool"),
        (["true", "1"], "string"),
        (["2026-01-31"], "date32[day]"),
        (["2026-02-31"], "string"),
        (["2026-01-31 12:00", "2026-01-31 12:00:01"], "timestamp[s]"),
        (["2026-01-31T12:00:00.5"], "timestamp[ms]"),
        (["2026-01-31T12:00:00.123456"], "timestamp[us]"),
        (["2026-01-31T12:00:00Z", "2026-01-31T12:00:00+02:00"], "timestamp[s, tz=UTC]"),
        (["2026-01-31T12:00:00Z", "2026-01-31T12:00:00"], "string"),
        (["NA", "null"], "string"),
        ([], "string"),
        (["1", "x"], "string"),
        (["٣"], "string"),
    ],
)
def test_what_texts_spell(texts: list[str], kind: str) -> None:
    guess = Guess()
    guess.see(pa.array(texts, pa.string()))
    assert str(guess.type) == kind


def test_moments_survive(tmp_path: Path) -> None:
    source = open_source(
        written(
            tmp_path, "at,zone\n2026-01-31T12:00:00.25,2026-01-31T12:00:00+02:00\nNA,2026-01-31T12:00:00Z\n"
        )
    )
    table = table_of(source)
    assert table.column("at").to_pylist() == [dt.datetime(2026, 1, 31, 12, 0, 0, 250_000), None]
    assert table.column("zone")[0].as_py() == dt.datetime(2026, 1, 31, 10, tzinfo=dt.UTC)


def test_types_are_those_of_the_whole_file(tmp_path: Path) -> None:
    late = "n,m\n" + "1,1\n" * 300_000 + "x,2.5\n"
    assert open_source(written(tmp_path, late)).schema == pa.schema([("n", "string"), ("m", "double")])


def test_quotes_hide_delimiters_and_ends_of_lines(tmp_path: Path) -> None:
    table = table_of(open_source(written(tmp_path, 'a,b\n"x\ny, ""z""",1\n"",2\n')))
    assert table.to_pydict() == {"a": ['x\ny, "z"', ""], "b": [1, 2]}


def test_a_ragged_row_is_named_and_not_shown(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as refused:
        table_of(open_source(written(tmp_path, "a,b\n1,2\nsecret,2,3\n")))
    assert "3 fields" in str(refused.value)
    assert "row 3" in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_row_without_end_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="longer one"):
        table_of(open_source(written(tmp_path, b'a,b\n1,"' + b"x" * (3 * BLOCK))))


def test_a_late_surprise_in_a_large_file_does_not_show_the_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.tables.text.LOOKED_AT", 1)
    path = written(tmp_path, b"n,t\n" + b"1,aaaaaaaaaaaaaaaaaaa\n" * 400_000 + b"secret,x\n")
    with pytest.raises(SourceError) as refused:
        table_of(open_source(path))
    assert "secret" not in str(refused.value)
    assert "another type" in str(refused.value)


def test_a_file_that_breaks_off(tmp_path: Path) -> None:
    packed = gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(50_000)))
    with pytest.raises(SourceError, match="breaks off"):
        table_of(open_source(written(tmp_path, packed[: len(packed) // 2])))


def test_several_gzip_members_are_one_file(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n"))
    assert table_of(open_source(path)).to_pydict() == {"a": [1, 3], "b": [2, 4]}


def test_windows_ends_of_lines(tmp_path: Path) -> None:
    assert table_of(open_source(written(tmp_path, "a,b\r\n1,x\r\n"))).to_pydict() == {"a": [1], "b": ["x"]}


def test_a_changed_file_has_another_fingerprint(tmp_path: Path) -> None:
    path = written(tmp_path, "a\n1\n")
    before = open_source(path).fingerprint()
    path.write_text("a\n1\n2\n")
    assert open_source(path).fingerprint() != before


def test_a_header_that_begins_like_another_kind_of_file(tmp_path: Path) -> None:
    assert open_source(written(tmp_path, "ORCID,n\n1,2\n")).schema.names == ["ORCID", "n"]
    with pytest.raises(SourceError, match="an ORC file"):
        open_source(written(tmp_path, b"ORC\n\x03\x00\x00\x12" * 9))
    with pytest.raises(SourceError, match="a spreadsheet"):
        open_source(written(tmp_path, b"PK\x03\x04\x14\x00"))
