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
    """The columns as understood, and about what it would take, in words or as JSON; nothing else is done."""
    from discreet.tables.schema_text import json_of

    rows = counted(source)
    seconds, gigabytes = expected(rows, len(schema.public))
    if as_json:
        told = {
            "schema": f"discreet/{command}/1",
            "dry_run": True,
            "rows": rows,
            "columns": json_of(schema),
            "expected": {"seconds": seconds, "gigabytes": gigabytes},
        }
        show(told)
        return
    print(schema)
    many = "an unknown number of" if rows is None else f"{rows:,}"
    print(
        f"\n{many} rows, {len(schema.public)} public columns: about {seconds} s and {gigabytes:g} GB on two cores"
    )
    print("nothing was done")


def counted(source: Source) -> int | None:
    """How many rows there are; read, where it takes that and they can be read again."""
    if source.rows is not None or not source.again:
        return source.rows
    return sum(int(batch.num_rows) for batch in source.batches(source.schema.names[:1]))


START, EACH, HELD, KEPT = 8, 6e-5, 0.35, 5e-7
"""Seconds and gigabytes that any table takes, and each cell of the sample besides: as measured on two slow cores."""


def expected(rows: int | None, columns: int) -> tuple[int, float]:
    """About how many seconds and gigabytes it takes to learn from so many cells."""
    from discreet.workflow.intake import MOST

    cells = min(MOST if rows is None else rows, MOST) * max(columns, 1)
    return round(START + EACH * cells), round(HELD + KEPT * cells, 1)
