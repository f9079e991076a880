"""What every command shares: errors become exit codes, results become text or JSON, waiting becomes progress.

0 fine · 1 a leak over the limit, or a collapse · 2 usage · 3 a problem with the data · 4 a fault of the program ·
130 stopped by Ctrl-C
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

import typer

P = ParamSpec("P")
R = TypeVar("R")

OVER_THE_LIMIT, USAGE, DATA, INTERNAL, STOPPED = 1, 2, 3, 4, 130

PATIENCE = 2.0
"""Seconds after which a wait is explained."""

USAGE_ERRORS = frozenset({"ParameterError", "SchemaError"})
"""Errors that are about how a command was called; every other one of the house is about the data."""


def told(command: Callable[P, R]) -> Callable[P, R]:
    """The command with its errors told in words, each with its exit code; never with a value of the data."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (typer.Exit, typer.Abort):
            raise
        except KeyboardInterrupt:
            say("stopped; nothing stands under the final name")
            raise typer.Exit(STOPPED) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except Exception as error:
            raise typer.Exit(_explained(error)) from None

    return run


def _explained(error: Exception) -> int:
    """Say what is wrong, and which exit code it has."""
    from discreet.core.errors import DiscreetError

    if isinstance(error, DiscreetError):
        say(str(error))
        return USAGE if type(error).__name__ in USAGE_ERRORS else DATA
    if isinstance(error, MemoryError):
        say("memory ran out\n  to do: fewer columns, or fewer symbols a block")
        return DATA
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else "?"
    say(f"a fault of discreet itself: {type(error).__name__} at {where}")
    say("  to do: report it; DISCREET_DEBUG=1 shows more")
    if os.environ.get("DISCREET_DEBUG"):
        raise error
    return INTERNAL


def say(text: str) -> None:
    """A line for people, beside the result."""
    print(text, file=sys.stderr)


def show(result: dict[str, Any]) -> None:
    """A result for programs."""
    print(json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False))


def names(given: Sequence[str] | None, known: Sequence[str] = ()) -> list[str]:
    """Names from an option: separated by commas, or the option repeated where a name has one."""
    found: list[str] = []
    for one in given or ():
        found += (
            [one]
            if one in known or "," not in one
            else [part.strip() for part in one.split(",") if part.strip()]
        )
    return found


@contextmanager
def waiting(stage: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Progress of a stage that counts rows: a bar in a terminal, plain lines elsewhere; silent while it is quick."""
    if sys.stderr.isatty():
        with _bar(stage, total) as advance:
            yield advance
    else:
        yield _Lines(stage, total)


@contextmanager
def _bar(stage: str, total: int | None) -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(stage, total=total)
        yield lambda rows: progress.update(task, completed=rows)


class _Lines:
    """A line every few seconds, with how far it is and how long it will take."""

    def __init__(self, stage: str, total: int | None) -> None:
        self.stage, self.total = stage, total
        self.begun = self.last = time.monotonic()

    def __call__(self, rows: int) -> None:
        now = time.monotonic()
        if now - self.last < PATIENCE:
            return
        self.last = now
        if self.total:
            left = (now - self.begun) * (self.total - rows) / max(rows, 1)
            say(f"{self.stage}: {rows:,} of {self.total:,} rows, about {left:.0f} s left")
        else:
            say(f"{self.stage}: {rows:,} rows")
