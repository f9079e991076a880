"""Words of a key: the same wherever they are asked for, different for everything else, and even."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import chisquare

from discreet.core.errors import ParameterError, SecretKeyError
from discreet.tables.keystream import LONGEST_ID, ById, ByPosition, Key

KEY = Key.of_seed(1)


@pytest.mark.parametrize("each", [1, 2, 3, 8])
def test_a_position_has_the_same_words_however_it_is_reached(each):
    stream = ByPosition(KEY, "policy")
    whole = stream.words(0, 100, each)
    for first in (0, 1, 2, 7, 99):
        assert np.array_equal(stream.words(first, 100 - first, each), whole[first:])
    assert stream.words(5, 0, each).shape == (0, each)
    assert len(np.unique(whole)) == whole.size


def test_a_position_far_on():
    """The counter is of 128 bits; nothing wraps at 2^32 blocks."""
    stream = ByPosition(KEY, "policy")
    far = 3 * 2**33 + 1
    assert np.array_equal(stream.words(far, 3, 3)[1:], stream.words(far + 1, 2, 3))


def test_keys_policies_and_kinds_of_address_share_nothing():
    words = [
        ByPosition(KEY, "a").words(0, 50, 2),
        ByPosition(KEY, "b").words(0, 50, 2),
        ByPosition(Key.of_seed(2), "a").words(0, 50, 2),
        ById(KEY, "a").words(pa.array(range(50)), 2),
        ById(KEY, "b").words(pa.array(range(50)), 2),
        ById(KEY, "a").words(pa.array([str(i) for i in range(50)]), 2),
    ]
    assert len(np.unique(np.concatenate([one.ravel() for one in words]))) == 6 * 100


def test_an_id_has_the_same_words_whatever_the_width_of_its_type_and_its_place():
    stream = ById(KEY, "policy")
    whole = stream.words(pa.array([5, 6, 7]), 3)
    for kind in (pa.int8(), pa.uint8(), pa.int32(), pa.uint64(), pa.float64()):
        assert np.array_equal(stream.words(pa.array([7, 5], kind), 3), whole[[2, 0]]), kind
    assert np.array_equal(stream.words(pa.array([6, 5]).dictionary_encode(), 3), whole[[1, 0]])
    assert np.array_equal(stream.words(pa.array([0, 5, 6, 7]).slice(1), 3), whole)
    assert np.array_equal(stream.words(pa.array([5, 6, 7]), 1), whole[:, :1])


def test_text_ids():
    stream = ById(KEY, "policy")
    ids = ["", "a", "a\0", "b" * 15, "b" * 16, "b" * 17, "b" * 33, "é", "16", "ab"]
    whole = stream.words(pa.array(ids), 2)
    assert len(np.unique(whole)) == 2 * len(ids)
    for kind in (pa.large_string(), pa.string_view()):
        assert np.array_equal(stream.words(pa.array(ids, kind), 2), whole)
    assert np.array_equal(stream.words(pa.array(ids).slice(3, 4), 2), whole[3:7])
    alone = np.concatenate([stream.words(pa.array([one]), 2) for one in ids])
    assert np.array_equal(alone, whole)


def test_large_unsigned_ids_do_not_depend_on_their_neighbours():
    stream = ById(KEY, "policy")
    large, small = 2**63 + 5, 5
    both = stream.words(pa.array([large, small], pa.uint64()), 1)
    assert np.array_equal(stream.words(pa.array([small], pa.uint64()), 1), both[1:])
    assert np.array_equal(stream.words(pa.array([large], pa.uint64()), 1), both[:1])
    assert not np.array_equal(stream.words(pa.array([large - 2**64]), 1), both[:1])


@pytest.mark.parametrize(
    "ids",
    [
        pa.array([1, None]),
        pa.array(["a", None]).dictionary_encode(),
        pa.array([1.5]),
        pa.array([float("inf")]),
        pa.array([True]),
        pa.array([[1]]),
        pa.array(["x" * (LONGEST_ID + 1)]),
    ],
)
def test_what_is_no_id_is_refused(ids):
    with pytest.raises(ParameterError, match="found"):
        ById(KEY, "policy").words(ids, 1)


def test_words_are_even():
    for words in (
        ByPosition(KEY, "p").words(0, 200_000, 1),
        ById(KEY, "p").words(pa.array(range(200_000)), 1),
    ):
        for shift in (0, 28, 56):
            seen = np.bincount(
                ((words.ravel() >> np.uint64(shift)) & np.uint64(255)).astype(int), minlength=256
            )
            assert chisquare(seen).pvalue > 1e-4


def test_a_key_shows_itself_to_nobody():
    key = Key.fresh()
    assert key.secret.hex() not in repr(key)
    assert key != Key.fresh()
    assert key == Key(key.secret)
    assert "not for release" in repr(KEY)
    with pytest.raises(SecretKeyError):
        Key(b"short")
    assert len({key.derived(p, d) for p in "ab" for d in "cd"} | {key.secret}) == 5
