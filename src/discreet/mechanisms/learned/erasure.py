"""Linear erasure: the least change after which no linear attacker sees the secret. An honest baseline, no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.errors import LawError, ParameterError
from discreet.core.protocols import Array, Codes, Words
from discreet.core.samples import Column, Columns, Samples
from discreet.mechanisms.learned.layout import Layout
from discreet.neural.exact import EXACT


class ErasureChannel:
    """y = x − (x − centre) A on standardised numbers and one-hot levels; it releases these numbers. No noise."""

    __slots__ = ("centre", "layout", "projection")

    inputs: Literal["x", "sx"] = "x"
    words = 0

    def __init__(self, projection: ArrayLike, centre: ArrayLike, layout: Layout) -> None:
        self.projection: Array = np.array(projection, dtype=np.float64)
        self.centre: Array = np.array(centre, dtype=np.float64)
        self.layout = layout
        shapes, width = (self.projection.shape, self.centre.shape), layout.width
        finite = np.isfinite(self.projection).all() and np.isfinite(self.centre).all()
        if shapes != ((width, width), (width,)) or not finite:
            raise ParameterError(
                f"a finite projection of {width} × {width} numbers and a centre of {width}",
                f"shapes {shapes[0]} and {shapes[1]}",
                "give those that linear_erasure made for these columns",
            )
        for held in (self.projection, self.centre):
            held.setflags(write=False)

    def push(self, x: NDArray[Any], words: Words, s: Codes | None = None) -> Array:  # noqa: ARG002
        """The numbers released for each record, one for each number or level of the layout."""
        wide = self.layout.wide(np.asarray(x, dtype=np.float64))
        return wide - EXACT.matmul(wide - self.centre, self.projection)

    def apply(self, x: ArrayLike, *, s: ArrayLike | None = None, rng: np.random.Generator) -> Array:  # noqa: ARG002
        """Release each record; nothing is drawn."""
        return self.push(np.asarray(x), np.empty((len(np.asarray(x)), 0), dtype=np.uint64))

    def release(self, columns: Columns, *, s: ArrayLike | None = None, rng: np.random.Generator) -> Columns:  # noqa: ARG002
        """Release columns as columns of numbers, named column=level for a level."""
        y = self.apply(self.layout.matrix(columns), rng=rng)
        return Columns([Column(name, y[:, j]) for j, name in enumerate(self.names)])

    @property
    def names(self) -> tuple[str, ...]:
        """What the released numbers are called."""
        layout = self.layout
        made = [layout.columns[j].name for j in layout.numbers]
        for j, size in layout.categories:
            levels = layout.columns[j].levels or ("there", "missing")
            made += [f"{layout.columns[j].name}={levels[i]}" for i in range(size)]
        return tuple(made)

    def rows(self, x: NDArray[Any], s: Codes | None = None) -> NoReturn:  # noqa: ARG002
        """Refused: real numbers have no table of masses."""
        raise LawError("p(y | x) as a table", "real numbers", "estimate from released records")

    def to_weights(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """The arrays, and a description of plain values."""
        arrays = {"projection": self.projection, "centre": self.centre}
        return arrays, {"kind": "linear_erasure", "columns": self.layout.to_json()}

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], description: Mapping[str, Any]) -> ErasureChannel:
        """The channel of arrays and a description."""
        return cls(arrays["projection"], arrays["centre"], Layout.of_json(description["columns"]))

    def __repr__(self) -> str:
        return f"ErasureChannel of {len(self.layout.columns)} columns, rank {self.rank}"

    @property
    def rank(self) -> int:
        """How many directions are erased: at most one fewer than there are secrets."""
        return int(np.linalg.matrix_rank(self.projection))


def linear_erasure(samples: Samples) -> ErasureChannel:
    """Remove what is linearly correlated with the secret, moving records as little as possible.

    y = x − (x − E X) A,   A = W P W⁻¹,   W = Σ_x^(−1/2),   P onto the columns of W Σ_xs

    Afterwards every linear guess is as good as blind, and E |Y − X|² is the least for which it is. Trees and networks
    still see what is not linear: attack it and look. O(n d² + d³) for n records seen as d numbers.

    >>> x = [[0.0, 0], [1, 1], [2, 0], [3, 1]]
    >>> channel = linear_erasure(Samples(Columns.of_array(x), [0, 0, 1, 1]))
    >>> y = channel.apply(x, rng=np.random.default_rng(0))
    >>> bool(np.abs(y[:2].mean(axis=0) - y[2:].mean(axis=0)).max() < 1e-6)
    True

    References: Belrose et al., LEACE: perfect linear concept erasure in closed form, 2023, Theorem 4.3.
    """
    layout = Layout.of(samples.x)
    x = layout.wide(layout.matrix(samples.x))
    centre = x.mean(axis=0)
    held = x - centre
    value, vector = np.linalg.eigh(held.T @ held / len(x))
    alive = value > 1e-10 * max(float(value.max()), 1e-300)
    root = np.sqrt(np.where(alive, value, 0.0))
    whiten = (vector * np.divide(1.0, root, out=np.zeros_like(root), where=alive)) @ vector.T
    colour = (vector * root) @ vector.T
    seen = np.eye(samples.size)[samples.s]
    cross = whiten @ (held.T @ (seen - seen.mean(axis=0)) / len(x))
    u, size, _ = np.linalg.svd(cross, full_matrices=False)
    kept = u[:, size > 1e-10]
    return ErasureChannel((colour @ kept @ kept.T @ whiten).T, centre, layout)
