"""The affine Gaussian mechanism: a pure function of the record and of its words."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.core.gaussian_channel import GaussianChannel, normals
from discreet.core.protocols import Channel

COV = np.array([[2.0, 0.6], [0.6, 0.5]])


def drawn(n, k, seed=0):
    return np.random.default_rng(seed).integers(0, 2**64, size=(n, k), dtype=np.uint64)


def test_it_is_a_channel_and_a_pure_function_of_words():
    channel = GaussianChannel([[1.0, 2.0], [0.0, 1.0]], COV, [1.0, -1.0])
    assert isinstance(channel, Channel)
    assert (channel.inputs, channel.words) == ("x", 2)
    x, words = np.random.default_rng(1).normal(size=(50, 2)), drawn(50, 2)
    whole = channel.push(x, words)
    assert np.array_equal(whole, channel.push(x, words))
    for size in (1, 3, 20):
        cut = range(0, 50, size)
        parts = [channel.push(x[i : i + size], words[i : i + size]) for i in cut]
        assert np.array_equal(whole, np.concatenate(parts))


@pytest.mark.parametrize("n_x", [1, 7, 9, 40, 200])
def test_a_record_is_released_the_same_alone_and_in_company(n_x):
    rng = np.random.default_rng(4)
    channel = GaussianChannel(rng.normal(size=(2, 5, n_x)), 0.3, rng.normal(size=(2, 5)))
    x, words, s = rng.normal(size=(33, n_x)), drawn(33, 6), rng.integers(0, 2, 33)
    alone = [channel.push(x[i : i + 1], words[i : i + 1], s[i : i + 1]) for i in range(33)]
    assert np.array_equal(channel.push(x, words, s), np.concatenate(alone))


def test_the_law_of_what_is_released():
    channel = GaussianChannel([[1.0, 2.0], [0.0, 1.0]], COV, [1.0, -1.0])
    y = channel.apply(np.tile([3.0, 4.0], (200_000, 1)), rng=np.random.default_rng(2))
    np.testing.assert_allclose(y.mean(axis=0), [12, 3], atol=0.02)
    np.testing.assert_allclose(np.cov(y.T), COV, atol=0.03)


def test_normals_are_normal_in_the_body_and_in_the_tail():
    z = normals(drawn(500_000, 2)).ravel()
    for t in (0.5, 1.0, 2.0, 3.0):
        expected = math.erfc(t / math.sqrt(2))
        assert np.mean(np.abs(z) > t) == pytest.approx(expected, abs=5 * math.sqrt(expected / z.size))
    assert abs(np.mean(z[0::2] * z[1::2])) < 5e-3
    ends = normals(np.array([[0, 0], [2**64 - 1, 2**64 - 1]], dtype=np.uint64))
    assert np.isfinite(ends).all()
    assert ends[0, 0] == pytest.approx(math.sqrt(128 * math.log(2)))


def test_an_odd_number_of_coordinates_takes_a_word_more():
    channel = GaussianChannel(np.eye(3), 4.0)
    assert channel.words == 4
    assert channel.deviation == 2
    assert channel.push(np.zeros((5, 3)), drawn(5, 4)).shape == (5, 3)


def test_one_number_in_one_number_out():
    assert GaussianChannel(1, 0).push(np.array([1.0, 2.0]), drawn(2, 2)).tolist() == [1, 2]
    assert GaussianChannel([[1.0], [2.0]], 0).push(np.array([1.0, 2.0]), drawn(2, 2)).tolist() == [
        [1, 2],
        [2, 4],
    ]


def test_a_channel_that_sees_the_secret():
    channel = GaussianChannel(1, [[[0.0]], [[1.0]]], [[2.0], [-2.0]])
    assert channel.inputs == "sx"
    x, s = np.zeros(100_000), np.arange(100_000) % 2
    y = channel.apply(x, s=s, rng=np.random.default_rng(3))
    assert (y[s == 0] == 2).all()
    assert y[s == 1].mean() == pytest.approx(-2, abs=0.02)
    assert y[s == 1].std() == pytest.approx(1, abs=0.02)
    again = channel >> GaussianChannel(3, 1, 5)
    assert again.shift.ravel().tolist() == [11, -1]
    assert again.cov.ravel().tolist() == [1, 10]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_composition_has_the_law_of_one_after_the_other(seed, n_x, n_y, n_z):
    rng = np.random.default_rng(seed)

    def channel(n_out, n_in):
        root = rng.normal(size=(n_out, n_out))
        return GaussianChannel(rng.normal(size=(n_out, n_in)), root @ root.T, rng.normal(size=n_out))

    first, second, third = channel(n_y, n_x), channel(n_z, n_y), channel(n_x, n_z)
    both = first >> second
    x = rng.normal(size=n_x)
    np.testing.assert_allclose(
        both.a @ x + both.shift, second.a @ (first.a @ x + first.shift) + second.shift, atol=1e-9
    )
    np.testing.assert_allclose(both.cov, second.a @ first.cov @ second.a.T + second.cov, atol=1e-9)
    left, right = both >> third, first >> (second >> third)
    np.testing.assert_allclose(left.cov, right.cov, atol=1e-8)
    np.testing.assert_allclose(left.shift, right.shift, atol=1e-8)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: GaussianChannel(1, -1), "negative eigenvalue"),
        (lambda: GaussianChannel(np.eye(2), [[1, 0.5], [0, 1]]), "symmetric"),
        (lambda: GaussianChannel(np.eye(2), [1.0, 2.0]), "shapes"),
        (lambda: GaussianChannel([1.0, 2.0], 1), "shapes"),
        (lambda: GaussianChannel(math.nan, 1), "finite"),
        (lambda: GaussianChannel(1, [[[1]], [[2]]], [[0], [1], [2]]), "one length"),
        (lambda: GaussianChannel(1, 1).rows(np.zeros(2)), "real numbers"),
        (lambda: GaussianChannel(np.eye(2), [[1, 0], [0, 2]]).deviation, "not the same"),
        (lambda: GaussianChannel(np.eye(2), 1) >> GaussianChannel(1, 1), "one column"),
        (lambda: GaussianChannel(np.eye(2), 1).push(np.zeros((4, 3)), drawn(4, 2)), "2 numbers"),
        (lambda: GaussianChannel(1, 1, [[0], [1]]).push(np.zeros(4), drawn(4, 2)), "secret"),
        (lambda: GaussianChannel(1, 1, [[0], [1]]).push(np.zeros(1), drawn(1, 2), np.array([2])), "secret"),
    ],
)
def test_refusals_say_what_to_do(build, words):
    with pytest.raises(dc.DiscreetError, match=words) as caught:
        build()
    assert caught.value.remedy


def test_joint_through_refuses_clearly():
    with pytest.raises(dc.DiscreetError, match="real numbers"):
        dc.Joint([[0.5, 0.0], [0.0, 0.5]]).through(GaussianChannel(1, 1))
