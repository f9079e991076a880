"""One look for every chart, and a chart as SVG inside a page: its colours follow the page, light or dark."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup, escape

INK, MUTED, LINE = "#1f2328", "#5d646d", "#d9dde2"
ACCENT, SOFT, QUIET, PAPER = "#b4430f", "#e6b8a2", "#98a1ab", "#fefefe"

TOKENS = {
    INK: "ink",
    MUTED: "muted",
    LINE: "line",
    ACCENT: "accent",
    SOFT: "soft",
    QUIET: "quiet",
    PAPER: "paper",
}
"""A colour of a chart, and the custom property of the page that takes its place. The fallback is the colour itself."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
WIDTH = 784


def styled(chart: Any, *, height: int, description: str) -> Any:
    """The chart at the width of the page, in the house's type and colours; the description is its alternative text."""
    text = {"labelColor": MUTED, "titleColor": MUTED, "labelFontSize": 12, "titleFontSize": 12}
    return (
        chart.properties(width=WIDTH, height=height, background="transparent", description=description)
        .properties(
            autosize={"type": "fit", "contains": "padding"},
            padding={"left": 0, "right": 8, "top": 4, "bottom": 4},
        )
        .configure(font=FONT, aria=False)
        .configure_view(stroke=None)
        .configure_axis(
            **text,
            titleFontWeight="normal",
            gridColor=LINE,
            domain=False,
            ticks=False,
            labelPadding=8,
            titlePadding=10,
        )
        .configure_legend(**text, titleFontWeight="normal", symbolStrokeColor=MUTED, orient="top", title=None)
        .configure_text(font=FONT, fontSize=12, color=INK)
    )


def svg(chart: Any, name: str) -> Markup:
    """The chart as SVG that can stand in a page: no script, style or address; `name` tells its parts from others'."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(chart.to_dict(), allowed_base_urls=[])
    drawn = drawn[drawn.index("<svg") :]
    drawn = re.sub(r' (?:role|aria-[a-z]+)="[^"]*"', "", drawn)
    drawn = re.sub(r'(id="|url\(#)(?=[a-z]+\d)', rf"\1{re.escape(name)}-", drawn)
    for colour, token in TOKENS.items():
        drawn = drawn.replace(f'"{colour}"', f'"var(--{token},{colour})"')
    label = escape(chart.description)
    head = Markup('<svg role="img" aria-label="{}" ').format(label)
    return Markup(drawn.replace("<svg ", str(head), 1))  # noqa: S704  vega escapes what it writes
