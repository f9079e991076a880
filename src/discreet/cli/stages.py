"""What a long command is doing, and how long it will take: a bar in a terminal, lines elsewhere, on stderr."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from discreet.cli.frame import PATIENCE, say

Stage = Callable[[str], None]

AUDIT = {
    "reading": 1,
    "learning what the columns tell": 12,
    "columns, pairs and values": 5,
    "records at risk": 4,
}
RELEASE = {"reading": 1, "designing": 8, "releasing": 1, "attacking": 6, "certifying": 3}
DEMO = {"writing the survey": 1, **AUDIT, "designing": 10, "releasing": 1, "attacking": 6, "certifying": 3}
"""The stages of a command in their order, and how long each takes beside the others."""


class Clock:
    """Which stage it is, and from that how much time is left. A name that is not in the plan is part of its stage."""

    def __init__(self, plan: Mapping[str, float]) -> None:
        self.plan = plan
        self.begun = time.monotonic()
        self.name = ""
        self.place = 0

    def at(self, name: str) -> None:
        """A stage has begun."""
        self.name = name
        if name in self.plan:
            self.place = max(self.place, list(self.plan).index(name))

    @property
    def elapsed(self) -> float:
        """Seconds since the command began."""
        return time.monotonic() - self.begun

    @property
    def done(self) -> float:
        """The share of the work that lies behind."""
        return sum(list(self.plan.values())[: self.place]) / max(sum(self.plan.values()), 1)

    @property
    def words(self) -> str:
        """The stage, its place, the time that passed and the time that is left."""
        number = f"{self.place + 1} of {len(self.plan)}: " if self.plan else ""
        left = f", about {self.elapsed * (1 - self.done) / self.done:.0f} s left" if self.done else ""
        return f"{number}{self.name} … ({self.elapsed:.0f} s{left})"


@contextmanager
def stages(plan: Mapping[str, float] | None = None) -> Iterator[Stage]:
    """A function that is told each stage as it begins."""
    clock = Clock(plan or {})
    with _bar(clock) if sys.stderr.isatty() else _lines(clock) as stage:
        yield stage


@contextmanager
def _bar(clock: Clock) -> Iterator[Stage]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("beginning", total=1.0 if clock.plan else None)

        def stage(name: str) -> None:
            clock.at(name)
            progress.update(task, description=name, completed=clock.done)

        yield stage


@contextmanager
def _lines(clock: Clock) -> Iterator[Stage]:
    """A line for each stage, once the whole takes longer than one has patience for."""
    late = threading.Timer(PATIENCE, lambda: say(clock.words) if clock.name else None)
    late.daemon = True
    late.start()

    def stage(name: str) -> None:
        clock.at(name)
        if clock.elapsed > PATIENCE:
            say(clock.words)

    try:
        yield stage
    finally:
        late.cancel()
