"""What a conclusion stands on: the law it is about, its basis, and the confidence that is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from discreet.core.errors import EvidenceError, ParameterError
from discreet.core.guarantee import Basis, Guarantee
from discreet.guarantees.notions import NOTIONS
from discreet.guarantees.statement import Statement

CHANNEL = "the channel"
"""The law of a statement about a mechanism alone: it holds whatever the data."""

SUPPOSED = ""
"""The law of a notion that is only supposed: whichever the others are about."""


def as_guarantee(given: Guarantee | Statement) -> Guarantee:
    """A Guarantee as it is; a notion as one that is supposed."""
    if isinstance(given, Guarantee):
        return replace(given, law=CHANNEL) if statement_of(given).channel else given
    if type(given) in NOTIONS:
        return Guarantee(given, CHANNEL if given.channel else SUPPOSED)
    raise ParameterError(
        "something known: a Guarantee, or a notion with its numbers",
        repr(given),
        "write ChiSquared(eta=.01), or take guarantees.of(reading)",
    )


def statement_of(guarantee: Guarantee) -> Statement:
    """The notion of a Guarantee, if the table knows it."""
    notion = guarantee.notion
    if isinstance(notion, Statement):
        return notion
    raise ParameterError(
        "a Guarantee of a notion that the table knows", repr(notion), "use a notion of discreet.guarantees"
    )


def one_law(guarantees: Iterable[Guarantee]) -> None:
    """Refuse statements about different laws; those about a channel hold for every law."""
    laws = sorted({one.law for one in guarantees} - {CHANNEL, SUPPOSED})
    if len(laws) > 1:
        raise EvidenceError(
            "one conclusion from what is known",
            f"statements about different laws: {', '.join(laws)}",
            "combine statements about one law, and statements about a channel, which hold for every law",
        )


def law_of(used: Sequence[Guarantee], stated: bool = False) -> str:
    """What a conclusion from these is about: the law they speak of, or the channel if all of them do.

    With `stated` it needs facts of a law beside, and so is not about the channel alone.
    """
    if not stated and all(one.law == CHANNEL for one in used):
        return CHANNEL
    return next((one.law for one in used if one.law not in {CHANNEL, SUPPOSED}), "this law")


def standing(used: Sequence[Guarantee]) -> tuple[float | None, Basis]:
    """With which confidence, and on what basis, a conclusion from these stands: the chances to be wrong add up."""
    doubts = [1 - one.confidence for one in used if one.confidence is not None]
    confidence = round(1 - sum(doubts), 12) if doubts else None
    if any(one.basis == "supposed" for one in used):
        return confidence, "supposed"
    return confidence, "theorem" if confidence is None else "confidence"
