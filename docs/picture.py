"""Draws the picture of the front page, from the numbers of the example: `python docs/picture.py`.

The way of the data: rows, counts, the lift, what is read off it, and what is thereby known.
"""

from collections.abc import Iterable
from pathlib import Path

import discreet as dc

COUNTS = dc.Counts([[30, 10], [15, 45]])
LIFT = COUNTS.joint().lift()
ROWS = "00 11 01 11 10 00 11"
NAMES = ("rows", "Counts", "Lift", "Reading", "Guarantee")
VERBS = ("count", "lift", "measure", "imply")
STATIONS = (34, 222, 440, 672, 944)
HALVES = (24, 56, 56, 72, 98)
CELL, TOP, MIDDLE = 56, 54, 110
WIDTH, HEIGHT = 1050, 180

STYLE = """
.way{font:14px var(--font-stack,system-ui,sans-serif)}
.way .ink{fill:var(--color-foreground-primary,#1f2328)} .way .pale{fill:var(--color-foreground-muted,#666c73)}
.way .line{stroke:var(--color-foreground-muted,#666c73);fill:none} .way .accent{fill:var(--color-brand-primary,#b4430f)}
.way .name{font-weight:600;font-size:16px}
@media (prefers-color-scheme:dark){
.way .ink{fill:var(--color-foreground-primary,#e6edf3)} .way .pale{fill:var(--color-foreground-muted,#949ba3)}
.way .line{stroke:var(--color-foreground-muted,#949ba3)} .way .accent{fill:var(--color-brand-primary,#f0884d)}}
"""


def text(x: float, y: float, words: str, style: str = "ink", anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{style}" text-anchor="{anchor}">{words}</text>'


def square(x: float, y: float, side: float, style: str, opacity: float = 1) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" rx="3"'
    return f'<rect {place} class="{style}" opacity="{opacity:.2f}"/>'


def rows(x: float) -> Iterable[str]:
    """A table of people: a secret and a column, each with two values."""
    yield text(x - 14, TOP - 8, "s", "pale")
    yield text(x + 14, TOP - 8, "x", "pale")
    for i, (s, column) in enumerate(ROWS.split()[n] for n in range(7)):
        for at, value in ((x - 14, s), (x + 14, column)):
            yield square(at - 5, TOP + 1 + 16 * i, 10, "ink" if value == "1" else "line", 1)


def grid(x: float, cells: Iterable[tuple[str, str, float]]) -> Iterable[str]:
    for i, (number, style, opacity) in enumerate(cells):
        left, top = x - CELL + CELL * (i % 2), TOP + CELL * (i // 2)
        yield square(left + 1.5, top + 1.5, CELL - 3, style, opacity)
        yield text(left + CELL / 2, top + CELL / 2 + 5, number)


def counts(x: float) -> Iterable[str]:
    return grid(x, ((str(n), "pale", 0.14) for n in COUNTS.n.ravel()))


def lift(x: float) -> Iterable[str]:
    strength = abs(LIFT.log_lift)
    shades = (strength / strength.max()).ravel()
    return grid(
        x,
        (
            (f"{ratio:.2f}", "accent", 0.8 * shade) if ratio > 1 else (f"{ratio:.2f}", "pale", 0.4 * shade)
            for ratio, shade in zip(LIFT.ratio.ravel(), shades, strict=True)
        ),
    )


def reading(x: float) -> Iterable[str]:
    measures = (dc.measures.mutual_information, dc.measures.chi_squared, dc.measures.guessing_probability)
    for i, measure in enumerate(measures):
        found = measure(LIFT)
        symbol = repr(found).partition(" = ")[0]
        yield text(x, TOP + 31 + 30 * i, f"{symbol} = {found.value:.3g} {found.unit}".strip())


def guarantee(x: float) -> Iterable[str]:
    best = float(dc.measures.guessing_probability(LIFT))
    blind = float(LIFT.p_s.max())
    words = (
        "no guess of s is right",
        f"more than {100 * best:.0f} times in 100",
        f"({100 * blind:.0f} without x)",
    )
    for i, line in enumerate(words):
        yield text(x, TOP + 31 + 30 * i, line, "pale" if line.startswith("(") else "ink")


def arrow(start: float, end: float, verb: str) -> Iterable[str]:
    yield f'<path class="line" d="M{start} {MIDDLE}H{end - 7}"/>'
    yield f'<path class="pale" d="M{end - 8} {MIDDLE - 4}L{end} {MIDDLE}L{end - 8} {MIDDLE + 4}z"/>'
    yield text((start + end) / 2, MIDDLE - 9, verb, "pale")


def picture() -> str:
    label = "Rows are counted; from the counts comes the lift; measures are read off it; guarantees follow"
    head = f'xmlns="http://www.w3.org/2000/svg" class="way" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
    out = [f'<svg {head} aria-label="{label}">', f"<style>{STYLE}</style>"]
    for x, name, draw in zip(STATIONS, NAMES, (rows, counts, lift, reading, guarantee), strict=True):
        out += [text(x, 20, name, "ink name"), *draw(x)]
    for i, verb in enumerate(VERBS):
        out += arrow(STATIONS[i] + HALVES[i] + 12, STATIONS[i + 1] - HALVES[i + 1] - 12, verb)
    return "\n".join([*out, "</svg>\n"])


if __name__ == "__main__":
    (Path(__file__).parent / "_static" / "way.svg").write_text(picture(), encoding="utf-8")
