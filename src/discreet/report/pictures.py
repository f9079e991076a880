"""Which rows of a result go into which picture on the scale of guesses: attackers, bounds, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.report import charts, words
from discreet.report.charts import Bracket, Json


def _of_reading(name: str, held: Json, *, strong: bool = True) -> Bracket:
    low, high = (held["interval"] or (held["value"], held["value"]))[:2]
    return Bracket(name, words.value(held["value"]), words.value(low), words.value(high), strong)


def _of_guess(name: str, held: Json, *, strong: bool = True) -> Bracket:
    low, high = (held["value"] if held[end] is None else held[end] for end in ("lower", "upper"))
    return Bracket(name, words.value(held["value"]), words.value(low), words.value(high), strong)


def headline(audit: Json) -> Any:
    """The estimate of the audit between what brackets it, with the best guess blind."""
    row = _of_guess("from the release", audit["guess"])
    return charts.guesses([row], {"without the data": words.value(audit["guess"]["baseline"])})


def remains(audit: Json) -> Any:
    """The guess that is left as one column after the other is dropped."""
    rows = [
        _of_reading(("without " if i == 0 else "and ") + row["without"][-1], row["guessing_probability"])
        for i, row in enumerate(audit["remains"])
    ]
    return charts.guesses(rows, {"without the data": words.value(audit["guess"]["baseline"])})


def attackers(attack: Json) -> Any:
    """Every attacker with his interval, the strongest in colour, beside the baseline and the control."""
    ordered = sorted(attack["attackers"].items(), key=lambda row: -(words.value(row[1]["value"]) or 0.0))
    rows = [_of_reading(name, held, strong=name == attack["strongest"]) for name, held in ordered]
    marks = {"without the data": words.value(attack["baseline"]["value"])}
    if attack["control"] is not None:
        marks["data untouched"] = words.value(attack["control"]["value"])
    return charts.guesses(rows, marks)


def before_and_after(release: Json) -> Any:
    """The guess from the file as it was and from the file as it is released."""
    rows = [
        _of_guess("before", release["before"]["guess"], strong=False),
        _of_guess("after", release["after"]["guess"]),
    ]
    return charts.guesses(rows, {"without the data": words.value(release["after"]["guess"]["baseline"])})


def bracketed(certificate: Json) -> Any:
    """What the strongest attacker was seen to reach, and what none exceeds."""
    best = certificate["measured"]["best"]
    rows = [_of_reading("the best attack reaches", best, strong=False)]
    for row in certificate["bounded"]:
        if row["measure"] == "guessing_probability":
            value = words.value(row["reading"]["value"])
            rows.append(Bracket("no attack exceeds", value, value, value))
    marks: Mapping[str, float | None] = {
        "without the data": words.value(certificate["measured"]["baseline"]["value"])
    }
    return charts.guesses(rows, marks)
