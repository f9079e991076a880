"""A schema as a small TOML file, which its owner corrects and passes back, and as the JSON of a policy."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from discreet.core.errors import SchemaError
from discreet.tables.arrow_types import type_of
from discreet.tables.record_json import items, maybe, scalar, taken, text, truth, whole, wrong
from discreet.tables.scale import point
from discreet.tables.schema import Field, Kind, Role, Schema, known

LARGEST = 1 << 24
BARE = re.compile(r"[A-Za-z0-9_-]+")
MOST_BINS = 4096

HEAD = """# What the columns are for, and what they are. Correct it, and pass it back with --schema.
#   role      private: must stay hidden · public: is released · utility: what the release has to keep (kept = true for a
#             public column) · id: tells one record from the other · drop: left behind
#   kind      category · ordered · number · date · boolean · text
#   bins      how many, for numbers and dates, of equal share (quantile) or width; or cuts = [the inner borders]
version = 1
"""


def toml_of(schema: Schema) -> str:
    """The schema as TOML, with what was seen as remarks."""
    return HEAD + "".join(map(_section, schema))


def _section(f: Field) -> str:
    seen = (
        f"{f.distinct:,} distinct, {f.missing:,} missing among {f.rows:,} rows" if f.rows else "not looked at"
    )
    lines = [
        "",
        f"[columns.{_key(f.name)}]  # {seen}{_remark(f.why)}",
        f"role = {_text(f.role)}",
        f"kind = {_text(f.kind)}",
        f"type = {_text(f.type)}",
    ]
    if f.kept:
        lines.append("kept = true")
    if f.kind.binned and f.cuts is not None:
        lines.append(f"cuts = [{', '.join(map(_value, f.cuts))}]")
    elif f.kind.binned:
        lines += [f"bins = {f.bins}", f"binning = {_text(f.binning)}"]
    if f.levels is not None:
        lines.append(f"levels = [{', '.join(map(_value, f.levels))}]")
    return "\n".join(lines) + "\n"


def schema_of_toml(source: str) -> Schema:
    """The schema that a TOML file states; what it leaves out has its usual value."""
    if len(source) > LARGEST:
        wrong("the schema", f"{len(source):,} characters")
    try:
        held = tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError) as broken:
        at = re.search(r"\(at .*\)$", str(broken))
        raise SchemaError(
            "a schema in TOML", f"text that is none {at[0] if at else ''}".strip(), "correct that line"
        ) from None
    top = taken(held, "schema", {"version": whole, "columns": _sections})
    if top["version"] != 1:
        wrong("schema.version", "a version that this program does not know")
    return Schema(top["columns"])


def _sections(given: Any, what: str) -> tuple[Field, ...]:
    if not isinstance(given, dict) or not all(isinstance(one, dict) for one in given.values()):
        wrong(what, "no sections [columns.name]")
    return tuple(_field({"name": name} | one, f"{what}.{name}") for name, one in given.items())


def json_of(schema: Schema) -> dict[str, Any]:
    """The schema as JSON can hold it; remarks are left out."""
    return {"version": 1, "columns": [_plain(f) for f in schema]}


def schema_of(given: Any) -> Schema:
    """The schema that `json_of` wrote."""
    held = taken(given, "schema", {"version": whole, "columns": items(_field)})
    if held["version"] != 1:
        wrong("schema.version", "a version that this program does not know")
    return Schema(held["columns"])


READERS = {
    "name": text,
    "role": text,
    "kind": text,
    "type": text,
    "bins": whole,
    "binning": text,
    "cuts": maybe(items(scalar)),
    "levels": maybe(items(scalar)),
    "kept": truth,
    "distinct": whole,
    "missing": whole,
    "rows": whole,
}

USUAL = {
    "type": "string",
    "bins": 8,
    "binning": "quantile",
    "cuts": None,
    "levels": None,
    "kept": False,
} | dict.fromkeys(("distinct", "missing", "rows"), 0)


def _plain(f: Field) -> dict[str, Any]:
    held = {name: getattr(f, name) for name in READERS}
    return {
        n: list(v) if isinstance(v, tuple) else str(v) if isinstance(v, Role | Kind) else v
        for n, v in held.items()
    }


def _field(given: Any, what: str) -> Field:
    if not isinstance(given, dict):
        wrong(what, "no object")
    for name in given:
        known(str(name), tuple(READERS))
    held = taken(USUAL | given, what, READERS)
    held["role"] = Role(_one_of(held["role"], Role, f"{what}.role"))
    held["kind"] = Kind(_one_of(held["kind"], Kind, f"{what}.kind"))
    _one_of(held["binning"], ("quantile", "width"), f"{what}.binning")
    made = Field(**held)
    if not 1 <= made.bins <= MOST_BINS:
        wrong(f"{what}.bins", f"{made.bins}; 1 to {MOST_BINS} bins are possible")
    if made.cuts is not None and made.kind.binned:
        points = [point(cut, type_of(made.type)) for cut in made.cuts]
        if len(points) > MOST_BINS or sorted(set(points)) != points:
            wrong(f"{what}.cuts", "borders that do not rise, or too many")
    if made.role is not Role.DROP:
        type_of(made.type)
    return made


def _one_of(given: str, choices: Any, what: str) -> str:
    names = [str(choice) for choice in choices]
    if given not in names:
        raise SchemaError(f"{what[:200]}: one of {', '.join(names)}", repr(given[:60]), "choose one of these")
    return given


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _text(name)


def _text(given: str) -> str:
    """A basic string of TOML, whatever is in it."""
    escaped = given.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else _code(ord(c)) for c in escaped) + '"'


def _code(point_number: int) -> str:
    return f"\\u{point_number:04x}" if point_number < 0x10000 else f"\\U{point_number:08x}"


def _value(given: str | float | bool) -> str:
    if isinstance(given, bool):
        return "true" if given else "false"
    return _text(given) if isinstance(given, str) else repr(given)


def _remark(why: str) -> str:
    return "; " + "".join(c if c.isprintable() else " " for c in why) if why else ""
