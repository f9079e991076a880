"""What a release still tells an adversary who already knows something else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.axis import position
from discreet.core.errors import AxisError
from discreet.core.lift import Lift
from discreet.core.protocols import Array
from discreet.core.reading import Reading

if TYPE_CHECKING:
    from discreet.core.joint import Joint


@dataclass(frozen=True, slots=True)
class Given:
    """p(a), and for each a the lift of the release given that a is known.

    A value of A without mass keeps its place; it weighs nothing and is never the worst.

    >>> from discreet.core.joint import Joint
    >>> from discreet.measures import mutual_information
    >>> xor = Joint([[[.25, 0], [0, .25]], [[0, .25], [.25, 0]]], axes=("s", "a", "x"))
    >>> mutual_information(xor.marginal("s", "x").lift())
    I(S;Y) = 0 nats (exact, of this law)
    >>> xor.given("a").average(mutual_information)
    I(S;Y) given a, average = 0.6931 nats (exact, of this law)
    """

    name: str
    p_a: Array
    lifts: tuple[Lift, ...]

    @classmethod
    def of_joint(cls, joint: Joint, name: str) -> Given:
        """Split a law over the secret, the release and `name` by the values of `name`."""
        place = position(joint.axes, name)
        if joint.p.ndim != 3 or place == 0:
            raise AxisError(
                f"a law over the secret, the release and {name!r}, the secret first",
                f"axes {', '.join(joint.names)}",
                'take .marginal("s", "a", "x") first',
            )
        by_a = np.moveaxis(joint.p, place, 0)
        p_a = by_a.sum(axis=(1, 2))
        rest = tuple(a for i, a in enumerate(joint.axes) if i != place)
        whole = by_a.sum(axis=0)
        nothing = np.outer(whole.sum(axis=1), whole.sum(axis=0))
        lifts = []
        for p, mass in zip(by_a, p_a, strict=True):
            law = np.ascontiguousarray(p / mass) if mass > 0 else nothing
            lifts.append(Lift.of_law(law, law.sum(axis=1), law.sum(axis=0), (rest[0], rest[1]), joint.origin))
        return cls(name, p_a, tuple(lifts))

    def average(self, measure: Callable[..., Reading], *args: Any) -> Reading:
        """The mean of the measure over what is known."""
        readings = self._readings(measure, *args)
        value = sum(float(p) * r.value for p, r in readings if p > 0)
        return self._told(readings[0][1], float(value), "average")

    def worst(self, measure: Callable[..., Reading], *args: Any) -> Reading:
        """The largest value of the measure over what may be known."""
        readings = self._readings(measure, *args)
        return self._told(readings[0][1], max(r.value for p, r in readings if p > 0), "worst")

    def _readings(self, measure: Callable[..., Reading], *args: Any) -> list[tuple[float, Reading]]:
        return [(float(p), measure(lift, *args)) for p, lift in zip(self.p_a, self.lifts, strict=True)]

    def _told(self, one: Reading, value: float, how: str) -> Reading:
        name = f"{one.measure} given {self.name}, {how}"
        return replace(one, value=value, measure=name, by_s=None, by_y=None)
