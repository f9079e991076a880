"""The last step of every design from a known law: measure the finished channel and say how it stands to the bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design, Status
from discreet.core.errors import ParameterError
from discreet.core.joint import Joint
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes
from discreet.measures.fdiv import mutual_information

CELLS = 1 << 27
"""A channel is written out up to so many cells (1 GB)."""

CLOSED = 1e-6
"""A leak this near to a sound bound, in nats, is the least possible for every purpose."""

NOTHING = 1e-12
"""A rate, a leak or an entropy in nats below this is none."""

SLACK = 1e-9
"""A budget may lie outside what is possible by so much, in nats."""

ROUNDING = 1e-11
"""A bound is lowered by this much, far more than the rounding of the sums that it is made of."""


def finished(
    joint: Joint,
    channel: MatrixChannel,
    bound: float | None,
    *,
    told: float | None = None,
    sharp: bool = False,
    spent: bool = False,
    trace: Mapping[str, Any] | None = None,
) -> Design:
    """The channel with its leak and utility as measured on it, beside the least leak any channel could have.

    `told` is I(X;Y) where it is known without the pair (X, Y), H(Y) of a map. `sharp` says that the bound converges to
    the least leak and is not only a cheap one, `spent` that work stopped early.
    """
    leakage = mutual_information(joint.through(channel).lift())
    if told is None:
        utility = mutual_information(joint.through(channel, keep=joint.names[-1]).lift())
    else:
        utility = joint.lift().reading("mutual_information", told)
    below = None
    status = Status.CONSTRUCTED
    if bound is not None:
        value = max(bound - ROUNDING, 0.0)
        below = type(leakage)(
            value,
            leakage.unit,
            leakage.measure,
            "lower",
            origin=leakage.origin,
            parameters=leakage.parameters,
        )
        status = _status(leakage.value - value, sharp, spent)
    return Design(channel, status, leakage, utility, below, trace or {})


def _status(gap: float, sharp: bool, spent: bool) -> Status:
    if gap <= CLOSED:
        return Status.OPTIMAL
    if spent:
        return Status.OUT_OF_BUDGET
    return Status.NEAR if sharp else Status.CHEAP


def partition_channel(blocks: Codes) -> MatrixChannel:
    """The deterministic channel that releases the block of a symbol."""
    size = int(blocks.max()) + 1
    check_cells(blocks.size, size)
    p = np.zeros((blocks.size, size))
    p[np.arange(blocks.size), blocks] = 1
    return MatrixChannel(p)


def constant_channel(size: int) -> MatrixChannel:
    """The channel that always releases the same symbol."""
    return MatrixChannel(np.ones((size, 1)))


def check_cells(n_x: int, n_y: int) -> None:
    """Refuse a channel too large to be written out."""
    if n_x * n_y > CELLS:
        raise ParameterError(
            "a channel small enough to be written out",
            f"{n_x:,} symbols, of which {n_y:,} would be told apart",
            "group rare symbols first, or ask for less utility",
        )


def entropy_of(mass: Array) -> float:
    """H of a law given by its masses, which need not sum to one: −Σ m log m."""
    held = mass[mass > 0]
    return max(-float((held * np.log(held)).sum()), 0.0)


def pair_of(joint: Joint) -> tuple[Lift, float, float]:
    """The lift of a law over two axes, with I(S; X) and H(X)."""
    lift = joint.lift()
    return lift, mutual_information(lift).value, entropy_of(lift.p_y)


def within(name: str, value: float, most: float, what: str) -> float:
    """A budget in nats from 0 to the most there is; what lies outside by rounding is the end that it lies at."""
    if not -SLACK <= value <= most + SLACK:
        raise ParameterError(
            f"{name} from 0 to {what} = {most:.6g} nats",
            f"{name} = {value}",
            f"no channel from X has more than {what}; ask for less"
            if value > most
            else f"give {name} in nats, 0 or more",
        )
    return min(max(float(value), 0.0), most)
