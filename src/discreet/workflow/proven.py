"""What holds of a release by theorem: from the channels that a policy draws from, whatever the data and the secret."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from discreet import guarantees as g
from discreet.core.channel import MatrixChannel
from discreet.core.guarantee import Guarantee
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.measures import channel as of_channel
from discreet.workflow.policy import Policy

EPS = 1.0
"""Statements that need a factor are made at e^ε with this ε, fixed beforehand."""


def proven(policy: Policy, p_s: Array | None = None) -> tuple[Guarantee, ...]:
    """Guarantees of the channels alone, and what follows from them; with the shares of the secret, also for the guess.

    Each block of columns goes through its own channel, so the release of a record is a composition of theirs. Nothing
    is said of a policy with a channel on real numbers, and nothing that would hold of any release.
    """
    matrices = [c.channel for c in policy.channels if isinstance(c.channel, MatrixChannel)]
    if len(matrices) != len(policy.channels) or any(m.inputs != "x" for m in matrices):
        return ()
    local = _together([of_channel.local_privacy(m) for m in matrices])
    most = _together([of_channel.maximal_leakage(m) for m in matrices])
    facts = {} if p_s is None else {"p_s": p_s}
    found: list[Guarantee | None] = [local, most]
    if local is not None:
        found += [g.imply(local, g.LiftPrivacy), g.imply(local, g.MutualInformation, **facts)]
    known = [one for one in (local, most) if one is not None]
    if known and p_s is not None:
        found.append(g.imply(known, g.GuessingProbability, **facts))
    return tuple(one for one in found if one is not None and _says_something(one, p_s))


def follows(reading: Reading, p_s: Array) -> tuple[Guarantee, ...]:
    """What follows from an upper bound at a confidence: for the guess, and for how often the odds move far."""
    if not math.isfinite(reading.value):
        return ()
    known = g.of(reading)
    asked = (
        g.imply(known, g.GuessingProbability, p_s=p_s),
        g.imply(known, g.InformationPrivacy, eps=EPS, p_s=p_s),
    )
    return tuple(one for one in asked if one is not None and _says_something(one, p_s))


def as_json(guarantee: Guarantee) -> dict[str, Any]:
    """A guarantee with its chain, for a file."""
    steps = [
        {"known": [n.words for n in s.known], "follows": s.follows.words, "cite": s.cite}
        for s in guarantee.chain
    ]
    return {
        "words": guarantee.notion.words,
        "notion": type(guarantee.notion).__name__,
        "law": guarantee.law,
        "basis": guarantee.basis,
        "confidence": guarantee.confidence,
        "chain": steps,
    }


def _together(readings: Sequence[Reading]) -> Guarantee | None:
    """All blocks of a record, released beside one another."""
    if any(not math.isfinite(r.value) for r in readings):
        return None
    each = [g.of(r) for r in readings]
    return each[0] if len(each) == 1 else g.compose(each)


def _says_something(guarantee: Guarantee, p_s: Array | None) -> bool:
    """Whether it is more than what holds of any release."""
    notion: Any = guarantee.notion
    if isinstance(notion, g.GuessingProbability):
        return bool(notion.eta < 1 - 1e-9)
    if isinstance(notion, g.InformationPrivacy):
        return bool(notion.delta < 1)
    if isinstance(notion, g.MaximalLeakage | g.MutualInformation) and p_s is not None:
        return bool(notion.eta < math.log(max(int((p_s > 0).sum()), 2)) - 1e-9)
    return True
