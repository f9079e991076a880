"""How the demonstration looks in a terminal."""

from __future__ import annotations

import json
import math
from itertools import zip_longest

from rich.console import Console
from rich.table import Table
from rich.text import Text

from discreet.workflow.demo import KEPT, Demo, Told


def show(result: Demo, *, as_json: bool) -> None:
    """Print the result as tables, or as JSON."""
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False)
    console.print()
    console.print(Text(result.headline, style="bold"))
    console.print(
        f"Of the {result.uncertainty.value:.3f} nats there are to know about `{result.secret}`, each column tells:\n"
    )
    console.print(_columns(result))
    console.print(_added(result))
    console.print(_levels(result))
    console.print(_measured(result))
    console.print(_cut(result))
    console.print("\n[bold]What follows by theorem[/bold]\n")
    for guarantee in result.follows:
        console.print(Text(str(guarantee)))
        console.print()
    console.print(
        "Every number above is exact for this table of voters and says nothing yet about other people.",
        style="dim",
    )


def _table(title: str, *headings: str) -> Table:
    table = Table(
        title=title, title_justify="left", title_style="bold", header_style="", box=None, pad_edge=False
    )
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="left" if i == 0 else "right")
    return table


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _told(told: Told, all_there_is: float) -> tuple[str, ...]:
    nats, guess, worst = told.information.value, told.guess.value, told.worst.value
    return told.name, f"{nats:.4f}", _share(nats / all_there_is), _share(guess), f"× {math.exp(worst):.3g}"


def _columns(result: Demo) -> Table:
    table = _table(
        "Which columns tell  (lower is more private)",
        "column",
        "nats",
        "of all there is",
        "guessed right",
        "odds of a vote move at most",
    )
    for told in result.columns:
        table.add_row(*_told(told, result.uncertainty.value))
    table.add_row("(no data)", "0", "0.0 %", _share(result.blind), "× 1")
    return table


def _added(result: Demo) -> Table:
    first = result.columns[0].name
    table = _table(f"\nWhat the others still tell to somebody who knows `{first}`", "column", "nats")
    for name, reading in result.added:
        table.add_row(name, f"{reading.value:.4f}")
    return table


def _levels(result: Demo) -> Table:
    first = result.columns[0].name
    table = _table(
        f"\nWhich values of `{first}` tell: how many times likelier each vote becomes",
        "value",
        *result.secrets,
    )
    for level, lifts in zip_longest(result.levels, result.ratio.T):
        table.add_row(level, *(f"× {l:.2f}" for l in lifts))
    return table


def _measured(result: Demo) -> Table:
    table = _table(f"\nOne lift, many measures: `{result.columns[0].name}`", "measure")
    for reading in result.told:
        table.add_row(repr(reading))
    return table


def _cut(result: Demo) -> Table:
    before, after = result.columns[0], result.cut
    table = _table(
        f"\nThe same column told truly {_share(KEPT)} of the time, otherwise any level, evenly",
        "release",
        "nats",
        "of all there is",
        "guessed right",
        "odds of a vote move at most",
    )
    for told in (before, after):
        table.add_row(*_told(told, result.uncertainty.value))
    return table
