"""Alias tables: the law that is drawn from is the table's, to the last bit, and the table is the channel's."""

import numpy as np
import pytest
from scipy.stats import chi2

from discreet.tables.alias import BITS, AliasTable, whole_units
from discreet.tables.keystream import ByPosition, Key

WORDS = ByPosition(Key.of_seed(20), "alias")


def channels():
    rng = np.random.default_rng(0)
    for n_x, n_y in [(1, 1), (2, 2), (3, 5), (7, 3), (40, 40), (5, 1000)]:
        p = rng.dirichlet(np.full(n_y, 0.3), n_x)
        yield p
        p = np.where(p < 0.5 / n_y, 0, p)
        yield p / p.sum(axis=1, keepdims=True)
    yield np.eye(6)
    yield np.array([[1 - 1e-13, 1e-13], [0.5, 0.5], [0, 1]])
    yield np.array([[1 / 3, 1 / 3, 1 / 3], [1, 0, 0], [0.5, 0, 0.5]])
    yield np.full((1, 129), 1 / 129)


@pytest.mark.parametrize("p", list(channels()), ids=lambda p: "×".join(map(str, p.shape)))
def test_the_table_is_the_channel_in_whole_units(p):
    law = AliasTable.of(p).law(p.shape[1])
    assert np.array_equal(law, whole_units(p) / 2.0**BITS)
    assert np.abs(law - p).max() <= p.shape[1] * 2.0**-BITS
    assert not law[p == 0].any()
    assert (law.sum(axis=1) == 1).all()


def test_units_that_are_whole_stay_what_they_are():
    units = whole_units(np.random.default_rng(0).dirichlet(np.ones(50), 20))
    assert np.array_equal(whole_units(units / 2.0**BITS), units)


@pytest.mark.parametrize("n_y", [2, 3, 17, 64])
def test_draws_follow_the_table(n_y):
    p = np.random.default_rng(n_y).dirichlet(np.full(n_y, 0.5), 2)
    n = 1_000_000
    for x in range(2):
        y = AliasTable.of(p).draw(np.full(n, x, dtype=np.uint8), WORDS.words(x * n, n, 1)[:, 0])
        seen, expected = np.bincount(y, minlength=n_y), n * p[x]
        large = expected >= 5
        statistic = ((seen - expected)[large] ** 2 / expected[large]).sum()
        assert chi2.sf(statistic, large.sum() - 1) > 1e-4
        assert not seen[p[x] == 0].any()


def test_a_draw_depends_on_its_own_row_and_word_only():
    p = np.random.default_rng(1).dirichlet(np.ones(9), 4)
    table, words = AliasTable.of(p), WORDS.words(0, 200_000, 1)[:, 0]
    x = np.random.default_rng(2).integers(0, 4, 200_000)
    whole = table.draw(x, words)
    assert np.array_equal(table.draw(x[77:123_456], words[77:123_456]), whole[77:123_456])
    assert table.draw(x[:0], words[:0]).size == 0


def test_the_extreme_words_draw_what_can_occur():
    p = np.array([[0.0, 0.3, 0.0, 0.7], [0.0, 0.0, 1.0, 0.0]])
    words = np.array([0, 1, 2**11, 2**63, 2**64 - 1, 2**64 - 2**11], dtype=np.uint64)
    for x in range(2):
        y = AliasTable.of(p).draw(np.full(words.size, x), words)
        assert (p[x][y] > 0).all()


@pytest.mark.parametrize("p", list(channels()), ids=lambda p: "×".join(map(str, p.shape)))
def test_the_look_up_is_the_table(p, monkeypatch):
    n = 100_000
    x, words = np.random.default_rng(3).integers(0, len(p), n), WORDS.words(0, n, 1)[:, 0]
    looked_up = AliasTable.of(p)
    assert looked_up._guide is not None
    monkeypatch.setattr("discreet.tables.alias.GUIDED", 0)
    plain = AliasTable.of(p)
    assert plain._guide is None
    assert np.array_equal(looked_up.draw(x, words), plain.draw(x, words))
    edges = (looked_up.threshold.astype(np.int64)[:, None] + np.array([-1, 0, 1])).ravel()
    places = 1 << looked_up.bits.astype(np.int64)
    for row, first in enumerate(looked_up.first):
        place = np.arange(3 * places[row]) // 3
        width = 2**52 // places[row]
        rest = edges[3 * first : 3 * (first + places[row])] % width
        near = (place * width + rest).astype(np.uint64) << np.uint64(12)
        of = np.full(near.size, row)
        assert np.array_equal(looked_up.draw(of, near), plain.draw(of, near))
