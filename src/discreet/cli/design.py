"""`discreet design`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.frame import OVER_THE_LIMIT, names, say, show, told
from discreet.cli.options import (
    AttackerAtMost,
    ColumnsFile,
    Config,
    Drop,
    DryRun,
    IdColumns,
    Json,
    Keep,
    Leak,
    Private,
    Public,
    Records,
    Report,
    SaveColumns,
    Seed,
    Utility,
    asked,
)

COSTS = {
    "funnel": 8, "perfect_privacy": 2, "greedy_funnel": 4, "generalisation": 4, "watchdog": 4,
    "randomised_response": 3, "suppression": 3, "least_leakage": 8, "obfuscation": 1, "learned": 60,
}  # fmt: skip
"""How long each mechanism takes beside the others."""


@told
def design(
    records: Records,
    private: Private = None,
    public: Public = None,
    utility: Utility = None,
    id_column: IdColumns = None,
    drop: Drop = None,
    leak: Leak = None,
    attacker_at_most: AttackerAtMost = None,
    keep: Keep = None,
    mechanism: Annotated[
        list[str] | None,
        typer.Option(help="Which to try: best (all that fit), or names such as funnel, watchdog, learned."),
    ] = None,
    symbols: Annotated[int, typer.Option(help="Symbols of a block of columns, at most.")] = 128,
    labels: Annotated[bool, typer.Option("--labels", help='Release labels such as "30 to 39".')] = False,
    columns: ColumnsFile = None,
    save_columns: SaveColumns = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The policy to write.")] = Path("public.policy"),
    report: Report = None,
    seed: Seed = 0,
    config: Config = None,  # noqa: ARG001  read before the others
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Design a release of some columns that tells little about others, and save it as a policy.

    Example: `discreet design people.parquet --private income --public age,sex,education --leak 0.02 -o public.policy`
    """
    import numpy as np

    from discreet.cli.designs import show_design
    from discreet.cli.schemas import prepared, show_columns
    from discreet.cli.stages import stages
    from discreet.tables.source import open_source
    from discreet.workflow.designed import designed as run

    source = open_source(records)
    roles = asked(source, private=private, public=public, utility=utility, id=id_column, drop=drop)
    schema = prepared(source, columns, roles, save_columns, report)
    if dry_run:
        show_columns(schema, source, "design", as_json=json)
        return
    chosen = names(mechanism) or ["best"]
    with stages(_plan(chosen)) as stage:
        found = run(
            source, schema=schema, mechanism=chosen[0] if chosen == ["best"] else chosen, leak=leak, keep=keep,
            attacker_at_most=attacker_at_most, labels=labels, symbols=symbols, rng=np.random.default_rng(seed),
            stage=stage, command=f"discreet design {Path(records).name}",
        )  # fmt: skip
        found.policy.save(out)
        if report is not None:
            found.save(report)
    if json:
        show(found.to_json())
    else:
        show_design(found)
    say(f"the policy is in {out}" + (f", the report in {report}" if report is not None else ""))
    if found.verdict.exit:
        raise typer.Exit(OVER_THE_LIMIT)


def _plan(chosen: list[str]) -> dict[str, float]:
    """The stages, and how long each takes beside the others."""
    every = list(COSTS)[:-1] if chosen == ["best"] else chosen
    return {"reading": 2, **{f"trying {name}": COSTS.get(name, 1) for name in every}}
