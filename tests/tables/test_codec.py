"""Rows ↔ symbols: every type there and back, rare values unnamed, draws that follow the data, JSON read strictly."""

from __future__ import annotations

import copy
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import chisquare

from discreet.core.errors import SchemaError
from discreet.tables.bins import Bins
from discreet.tables.block import nearest
from discreet.tables.codec_json import codec_of
from discreet.tables.coding import coding_of, grid_of, rounded
from discreet.tables.fit import block_of, fit_codec
from discreet.tables.guess import guess_schema
from discreet.tables.levels import MISSING, OTHER, Levels
from discreet.tables.schema import Field, Kind, Role
from discreet.tables.source import open_source, table_of

N = 4000


def words(n: int, k: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(0, 2**64, size=(n, k), dtype=np.uint64)


def field(kind: Kind, values: pa.Array, **more: Any) -> Field:
    return Field("c", Role.PUBLIC, kind, str(values.type), **more)


def some(values: list[Any], kind: pa.DataType) -> pa.Array:
    rng = np.random.default_rng(1)
    drawn = [values[k] for k in rng.integers(0, len(values), N)]
    return pa.array([None if rng.random() < 0.1 else v for v in drawn], kind)


LEVELLED = {
    "text": some(["a", "b", "ü"], pa.string()),
    "large text": some(["a", "b"], pa.large_string()),
    "view": some(["a", "b"], pa.string_view()),
    "category": some(["a", "b"], pa.string()).dictionary_encode(),
    "small category": some(["a", "b"], pa.string())
    .dictionary_encode()
    .cast(pa.dictionary(pa.int8(), pa.string(), ordered=True)),
    "numbers as category": some([10, 20], pa.int64()).dictionary_encode(),
    "boolean": some([True, False], pa.bool_()),
    "whole": some([1, 2, -3], pa.int16()),
    "unsigned": some([0, 2**64 - 1], pa.uint64()),
    "float": some([0.1, 1.5, -0.0], pa.float64()),
    "single": some([0.1, 1.5], pa.float32()),
    "decimal": some([Decimal("1.10"), Decimal("2.25")], pa.decimal128(9, 2)),
    "day": some([dt.date(2026, 1, 1), dt.date(1900, 1, 1)], pa.date32()),
    "moment": some([dt.datetime(2026, 1, 1, 12)], pa.timestamp("us")),
    "zoned": some([dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)], pa.timestamp("us", tz="Europe/Berlin")),
    "clock": some([dt.time(12), dt.time(13, 30)], pa.time64("us")),
}


@pytest.mark.parametrize("name", LEVELLED)
def test_levels_go_there_and_back(name: str) -> None:
    values = LEVELLED[name]
    coding = coding_of(field(Kind.CATEGORY, values), values, 5)
    assert isinstance(coding, Levels)
    symbols, strange = coding.encode(values)
    assert strange == 0
    assert symbols.max() == coding.size - 1  # missing is the last level
    back = coding.decode(symbols, words(N, coding.words))
    assert back.type == values.type
    assert back.to_pylist() == values.to_pylist()
    plain = values.dictionary_decode() if isinstance(values, pa.DictionaryArray) else values.cast(values.type)
    assert (coding.encode(plain)[0] == symbols).all()
    if not pa.types.is_string_view(values.type):
        assert (coding.encode(plain.dictionary_encode())[0] == symbols).all()


NUMBERED = {
    "whole": some(list(range(100)), pa.int64()),
    "small": some(list(range(-100, 100)), pa.int8()),
    "unsigned": some(list(range(200)), pa.uint8()),
    "tens": some(list(range(0, 1000, 10)), pa.int32()),
    "float": pa.array(np.random.default_rng(0).normal(size=N)),
    "cents": pa.array(np.random.default_rng(0).normal(50, 20, size=N).round(2)),
    "single": pa.array(np.random.default_rng(0).normal(size=N).astype(np.float32)),
    "half": pa.array(np.random.default_rng(0).normal(size=N).astype(np.float16)),
    "decimal": some([Decimal(k) / 4 for k in range(100)], pa.decimal128(12, 2)),
    "day": some([dt.date(1950, 1, 1) + dt.timedelta(days=k) for k in range(20_000)], pa.date32()),
    "moment": some(
        [dt.datetime(2000, 1, 1) + dt.timedelta(hours=k) for k in range(9_000)], pa.timestamp("ns")
    ),
    "zoned": some(
        [dt.datetime(2000, 1, 1, tzinfo=dt.UTC) + dt.timedelta(minutes=k) for k in range(9_000)],
        pa.timestamp("s", tz="Asia/Tokyo"),
    ),
    "clock": some([dt.time(k % 24, k % 60) for k in range(999)], pa.time32("s")),
    "span": some([dt.timedelta(seconds=k) for k in range(999)], pa.duration("ms")),
}


@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_are_drawn_from_their_own_bin_and_type(name: str) -> None:
    values = NUMBERED[name]
    coding = coding_of(field(Kind.DATE if name == "day" else Kind.NUMBER, values), values, 20)
    assert isinstance(coding, Bins)
    assert coding.size == 8 + coding.missing
    symbols, strange = coding.encode(values)
    assert strange == 0
    back = coding.decode(symbols, words(N, 1))
    assert back.type == values.type
    assert (coding.encode(back)[0] == symbols).all()
    assert (np.asarray(back.is_null()) == np.asarray(values.is_null())).all()
    assert len(set(coding.labels)) == coding.size


def test_values_stay_on_the_grid_of_the_data() -> None:
    for name, grain in (("tens", 10), ("cents", 0.01), ("moment", 3600e9), ("decimal", 0.25), ("float", 0)):
        values = NUMBERED[name]
        coding = coding_of(field(Kind.NUMBER, values), values, 20)
        assert isinstance(coding, Bins)
        assert coding.grain == pytest.approx(grain)
    drawn = coding_of(field(Kind.NUMBER, NUMBERED["tens"]), NUMBERED["tens"], 20).decode(
        np.zeros(500, int), words(500, 1)
    )
    assert set(np.asarray(drawn) % 10) == {0}


def test_a_value_that_many_share_keeps_its_share() -> None:
    rng = np.random.default_rng(0)
    hours = np.where(rng.random(20_000) < 0.5, 40, rng.integers(1, 99, 20_000))
    values = pa.array(hours)
    coding = coding_of(field(Kind.NUMBER, values), values, 20)
    drawn = np.asarray(coding.decode(coding.encode(values)[0], words(20_000, 1, seed=9)))
    assert np.mean(drawn == 40) == pytest.approx(np.mean(hours == 40), abs=0.01)
    assert drawn.mean() == pytest.approx(hours.mean(), rel=0.02)
    assert drawn.std() == pytest.approx(hours.std(), rel=0.02)


def test_nobodys_own_value_is_in_the_coding() -> None:
    rng = np.random.default_rng(3)
    incomes = np.append(rng.lognormal(10, 1, 5000).round(2), [123_456_789.01, 0.07])
    coding = coding_of(field(Kind.NUMBER, pa.array(incomes)), pa.array(incomes), 20)
    text = json.dumps(coding.to_json())
    assert "123456789" not in text
    assert "0.07" not in text
    assert isinstance(coding, Bins)
    held = [v for row in coding.knots for v in row] + list(coding.cuts)
    assert not set(held) & set(incomes.tolist())


def test_rare_levels_are_one_symbol_and_are_never_named() -> None:
    values = pa.array(["often"] * 100 + ["seldom"] * 19 + [f"once {k}" for k in range(30)])
    coding = coding_of(field(Kind.CATEGORY, values), values, 20)
    assert isinstance(coding, Levels)
    assert coding.labels == ("often", OTHER)
    assert "once" not in json.dumps(coding.to_json())
    assert coding.decode(np.array([0, 1]), words(2, 0)).to_pylist() == ["often", OTHER]


def test_other_numbers_are_released_as_named_ones() -> None:
    values = pa.array([1] * 300 + [2] * 100 + list(range(100, 119)), pa.int8())
    coding = coding_of(field(Kind.CATEGORY, values), values, 20)
    assert coding.size == 3
    drawn = np.asarray(coding.decode(np.full(10_000, 2), words(10_000, 1)))
    assert chisquare(np.bincount(drawn)[1:], [7500, 2500]).pvalue > 1e-4


def test_what_was_never_seen_has_a_rule_and_is_counted() -> None:
    values = pa.array(["a"] * 50 + ["b"] * 100)
    closed = coding_of(field(Kind.CATEGORY, values), values, 20)
    symbols, strange = closed.encode(pa.array(["a", "new", None]))
    assert symbols.tolist() == [0, 1, 1]  # the most frequent one
    assert strange == 2
    open_ = coding_of(field(Kind.CATEGORY, values), pa.array([*values.to_pylist(), "rare", None]), 20)
    assert open_.encode(pa.array(["a", "new", None]))[0].tolist() == [0, 2, 3]
    numbers = pa.array(np.arange(1000.0))
    bins = coding_of(field(Kind.NUMBER, numbers), numbers, 20)
    symbols, strange = bins.encode(pa.array([-1e9, 1e9, None, float("inf")]))
    assert symbols.tolist()[:2] == [0, 7]
    assert symbols[3] == 7
    assert strange == 1


def test_a_value_called_like_missing_or_other() -> None:
    values = pa.array([MISSING] * 30 + [OTHER] * 30 + [None] * 30 + ["x"] * 30)
    coding = coding_of(field(Kind.CATEGORY, values), values, 20)
    assert len(set(coding.labels)) == coding.size == 4
    assert coding.decode(coding.encode(values)[0], words(120, 0)).to_pylist() == values.to_pylist()


def test_the_owner_sets_levels_and_borders() -> None:
    values = pa.array(["low", "high", "mid", "odd"] * 30)
    coding = coding_of(field(Kind.ORDERED, values, levels=("low", "mid", "high", "absent")), values, 20)
    assert coding.labels == ("low", "mid", "high", "absent", OTHER)
    ages = pa.array(np.arange(100))
    cut = coding_of(field(Kind.NUMBER, ages, cuts=(18, 65)), ages, 20)
    assert cut.labels == ("up to 17", "18 to 64", "65 and over")
    days = NUMBERED["day"]
    dated = coding_of(field(Kind.DATE, days, cuts=("1970-01-01",)), days, 20)
    assert dated.labels == ("up to 1969-12-31", "1970-01-01 and over", MISSING)
    wide = coding_of(field(Kind.NUMBER, ages, bins=4, binning="width"), ages, 5)
    assert wide.labels == ("up to 24", "25 to 49", "50 to 74", "75 and over") or wide.size == 4


@pytest.mark.parametrize("values", [[7] * 50, [None] * 50, [7] * 49 + [None], [1, 2], [float("nan")] * 30])
def test_little_to_code_is_coded(values: list[Any]) -> None:
    column = pa.array(values, pa.float64())
    for kind in (Kind.NUMBER, Kind.CATEGORY):
        coding = coding_of(field(kind, column), column, 20)
        symbols, _ = coding.encode(column)
        assert symbols.max() < coding.size
        back = coding.decode(symbols, words(len(values), coding.words))
        assert back.null_count <= len(values)
        assert back.type == column.type
        assert sum(coding.weights) == pytest.approx(1)


def test_text_has_no_bins() -> None:
    with pytest.raises(SchemaError, match="category"):
        coding_of(field(Kind.NUMBER, pa.array(["1"])), pa.array(["1"]), 1)


def test_round_numbers_and_grids() -> None:
    assert rounded(0.12, 0.19, 0.17) == 0.2 or 0.12 < rounded(0.12, 0.19, 0.17) <= 0.19
    assert rounded(5, 5, 5) == 5
    assert grid_of(np.array([3.0, 13.0, 23.0]), whole=True) == (10.0, 3.0)
    assert grid_of(np.array([1e18, 1e18 + 2048]), whole=False)[0] >= 0
    assert grid_of(np.empty(0), whole=False) == (0.0, 0.0)


# ------------------------------------------------------------------------------------------- blocks


def test_rare_combinations_have_no_symbol_and_go_to_a_near_one() -> None:
    a, b = np.array([0] * 100 + [1] * 100 + [0] * 3), np.array([0] * 100 + [1] * 100 + [1] * 3)
    columns = [Levels(n, "string", ("x", "y"), (0.5, 0.5), False, False) for n in "ab"]
    block, symbols, moved = block_of(columns, [a, b], 20)
    assert block.cells == (0, 3)
    assert block.counts in {(103, 100), (100, 103)}
    assert moved == pytest.approx(3 / 203)
    assert symbols[:200].tolist() == [0] * 100 + [1] * 100
    coded = block.encode(pa.table({"a": ["x", "y", "y"], "b": ["x", "x", "y"]}))
    assert coded.symbols[[0, 2]].tolist() == [0, 1]
    assert coded.surprises == {"a × b": 1}


def test_the_nearest_differs_in_the_fewest_columns_then_is_the_most_frequent() -> None:
    parts = np.array([[0, 0, 0], [0, 1, 1], [1, 1, 0]])
    assert nearest(np.array([[0, 0, 1], [1, 1, 1]]), parts, np.array([5, 9, 9])).tolist() == [1, 1]
    assert nearest(np.array([[0, 0, 1], [1, 1, 1]]), parts, np.array([99, 9, 10])).tolist() == [0, 2]


def test_a_wide_alphabet_is_searched_like_a_small_one() -> None:
    rng = np.random.default_rng(0)
    columns = [Levels(n, "int64", tuple(range(300)), (1 / 300,) * 300, False, False) for n in "abc"]
    codes = [rng.integers(0, 300, 5000) % 5 * 60 for _ in range(3)]
    block, symbols, _ = block_of(columns, codes, 1)
    assert block._table is None  # 27 million combinations
    table = pa.table(dict(zip("abc", codes, strict=True)))
    assert (block.encode(table).symbols == symbols).all()
    assert [a.to_pylist() for a in block.decode(symbols, words(5000, 0))] == [c.tolist() for c in codes]


# -------------------------------------------------------------------------------------------- codec


def people(n: int = 20_000, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    region = rng.integers(0, 6, n)
    city = region * 10 + rng.integers(0, 5, n)
    rich = rng.random(n) < 0.2 + 0.1 * region / 6
    return pa.table(
        {
            "region": [f"region {r}" for r in region],
            "age": np.clip(rng.normal(45, 15, n), 18, 90).astype(np.int16),
            "city": pa.array([f"city {c}" for c in city]).dictionary_encode(),
            "income": np.where(rich, "high", "low"),
            "ill": pa.array([None if x < 0.05 else bool(x < 0.3) for x in rng.random(n)]),
        }
    )


def test_a_codec_keeps_columns_types_and_order() -> None:
    table = people()
    codec = fit_codec(table, guess_schema(table, private="income"), rng=np.random.default_rng(0))
    assert codec.order == ("region", "age", "city", "ill")
    assert ("region", "city") in [block.names for block in codec.public]
    assert codec.loss.between < 0.02
    coded = codec.encode(table)
    assert coded.s is not None
    assert [int(v) for v in np.bincount(coded.s)] == [
        sum(x == v for x in table["income"].to_pylist()) for v in ("high", "low")
    ]
    released = codec.decode(coded.x, words(table.num_rows, codec.words))
    assert released.schema.equals(table.select(list(codec.order)).schema)
    assert (codec.encode(released, secret=False).x == coded.x).all()
    assert released.column(0).to_pylist() == table["region"].to_pylist()
    labels = codec.labelled(coded.x)
    assert set(labels.column(1).dictionary.to_pylist()) == set(
        codec.public[[b.names for b in codec.public].index(("age",))].columns[0].labels
    )


def test_a_codec_survives_json() -> None:
    table = people()
    schema = guess_schema(table, private=["income", "ill"], utility="city")
    codec = fit_codec(table, schema, rng=np.random.default_rng(0))
    again = codec_of(json.loads(json.dumps(codec.to_json(), allow_nan=False)))
    assert again == codec
    assert (again.encode(table).x == codec.encode(table).x).all()
    assert again.utility is not None
    assert again.secret.size == 6


def test_many_values_never_explode() -> None:
    rng = np.random.default_rng(0)
    n = 30_000
    table = pa.table(
        {f"c{j}": rng.integers(0, 10**6, n) for j in range(5)}
        | {f"t{j}": [f"v{v}" for v in rng.zipf(1.5, n) % 5000] for j in range(5)}
        | {"s": rng.integers(0, 2, n)}
    )
    codec = fit_codec(table, guess_schema(table, private="s"), rng=rng, most=256)
    assert max(block.size for block in codec.public) <= 256
    assert max(codec.loss.moved) <= 0.02
    assert all(v >= 0 for v in codec.loss.within.values())
    assert len(json.dumps(codec.to_json())) < 200_000


def test_blocks_may_be_asked_for() -> None:
    table = people()
    schema = guess_schema(table, private="income")
    codec = fit_codec(
        table, schema, rng=np.random.default_rng(0), blocks=[["age", "ill"], ["city"], ["region"]]
    )
    assert [b.names for b in codec.public] == [("age", "ill"), ("city",), ("region",)]
    assert codec.loss.between > 1
    with pytest.raises(SchemaError, match="once"):
        fit_codec(table, schema, rng=np.random.default_rng(0), blocks=[["age"]])


def test_a_secret_needs_two_values() -> None:
    table = people().append_column("same", pa.array(["x"] * 20_000))
    with pytest.raises(SchemaError, match="two values"):
        fit_codec(table, guess_schema(table, private="same"), rng=np.random.default_rng(0))
    with pytest.raises(SchemaError, match="no rows"):
        fit_codec(table.slice(0, 0), guess_schema(people(), private="income"), rng=np.random.default_rng(0))


def test_the_same_seed_gives_the_same_codec(adult: Path) -> None:
    table = table_of(open_source(adult))
    schema = guess_schema(table, private="income")
    first, second = (fit_codec(table, schema, rng=np.random.default_rng(7), rows=5000) for _ in range(2))
    assert first == second
    assert first.encode(table).x.shape[0] == 48_842


def broken(given: Any, path: list[Any], value: Any) -> Any:
    made = copy.deepcopy(given)
    at = made
    for step in path[:-1]:
        at = at[step]
    if value is KeyError:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["version"], 2),
        (["version"], True),
        (["extra"], 1),
        (["order"], ["age"]),
        (["order"], KeyError),
        (["public"], []),
        (["public"], {}),
        (["secret"], None),
        (["public", 0, "cells"], [3, 1]),
        (["public", 0, "cells"], [10**9]),
        (["public", 0, "cells"], [-1]),
        (["public", 0, "cells", 0], 1e300),
        (["public", 0, "counts"], []),
        (["public", 0, "columns", 0, "coding"], "pickle"),
        (["public", 0, "columns", 0, "type"], "struct<a: int64>"),
        (["public", 0, "columns", 0, "type"], "dictionary<values=" * 500),
        (["public", 0, "columns", 0, "type"], "int8"),
        (["public", 0, "columns", 0, "levels"], ["a", "a", "a", "a", "a", "a"]),
        (["public", 0, "columns", 0, "levels", 0], {"a": 1}),
        (["public", 0, "columns", 0, "levels", 0], "\ud800"),
        (["public", 0, "columns", 0, "weights"], [2.0]),
        (["public", 0, "columns", 0, "weights", 0], -1.0),
        (["public", 0, "columns", 0, "weights", 0], float("nan")),
        (["public", 0, "columns", 0, "missing"], 0),
        (["public", 0, "columns", 0, "name"], 5),
        (["public", 1, "columns", 0, "cuts"], [3, 2, 1]),
        (["public", 1, "columns", 0, "cuts"], [float("inf")]),
        (["public", 1, "columns", 0, "knots"], []),
        (["public", 1, "columns", 0, "knots", 0], [3, 1]),
        (["public", 1, "columns", 0, "common", 0], [[1, 2, 3]]),
        (["public", 1, "columns", 0, "common", 0], [[1.0, 5.0]]),
        (["public", 1, "columns", 0, "grain"], -1),
        (["public", 1, "columns", 0, "type"], "string"),
        (["loss", "between"], "much"),
        (["loss", "within"], []),
    ],
)
def test_a_codec_that_was_tampered_with_is_refused(path: list[Any], value: Any) -> None:
    table = people(3000)
    codec = fit_codec(
        table,
        guess_schema(table, private="income"),
        rng=np.random.default_rng(0),
        blocks=[["region", "city"], ["age"], ["ill"]],
    )
    with pytest.raises(SchemaError):
        codec_of(broken(codec.to_json(), path, value))


@pytest.mark.parametrize("given", [None, [], 3, "codec", {}, {"version": 1}])
def test_what_is_no_codec(given: Any) -> None:
    with pytest.raises(SchemaError):
        codec_of(given)


@pytest.mark.parametrize(
    "kind",
    [
        pa.timestamp("s"),
        pa.timestamp("ms"),
        pa.timestamp("us", tz="UTC"),
        pa.timestamp("ns"),
        pa.date64(),
        pa.date32(),
    ],
    ids=str,
)
def test_moments_in_any_unit_are_in_the_same_bin(kind: pa.DataType) -> None:
    days = pa.array([dt.date(1950, 1, 1) + dt.timedelta(days=k) for k in range(20_000)])
    made = days.cast(pa.timestamp("ns"))
    bins = coding_of(field(Kind.DATE, made), made, 20)
    assert (bins.encode(days.cast(kind))[0] == bins.encode(made)[0]).all()
    assert bins.decode(np.zeros(3, dtype=np.int64), words(3, 1)).type == made.type


def test_spans_in_any_unit_are_in_the_same_bin() -> None:
    made = pa.array([dt.timedelta(seconds=k) for k in range(5000)], pa.duration("ns"))
    bins = coding_of(field(Kind.NUMBER, made), made, 20)
    assert (bins.encode(made.cast(pa.duration("s")))[0] == bins.encode(made)[0]).all()
