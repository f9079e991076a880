"""The columns as they were understood: guessed or read, shown, and saved for their owner to correct."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.cli.frame import show

if TYPE_CHECKING:
    from discreet.tables.protocols import Source
    from discreet.tables.schema import Schema


def prepared(
    source: Source, columns: Path | None, roles: dict[str, Any], save: Path | None, report: Path | None = None
) -> Schema:
    """The schema in the file, with the roles that were named, or the guessed one; saved where it was asked for.

    Beside a report it is saved without being asked: what was guessed is part of what is reported.
    """
    from discreet.tables.guess import guess_schema
    from discreet.tables.safe import write_whole
    from discreet.tables.schema_text import toml_of
    from discreet.workflow.intake import schema_from

    if columns is None:
        schema = guess_schema(source, **roles)
    else:
        schema = schema_from(columns).with_roles(**{role: given for role, given in roles.items() if given})
    target = save or (report.with_suffix(".columns.toml") if report is not None and columns is None else None)
    if target is not None:
        write_whole(target, toml_of(schema).encode())
    return schema


def show_columns(schema: Schema, source: Source, command: str, *, as_json: bool) -> None:
    """The columns as understood, in words or as JSON; nothing else is done."""
    from discreet.tables.schema_text import json_of

    if as_json:
        show(
            {
                "schema": f"discreet/{command}/1",
                "dry_run": True,
                "rows": source.rows,
                "columns": json_of(schema),
            }
        )
    else:
        rows = "an unknown number of" if source.rows is None else f"{source.rows:,}"
        print(schema)
        print(f"\n{rows} rows; nothing was done")
