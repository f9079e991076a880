"""From a Reading to the Guarantee it is, if it is one."""

from __future__ import annotations

from discreet.core.errors import EvidenceError, ParameterError
from discreet.core.guarantee import Guarantee
from discreet.core.reading import Reading
from discreet.guarantees.notions import NOTIONS, DifferentialPrivacy, InformationPrivacy
from discreet.guarantees.standing import CHANNEL
from discreet.guarantees.statement import Statement, defaults


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


OF_MEASURE: dict[str, tuple[type[Statement], str]] = {
    **{_snake(notion.__name__): (notion, notion.bound) for notion in NOTIONS},
    "information_privacy_eps": (InformationPrivacy, "eps"),
    "differential_privacy_eps": (DifferentialPrivacy, "eps"),
}
"""For the name of a measure, the notion that bounds it and the number that the measure is."""


def of(reading: Reading) -> Guarantee:
    """The guarantee that a Reading is: exact on a law or a table, at a confidence where an interval says so.

    An estimate without a confidence is refused, and so is a bound on the wrong side: a lower bound on a leak promises
    nothing.

    >>> from discreet.core.reading import Reading
    >>> of(Reading(.01, measure="chi_squared"))
    χ²(S;Y) is at most 0.01 (computed, of this law)
    """
    notion, name = _notion_of(reading)
    value, confidence = _worst_case(reading, notion)
    given = {field: reading.parameters[field] for field in _fields(notion) if field in reading.parameters}
    missing = [field for field in (*notion.free, notion.bound) if field != name and field not in given]
    if missing:
        raise ParameterError(
            f"a Reading that says its {', '.join(missing)}",
            f"{reading.measure} with {dict(reading.parameters)}",
            f"write the notion down: {notion.__name__}({', '.join(missing)}=…, {name}=float(reading))",
        )
    statement = notion(**{**given, name: value})
    law = CHANNEL if notion.channel else reading.origin.law
    return Guarantee(statement, law, confidence, "exact" if confidence is None else "confidence")


def _notion_of(reading: Reading) -> tuple[type[Statement], str]:
    if " given " in reading.measure:
        raise ParameterError(
            "a Reading of what a release tells by itself",
            f"a Reading of {reading.measure!r}",
            "no notion speaks of what the adversary knows beside the release: read the law of each value by itself",
        )
    if reading.measure not in OF_MEASURE:
        raise ParameterError(
            "a Reading of a measure that a notion bounds",
            f"a Reading of {reading.measure!r}",
            "take one of " + ", ".join(OF_MEASURE),
        )
    return OF_MEASURE[reading.measure]


def _worst_case(reading: Reading, notion: type[Statement]) -> tuple[float, float | None]:
    """The number that may be relied on, with its confidence; None is certainty."""
    if reading.side == "exact":
        return float(reading), None
    right, wrong = ("lower", "upper") if notion.at_least else ("upper", "lower")
    asked = f"a guarantee from {reading!r}"
    if reading.interval is None or reading.side == wrong:
        found = (
            f"a bound on the {wrong} side"
            if reading.side == wrong
            else f"{_a(reading.side)} without a confidence"
        )
        raise EvidenceError(
            asked,
            found,
            f"bound it from the {right} side on held-out rows, at a confidence, or compute it on a law",
        )
    low, high, confidence = reading.interval
    return (min(low, float(reading)) if notion.at_least else max(high, float(reading))), confidence


def _a(side: str) -> str:
    return "an estimate" if side == "estimate" else f"{'an' if side == 'upper' else 'a'} {side} bound"


def _fields(notion: type[Statement]) -> tuple[str, ...]:
    return (*notion.free, *defaults(notion), notion.bound)
