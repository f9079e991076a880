"""One suite over every source: what goes in comes out, batch by batch, in its own types."""

from __future__ import annotations

import datetime as dt
import gzip
import io
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from discreet.core.errors import SchemaError, SourceError
from discreet.tables.protocols import Sink, Source
from discreet.tables.sink import database_sink, frame_sink
from discreet.tables.source import open_source, stream_source, table_of

MOMENT = dt.datetime(2026, 3, 29, 1, 30, 5, 123456)

ALL = pa.table(
    {
        "i8": pa.array([1, None, -128], pa.int8()),
        "u64": pa.array([2**64 - 1, 0, None], pa.uint64()),
        "i64": pa.array([2**63 - 1, -(2**63), None], pa.int64()),
        "f32": pa.array([0.1, None, -0.0], pa.float32()),
        "f64": pa.array([1e300, float("inf"), None], pa.float64()),
        "bool": pa.array([True, False, None]),
        "text": pa.array(["a", "", None]),
        "large": pa.array(["ü", "日本", None], pa.large_string()),
        "category": pa.array(["x", "y", None]).dictionary_encode(),
        "day": pa.array([dt.date(1900, 1, 1), dt.date(2200, 12, 31), None]),
        "moment": pa.array([MOMENT, None, dt.datetime(1969, 12, 31)], pa.timestamp("us")),
        "zoned": pa.array([MOMENT, None, MOMENT], pa.timestamp("ns", tz="Europe/Berlin")),
        "seconds": pa.array([MOMENT.replace(microsecond=0), None, None], pa.timestamp("s")),
        "clock": pa.array([dt.time(23, 59, 59), None, dt.time(0)], pa.time64("us")),
        "span": pa.array([dt.timedelta(days=1), None, dt.timedelta(0)], pa.duration("us")),
        "money": pa.array([Decimal("1.20"), None, Decimal("-999999.99")], pa.decimal128(8, 2)),
        "nothing": pa.nulls(3),
    }
)

BASIC = ALL.select(["i64", "f64", "bool", "text", "day", "moment"])
"""What a database or a text file can hold."""


def saved_parquet(table: pa.Table, tmp: Path) -> Any:
    pq.write_table(table, tmp / "one", row_group_size=2)
    return tmp / "one"


def saved_folder(table: pa.Table, tmp: Path) -> Any:
    (tmp / "many").mkdir()
    for k in range(table.num_rows):
        pq.write_table(table.slice(k, 1), tmp / "many" / f"part-{k}.parquet")
    (tmp / "many" / "_SUCCESS").touch()
    return tmp / "many"


def saved_arrow(table: pa.Table, tmp: Path) -> Any:
    with pa.ipc.new_file(tmp / "file", table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return str(tmp / "file")


def saved_stream(table: pa.Table, tmp: Path) -> Any:
    with pa.ipc.new_stream(tmp / "stream", table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return tmp / "stream"


class OnlyStream:
    """Something that speaks Arrow and is no frame that anybody knows."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


FULL: dict[str, Callable[[pa.Table, Path], Any]] = {
    "parquet": saved_parquet,
    "folder": saved_folder,
    "arrow file": saved_arrow,
    "arrow stream": saved_stream,
    "table": lambda table, tmp: table,
    "reader": lambda table, tmp: table.to_reader(max_chunksize=2),
    "capsule": lambda table, tmp: OnlyStream(table),
    "stdin": lambda table, tmp: stream_source(io.BytesIO(saved_stream(table, tmp).read_bytes())),
}


def saved_csv(table: pa.Table, tmp: Path) -> Any:
    pa.csv.write_csv(table, tmp / "people.csv", pa.csv.WriteOptions(quoting_style="needed"))
    return tmp / "people.csv"


def saved_gzip(table: pa.Table, tmp: Path) -> Any:
    (tmp / "people.csv.gz").write_bytes(gzip.compress(saved_csv(table, tmp).read_bytes()))
    return tmp / "people.csv.gz"


def saved_zstd(table: pa.Table, tmp: Path) -> Any:
    (tmp / "people.zst").write_bytes(pa.compress(saved_csv(table, tmp).read_bytes(), "zstd", asbytes=True))
    return tmp / "people.zst"


def saved_csv_folder(table: pa.Table, tmp: Path) -> Any:
    (tmp / "texts").mkdir()
    for k in range(2):
        pa.csv.write_csv(table, tmp / "texts" / f"{k}.csv", pa.csv.WriteOptions(quoting_style="needed"))
    return tmp / "texts"


TEXTS: dict[str, Callable[[pa.Table, Path], Any]] = {
    "csv": saved_csv,
    "csv.gz": saved_gzip,
    "csv.zst": saved_zstd,
    "csv stdin": lambda table, tmp: stream_source(io.BytesIO(saved_csv(table, tmp).read_bytes())),
    "csv.gz stdin": lambda table, tmp: stream_source(io.BytesIO(saved_gzip(table, tmp).read_bytes())),
}


def saved_sqlite(table: pa.Table, tmp: Path) -> Any:
    sink = database_sink(f"{tmp}/people.db::people", table.schema)
    for batch in table.to_batches():
        sink.write(batch)
    return sink.close()


FRAMES: dict[str, Callable[[pa.Table, Path], Any]] = {
    "pandas": lambda table, tmp: table.to_pandas(),
    "polars": lambda table, tmp: pl.from_arrow(table),
    "narwhals": lambda table, tmp: nw.from_native(pl.from_arrow(table)),
    "relation": lambda table, tmp: duckdb.from_arrow(table),
    "sqlite": saved_sqlite,
}
ANY = FULL | TEXTS | FRAMES


@pytest.mark.parametrize("kind", FULL)
def test_every_type_is_read_as_it_was_stored(kind: str, tmp_path: Path) -> None:
    source = open_source(FULL[kind](ALL, tmp_path))
    assert isinstance(source, Source)
    kept = [
        name for name in ALL.column_names if source.schema.field(name).type == ALL.schema.field(name).type
    ]
    assert set(ALL.column_names) - set(kept) <= {"seconds"}  # Parquet has no seconds
    assert table_of(source).select(kept).equals(ALL.select(kept))


@pytest.mark.parametrize("kind", TEXTS)
def test_text_spells_its_types(kind: str, tmp_path: Path) -> None:
    plain = BASIC.set_column(3, "text", pa.array(["a", 'b,;\n"c"', None]))
    assert table_of(open_source(TEXTS[kind](plain, tmp_path))).equals(plain)


def test_a_folder_of_texts_is_one_table(tmp_path: Path) -> None:
    source = open_source(saved_csv_folder(ALL.select(["i64", "text"]), tmp_path))
    assert table_of(source).num_rows == 6
    assert len(source.files) == 2


@pytest.mark.parametrize("kind", ANY)
def test_columns_are_chosen_and_batches_bounded(kind: str, tmp_path: Path) -> None:
    made = ANY[kind]
    source = open_source(made(BASIC.set_column(3, "text", pa.array(["a", "b", None])), tmp_path))
    batches = list(source.batches(["text", "i64"], size=1, encoded=True))
    assert [b.num_rows for b in batches] == [1, 1, 1]
    assert batches[0].schema.names == ["text", "i64"]
    assert [b.column(0)[0].as_py() for b in batches] == ["a", "b", None]


@pytest.mark.parametrize("kind", ANY)
def test_an_unknown_column_is_an_error_that_helps(kind: str, tmp_path: Path) -> None:
    source = open_source(ANY[kind](BASIC, tmp_path))
    with pytest.raises(SchemaError, match="did you mean 'moment'"):
        list(source.batches(["momemt"]))


@pytest.mark.parametrize("kind", ANY)
def test_a_stream_is_read_once_and_says_so(kind: str, tmp_path: Path) -> None:
    source = open_source(ANY[kind](BASIC, tmp_path))
    first = table_of(source)
    if source.again:
        assert table_of(source).equals(first)
        assert source.fingerprint() == source.fingerprint()
    else:
        with pytest.raises(SourceError, match="once"):
            table_of(source)


def pandas_frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "small": pd.array([1, None, 3], dtype="Int8"),
            "plain": [1, 2, 3],
            "category": pd.Categorical(["a", None, "b"], categories=["b", "a", "unused"], ordered=True),
            "numbers": pd.Categorical([10, 20, 10]),
            "zoned": pd.to_datetime(["2026-01-01", "2026-06-01", None]).tz_localize("Europe/Berlin"),
            "object": ["x", None, "y"],
            "float": [1.5, float("nan"), 2],
            5: [True, False, True],
            "string": pd.array(["q", None, "w"], dtype="string"),
            "span": pd.to_timedelta([1, 2, 3], unit="s"),
            "day": [dt.date(2026, 1, 1), None, dt.date(2027, 1, 1)],
            "f32": pd.Series([1, 2, 3], dtype="float32"),
            "arrow": pd.array(["a", "b", None], dtype=pd.ArrowDtype(pa.string())),
            "ns": pd.to_datetime([1, 2, 3], unit="ns"),
            "s": pd.to_datetime([1, 2, 3], unit="s").as_unit("s"),
            "maybe": pd.array([True, None, False], dtype="boolean"),
        },
    ).set_index(pd.Index(["r1", "r2", "r3"], name="who"))


def polars_frame() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "i": [1, 2, None],
            "u8": pl.Series([1, 2, 3], dtype=pl.UInt8),
            "enum": pl.Series(["x", "y", None], dtype=pl.Enum(["y", "x", "unused"])),
            "category": pl.Series(["x", "y", None], dtype=pl.Categorical),
            "day": [dt.date(2026, 1, 1)] * 3,
            "zoned": pl.Series([MOMENT] * 3).dt.replace_time_zone("Asia/Tokyo"),
            "clock": pl.Series([dt.time(1, 2)] * 3),
            "span": pl.Series([dt.timedelta(1)] * 3),
            "text": ["a", "b", None],
            "money": pl.Series(["1.20", "3.45", None]).cast(pl.Decimal(9, 2)),
            "bool": [True, None, False],
        }
    )


def through(records: Any, size: int = 2) -> Any:
    """All rows from a source into a sink of its kind."""
    source = open_source(records)
    sink = frame_sink(source, source.schema)
    assert isinstance(sink, Sink)
    for batch in source.batches(size=size, encoded=True):
        sink.write(batch)
    return sink.close()


def test_a_pandas_frame_comes_out_as_it_came_in() -> None:
    frame = pandas_frame()
    pd.testing.assert_frame_equal(through(frame), frame)
    empty = frame.iloc[:0]
    pd.testing.assert_frame_equal(through(empty), empty)


def test_a_pandas_frame_without_some_columns_keeps_its_index() -> None:
    frame = pandas_frame()
    source = open_source(frame)
    chosen = ["category", "5", "zoned"]
    sink = frame_sink(source, pa.schema([source.schema.field(n) for n in chosen]))
    for batch in source.batches(chosen):
        sink.write(batch)
    pd.testing.assert_frame_equal(sink.close(), frame[["category", 5, "zoned"]])


def test_a_polars_frame_comes_out_as_it_came_in() -> None:
    frame = polars_frame()
    made = through(frame)
    assert made.equals(frame)
    assert made.schema == frame.schema
    lazy = through(frame.lazy())
    assert lazy.equals(frame)


def test_a_table_comes_out_as_it_came_in() -> None:
    assert through(ALL).equals(ALL)


def test_a_relation_comes_out_as_it_came_in() -> None:
    relation = duckdb.sql(
        "SELECT 1 AS a, 'x' AS \"b \"\"c\", DATE '2026-01-01' AS d, TIMESTAMPTZ '2026-01-01 00:00:00+00' AS t, "
        "1.5::DECIMAL(5, 2) AS q, 'a'::ENUM('a', 'b') AS e, NULL::INTEGER AS n"
    )
    made = through(relation)
    assert made.columns == relation.columns
    assert made.types == relation.types
    assert made.fetchall() == relation.fetchall()


def test_labels_in_place_of_numbers_are_text() -> None:
    source = open_source(pd.DataFrame({"age": [31, 45]}))
    sink = frame_sink(source, pa.schema([("age", pa.string())]))
    sink.write(pa.RecordBatch.from_pydict({"age": pa.array(["30 to 39", "40 and over"]).dictionary_encode()}))
    assert sink.close()["age"].tolist() == ["30 to 39", "40 and over"]


def test_a_source_is_opened_once() -> None:
    source = open_source(ALL)
    assert open_source(source) is source
    with pytest.raises(SourceError, match="type int"):
        open_source(3)


def released_into(records: Any, made: dict[str, pa.Array]) -> Any:
    source = open_source(records)
    batch = pa.RecordBatch.from_pydict(made)
    sink = frame_sink(source, batch.schema)
    sink.write(batch)
    return sink.close()


def test_a_released_level_that_the_frame_did_not_have_is_kept() -> None:
    made = {"c": pa.array(["a", "new", None])}
    frame = released_into(pd.DataFrame({"c": pd.Categorical(["a", "b", "a"], ordered=True)}), made)
    assert frame["c"].tolist()[:2] == ["a", "new"]
    assert frame["c"].isna().tolist() == [False, False, True]
    assert frame["c"].dtype == pd.CategoricalDtype(["a", "b", "new"], ordered=True)
    enum = released_into(pl.DataFrame({"c": pl.Series(["a"], dtype=pl.Enum(["a", "b"]))}), made)
    assert enum["c"].to_list() == ["a", "new", None]
    relation = released_into(duckdb.sql("SELECT 'a'::ENUM('a', 'b') AS c"), made)
    assert relation.fetchall() == [("a",), ("new",), (None,)]


def test_text_and_moments_take_the_type_that_they_have_in_the_frame() -> None:
    moment = pa.array([dt.datetime(2026, 1, 1)], pa.timestamp("us"))
    made = {"c": pa.array(["a"]), "t": moment, "z": moment.cast(pa.timestamp("us", tz="UTC"))}
    frame = pd.DataFrame(
        {
            "c": pd.Categorical(["a"]),
            "t": pd.to_datetime(["2026-01-01"]).as_unit("ns"),
            "z": pd.to_datetime(["2026-01-01"]).tz_localize("Asia/Tokyo"),
        }
    )
    assert released_into(frame, made).dtypes.equals(frame.dtypes)
    assert released_into(pl.from_pandas(frame), made).schema == pl.from_pandas(frame).schema
