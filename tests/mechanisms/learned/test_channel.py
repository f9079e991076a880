"""A learned channel in NumPy: the same for one record and for many, storage, refusals."""

from __future__ import annotations

import json

import numpy as np
import pytest

from discreet.core.channel import MatrixChannel
from discreet.core.errors import DiscreetError
from discreet.core.gaussian_channel import GaussianChannel
from discreet.core.samples import Column, Columns, Samples
from discreet.mechanisms.learned.channel import LearnedChannel
from discreet.mechanisms.learned.erasure import linear_erasure
from discreet.mechanisms.learned.layout import Layout
from discreet.mechanisms.learned.weights import from_weights, weights_of
from discreet.neural.sanitisers import AdditiveNoise, Generator


def people(n: int = 300, seed: int = 0) -> Samples:
    """Numbers, whole numbers with gaps, a heavy tail, and categories with a missing level."""
    rng = np.random.default_rng(seed)
    s = rng.integers(0, 2, n)
    age = rng.normal(40 + 5 * s, 10).round()
    age[rng.random(n) < 0.1] = np.nan
    columns = [
        Column("height", rng.normal(size=n)),
        Column("age", age),
        Column("gain", np.exp(rng.normal(size=n) * 3)),
        Column("work", rng.integers(0, 4, n), ("a", "b", "c", None)),
        Column("sex", (rng.random(n) < 0.3 + 0.4 * s).astype(int), ("f", "m")),
    ]
    return Samples(Columns(columns), s)


def generator(samples: Samples, secrets: int = 0) -> LearnedChannel:
    layout = Layout.of(samples.x)
    sizes = tuple(size for _, size in layout.categories)
    family = Generator(len(layout.numbers), sizes, secrets, hidden=(64, 64))
    arrays = family.start(np.random.default_rng(1))
    arrays["w2"] = arrays["w2"] * 20
    return LearnedChannel(family, arrays, layout)


def test_a_record_does_not_depend_on_the_rows_beside_it() -> None:
    samples = people(500)
    channel = generator(samples)
    matrix = channel.layout.matrix(samples.x)
    words = np.random.default_rng(3).integers(0, 2**64, (500, channel.words), dtype=np.uint64)
    whole = channel.push(matrix, words)
    for size in (1, 7, 128):
        parts = [channel.push(matrix[i : i + size], words[i : i + size]) for i in range(0, 500, size)]
        assert np.array_equal(np.concatenate(parts), whole, equal_nan=True)


def test_what_is_released_has_the_columns_that_came_in() -> None:
    samples = people()
    channel = generator(samples)
    released = channel.release(samples.x, rng=np.random.default_rng(0))
    assert released.names == samples.x.names
    assert released["work"].levels == ("a", "b", "c", None)
    age = released["age"].values
    assert np.nanmin(age) >= np.nanmin(samples.x["age"].values)
    assert (age[np.isfinite(age)] == np.rint(age[np.isfinite(age)])).all()
    assert np.isnan(age).any()


def test_a_layout_is_undone() -> None:
    samples = people()
    layout = Layout.of(samples.x)
    matrix = layout.matrix(samples.x)
    assert np.allclose(layout.narrow(layout.wide(matrix)), matrix, equal_nan=True, rtol=1e-9)
    assert Layout.of_json(json.loads(json.dumps(layout.to_json()))) == layout


def test_levels_are_matched_by_name() -> None:
    samples = people()
    layout = Layout.of(samples.x)
    other = Columns(
        [
            *samples.x[:3],
            Column("work", [0, 1], ("c", "new")).take(np.zeros(300, dtype=int)),
            samples.x["sex"],
        ]
    )
    assert (layout.matrix(other)[:, 3] == 2).all()


@pytest.mark.parametrize("kind", ["generator", "sees", "additive", "erasure", "gaussian", "matrix"])
def test_a_channel_comes_back_from_its_weights(kind: str) -> None:
    samples = people()
    numbers = Samples(samples.x.select(["height", "gain"]), samples.s)
    layout = Layout.of(numbers.x)
    noise = AdditiveNoise(2, hidden=(16,))
    channel = {
        "generator": lambda: generator(samples),
        "sees": lambda: generator(samples, secrets=2),
        "additive": lambda: LearnedChannel(noise, noise.start(np.random.default_rng(0)), layout),
        "erasure": lambda: linear_erasure(samples),
        "gaussian": lambda: GaussianChannel(0.5, 0.01, 2.0),
        "matrix": lambda: MatrixChannel([[0.9, 0.1], [0.2, 0.8]]),
    }[kind]()
    arrays, description = weights_of(channel)
    again = from_weights(arrays, json.loads(json.dumps(description)))
    x = {
        "gaussian": np.array([[1.0], [2.0]]),
        "matrix": np.array([0, 1]),
        "additive": layout.matrix(numbers.x),
    }.get(kind, Layout.of(samples.x).matrix(samples.x))
    s = samples.s if kind == "sees" else None
    first, second = (one.apply(x, s=s, rng=np.random.default_rng(7)) for one in (channel, again))
    assert np.array_equal(first, second, equal_nan=True)


def test_what_is_refused() -> None:
    samples = people()
    channel = generator(samples, secrets=2)
    matrix = channel.layout.matrix(samples.x)
    rng = np.random.default_rng(0)
    with pytest.raises(DiscreetError, match="secret"):
        channel.apply(matrix, rng=rng)
    with pytest.raises(DiscreetError, match="secret"):
        channel.apply(matrix, s=np.full(300, 5), rng=rng)
    with pytest.raises(DiscreetError, match="level numbers"):
        channel.layout.wide(np.where(np.arange(5) == 3, 9.0, matrix))
    with pytest.raises(DiscreetError, match="columns"):
        channel.layout.wide(matrix[:, :2])
    with pytest.raises(DiscreetError, match="kind"):
        from_weights({}, {"kind": "os.system"})
    with pytest.raises(DiscreetError, match="store it again"):
        from_weights({}, {"kind": "generator"})
    with pytest.raises(DiscreetError, match="table"):
        channel.rows(matrix)
    with pytest.raises(DiscreetError, match="missing"):
        Layout.of(Columns([Column("void", np.full(3, np.nan))]))


def test_nobody_remains_nobody() -> None:
    channel = generator(people())
    assert channel.apply(np.empty((0, 5)), rng=np.random.default_rng(0)).shape == (0, 5)


def test_erasure_leaves_nothing_linear_and_moves_least() -> None:
    """After it no column is correlated with the secret; before it some are."""
    samples = people(2000)
    channel = linear_erasure(samples)
    y = channel.apply(channel.layout.matrix(samples.x), rng=np.random.default_rng(0))
    s = samples.s - samples.s.mean()
    wide = channel.layout.wide(channel.layout.matrix(samples.x))
    assert np.abs(s @ (wide - wide.mean(axis=0))).max() / samples.n > 0.05
    assert np.abs(s @ (y - y.mean(axis=0))).max() / samples.n < 1e-4
    assert channel.rank == 1
