"""Greedy merging: the deterministic funnel and the deterministic bottleneck, and all they pass on their way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np

from discreet.core.design import Design
from discreet.core.errors import ParameterError
from discreet.core.frontier import SLACK, Frontier
from discreet.core.joint import Joint
from discreet.mechanisms.finished import entropy_of, finished, pair_of, partition_channel, within
from discreet.mechanisms.merging import Merges, What, merge_pairs

MOST_SYMBOLS = 20_000
"""Up to so many symbols of X with mass: the time grows with the square."""


def greedy_funnel(joint: Joint, rate: float) -> Design:
    """Merge symbols of X while the release keeps at least `rate` nats about X, always the pair that hides S best.

    merge argmax_{ij} I(S;Y) − I(S;Y^{ij})   among the pairs with   I(X;Y^{ij}) ≥ rate,
    I(S;Y) − I(S;Y^{ij}) = p_ij H((p_i P_{S|i} + p_j P_{S|j}) / p_ij) − p_i H(P_{S|i}) − p_j H(P_{S|j})

    The result is a deterministic map, the best merge at every step, and not the best map; the funnel is never worse.
    Its bound is the cheap one, I(S;Y) ≥ I(X;Y) − H(X|S). Symbols without mass go where the most common symbol goes.

    `rate` is from 0 to H(X). O(|X|²|S|) time, O(|X||S|) memory and the channel.

    >>> design = greedy_funnel(Joint([[.3, .05, .05], [.1, .1, .4]]), 0.6)
    >>> design.leakage, design.channel.p.argmax(axis=1)
    (I(S;Y) = 0.1555 nats (exact, of this law), array([0, 0, 1]))

    References: paper 002, Algorithm 1; Proposition 1 (corrected).
    """
    lift, _, most = pair_of(joint)
    rate = within("rate", rate, most, "H(X)")
    merges = _merges(joint, "s", most - rate + SLACK)
    return _design(joint, merges, len(merges), entropy_of(lift.p) - entropy_of(lift.p_s))


def greedy_bottleneck(joint: Joint, relevance: float) -> Design:
    """Merge symbols of X while the release keeps `relevance` nats about S, always the pair that cuts X most.

    merge argmax_{ij} I(X;Y) − I(X;Y^{ij})   among the pairs with   I(S;Y^{ij}) ≥ relevance

    It marks the other edge of what deterministic maps can do: as much about S as possible for what is said about X.
    `leakage` is I(S;Y), here the quantity that is kept, and `utility` is I(X;Y), here the one that is made small.

    `relevance` is from 0 to I(S;X). O(|X|²|S|) time, O(|X||S|) memory and the channel.

    >>> design = greedy_bottleneck(Joint([[.3, .05, .05], [.1, .1, .4]]), 0.1)
    >>> design.leakage, design.channel.p.argmax(axis=1)
    (I(S;Y) = 0.1777 nats (exact, of this law), array([0, 1, 1]))

    References: paper 002, Algorithm 2.
    """
    _, most, _ = pair_of(joint)
    relevance = within("relevance", relevance, most, "I(S;X)")
    merges = _merges(joint, "x", most - relevance + SLACK)
    return _design(joint, merges, len(merges), None)


def greedy_funnel_path(joint: Joint) -> Frontier:
    """Every map that the greedy funnel passes when no rate stops it, from X itself to silence, in one run.

    The channels are made when they are asked for. `greedy_funnel` at a rate follows this path until its best merge
    would break the rate, and then goes on with the merges that do not. O(|X|²|S|) time, O(|X||S|) memory.

    References: paper 002, Algorithm 1.
    """
    return _path(joint, "s")


def greedy_bottleneck_path(joint: Joint) -> Frontier:
    """Every map that the greedy bottleneck passes when it gives up as little relevance as it must, in one run.

    The limit on I(S;Y) falls only so far that one more pair fits, which is the pair that loses the least of I(S;Y).
    The channels are made when they are asked for. O(|X|²|S|) time, O(|X||S|) memory.

    References: paper 002, Algorithm 2 and its reference [3].
    """
    return _path(joint, "relevance")


def _merges(joint: Joint, gain: What, budget: float) -> Merges:
    occurring = int(np.count_nonzero(joint.lift().p_y))
    if occurring > MOST_SYMBOLS:
        raise ParameterError(
            f"merging among up to {MOST_SYMBOLS:,} symbols of X",
            f"{occurring:,} symbols with mass",
            "group rare symbols first, for example into an “other” level or into bins",
        )
    return merge_pairs(joint.p, gain, budget)


def _design(joint: Joint, merges: Merges, steps: int, hidden: float | None) -> Design:
    """The map after so many merges; `hidden` is H(X|S), where the cheap bound is wanted."""
    lift = joint.lift()
    blocks = merges.blocks(steps, lift.p_y.size, int(lift.p_y.argmax()))
    told = entropy_of(np.bincount(blocks, lift.p_y).astype(np.float64))
    bound = None if hidden is None else max(told - hidden, 0.0)
    trace = {"blocks": blocks, "merges": steps, "symbols": int(blocks.max()) + 1}
    return finished(joint, partition_channel(blocks), bound, told=told, trace=trace)


def _path(joint: Joint, gain: What) -> Frontier:
    _, leak, utility = pair_of(joint)
    merges = _merges(joint, gain, np.inf)
    points = _Path(joint, merges, gain)
    fall_s, fall_x = (np.append(0.0, np.cumsum(drop)) for drop in (merges.drop_s, merges.drop_x))
    return Frontier(points, leak=np.maximum(leak - fall_s, 0), utility=np.maximum(utility - fall_x, 0))


class _Path(Sequence[Design]):
    """The designs of a path, made when they are asked for."""

    def __init__(self, joint: Joint, merges: Merges, gain: What) -> None:
        lift = joint.lift()
        self._joint, self._merges, self._gain = joint, merges, gain
        self._hidden = entropy_of(lift.p) - entropy_of(lift.p_s) if gain == "s" else None

    def __len__(self) -> int:
        return len(self._merges) + 1

    @overload
    def __getitem__(self, i: int) -> Design: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[Design]: ...
    def __getitem__(self, i: int | slice) -> Design | Sequence[Design]:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        if not -len(self) <= i < len(self):
            raise IndexError(i)
        return _design(self._joint, self._merges, i % len(self), self._hidden)
