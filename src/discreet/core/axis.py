"""One side of a law: its name, and what its positions are called and worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from discreet.core.errors import AxisError


@dataclass(frozen=True, slots=True)
class Axis:
    """A named axis. `labels` name its positions; `values` are the numbers they stand for, where a cost needs them.

    >>> Axis("s", labels=("no", "yes"))
    Axis(name='s', labels=('no', 'yes'), values=None)
    """

    name: str
    labels: tuple[Any, ...] | None = None
    values: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        for field in ("labels", "values"):
            given = getattr(self, field)
            if given is not None:
                object.__setattr__(self, field, tuple(given))
        if self.labels is not None and self.values is not None and len(self.labels) != len(self.values):
            raise AxisError(
                f"an axis {self.name!r} with labels and values, one of each for a position",
                f"{len(self.labels)} labels and {len(self.values)} values",
                "give as many values as labels, or leave one of them out",
            )
        if self.labels is not None and len(set(self.labels)) != len(self.labels):
            raise AxisError(
                f"an axis {self.name!r} with labels that tell its positions apart",
                f"{len(self.labels) - len(set(self.labels))} labels more than once",
                "merge the positions that share a label, or rename them",
            )

    @property
    def size(self) -> int | None:
        """How many positions it has, where labels or values say so."""
        known = self.labels if self.labels is not None else self.values
        return None if known is None else len(known)

    def take(self, positions: Sequence[int]) -> Axis:
        """The axis of these positions only."""

        def pick(given: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
            return None if given is None else tuple(given[i] for i in positions)

        return Axis(self.name, pick(self.labels), pick(self.values))


def as_axes(axes: Iterable[str | Axis], shape: Sequence[int]) -> tuple[Axis, ...]:
    """Axes for an array of this shape; a string is an axis without labels."""
    made = tuple(a if isinstance(a, Axis) else Axis(a) for a in axes)
    names = [a.name for a in made]
    if len(made) != len(shape):
        raise AxisError(
            f"one axis for each of {len(shape)} dimensions",
            f"{len(made)} axes: {', '.join(names) or 'none'}",
            'name every dimension, for example axes=("s", "a", "x")',
        )
    if len(set(names)) != len(names):
        raise AxisError("axes with different names", ", ".join(names), "rename the axis that comes twice")
    for axis, size in zip(made, shape, strict=True):
        if axis.size is not None and axis.size != size:
            raise AxisError(
                f"axis {axis.name!r} as long as its dimension",
                f"{axis.size} labels or values, {size} positions",
                "give one label and one value for each position",
            )
    return made


def position(axes: Sequence[Axis], name: str) -> int:
    """Where the axis of this name stands."""
    for i, axis in enumerate(axes):
        if axis.name == name:
            return i
    raise AxisError(
        f"the axis {name!r}",
        f"a law over {', '.join(a.name for a in axes)}",
        "use one of these names, or name the axes when the law is made",
    )
