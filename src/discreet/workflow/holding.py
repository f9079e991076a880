"""What a release leaks, as it can be held against a limit: the most careful side that unseen rows allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from discreet import measures
from discreet.core.channel import MatrixChannel
from discreet.core.counts import Counts
from discreet.core.joint import Joint
from discreet.core.reading import Origin, Reading
from discreet.core.samples import Samples
from discreet.workflow.channels import kernel_of
from discreet.workflow.coded import Rows, Split
from discreet.workflow.plans import MEASURES, Asked, Plan

ROWS_A_SYMBOL = 10
"""A bound on what several blocks tell together wants so many rows for each combination of their symbols."""

WORTH_SAYING = 0.01
"""Nats, or a share of the rows."""

LEARNED_ROWS = 10_000
"""An estimate is learned from so many rows at most, and held against as many."""


@dataclass(frozen=True, eq=False)
class Held:
    """The release of one plan, measured on rows that the design never saw, at a shared confidence."""

    split: Split
    plan: Plan
    confidence: float
    rng: np.random.Generator

    @property
    def bounded(self) -> bool:
        """Whether there are rows enough for a bound; fixed by sizes alone, before anything is measured."""
        finite = self.plan.finite
        if not finite or any(channel.inputs != "x" for channel in finite):
            return False
        symbols = max(prod(one.p.shape[side] for one in finite) for side in (0, 1))
        return len(finite) == 1 or symbols * ROWS_A_SYMBOL <= self.split.held_out.n

    def against(self, measure: Asked) -> Reading:
        """An upper bound where there is one, by theorem or at the confidence; else an estimate."""
        if measure in self.plan.bounds:
            return self.plan.bounds[measure]
        return self._bound(measure) if self.bounded else self.estimates[measure]

    def _bound(self, measure: Asked) -> Reading:
        """From the counts of the untouched rows and the channel of all blocks, which is known: nothing is drawn."""
        from discreet.estimators.bounds import upper

        found = getattr(upper, measure)
        rows, finite = self.split.held_out, self.plan.finite
        sizes = tuple(block.size for block in rows.codec.public)
        x = np.ravel_multi_index(tuple(rows.x.T), sizes)
        table = Counts.of_codes(
            np.stack([rows.s, x], axis=1), (rows.codec.secret.size, prod(sizes)), ("s", "x")
        )
        together: Any = finite[0].p
        for one in finite[1:]:
            together = np.kron(together, one.p)
        told: Reading = found(table, self.confidence, channel=MatrixChannel(together))
        return told

    @cached_property
    def estimates(self) -> Mapping[str, Reading]:
        """Learned from the release of rows of the design, and read off the release of others, as attackers see it."""
        from discreet.estimators import Boosting, columns_of, measured

        parts = []
        for rows in (self.split.design, self.split.held_out):
            some = rows.some(LEARNED_ROWS, self.rng)
            x = columns_of(released(self.split, self.plan, some, self.rng))
            parts.append(Samples(x, some.s, some.codec.secret.axis))
        told = measured(Boosting().fit(parts[0], rng=self.rng), parts[1], rng=self.rng)
        return {name: told.estimates[name] for name in MEASURES}


def released(split: Split, plan: Plan, rows: Rows, rng: np.random.Generator) -> Any:
    """The rows as they would be released; drawn with a generator, for measuring, never published."""
    kernel = kernel_of(split.schema, split.codec, plan.channels)
    batch = rows.table.combine_chunks().to_batches()[0]
    words = rng.integers(0, 2**64, size=(rows.n, kernel.words), dtype=np.uint64)
    return type(rows.table).from_batches([kernel.release(kernel.read(batch).arrays, words)])


def kept(
    split: Split, plan: Plan, rows: Rows, rng: np.random.Generator, *, utility: bool
) -> tuple[Reading, float]:
    """What the release keeps of X, or tells about the utility, block by block and added up; and its share of all.

    A release that is no table of symbols is coded again, which keeps no more, so that all are on one scale.
    """
    laws = _exact(plan, rows, utility) if plan.finite else _coded(split, plan, rows, rng, utility)
    told = sum(measures.mutual_information(law.lift()).value for law in laws)
    whole = 0.0
    for b in range(len(rows.codec.public)):
        lift = (rows.of_utility(b) if utility else rows.of_block(b)).joint().lift()
        whole += measures.mutual_information(lift).value if utility else measures.entropy(lift.reversed).value
    name = "share kept of the utility" if utility else "share kept of the columns"
    origin = Origin(kind="counted", law="this table", n=rows.n)
    side = "exact" if plan.finite else "estimate"
    return Reading(told, "nats", name, side, origin=origin), told / whole if whole > 0 else 1.0  # type: ignore[arg-type]


def _exact(plan: Plan, rows: Rows, utility: bool) -> list[Joint]:
    """The law of what is to be kept and of what is released, block by block."""
    found = []
    for b, channel in enumerate(plan.finite):
        joint = (rows.of_utility(b) if utility else rows.of_block(b)).joint()
        found.append(joint.through(channel) if utility else joint.through(channel, keep="x"))
    return found


def _coded(split: Split, plan: Plan, rows: Rows, rng: np.random.Generator, utility: bool) -> list[Joint]:
    """The same of one release, whose values are read as symbols again."""
    table = released(split, plan, rows, rng)
    found = []
    for b, block in enumerate(rows.codec.public):
        y = block.encode(table).symbols
        x, size = (rows.x[:, b], block.size)
        if utility and rows.u is not None and rows.codec.utility is not None:
            x, size = rows.u, rows.codec.utility.size
        found.append(Counts.of_codes(np.stack([x, y], axis=1), (size, block.size), ("x", "y")).joint())
    return found


def cautions(split: Split, plan: Plan) -> tuple[str, ...]:
    """What the reader of a policy should know before it is used."""
    codec, n, made = split.codec, split.design.n, []
    if plan.constant:
        made.append("The release is constant: it tells nothing and keeps nothing.")
    if not plan.finite:
        return tuple(made)
    if codec.loss.between > WORTH_SAYING:
        made.append(
            f"The columns are released in {len(codec.public)} blocks, each by itself: of what the blocks tell about "
            f"one another, up to {codec.loss.between:.3g} nats are lost."
        )
    moved = max(codec.loss.moved, default=0.0)
    if moved > WORTH_SAYING:
        made.append(
            f"{100 * moved:.1f} % of the rows are rare combinations, read as the nearest common ones."
        )
    return (*made, *_thin(split, n))


def _thin(split: Split, n: int) -> Sequence[str]:
    """A warning for each block with too few rows for its symbols."""
    secret = split.codec.secret.size
    return [
        f"Block {b + 1} has {block.size} symbols and the secret {secret} values: {n:,} rows are few for so many, so "
        "trust the numbers of the rows that the design never saw."
        for b, block in enumerate(split.codec.public)
        if n < 20 * secret * block.size
    ]
