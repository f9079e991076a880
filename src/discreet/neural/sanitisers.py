"""What a sanitiser does to a record, as pure functions of its arrays, over an array namespace.

Each has `start` (its arrays before training), `noise` (how many normals and uniforms it wants for a record) and
`release`, which gives what is released and its mean over the draws of categories, by which a distortion is counted
without their noise. In training the namespace is `jax.numpy` and `release` may be differentiated; at apply time it is
NumPy, the normals and uniforms come from random words, and the same lines run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from discreet.core.protocols import Array
from discreet.neural.networks import Activation, initial_mlp, mlp, mlp_shapes
from discreet.neural.senses import Knots, finer, finer_width


class Noise(NamedTuple):
    """How many normals and how many uniforms a record takes."""

    normals: int
    uniforms: int = 0


class Sanitiser(Protocol):
    """A family of mechanisms whose members are told by arrays. It can be compared and hashed: its fields are
    plain.
    """

    @property
    def noise(self) -> Noise:
        """What it draws for a record."""
        ...

    def start(self, rng: np.random.Generator) -> dict[str, Array]:
        """Its arrays before training."""
        ...

    def release(
        self, xp: Any, own: Mapping[str, Any], x: Any, s: Any, drawn: tuple[Any, Any], knobs: Any
    ) -> tuple[Any, Any]:
        """What it makes of records x[i, feature] with secrets s[i, s], and the noise (normals, uniforms) drawn for
        them.
        """
        ...


@dataclass(frozen=True, slots=True)
class ShiftByClass:
    """Y = X + b_s + g_s N: the affine family of paper 004, for records of `width` numbers and `secrets` secrets.

    `blind` is the family that does not see the secret: one b and one g for all. What is spent, Σ_s p_s (b_s² +
    g_s²), is the budget exactly, or less by a slack: the arrays are a point of a sphere, so that the constraint
    cannot be missed and a share can be zero (shares by softmax never are).
    """

    secrets: int
    width: int = 1
    blind: bool = False

    @property
    def noise(self) -> Noise:
        """A normal for each number."""
        return Noise(self.width)

    def start(self, rng: np.random.Generator) -> dict[str, Array]:
        """Half of the budget for shifts, half for noise, in random directions."""
        rows = 1 if self.blind else self.secrets
        point = rng.standard_normal((2, rows, self.width)) * 0.1
        point[0] += np.resize([0.5, -0.5], rows)[:, None]
        point[1] += 0.5
        return {"point": point.astype(np.float32), "slack": np.full(1, 0.2, dtype=np.float32)}

    def parameters(self, xp: Any, own: Mapping[str, Any], knobs: Any) -> tuple[Any, Any]:
        """b[s, j] and g[s, j] as they are spent from knobs["budget"] at masses knobs["p_s"]."""
        norm = xp.sqrt(xp.sum(own["point"] ** 2) + xp.sum(own["slack"] ** 2))
        share = xp.ones(1) if self.blind else knobs["p_s"]
        spent = own["point"] / norm * xp.sqrt(knobs["budget"]) / xp.sqrt(share)[:, None]
        b, g = spent[0], spent[1]
        return (b, g) if not self.blind else (b + 0 * knobs["p_s"][:, None], g + 0 * knobs["p_s"][:, None])

    def release(
        self, xp: Any, own: Mapping[str, Any], x: Any, s: Any, drawn: tuple[Any, Any], knobs: Any
    ) -> tuple[Any, Any]:
        """x + b_s + g_s N."""
        b, g = self.parameters(xp, own, knobs)
        y = x + s @ b + (s @ g) * drawn[0]
        return y, y


@dataclass(frozen=True, slots=True)
class AdditiveNoise:
    """Y = X + h(N): noise of a learned shape, the same for every record.

    References: paper 000, Section V-A.
    """

    width: int
    hidden: tuple[int, ...] = (64, 64, 64)
    latent: int = 8
    activation: Activation = "leaky"

    @property
    def noise(self) -> Noise:
        """The normals that h bends."""
        return Noise(self.latent)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the network's layers."""
        return (self.latent, *self.hidden, self.width)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each of its arrays."""
        return mlp_shapes(self.sizes)

    def start(self, rng: np.random.Generator) -> dict[str, Array]:
        """A network that begins with little noise."""
        return initial_mlp(self.sizes, rng=rng, last=1.0)

    def release(
        self, xp: Any, own: Mapping[str, Any], x: Any, s: Any, drawn: tuple[Any, Any], knobs: Any
    ) -> tuple[Any, Any]:
        """x + h(N)."""
        del s, knobs
        y = x + mlp(xp, own, drawn[0], self.activation)
        return y, y


@dataclass(frozen=True, slots=True)
class Generator:
    """Y = g(X, N) for mixed records: numbers by a residual with noise, categories by a draw.

    A record is `numbers` standardised numbers, then the levels of each category one-hot (`levels` says how many). The
    network sees the record and `latent` normals, so that columns can be changed together. A number becomes
    x + f + σ N with its own normal; a category is drawn by inversion of softmax(f + stay · x) with its own uniform,
    and in training the slope passes straight through the draw to the softmax.

    With `secrets` the secret is an input as well. Without `residual`, numbers are f + σ N: a new representation.
    `still` is log σ before training: a game that pays for every change begins with less noise. `knots` are those of the
    tents that the network sees beside the numbers.
    """

    numbers: int
    levels: tuple[int, ...] = ()
    secrets: int = 0
    hidden: tuple[int, ...] = (128, 128)
    latent: int = 8
    residual: bool = True
    activation: Activation = "leaky"
    still: float = -1.0
    knots: Knots = ()

    @property
    def width(self) -> int:
        """The numbers and the levels of a record."""
        return self.numbers + sum(self.levels)

    @property
    def noise(self) -> Noise:
        """The latent normals, then one for each number; a uniform for each category."""
        return Noise(self.latent + self.numbers, len(self.levels))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the network's layers."""
        seen = finer_width(self.width, self.knots)
        return (seen + self.latent + self.secrets, *self.hidden, self.width)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each of its arrays."""
        return {**mlp_shapes(self.sizes), "deviation": (self.numbers,), "stay": (len(self.levels),)}

    def start(self, rng: np.random.Generator) -> dict[str, Array]:
        """A network that begins by changing little: one level in twenty, numbers by exp(`still`)."""
        made = initial_mlp(self.sizes, rng=rng)
        made["deviation"] = np.full(self.numbers, self.still, dtype=np.float32)
        others = np.maximum(np.array(self.levels, dtype=np.float64) - 1, 1)
        made["stay"] = np.log(19 * others).astype(np.float32)
        return made

    def release(
        self, xp: Any, own: Mapping[str, Any], x: Any, s: Any, drawn: tuple[Any, Any], knobs: Any
    ) -> tuple[Any, Any]:
        """Numbers and one-hot levels, as the record had them."""
        del knobs
        numbers, masses = self.law(xp, own, x, s, drawn[0])
        parts = [numbers]
        for mass, uniform in zip(masses, drawn[1].T, strict=True):
            chosen = inverted(xp, mass, uniform)
            parts.append(chosen + mass - stopped(xp, mass))
        return xp.concatenate(parts, axis=1), xp.concatenate([numbers, *masses], axis=1)

    def law(self, xp: Any, own: Mapping[str, Any], x: Any, s: Any, normals: Any) -> tuple[Any, list[Any]]:
        """The numbers, and the masses that each category is drawn from."""
        seen = [finer(xp, x, self.knots), normals[:, : self.latent]] + ([s] if self.secrets else [])
        made = mlp(xp, own, xp.concatenate(seen, axis=1), self.activation)
        spread = xp.exp(own["deviation"]) * normals[:, self.latent :]
        numbers = made[:, : self.numbers] + spread + (x[:, : self.numbers] if self.residual else 0.0)
        masses, at = [], self.numbers
        for which, size in enumerate(self.levels):
            block = slice(at, at + size)
            masses.append(softmax(xp, made[:, block] + own["stay"][which] * x[:, block]))
            at += size
        return numbers, masses


def softmax(xp: Any, logits: Any) -> Any:
    """Masses from logits, row by row.

    >>> softmax(np, np.log(np.array([[1.0, 3.0]])))
    array([[0.25, 0.75]])
    """
    weight = xp.exp(logits - xp.max(logits, axis=1, keepdims=True))
    return weight / xp.sum(weight, axis=1, keepdims=True)


def inverted(xp: Any, mass: Any, uniform: Any) -> Any:
    """One level a row, one-hot, by inversion of the cumulative masses.

    >>> inverted(np, np.array([[.25, .75], [.25, .75]]), np.array([.2, .3]))
    array([[1., 0.],
           [0., 1.]])
    """
    below = xp.cumsum(mass, axis=1)
    level = xp.sum(uniform[:, None] * below[:, -1:] >= below[:, :-1], axis=1)
    return (level[:, None] == xp.arange(mass.shape[1])).astype(mass.dtype)


def stopped(xp: Any, held: Any) -> Any:
    """The same numbers, through which no slope passes."""
    if xp.__name__ != "jax.numpy":
        return held
    from discreet.neural.framework import framework

    return framework().jax.lax.stop_gradient(held)
