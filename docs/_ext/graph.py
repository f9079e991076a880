"""A directed graph in rows, drawn as SVG: what implies much stands above what is implied by much.

Rows by the number of arrows out of a notion less those into it; the order within the rows by exchanges that shorten the
arrows; the arrows of a notion spread over its edge, so that none hides another. Colours come from the page.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import combinations

CHARACTER, LINE, GAP, STOREY, WIDTH = 6.6, 15, 20, 104, 720

STYLE = """
.graph{width:100%;height:auto;font:12px var(--font-stack,sans-serif)}
.graph rect{fill:var(--color-background-secondary);stroke:var(--color-foreground-muted);stroke-width:1}
.graph text{fill:var(--color-foreground-primary);text-anchor:middle}
.graph a{text-decoration:none} .graph a:hover rect{stroke:var(--color-brand-primary);stroke-width:2}
.graph path{fill:none;stroke:var(--color-foreground-muted);stroke-width:1;opacity:.4}
.graph .loose{stroke-dasharray:4 3}
.graph marker path{fill:var(--color-foreground-muted);stroke:none;opacity:1}
.graph .edge:hover path{stroke:var(--color-brand-primary);stroke-width:2;opacity:1}
.graph .edge .grip{stroke:transparent!important;stroke-width:8;stroke-dasharray:none}
"""


@dataclass(frozen=True)
class Edge:
    """An arrow, or with `both` two in one; `title` is shown when it is pointed at."""

    source: str
    target: str
    title: str
    tight: bool
    both: bool = False


@dataclass
class Box:
    """A notion with its place."""

    lines: tuple[str, ...]
    row: int = 0
    x: float = 0.0

    @property
    def width(self) -> float:
        return max(62.0, *(CHARACTER * len(line) + 18 for line in self.lines))

    @property
    def height(self) -> float:
        return LINE * len(self.lines) + 10

    @property
    def y(self) -> float:
        return 34 + STOREY * self.row


def wrapped(name: str, width: int = 17) -> tuple[str, ...]:
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return tuple(lines)


def paired(edges: Iterable[Edge]) -> list[Edge]:
    """One edge for each two notions, with two heads where they imply each other."""
    found: dict[tuple[str, str], Edge] = {}
    for edge in edges:
        back = found.get((edge.target, edge.source))
        if back:
            title = f"{back.title}\n{edge.title}"
            found[edge.target, edge.source] = Edge(
                back.source, back.target, title, back.tight and edge.tight, both=True
            )
        elif edge.source != edge.target:
            found[edge.source, edge.target] = edge
    return list(found.values())


def rows(boxes: dict[str, Box], edges: list[Edge]) -> list[list[str]]:
    """The boxes in rows as wide as the page, the stronger notions first."""
    strength = dict.fromkeys(boxes, 0)
    for edge in edges:
        strength[edge.source] += 1
        strength[edge.target] -= 1
    made: list[list[str]] = [[]]
    for name in sorted(boxes, key=lambda n: -strength[n]):
        if sum(boxes[n].width + GAP for n in [*made[-1], name]) > WIDTH:
            made.append([])
        made[-1].append(name)
    return made


def spread(boxes: dict[str, Box], row: list[str]) -> None:
    free = (WIDTH - sum(boxes[n].width for n in row)) / len(row)
    x = free / 2
    for name in row:
        boxes[name].x = x + boxes[name].width / 2
        x += boxes[name].width + free


def arrange(boxes: dict[str, Box], made: list[list[str]], edges: list[Edge]) -> None:
    """Exchange two boxes of a row as long as that shortens the arrows."""
    for number, row in enumerate(made):
        for name in row:
            boxes[name].row = number
        spread(boxes, row)

    def length() -> float:
        ends = ((boxes[e.source], boxes[e.target]) for e in edges)
        return sum(abs(a.x - b.x) ** 1.5 for a, b in ends)

    best, before = length(), float("inf")
    while best < before:
        before = best
        for row in made:
            for i, j in combinations(range(len(row)), 2):
                row[i], row[j] = row[j], row[i]
                spread(boxes, row)
                if (now := length()) < best - 1e-9:
                    best = now
                else:
                    row[i], row[j] = row[j], row[i]
                    spread(boxes, row)


def ports(boxes: dict[str, Box], edges: list[Edge]) -> dict[tuple[Edge, str], tuple[float, float]]:
    """Where each arrow touches its two boxes: side by side, in the order of where it goes."""
    sides: dict[tuple[str, bool], list[tuple[float, Edge]]] = {}
    for edge in edges:
        for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
            below = boxes[there].row >= boxes[here].row
            sides.setdefault((here, below), []).append((boxes[there].x, edge))
    found = {}
    for (name, below), some in sides.items():
        box = boxes[name]
        for i, (_, edge) in enumerate(sorted(some, key=lambda one: one[0])):
            x = box.x + (box.width - 16) * ((i + 1) / (len(some) + 1) - 0.5)
            found[edge, name] = (x, box.y + (1 if below else -1) * (box.height / 2 + 1))
    return found


def curve(start: tuple[float, float], end: tuple[float, float], *, level: bool) -> str:
    (x, y), (x2, y2) = start, end
    bend = 34.0 if level else (y2 - y) * 0.5
    bend2 = -34.0 if level else bend
    return f"M{x:.1f} {y:.1f}C{x:.1f} {y + bend:.1f} {x2:.1f} {y2 - bend2:.1f} {x2:.1f} {y2:.1f}"


def draw(edges: list[Edge], links: Mapping[str, str]) -> str:
    """The graph of these edges, with links from notions."""
    edges = paired(edges)
    names = dict.fromkeys(n for e in edges for n in (e.source, e.target))
    boxes = {name: Box(wrapped(name)) for name in names}
    made = rows(boxes, edges)
    arrange(boxes, made, edges)
    touch = ports(boxes, edges)
    number = {name: i for i, name in enumerate(boxes)}
    height = STOREY * (len(made) - 1) + 90
    label = "Which notion implies which; the tables below say the same in words"
    size = f'viewBox="-4 0 {WIDTH + 8} {height}"'
    out = [f'<svg class="graph" {size} role="img" aria-label="{label}">', f"<style>{STYLE}"]
    for i in number.values():
        near = f".graph:has(#n{i}:hover)"
        out.append(f"{near} .edge{{opacity:.1}}{near} .e{i}{{opacity:1}}")
        out.append(f"{near} .e{i} path{{opacity:1;stroke:var(--color-brand-primary)}}")
    tip = 'id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
    out.append(
        f'</style><defs><marker {tip} orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>'
    )
    for edge in edges:
        level = boxes[edge.source].row == boxes[edge.target].row
        path = curve(touch[edge, edge.source], touch[edge, edge.target], level=level)
        heads = 'marker-end="url(#tip)"' + (' marker-start="url(#tip)"' if edge.both else "")
        loose = "" if edge.tight else ' class="loose"'
        out.append(
            f'<g class="edge e{number[edge.source]} e{number[edge.target]}"><title>{escape(edge.title)}</title>'
            f'<path{loose} d="{path}" {heads}/><path class="grip" d="{path}"/></g>'
        )
    for name, box in boxes.items():
        link = f' href="{links[name]}"' if name in links else ""
        place = f'x="{box.x - box.width / 2:.1f}" y="{box.y - box.height / 2:.1f}"'
        size = f'width="{box.width:.1f}" height="{box.height:.1f}" rx="6"'
        out.append(f'<a id="n{number[name]}"{link}><rect {place} {size}/>')
        for i, line in enumerate(box.lines):
            y = box.y + LINE * (i - (len(box.lines) - 1) / 2) + 4
            out.append(f'<text x="{box.x:.1f}" y="{y:.1f}">{escape(line)}</text>')
        out.append("</a>")
    return "\n".join([*out, "</svg>"])
