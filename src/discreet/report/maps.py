"""Leak against use: every design of a frontier, and every release of a comparison, on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.report import words
from discreet.report.charts import cut, data, finite
from discreet.report.drawing import ACCENT, MUTED, PAPER, QUIET, SOFT, styled

Json = Mapping[str, Any]

SHAPES = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)


def frontier(held: Json) -> Any:
    """What every design leaks and keeps: those within the limit are filled, the chosen one stands out."""
    import altair

    points = [_point(p, i == held["chosen"]) for i, p in enumerate(held["points"])]
    tried = list(points)
    if held["before"] is not None:
        points.append(_point(held["before"], False))
    kinds = list(dict.fromkeys(p["mechanism"] for p in points))
    shapes = [SHAPES[i % len(SHAPES)] for i in range(len(kinds))]
    x = altair.X(
        "leak:Q",
        title=f"leak: {held['leakage']}  (less is more private)",
        scale=altair.Scale(domainMin=0),
        axis=altair.Axis(tickCount=6),
    )
    y = altair.Y(
        "kept:Q",
        title=f"kept: {held['utility']}",
        scale=altair.Scale(domainMin=0),
        axis=altair.Axis(tickCount=5),
    )
    legend = (
        None
        if len(kinds) == 1
        else altair.Legend(
            columns=5,
            columnPadding=26,
            rowPadding=4,
            symbolFillColor=QUIET,
            symbolStrokeColor=MUTED,
            symbolOpacity=1,
            symbolSize=70,
        )
    )
    shape = altair.Shape(
        "mechanism:N", sort=None, scale=altair.Scale(domain=kinds, range=shapes), legend=legend
    )
    base = altair.Chart(data(points))
    spans = base.mark_rule(color=QUIET, opacity=0.6).encode(x="low:Q", x2="high:Q", y="kept:Q")
    drawn = [
        base.transform_filter(f"datum.fits === {fits}")
        .mark_point(size=70, strokeWidth=1.6, opacity=1, stroke=MUTED, fill=fill)
        .encode(x=x, y=y, shape=shape)
        for fits, fill in (("true", QUIET), ("false", PAPER))
    ]
    best = base.transform_filter("datum.chosen")
    chosen = best.mark_point(size=150, filled=True, color=ACCENT, opacity=1).encode(x=x, y=y, shape=shape)
    label = best.mark_text(align="left", dx=12, dy=-8, color=ACCENT, fontWeight="bold").encode(
        x=x, y=y, text=altair.value("chosen")
    )
    best_known = altair.Chart(data(_undominated(tried))).mark_line(
        color=SOFT, strokeWidth=1.5, interpolate="step-after"
    )
    layers = spans + best_known.encode(x=x, y=y) + drawn[0] + drawn[1] + chosen + label
    limit = words.value(held["limit"])
    if limit is not None:
        line = altair.Chart(data([{"at": limit, "name": "limit"}])).encode(x="at:Q")
        layers += line.mark_rule(color=ACCENT, strokeDash=[4, 3])
        layers += line.mark_text(align="left", baseline="top", dx=5, color=ACCENT).encode(
            y=altair.value(0), text="name:N"
        )
    return styled(layers, height=400, description=_designs(held, tried))


def _point(point: Json, chosen: bool) -> dict[str, Any]:
    leak = finite(point["leakage"]["value"], 1e9)
    low, high = (finite(v, 1e9) for v in (point["leakage"]["interval"] or (leak, leak))[:2])
    return {
        "mechanism": point["mechanism"],
        "leak": leak,
        "low": low,
        "high": high,
        "kept": finite(point["utility"]["value"], 1e9),
        "fits": point["fits"],
        "chosen": chosen,
    }


def _undominated(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The designs that no other beats on both sides, from the most private."""
    found: list[dict[str, Any]] = []
    for point in sorted(points, key=lambda p: (p["leak"], -p["kept"])):
        if not found or point["kept"] > found[-1]["kept"]:
            found.append(point)
    return found


def _designs(held: Json, points: Sequence[Json]) -> str:
    fitting = sum(p["fits"] for p in points)
    told = f"{len(points)} designs by what they leak and keep; {fitting} meet the limit."
    if held["chosen"] is None:
        return f"{told} None is chosen."
    best = points[held["chosen"]]
    return f"{told} Chosen: {best['mechanism']}, leak {words.plain(best['leak'])}, kept {words.plain(best['kept'])}."


def releases(held: Json) -> Any:
    """Releases by different tools on one scale: what they tell and what they keep."""
    import altair

    rows = [
        _release(held["before"], "before"),
        *(_release(r, r["verdict"]["status"]) for r in held["releases"]),
    ]
    rows = [row for row in rows if row["kept"] is not None]
    top = max([row["high"] for row in rows] + [1e-9])
    x = altair.X(
        "leak:Q",
        title="nats told about the secret  (less is more private)",
        scale=altair.Scale(domain=[0, 1.05 * top], nice=False),
        axis=altair.Axis(tickCount=6),
    )
    shares = altair.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    y = altair.Y("kept:Q", title="kept", scale=altair.Scale(domain=[0, 1.08]), axis=shares)
    base = altair.Chart(data(rows))
    colour = altair.condition("datum.good", altair.value(ACCENT), altair.value(QUIET))
    spans = base.mark_rule(color=QUIET, opacity=0.6).encode(x="low:Q", x2="high:Q", y="kept:Q")
    dots = base.mark_point(size=100, filled=True, opacity=1).encode(x=x, y=y, color=colour)
    left, right = f"datum.leak < {0.6 * top}", f"datum.leak >= {0.6 * top}"
    names = base.mark_text(align="left", dx=10, dy=-8).encode(x=x, y=y, text="name:N").transform_filter(left)
    others = (
        base.mark_text(align="right", dx=-10, dy=-8).encode(x=x, y=y, text="name:N").transform_filter(right)
    )
    told = "; ".join(
        f"{r['name']}: {words.plain(r['leak'])} nats, {words.percent(r['kept'])} kept" for r in rows
    )
    return styled(
        spans + dots + names + others, height=360, description=f"What each release tells and keeps. {told}."
    )


def _release(row: Json, status: str) -> dict[str, Any]:
    told, kept = row["mutual_information"], row["utility"]
    leak = finite(told["value"], 1e9)
    low, high = (finite(v, 1e9) for v in (told["interval"] or (leak, leak))[:2])
    return {
        "name": cut(row["name"]),
        "leak": leak,
        "low": low,
        "high": high,
        "kept": None if kept is None else words.value(kept["value"]),
        "good": status == "fine",
    }
