"""A learned sanitiser as a channel: NumPy only, the same to the last bit for one record and for a million."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any, Literal, NoReturn, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.errors import LawError, ParameterError
from discreet.core.gaussian_channel import normals
from discreet.core.protocols import Array, Codes, Words
from discreet.core.samples import Columns
from discreet.mechanisms.learned.layout import Layout
from discreet.neural.exact import EXACT
from discreet.neural.networks import Activation
from discreet.neural.sanitisers import AdditiveNoise, Generator

FAMILIES: dict[str, type[AdditiveNoise] | type[Generator]] = {
    "additive_noise": AdditiveNoise,
    "generator": Generator,
}
"""The families of learned channels, by name."""


class LearnedChannel:
    """A network that releases mixed records: numbers with noise, categories by a draw.

    `family` says what is computed, `arrays` with which weights, `layout` how columns become numbers. A record is a row
    of `layout.matrix(columns)`. Random words become normals and uniforms, so that a generator and a key stream drive
    the same code.
    """

    __slots__ = ("arrays", "family", "layout")

    def __init__(
        self, family: AdditiveNoise | Generator, arrays: Mapping[str, NDArray[Any]], layout: Layout
    ) -> None:
        if family.width != layout.width:
            raise ParameterError(
                f"a network for the {layout.width} numbers of these columns",
                f"one for {family.width}",
                "give the layout that the network was trained with",
            )
        self.family, self.layout = family, layout
        self.arrays = {name: np.array(held, dtype=np.float32) for name, held in arrays.items()}
        found = {name: held.shape for name, held in self.arrays.items()}
        if found != family.shapes or not all(np.isfinite(held).all() for held in self.arrays.values()):
            raise ParameterError(
                f"arrays of finite numbers of shapes {family.shapes}",
                f"{found}",
                "give the arrays that the network was trained to",
            )
        for held in self.arrays.values():
            held.setflags(write=False)

    @property
    def inputs(self) -> Literal["x", "sx"]:
        """Whether it sees x alone or the secret as well."""
        return "sx" if getattr(self.family, "secrets", 0) else "x"

    @property
    def words(self) -> int:
        """How many random words a record takes: one for a normal, rounded up to pairs, and one for a category."""
        wanted = self.family.noise
        return wanted.normals + wanted.normals % 2 + wanted.uniforms

    def push(self, x: NDArray[Any], words: Words, s: Codes | None = None) -> Array:
        """The record released for each record, in the columns' own units."""
        matrix = np.asarray(x, dtype=np.float64)
        wide = self.layout.wide(matrix)
        held = np.asarray(words, dtype=np.uint64).reshape(len(wide), self.words)
        wanted = self.family.noise
        pairs = wanted.normals + wanted.normals % 2
        uniforms = (held[:, pairs:] >> np.uint64(11)) * 2.0**-53
        drawn = normals(held[:, :pairs])[:, : wanted.normals], uniforms
        released, _ = self.family.release(EXACT, self.arrays, wide, self._secrets(s, len(wide)), drawn, None)
        return self.layout.narrow(np.asarray(released))

    def apply(self, x: ArrayLike, *, s: ArrayLike | None = None, rng: np.random.Generator) -> Array:
        """Release each record with noise drawn with this generator."""
        matrix = np.asarray(x, dtype=np.float64)
        words = rng.integers(0, 2**64, size=(len(matrix), self.words), dtype=np.uint64)
        return self.push(matrix, words, None if s is None else np.asarray(s, dtype=np.int64))

    def release(self, columns: Columns, *, s: ArrayLike | None = None, rng: np.random.Generator) -> Columns:
        """Release columns as columns."""
        return self.layout.records(self.apply(self.layout.matrix(columns), s=s, rng=rng))

    def rows(self, x: NDArray[Any], s: Codes | None = None) -> NoReturn:  # noqa: ARG002
        """Refused: what is released has too many values for a table of masses."""
        raise LawError(
            "p(y | x) as a table", f"{self!r}, which releases records", "estimate from released records"
        )

    def to_weights(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """The arrays, and a description of plain values from which `from_weights` makes the channel again."""
        kind = next(name for name, family in FAMILIES.items() if isinstance(self.family, family))
        described = {"kind": kind, "family": _listed(asdict(self.family)), "columns": self.layout.to_json()}
        return dict(self.arrays), described

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], description: Mapping[str, Any]) -> LearnedChannel:
        """The channel of arrays and a description."""
        layout = Layout.of_json(description["columns"])
        return cls(_described(description["kind"], description["family"], layout), arrays, layout)

    def _secrets(self, s: Codes | None, n: int) -> Any:
        size = getattr(self.family, "secrets", 0)
        if not size:
            return None
        if s is None or len(s) != n or (n and not 0 <= min(s) <= max(s) < size):
            raise ParameterError(
                f"a secret 0 … {size - 1} for each of {n} records",
                "none" if s is None else "other numbers",
                "pass the secrets as numbers: s=…",
            )
        return np.eye(size)[s]

    def __repr__(self) -> str:
        kind = type(self.family).__name__
        return f"LearnedChannel {kind} from {self.inputs}, {len(self.layout.columns)} columns"


def _described(kind: str, fields: Mapping[str, Any], layout: Layout) -> AdditiveNoise | Generator:
    """The family that is described; whole numbers, names that are known, and the sizes of these columns."""
    made: Any = FAMILIES[kind]
    family: AdditiveNoise | Generator = made(**{name: _tupled(held) for name, held in fields.items()})
    rest = {name: held for name, held in asdict(family).items() if name not in _CHECKED}
    whole = [one for held in rest.values() for one in (held if isinstance(held, tuple) else (held,))]
    if not (
        all(type(one) is int and one >= 0 for one in whole)
        and family.activation in get_args(Activation)
        and (not isinstance(family, Generator) or _fits(family, layout))
    ):
        raise ParameterError(
            "a network for these columns", f"{dict(fields)}"[:200], "store it again with weights_of"
        )
    return family


_CHECKED = ("activation", "residual", "still", "knots")
"""What a described family holds beside whole numbers."""


def _fits(family: Generator, layout: Layout) -> bool:
    """Whether it is for these columns, and its switches and knots are what they should be."""
    sizes = tuple(size for _, size in layout.categories)
    return (
        (family.numbers, family.levels) == (len(layout.numbers), sizes)
        and (type(family.residual), type(family.still)) == (bool, float)
        and len(family.knots) in (0, family.numbers)
        and all(_rising(at) for at in family.knots)
    )


def _rising(at: object) -> bool:
    """Whether these are two or more numbers, each above the one before; or none."""
    return isinstance(at, tuple) and (
        not at
        or (
            len(at) > 1
            and all(type(one) is float and math.isfinite(one) for one in at)
            and all(a < b for a, b in pairwise(at))
        )
    )


def _tupled(held: Any) -> Any:
    """Lists as tuples, also within."""
    return tuple(_tupled(one) for one in held) if isinstance(held, list | tuple) else held


def _listed(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Tuples as lists, also within: as JSON has them."""
    listed: dict[str, Any] = json.loads(json.dumps(fields))
    return listed
