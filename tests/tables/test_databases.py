"""Tables of databases, in a real PostgreSQL that the test starts, and in SQLite."""

from __future__ import annotations

import datetime as dt
import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.core.errors import SchemaError, SourceError
from discreet.tables.collect import counts_of
from discreet.tables.databases import Address
from discreet.tables.sink import database_sink
from discreet.tables.source import open_source, table_of

pytest.importorskip("adbc_driver_sqlite", reason="the extra `postgres` is not installed")

PEOPLE = pa.table(
    {
        "i": pa.array([1, None, 3], pa.int64()),
        "f": pa.array([0.5, None, -1.0]),
        "t": pa.array(["a", 'b"c', None]),
        "b": pa.array([True, False, None]),
        "d": pa.array([dt.date(2026, 1, 1), None, dt.date(1900, 1, 1)]),
        "z": pa.array([dt.datetime(2026, 1, 1, 12), None, None], pa.timestamp("us")),
    }
)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The address of a server of our own, run by a user without rights."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not found:
        pytest.skip("no PostgreSQL in /usr/lib/postgresql")
    bin_, as_user = found[-1], {}
    folder = Path(tempfile.mkdtemp(prefix="discreet-pg-", dir="/tmp"))
    if os.getuid() == 0:
        nobody = pwd.getpwnam("nobody")
        as_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(*command: str) -> None:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            cwd=folder,
            env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
            **as_user,
        )
        assert done.returncode == 0, done.stderr + done.stdout

    data, log = str(folder / "data"), str(folder / "log")
    run(str(bin_ / "initdb"), "-D", data, "-U", "keeper", "-A", "trust", "--no-sync", "-E", "UTF8")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    run(str(bin_ / "pg_ctl"), "-D", data, "-l", log, "-w", "-o", options, "start")
    try:
        yield f"postgresql://keeper:secret@127.0.0.1:{port}/postgres"
    finally:
        run(str(bin_ / "pg_ctl"), "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


def written(address: str, table: pa.Table) -> None:
    sink = database_sink(address, table.schema)
    for batch in table.to_batches(max_chunksize=2):
        sink.write(batch)
    sink.close()


def run_sql(address: str, *statements: str) -> None:
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(address, autocommit=True) as connection, connection.cursor() as cursor:
        for one in statements:
            cursor.execute(one)


def test_a_table_goes_into_postgresql_and_comes_back(postgres: str) -> None:
    written(f"{postgres}::people", PEOPLE)
    source = open_source(f"{postgres}::people")
    assert (source.form, source.again, source.ordered, source.files) == ("postgresql", True, False, ())
    assert table_of(source).equals(PEOPLE)
    assert table_of(source, ["z", "i"]).equals(PEOPLE.select(["z", "i"]))
    assert counts_of(f"{postgres}::public.people", "b", "t").total == 3


def test_types_of_postgresql(postgres: str) -> None:
    run_sql(
        postgres,
        'CREATE SCHEMA "odd one"',
        "CREATE TYPE mood AS ENUM ('sad', 'glad')",
        'CREATE TABLE "odd one"."t;a" (small smallint, real_ real, price numeric(9, 2), at timestamptz, mood mood, '
        'c char(3), u uuid, "col""umn" varchar)',
        "INSERT INTO \"odd one\".\"t;a\" VALUES (1, 1.5, 12.30, '2026-01-01 00:00+00', 'glad', 'ab', "
        "'00000000-0000-0000-0000-000000000001', 'x'), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    )
    table = table_of(open_source(f"{postgres}::odd one.t;a"))
    first, second = table.to_pylist()
    assert first["small"] == 1
    assert first["real_"] == 1.5
    assert Decimal(first["price"]) == Decimal("12.30")
    assert first["at"].timestamp() == dt.datetime(2026, 1, 1, tzinfo=dt.UTC).timestamp()
    assert first["mood"] == "glad"
    assert first['col"umn'] == "x"
    assert set(second.values()) == {None}


def test_many_rows_come_in_bounded_batches(postgres: str) -> None:
    run_sql(
        postgres, "CREATE TABLE many AS SELECT i, (i % 3)::text AS t FROM generate_series(1, 100000) AS i"
    )
    sizes = [b.num_rows for b in open_source(f"{postgres}::many").batches(["t"], size=30_000)]
    assert sum(sizes) == 100_000
    assert max(sizes) <= 30_000
    assert counts_of(f"{postgres}::many", "t").n.tolist() == [33333, 33334, 33333]


def test_a_table_is_written_whole_or_not_at_all(postgres: str) -> None:
    sink = database_sink(f"{postgres}::half", PEOPLE.schema)
    sink.write(PEOPLE.to_batches()[0])
    sink.discard()
    with pytest.raises(SourceError, match="refused"):
        table_of(open_source(f"{postgres}::half"))
    written(f"{postgres}::half", PEOPLE)
    with pytest.raises(SourceError, match="refused"):
        written(f"{postgres}::half", PEOPLE)
    assert table_of(open_source(f"{postgres}::half")).num_rows == 3


def test_errors_do_not_show_the_password(postgres: str) -> None:
    with pytest.raises(SourceError) as refused:
        table_of(open_source(f"{postgres}::nobody"))
    with pytest.raises(SourceError) as nowhere:
        _ = open_source("postgresql://keeper:secret@127.0.0.1:1/postgres::people").schema
    for text in (str(refused.value), str(nowhere.value)):
        assert "secret" not in text
        assert "keeper" not in text


def lite(tmp_path: Path) -> str:
    return f"{tmp_path / 'people.db'}::people"


def test_a_table_goes_into_sqlite_and_comes_back(tmp_path: Path) -> None:
    simple = PEOPLE.select(["i", "f", "t"])
    written(lite(tmp_path), simple)
    source = open_source(lite(tmp_path))
    assert source.form == "sqlite"
    assert source.files == (tmp_path / "people.db",)
    assert table_of(source).equals(simple)
    assert table_of(open_source(f"sqlite:{lite(tmp_path)}")).equals(simple)


def test_an_empty_table_is_written(tmp_path: Path) -> None:
    written(lite(tmp_path), PEOPLE.select(["i", "t"]).slice(0, 0))
    assert table_of(open_source(lite(tmp_path))).num_rows == 0


def test_what_sqlite_does_not_have(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "people.db")) as base:
        base.execute("CREATE TABLE people (a)")
        base.commit()
    with pytest.raises(SourceError, match="which table"):
        open_source(tmp_path / "people.db")
    with pytest.raises(SourceError, match="refused"):
        _ = open_source(f"{tmp_path / 'people.db'}::persons").schema
    with pytest.raises(SourceError, match="no such file"):
        _ = open_source(f"{tmp_path / 'other.db'}::people").schema
    with pytest.raises(SchemaError, match="did you mean 'a'"):
        list(open_source(lite(tmp_path)).batches(["A "]))
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize(
    ("text", "where", "table"),
    [
        ("people.db::people", "people.db", "people"),
        ("sqlite:people.db::a b", "people.db", "a b"),
        ("postgresql://[::1]:5432/db::s.t", "postgresql://[::1]:5432/db", "s.t"),
        ("postgres://u:p@h/db?sslmode=require::t", "postgres://u:p@h/db?sslmode=require", "t"),
    ],
)
def test_addresses(text: str, where: str, table: str) -> None:
    found = Address.of(text)
    assert found is not None
    assert (found.where, found.table) == (where, table)
    assert ":p@" not in found.name


def test_what_is_no_address() -> None:
    assert Address.of("people.csv") is None
    with pytest.raises(SourceError, match="without a table"):
        Address.of("postgresql://host/db")
    with pytest.raises(SourceError, match="without ::table"):
        database_sink("people.db", PEOPLE.schema)


def test_a_sink_takes_dictionaries(tmp_path: Path) -> None:
    schema: Any = pa.schema([("t", pa.string()), ("k", pa.dictionary(pa.int8(), pa.string()))])
    sink = database_sink(lite(tmp_path), schema)
    encoded = pa.array(["a", None, "a"]).dictionary_encode()
    sink.write(pa.RecordBatch.from_arrays([encoded, encoded.cast(schema.types[1])], ["t", "k"]))
    sink.close()
    assert table_of(open_source(lite(tmp_path))).to_pydict() == {"t": ["a", None, "a"], "k": ["a", None, "a"]}
