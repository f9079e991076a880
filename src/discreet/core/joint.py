"""A finite law over named axes, the secret first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.axis import Axis, as_axes, position
from discreet.core.channel import alphabet_rows
from discreet.core.errors import AxisError, LawError
from discreet.core.lift import Lift
from discreet.core.masses import as_numbers, check_masses
from discreet.core.protocols import Array, Channel
from discreet.core.reading import EXACT, Origin

if TYPE_CHECKING:
    from discreet.core.given import Given

DEFAULT_AXES = ("s", "x")


class Joint:
    """p[s, x], or p[s, a, x] and so on: a law that sums to one within 1e-9, over named axes, axis 0 the secret.

    `origin` says what the law is of: typed in, or the rows of a table.

    >>> joint = Joint([[.3, .1], [.15, .45]])
    >>> joint.marginal("s").p
    array([0.4, 0.6])
    """

    __slots__ = ("_marginals", "axes", "origin", "p")

    def __init__(
        self, p: ArrayLike, axes: Iterable[str | Axis] = DEFAULT_AXES, origin: Origin = EXACT
    ) -> None:
        held = as_numbers("a law", p)
        if held.ndim == 0:
            raise LawError("a law over one axis or more", "a single number", "give an array p[s, x]")
        self.axes = as_axes(axes, held.shape)
        check_masses(f"a law over {', '.join(a.name for a in self.axes)}", held)
        held.setflags(write=False)
        self.p: Array = held
        self.origin = origin
        self._marginals: tuple[Array, Array] | None = None
        if held.ndim == 2:
            self._marginals = (held.sum(axis=1), held.sum(axis=0))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the axes, in order."""
        return tuple(a.name for a in self.axes)

    def lift(self) -> Lift:
        """What the second axis tells about the first."""
        if self._marginals is None:
            raise AxisError(
                "the lift of a law over two axes, the secret first",
                f"{len(self.axes)} axes: {', '.join(self.names)}",
                'choose two with .marginal("s", "x"), or condition with .given("a")',
            )
        return Lift.of_law(self.p, *self._marginals, (self.axes[0], self.axes[1]), self.origin)

    def marginal(self, *names: str) -> Joint:
        """The law of these axes alone, in this order."""
        if not names:
            raise AxisError(
                "a marginal over one axis or more", "no name", f"choose from {', '.join(self.names)}"
            )
        keep = [position(self.axes, name) for name in names]
        if len(set(keep)) != len(keep):
            raise AxisError("a marginal over different axes", ", ".join(names), "name each axis once")
        summed = self.p.sum(axis=tuple(i for i in range(self.p.ndim) if i not in keep))
        order = np.argsort(np.argsort(keep))
        return Joint(summed.transpose(order), [self.axes[i] for i in keep], self.origin)

    def given(self, name: str) -> Given:
        """The law for each value of an axis that the adversary already knows."""
        from discreet.core.given import Given

        return Given.of_joint(self, name)

    def through(self, channel: Channel, keep: str | Sequence[str] = "s") -> Joint:
        """The law of what the channel releases, beside the axes that are kept, in the order given.

        The channel reads the last axis, and the first as well if it sees the secret. keep="s" is the pair that leakage
        is read off, keep="x" the one for utility, keep=("s", "x") all three; the axes' own names serve as well.
        """
        kept = (keep,) if isinstance(keep, str) else tuple(keep)
        last = self.p.ndim - 1
        roles = {"s": 0, "x": last, **{name: i for i, name in enumerate(self.names)}}
        places = [roles[name] if name in roles else position(self.axes, name) for name in kept]
        if channel.inputs == "sx":
            if self.p.ndim < 2:
                raise AxisError("a law over the secret and x", f"one axis: {self.names[0]}", "give p[s, x]")
            read = [0, last]
        else:
            read = [last]
        rows = alphabet_rows(channel, *(self.p.shape[i] for i in read))
        letters = "abcdefghijklmnopqrstuvw"[: self.p.ndim]
        read_in, kept_out = ("".join(letters[i] for i in where) for where in (read, places))
        p = np.einsum(f"{letters},{read_in}z->{kept_out}z", self.p, rows, optimize=True)
        axes = [*(self.axes[i] for i in places), getattr(channel, "output", Axis("y"))]
        return Joint(p, axes, self.origin)

    def __eq__(self, other: Any) -> bool:
        return (
            isinstance(other, Joint)
            and self.axes == other.axes
            and self.origin == other.origin
            and np.array_equal(self.p, other.p)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        sides = ", ".join(f"{a.name}: {n}" for a, n in zip(self.axes, self.p.shape, strict=True))
        return f"Joint over ({sides}), {self.origin.kind}, of {self.origin.law}"
