"""The pages that are made from the code: the catalogue of measures and the table of implications, with its graph."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from graph import Edge, draw
from sphinx.application import Sphinx

OPENING = "% Made by docs/_ext/generated.py from the code. Changes go there.\n\n"

MEASURES = """# Measures

Functions in `discreet.measures`, of a [lift](../the-lift.md) unless their name begins with `channel.`: those are of a
mechanism alone, whatever the data. A `Reading` is exact for a law or a table, an estimate for what was learned.
Letters are those of the [notation](../notation.md).

"""

LAWS = """
## Laws

Every measure is tested against the laws that its entry names, on random laws and at the extremes.

"""

IMPLICATIONS = """# Implications

What follows from what: {used} theorems between {notions} notions of privacy. `discreet.guarantees.imply` searches them
for the best chain from what is known to what is asked.

In the picture an arrow leads to what is implied; a dashed one is not the best possible. What implies much stands high.
Point at a notion to see its own arrows, at an arrow for its theorems; a click leads to all that bounds the notion.
Qualifiers such as *prior* and *worst* are left to the tables.

```{{raw}} html
<figure>{graph}</figure>
```

In the tables, *sharp* marks a bound that some law attains, and a bound holds for any law unless something is said.
p(y | s) is compared with p(y); *prior* is the reverse. A mean is over the secrets; *worst* holds for each of them.
"""

COMPOSITION = """
## Several releases of one record

Each may depend on those before it, and its guarantee must hold given all of them. `discreet.guarantees.compose` applies
these rules; nothing else composes by its numbers alone.

"""

PRINTED = """
## As printed

Bounds as the papers print them, kept so that the difference can be seen. The search never uses them; the
[errata](../errata.md) say what is wrong or loose.

"""


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def words(name: str) -> str:
    return name.replace("_", " ")


def called(row: Any) -> str:
    """How the measure is called, seen from `discreet.measures`."""
    return row.name if row.about == "lift" else f"{row.about}.{row.name}"


def measures_page(catalogue: Iterable[Any], laws: Mapping[str, str]) -> str:
    rows = list(catalogue)
    overview = (
        (
            f"[`{called(r)}`](#measure-{r.name})",
            r.symbol,
            f"{r.low} … {r.high}",
            r.unit or "–",
            r.direction.split()[0],
        )
        for r in rows
    )
    page = [OPENING, MEASURES, table(("measure", "symbol", "range", "unit", "more private"), overview)]
    page += [LAWS, table(("law", "says"), ((words(name), meaning) for name, meaning in laws.items()))]
    for r in rows:
        obeyed = ", ".join(words(name) for name in laws if name in r.obeys) or "none of the laws above"
        cited = f" Reference: {r.cite.rstrip('.')}." if r.cite else ""
        page.append(f"\n(measure-{r.name})=\n## `{called(r)}`\n\n{r.meaning}\n\n")
        page.append(f"$$\n{r.formula}\n$$\n\nObeys: {obeyed}.{cited}\n")
    return "".join(page)


def notion(kind: Any) -> str:
    """What a kind is a kind of, apart from directions and averages."""
    strong = "strong " if dict(kind.fixed).get("strong") is True else ""
    return strong + kind.notion.noun + (" of the channel" if kind.of_channel else "")


def anchor(kind: Any) -> str:
    return f"to-{kind.notion.__name__.lower()}"


def edges(rows: Iterable[Any]) -> list[Edge]:
    """One edge for each pair of notions, whatever the number of theorems that lead from the one to the other."""
    between: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in rows:
        for source in row.source:
            between[notion(source), notion(row.target)].append(row)
    return [
        Edge(
            source,
            target,
            f"{source} ⇒ {target}: " + "; ".join(dict.fromkeys(r.cite for r in some)),
            any(r.tight for r in some),
        )
        for (source, target), some in between.items()
    ]


def theorems(rows: Iterable[Any]) -> str:
    """Two columns: what is known and what follows; with which bound, where, and by whom."""
    cells = []
    for r in rows:
        known = " and ".join(kind.words for kind in r.source) or "always"
        remarks = [r.domain if r.domain != "any law" else "", "sharp" if r.tight else "", r.cite]
        said = " · ".join(filter(None, remarks))
        cells.append((f"{known}<br>⇒ {r.target.words}", f"${r.formula}$<br><small>{said}</small>"))
    return table(("if, then", "with"), cells)


def compositions(rules: Iterable[Any]) -> str:
    """Two columns: of what, and what all of them together have."""
    rows = (
        (r.kind.words, f"${r.formula}$<br><small>{'as printed · ' if r.printed else ''}{r.cite}</small>")
        for r in rules
    )
    return table(("if each has", "all of them have"), rows)


def implications_page(implications: Iterable[Any], rules: Iterable[Any]) -> str:
    every = list(implications)
    used, printed = [r for r in every if not r.printed], [r for r in every if r.printed]
    towards: dict[str, list[Any]] = defaultdict(list)
    for row in used:
        towards[anchor(row.target)].append(row)
    links = {notion(kind): f"#{anchor(kind)}" for row in used for kind in (*row.source, row.target)}
    known = {target: link for target, link in links.items() if link[1:] in towards}
    graph = draw(edges(used), known)
    page = [OPENING, IMPLICATIONS.format(graph=graph, used=len(used), notions=len({*links.values()}))]
    for name, rows in towards.items():
        page.append(f"\n({name})=\n## To {rows[0].target.notion.noun}\n\n{theorems(rows)}")
    return "".join([*page, COMPOSITION, compositions(rules), PRINTED, theorems(printed)])


def write(app: Sphinx) -> None:
    from discreet.guarantees import composition, implications
    from discreet.measures import catalogue

    pages = {
        "measures": measures_page(catalogue.CATALOGUE, catalogue.LAWS),
        "implications": implications_page(implications.TABLE, composition.RULES),
    }
    folder = Path(app.srcdir) / "_generated"
    folder.mkdir(exist_ok=True)
    for name, page in pages.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != page:
            path.write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
