"""What was trained is stored as arrays and plain values, and applied where no framework can be imported."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from discreet.core.errors import DiscreetError
from discreet.core.samples import Column, Columns, Samples
from discreet.mechanisms.learned.channel import LearnedChannel
from discreet.mechanisms.learned.erasure import linear_erasure
from discreet.mechanisms.learned.exchange import to_onnx
from discreet.mechanisms.learned.layout import ColumnLayout, Layout
from discreet.mechanisms.learned.weights import from_weights, weights_of
from discreet.neural.exact import EXACT
from discreet.neural.sanitisers import AdditiveNoise, Generator

WITHOUT = """
import json, sys
for name in ("jax", "jaxlib", "optax", "torch"):
    sys.modules[name] = None
import numpy as np
from discreet.mechanisms.learned.weights import from_weights
folder = sys.argv[1]
with np.load(folder + "/weights.npz") as file:
    arrays = dict(file)
channel = from_weights(arrays, json.load(open(folder + "/description.json")))
x, words = np.load(folder + "/x.npy"), np.load(folder + "/words.npy")
np.save(folder + "/y.npy", channel.push(x, words))
"""


def people(n=600, seed=0):
    rng = np.random.default_rng(seed)
    s = rng.integers(0, 2, n)
    pay = (np.exp(rng.normal(7 + s, 1.5, n))).round(2)
    pay[rng.random(n) < 0.2] = np.nan
    columns = [
        Column("height", rng.normal(size=n) + s),
        Column("pay", pay),
        Column("work", rng.integers(0, 3, n), ("a", None, 7)),
        Column("sex", (rng.random(n) < 0.3 + 0.4 * s).astype(int), ("f", "m")),
    ]
    return Samples(Columns(columns), s)


@pytest.fixture(scope="module")
def made():
    """A channel of each family, its network far from where training begins."""
    samples = people()
    levels = tuple(size for _, size in Layout.of(samples.x).categories)
    return {
        "generator": channel_of(samples, Generator(2, levels, hidden=(32, 32))),
        "knots": channel_of(samples, Generator(2, levels, hidden=(32, 32), knots=((-1.0, 0.0, 1.5), ()))),
        "sees": channel_of(samples, Generator(2, levels, secrets=2, hidden=(32, 32))),
        "additive_noise": channel_of(samples.select(["height"]), AdditiveNoise(1, hidden=(32, 32))),
    }


def channel_of(samples, family):
    rng = np.random.default_rng(1)
    arrays = {name: held + 0.1 * rng.normal(size=held.shape) for name, held in family.start(rng).items()}
    return LearnedChannel(family, arrays, Layout.of(samples.x))


def records(channel, n=200):
    return channel.layout.matrix(people(n, seed=5).x)


def stored(channel, folder):
    arrays, description = weights_of(channel)
    np.savez(folder / "weights.npz", **arrays)
    (folder / "description.json").write_text(json.dumps(description, allow_nan=False))


@pytest.mark.parametrize("kind", ["generator", "additive_noise", "erasure"])
def test_it_is_applied_without_a_framework_to_the_same_bytes(made, kind, tmp_path):
    channel = linear_erasure(people()) if kind == "erasure" else made[kind]
    x = records(channel)
    words = np.random.default_rng(3).integers(0, 2**64, (len(x), channel.words), dtype=np.uint64)
    stored(channel, tmp_path)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "words.npy", words)
    subprocess.run([sys.executable, "-c", WITHOUT, str(tmp_path)], check=True, timeout=120)
    assert np.load(tmp_path / "y.npy").tobytes() == channel.push(x, words).tobytes()


@pytest.mark.parametrize("kind", ["generator", "sees", "additive_noise"])
def test_what_is_trained_is_what_is_applied(made, kind):
    """The release in the framework and in NumPy, the draws of categories aside, on the same noise."""
    jax = pytest.importorskip("jax")
    channel = made[kind]
    wide = channel.layout.wide(records(channel))
    rng = np.random.default_rng(4)
    wanted = channel.family.noise
    drawn = rng.normal(size=(len(wide), wanted.normals)), rng.random((len(wide), wanted.uniforms))
    s = np.eye(2)[rng.integers(0, 2, len(wide))]
    _, ours = channel.family.release(EXACT, channel.arrays, wide, s, drawn, None)
    single = tuple(one.astype(np.float32) for one in (wide, s, *drawn))
    _, theirs = channel.family.release(jax.numpy, channel.arrays, *single[:2], single[2:], None)
    assert np.abs(ours - np.asarray(theirs)).max() <= 1e-5


@pytest.mark.parametrize("activation", ["leaky", "tanh", "elu", "softplus"])
@pytest.mark.parametrize("kind", ["generator", "knots", "sees", "additive_noise"])
def test_an_exchanged_model_releases_the_same(made, kind, activation):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    family = replace(made[kind].family, activation=activation)
    channel = LearnedChannel(family, made[kind].arrays, made[kind].layout)
    model = runtime.InferenceSession(to_onnx(channel).SerializeToString(), providers=["CPUExecutionProvider"])
    wide, rng, wanted = channel.layout.wide(records(channel)), np.random.default_rng(4), family.noise
    given = {
        "x": wide,
        "s": np.eye(2)[rng.integers(0, 2, len(wide))],
        "normals": rng.normal(size=(len(wide), wanted.normals)),
        "uniforms": rng.random((len(wide), wanted.uniforms)),
    }
    ours, _ = family.release(
        EXACT, channel.arrays, wide, given["s"], (given["normals"], given["uniforms"]), None
    )
    asked = {one.name: given[one.name].astype(np.float32) for one in model.get_inputs()}
    assert asked.keys() >= {"x", "normals"}
    assert ("s" in asked) == (kind == "sees")
    (theirs,) = model.run(None, asked)
    assert np.abs(ours - theirs).max() <= 1e-5


def test_knots_are_stored_and_checked(made):
    arrays, description = weights_of(made["knots"])
    description = json.loads(json.dumps(description))
    assert from_weights(arrays, description).family == made["knots"].family
    for knots in ([[1.0, 0.0], []], [[0.0], []], [["a", "b"], []], [[0.0, 1.0]], 3):
        broken = {**description, "family": {**description["family"], "knots": knots}}
        with pytest.raises(DiscreetError):
            from_weights(arrays, broken)


def test_cents_stay_cents_and_the_range_is_kept():
    samples = people()
    layout = Layout.of(samples.x)
    pay = layout.columns[1]
    assert (pay.step, pay.bent, pay.missing) == (0.01, True, True)
    given = pay.given(pay.seen(samples.x["pay"].values) + 0.0137)
    assert np.array_equal(given, np.round(given, 2))
    assert given.min() >= pay.low
    assert given.max() <= pay.high


def test_a_number_of_few_values_is_released_as_one_of_them():
    rng = np.random.default_rng(0)
    gain = np.where(rng.random(2000) < 0.9, 0.0, rng.choice([2174.0, 7688.0, 15024.0], 2000))
    gain[:2] = 99_999.0
    layout = ColumnLayout.of(Column("gain", gain))
    assert layout.values == (0.0, 2174.0, 7688.0, 15024.0)
    assert np.array_equal(layout.given(layout.seen(gain[2:])), gain[2:])
    given = layout.given(layout.seen(gain) + rng.normal(0, 0.5, gain.size))
    assert set(np.unique(given)) <= set(layout.values)
    assert ColumnLayout.of(Column("height", rng.normal(size=2000))).values == ()


def test_a_description_that_does_not_suit_is_refused(made):
    arrays, description = weights_of(made["generator"])
    broken = [
        {**description, "family": {**description["family"], "hidden": [10**9]}},
        {**description, "family": {**description["family"], "hidden": ["__import__"]}},
        {**description, "family": {**description["family"], "levels": [2, 3, 2]}},
        {**description, "family": {**description["family"], "activation": "os.system"}},
        {**description, "family": {**description["family"], "residual": "yes"}},
        {**description, "family": {**description["family"], "more": 1}},
        {**description, "columns": description["columns"][:2]},
        {**description, "columns": [{**c, "scale": 0.0} for c in description["columns"]]},
        {**description, "columns": [{**c, "low": float("nan")} for c in description["columns"]]},
        {**description, "columns": "abcd"},
        {**description, "kind": "additive_noise"},
    ]
    for one in broken:
        with pytest.raises(DiscreetError):
            from_weights(arrays, one)


def test_arrays_that_do_not_suit_are_refused(made):
    arrays, description = weights_of(made["generator"])
    for wrong in (
        {name: held for name, held in arrays.items() if name != "stay"},
        {**arrays, "w9": np.zeros((2, 2))},
        {**arrays, "w0": arrays["w0"][:-1]},
        {**arrays, "w0": np.full_like(arrays["w0"], np.nan)},
    ):
        with pytest.raises(DiscreetError, match="arrays"):
            from_weights(wrong, description)
    projection, described = weights_of(linear_erasure(people()))
    with pytest.raises(DiscreetError, match="projection"):
        from_weights({**projection, "centre": np.zeros(2)}, described)


def test_a_layout_that_was_not_read_off_a_column_is_refused():
    sound = ColumnLayout("a")
    for wrong in (
        {"scale": -1.0},
        {"low": 2.0},
        {"levels": ()},
        {"step": float("inf")},
        {"bent": 1},
        {"values": (2.0, 1.0)},
        {"name": 3},
    ):
        with pytest.raises(DiscreetError, match="a column"):
            replace(sound, **wrong).check()


def test_a_trained_channel_cannot_be_changed(made):
    channel = made["generator"]
    assert isinstance(channel, LearnedChannel)
    with pytest.raises(ValueError, match="read-only"):
        channel.arrays["w0"][0, 0] = 1.0
