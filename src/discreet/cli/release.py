"""`discreet release` and `discreet verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.frame import DATA, OVER_THE_LIMIT, names, show, told
from discreet.cli.options import (
    AttackerAtMost,
    ColumnsFile,
    Config,
    Drop,
    DryRun,
    Effort,
    IdColumns,
    Json,
    Keep,
    Leak,
    Private,
    Public,
    Records,
    Seed,
    Utility,
    asked,
    opened,
)


@told
def release(
    records: Records,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write into.")],
    private: Private = None,
    public: Public = None,
    utility: Utility = None,
    id_column: IdColumns = None,
    drop: Drop = None,
    leak: Leak = None,
    attacker_at_most: AttackerAtMost = None,
    keep: Keep = None,
    mechanism: Annotated[list[str] | None, typer.Option(help="Mechanisms to try; all if not given.")] = None,
    labels: Annotated[bool, typer.Option("--labels", help='Release labels such as "30 to 39".')] = False,
    columns: ColumnsFile = None,
    form: Annotated[
        str | None, typer.Option(help="csv, parquet or arrow; as the records if not given.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(help="The secret key file; the policy's own if left out.")
    ] = None,
    effort: Effort = "quick",
    seed: Seed = 0,
    config: Config = None,  # noqa: ARG001  read before the others
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Design, apply, attack and certify in one: the released file, its policy, a certificate and a report.

    Example: `discreet release people.parquet --private income --public age,sex,education --leak 0.02 -o out/`
    """
    import numpy as np

    from discreet.cli.schemas import prepared, show_columns
    from discreet.cli.showing import show_release
    from discreet.cli.stages import RELEASE, stages
    from discreet.workflow.release import release as run

    source = opened(records)
    roles = asked(source, private=private, public=public, utility=utility, id=id_column, drop=drop)
    schema = prepared(source, columns, roles, None)
    if dry_run:
        show_columns(schema, source, "release", as_json=json)
        return
    with stages(RELEASE) as stage:
        found = run(
            source, out, schema=schema, mechanism=names(mechanism) or "best", leak=leak, keep=keep,
            attacker_at_most=attacker_at_most, labels=labels, form=form, key=key, effort=effort,
            rng=np.random.default_rng(seed), stage=stage, command=f"discreet release {Path(records).name}",
        )  # fmt: skip
    if json:
        show(found.to_json())
    else:
        show_release(found)
    if found.verdict.exit:
        raise typer.Exit(OVER_THE_LIMIT)


@told
def verify(
    certificate: Annotated[Path, typer.Argument(help="The certificate.")],
    released: Annotated[
        Path | None, typer.Argument(metavar="[RELEASE]", help="The released file; beside it if not given.")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option(help="The policy; beside the certificate if not given.")
    ] = None,
    json: Json = False,
) -> None:
    """Recompute what a certificate says from the files alone; any changed byte is found.

    Example: `discreet verify out/certificate.json out/public.parquet`
    """
    from discreet.cli.showing import show_verified
    from discreet.workflow.verify import verify as run

    found = run(certificate, released, policy=policy, command=f"discreet verify {certificate.name}")
    if json:
        show(found.to_json())
    else:
        show_verified(found)
    if not found.ok:
        raise typer.Exit(DATA)
