"""What the rooms expect of one another, without seeing one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from discreet.core.axis import Axis
    from discreet.core.lift import Lift
    from discreet.core.samples import Columns, Samples

Array: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]


@runtime_checkable
class Channel(Protocol):
    """A pure function of a record and of a fixed number of random 64-bit words a record.

    A generator and a key stream can therefore drive the same code. `inputs` says whether it sees x alone or s and x.
    """

    @property
    def inputs(self) -> Literal["x", "sx"]:
        """Whether it sees x alone or the secret as well."""
        ...

    @property
    def words(self) -> int:
        """How many random words it takes for a record."""
        ...

    def push(self, x: NDArray[Any], words: Words, s: Codes | None = None) -> NDArray[Any]:
        """What is released for each record."""
        ...

    def rows(self, x: NDArray[Any], s: Codes | None = None) -> Array:
        """p(y | x) for each record, where Y is finite."""
        ...


@runtime_checkable
class Notion(Protocol):
    """A privacy notion with its parameters: the statement that a Guarantee makes."""

    @property
    def words(self) -> str:
        """The statement as a plain sentence."""
        ...


@runtime_checkable
class LiftModel(Protocol):
    """A fitted lift: what any record tells about the secret."""

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """The secret with its labels, and the records."""
        ...

    def lift(self, x: Columns) -> Lift:
        """The lift whose columns are these records, each with mass 1/n."""
        ...


@runtime_checkable
class Estimator(Protocol):
    """A way to learn the lift from records. The configured object is the configuration."""

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> LiftModel:
        """Learn it from these records."""
        ...
