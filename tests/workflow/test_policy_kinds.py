"""Policies of noise and of networks: draws follow the channel, files come back, forged ones do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load as loaded
from safetensors.numpy import save
from scipy.stats import chi2_contingency, kstest
from tests.workflow.people import designed_policy, people

from discreet.core.errors import PolicyError
from discreet.mechanisms.learned.channel import LearnedChannel
from discreet.mechanisms.learned.layout import Layout
from discreet.neural.sanitisers import Generator
from discreet.tables.keystream import Key
from discreet.tables.source import open_source
from discreet.workflow import archive
from discreet.workflow.design import design
from discreet.workflow.networked import Networked, columns_for
from discreet.workflow.policy import Policy

COLUMNS = ("age", "job", "sex")


@pytest.fixture(scope="module")
def noisy() -> Policy:
    return design(
        people(), private="ill", public="age", mechanism="obfuscation", leak=0.3, rng=np.random.default_rng(0)
    )


@cache
def networked(sees: bool = False) -> Policy:
    """A network that nobody has trained, in place of the channels of another policy."""
    policy = designed_policy(leak=0.05)
    (batch,) = open_source(people()).batches(size=4_000)
    layout = Layout.of(columns_for(batch, COLUMNS, policy.schema, policy.codec, 20))
    sizes = tuple(size for _, size in layout.categories)
    knots = tuple((-1.0, 0.0, 1.5) for _ in layout.numbers)
    family = Generator(len(layout.numbers), sizes, policy.codec.secret.size if sees else 0, knots=knots)
    assert family.knots
    channel = LearnedChannel(family, family.start(np.random.default_rng(0)), layout)
    return replace(policy, channels=(Networked(COLUMNS, channel, "learned"),))


@pytest.fixture(scope="module", params=[False, True], ids=["x", "sx"])
def learned(request: Any) -> Policy:
    return networked(request.param)


def test_noise_is_normal_on_its_grid_and_clipped(noisy: Policy) -> None:
    (one,) = noisy.channels
    town = people(20_000)
    out = noisy.apply(town, key=Key.of_seed(2))
    deviation, step = float(np.sqrt(one.channel.cov[0, 0])), float(one.step[0])
    assert np.log2(step) == round(np.log2(step))
    x = np.clip(town["age"], one.low[0], one.high[0])
    assert kstest((out["age"] - x) / deviation, "norm").pvalue > 1e-4
    assert ((out["age"] % step) == 0).all()
    assert one.low[0] >= town["age"].min()
    assert one.high[0] <= town["age"].max()


def test_what_no_law_exceeds_is_said_of_noise(noisy: Policy) -> None:
    (one,) = noisy.channels
    width = float(one.high[0] - one.low[0] + one.step[0])
    bound = 0.5 * np.log1p((width / (2 * np.sqrt(one.channel.cov[0, 0]))) ** 2)
    assert noisy.design.limit.held.value == pytest.approx(bound)
    assert noisy.design.leakage["mutual_information, estimated"].value < bound


def test_a_network_comes_back_and_releases_the_same(learned: Policy) -> None:
    again = Policy.of_bytes(learned.to_bytes())
    assert again.to_bytes() == learned.to_bytes()
    first, second = (one.apply(people(), key=Key.of_seed(1)) for one in (learned, again))
    pd.testing.assert_frame_equal(first, second)
    assert (first.dtypes == people()[list(COLUMNS)].dtypes).all()
    assert set(first["job"].dropna()) <= {"farmer", "clerk", "nurse", "pilot"}


def test_one_record_and_many_are_released_alike(learned: Policy) -> None:
    town = people(300)
    whole = learned.apply(town, key=Key.of_seed(1), id="id")
    alone = pd.concat(
        [learned.apply(town[i : i + 1], key=Key.of_seed(1), id="id") for i in range(0, 300, 60)]
    )
    pd.testing.assert_frame_equal(alone, whole.loc[alone.index])


def test_draws_of_a_network_follow_its_masses() -> None:
    """One record 20,000 times, from a key and from NumPy's generator: the same law (χ², p > 1e-4)."""
    policy = networked()
    record = pd.concat([people(50)[["age", "job", "sex"]].iloc[[0]]] * 20_000, ignore_index=True)
    keyed = policy.apply(record, key=Key.of_seed(3))
    (batch,) = open_source(record).batches(size=20_000)
    part = policy.channels[0].part(policy.schema, policy.codec)
    words = np.random.default_rng(0).integers(0, 2**64, size=(20_000, part.words), dtype=np.uint64)
    drawn = part.release(part.read(batch, None)[0], words)
    for name, values in zip(part.names, drawn, strict=True):
        if name == "age":
            continue
        ours, theirs = keyed[name].astype(str), pd.Series(values.to_pylist()).astype(str)
        table = pd.crosstab(
            pd.concat([ours, theirs], ignore_index=True).str.lower(), np.repeat([0, 1], len(record))
        )
        assert len(table) > 1
        assert chi2_contingency(table).pvalue > 1e-4


def test_released_numbers_carry_no_digits_of_the_record() -> None:
    policy = networked()
    out = policy.apply(people(), key=Key.of_seed(3))
    layout = policy.channels[0].channel.layout.columns[0]
    assert out["age"].between(layout.low, layout.high).all()


Change = Callable[[dict[str, Any], dict[str, Any]], None]


def forged(policy: Policy, change: Change) -> bytes:
    """A well-made archive around changed parts."""
    said, arrays = json.loads(policy._parts.policy), dict(loaded(policy._parts.weights))
    change(said["channels"][0], arrays)
    return archive.packed(archive.canonical(said), save(arrays))


def _family(name: str, value: Any) -> Change:
    return lambda said, _: said["description"]["family"].__setitem__(name, value)


def _column(name: str, value: Any) -> Change:
    return lambda said, _: said["description"]["columns"][0].__setitem__(name, value)


LEARNED: dict[str, Change] = {
    "another kind": lambda said, _: said["description"].__setitem__("kind", "os.system"),
    "a matrix": lambda said, _: said["description"].__setitem__("kind", "matrix"),
    "a field more": lambda said, _: said["description"].__setitem__("code", "1"),
    "no family": lambda said, _: said["description"].pop("family"),
    "no columns": lambda said, _: said["description"].__setitem__("columns", []),
    "many words": _family("latent", 10**9),
    "negative": _family("latent", -1),
    "wide": _family("numbers", 10**9),
    "levels": _family("levels", [10**9]),
    "secrets": _family("secrets", 77),
    "activation": _family("activation", "__import__"),
    "text": _family("numbers", "1"),
    "low": _column("low", None),
    "scale": _column("scale", 0.0),
    "name": _column("name", "ill"),
    "another column": lambda said, _: said.__setitem__("columns", ["ill", "job", "sex"]),
    "nan": lambda _, arrays: arrays.update({k: v * np.float32("nan") for k, v in arrays.items()}),
    "no arrays": lambda _, arrays: arrays.clear(),
    "double": lambda _, arrays: arrays.update({k: v.astype(np.float64) for k, v in arrays.items()}),
    "shapes": lambda _, arrays: arrays.update({k: v.reshape(-1)[:1].copy() for k, v in arrays.items()}),
}


@pytest.mark.parametrize("fault", sorted(LEARNED))
def test_a_forged_network_is_refused(fault: str) -> None:
    with pytest.raises(PolicyError):
        Policy.of_bytes(forged(networked(), LEARNED[fault]))


NOISY: dict[str, Change] = {
    "text": lambda said, _: said.__setitem__("columns", ["ill"]),
    "twice": lambda said, _: said.__setitem__("columns", ["age", "age"]),
    "step": lambda _, arrays: arrays.__setitem__("channel0.step", np.array([3.0])),
    "no step": lambda _, arrays: arrays.__setitem__("channel0.step", np.array([0.0])),
    "limits": lambda _, arrays: arrays.__setitem__("channel0.low", np.array([1e9])),
    "negative": lambda _, arrays: arrays.__setitem__("channel0.cov", np.array([[-1.0]])),
    "nan": lambda _, arrays: arrays.__setitem__("channel0.a", np.array([[np.nan]])),
    "shape": lambda _, arrays: arrays.__setitem__("channel0.a", np.eye(2)),
    "missing": lambda _, arrays: arrays.pop("channel0.shift"),
}


@pytest.mark.parametrize("fault", sorted(NOISY))
def test_forged_noise_is_refused(noisy: Policy, fault: str) -> None:
    with pytest.raises(PolicyError):
        Policy.of_bytes(forged(noisy, NOISY[fault]))
