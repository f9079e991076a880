"""Mechanisms with one knob: for each block of columns a family of channels from silence (0) to the data itself (1).

The registry is fixed. Whoever designs names a row of it; a policy holds what came out, and never the name of code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from discreet import measures, mechanisms
from discreet.core.channel import MatrixChannel
from discreet.core.design import Design
from discreet.core.errors import ParameterError
from discreet.core.frontier import Frontier
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.measures.pointwise import lift_privacy

Family: TypeAlias = Callable[[float], Design]

SHARES = (0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
"""Where between perfect privacy and the data itself the funnel is designed; between two of them time is shared."""

COLUMNS = 4_000
"""How many columns the funnel may look for at each of them."""

NOTHING = 1e-9
"""Nats below this are none."""

STEPS = 20
"""Halvings in the search for a strength."""


def funnel(joint: Joint, rng: np.random.Generator) -> Family:
    """The least leak for what is kept, anywhere on the convex frontier; `strength` is the share of I(S;X) that is told."""
    most = measures.mutual_information(joint.lift()).value
    silent = mechanisms.perfect_privacy(joint, rng=rng)
    low, high = silent.utility.value, measures.entropy(joint.lift().reversed).value
    if most <= NOTHING or high - low <= NOTHING:
        return _between(silent, _itself(joint), most)
    rates = [low + share * (high - low) for share in SHARES]
    found = mechanisms.funnel_frontier(joint, rates, columns=COLUMNS, rng=rng)
    frontier = Frontier([silent, *found.points, _itself(joint)]).convex()
    return lambda strength: frontier.at(leak=strength * most)


def perfect_privacy(joint: Joint, rng: np.random.Generator) -> Family:
    """As much as can be said without a word about the secret, whatever the strength."""
    design = mechanisms.perfect_privacy(joint, rng=rng)
    return lambda _: design


def greedy_funnel(joint: Joint, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """Symbols merged, always the pair that hides most; `strength` is the share of I(S;X) that is told at most."""
    most = measures.mutual_information(joint.lift()).value
    path = mechanisms.greedy_funnel_path(joint)
    return lambda strength: path.at(leak=strength * most)


def watchdog(joint: Joint, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """What tells little as it is, the rest drawn from its own law; `strength` bounds the log-lift, as a share of its sup."""
    lift = joint.lift()
    frontier = mechanisms.watchdog_frontier(lift)
    finite = frontier.leak[np.isfinite(frontier.leak)]
    most = float(finite.max()) if finite.size else 0.0

    def design(strength: float) -> Design:
        if strength >= 1:
            return _itself(joint)
        return frontier.at(leak=strength * most)

    return design


def randomised_response(joint: Joint, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """The truth with probability `strength`, and otherwise any symbol, evenly."""
    return lambda strength: mechanisms.randomised_response(joint, strength)


def suppression(joint: Joint, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """The symbols that tell most are left out; `strength` is the share of the records that is shown."""
    told = lift_privacy(joint.lift()).by_y
    if told is None:
        raise ParameterError("what each symbol tells", "nothing", "give a law with two axes")
    p_x = joint.p.sum(axis=0)
    order = np.argsort(-np.where(p_x > 0, told, -1), kind="stable")
    hidden = np.cumsum(p_x[order])

    def design(strength: float) -> Design:
        count = (
            int(np.searchsorted(hidden, (1 - strength) * (1 - 1e-12), side="left")) + 1 if strength < 1 else 0
        )
        return mechanisms.suppression(joint, order[:count])

    return design


def least_leakage(joint: Joint, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """The least leak when so many records may change; `strength` is the share that stays, above the best constant."""
    p_x = joint.p.sum(axis=0)
    change = 1.0 - np.eye(p_x.size)
    return lambda strength: mechanisms.least_leakage(joint, change, (1 - strength) * (1 - float(p_x.max())))


FAMILIES: dict[str, Callable[[Joint, np.random.Generator], Family]] = {
    "funnel": funnel,
    "perfect_privacy": perfect_privacy,
    "greedy_funnel": greedy_funnel,
    "watchdog": watchdog,
    "randomised_response": randomised_response,
    "suppression": suppression,
    "least_leakage": least_leakage,
}


def constant(joint: Joint) -> Design:
    """One symbol for everybody: nothing is told, and nothing kept."""
    return mechanisms.randomised_response(joint, 0.0)


def decoded(design: Design, joint: Joint) -> MatrixChannel:
    """p(x' | x): what was released, turned back into a symbol of X by drawing from p(x | y), which costs no privacy."""
    channel = design.channel
    if not isinstance(channel, MatrixChannel):
        raise ParameterError("a finite channel", f"{channel!r}", "use another mechanism for these columns")
    p_x: Array = joint.p.sum(axis=0)
    if channel.inputs == "sx":
        weights = np.einsum("sx,sxy->yx", joint.p, channel.p)
    else:
        weights = (p_x[:, None] * channel.p).T
    total = weights.sum(axis=1, keepdims=True)
    back = np.divide(weights, total, out=np.tile(p_x, (len(weights), 1)), where=total > 0)
    return MatrixChannel(_within(channel.p @ back), replace(joint.axes[-1], name="y"))


def strengths(value: Callable[[float], float], targets: Sequence[float]) -> list[float]:
    """For each target the largest strength at which the value, which rises with it, stays at or below the target."""
    return [1.0 if value(1.0) <= target else _largest(value, target) for target in targets]


def _largest(value: Callable[[float], float], target: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) <= target else (low, middle)
    return low


def _itself(joint: Joint) -> Design:
    """X as it is."""
    return mechanisms.randomised_response(joint, 1.0)


def _between(first: Design, last: Design, most: float) -> Family:
    return lambda strength: last if strength >= 1 or most <= NOTHING else first


def _within(p: Array) -> Array:
    held = np.maximum(p, 0)
    made: Array = held / held.sum(axis=-1, keepdims=True)
    return made
