"""Spark: counted where it lies, released by the same kernel; and one release, whichever way the rows came."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from threadpoolctl import threadpool_limits

from discreet.core.errors import SourceError
from discreet.tables.collect import Counted, Histogram, Moments, Sampled, Statistic, collect
from discreet.tables.guess import guess_schema
from discreet.tables.keystream import Key
from discreet.tables.parts import ParquetParts
from discreet.tables.source import open_source, table_of
from discreet.workflow.apply import applied
from discreet.workflow.design import design
from discreet.workflow.policy import Policy, load

pytestmark = pytest.mark.slow

KEY = Key.of_seed(6)
ROWS = 4000


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A cluster of two threads."""
    sql = pytest.importorskip("pyspark.sql", reason="needs the extra spark")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    try:
        session = (
            sql.SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "Asia/Tokyo")
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", "700")
            .getOrCreate()
        )
    except Exception as wrong:
        pytest.skip(f"Spark does not start: {type(wrong).__name__}")
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def people(n: int = ROWS) -> pa.Table:
    rng = np.random.default_rng(1)
    age = rng.integers(18, 90, n)
    moment = (rng.integers(0, 10**7, n) * 10**6).astype("M8[us]")
    return pa.table(
        {
            "who": pa.array([f"p{i}" for i in range(n)]),
            "income": pa.array(np.where(age + rng.normal(0, 20, n) > 50, "high", "low")),
            "age": pa.array(age, mask=rng.random(n) < 0.05),
            "edu": pa.array(rng.choice(["a", "b", "c d"], n), mask=rng.random(n) < 0.05),
            "weight": pa.array(np.round(rng.normal(70, 10, n), 1)),
            "seen": pa.array(moment),
            "zoned": pa.array(moment, pa.timestamp("us", tz="UTC")),
            "member": pa.array(rng.random(n) < 0.5),
            'we`ird, "name"': pa.array(rng.integers(0, 4, n), pa.int16()),
        }
    )


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    rng = np.random.default_rng(0)
    table = people()
    schema = guess_schema(table, private="income", id="who")
    import sklearn.ensemble  # noqa: F401  its threads have to be there to be limited

    with threadpool_limits(1):  # they wait for one another while Spark works beside them
        made = design(table, schema=schema, keep=0.5, mechanism="randomised_response", rng=rng)
    path = tmp_path_factory.mktemp("policy") / "a.policy"
    made.save(path)
    return load(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The rows as a hundred files."""
    return in_files(tmp_path / "many", 100)


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """The rows as three files, the later ones younger."""
    return in_files(tmp_path / "few", 3)


def in_files(folder: Path, files: int) -> Path:
    folder.mkdir()
    for k, batch in enumerate(people().to_batches(-(-ROWS // files))):
        path = folder / f"part-{k:03}.parquet"
        pq.write_table(pa.Table.from_batches([batch]), path)
        os.utime(path, (10**9 + 10 * k, 10**9 + 10 * k))
    return folder


STATISTICS: dict[str, Statistic] = {
    "counts": Counted((("income", "edu"), ("age",), ("member", 'we`ird, "name"'))),
    "moments": Moments(("age", "weight")),
    "histogram": Histogram("weight", (60.0, 80.0)),
}


def test_statistics_are_those_of_one_machine(spark: Any, few: Path) -> None:
    here = collect(people(), STATISTICS)
    frame = spark.read.parquet(str(few)).repartition(3)
    there = collect(frame, STATISTICS)
    for names, counts in here["counts"].items():
        assert there["counts"][names].axes == counts.axes
        assert (there["counts"][names].n == counts.n).all()
    assert (here["histogram"] == there["histogram"]).all()
    for name, one in here["moments"].items():
        other = there["moments"][name]
        assert (one.n, one.missing, one.low, one.high) == (other.n, other.missing, other.low, other.high)
        assert other.mean == pytest.approx(one.mean, rel=1e-12)
        assert other.variance == pytest.approx(one.variance, rel=1e-12)


def test_a_sample_is_of_so_many_different_rows(spark: Any, few: Path) -> None:
    frame = spark.read.parquet(str(few))
    sample = collect(frame, {"sample": Sampled(("who", "age"), 500, 3)})["sample"]
    assert sample.num_rows == len(set(sample["who"].to_pylist())) == 500
    again = collect(frame, {"sample": Sampled(("who", "age"), 500, 3)})["sample"]
    assert again.equals(sample)


def test_a_frame_is_a_source_of_its_rows(spark: Any, few: Path) -> None:
    source = open_source(spark.read.parquet(str(few)).coalesce(1))
    table = people()
    assert source.schema.names == table.column_names
    found = table_of(source).sort_by("who")
    wanted = table.sort_by("who")
    for name in table.column_names:
        assert found[name].to_pylist() == wanted[name].to_pylist()
    assert guess_schema(spark.read.parquet(str(few)), private="income")["age"].kind == "number"


def bytes_of(released: pa.Table, policy: Policy) -> bytes:
    """The release as one row group, in the policy's own types."""
    table = released.cast(policy.kernel.schema).combine_chunks()
    (batch,) = table.to_batches()
    return ParquetParts(policy.kernel.schema).part(batch)[0]


def streamed(spark: Any, policy: Policy, few: Path) -> pa.Table:
    """The release of a stream that takes one file after the other."""
    schema = spark.read.parquet(str(few)).schema
    stream = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(few))
    batches: list[pa.Table] = []
    released = policy.apply(stream, key=KEY, id="who")
    assert released.isStreaming
    query = released.writeStream.foreachBatch(lambda frame, _: batches.append(frame.toArrow()))
    running = query.trigger(availableNow=True).start()
    running.awaitTermination()
    assert running.exception() is None
    return pa.concat_tables(batches)


def broken_off(policy: Policy, source: Path, target: Path) -> None:
    """A release that is stopped in its middle, and goes on."""

    def stop(rows: int) -> None:
        if rows > ROWS // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        applied(policy, source, target, key=KEY, id="who", progress=stop)
    assert not target.exists()
    done = applied(policy, source, target, key=KEY, id="who", resume=True)
    assert 0 < done.resumed < ROWS == done.rows


def test_one_release_whichever_way_the_rows_came(
    spark: Any, policy: Policy, folder: Path, few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.tables import mapping

    monkeypatch.setattr(mapping, "MOST_ROWS", 1 << 10)
    table = people()
    pq.write_table(table, tmp_path / "one.parquet")
    wanted = bytes_of(policy.apply(table, key=KEY, id="who"), policy)
    policy.apply(table.to_reader(max_chunksize=333), tmp_path / "stream.parquet", key=KEY, id="who")
    policy.apply(tmp_path / "one.parquet", tmp_path / "file.parquet", key=KEY, id="who")
    policy.apply(folder, tmp_path / "folder.parquet", key=KEY, id="who")
    broken_off(policy, tmp_path / "one.parquet", tmp_path / "resumed.parquet")
    files = [(tmp_path / f"{name}.parquet").read_bytes() for name in ("stream", "file", "folder", "resumed")]
    assert len(set(files)) == 1
    assert bytes_of(pq.read_table(tmp_path / "file.parquet"), policy) == wanted
    batch = policy.apply(spark.read.parquet(str(tmp_path / "one.parquet")).coalesce(1), key=KEY, id="who")
    assert bytes_of(batch.toArrow(), policy) == wanted
    assert bytes_of(streamed(spark, policy, few), policy) == wanted


def test_by_position_the_cut_into_files_does_not_matter(policy: Policy, folder: Path, tmp_path: Path) -> None:
    table = people()
    pq.write_table(table, tmp_path / "one.parquet", row_group_size=777)
    for name, records in {
        "file": tmp_path / "one.parquet", "folder": folder, "stream": table.to_reader(max_chunksize=333)
    }.items():  # fmt: skip
        policy.apply(records, tmp_path / f"{name}.out.parquet", key=KEY)
    files = {path.read_bytes() for path in tmp_path.glob("*.out.parquet")}
    assert len(files) == 1
    released = pq.read_table(tmp_path / "file.out.parquet")
    assert policy.apply(table, key=KEY).equals(released)
    assert not released["age"].equals(table["age"])


def test_a_release_of_a_frame_has_its_types_and_no_secret(spark: Any, policy: Policy, few: Path) -> None:
    frame = spark.read.parquet(str(few))
    released = policy.apply(frame, key=KEY, id="who")
    kept = [field for field in frame.schema if field.name not in {"who", "income"}]
    assert [(f.name, f.dataType) for f in released.schema] == [(f.name, f.dataType) for f in kept]
    assert released.count() == ROWS


def test_the_release_of_a_frame_as_a_folder(spark: Any, policy: Policy, few: Path, tmp_path: Path) -> None:
    frame = spark.read.parquet(str(few))
    target = tmp_path / "released.parquet"
    done = applied(policy, frame, target, key=KEY, id="who")
    assert (done.rows, done.surprises) == (ROWS, None)
    assert applied(policy, frame, key=KEY, id="who").to_json()["rows"] is None
    assert (target / "_SUCCESS").exists()
    assert open_source(target).rows == ROWS
    with pytest.raises(SourceError, match="ending with"):
        policy.apply(frame, tmp_path / "released.xlsx", key=KEY, id="who")


def test_without_an_id_a_frame_is_refused(spark: Any, few: Path) -> None:
    made = design(
        people().drop(["who"]),
        private="income",
        public=["edu"],
        leak=0.1,
        mechanism="randomised_response",
        rng=np.random.default_rng(0),
    )
    with pytest.raises(SourceError, match="no id column"):
        made.apply(spark.read.parquet(str(few)), key=KEY)


def test_a_stream_cannot_be_looked_at(spark: Any, few: Path) -> None:
    schema = spark.read.parquet(str(few)).schema
    stream = spark.readStream.schema(schema).parquet(str(few))
    with pytest.raises(SourceError, match="has no end"):
        table_of(open_source(stream))
    with pytest.raises(SourceError, match="has no end"):
        collect(stream, STATISTICS)
    assert not open_source(stream).again
