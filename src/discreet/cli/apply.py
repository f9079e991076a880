"""`discreet apply`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.frame import say, show, told, waiting


@told
def apply(
    policy: Annotated[Path, typer.Argument(help="The policy that design made.")],
    records: Annotated[str, typer.Argument(help="A file, a folder, `-`, or the address of a table.")],
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
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, and write nothing.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
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
        rows = "an unknown number of" if source.rows is None else f"{source.rows:,}"
        say(f"{rows} rows would be released to {out}: {', '.join(held.kernel.columns)}")
        return
    with waiting("releasing", source.rows) as progress:
        done = applied(held, source, out, key=key, id=id_column, resume=resume, progress=progress)
    for warning in done.warnings:
        say(f"note: {warning}")
    if json and out != "-":
        show(done.to_json())
    elif out != "-":
        print(f"{done.rows:,} rows released to {out}, addressed by {done.address}; key: {done.key}")
