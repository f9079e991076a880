"""`discreet doctor`."""

from __future__ import annotations

import typer

from discreet.cli.frame import show, told
from discreet.cli.options import Json


@told
def doctor(json: Json = False) -> None:
    """What is installed, what is missing and for what, how much memory there is, and where keys lie.

    Example: `discreet doctor`
    """
    from discreet.workflow.doctor import doctor as run

    found = run()
    if json:
        show(found.to_json())
        return
    for line in found.lines():
        typer.echo(line)
