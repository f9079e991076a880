"""The command line: one short function a command, each with an example; work loads when it runs."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from importlib.metadata import version as installed
from typing import Annotated

import typer

from discreet.cli.apply import apply
from discreet.cli.attack import attack, compare
from discreet.cli.audit import audit
from discreet.cli.demo import demo
from discreet.cli.design import design
from discreet.cli.doctor import doctor
from discreet.cli.inspecting import inspect
from discreet.cli.release import release, verify

app = typer.Typer(
    name="discreet",
    help="Know, bound and cut what a release of people's data tells about a secret.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"discreet {installed('discreet')}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


for command in (demo, audit, design, apply, attack, release, verify, compare, inspect, doctor):
    app.command()(command)


def main() -> None:
    """The `discreet` command. A terminal without Unicode shows `?` for what it cannot write."""
    # on tables of this size threads wait for one another longer than they work: one is two or three times as fast
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    code: object = None
    try:
        app()
    except SystemExit as end:
        code = end.code
    _leave(code if isinstance(code, int) else int(code is not None))


def _leave(code: int) -> None:
    """End now. A reader's thread that still looks ahead would otherwise sometimes abort the process on its way out."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
