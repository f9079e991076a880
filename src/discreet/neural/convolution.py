"""Small convolutional networks for pictures, as pure functions of a dictionary of arrays over an array namespace.

A picture is x[i, row, column, channel]. A layer's kernel is a matrix w[patch, out], the patch its `size` × `size` ×
channels numbers in a row, so that a convolution is one product of matrices and every namespace has it, the exact one
of `apply` as well. Pictures are made larger by pixel shuffle: a transposed convolution costs two or three times as
much and leaves a chequered pattern.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from discreet.core.errors import AxisError, ParameterError
from discreet.core.protocols import Array
from discreet.neural.networks import Activation, Parameters, activated, depth


def convolved(xp: Any, kernel: Any, offset: Any, x: Any, stride: int = 1) -> Any:
    """Every patch around every `stride`-th pixel times the kernel, with zeros beyond the edge.

    O(n · rows · columns · size² · channels · out / stride²).

    >>> picture = np.arange(4.0).reshape(1, 2, 2, 1)
    >>> convolved(np, np.ones((9, 1)), np.zeros(1), picture)[0, :, :, 0]
    array([[6., 6.],
           [6., 6.]])
    """
    rows, columns, channels = x.shape[1:]
    size = math.isqrt(kernel.shape[0] // channels)
    if size * size * channels != kernel.shape[0]:
        raise AxisError(
            f"a kernel of size² × {channels} numbers, one row each",
            f"{kernel.shape[0]} rows",
            "make it with initial_convolutions for pictures of so many channels",
        )
    before = (size - 1) // 2
    edge = (before, size - 1 - before)
    padded = xp.pad(x, ((0, 0), edge, edge, (0, 0)))
    seen = [
        padded[:, i : i + rows : stride, j : j + columns : stride] for i in range(size) for j in range(size)
    ]
    return xp.matmul(xp.concatenate(seen, axis=-1), kernel) + offset


def shuffled(xp: Any, x: Any, factor: int = 2) -> Any:
    """Pixel shuffle: factor² channels of a pixel become a square of factor × factor pixels.

    >>> shuffled(np, np.arange(4.0).reshape(1, 1, 1, 4))[0, :, :, 0]
    array([[0., 1.],
           [2., 3.]])
    """
    n, rows, columns, channels = x.shape
    out = channels // factor**2
    apart = xp.reshape(x, (n, rows, columns, factor, factor, out))
    return xp.reshape(xp.transpose(apart, (0, 1, 3, 2, 4, 5)), (n, rows * factor, columns * factor, out))


def narrowing(xp: Any, parameters: Parameters, x: Any, activation: Activation = "leaky") -> Any:
    """An encoder's body: each layer halves the picture and is bent; what is left is a row of features a picture."""
    for layer in range(depth(parameters)):
        held = convolved(xp, parameters[f"w{layer}"], parameters[f"b{layer}"], x, stride=2)
        x = activated(xp, held, activation)
    return xp.reshape(x, (x.shape[0], -1))


def widening(xp: Any, parameters: Parameters, x: Any, activation: Activation = "leaky") -> Any:
    """A decoder's body: each layer doubles the picture; all but the last are bent."""
    last = depth(parameters) - 1
    for layer in range(last + 1):
        x = shuffled(xp, convolved(xp, parameters[f"w{layer}"], parameters[f"b{layer}"], x))
        if layer < last:
            x = activated(xp, x, activation)
    return x


def initial_convolutions(
    channels: Sequence[int], *, size: int = 3, factor: int = 1, rng: np.random.Generator
) -> dict[str, Array]:
    """Random arrays for layers from each number of channels to the next: variance 1/inputs, as for a perceptron.

    With `factor` 2 every layer makes four times its channels, for `widening` to shuffle.
    """
    if len(channels) < 2 or min(*channels, size, factor) < 1:
        raise ParameterError(
            "two numbers of channels or more, and a kernel of size 1 or more",
            f"channels {tuple(channels)}, size {size}, factor {factor}",
            "give the channels that go in, of each layer between, and that come out",
        )
    made: dict[str, Array] = {}
    for layer, (inside, out) in enumerate(pairwise(channels)):
        patch, wide = size * size * inside, out * factor**2
        made[f"w{layer}"] = (rng.standard_normal((patch, wide)) / np.sqrt(patch)).astype(np.float32)
        made[f"b{layer}"] = np.zeros(wide, dtype=np.float32)
    return made
