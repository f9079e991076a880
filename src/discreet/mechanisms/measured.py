"""From a finished channel to a Design: its leak in the measure that was asked for, and what it keeps of X."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design, Status
from discreet.core.joint import Joint
from discreet.core.lift import Lift
from discreet.core.reading import Reading, unit_of
from discreet.measures.arguments import choice
from discreet.measures.decision import guessing_probability
from discreet.measures.fdiv import chi_squared, mutual_information
from discreet.measures.pointwise import lift_privacy, local_privacy
from discreet.measures.sibson import maximal_leakage

Leakage = Literal[
    "mutual_information",
    "guessing_probability",
    "maximal_leakage",
    "local_privacy",
    "lift_privacy",
    "chi_squared",
]

LEAKAGES: dict[str, Callable[[Lift], Reading]] = {
    "mutual_information": mutual_information,
    "guessing_probability": guessing_probability,
    "maximal_leakage": maximal_leakage,
    "local_privacy": local_privacy,
    "lift_privacy": lift_privacy,
    "chi_squared": chi_squared,
}
"""What a design can be measured in, by name."""

CLOSED = 1e-7
"""A leak this near to its bound, beside the larger of the two and one, is the least possible for every purpose."""

ROUNDING = 1e-11
"""A bound is lowered by this much, more than the rounding of the sums that it is made of."""


def designed(
    joint: Joint,
    channel: MatrixChannel,
    leakage: Leakage = "mutual_information",
    *,
    lower: float | None = None,
    solved: bool = True,
    trace: Mapping[str, Any] | None = None,
) -> Design:
    """The channel with its leak and utility as measured on it, beside the least leak any channel could have.

    Without a bound the channel was constructed by a rule; with an infinite one it is the only channel there is.
    `solved` says that the solver reached its tolerance.
    """
    choice("leakage", leakage, tuple(LEAKAGES))
    lift = joint.through(channel).lift()
    told = LEAKAGES[leakage](lift)
    utility = mutual_information(joint.through(channel, keep=joint.names[-1]).lift())
    found = {"mutual_information": mutual_information(lift).value, **(trace or {})}
    if lower is None:
        return Design(channel, Status.CONSTRUCTED, told, utility, None, found)
    floor = float(lift.p_s.max()) if leakage == "guessing_probability" else 0.0
    lower = min(lower, told.value)
    value = lower if lower == np.inf else max(lower - ROUNDING * max(1.0, abs(lower)), floor)
    bound = Reading(value, unit_of(leakage), leakage, "lower", origin=joint.origin)
    if told.value <= value + CLOSED * max(1.0, abs(value)):
        status = Status.OPTIMAL
    else:
        status = Status.NEAR if solved else Status.INACCURATE
    return Design(channel, status, told, utility, bound, found)
