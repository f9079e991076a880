"""One result's JSON as one HTML page: its sections in order, its style inside, nothing fetched and nothing run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from discreet.report import charts, maps, pictures, words
from discreet.report.drawing import svg
from discreet.report.shapes import checked

if TYPE_CHECKING:
    from jinja2 import Environment

Json = Mapping[str, Any]


class Section(NamedTuple):
    """A part of a page: its anchor, its title, its template, and where in the result it reads."""

    id: str
    title: str
    template: str
    of: str = ""
    when: str = ""


class Figure(NamedTuple):
    """A number at the top of a page, with what it is."""

    number: str
    unit: str
    words: str


class Kind(NamedTuple):
    """What a page is called, its sections, and the numbers at its top."""

    name: str
    sections: tuple[Section, ...]
    figures: Callable[[Json], Iterable[Figure]]


def page(result: Json) -> str:
    """The page of a result, of a few hundred kilobytes whatever the rows; the same JSON makes the same page.

    It holds what the JSON holds, so no record. Names are escaped, and what is invisible in them is written out.
    """
    held = checked(words.visible(result))
    kind = KINDS[held["schema"]]
    parts = [(s, _part(held, s.of)) for s in kind.sections]
    sections = [{**s._asdict(), "part": part} for s, part in parts if not s.when or part[s.when]]
    style = _style()
    return (
        _environment()
        .get_template("page.html")
        .render(
            r=held,
            kind=kind.name,
            title=f"{kind.name} of {held['secret']['name']}",
            sections=sections,
            figures=list(kind.figures(held)),
            stamp=_stamp(held),
            style=style,
            policy=_policy(str(style)),
        )
    )


def _part(held: Json, path: str) -> Json:
    """The part of a result at a path such as release.attack."""
    for name in filter(None, path.split(".")):
        held = held[name]
    return held


def _policy(style: str) -> str:
    """Nothing may be loaded but this very style sheet; no script, no form, no frame, no address."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _stamp(held: Json) -> str:
    released = held.get("release", held)
    certificate = released.get("certificate", released)
    return (
        ""
        if certificate.get("for_release", True)
        else "Not for release: made with a published seed, so anyone can take the noise off."
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("discreet.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= words.FILTERS | {"by_nats": _by_nats, "by_value": _by_value, "setting": _setting}
    made.globals |= {"draw": svg, "charts": charts, "maps": maps, "pictures": pictures}
    return made


@cache
def _style() -> Any:
    from markupsafe import Markup

    source = _environment().loader.get_source(_environment(), "style.css")[0]  # type: ignore[union-attr]
    return Markup(source)  # noqa: S704  our own style sheet


def _by_nats(rows: Mapping[str, Json]) -> list[tuple[str, Json]]:
    return sorted(rows.items(), key=lambda row: -(words.value(row[1]["mutual_information"]["value"]) or 0.0))


def _by_value(rows: Mapping[str, Json]) -> list[tuple[str, Json]]:
    return sorted(rows.items(), key=lambda row: -(words.value(row[1]["value"]) or 0.0))


def _setting(at: Any) -> str:
    return words.plain(at) if isinstance(at, int | float) and not isinstance(at, bool) else str(at)


def _right(guess: Json, told: str) -> Iterable[Figure]:
    yield Figure(words.in_100(guess["value"]), "in 100", told)
    yield Figure(words.in_100(guess["baseline"]), "in 100", "guessed right without the data")


def _of_audit(r: Json) -> Iterable[Figure]:
    yield from _right(r["guess"], "guessed right from the release")
    yield Figure(
        words.count(r["records"]["doubled"], r["records"]["fewest"]), "", "records more than double the odds"
    )
    told, known = r["measures"].get("mutual_information"), words.value(r["secret"]["entropy"]["value"])
    if told and known:
        share = (words.value(told["value"]) or 0.0) / known
        yield Figure(words.percent(share, 0), "", "of all there is to know is told")


def _of_attack(r: Json) -> Iterable[Figure]:
    yield Figure(
        words.in_100(r["best"]["value"]),
        "in 100",
        f"guessed right by the best of {len(r['attackers'])} attackers",
    )
    yield Figure(words.in_100(r["baseline"]["value"]), "in 100", "guessed right without the data")
    if r["control"] is not None:
        yield Figure(words.in_100(r["control"]["value"]), "in 100", "guessed right from the data untouched")


def _of_design(r: Json) -> Iterable[Figure]:
    frontier = r["frontier"]
    if frontier["chosen"] is not None:
        best = frontier["points"][frontier["chosen"]]
        yield Figure(
            words.plain(best["leakage"]["value"], 3), best["leakage"]["unit"], f"leak, {frontier['leakage']}"
        )
        yield Figure(
            words.plain(best["utility"]["value"], 3), best["utility"]["unit"], f"kept: {frontier['utility']}"
        )
        yield Figure(
            words.in_100(best["guessing_probability"]["value"]), "in 100", "guessed right from the release"
        )
    before = frontier["before"]["guessing_probability"]
    yield Figure(words.in_100(before["value"]), "in 100", "guessed right from the data untouched")


def _of_release(r: Json) -> Iterable[Figure]:
    yield from _right(r["after"]["guess"], "guessed right from the release")
    yield Figure(words.in_100(r["before"]["guess"]["value"]), "in 100", "guessed right before")
    kept = r["after"]["utility"]
    if kept is not None:
        yield Figure(words.percent(kept["value"], 0), "", "kept")


def _of_certificate(r: Json) -> Iterable[Figure]:
    for row in r["bounded"]:
        if row["measure"] == "guessing_probability":
            most = words.at_most_100(row["reading"]["value"])
            yield Figure(most, "in 100", "guessed right at most, by anybody")
    yield Figure(words.in_100(r["measured"]["best"]["value"]), "in 100", "reached by the best attack")
    yield Figure(words.in_100(r["measured"]["baseline"]["value"]), "in 100", "guessed right without the data")


def _of_compare(_r: Json) -> Iterable[Figure]:
    return ()


ASSUMED = Section("assumed", "What is assumed", "assumptions.html", when="assumptions")
METHOD = Section("method", "How it was measured", "method.html")

AUDIT = (
    Section("guess", "What the release tells", "audit/guess.html"),
    Section("columns", "Which columns tell", "audit/columns.html", when="columns"),
    Section("pairs", "Only together", "audit/pairs.html"),
    Section("values", "Which values tell", "audit/values.html"),
    Section("records", "Who is at risk", "audit/records.html"),
    Section("remains", "What would remain", "audit/remains.html", when="remains"),
    Section("secrets", "Several secrets", "audit/secrets.html", when="secrets"),
    Section("anonymity", "Classical anonymity", "audit/anonymity.html", when="anonymity"),
    Section("measures", "Every measure", "audit/measures.html"),
)
ATTACK = (Section("attackers", "What attackers reach", "attack/attackers.html"),)
DESIGN = (
    Section("frontier", "What could be released", "design/frontier.html"),
    Section("changes", "What happens to the columns", "design/changes.html"),
    Section("proven", "What is proven", "certificate/proven.html"),
)
CERTIFICATE = (
    Section("bounded", "What no attacker exceeds", "certificate/bounded.html"),
    Section("proven", "What is proven", "certificate/proven.html"),
    Section("measured", "What was measured", "attack/attackers.html", of="measured"),
    Section("threat", "Against whom, and what is assumed", "certificate/threat.html"),
    Section("files", "What this certificate is about", "certificate/files.html"),
)
RELEASE = (
    Section("change", "Before and after", "release/change.html"),
    Section("attackers", "What attackers reach", "attack/attackers.html", of="attack"),
    Section("bounded", "What no attacker exceeds", "certificate/bounded.html", of="certificate"),
    Section("proven", "What is proven", "certificate/proven.html", of="certificate"),
    Section("frontier", "What could have been released", "design/frontier.html", of="design"),
    Section("changes", "What happens to the columns", "design/changes.html", of="design"),
    Section("threat", "Against whom, and what is assumed", "certificate/threat.html", of="certificate"),
    Section("files", "The files", "certificate/files.html", of="certificate"),
    METHOD._replace(of="design"),
)
COMPARE = (Section("releases", "Every release on one scale", "compare/releases.html"), ASSUMED, METHOD)

DEMO = (
    *(s._replace(of="audit") for s in AUDIT),
    *(s._replace(of=f"release.{s.of}".rstrip(".")) for s in RELEASE),
)

KINDS = {
    "discreet/audit/1": Kind("Audit", (*AUDIT, ASSUMED, METHOD), _of_audit),
    "discreet/attack/1": Kind("Attack", (*ATTACK, ASSUMED, METHOD), _of_attack),
    "discreet/design/1": Kind("Design", (*DESIGN, ASSUMED, METHOD), _of_design),
    "discreet/release/1": Kind("Release", RELEASE, _of_release),
    "discreet/certificate/1": Kind("Certificate", CERTIFICATE, _of_certificate),
    "discreet/compare/1": Kind("Comparison", COMPARE, _of_compare),
    "discreet/demo/2": Kind("Demonstration", DEMO, lambda r: _of_release(r["release"])),
}
