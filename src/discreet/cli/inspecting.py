"""`discreet inspect`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.frame import say, show, told


@told
def inspect(
    policy: Annotated[Path, typer.Argument(help="The policy that design made.")],
    json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show what a policy releases, what it hides, what was read off its design, and which rare values stand in it.

    Example: `discreet inspect public.policy`
    """
    from discreet.workflow.policy import load

    held = load(policy)
    if json:
        show(held.to_json("discreet/inspect/1"))
        return
    print(f"policy {held.digest}")
    print(f"releases {', '.join(held.kernel.columns)}")
    print(f"hides {', '.join(held.threat.secret)} from whoever sees {held.threat.sees}")
    print(f"  and knows {held.threat.knows}; not meant against {held.threat.beyond}")
    for number, one in enumerate(held.channels, 1):
        print(f"block {number}: {', '.join(one.columns(held.codec))} by {one.mechanism}, {one.channel!r}")
    print(held.design.limit.sentence)
    print(held.design.status)
    for name, reading in {**held.design.leakage, **held.design.utility}.items():
        print(f"  {name}: {reading!r}")
    for warning in (*held.design.warnings, *held.rare):
        say(f"note: {warning}")
