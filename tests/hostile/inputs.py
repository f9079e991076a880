"""Hostile files of rows, generated: a name says what is wrong with one, and `refused` whether it must not be read."""

from __future__ import annotations

import gzip
import io
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


class Hostile(NamedTuple):
    """A file. `refused`: it must not be read; otherwise it may be, if what is read is text or numbers as any other."""

    name: str
    content: Callable[[], bytes]
    refused: bool = False


HTML = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg/onload=alert(1)>',
    "javascript:alert(1)",
    "</title><script>1</script>",
    "{{7*7}}",
    "${7*7}",
    "<!--",
    "]]>",
    "&lt;b&gt;",
    "' OR 1=1 --",
    '"; DROP TABLE people; --',
    "../../etc/passwd",
    "`rm -rf ~`",
    "$(id)",
    "%s%s%n",
    "\u202egnp.exe",
    "a\u200bb",
    "𝕳𝖊𝖑𝖑𝖔",
    "a" * 5000,
)
FORMULAS = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "=cmd|' /C calc'!A0",
    "\t=1",
    '=HYPERLINK("http://x")',
    "=DDE()",
)
BAD = (
    b"\xff",
    b"\xfe",
    b"\xc3\x28",
    b"\xa0\xa1",
    b"\xe2\x28\xa1",
    b"\xe2\x82\x28",
    b"\xf0\x28\x8c\xbc",
    b"\xf8\xa1\xa1\xa1\xa1",
    b"\xc0\xaf",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\x80",
)
CONTROL = [bytes([k]) for k in range(32) if k not in (9, 10, 13)] + [
    b"\x7f",
    b"\xc2\x9b",
    b"\x1b[2J",
    b"\x1b]0;x\x07",
]
DELIMITERS = (",", ";", "\t", "|", ":", "~")


def texts() -> Iterator[Hostile]:
    """What can be wrong with CSV."""
    for a in DELIMITERS:
        for b in DELIMITERS:
            if a != b:
                content = f"a{a}b{a}c\n" + f"1{b}2{b}3\n" * 50
                yield Hostile(f"delimiter {a!r} then {b!r}", content.encode)
    for d in (",", ";", "\t", "|"):
        for at in (0, 25, 49):
            for fields in (1, 2, 4, 400):
                rows = [d.join("123")] * 50
                rows[at] = d.join("9" * fields)
                content = "\n".join([d.join("abc"), *rows]) + "\n"
                yield Hostile(f"ragged {d!r} row {at} of {fields} fields", content.encode, True)
    for bad in BAD:
        for place, head in {
            "name": b"a,",
            "first": b"a,b\n1,",
            "late": b"a,b\n" + b"1,2\n" * 400_000 + b"1,",
        }.items():
            yield Hostile(
                f"bad text {bad.hex()} {place}", lambda head=head, bad=bad: head + bad + b"\n1,2\n", True
            )
    for encoding in (
        "utf-8-sig",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "utf-32",
        "utf-32-le",
        "cp037",
        "utf-7",
    ):
        yield Hostile(f"encoding {encoding}", lambda e=encoding: "ü,b\n1,2\n3,4\n".encode(e))
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf" * 2, b"\xff\xfe\x00\x00"):
        yield Hostile(f"only the mark {mark.hex()}", lambda m=mark: m)
        yield Hostile(f"the mark {mark.hex()} before plain text", lambda m=mark: m + b"a,b\n1,2\n")
    for control in CONTROL:
        yield Hostile(f"control {control.hex()} in a name", lambda c=control: b"a" + c + b"z,b\n1,2\n3,4\n")
        yield Hostile(f"control {control.hex()} in a cell", lambda c=control: b"a,b\n1" + c + b",2\n3,4\n")
    for k, word in enumerate((*HTML, *FORMULAS)):
        safe = '"' + word.replace('"', '""') + '"'
        yield Hostile(f"word {k} as a name", f"{safe},b\n1,2\n3,4\n".encode)
        yield Hostile(f"word {k} in a cell", f"a,b\n{safe},2\nx,4\n".encode)
        yield Hostile(f"word {k} as a file", word.encode)


def shapes() -> Iterator[Hostile]:
    """CSV of absurd shape."""
    wide = ",".join(f"c{j}" for j in range(10_000))
    yield Hostile("10,000 columns", f"{wide}\n{','.join('1' * 10_000)}\n".encode)
    yield Hostile("10,000 columns without names", lambda: (b"," * 9_999 + b"\n") * 2, True)
    yield Hostile("10,000 columns, one ragged row", f"{wide}\n1\n".encode, True)
    yield Hostile("300,000 columns", lambda: b",".join(b"%d" % j for j in range(300_000)) + b"\n", True)
    for size in (1 << 16, 1 << 20, 5 << 20, 40 << 20):
        yield Hostile(
            f"a field of {size} bytes", lambda n=size: b"a,b\n" + b"x" * n + b",1\n", size > 8 << 20
        )
        yield Hostile(
            f"a quoted field of {size} bytes", lambda n=size: b'a,b\n"' + b"x" * n + b'",1\n', size > 8 << 20
        )
        yield Hostile(f"a name of {size} bytes", lambda n=size: b"x" * n + b",b\n1,2\n", size > 1 << 20)
        yield Hostile(f"an open quote before {size} bytes", lambda n=size: b'a,b\n"' + b"x\n" * (n // 2))
        yield Hostile(f"{size} delimiters", lambda n=size: b"a,b\n" + b"," * n + b"\n", True)
        yield Hostile(f"{size} quotes", lambda n=size: b"a,b\n" + b'"' * n + b"\n")
        yield Hostile(f"{size} ends of lines", lambda n=size: b"\n" * n)
        yield Hostile(f"{size} bytes of nothing", lambda n=size: b"\0" * n, True)
        yield Hostile(f"{size} digits", lambda n=size: b"a,b\n" + b"9" * n + b",1\n", size > 8 << 20)
    for header in ("a,a", "a,b,a", ",", ",,", "a,,", '"",""', "A,A ", '"a",a'):
        yield Hostile(f"header {header!r}", f"{header}\n{','.join('1' * (header.count(',') + 1))}\n".encode)
    for content in (
        b"",
        b"\n",
        b" ",
        b"a",
        b"a\n",
        b"a,b",
        b"a,b\n",
        b"\r",
        b"\r\n\r\n",
        b'"',
        b"''",
        b"{}",
        b'[{"a": 1}]',
    ):
        yield Hostile(f"the file {content!r}", lambda c=content: c)
    for magic in (
        b"PAR1",
        b"ARROW1",
        b"PK\x03\x04",
        b"SQLite format 3\x00",
        b"\x1f\x8b",
        b"\x28\xb5\x2f\xfd",
        b"\x7fELF",
    ):
        yield Hostile(f"nothing after {magic!r}", lambda m=magic: m, True)
        yield Hostile(
            f"noise after {magic!r}", lambda m=magic: m + np.random.default_rng(0).bytes(5000), True
        )


def packed() -> Iterator[Hostile]:
    """Compressed files that are broken, or that are far larger than they look."""
    text = b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(20_000))
    for name, pack in {"gzip": gzip.compress, "zstd": lambda t: pa.compress(t, "zstd", asbytes=True)}.items():
        whole = pack(text)
        for share in range(1, 10):
            yield Hostile(f"{name} cut at {share}/10", lambda w=whole, k=share: w[: len(w) * k // 10], True)
        for k in range(12):
            yield Hostile(f"{name} with a changed byte, {k}", lambda w=whole, k=k: flipped(w, k))
        yield Hostile(f"{name} bomb of nothing", lambda p=pack: p(b"\0" * (256 << 20)), True)
        yield Hostile(f"{name} bomb of one row", lambda p=pack: p(b"a,b\n" + b"x" * (256 << 20)), True)
        yield Hostile(f"{name} bomb of empty rows", lambda p=pack: p(b"a,b\n" + b"\n" * (64 << 20)))
        yield Hostile(f"{name} bomb of rows", lambda p=pack: p(b"a,b\n" + b"1,2\n" * (8 << 20)))
        yield Hostile(f"{name} in {name}", lambda p=pack: p(p(text)), True)


def saved(table: pa.Table, **options: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return out.getvalue()


def streamed(table: pa.Table) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def filed(table: pa.Table) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def flipped(whole: bytes, seed: int) -> bytes:
    """With one byte changed, anywhere."""
    rng = np.random.default_rng(seed)
    held = bytearray(whole)
    held[int(rng.integers(len(held)))] ^= int(rng.integers(1, 256))
    return bytes(held)


def columnar() -> Iterator[Hostile]:
    """Parquet and Arrow: cut, changed, nested, and bombs."""
    rng = np.random.default_rng(0)
    table = pa.table(
        {"a": rng.integers(0, 9, 3000), "b": pa.array(rng.choice(["x", "y", "z"], 3000)).dictionary_encode()}
    )
    for form, write in {"parquet": saved, "arrow file": filed, "arrow stream": streamed}.items():
        whole = write(table)
        for share in range(1, 10):
            yield Hostile(f"{form} cut at {share}/10", lambda w=whole, k=share: w[: len(w) * k // 10])
        for k in range(40):
            yield Hostile(f"{form} with a changed byte, {k}", lambda w=whole, k=k: flipped(w, k))
        twice = pa.table([pa.array([1, 2]), pa.array([3, 4])], names=["a", "a"])
        yield Hostile(f"{form} with one name twice", lambda w=write, t=twice: w(t), True)
        nested = pa.table(
            {"a": [[1, 2], []], "b": [{"c": 1}, None], "m": pa.array([[(1, 2)], []], pa.map_("int8", "int8"))}
        )
        yield Hostile(f"{form} of lists", lambda w=write, t=nested: w(t))
        for k, word in enumerate(HTML):
            named = pa.table({word: [1, 2], f"{word}\x1b[2J": ["x", word]})
            yield Hostile(f"{form} with the name {k}", lambda w=write, t=named: w(t))
        yield Hostile(
            f"{form} of 10,000 columns", lambda w=write: w(pa.table({f"c{j}": [1] for j in range(10_000)}))
        )
        yield Hostile(f"{form} of no columns", lambda w=write: w(pa.table({})))
    for length in (0, 1, 2**31 - 1, 2**32 - 1, 10**6):
        yield Hostile(
            f"parquet with a footer of {length} bytes",
            lambda n=length: b"PAR1" + b"x" * 50 + struct.pack("<I", n) + b"PAR1",
            True,
        )
    yield Hostile("parquet bomb of one text", _text_bomb)
    yield Hostile("parquet bomb of nothing", _empty_bomb)
    yield Hostile("arrow bomb of one text", lambda: streamed(_one_text(1 << 12, 1 << 18)))


def _one_text(size: int, rows: int) -> pa.Table:
    text = pa.array(["x" * size])
    return pa.table({"a": pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int32)), text)})


def _text_bomb() -> bytes:
    """A text of a megabyte in each of a million rows: a terabyte, in a few kilobytes."""
    return saved(_one_text(1 << 20, 1 << 20), store_schema=False, compression="zstd")


def _empty_bomb() -> bytes:
    """Half a gigabyte of zeros in one row group."""
    zeros = pa.table({"a": np.zeros(1 << 26), "b": np.zeros(1 << 26, dtype=np.int8)})
    return saved(zeros, use_dictionary=False, compression="zstd", row_group_size=1 << 26)


def all_of_them() -> Iterator[Hostile]:
    """Every hostile file."""
    for some in (texts, shapes, packed, columnar):
        yield from some()
