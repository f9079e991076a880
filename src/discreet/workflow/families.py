"""Finite mechanisms with one knob: for a block of columns a family of channels from silence (0) to the data itself (1).

The registry is fixed. Whoever designs names a row of it; a policy holds what came out, and never the name of code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import numpy as np

from discreet import measures, mechanisms
from discreet.core.channel import MatrixChannel
from discreet.core.design import Design
from discreet.core.errors import ParameterError
from discreet.core.frontier import SLACK, Frontier
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.measures.pointwise import lift_privacy
from discreet.tables.block import Block
from discreet.workflow.coarser import coarser

Family: TypeAlias = Callable[[float], Design]
Maker: TypeAlias = Callable[[Joint, Block, np.random.Generator], Family]

SHARES = (0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
"""Where between silence and the data itself a frontier is designed; between two of its points time is shared."""

COLUMNS = 4_000
"""How many columns the funnel may look for at each of them."""

CELLS = 1 << 14
"""The least leakage for a distortion is a cone program: blocks with more cells than this are too large for it."""

NOTHING = 1e-9
"""Nats below this are none."""


def funnel(joint: Joint, block: Block, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """The least leak for what is kept, on its convex frontier; `strength` is the share of I(S;X) that is told."""
    most = _told(joint)
    silent = mechanisms.perfect_privacy(joint, rng=rng)
    low, high = silent.utility.value, measures.entropy(joint.lift().reversed).value
    if most <= NOTHING or high - low <= NOTHING:
        return lambda strength: _itself(joint) if strength >= 1 or most <= NOTHING else silent
    rates = [low + share * (high - low) for share in SHARES]
    found = mechanisms.funnel_frontier(joint, rates, columns=COLUMNS, rng=rng)
    frontier = Frontier([silent, *found.points, _itself(joint)]).convex()
    return lambda strength: frontier.at(leak=strength * most)


def perfect_privacy(joint: Joint, block: Block, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """As much as can be said without a word about the secret, whatever the strength."""
    design = mechanisms.perfect_privacy(joint, rng=rng)
    return lambda _: design


def greedy_funnel(joint: Joint, block: Block, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """Symbols merged, always the pair that hides most; `strength` is the share of I(S;X) that is told at most."""
    most = _told(joint)
    path = mechanisms.greedy_funnel_path(joint)
    return lambda strength: path.at(leak=strength * most)


def generalisation(joint: Joint, block: Block, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """Coarser ranges and levels, column by column; `strength` is the share of I(S;X) that is told at most."""
    most = _told(joint)
    path = Frontier([mechanisms.generalisation(joint, groups) for groups in coarser(joint, block)])
    return lambda strength: path.at(leak=max(strength * most, float(path.leak.min())))


def watchdog(joint: Joint, block: Block, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """What tells little as it is, the rest drawn from its own law; `strength` bounds sup |log l|, as a share of it."""
    frontier = mechanisms.watchdog_frontier(joint.lift())
    finite = frontier.leak[np.isfinite(frontier.leak)]
    most = float(finite.max()) if finite.size else 0.0
    made = cache(frontier.points.__getitem__)

    def design(strength: float) -> Design:
        if strength >= 1:
            return _itself(joint)
        allowed = np.flatnonzero(frontier.leak <= strength * most + SLACK)
        return made(int(allowed[np.argmax(frontier.utility[allowed])]))

    return design


def randomised_response(joint: Joint, block: Block, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """The truth with probability `strength`, and otherwise any symbol, evenly."""
    return lambda strength: mechanisms.randomised_response(joint, strength)


def suppression(joint: Joint, block: Block, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """The symbols that tell most are left out; `strength` is the share of the records that is shown."""
    told = lift_privacy(joint.lift()).by_y
    if told is None:
        raise ParameterError("what each symbol tells", "nothing", "give a law with two axes")
    p_x = joint.p.sum(axis=0)
    order = np.argsort(-np.where(p_x > 0, told, -1), kind="stable")
    hidden = np.cumsum(p_x[order])

    def design(strength: float) -> Design:
        wanted = (1 - strength) * (1 - 1e-12)
        count = int(np.searchsorted(hidden, wanted, side="left")) + 1 if strength < 1 else 0
        return mechanisms.suppression(joint, order[:count])

    return design


def least_leakage(joint: Joint, block: Block, rng: np.random.Generator) -> Family:  # noqa: ARG001
    """The least leak when so many records may change; `strength` is the share of I(S;X) that is told."""
    if joint.p.shape[1] ** 2 > CELLS:
        raise ParameterError(
            f"a block of {int(CELLS**0.5)} symbols at most for the least leakage",
            f"{joint.p.shape[1]} symbols",
            "allow fewer symbols a block, or use the funnel",
        )
    p_x = joint.p.sum(axis=0)
    change, most = 1.0 - np.eye(p_x.size), 1 - float(p_x.max())
    points = [
        mechanisms.least_leakage(joint, change, (1 - share) * most) for share in (0.0, *SHARES) if most > 0
    ]
    frontier = Frontier([*points, _itself(joint)]).convex()
    whole = _told(joint)
    return lambda strength: frontier.at(leak=strength * whole)


FAMILIES: dict[str, Maker] = {
    "funnel": funnel,
    "perfect_privacy": perfect_privacy,
    "greedy_funnel": greedy_funnel,
    "generalisation": generalisation,
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
    sees = channel.inputs == "sx"
    weights = np.einsum("sx,sxy->yx", joint.p, channel.p) if sees else (p_x[:, None] * channel.p).T
    total = weights.sum(axis=1, keepdims=True)
    back = np.divide(weights, total, out=np.tile(p_x, (len(weights), 1)), where=total > 0)
    held = np.maximum(channel.p @ back, 0)
    return MatrixChannel(held / held.sum(axis=-1, keepdims=True), replace(joint.axes[-1], name="y"))


def _told(joint: Joint) -> float:
    return measures.mutual_information(joint.lift()).value


def _itself(joint: Joint) -> Design:
    """X as it is."""
    return mechanisms.randomised_response(joint, 1.0)
