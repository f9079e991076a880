"""Learned sanitisers over batches: NumPy alone, the same record by record, in the columns' own types."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.core.errors import SchemaError
from discreet.mechanisms.learned.channel import LearnedChannel
from discreet.mechanisms.learned.layout import Layout
from discreet.neural.sanitisers import AdditiveNoise, Generator
from discreet.tables.guess import guess_schema
from discreet.tables.kernels import Kernel
from discreet.tables.keystream import Key
from discreet.tables.learned import LearnedPart
from discreet.tables.releasing import Release
from discreet.tables.samples import samples_of
from discreet.tables.schema import Kind
from discreet.tables.sink import frame_sink
from discreet.tables.source import open_source

NAMES = ("age", "height", "edu", "grade", "seen", "member", "money", "day")


def people(n: int = 2000, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=int(k)) for k in rng.integers(0, 900, n)]
    return pa.table(
        {
            "income": pa.array(np.where(rng.random(n) < 0.4, "high", "low")),
            "age": pa.array(rng.integers(18, 90, n), pa.int8(), mask=rng.random(n) < 0.1),
            "height": pa.array(rng.normal(170, 10, n)),
            "edu": pa.array(rng.choice(["a", "b", "c"], n), mask=rng.random(n) < 0.1),
            "grade": pa.array(rng.choice(["x", "y"], n)).dictionary_encode(),
            "seen": pa.array((rng.integers(0, 10**8, n) * 10**6).astype("M8[us]"), pa.timestamp("us", "UTC")),
            "member": pa.array(rng.random(n) < 0.5, mask=rng.random(n) < 0.1),
            "money": pa.array(
                [Decimal(int(k)) / 100 for k in rng.integers(0, 10**5, n)], pa.decimal128(9, 2)
            ),
            "day": pa.array(days),
        }
    )


def channel_of(table: pa.Table, schema: Any, family: str = "generator") -> LearnedChannel:
    samples = samples_of(table, "income", NAMES, schema=schema, rng=np.random.default_rng(0))
    layout = Layout.of(samples.x)
    rng = np.random.default_rng(1)
    if family == "additive_noise":
        noise = AdditiveNoise(layout.width, hidden=(16,))
        return LearnedChannel(noise, noise.start(rng), layout)
    secrets = 2 if family == "sees" else 0
    sizes = tuple(size for _, size in layout.categories)
    generator = Generator(len(layout.numbers), sizes, secrets, hidden=(32, 32))
    arrays = generator.start(rng)
    arrays["w2"] = arrays["w2"] * 20
    return LearnedChannel(generator, arrays, layout)


def kernel_of(table: pa.Table, family: str = "generator") -> Kernel:
    from discreet.tables.fit import fit_codec

    schema = guess_schema(table, private="income")
    codec = fit_codec(table, schema, rng=np.random.default_rng(0), most=64)
    part = LearnedPart(schema, channel_of(table, schema, family))
    return Kernel((part,), NAMES, tuple(schema[n].arrow for n in NAMES), codec.secret)


def released(table: pa.Table, kernel: Kernel, size: int = 1 << 16) -> pa.Table:
    source = open_source(table.to_reader(max_chunksize=size))
    release = Release(kernel, "digest", Key.of_seed(3))
    sink = frame_sink(open_source(table), kernel.schema)
    made, told = release.to_sink(source, sink)
    assert told.rows == table.num_rows
    return made


@pytest.mark.parametrize("family", ["generator", "additive_noise", "sees"])
def test_a_release_has_the_types_of_the_records(family: str) -> None:
    table = people()
    made = released(table, kernel_of(table, family))
    assert made.schema.equals(table.select(list(NAMES)).schema)
    for name in ("edu", "grade", "member"):
        assert set(made[name].to_pylist()) <= set(table[name].to_pylist())
    for name in ("age", "height", "seen", "money", "day"):
        low, high = (bound(v for v in table[name].to_pylist() if v is not None) for bound in (min, max))
        if name == "height":
            low, high = low - 1e-4, high + 1e-4  # the nearest on the grid
        assert all(low <= v <= high for v in made[name].to_pylist() if v is not None)
    assert sum(a != b for a, b in zip(made["height"], table["height"], strict=True)) > 1900
    assert made["age"].null_count > 0


@pytest.mark.parametrize("family", ["generator", "additive_noise"])
def test_a_record_is_released_the_same_in_any_batch(family: str) -> None:
    table = people(600)
    kernel = kernel_of(people(), family)
    whole = released(table, kernel)
    for size in (1, 7, 100):
        assert released(table, kernel, size).equals(whole)


def test_records_alone_and_together_are_the_same_by_id() -> None:
    from discreet.tables.keystream import ById
    from discreet.tables.mapping import Address, mapped

    table = people(200).append_column("id", pa.array(range(200)))
    run = mapped(kernel_of(people()), Address(ById(Key.of_seed(1), "digest"), "id"))
    together = pa.Table.from_batches(list(run(table.to_batches())))
    alone = pa.Table.from_batches(
        [made for row in range(200) for made in run(table.slice(row, 1).to_batches())]
    )
    assert alone.equals(together)


def test_levels_never_learned_are_counted() -> None:
    kernel = kernel_of(people())
    table = people(5).set_column(3, "edu", pa.array(["a", "new", None, "other", "b"]))
    assert kernel.read(table.to_batches()[0]).surprises == {"edu": 2}


def test_numbers_lie_on_a_grid_far_above_the_last_digit() -> None:
    made = np.asarray(released(people(), kernel_of(people()))["height"])
    step = 2.0**-15
    assert (made / step == np.rint(made / step)).all()
    assert len(np.unique(made)) > 1500


def test_a_level_that_is_none_is_refused() -> None:
    table = people()
    schema = guess_schema(table, private="income")
    part = LearnedPart(schema, channel_of(table, schema))
    other = schema.with_fields([type(schema["edu"])("edu", schema["edu"].role, Kind.CATEGORY, "int64")])
    wrong = LearnedPart(other, part.channel)
    with pytest.raises(SchemaError, match="levels"):
        wrong._spoken  # noqa: B018 — made when first asked


def test_no_framework_is_loaded(tmp_path: Path) -> None:
    program = (
        "import sys; from discreet.tables import learned, kernels, releasing; "
        "from discreet.mechanisms.learned import channel; print('jax' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
