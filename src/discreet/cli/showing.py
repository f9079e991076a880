"""How results look in a terminal: the headline first, then tables."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from discreet.core.reading import Reading

if TYPE_CHECKING:
    from discreet.workflow.attack import Attack
    from discreet.workflow.audited import Audit
    from discreet.workflow.compare import Comparison
    from discreet.workflow.demo import Demo
    from discreet.workflow.release import Release
    from discreet.workflow.verify import Verified


def show_audit(found: Audit) -> None:
    """An audit: columns, pairs, values, records."""
    console = _headed(found.headline, found.warnings)
    told = found.to_json()
    rows = [
        [
            name,
            row["kind"],
            _nats(row["mutual_information"]),
            _share(row["guessing_probability"]),
            row["verdict"],
        ]
        for name, row in told["columns"].items()
    ]
    _print(
        console,
        "Columns, each alone (lower is more private)",
        ["column", "", "nats", "right at least", ""],
        rows,
    )
    pairs = [[" with ".join(p["columns"]), _nats(p["mutual_information"])] for p in told["pairs"]]
    _print(console, "Pairs that tell only together", ["columns", "nats"], pairs)
    values = [
        [v["column"], v["value"], v["secret"], f"× {float(v['lift']['value']):.3g}", f"{v['records']:,}"]
        for v in told["values"]["rows"]
    ]
    _print(
        console, "The most telling values", ["column", "value", found.secret, "as likely", "records"], values
    )
    remains = [
        [", ".join(r["without"]), _nats(r["mutual_information"]), _share(r["guessing_probability"])]
        for r in told["remains"]
    ]
    _print(console, "What is left without", ["columns", "nats", "guessed right"], remains)
    if told["anonymity"] is not None:
        rows = [[r["name"], _number(r["reading"]["value"]), r["means"]] for r in told["anonymity"]["rows"]]
        _print(console, "The classical notions, exact for this file", ["", "", ""], rows)


def show_attack(found: Attack) -> None:
    """An attack: every attacker, beside the control and the baseline."""
    console = _headed(found.headline, (*found.code, *found.notices))
    rows = [[name, *_hits(r)] for name, r in sorted(found.attackers.items(), key=lambda item: -item[1].value)]
    if found.control is not None:
        rows.append(["the best from the data untouched", *_hits(found.control)])
    rows.append(["without any data", *_hits(found.baseline)])
    _print(console, "Guessed right, on rows that nobody learned from", ["attacker", "", "interval"], rows)


def show_release(found: Release) -> None:
    """A release: what was tried, what no attacker exceeds, where everything is."""
    console = _headed(found.headline, found.to_json()["warnings"])
    points = found.designed.points[: len(found.designed.policies)]
    rows = [
        [
            p.mechanism,
            f"{p.leakage.value:.4g}",
            f"{p.utility.value:.0%}",
            f"{100 * p.guess.value:.1f}",
            "yes" if p.fits else "no",
        ]
        for p in points
    ]
    _print(
        console, found.designed.why, ["mechanism", "nats", "kept", "guessed right", "meets the limit"], rows
    )
    for row in found.certificate.to_json()["bounded"]:
        console.print(Text(f"• {row['words']}"))
    console.print()
    for one in found.files:
        console.print(Text(f"{one['role']:12} {found.folder / one['name']}"))
    console.print(Text(f"{'report':12} {found.folder / 'report.html'}"))


def show_demo(found: Demo) -> None:
    """The whole way: what the survey tells, what was released instead, and where everything is."""
    show_audit(found.audit)
    show_release(found.release)
    print(f"The whole report: {found.report}")


def show_comparison(found: Comparison) -> None:
    """Several releases on one scale."""
    console = _headed(found.headline, ())
    rows = [
        [
            c.name, *_hits(c.told.guess), f"{c.told.information.value:.4g}",
            "–" if c.told.kept is None else f"{c.told.kept.value:.0%}", c.verdict.status,
        ]
        for c in (found.before, *found.releases)
    ]  # fmt: skip
    _print(console, "", ["release", "guessed right", "interval", "nats", "kept", "verdict"], rows)


def show_verified(found: Verified) -> None:
    """Every statement that was checked."""
    console = _headed(found.headline, ())
    marks = {True: "agrees", False: "DIFFERS", None: "not checked"}
    _print(console, "", ["", "", ""], [[c.what, marks[c.ok], c.words] for c in found.checks])


def _headed(headline: str, warnings: Iterable[str]) -> Console:
    console = Console(highlight=False)
    console.print()
    console.print(Text(headline, style="bold"))
    for warning in warnings:
        console.print(Text(f"note: {warning}", style="dim"))
    console.print()
    return console


def _print(console: Console, title: str, headings: list[str], rows: list[list[str]]) -> None:
    """A table, where there is something in it."""
    if not rows:
        return
    if title:
        console.print(Text(title, style="bold"))
    table = Table(header_style="dim", box=None, pad_edge=False, show_header=any(headings))
    for i, heading in enumerate(headings):
        numbers = all(_numeric(row[i]) for row in rows)
        table.add_column(escape(heading), justify="right" if i and numbers else "left")
    for row in rows:
        table.add_row(*(Text(_plain(cell)) for cell in row))
    console.print(table)
    console.print()


def _plain(cell: str) -> str:
    """A cell without control characters: a column may be called anything."""
    return "".join(c if c.isprintable() else "�" for c in cell)


def _numeric(cell: str) -> bool:
    return bool(cell) and (cell[0].isdigit() or cell[0] in "×–-")


def _hits(reading: Reading) -> list[str]:
    low, high, _ = reading.interval or (reading.value, reading.value, 0.0)
    return [f"{100 * reading.value:.1f}", f"{100 * low:.1f}–{100 * high:.1f}"]


def _nats(reading: dict[str, object]) -> str:
    return _number(reading["value"])


def _share(reading: dict[str, object]) -> str:
    return f"{100 * float(str(reading['value'])):.1f}"


def _number(value: object) -> str:
    if value is None:
        return "–"
    number = float(str(value))
    return "∞" if math.isinf(number) else f"{number:.4g}"
