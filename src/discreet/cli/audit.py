"""`discreet audit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.frame import OVER_THE_LIMIT, say, show, told
from discreet.cli.options import (
    ColumnsFile,
    Config,
    Drop,
    DryRun,
    IdColumns,
    Json,
    MaxLeak,
    Private,
    Public,
    Records,
    Report,
    SaveColumns,
    Seed,
    asked,
    opened,
)


@told
def audit(
    records: Records,
    private: Private = None,
    public: Public = None,
    id_column: IdColumns = None,
    drop: Drop = None,
    columns: ColumnsFile = None,
    save_columns: SaveColumns = None,
    report: Report = None,
    scores: Annotated[
        Path | None, typer.Option(help="Write a score for each record, readable by you alone.")
    ] = None,
    max_leak: MaxLeak = None,
    seed: Seed = 0,
    config: Config = None,  # noqa: ARG001  read before the others
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """What would a release of some columns tell about others: in all, by columns, values and records.

    Example: `discreet audit people.parquet --private income --public age,sex,education --report audit.html`
    """
    import numpy as np

    from discreet.cli.schemas import prepared
    from discreet.cli.showing import show_audit
    from discreet.cli.stages import AUDIT, stages
    from discreet.workflow.audit import audit as run

    source = opened(records)
    roles = asked(source, private=private, public=public, id=id_column, drop=drop)
    schema = prepared(source, columns, roles, save_columns, report)
    if dry_run:
        from discreet.cli.schemas import show_columns

        show_columns(schema, source, "audit", as_json=json)
        return
    with stages(AUDIT) as stage:
        found = run(
            source,
            schema=schema,
            max_leak=max_leak,
            rng=np.random.default_rng(seed),
            stage=stage,
            command=f"discreet audit {Path(records).name}",
        )
    if report is not None:
        found.save(report)
    if scores is not None:
        found.save_scores(scores)
    if json:
        show(found.to_json())
    else:
        show_audit(found)
    for path, what in ((report, "the report"), (scores, "a score for each record, for your eyes only")):
        if path is not None:
            say(f"{what} is in {path}")
    if found.verdict.exit:
        raise typer.Exit(OVER_THE_LIMIT)
