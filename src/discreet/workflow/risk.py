"""Who is at risk: how far the release moves the odds of each record's own secret, and through which columns."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes
from discreet.core.samples import Samples
from discreet.workflow.result import FEWEST, hidden

EDGES = (0.0, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1 / math.sqrt(2), 1.0, math.sqrt(2), 2.0, 4.0, 8.0, 16.0, math.inf)
DOUBLED = 2.0
REASONS = 5
ALSO = 0.5
"""A second column is part of the reason if it moves the log-odds by at least this share of what the first does."""


@dataclass(frozen=True, slots=True, eq=False)
class Risk:
    """For each record the factor by which the odds of its secret grow, odds before and after, and the reason.

    The odds are of cross-fitted models: a record is judged by models that have not seen it. They are estimates.
    """

    before: Array
    after: Array
    factor: Array
    reasons: tuple[tuple[str, ...], ...]
    positions: Codes

    @property
    def doubled(self) -> int:
        """How many records more than double the odds."""
        return int(np.count_nonzero(self.factor > DOUBLED))

    @property
    def headline(self) -> str:
        """How many records are at risk, as a sentence; a small count is not told."""
        if hidden(self.doubled) is None:
            return f"Fewer than {FEWEST} records more than double the odds."
        return (
            f"{self.doubled:,} records more than double the odds."
            if self.doubled
            else "No record doubles the odds."
        )

    def to_json(self, scores: str | None = None) -> dict[str, Any]:
        """Counts only."""
        counts = np.histogram(np.minimum(self.factor, 1e300), [*EDGES[:-1], np.inf])[0]
        at_risk = Counter(self.reasons[i] for i in np.flatnonzero(self.factor > DOUBLED))
        at_risk.pop((), None)
        largest = float(self.factor.max())
        return {
            "n": int(self.factor.size),
            "doubled": hidden(self.doubled),
            "halved": hidden(int(np.count_nonzero(self.factor < 1 / DOUBLED))),
            "largest": largest if math.isfinite(largest) else "inf",
            "histogram": {
                "edges": [e if math.isfinite(e) else "inf" for e in EDGES],
                "counts": [hidden(int(n)) for n in counts],
            },
            "reasons": [{"columns": list(r), "records": hidden(n)} for r, n in at_risk.most_common(REASONS)],
            "fewest": FEWEST,
            "scores": scores,
        }

    def save(self, path: str | Path) -> Path:
        """A row for each record, readable by its owner only: a score itself tells about the secret."""
        from discreet.tables.safe import write_whole

        text = io.StringIO()
        text.write("row,factor,odds_before,odds_after,reason\n")
        for row in zip(self.positions, self.factor, self.before, self.after, self.reasons, strict=True):
            reason = " with ".join(row[4]).replace('"', '""')
            text.write(f'{row[0]},{row[1]:.6g},{row[2]:.6g},{row[3]:.6g},"{reason}"\n')
        return write_whole(Path(path), text.getvalue().encode(), owner_only=True)


def risk(
    samples: Samples, lift: Lift, positions: Codes, told: Sequence[str], *, rng: np.random.Generator
) -> Risk:
    """The odds of each record's own secret, after over before. `told` are the columns that may be a reason."""
    own = np.arange(samples.n)
    prior = samples.shares[samples.s]
    posterior = np.clip(lift.posterior[samples.s, own], 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        before, after = prior / (1 - prior), posterior / (1 - posterior)
        factor = np.where(prior < 1, after / before, 1.0)
    moved = np.stack([_moved(samples, name, rng) for name in told]) if told else np.zeros((0, samples.n))
    return Risk(before, after, factor, _reasons(moved, told, samples.n), positions)


def _moved(samples: Samples, name: str, rng: np.random.Generator) -> Array:
    """How far this column alone moves the log-lift of each record's own secret."""
    from discreet.estimators import Plugin

    model = Plugin().fit(samples.select([name]), rng=rng)
    found: Array = model.lift(samples.x.select([name])).log_lift[samples.s, np.arange(samples.n)]
    return found


def _reasons(moved: Array, told: Sequence[str], n: int) -> tuple[tuple[str, ...], ...]:
    """The column that moves it most, with the second where it does nearly as much."""
    if not len(told):
        return ((),) * n
    order = np.argsort(-moved, axis=0)[:2]
    most = np.take_along_axis(moved, order, axis=0)
    made = []
    for i in range(n):
        first = (told[order[0, i]],) if most[0, i] > 0 else ()
        also = len(order) > 1 and first and most[1, i] >= ALSO * most[0, i]
        made.append((*first, told[order[1, i]]) if also else first)
    return tuple(made)
