"""An audit, step by step: the whole, the columns, their pairs and values, the records, what is left without them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.samples import Samples
from discreet.workflow.anonymity import Anonymity, anonymity, counts_of_classes
from discreet.workflow.audited import Audit, Remain
from discreet.workflow.intake import MOST, Intake, Names, intake, taken
from discreet.workflow.result import FEWEST
from discreet.workflow.risk import risk
from discreet.workflow.told import Overall, overall, quick

if TYPE_CHECKING:
    from discreet.estimators.conditional.columns import ColumnTold
    from discreet.tables.schema import Schema

REMAINS = 3
ADDED = 4
"""So many columns are dropped one after the other, and of so many it is told what they add to the others."""

Stage = Callable[[str], None]


def audit(
    records: Any,
    private: Names = (),
    public: Names | None = None,
    *,
    utility: Names = (),
    id: Names = (),  # noqa: A002
    drop: Names = (),
    schema: Schema | str | Path | None = None,
    max_leak: float | None = None,
    most: int = MOST,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    stage: Stage | None = None,
    command: str | None = None,
) -> Audit:
    """What the public columns tell about the private ones: the whole answer, from any records.

    Without `public` every column is public that is not private, an id or dropped. Several private columns are audited
    together, and each by itself. Half of the records learn, the others judge; beyond `most` rows an even sample is
    taken. Estimates are called so; lower bounds hold at `confidence` each. `max_leak` is held against the estimate of
    I(S; X). Without `rng` the same records give the same numbers.
    """
    from discreet.estimators import columns_told, pairs_told, values_told

    rng = np.random.default_rng(0) if rng is None else rng
    say = stage or (lambda _: None)
    say("reading")
    read = intake(
        records,
        private=private,
        public=public,
        utility=utility,
        id=id,
        drop=drop,
        schema=schema,
        most=most,
        rng=rng,
    )
    samples = read.secret
    say("learning what the columns tell")
    told, lift = overall(samples, confidence=confidence, rng=rng)
    say("columns, pairs and values")
    by_column = _beside_others(
        samples, columns_told(samples, history="nothing", confidence=confidence, rng=rng), rng
    )
    names = [n for c in by_column if c.leaks for n in c.columns]
    say("records at risk")
    return Audit(
        facts=read.facts,
        schema=read.schema,
        samples=samples,
        told=told,
        columns_told=by_column,
        pairs_told=pairs_told(samples, rng=rng),
        values_told=values_told(samples, confidence=confidence, least=FEWEST),
        risk=risk(samples, lift, read.positions, names, rng=rng),
        remains=_remains(samples, told, by_column, rng),
        secrets=_each(read, confidence, rng),
        anonymity=_anonymity(read, samples),
        notices=read.notices,
        max_leak=max_leak,
        command=command,
    )


def _beside_others(
    samples: Samples, columns: tuple[ColumnTold, ...], rng: np.random.Generator
) -> tuple[ColumnTold, ...]:
    """For the columns that tell most alone, what each still adds to all others: the dear question, so for a few."""
    from discreet.estimators import Boosting, conditional_density

    made_of = []
    for place, column in enumerate(columns):
        others = [n for c in columns if c is not column for n in c.columns]
        if place < ADDED and column.leaks and others:
            added = conditional_density(
                samples, column.columns, others, learner=Boosting(), rng=rng
            ).information
            made_of.append(replace(column, added=added))
        else:
            made_of.append(column)
    return tuple(made_of)


def _remains(
    samples: Samples, told: Overall, columns: tuple[ColumnTold, ...], rng: np.random.Generator
) -> tuple[Remain, ...]:
    """What is left when the most telling columns are dropped, one after the other; none where nothing leaks."""
    dropped: list[str] = []
    found = []
    for column in [c for c in columns if c.leaks][:REMAINS] if told.verdict.leaks else []:
        dropped += column.columns
        left = [n for n in samples.x.names if n not in dropped]
        information, guess = quick(taken(samples, left), rng=rng)
        sources = tuple(c.name for c in columns if set(c.columns) <= set(dropped))
        found.append(Remain(sources, information, guess))
    return tuple(found)


def _each(read: Intake, confidence: float, rng: np.random.Generator) -> dict[str, Overall]:
    """Each of several secrets by itself."""
    if len(read.secrets) == 1:
        return {}
    return {s.axes[0].name: overall(s, confidence=confidence, rng=rng)[0] for s in read.secrets}


def _anonymity(read: Intake, samples: Samples) -> Anonymity | None:
    """The classical notions, where all rows are at hand: the classes of a sample are smaller than those of the file."""
    return anonymity(counts_of_classes(samples), samples.x.names) if read.n == read.facts.rows else None
