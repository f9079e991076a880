"""Small networks as pure functions of a dictionary of arrays, written over an array namespace.

The namespace `xp` is `jax.numpy` while a network is trained and `numpy` when it is applied: the same forward pass,
and nothing is imported here but NumPy. A network's arrays are w0, b0, w1, b1, …, so that they can be stored as they
are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from discreet.core.errors import ParameterError
from discreet.core.protocols import Array

Parameters = Mapping[str, Any]
"""Arrays by name: a plain pytree."""

Activation = Literal["tanh", "elu", "leaky", "softplus"]


def activated(xp: Any, x: Any, activation: Activation) -> Any:
    """The bend between two layers.

    >>> activated(np, np.array([-1.0, 2.0]), "leaky")
    array([-0.2,  2. ])
    """
    if activation == "tanh":
        return xp.tanh(x)
    if activation == "elu":
        return xp.where(x > 0, x, xp.exp(xp.minimum(x, 0)) - 1)
    if activation == "leaky":
        return xp.where(x > 0, x, 0.2 * x)
    return xp.logaddexp(x, 0.0)


def depth(parameters: Parameters) -> int:
    """How many layers a network has."""
    return sum(name.startswith("w") for name in parameters)


def mlp(xp: Any, parameters: Parameters, x: Any, activation: Activation = "tanh") -> Any:
    """A multilayer perceptron: x ↦ … bend(x w0 + b0) w1 + b1 …, the last layer unbent.

    >>> mlp(np, {"w0": np.eye(2), "b0": np.zeros(2), "w1": np.ones((2, 1)), "b1": np.ones(1)}, np.zeros((1, 2)))
    array([[1.]])
    """
    last = depth(parameters) - 1
    for layer in range(last + 1):
        x = xp.matmul(x, parameters[f"w{layer}"]) + parameters[f"b{layer}"]
        if layer < last:
            x = activated(xp, x, activation)
    return x


def standardised(xp: Any, y: Any) -> Any:
    """Features with the mean and the spread of these records taken out, so that no critic is blinded by a scale.

    A sanitiser that multiplies its noise would otherwise look safe to a network that begins with small inputs. Rare
    levels are not blown up: a spread below 0.2 counts as 0.2 or so.

    >>> standardised(np, np.array([[3.0], [5.0]])).round(1)
    array([[-1.],
           [ 1.]])
    """
    centred = y - xp.mean(y, axis=0)
    return centred / xp.sqrt(xp.mean(centred**2, axis=0) + 0.04)


def initial_mlp(sizes: Sequence[int], *, rng: np.random.Generator, last: float = 0.1) -> dict[str, Array]:
    """Random arrays for a perceptron with these sizes: variance 1/inputs, the last layer scaled down by `last`.

    With a small last layer a critic begins by knowing nothing, and a residual sanitiser by changing nothing.
    """
    if len(sizes) < 2 or min(sizes) < 1:
        raise ParameterError(
            "a network with an input and an output",
            f"sizes {tuple(sizes)}",
            "give the sizes of the input, of each hidden layer and of the output",
        )
    made: dict[str, Array] = {}
    layers = len(sizes) - 1
    for layer, (inside, out) in enumerate(pairwise(sizes)):
        scale = (last if layer == layers - 1 else 1.0) / np.sqrt(inside)
        made[f"w{layer}"] = (rng.standard_normal((inside, out)) * scale).astype(np.float32)
        made[f"b{layer}"] = np.zeros(out, dtype=np.float32)
    return made


def mlp_shapes(sizes: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """The shape of each array of a perceptron with these sizes.

    >>> mlp_shapes((3, 2))
    {'w0': (3, 2), 'b0': (2,)}
    """
    made: dict[str, tuple[int, ...]] = {}
    for layer, (inside, out) in enumerate(pairwise(sizes)):
        made |= {f"w{layer}": (inside, out), f"b{layer}": (out,)}
    return made


def part(parameters: Parameters, prefix: str) -> dict[str, Any]:
    """The arrays of one network among several: those called prefix.name, by their own name."""
    return {
        name[len(prefix) + 1 :]: held for name, held in parameters.items() if name.startswith(prefix + ".")
    }


def named(parameters: Parameters, prefix: str) -> dict[str, Any]:
    """The arrays of one network, under a name that tells it from others."""
    return {f"{prefix}.{name}": held for name, held in parameters.items()}


def stacked(runs: Sequence[Parameters]) -> dict[str, Array]:
    """The same arrays of several runs as one, the run on axis 0: what trains side by side."""
    return {name: np.stack([run[name] for run in runs]) for name in runs[0]}


def squared_norm(xp: Any, parameters: Parameters) -> Any:
    """The sum of the squares of all weights (not of the offsets): what weight decay shrinks."""
    return sum(xp.sum(held**2) for name, held in parameters.items() if name.rpartition(".")[2][0] == "w")
