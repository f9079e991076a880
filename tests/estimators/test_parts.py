"""Which records learn and which judge."""

import numpy as np
import pytest

from discreet.core.errors import ParameterError
from discreet.core.samples import Column, Columns, Samples
from discreet.estimators import split
from discreet.estimators.parts import copies, folds_of, row_keys, without_copies


def test_every_secret_is_split_in_its_share():
    rng = np.random.default_rng(0)
    s = rng.choice(3, 1000, p=[0.7, 0.29, 0.01])
    samples = Samples(Columns.of_array(rng.normal(size=1000)), s)
    learn, judge = split(samples, 0.3, rng=rng)
    assert learn.n + judge.n == 1000
    assert np.abs(learn.counts - 0.3 * samples.counts).max() <= 1
    with pytest.raises(ParameterError, match="share"):
        split(samples, 1.0, rng=rng)


def test_folds_share_out_three_records_of_one_secret():
    s = np.array([1] * 3 + [0] * 97)
    fold = folds_of(Samples(Columns.of_array(np.arange(100) / 7), s), 3, np.random.default_rng(0))
    assert sorted(fold[:3].tolist()) == [0, 1, 2]
    assert np.bincount(fold).min() >= 32


def test_copies_stay_on_one_side_and_count_once():
    rng = np.random.default_rng(0)
    x = np.tile(rng.normal(size=(100, 2)), (4, 1))
    samples = Samples(Columns.of_array(x), np.tile(np.arange(100) % 2, 4))
    learn, judge = split(samples, rng=rng)
    assert not set(row_keys(learn.x).tolist()) & set(row_keys(judge.x).tolist())
    assert copies(samples).sum() == 300
    assert without_copies(samples).n == 100


def test_a_whole_table_several_times_over_is_one_table():
    rng = np.random.default_rng(0)
    x, s = rng.normal(size=(100, 2)), rng.integers(0, 2, 100)
    ten = Samples(Columns.of_array(np.repeat(x, 10, axis=0)), np.repeat(s, 10), size=2)
    assert copies(ten).sum() == 900
    learn, judge = split(ten, rng=rng)
    assert not set(row_keys(learn.x).tolist()) & set(row_keys(judge.x).tolist())
    others = Samples(
        ten.x, rng.integers(0, 2, 1000)
    )  # ten people with other secrets at each of a hundred places
    assert not copies(others).any()


def test_equal_records_of_coarse_columns_are_different_people():
    rng = np.random.default_rng(0)
    coarse = Columns([Column("a", rng.integers(0, 5, 400)), Column("b", rng.integers(0, 9, 400) / 10)])
    samples = Samples(coarse, rng.integers(0, 2, 400))
    assert not copies(samples).any()
    assert without_copies(samples) is samples


@pytest.mark.parametrize("common", [np.nan, 0.0])
def test_records_that_share_a_common_answer_are_different_people(common):
    rng = np.random.default_rng(0)
    x = np.where(rng.random(600) < 0.5, common, rng.normal(size=600))
    samples = Samples(Columns.of_array(x), rng.integers(0, 2, 600))
    assert not copies(samples).any()
    learn, judge = split(samples, rng=rng)
    assert abs(learn.n - judge.n) <= 2
    for part in (learn, judge):
        values = part.x["x0"].values
        assert 100 < ((values == common) | np.isnan(values)).sum() < 200


def test_keys_tell_records_apart():
    rng = np.random.default_rng(0)
    x = Columns([Column("a", rng.integers(0, 100, 5000)), Column("b", rng.integers(0, 100, 5000))])
    pairs = x["a"].values * 100 + x["b"].values
    assert np.unique(row_keys(x)).size == np.unique(pairs).size
    assert row_keys(Columns.of_array([0.0]))[0] == row_keys(Columns.of_array([-0.0]))[0]
