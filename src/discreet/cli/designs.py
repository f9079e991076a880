"""How a design and a policy look in a terminal: the answer first, then what was tried, then the notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from discreet.cli.showing import _headed, _print

if TYPE_CHECKING:
    from discreet.workflow.choice import Designed
    from discreet.workflow.made import Tried
    from discreet.workflow.policy import Policy

SIDES = {"upper": "≤ ", "lower": "≥ ", "estimate": "≈ ", "exact": ""}


def show_design(found: Designed) -> None:
    """The limit, everything that was tried, why one was chosen, and what happens to each column."""
    said = found.to_json()
    limit = found.policy.design.limit
    console = _headed(found.headline, [limit.sentence, *said["warnings"]])
    _tried(
        console, found.policy.design.tried, found.policy.design.mechanism if found.chosen is not None else ""
    )
    console.print(Text(found.why))
    console.print()
    rows = [[one["column"], f"{one['kept']:.0%}"] for one in said["changes"]]
    _print(console, "What is kept of each column", ["column", "kept"], rows)


def show_policy(held: Policy) -> None:
    """What a policy releases and hides, from whom, by what, and what was read off it."""
    limit = held.design.limit
    title = f"Releases {', '.join(held.kernel.columns)}; hides {', '.join(held.threat.secret)}."
    console = _headed(title, [limit.sentence, *held.design.warnings, *held.rare])
    threat = held.threat
    words = f"Made against whoever sees {threat.sees} and knows {threat.knows}. Not meant against {threat.beyond}."
    console.print(Text(words))
    console.print(Text(held.design.status))
    console.print()
    rows = [[", ".join(one.columns(held.codec)), one.mechanism, repr(one.channel)] for one in held.channels]
    _print(console, "Channels", ["columns", "mechanism", ""], rows)
    readings = {**held.design.leakage, **held.design.utility}
    _print(console, "Read off the design", ["", ""], [[name, repr(r)] for name, r in readings.items()])
    _tried(console, held.design.tried, held.design.mechanism)
    if held.design.why:
        console.print(Text(held.design.why))
    console.print(Text(f"policy {held.digest}"))


def _tried(console: Console, tried: Iterable[Tried], chosen: str) -> None:
    """Every mechanism on one scale; ≤ is a bound, ≈ an estimate."""
    rows = [
        [
            f"→ {one.mechanism}" if one.mechanism == chosen else f"  {one.mechanism}",
            f"{SIDES[one.leakage.side]}{one.leakage.value:.4g}",
            f"{SIDES[one.guess.side]}{100 * one.guess.value:.1f}",
            f"{one.utility.value:.0%}",
            "yes" if one.fits else "no",
        ]
        for one in sorted(tried, key=lambda one: (not one.fits, -one.utility.value))
    ]
    headings = ["mechanism", "nats told", "guessed right, in 100", "kept", "meets the limit"]
    _print(console, "Tried, on rows that no design saw: ≤ a bound, ≈ an estimate", headings, rows)
