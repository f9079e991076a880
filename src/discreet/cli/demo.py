"""`discreet demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.frame import OVER_THE_LIMIT, show, told
from discreet.cli.options import Json, Seed


@told
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write into.")] = Path(
        "discreet-demo"
    ),
    seed: Seed = 0,
    open_report: Annotated[
        bool, typer.Option("--open", help="Open the report in a browser when it is done.")
    ] = False,
    json: Json = False,
) -> None:
    """Go the whole way on a real survey that comes inside: audit, design, release, attack, certificate, report.

    Example: `discreet demo`
    """
    import numpy as np

    from discreet.cli.showing import show_demo
    from discreet.cli.stages import DEMO, stages
    from discreet.workflow.demo import demo as run

    with stages(DEMO) as stage:
        found = run(out, rng=np.random.default_rng(seed), stage=stage, command="discreet demo")
    if json:
        show(found.to_json())
    else:
        show_demo(found)
    if open_report:
        typer.launch(found.report.resolve().as_uri())
    if found.verdict.exit:
        raise typer.Exit(OVER_THE_LIMIT)
