"""How long a learned design trains, and what is told while it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.neural.loop import Schedule, Step


@dataclass(frozen=True, slots=True)
class Training:
    """Rounds, minibatch, the share of rows held out, who is told of progress, and where the state is written down.

    A training that was killed goes on from `resume` to the same parameters. None for a number leaves it to the
    preset.
    """

    rounds: int | None = None
    batch: int | None = None
    held_out: float = 0.1
    pieces: int = 10
    progress: Callable[[Step], None] | None = None
    resume: Path | None = None

    def schedule(self, rounds: int, batch: int) -> Schedule:
        """The schedule, with the preset's own numbers where none are given."""
        from discreet.neural.loop import Schedule

        return Schedule(self.rounds or rounds, self.pieces, self.batch or batch)


DEFAULT = Training()
