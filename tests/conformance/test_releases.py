"""Every mechanism: what it releases of a symbol follows the channel of the policy, at a million draws."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import chi2, norm

from discreet.core.channel import MatrixChannel
from discreet.core.gaussian_channel import GaussianChannel
from discreet.measures import mutual_information
from discreet.mechanisms.learned.channel import LearnedChannel
from discreet.mechanisms.learned.layout import Layout
from discreet.neural.sanitisers import AdditiveNoise, Generator
from discreet.tables.alias import AliasTable
from discreet.tables.collect import counts_of
from discreet.tables.fit import fit_codec
from discreet.tables.guess import guess_schema
from discreet.tables.kernels import FinitePart, Kernel
from discreet.tables.keystream import ById, ByPosition, Key
from discreet.tables.mapping import Address, mapped
from discreet.tables.noisy import NoisyPart, steps
from discreet.tables.releasing import Release
from discreet.tables.sink import frame_sink
from discreet.tables.source import open_source
from discreet.workflow.design import design
from discreet.workflow.families import FAMILIES
from discreet.workflow.networked import columns_for, part_of
from discreet.workflow.policy import Policy

KEY = Key.of_seed(2026)
DRAWS = 1_000_000
LEAST = 1e-4
LEVELS = ("a", "b", "c", "d", "e")


def people(n: int = 20_000) -> pa.Table:
    """A secret that a column of five levels tells much about."""
    rng = np.random.default_rng(0)
    s = rng.integers(0, 2, n)
    x = np.where(
        s, rng.choice(5, n, p=[0.35, 0.3, 0.2, 0.1, 0.05]), rng.choice(5, n, p=[0.1, 0.1, 0.2, 0.25, 0.35])
    )
    return pa.table({"s": np.array(["no", "yes"])[s], "x": np.array(LEVELS)[x]})


def fits(seen: Any, expected: Any) -> bool:
    """Pearson's χ² test, cells of small expectation together."""
    seen, expected = np.asarray(seen, dtype=float), np.asarray(expected, dtype=float)
    assert not seen[expected == 0].any()
    small = expected < 20
    groups = [(seen[~small], expected[~small]), ([seen[small].sum()], [expected[small].sum()])]
    observed, wanted = (np.concatenate(column) for column in zip(*groups, strict=True))
    observed, wanted = observed[wanted > 0], wanted[wanted > 0]
    if wanted.size == 1:
        return bool(observed[0] == wanted[0] or np.isclose(observed[0], wanted[0]))
    return bool(chi2.sf(((observed - wanted) ** 2 / wanted).sum(), wanted.size - 1) > LEAST)


@cache
def policy_of(mechanism: str, *, labels: bool = False) -> Policy:
    limit = {"perfect_privacy": {"leak": 0.01}}.get(mechanism, {"leak": 0.05})
    rng = np.random.default_rng(1)
    return design(people(), private="s", public=["x"], mechanism=mechanism, labels=labels, rng=rng, **limit)


def of_one_level(level: str, secret: str, n: int = DRAWS) -> pa.Table:
    nothing = pa.array(np.zeros(n, dtype=np.int8))
    return pa.table(
        {
            "s": pa.DictionaryArray.from_arrays(nothing, pa.array([secret])),
            "x": pa.DictionaryArray.from_arrays(nothing, pa.array([level])),
        }
    )


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", FAMILIES)
def test_released_symbols_follow_the_channel(mechanism: str) -> None:
    policy = policy_of(mechanism)
    (block,) = policy.codec.public
    p = policy.channel.p
    for x, level in enumerate(LEVELS):
        symbol = block.encode(pa.table({"x": [level]})).symbols[0]
        released = policy.apply(of_one_level(level, "yes"), key=Key.of_seed(x))
        seen = np.bincount(block.encode(released).symbols, minlength=block.size)
        assert seen.sum() == DRAWS
        assert fits(seen, DRAWS * p[symbol])


@pytest.mark.slow
def test_released_labels_follow_the_channel() -> None:
    policy = policy_of("generalisation", labels=True)
    (one,) = policy.channels
    (block,) = policy.codec.public
    for level in LEVELS:
        symbol = block.encode(pa.table({"x": [level]})).symbols[0]
        released = policy.apply(of_one_level(level, "no", 1000), key=KEY)["x"].to_pylist()
        for label in set(released):
            share = sum(
                p for p, said in zip(one.channel.p[symbol], one.labels[0], strict=True) if said == label
            )
            assert fits(
                [released.count(label), 1000 - released.count(label)], [1000 * share, 1000 * (1 - share)]
            )


@pytest.mark.slow
@pytest.mark.parametrize("address", ["position", "id"])
def test_a_channel_that_sees_the_secret_is_followed(address: str) -> None:
    policy = policy_of("randomised_response")
    rng = np.random.default_rng(3)
    channel = MatrixChannel(rng.dirichlet(np.full(5, 0.3), (2, 5)))
    block = policy.codec.public[0]
    part = FinitePart(block, AliasTable.of(channel.p.reshape(10, 5)), secret=True)
    kernel = Kernel((part,), ("x",), (pa.string(),), policy.codec.secret)
    n = 1 << 18
    stream = ByPosition(KEY, "digest") if address == "position" else ById(KEY, "digest")
    for s, secret in enumerate(("no", "yes")):
        for x, level in enumerate(LEVELS):
            (batch,) = of_one_level(level, secret, n).to_batches()
            ids = [pa.array(np.arange(n) + (10 * s + x) * n)]
            words = Address(stream, "id").words((10 * s + x) * n, n, ids, kernel.words)
            y = block.encode(kernel.release(kernel.read(batch).arrays, words)).symbols
            assert fits(np.bincount(y, minlength=5), n * channel.p[s, x])


@pytest.mark.slow
@pytest.mark.parametrize("kind", [pa.float64(), pa.int16(), pa.float32(), pa.timestamp("s")], ids=str)
def test_noise_on_numbers_follows_its_law(kind: pa.DataType) -> None:
    deviation, low, high = 40.0, 0.0, 1000.0
    whole = not pa.types.is_floating(kind)
    step = steps([deviation], [low], [high], [whole])
    part = NoisyPart(
        ("x",), (kind,), GaussianChannel([[1.0]], deviation**2), np.array([low]), np.array([high]), step
    )
    kernel = Kernel((part,), ("x",), (kind,))
    words = ByPosition(KEY, "digest").words(0, DRAWS, kernel.words)
    values = pa.array(np.full(DRAWS, 500)).cast(pa.int64()).cast(kind)
    batch = pa.RecordBatch.from_arrays([values], ["x"])
    released = kernel.release(kernel.read(batch).arrays, words).column(0)
    assert released.type == kind
    y = np.asarray(released.cast(pa.int64()) if pa.types.is_timestamp(kind) else released, dtype=np.float64)
    assert (y / step[0] == np.rint(y / step[0])).all()
    edges = 500 + step[0] * np.rint(norm.ppf(np.arange(1, 100) / 100) * deviation / step[0])
    law = np.diff(norm.cdf(np.concatenate([[-np.inf], edges - step[0] / 2, [np.inf]]), 500, deviation))
    seen = np.bincount(np.searchsorted(edges, y, side="right"), minlength=100)
    assert fits(seen, DRAWS * law)


def test_a_missing_number_is_noised_like_any_other() -> None:
    step = steps([1.0], [0.0], [10.0], [False])
    part = NoisyPart(
        ("x",), (pa.float64(),), GaussianChannel([[1.0]], 1.0), np.zeros(1), np.full(1, 10.0), step
    )
    kernel = Kernel((part,), ("x",), (pa.float64(),))
    batch = pa.RecordBatch.from_arrays([pa.array([None, float("nan"), 5.0, -99.0, 99.0, 0.0])], ["x"])
    read = kernel.read(batch)
    assert read.arrays[0][:, 0].tolist() == [5, 5, 5, 0, 10, 0]
    assert read.surprises == {"x": 2}
    assert kernel.release(read.arrays, np.ones((6, 2), dtype=np.uint64)).column(0).null_count == 0


def mixed(n: int = 2000) -> pa.Table:
    rng = np.random.default_rng(0)
    return pa.table(
        {
            "s": pa.array(np.where(rng.random(n) < 0.4, "yes", "no")),
            "age": pa.array(rng.integers(18, 90, n), pa.int8(), mask=rng.random(n) < 0.1),
            "height": pa.array(rng.normal(170, 10, n)),
            "edu": pa.array(rng.choice(["a", "b", "c"], n), mask=rng.random(n) < 0.1),
            "grade": pa.array(rng.choice(["x", "y"], n)).dictionary_encode(),
            "seen": pa.array((rng.integers(0, 10**8, n) * 10**6).astype("M8[us]"), pa.timestamp("us", "UTC")),
            "member": pa.array(rng.random(n) < 0.5, mask=rng.random(n) < 0.1),
        }
    )


@cache
def learned(family: str) -> Kernel:
    """A network that nobody trained: its law is none that was wished for, but it is one."""
    table, rng = mixed(), np.random.default_rng(1)
    schema = guess_schema(table, private="s")
    codec = fit_codec(table, schema, rng=rng, most=64)
    names = schema.public
    layout = Layout.of(columns_for(table, names, schema, codec, 20))
    sizes = tuple(size for _, size in layout.categories)
    network: Any = AdditiveNoise(layout.width, hidden=(16,))
    if family != "additive_noise":
        network = Generator(len(layout.numbers), sizes, 2 if family == "sees" else 0, hidden=(32, 32))
    arrays = network.start(rng)
    part = part_of(names, schema, codec, LearnedChannel(network, arrays, layout))
    return Kernel((part,), names, tuple(schema[n].arrow for n in names), codec.secret)


def released_by(kernel: Kernel, table: pa.Table, size: int = 1 << 16) -> pa.Table:
    source = open_source(table.to_reader(max_chunksize=size))
    made, _ = Release(kernel, "digest", KEY).to_sink(source, frame_sink(open_source(table), kernel.schema))
    return made


@pytest.mark.parametrize("family", ["generator", "additive_noise", "sees"])
def test_a_learned_release_has_the_types_of_the_records(family: str) -> None:
    table, kernel = mixed(), learned(family)
    made = released_by(kernel, table)
    assert made.schema.equals(table.select(list(kernel.columns)).schema)
    assert sum(a != b for a, b in zip(made["height"], table["height"], strict=True)) > 1900
    for name in ("edu", "grade", "member"):
        assert set(made[name].to_pylist()) <= set(table[name].to_pylist())


@pytest.mark.parametrize("family", ["generator", "additive_noise", "sees"])
def test_a_record_is_released_the_same_alone_and_among_others(family: str) -> None:
    table, kernel = mixed(500), learned(family)
    whole = released_by(kernel, table)
    for size in (1, 7, 100):
        assert released_by(kernel, table, size).equals(whole)
    named = table.append_column("id", pa.array(range(500)))
    run = mapped(kernel, Address(ById(KEY, "digest"), "id"))
    together = pa.Table.from_batches(list(run(named.to_batches())))
    alone = [made for row in range(0, 500, 5) for made in run(named.slice(row, 1).to_batches())]
    assert pa.Table.from_batches(alone).equals(together.take(list(range(0, 500, 5))))


@pytest.mark.slow
def test_a_learned_release_follows_its_channel() -> None:
    kernel = learned("generator")
    (part,) = kernel.parts
    n = 200_000
    (row,) = mixed(1).to_batches()
    read = np.repeat(kernel.read(row).arrays[0], n, axis=0)
    words = ByPosition(KEY, "digest").words(0, n, part.words)
    released = dict(zip(part.names, part.release(read, words), strict=True))
    wanted = part.channel.apply(read, rng=np.random.default_rng(5))
    for j, levels in enumerate(part.levels):
        if levels is not None:
            seen = np.bincount(levels.encode(released[part.names[j]])[0], minlength=levels.size)
            other = np.bincount(wanted[:, j].astype(np.int64), minlength=levels.size)
            both = (seen + other) / 2
            kept = both > 20
            statistic = (((seen - both)[kept] ** 2 + (other - both)[kept] ** 2) / both[kept]).sum()
            assert chi2.sf(statistic, max(kept.sum() - 1, 1)) > LEAST


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", FAMILIES)
def test_what_the_release_leaks_is_what_was_designed(mechanism: str) -> None:
    policy = policy_of(mechanism)
    table = people(500_000)
    released = policy.apply(table, key=KEY)
    truth = counts_of(table, "s", "x").joint().through(in_order(policy))
    found = counts_of(pa.table({"s": table["s"], "y": released["x"]}), "s", "y").joint()
    designed, measured = (float(mutual_information(joint.lift())) for joint in (truth, found))
    assert abs(measured - designed) < 4e-4 + 0.05 * designed
    limit = policy.design.limit
    assert limit.met
    assert measured <= limit.asked
    if limit.held.interval is not None:
        assert measured <= limit.held.interval[1]


def in_order(policy: Policy) -> MatrixChannel:
    """The channel of a policy with its inputs in the order of the levels."""
    (block,) = policy.codec.public
    return MatrixChannel(policy.channel.p[block.encode(pa.table({"x": list(LEVELS)})).symbols])
