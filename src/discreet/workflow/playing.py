"""The learned game on records: a network that releases all columns together, against adversaries that learn too."""

from __future__ import annotations

import numpy as np

from discreet.core.design import Design, Status
from discreet.core.errors import ParameterError
from discreet.core.samples import Samples
from discreet.tables.fit import RARE
from discreet.workflow.channels import Released
from discreet.workflow.coded import Split
from discreet.workflow.networked import Networked, columns_for
from discreet.workflow.plans import Asked, Plan

DISTORTIONS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
"""The share of a record that may be lost; networks for all of them train side by side."""

LEAKS = (0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005)
"""With a utility, the budgets: shares of what there is to know about the secret."""

ROWS = 50_000
"""Networks learn from so many rows at most."""


class Game:
    """One network for each of a few budgets; `strength` chooses among them by what critics learn from each."""

    def __init__(self, found: Split, rng: np.random.Generator) -> None:
        from discreet.mechanisms.learned import presets

        rows = found.design.some(ROWS, rng)
        self.names = found.schema.public
        x = columns_for(rows.table, self.names, found.schema, found.codec, RARE)
        samples = Samples(x, rows.s, found.codec.secret.axis)
        shares = samples.shares[samples.shares > 0]
        if rows.u is None:
            designs = presets.gap(samples, DISTORTIONS, rng=rng).points
        else:
            most = float(-(shares * np.log(shares)).sum())
            designs = presets.budgeted_obfuscation(
                samples, rows.u, [share * most for share in LEAKS], rng=rng
            ).points
        self.designs = sorted((d for d in designs if d.status is not Status.COLLAPSED), key=_told)
        if not self.designs:
            raise ParameterError(
                "a learned sanitiser that keeps something", "all of them collapsed", "allow a larger leak"
            )

    def plan(self, strength: float) -> Plan:
        """The network that tells most among those that tell no more than this share of what the loosest tells."""
        most = strength * _told(self.designs[-1])
        told = [design for design in self.designs if _told(design) <= most] or self.designs[:1]
        design = told[-1]
        made: tuple[Released, ...] = (Networked(self.names, design.channel, "learned"),)  # type: ignore[arg-type]
        aims: dict[Asked, float] = {
            "mutual_information": _told(design),
            "guessing_probability": float(design.trace["guessing_probability"]),
        }
        return Plan(made, str(design.status), aims)


def _told(design: Design) -> float:
    return float(design.leakage)
