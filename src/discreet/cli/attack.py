"""`discreet attack` and `discreet compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli.frame import OVER_THE_LIMIT, names, say, show, told
from discreet.cli.options import (
    AttackerAtMost,
    Config,
    DryRun,
    Effort,
    IdColumn,
    Json,
    Private,
    Report,
    Seed,
    Truth,
)


@told
def attack(
    release: Annotated[str, typer.Argument(help="The released file, whoever made it.")],
    truth: Truth,
    private: Private = None,
    id_column: IdColumn = None,
    policy: Annotated[
        Path | None, typer.Option(help="The policy that made it: attackers run it again themselves.")
    ] = None,
    effort: Effort = "quick",
    attacker_at_most: AttackerAtMost = None,
    report: Report = None,
    seed: Seed = 0,
    config: Config = None,  # noqa: ARG001  read before the others
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Attack a released file with adversaries that its maker never saw, beside the data untouched and no data at all.

    Example: `discreet attack public.parquet --truth people.parquet --private income`
    """
    import numpy as np

    from discreet.cli.showing import show_attack
    from discreet.cli.stages import stages
    from discreet.workflow.attack import attack as run

    if dry_run:
        _would([release], truth, names(private), id_column, "attack", as_json=json)
        return
    with stages() as stage:
        stage("attacking")
        found = run(
            release, truth=truth, private=names(private), id=id_column, policy=policy, effort=effort,
            limit=attacker_at_most, rng=np.random.default_rng(seed), command=f"discreet attack {Path(release).name}",
        )  # fmt: skip
    if report is not None:
        found.save(report)
        say(f"the report is in {report}")
    if json:
        show(found.to_json())
    else:
        show_attack(found)
    if found.verdict.exit:
        raise typer.Exit(OVER_THE_LIMIT)


@told
def compare(
    releases: Annotated[list[str], typer.Argument(help="Releases of the same people, by any tools.")],
    truth: Truth,
    private: Private = None,
    id_column: IdColumn = None,
    effort: Effort = "quick",
    report: Report = None,
    seed: Seed = 0,
    config: Config = None,  # noqa: ARG001  read before the others
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Attack several releases of the same people alike, and say what each tells and keeps.

    Example: `discreet compare public.parquet other.parquet --truth people.parquet --private income`
    """
    import numpy as np

    from discreet.cli.showing import show_comparison
    from discreet.cli.stages import stages
    from discreet.workflow.compare import compare as run

    if dry_run:
        _would(releases, truth, names(private), id_column, "compare", as_json=json)
        return
    with stages() as stage:
        stage("attacking")
        found = run(
            releases, truth=truth, private=names(private), id=id_column, effort=effort,
            rng=np.random.default_rng(seed), command="discreet compare",
        )  # fmt: skip
    if report is not None:
        found.save(report)
        say(f"the report is in {report}")
    if json:
        show(found.to_json())
    else:
        show_comparison(found)
    if found.verdict.exit:
        raise typer.Exit(OVER_THE_LIMIT)


def _would(
    releases: list[str], truth: str, private: list[str], id_column: str | None, command: str, *, as_json: bool
) -> None:
    """What would be attacked with what: files and columns are looked at, and nothing else is done."""
    from discreet.cli.schemas import counted
    from discreet.tables.schema import known
    from discreet.tables.source import open_source

    people = open_source(truth)
    hidden = [known(name, people.schema.names) for name in private]
    told: dict[str, Any] = {}
    for one in releases:
        source = open_source(one)
        if id_column is not None:
            known(id_column, source.schema.names)
        told[Path(one).name] = {"rows": counted(source), "columns": list(source.schema.names)}
    if as_json:
        show({"schema": f"discreet/{command}/1", "dry_run": True, "private": hidden, "releases": told})
        return
    for name, row in told.items():
        print(f"{name}: {row['rows']:,} rows; {', '.join(row['columns'])} against {', '.join(hidden)}")
    print("nothing was done")
