"""Convolutions against the definition, pixel by pixel; the same in NumPy, in JAX and in exact products."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.core.errors import DiscreetError
from discreet.neural.convolution import convolved, initial_convolutions, narrowing, shuffled, widening
from discreet.neural.exact import EXACT

RNG = np.random.default_rng(0)
PICTURES = RNG.normal(size=(3, 8, 6, 2))


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("stride", [1, 2])
def test_it_is_the_sum_over_the_patch(size: int, stride: int) -> None:
    kernel, offset = RNG.normal(size=(size * size * 2, 4)), RNG.normal(size=4)
    found = convolved(np, kernel, offset, PICTURES, stride)
    whole = kernel.reshape(size, size, 2, 4)
    before = (size - 1) // 2
    for r in range(0, 8, stride):
        for c in range(0, 6, stride):
            told = offset.copy()
            for i in range(size):
                for j in range(size):
                    at = r + i - before, c + j - before
                    if 0 <= at[0] < 8 and 0 <= at[1] < 6:
                        told = told + PICTURES[1, at[0], at[1]] @ whole[i, j]
            assert found[1, r // stride, c // stride] == pytest.approx(told)


def test_shuffling_moves_every_number_once() -> None:
    x = RNG.normal(size=(2, 3, 4, 12))
    y = shuffled(np, x)
    assert y.shape == (2, 6, 8, 3)
    assert np.array_equal(np.sort(y.ravel()), np.sort(x.ravel()))
    assert y[1, 2 * 2 + 1, 2 * 3 + 0, 2] == x[1, 2, 3, (1 * 2 + 0) * 3 + 2]


def test_there_and_back_have_the_right_shapes() -> None:
    down = initial_convolutions((2, 4, 8), rng=RNG)
    features = narrowing(np, down, PICTURES[:, :, :4])
    assert features.shape == (3, 2 * 1 * 8)
    up = initial_convolutions((8, 4, 2), factor=2, rng=RNG)
    assert widening(np, up, features.reshape(3, 2, 1, 8)).shape == (3, 8, 4, 2)


def test_numpy_jax_and_exact_products_agree() -> None:
    jax = pytest.importorskip("jax")
    down = initial_convolutions((2, 4, 8), rng=RNG)
    ours, exact = narrowing(np, down, PICTURES), narrowing(EXACT, down, PICTURES)
    theirs = np.asarray(narrowing(jax.numpy, down, PICTURES.astype(np.float32)))
    assert np.abs(ours - theirs).max() < 1e-5
    assert np.abs(ours - exact).max() < 1e-5


def test_a_picture_does_not_depend_on_the_others() -> None:
    down = initial_convolutions((2, 4, 8), rng=RNG)
    whole = narrowing(EXACT, down, PICTURES)
    assert np.array_equal(
        np.concatenate([narrowing(EXACT, down, PICTURES[i : i + 1]) for i in range(3)]), whole
    )


def test_what_is_refused() -> None:
    with pytest.raises(DiscreetError, match="to do"):
        convolved(np, np.ones((7, 1)), np.zeros(1), PICTURES)
    with pytest.raises(DiscreetError, match="to do"):
        initial_convolutions((3,), rng=RNG)
