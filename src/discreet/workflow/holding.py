"""What a release leaks, as it can be held against a limit: the most careful side that rows unseen by the design allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal, TypeAlias

import numpy as np

from discreet import measures
from discreet.core.channel import MatrixChannel
from discreet.core.counts import Counts
from discreet.core.protocols import Codes
from discreet.core.reading import Origin, Reading
from discreet.core.samples import Column, Columns, Samples
from discreet.workflow.channels import is_constant
from discreet.workflow.coded import Rows, Split

Asked: TypeAlias = Literal["mutual_information", "guessing_probability"]

ROWS_A_SYMBOL = 10
"""A bound on what several blocks tell together wants so many rows for each symbol that they can release."""

WORTH_SAYING = 0.01
"""Nats, or a share of the rows."""

LEARNED_ROWS = 20_000
"""An estimate is learned from so many rows at most, and held against as many."""


@dataclass(frozen=True, eq=False)
class Held:
    """The release of one candidate, measured on rows that the design never saw, at a shared confidence."""

    split: Split
    channels: tuple[MatrixChannel, ...]
    confidence: float
    rng: np.random.Generator

    @property
    def bounded(self) -> bool:
        """Whether there are rows enough for a bound; fixed by sizes alone, before anything is measured."""
        symbols = prod(channel.p.shape[-1] for channel in self.channels)
        return len(self.channels) == 1 or symbols * ROWS_A_SYMBOL <= self.split.held_out.n

    def against(self, measure: Asked) -> Reading:
        """An upper bound where there is one, else an estimate."""
        return self._bound(measure) if self.bounded else self._estimate(measure)

    def _bound(self, measure: Asked) -> Reading:
        from discreet.estimators.bounds import upper

        found = getattr(upper, measure)
        rows = self.split.held_out
        if len(self.channels) == 1:
            channel = self.channels[0]
            if channel.inputs == "x":
                reading: Reading = found(rows.of_block(0), self.confidence, channel=channel)
                return reading
        sizes = tuple(channel.p.shape[-1] for channel in self.channels)
        y = np.ravel_multi_index(tuple(self._released(rows).T), sizes)
        table = Counts.of_codes(
            np.stack([rows.s, y], axis=1), (rows.codec.secret.size, prod(sizes)), ("s", "y")
        )
        reading = found(table, self.confidence)
        return reading

    def _estimate(self, measure: Asked) -> Reading:
        """Learned from the release of rows of the design, and read off the release of others."""
        from discreet.estimators import estimate, measured

        learn, against = (
            self._samples(_some(rows, self.rng)) for rows in (self.split.design, self.split.held_out)
        )
        told = measured(estimate(learn, None, rng=self.rng), against)
        reading: Reading = told.estimates[measure]
        return reading

    def _samples(self, rows: Rows) -> Samples:
        y = self._released(rows)
        columns = [
            Column(f"y{b}", y[:, b], tuple(range(channel.p.shape[-1])))
            for b, channel in enumerate(self.channels)
        ]
        return Samples(Columns(columns), rows.s, rows.codec.secret.axis)

    def _released(self, rows: Rows) -> Codes:
        """One release of these rows, drawn with a generator: for measuring, never published."""
        made = []
        for b, channel in enumerate(self.channels):
            s = rows.s if channel.inputs == "sx" else None
            made.append(channel.apply(rows.x[:, b], s=s, rng=self.rng))
        return np.stack(made, axis=1)


def kept(rows: Rows, channels: Sequence[MatrixChannel], *, utility: bool) -> tuple[Reading, float]:
    """What the release keeps of X, or tells about the utility, block by block and added up; and its share of all."""
    told = whole = 0.0
    for b, channel in enumerate(channels):
        joint = (rows.of_utility(b) if utility else rows.of_block(b)).joint()
        if utility:
            told += measures.mutual_information(joint.through(channel).lift()).value
            whole += measures.mutual_information(joint.lift()).value
        else:
            told += measures.mutual_information(joint.through(channel, keep="x").lift()).value
            whole += measures.entropy(joint.lift().reversed).value
    name = "share kept of the utility" if utility else "share kept of the columns"
    origin = Origin(kind="counted", law="this table", n=rows.n)
    return Reading(told, "nats", name, "exact", origin=origin), told / whole if whole > 0 else 1.0


def cautions(split: Split, channels: Sequence[MatrixChannel]) -> tuple[str, ...]:
    """What the reader of a policy should know before it is used."""
    codec, n, made = split.codec, split.design.n, []
    if all(is_constant(channel) for channel in channels):
        made.append("The release is constant: it tells nothing and keeps nothing.")
    if codec.loss.between > WORTH_SAYING:
        made.append(
            f"The columns are released in {len(channels)} blocks; what the blocks tell about one another, "
            f"{codec.loss.between:.3g} nats, is not kept."
        )
    moved = max(codec.loss.moved, default=0.0)
    if moved > WORTH_SAYING:
        made.append(
            f"{100 * moved:.1f} % of the rows are rare combinations, read as the nearest common ones."
        )
    for b, block in enumerate(codec.public):
        if n < 20 * codec.secret.size * block.size:
            made.append(
                f"Block {b + 1} has {block.size} symbols and the secret {codec.secret.size} values: {n:,} rows are few "
                "for so many, so trust the numbers of the rows that the design never saw."
            )
    return tuple(made)


def _some(rows: Rows, rng: np.random.Generator) -> Rows:
    if rows.n <= LEARNED_ROWS:
        return rows
    chosen = np.sort(rng.choice(rows.n, LEARNED_ROWS, replace=False))
    return Rows(rows.codec, rows.s[chosen], rows.x[chosen], None)
