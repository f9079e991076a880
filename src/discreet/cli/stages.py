"""What a long command is doing: a spinner in a terminal, plain lines elsewhere, on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from discreet.cli.frame import PATIENCE, say

Stage = Callable[[str], None]


@contextmanager
def stages() -> Iterator[Stage]:
    """A function that is told each stage as it begins."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("beginning") as status:
        yield lambda name: status.update(f"{name} …")


def _lines() -> Stage:
    """A line for each stage, once the whole takes longer than one has patience for."""
    begun = time.monotonic()
    waiting: list[str] = []

    def stage(name: str) -> None:
        waiting.append(name)
        if time.monotonic() - begun > PATIENCE:
            say(f"{waiting[-1]} … ({time.monotonic() - begun:.0f} s)")

    return stage
