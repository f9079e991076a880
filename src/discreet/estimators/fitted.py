"""A fitted lift: what any record tells about the secret, with its scores and what it was learned from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.core.axis import Axis
from discreet.core.errors import AxisError, EvidenceError
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Origin
from discreet.core.samples import Columns, Samples
from discreet.estimators.records import columns_of, with_hours
from discreet.estimators.threads import alone

ROWS_AT_ONCE = 20_000


class Learner(Protocol):
    """An estimator of this room: what it learns can be asked for its scores as well."""

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        ...


class Score(NamedTuple):
    """A candidate: its log-loss on records it has not seen, in nats, and its weight."""

    name: str
    log_loss: float
    weight: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fitted:
    """p(s | x) / p(s) of any record, learned.

    Σ_s p(s) l = 1 for each record by construction; only the papers' critics miss it, and `origin.defect` says how far.

    `held_out` is the lift of the training records, each by models that have not seen it, in the order of `rows`, their
    places among the records given. `scores` lists the candidates, best first; `choice` says what was taken.
    """

    axes: tuple[Axis, Axis]
    p_s: Array
    origin: Origin
    held_out: Lift
    scores: tuple[Score, ...]
    choice: str
    rows: NDArray[np.int64]
    names: tuple[str, ...]
    read: Callable[[Columns], Array]
    """From columns to log p(s | x), [row, secret]."""

    def log_posterior(self, x: Any) -> Array:
        """log p(s | x), [row, secret]; −∞ only for a secret that no training record has."""
        held = with_hours(columns_of(x), self.names)
        missing = [name for name in self.names if name not in held.names]
        if missing:
            raise AxisError(
                f"records with the columns {', '.join(self.names)}",
                f"no {', '.join(missing)}",
                "give the columns that the lift was learned from",
            )
        if held.n == 0:
            raise EvidenceError("records to read the lift of", "none", "give one record at least")
        own = held.select(self.names)
        parts = [slice(i, i + ROWS_AT_ONCE) for i in range(0, own.n, ROWS_AT_ONCE)]
        with alone():
            return np.vstack([self.read(own.take(part)) for part in parts])

    def lift(self, x: Any) -> Lift:
        """The lift whose columns are these records, each with mass 1/n."""
        return lift_of(self.log_posterior(x), self.p_s, self.axes, self.origin)

    def guess(self, x: Any) -> Codes:
        """The likeliest secret of each record."""
        found: Codes = self.log_posterior(x).argmax(axis=1)
        return found

    def __repr__(self) -> str:
        return f"Lift of {self.axes[0].name} learned from {self.origin.n:,} records: {self.choice}"


def lift_of(log_posterior: Array, p_s: Array, axes: tuple[Axis, Axis], origin: Origin) -> Lift:
    """log p(s | x) − log p(s), one column a record."""
    n = len(log_posterior)
    log = np.where(p_s > 0, log_posterior - np.log(np.where(p_s > 0, p_s, 1)), 0.0)
    return Lift(log.T, p_s, np.full(n, 1 / n), axes, origin)


def shared(log_posterior: Array, p_s: Array, floor: float) -> Array:
    """The posterior drawn towards the shares by `floor`, so that no secret is excluded for want of records."""
    mixed: Array = np.log((1 - floor) * np.exp(log_posterior) + floor * p_s)
    return mixed
