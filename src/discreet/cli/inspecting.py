"""`discreet inspect`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.frame import show, told
from discreet.cli.options import Json


@told
def inspect(
    policy: Annotated[Path, typer.Argument(help="The policy that design made.")],
    json: Json = False,
) -> None:
    """Show what a policy releases, what it hides, what was read off its design, and which rare values stand in it.

    Example: `discreet inspect public.policy`
    """
    from discreet.workflow.policy import load

    held = load(policy)
    if json:
        show(held.to_json("discreet/inspect/1"))
        return
    from discreet.cli.designs import show_policy

    show_policy(held)
