"""How the demonstration looks in a terminal."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from discreet.workflow.demo import Demo, Told


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
    for title, table in _tables(result):
        console.print(Text(title, style="bold"))
        console.print(table)
        console.print()
    console.print("[bold]What follows by theorem[/bold]\n")
    for guarantee in result.follows:
        console.print(Text(str(guarantee)))
        console.print()
    console.print(
        "Every number above is exact for this table of voters and says nothing yet about other people.",
        style="dim",
    )


def _tables(result: Demo) -> Iterator[tuple[str, Table]]:
    first = result.columns[0].name
    yield "Which columns tell (lower is more private)", _columns(result)
    yield f"What the others still tell to somebody who knows `{first}`", _added(result)
    yield f"Which values of `{first}` tell: how many times as likely each vote becomes", _levels(result)
    yield f"One lift, many measures: `{first}`", _measured(result)
    yield f"Releases of `{first}` that say less, and what they keep of it", _cuts(result)


def _table(*headings: str) -> Table:
    table = Table(header_style="dim", box=None, pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="left" if i == 0 else "right")
    return table


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _told_table(first: str) -> Table:
    return _table(first, "nats", "of all there is", "guessed right", "at most × or ÷")


def _told(told: Told, all_there_is: float) -> tuple[str, ...]:
    nats, guess, worst = told.information.value, told.guess.value, told.worst.value
    return (
        told.name,
        f"{nats:.4f}",
        _share(nats / all_there_is),
        _share(guess),
        f"{math.exp(worst):.3g}",
    )


def _columns(result: Demo) -> Table:
    table = _told_table("column")
    for told in result.columns:
        table.add_row(*_told(told, result.uncertainty.value))
    table.add_row("(no data)", "0", "0.0 %", _share(result.blind), "1")
    return table


def _added(result: Demo) -> Table:
    table = _table("column", "nats")
    for name, reading in result.added:
        table.add_row(name, f"{reading.value:.4f}")
    return table


def _levels(result: Demo) -> Table:
    table = _table("value", *result.secrets)
    for level, lifts in zip(result.levels, result.ratio.T, strict=True):
        table.add_row(level, *(f"× {l:.2f}" for l in lifts))
    return table


def _measured(result: Demo) -> Table:
    table = _table("measure")
    for reading in result.told:
        table.add_row(Text(repr(reading)))
    return table


def _cuts(result: Demo) -> Table:
    table = _told_table("release")
    table.add_column("kept", justify="right")
    whole = result.cuts[0].kept.value
    for cut in result.cuts:
        table.add_row(*_told(cut.told, result.uncertainty.value), _share(cut.kept.value / whole))
    return table
