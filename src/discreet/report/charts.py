"""What is drawn: one function a picture, from a part of a result's JSON to an Altair chart with its alternative text.

Everything is aggregated before it is drawn; a picture has at most `MOST` rows, and the table beside it has all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from discreet.report import words
from discreet.report.drawing import ACCENT, INK, MUTED, QUIET, styled

Json = Mapping[str, Any]

MOST = 24
ROW = 26
LETTERS = 40
"""A longer name is cut in a picture; the table has it whole."""

LETTER = 7.4
"""Pixels for a letter in the widest of the system fonts at this size, so that no name is cut by the page's edge."""


def data(rows: Sequence[Mapping[str, Any]]) -> Any:
    """The rows of a picture."""
    import altair

    return altair.Data(values=list(rows))  # type: ignore[no-untyped-call]


def _names(rows: Sequence[Json]) -> Any:
    """The axis of names, in the order given, as wide as the longest."""
    import altair

    room = 12 + LETTER * max([len(row["name"]) for row in rows] + [1])
    axis = altair.Axis(
        labelColor=INK, labelLimit=0, grid=False, labelPadding=10, minExtent=room, maxExtent=room
    )
    return altair.Y("name:N", sort=None, title=None, axis=axis)


def cut(name: str) -> str:
    """A name at a length that a picture has room for."""
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"


def _unlike(names: Sequence[str]) -> list[str]:
    """Names cut to length and still unlike each other, so that no two rows of a picture fall together."""
    seen: dict[str, int] = {}
    found = []
    for name in map(cut, names):
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name[: LETTERS - 5]} ({seen[name]})")
    return found


def finite(number: Any, ceiling: float) -> float:
    """The number, with a place at the edge for what is infinite."""
    held = words.value(number)
    return 0.0 if held is None else min(max(held, -ceiling), ceiling)


def columns(rows: Mapping[str, Json]) -> Any:
    """How many nats each column tells alone: bars, their intervals, and what the shuffled secret reads."""
    import altair

    ordered = sorted(rows.items(), key=lambda row: -finite(row[1]["mutual_information"]["value"], 1e9))
    names = _unlike([name for name, _ in ordered[:MOST]])
    held = [_column(name, row) for name, (_, row) in zip(names, ordered, strict=False)]
    top = max([row["high"] for row in held] + [1e-9])
    base = altair.Chart(data(held)).encode(y=_names(held))
    colour = altair.condition("datum.found", altair.value(ACCENT), altair.value(QUIET))
    scale, axis = altair.Scale(domain=[0, 1.16 * top], nice=False), altair.Axis(tickCount=6)
    x = altair.X("nats:Q", title="nats told about the secret", scale=scale, axis=axis)
    bars = base.mark_bar(height=12).encode(x=x, color=colour)
    spans = base.mark_rule(color=INK, strokeWidth=1.2).encode(x="low:Q", x2="high:Q")
    nulls = base.mark_tick(color=INK, thickness=2, height=18).encode(x="null:Q")
    numbers = base.mark_text(align="left", dx=8, color=MUTED).encode(x="high:Q", text="text:N")
    return styled(
        bars + spans + nulls + numbers, height=ROW * len(held) + 50, description=_told_of(held, len(rows))
    )


def _column(name: str, row: Json) -> dict[str, Any]:
    nats = row["mutual_information"]
    value = finite(nats["value"], 1e9)
    low, high = (finite(v, 1e9) for v in (nats["interval"] or (value, value))[:2])
    return {
        "name": name,
        "nats": value,
        "low": low,
        "high": max(high, value),
        "null": words.value(row["null"]),
        "found": row["verdict"] != "nothing found",
        "text": words.plain(nats["value"], 3, strip=False),
    }


def _told_of(held: Sequence[Json], of: int) -> str:
    most = "; ".join(f"{row['name']} {row['text']}" for row in held[:5])
    shown = f"the {len(held)} most telling of {of} columns" if of > len(held) else f"{of} columns"
    return f"Bar chart of the nats that {shown} tell alone. The most telling: {most}. The table has every number."


class Bracket(NamedTuple):
    """One row of a picture on the scale of guesses: known from below, the estimate, known from above."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    strong: bool = True


def guesses(brackets: Sequence[Bracket], marks: Mapping[str, float | None]) -> Any:
    """Shares guessed right, with their intervals, on one scale; `marks` are upright lines with a name."""
    import altair

    lines = [{"mark": name, "at": at} for name, at in marks.items() if at is not None]
    names = _unlike([b.name for b in brackets[:MOST]])
    held = [
        b._asdict() | {"name": name, "text": _in_words(b)} for name, b in zip(names, brackets, strict=False)
    ]
    domain = _domain([*(v for b in brackets for v in (b.value, b.low, b.high)), *marks.values()])
    x = altair.Scale(domain=domain, nice=False)
    axis = altair.Axis(format=".0%", tickCount=6)
    base = altair.Chart(data(held)).encode(y=_names(held))
    colour = altair.condition("datum.strong", altair.value(ACCENT), altair.value(QUIET))
    spans = base.mark_rule(strokeWidth=6, strokeCap="round", opacity=0.45).encode(
        x=altair.X("low:Q", scale=x, axis=axis, title="guessed right"), x2="high:Q", color=colour
    )
    dots = base.mark_point(size=90, filled=True, opacity=1).encode(
        x=altair.X("value:Q", scale=x), color=colour
    )
    marked = altair.Chart(data(lines)).encode(x=altair.X("at:Q", scale=x))
    rules = marked.mark_rule(color=MUTED, strokeDash=[4, 3])
    names = marked.mark_text(align="center", baseline="bottom", dy=-6, color=MUTED).encode(
        y=altair.value(0), text="mark:N"
    )
    height = ROW * max(len(held), 1) + 76
    return styled(rules + spans + dots + names, height=height, description=_guessed(held, lines))


def _domain(values: Sequence[float | None]) -> list[float]:
    """A range of shares that shows differences, and says zero or one only where it gets there."""
    known = [v for v in values if v is not None] or [0.0, 1.0]
    low, high = min(known), max(known)
    margin = max(0.12 * (high - low), 0.02)
    return [max(0.0, low - margin), min(1.0, high + margin)]


def _in_words(b: Bracket) -> str:
    reach = "" if b.low is None or b.high is None else f" ({words.percent(b.low)} to {words.percent(b.high)})"
    return f"{words.percent(b.value)}{reach}"


def _guessed(held: Sequence[Json], lines: Sequence[Json]) -> str:
    rows = "; ".join(f"{row['name']} {row['text']}" for row in held)
    marks = "; ".join(f"{line['mark']} {words.percent(line['at'])}" for line in lines)
    return f"How often the secret is guessed right: {rows}. Marked: {marks}."


def values(rows: Sequence[Json]) -> Any:
    """By what factor a value changes the chance of a secret, on a scale of factors."""
    import altair

    names = _unlike([f"{row['column']} = {row['value']} → {row['secret']}" for row in rows[:MOST]])
    held: list[dict[str, Any]] = [
        {
            "name": name,
            "factor": min(max(finite(row["lift"]["value"], 1e4), 1e-3), 1e3),
            "text": words.factor(row["lift"]["value"]),
            "one": 1.0,
        }
        for name, row in zip(names, rows, strict=False)
    ]
    furthest = max([2.0, *(max(row["factor"], 1 / row["factor"]) for row in held)])
    top = max(4 * furthest, furthest**1.4)  # room for the words beside the furthest
    scale = altair.Scale(type="log", base=2, domain=[1 / top, top])
    axis = altair.Axis(
        tickCount=7, labelExpr="datum.value < 1 ? '÷ ' + round(10 / datum.value) / 10 : '× ' + datum.value"
    )
    base = altair.Chart(data(held)).encode(y=_names(held))
    x = altair.X("factor:Q", scale=scale, axis=axis, title="how many times as likely the secret becomes")
    bars = base.mark_bar(height=4, color=ACCENT).encode(x=x, x2="one:Q")
    dots = base.mark_point(filled=True, size=80, opacity=1, color=ACCENT).encode(x=x)
    right = (
        base.mark_text(align="left", dx=10, color=MUTED)
        .encode(x=x, text="text:N")
        .transform_filter("datum.factor >= 1")
    )
    left = (
        base.mark_text(align="right", dx=-10, color=MUTED)
        .encode(x=x, text="text:N")
        .transform_filter("datum.factor < 1")
    )
    told = "; ".join(f"{row['name']} {row['text']}" for row in held[:5])
    return styled(
        bars + dots + right + left,
        height=ROW * len(held) + 56,
        description=f"By what factor values change the chance of a secret: {told}. The table has all of them.",
    )


def odds(records: Json) -> Any:
    """How many records move by which factor; those above two stand out."""
    import altair

    edges, counts = records["histogram"]["edges"], records["histogram"]["counts"]
    held: list[dict[str, Any]] = [
        {
            "from": i + 0.06,
            "to": i + 0.94,
            "middle": i + 0.5,
            "none": 0,
            "n": n or 0,
            "text": "few" if n is None else (f"{n:,}" if n else ""),
            "risk": (words.value(edges[i]) or 0.0) >= 2,
        }
        for i, n in enumerate(counts)
    ]
    labels = str([words.edge(end) for end in edges])
    axis = altair.Axis(values=list(range(len(edges))), labelExpr=f"{labels}[datum.value]", grid=False)
    scale = altair.Scale(domain=[0, len(counts)], nice=False)
    x = altair.X("from:Q", title="odds of the true secret, after over before", axis=axis, scale=scale)
    room = altair.Scale(domain=[0, 1.12 * max([1, *(row["n"] for row in held)])], nice=False)
    y = altair.Y("n:Q", title="records", axis=altair.Axis(tickCount=4, format=",d"), scale=room)
    base = altair.Chart(data(held))
    colour = altair.condition("datum.risk", altair.value(ACCENT), altair.value(QUIET))
    bars = base.mark_bar().encode(x=x, x2="to:Q", y=y, y2="none:Q", color=colour)
    numbers = base.mark_text(dy=-8, color=MUTED).encode(
        x=altair.X("middle:Q", scale=scale), y=y, text="text:N"
    )
    risk = words.count(records["doubled"], records["fewest"])
    told = (
        "Histogram of the factor by which the odds of the true secret move. "
        f"{risk} of {records['n']:,} records more than double."
    )
    return styled(bars + numbers, height=230, description=told)
