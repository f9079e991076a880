"""Options that several commands share, each described once; and a TOML file that stands for them."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli.frame import names


def _from_toml(ctx: typer.Context, path: Path | None) -> Path | None:
    """Let the file's entries stand for options that were not given on the command line."""
    if path is None or ctx.resilient_parsing:
        return path
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise typer.BadParameter(f"{path} is no TOML file that can be read: {error}") from None
    own = given.get(ctx.command.name or "", given)
    known = {o.lstrip("-").replace("-", "_"): p.name for p in ctx.command.params for o in p.opts}
    unknown = [key for key in own if key.replace("-", "_") not in known and not isinstance(own[key], dict)]
    if unknown:
        raise typer.BadParameter(f"{path}: {', '.join(unknown)}: no option of `{ctx.command.name}`")
    named = {
        known[key.replace("-", "_")]: value for key, value in own.items() if key.replace("-", "_") in known
    }
    listed = {p.name for p in ctx.command.params if p.multiple}
    ctx.default_map = {k: [v] if k in listed and isinstance(v, str) else v for k, v in named.items()}
    return path


def _page(path: Path | None) -> Path | None:
    """Refuse, before any work is done, a report whose name says no kind."""
    if path is not None and path.suffix.lower() not in (".html", ".htm", ".json"):
        raise typer.BadParameter(f"{path.name} says no kind of report: end the name with .html or .json")
    return path


Records = Annotated[str, typer.Argument(help="A file, a folder, `-`, or the address of a table.")]
Private = Annotated[list[str] | None, typer.Option(help="Columns to hide; commas, or repeated.")]
Public = Annotated[list[str] | None, typer.Option(help="Columns to release; all that are left if not given.")]
Utility = Annotated[list[str] | None, typer.Option(help="Columns that the release has to tell about.")]
IdColumns = Annotated[
    list[str] | None, typer.Option("--id", help="Columns that tell records apart; not released.")
]
IdColumn = Annotated[
    str | None, typer.Option("--id", help="A column of both files that says which rows belong together.")
]
Drop = Annotated[list[str] | None, typer.Option(help="Columns to leave out.")]
ColumnsFile = Annotated[
    Path | None, typer.Option("--columns", help="A TOML file that describes the columns.")
]
SaveColumns = Annotated[Path | None, typer.Option(help="Write the columns as understood, as TOML.")]
Config = Annotated[
    Path | None,
    typer.Option("--config", callback=_from_toml, is_eager=True, help="A TOML file of these options."),
]
Report = Annotated[
    Path | None, typer.Option(callback=_page, help="Write the report: .html, one file, or .json.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and stop.")]
Seed = Annotated[int, typer.Option(help="For samples and searches, never for a release.")]
Leak = Annotated[float | None, typer.Option(help="At most so many nats about the secret.")]
AttackerAtMost = Annotated[float | None, typer.Option(help="An attacker right at most so often, 0 to 1.")]
Keep = Annotated[
    float | None, typer.Option(help="At least this share kept, 0 to 1, of the columns or the utility.")
]
MaxLeak = Annotated[float | None, typer.Option(help="Exit with 1 if more nats than this are told.")]
Effort = Annotated[str, typer.Option(help="How many attackers: quick or full.")]
Truth = Annotated[
    str, typer.Option(help="The records that the release was made from, with the private column.")
]


def opened(records: str) -> Any:
    """The records; those of standard input are kept in memory, since they are read more than once."""
    from discreet.tables.pairing import rows_kept
    from discreet.tables.source import open_source

    source = open_source(records)
    return source if source.again else open_source(rows_kept(source))


def asked(source: Any, **given: Sequence[str] | None) -> dict[str, Any]:
    """The columns of each role; `public` is None where all that are left go out."""
    known = source.schema.names
    found: dict[str, Any] = {role: names(one, known) for role, one in given.items()}
    if not found.get("public"):
        found["public"] = None
    return found
