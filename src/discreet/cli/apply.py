"""`discreet apply`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.frame import say, show, told, waiting
from discreet.cli.options import DryRun, Json, Records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discreet.tables.protocols import Source


@told
def apply(
    policy: Annotated[Path, typer.Argument(help="The policy that design made.")],
    records: Records,
    out: Annotated[
        str, typer.Option("--out", "-o", help="The file to write; its name says what kind. `-` prints.")
    ],
    key: Annotated[
        Path | None,
        typer.Option(help="The secret key file; made where there is none. Left out: the policy's own."),
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", help="Address records by this column, not by position.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a release that was broken off.")
    ] = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Release records under a policy: the same columns, types and rows, drawn from a secret key.

    Example: `discreet apply public.policy people.parquet -o public.parquet`
    """
    from discreet.tables.source import open_source
    from discreet.workflow.apply import applied, checked
    from discreet.workflow.policy import load

    held, source = load(policy), open_source(records)
    checked(held, source, out, key=key, policy_file=policy)
    if dry_run:
        _would(held.kernel.columns, source, out, as_json=json)
        return
    with waiting("releasing", source.rows) as progress:
        done = applied(held, source, out, key=key, id=id_column, resume=resume, progress=progress)
    for warning in done.warnings:
        say(f"note: {warning}")
    if json and out != "-":
        show(done.to_json())
    elif out != "-":
        print(f"{done.rows:,} rows released to {out}, addressed by {done.address}; key: {done.key}")


def _would(columns: Sequence[str], source: Source, out: str, *, as_json: bool) -> None:
    """What would be released, everything having been checked; nothing is written."""
    from discreet.cli.schemas import counted

    rows = counted(source)
    if as_json:
        show(
            {
                "schema": "discreet/apply/1",
                "dry_run": True,
                "rows": rows,
                "columns": list(columns),
                "out": out,
            }
        )
        return
    many = "an unknown number of" if rows is None else f"{rows:,}"
    print(f"{many} rows would be released to {out}: {', '.join(columns)}; nothing was written")
