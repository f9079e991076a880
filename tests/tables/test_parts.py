"""Files made of parts: every reader reads them as one file, and the bytes of a part depend on its rows alone."""

import datetime as dt
import io
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import csv, ipc
from pyarrow import parquet as pq

from discreet.core.errors import ParameterError, SourceError
from discreet.tables import footer
from discreet.tables.parts import form_of

N = 1000
TABLE = pa.table(
    {
        "text": pa.array(["x", None, "zzé", '=1+"2",\n'] * (N // 4)),
        "when": pa.array(np.arange(N) * 10**6, pa.timestamp("us", tz="Europe/Berlin")),
        "day": pa.array([dt.date(2020, 1, 1), None] * (N // 2)),
        "category": pa.array(["p", "q"] * (N // 2)).dictionary_encode(),
        "float": np.random.default_rng(0).normal(size=N),
        "small": pa.array(range(N), pa.int16()),
        "flag": pa.array([True, False, None, True] * (N // 4)),
        "price": pa.array([1, 2] * (N // 2), pa.decimal128(9, 2)),
    }
)


def made(name, table, rows):
    """The bytes of a file whose parts have so many rows."""
    form = form_of(Path(name), table.schema)
    out, notes, starts = bytearray(form.head()), [], []
    for at in range(0, table.num_rows, rows):
        starts.append(len(out))
        part, note = form.part(table.slice(at, rows).combine_chunks().to_batches()[0])
        out += part
        notes.append(note)
    return bytes(out + form.tail(notes, starts))


@pytest.mark.parametrize("rows", [N, 300, 7])
def test_parquet_is_read_by_everybody(tmp_path, rows):
    file = tmp_path / "a.parquet"
    file.write_bytes(made(file.name, TABLE, rows))
    assert pq.read_table(file).equals(TABLE)
    assert pq.ParquetFile(file).metadata.num_row_groups == -(-N // rows)
    total, text = duckdb.sql(f"select sum(small), max(text) from '{file}'").fetchall()[0]
    assert (total, text) == (N * (N - 1) // 2, "zzé")
    assert pl.read_parquet(file)["float"].to_list() == TABLE["float"].to_pylist()
    statistics = pq.ParquetFile(file).metadata.row_group(0).column(5).statistics
    assert (statistics.min, statistics.max) == (0, min(rows, N) - 1)


def test_parquet_with_text_as_dictionaries_has_the_schemas_types():
    coded = TABLE.set_column(0, "text", TABLE["text"].dictionary_encode())
    form = form_of(Path("a.parquet"), TABLE.schema)
    part, note = form.part(coded.combine_chunks().to_batches()[0])
    file = form.head() + part + form.tail([note], [4])
    assert pq.read_table(io.BytesIO(file)).equals(TABLE)


def test_the_number_of_a_row_group_is_left_out_where_it_would_not_fit(monkeypatch):
    monkeypatch.setattr(footer, "MOST_ORDINALS", 3)
    one = footer.split(made("a.parquet", TABLE.slice(0, 1), 1))[1]
    whole = footer.joined(one, [one] * 5, [4] * 5)
    groups = footer._read_struct(footer._Cursor(whole[:-8]))[footer.GROUPS][1][1]
    assert [group.get(footer.ORDINAL, (0, None))[1] for group in groups] == [0, 1, 2, None, None]


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.csv.zst", "a.tsv", "a.txt"])
def test_text_is_read_back(name):
    held = io.BytesIO(made(name, TABLE, 300))
    packing = {"gz": "gzip", "zst": "zstd"}.get(name.rsplit(".", 1)[1])
    stream = pa.CompressedInputStream(held, packing) if packing else held
    separator = "\t" if name.endswith("tsv") else ","
    found = csv.read_csv(
        stream,
        parse_options=csv.ParseOptions(delimiter=separator, newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            column_types={k.name: k.type for k in TABLE.schema if k.name not in {"category", "when"}},
            strings_can_be_null=True, quoted_strings_can_be_null=False,
        ),
    )  # fmt: skip
    assert found.drop(["category", "when"]).equals(TABLE.drop(["category", "when"]))
    assert found["category"].to_pylist() == TABLE["category"].to_pylist()


@pytest.mark.parametrize("rows", [N, 300])
def test_an_arrow_stream_is_read_back(rows):
    assert ipc.open_stream(made("a.arrows", TABLE, rows)).read_all().equals(TABLE)


@pytest.mark.parametrize("name", ["a.parquet", "a.arrows", "a.csv", "a.csv.gz"])
def test_no_rows(name):
    held = made(name, TABLE.slice(0, 0), 10)
    if name == "a.parquet":
        assert pq.read_table(io.BytesIO(held)).equals(TABLE.slice(0, 0))
    elif name == "a.arrows":
        assert ipc.open_stream(held).read_all().num_rows == 0
    else:
        text = pa.CompressedInputStream(io.BytesIO(held), "gzip").read() if name.endswith("gz") else held
        assert text.decode().startswith('"text","when"')


def test_bytes_depend_on_the_rows_alone():
    for name in ("a.parquet", "a.arrows", "a.csv.gz"):
        assert made(name, TABLE, 300) == made(name, TABLE, 300)


def test_a_name_that_says_no_kind_is_refused():
    for name in ("a", "a.xlsx", "a.parquet.gz"):
        with pytest.raises(ParameterError, match="whose name says"):
            form_of(Path(name), TABLE.schema)


@pytest.mark.parametrize("held", [b"", b"PAR1", b"PAR1PAR1PAR1", b"PAR1" + b"\xff" * 8 + b"PAR1"])
def test_no_parquet_is_refused(held):
    with pytest.raises(SourceError):
        footer.split(held)
