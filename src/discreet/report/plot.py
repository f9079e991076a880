"""One chart of a result, for those who work in a notebook; and its static picture where no script runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from discreet.core.errors import ParameterError
from discreet.core.frontier import Frontier
from discreet.core.reading import QUANTITIES, Reading
from discreet.report import charts, maps, pictures, words
from discreet.report.drawing import svg
from discreet.report.shapes import checked

Json = Mapping[str, Any]

CHARTS: dict[str, Callable[[Json], Any]] = {
    "discreet/audit/1": lambda r: charts.columns(r["columns"]),
    "discreet/attack/1": pictures.attackers,
    "discreet/design/1": lambda r: maps.frontier(r["frontier"]),
    "discreet/release/1": pictures.before_and_after,
    "discreet/certificate/1": pictures.bracketed,
    "discreet/compare/1": maps.releases,
    "discreet/demo/2": lambda r: pictures.before_and_after(r["release"]),
}
"""The picture that says most of a result."""


def plot(result: Any) -> Any:
    """The picture of a result as an Altair chart: an audit's columns, a frontier, the attackers, before and after.

    `result` is a Frontier, a result's JSON, or anything with `to_json()`.
    """
    if isinstance(result, Frontier):
        return maps.frontier(_of_frontier(result))
    held = result.to_json() if hasattr(result, "to_json") else result
    if not isinstance(held, Mapping):
        raise ParameterError(
            "a chart of a result",
            f"{type(result).__name__}",
            "give a Frontier, an audit, an attack, a design, a release, or the JSON of one",
        )
    held = checked(words.visible(held))
    return CHARTS[held["schema"]](held)


def fragment(result: Json) -> str:
    """A result in a notebook: its headline, its verdict and its picture, with no script and no address."""
    held = checked(words.visible(result))
    picture = svg(CHARTS[held["schema"]](held), "discreet")
    verdict = held["verdict"]
    said = words.prose(f"{verdict['status']}: {verdict['words']}")
    style = "background:#fefefe;color:#1f2328;max-width:52rem;padding:1rem"
    headline = words.prose(held["headline"])
    return f'<div style="{style}"><p><strong>{headline}</strong></p><p>{said}</p>{picture}</div>'


def _of_frontier(frontier: Frontier) -> dict[str, Any]:
    points = [
        {"mechanism": "design", "leakage": d.leakage.to_json(), "utility": d.utility.to_json(), "fits": True}
        for d in frontier
    ]
    first = frontier.points[0]
    return {
        "leakage": _symbol(first.leakage),
        "utility": _symbol(first.utility),
        "points": points,
        "before": None,
        "chosen": None,
        "limit": None,
    }


def _symbol(reading: Reading) -> str:
    symbol = QUANTITIES[reading.measure].symbol if reading.measure in QUANTITIES else reading.measure
    return f"{symbol}, {reading.unit}" if reading.unit else symbol
