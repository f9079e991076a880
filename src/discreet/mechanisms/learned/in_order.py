"""Whether a learned frontier is in order: more utility costs more leak, and if not, why not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.core.design import Design, Status
from discreet.core.frontier import Frontier, corners

SAME = 2e-3
"""Leaks nearer than this, in nats or in shares of right guesses, are the same: held-out rows tell no more."""


class Ordering(NamedTuple):
    """The designs worth using, from the most private to the most useful, and why each of the others is not."""

    kept: tuple[int, ...]
    why: dict[int, str]

    @property
    def in_order(self) -> bool:
        """Whether every design is worth using."""
        return not self.why


def by_distortion(designs: Sequence[Design]) -> Frontier:
    """A frontier of designs whose utility is a distortion: less of it is more useful, so that `at(leak=…)` gives the
    least distortion, and `at(utility=−D)` the least leak within D.
    """
    return Frontier(designs, utility=[-float(design.utility) for design in designs])


def ordering(frontier: Frontier) -> Ordering:
    """The concave upper edge of what a learned frontier reaches; training leaves some designs below it.

    A design below the edge is beaten by tossing a coin, record by record, between the two of the edge beside it, and
    says so with its status. One that misses the edge by less than held-out rows can tell is not blamed. Along what is
    kept, leak and utility rise together.

    >>> from discreet.core.channel import MatrixChannel
    >>> from discreet.core.reading import Reading
    >>> def design(leak, utility):
    ...     read = [Reading(v, "", "share") for v in (leak, utility)]
    ...     return Design(MatrixChannel(np.eye(2)), Status.LEARNED, *read)
    >>> ordering(Frontier([design(.1, .5), design(.4, .6), design(.3, .9)])).why
    {1: 'design 1 leaks 0.4 for a utility of 0.6, where a coin between designs 0 and 2 leaks 0.15: train again'}
    """
    kept = corners(frontier.leak, frontier.utility)
    leak, utility = frontier.leak[kept], frontier.utility[kept]
    best = np.interp(frontier.utility, utility, leak)
    why = {}
    for i in np.flatnonzero(frontier.leak > best + SAME):
        right = min(int(np.searchsorted(utility, frontier.utility[i])), len(kept) - 1)
        beside = sorted({int(kept[max(right - 1, 0)]), int(kept[right])})
        way = (
            f"a coin between designs {beside[0]} and {beside[-1]}"
            if len(beside) > 1
            else f"design {beside[0]}"
        )
        status = frontier.points[int(i)].status
        remedy = "train again" if status is Status.LEARNED else str(status)
        why[int(i)] = (
            f"design {i} leaks {frontier.leak[i]:.3g} for a utility of {frontier.utility[i]:.3g}, "
            f"where {way} leaks {best[i]:.2g}: {remedy}"
        )
    return Ordering(tuple(int(k) for k in kept), why)
