"""What every mechanism returns: the channel, how good it is, and how good any other could be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from discreet.core.protocols import Channel
from discreet.core.reading import Reading


class Status(Enum):
    """How a design ended. Its members are sentences."""

    OPTIMAL = "No mechanism does better: the leak meets a sound bound."
    NEAR = "A sound bound is known, and the leak lies above it by the gap that is shown."
    CHEAP = "Only a cheap bound is known; a better mechanism may exist."
    CONSTRUCTED = "Built by a rule; nothing is claimed about what another mechanism could do."
    OUT_OF_BUDGET = "The budget of work ran out before the gap closed; allow more to come closer."
    INACCURATE = "The solver stopped short of its tolerance; check the figures before they are used."
    VACUOUS = (
        "The leak can be made as small as one likes within this family's utility; ask for another utility."
    )

    LEARNED = "Learned from records; the figures are estimates on rows that the design never saw."
    UNSETTLED = "Training had not come to rest when it ended; allow more rounds before the figures are used."
    COLLAPSED = (
        "The release is constant or nearly so, though the budget allowed more; "
        "train again or ask for more utility."
    )

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """A mechanism, chosen for a law and a budget.

    `leakage` is always about S, in the measure that was minimised; `utility` always about X (or U). `bound` is the
    least leak that any mechanism could have had at this utility, None where nothing sound is known. `trace` is what
    the design did on its way, for those who want to look.
    """

    channel: Channel
    status: Status
    leakage: Reading
    utility: Reading
    bound: Reading | None = None
    trace: Mapping[str, Any] = field(default_factory=dict)

    @property
    def gap(self) -> float | None:
        """How far the leak lies above the bound."""
        if self.bound is None:
            return None
        met = self.leakage.value <= self.bound.value  # also where both are infinite
        return 0.0 if met else self.leakage.value - self.bound.value

    def __repr__(self) -> str:
        kept = repr(self.utility)
        if self.utility.measure == "mutual_information":
            kept = f"I(X;Y) = {self.utility.value:.4g} nats"
        bound = "none known" if self.bound is None else f"{self.bound.value:.4g}"
        return f"Design: leak {self.leakage!r}; utility {kept}; least leak possible: {bound}. {self.status}"
