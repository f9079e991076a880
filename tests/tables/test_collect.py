"""Statistics that add up: equal to counting by hand, whatever the batches, the order of the parts and the engine."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from discreet.core.errors import ParameterError, SchemaError, SourceError
from discreet.tables import tally
from discreet.tables.collect import (
    CodedCounts,
    Counted,
    Histogram,
    Moments,
    Sampled,
    Statistic,
    collect,
    counts_of,
    sample_of,
)
from discreet.tables.fit import fit_codec
from discreet.tables.guess import guess_schema
from discreet.tables.levels import MISSING
from discreet.tables.samples import columns_of, samples_of
from discreet.tables.source import open_source, table_of
from discreet.tables.tally import Tally, cover


def people(n: int = 5000, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    missing = rng.random(n) < 0.1
    return pa.table(
        {
            "t": pa.array(
                [None if m else f"t{k}" for m, k in zip(missing, rng.integers(0, 5, n), strict=True)]
            ),
            "i": rng.integers(-3, 3, n),
            "b": rng.random(n) < 0.3,
            "f": np.where(missing, np.nan, rng.integers(0, 4, n) / 2),
            "many": rng.integers(0, 3000, n),
            "d": pa.array(rng.integers(0, 3, n).astype("M8[D]")),
        }
    )


SETS = (("t", "i"), ("b",), ("f", "t", "b"), ("many", "t"), ("d", "i"))
ALL: dict[str, Statistic] = {
    "counts": Counted(SETS),
    "moments": Moments(("i", "f", "d")),
    "histogram": Histogram("f", (0.5, 1.0)),
    "sample": Sampled(("t", "many"), 100, seed=3),
}


def by_hand(table: pa.Table, names: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
    def value(v: Any) -> Any:
        if v is None or (isinstance(v, float) and math.isnan(v)):
            return MISSING
        return v if isinstance(v, int | float | str | bool) else str(v)

    return dict(
        Counter(tuple(map(value, row)) for row in zip(*(table[n].to_pylist() for n in names), strict=True))
    )


def as_dictionary(counts: Any) -> dict[tuple[Any, ...], int]:
    where = np.argwhere(counts.n > 0)
    return {
        tuple(a.labels[k] for a, k in zip(counts.axes, cell, strict=True)): int(counts.n[tuple(cell)])
        for cell in where
    }


@pytest.mark.parametrize("names", SETS)
def test_counts_are_those_made_by_hand(names: tuple[str, ...]) -> None:
    table = people()
    found = collect(table, {"counts": Counted(SETS)})["counts"][names]
    assert found.total == 5000
    assert as_dictionary(found) == by_hand(table, names)


def result(batches: list[pa.RecordBatch], statistic: Statistic, schema: pa.Schema) -> Any:
    part = statistic.begin(schema)
    for batch in batches:
        part.add(batch)
    return part.result()


def same(a: Any, b: Any) -> bool:
    if isinstance(a, pa.Table):
        return bool(a.equals(b))
    if isinstance(a, np.ndarray):
        return bool((a == b).all())
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if hasattr(a, "squares"):
        return all(getattr(a, n) == pytest.approx(getattr(b, n), rel=1e-12) for n in a.__slots__)
    return bool(a == b)


@pytest.mark.parametrize("name", ALL)
def test_batches_do_not_matter(name: str) -> None:
    table = people()
    whole = result(table.to_batches(), ALL[name], table.schema)
    for size in (1 if name != "counts" else 37, 1000, 4999):
        assert same(result(table.to_batches(size), ALL[name], table.schema), whole)


@pytest.mark.parametrize("name", ["counts", "moments", "histogram"])
def test_parts_add_up_in_any_order(name: str) -> None:
    table, statistic = people(), ALL[name]
    whole = result(table.to_batches(), statistic, table.schema)
    parts = []
    for k in range(4):
        part = statistic.begin(table.schema, k)
        for batch in table.slice(k * 1250, 1250).to_batches(300):
            part.add(batch)
        parts.append(part.parts())
    for order in ((0, 1, 2, 3), (3, 1, 0, 2)):
        total = statistic.begin(table.schema)
        for k in order:
            total.take(parts[k])
        assert same(total.result(), whole)
    begun = statistic.begin(table.schema)
    for batch in table.slice(0, 1250).to_batches():
        begun.add(batch)
    for k in (2, 3, 1):
        begun.take(parts[k])
    assert same(begun.result(), whole)
    again = statistic.begin(table.schema)
    again.take(begun.parts())
    assert same(again.result(), whole)


def test_no_rows() -> None:
    table = people(0)
    found = collect(table, ALL)
    assert found["counts"]["t", "i"].total == 0
    assert found["moments"]["i"].n == 0
    assert found["histogram"].sum() == 0
    assert found["sample"].num_rows == 0
    assert found["sample"].schema.names == ["t", "many"]


def test_values_that_arrive_late_find_room() -> None:
    grows = pa.table({"a": np.repeat(np.arange(200), 5), "b": np.tile(np.arange(5), 200)})
    part = Tally([("a", "b"), ("b",)], grows.schema)
    for batch in grows.to_batches(7):
        part.add(batch)
    assert (part.counts(("a", "b")).n == 1).all()
    assert part.counts(("b",)).n.tolist() == [200] * 5


def test_dictionaries_that_change_from_batch_to_batch() -> None:
    parts = [["x", "y"], ["y", "z"], ["x", "y"], ["z"]]
    batches = [pa.RecordBatch.from_pydict({"a": pa.array(p).dictionary_encode()}) for p in parts]
    part = Tally([("a",)], batches[0].schema)
    for batch in batches:
        part.add(batch)
    found = part.counts(("a",))
    assert found.axes[0].labels == ("x", "y", "z")
    assert found.n.tolist() == [2, 3, 2]


def test_sparse_tables_equal_dense_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    table = people()
    dense = collect(table, {"c": Counted(SETS)})["c"]
    monkeypatch.setattr(tally, "WHOLE", 10)
    monkeypatch.setattr(tally, "GATHERED", 100)
    assert same(collect(table, {"c": Counted(SETS)})["c"], dense)


def test_too_many_cells_are_refused_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "MOST", 1000)
    monkeypatch.setattr(tally, "WHOLE", 10)
    with pytest.raises(SourceError, match="cells that occur"):
        collect(people(), {"c": Counted((("many", "i"),))})
    monkeypatch.setattr("discreet.tables.alphabet.MOST", 1000)
    with pytest.raises(SourceError, match="looks like an id"):
        collect(people(), {"c": Counted((("many",),))})


def test_too_many_columns_together_are_refused() -> None:
    wide = pa.table({f"c{j}": np.arange(100) for j in range(12)})
    with pytest.raises(SourceError, match="64 bits"):
        counts_of(wide, *wide.column_names)


@given(
    st.lists(
        st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True).map(tuple),
        min_size=1,
        max_size=8,
    ),
    st.lists(st.integers(1, 200), min_size=6, max_size=6),
)
@settings(max_examples=100, deadline=None)
def test_a_cover_holds_every_set(sets: list[tuple[str, ...]], sizes: list[int]) -> None:
    radix = dict(zip("abcdef", sizes, strict=True))
    covered = cover(sets, radix)
    assert all(any(set(s) <= set(c) for c in covered) for s in sets)
    for c in covered:
        assert np.prod([radix[n] for n in c]) <= tally.TOGETHER or any(set(c) == set(s) for s in sets)


@pytest.mark.parametrize("sets", [SETS[1:2], (("i", "many"), ("b", "i")), (("t", "f"),)])
def test_duckdb_counts_the_same(sets: tuple[tuple[str, ...], ...], tmp_path: Path) -> None:
    path = tmp_path / "one.parquet"
    pq.write_table(people(), path)
    stream, duck, chosen = (
        collect(path, {"c": Counted(sets)}, engine=e)["c"] for e in ("stream", "duckdb", None)
    )
    assert stream == duck == chosen
    with pytest.raises(SourceError, match="no Parquet"):
        collect(people(), {"c": Counted(sets)}, engine="duckdb")


def test_moments_are_exact_where_sums_are_not() -> None:
    far = 1e9 + np.arange(1000) % 7
    found = collect(pa.table({"x": far}), {"m": Moments(("x",))})["m"]["x"]
    assert found.mean == pytest.approx(far.mean(), rel=1e-15)
    assert found.variance == pytest.approx(far.var(), rel=1e-9)
    assert (found.low, found.high, found.n, found.missing) == (1e9, 1e9 + 6, 1000, 0)


def test_a_histogram_has_a_place_for_everything() -> None:
    values = pa.table({"x": [-1.0, 0.0, 0.5, 1.0, float("nan"), None, float("inf")]})
    assert collect(values, {"h": Histogram("x", (0.0, 1.0))})["h"].tolist() == [1, 2, 2, 2]
    with pytest.raises(ParameterError):
        collect(values, {"h": Histogram("x", (1.0, 0.0))})


def test_every_row_is_as_likely_to_be_sampled() -> None:
    table = pa.table({"row": np.arange(40)})
    n = np.zeros(40, dtype=int)
    for seed in range(500):
        some = sample_of(table, 10, seed=seed)["row"].to_numpy()
        assert len(set(some)) == 10
        assert (np.diff(some) > 0).all()
        n[some] += 1
    assert chisquare(n).pvalue > 1e-4


def test_shards_sample_as_one() -> None:
    table = pa.table({"row": np.arange(40)})
    n = np.zeros(40, dtype=int)
    for seed in range(300):
        asked = Sampled(("row",), 10, seed)
        total = asked.begin(table.schema)
        for shard, (start, length) in enumerate([(0, 3), (3, 30), (33, 7)]):
            part = asked.begin(table.schema, shard)
            for batch in table.slice(start, length).to_batches(4):
                part.add(batch)
            total.take(part.parts())
        n[total.result()["row"].to_numpy()] += 1
    assert n.sum() == 3000
    assert chisquare(n).pvalue > 1e-4


def test_coded_counts_add_up() -> None:
    table = people(20_000)
    schema = guess_schema(table, private="b")
    codec = fit_codec(table, schema, rng=np.random.default_rng(0))
    asked = CodedCounts(codec)
    whole = collect(table, {"c": asked})["c"]
    assert [c.total for c in whole] == [20_000] * len(codec.public)
    coded = codec.encode(table)
    assert coded.s is not None
    assert whole[0].n[1, 0] == int(((coded.s == 1) & (coded.x[:, 0] == 0)).sum())
    total = asked.begin(table.schema)
    for k in range(2):
        part = asked.begin(table.schema, k)
        for batch in table.slice(k * 10_000, 10_000).to_batches():
            part.add(batch)
        total.take(part.parts())
    assert total.result() == whole


def test_real_counts(adult: Path) -> None:
    published = table_of(open_source(adult.with_name("adult_sx_counts.csv.gz"))).to_pylist()
    found = counts_of(adult, "split", "age7", "income", "sex", "edu4")
    labels = [list(a.labels or ()) for a in found.axes]
    train = 0
    for row in (r for r in published if r["rows"] == "train"):
        assert row["s_age"] == row["x_age"]
        names = [row[n] for n in ("rows", "s_age", "s_income", "x_sex", "x_edu")]
        assert found.n[tuple(one.index(n) for one, n in zip(labels, names, strict=True))] == row["count"]
        train += row["count"]
    assert train == found.n[labels[0].index("train")].sum() == 32_561


# ------------------------------------------------------------------------------------------ samples


def test_samples_are_numbers_and_levels() -> None:
    table = people()
    found = samples_of(table, "b", rng=np.random.default_rng(0))
    assert found.x.names == ("t", "i", "f", "many", "d")
    assert found.x["t"].levels == ("t0", "t1", "t2", "t3", "t4", MISSING)
    assert found.x["i"].is_number
    assert np.isnan(found.x["f"].values).sum() == table["f"].to_pandas().isna().sum()
    assert found.x["d"].values.max() == 2
    assert found.axes[0].labels == ("false", "true")
    assert found.counts.tolist() == [int((~np.asarray(table["b"])).sum()), int(np.asarray(table["b"]).sum())]


def test_samples_are_bounded_and_seeded() -> None:
    table = people()
    one, two, other = (
        samples_of(table, "b", ["i", "t"], most=100, rng=np.random.default_rng(k)) for k in (1, 1, 2)
    )
    assert one.n == two.n == other.n == 100
    assert (one.x["i"].values == two.x["i"].values).all()
    assert not (one.x["i"].values == other.x["i"].values).all()


def test_several_secrets_are_one() -> None:
    found = samples_of(people(), ["b", "t"], "i", rng=np.random.default_rng(0))
    assert found.size == 12
    assert found.axes[0].name == "b × t"
    assert "false · t0" in (found.axes[0].labels or ())


def test_a_private_number_is_binned() -> None:
    found = samples_of(people(), "many", "i", rng=np.random.default_rng(0))
    assert found.size == 4


def test_dates_are_days_and_times_seconds() -> None:
    table = pa.table(
        {
            "z": pa.array([86_400_000_000] * 2, pa.timestamp("us", tz="UTC")),
            "d": pa.array([86_400_000] * 2, pa.date64()),
            "c": pa.array([3_600_000] * 2, pa.time32("ms")),
            "s": ["a", "b"],
        }
    )
    found = columns_of(table, guess_schema(table, private="s"))
    assert [c.values[0] for c in found] == [1, 1, 3600]


def test_samples_of_nothing() -> None:
    with pytest.raises(SchemaError, match="no rows"):
        samples_of(people(0), "b", "i", rng=np.random.default_rng(0))
    with pytest.raises(SchemaError, match="one purpose"):
        samples_of(people(), "b", ["b", "i"], rng=np.random.default_rng(0))
    with pytest.raises(SchemaError, match="did you mean 'many'"):
        samples_of(people(), "b", ["manny"], rng=np.random.default_rng(0))


def test_one_secret_only() -> None:
    table = people().append_column("same", pa.array(["x"] * 5000))
    found = samples_of(table, "same", "i", rng=np.random.default_rng(0))
    assert found.size == 1
    assert table_of(open_source(table)).num_rows == found.n
