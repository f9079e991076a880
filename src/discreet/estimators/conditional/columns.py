"""What each column tells: alone, with its chance under luck, and beside what is known from others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from discreet.core.errors import EvidenceError, ParameterError
from discreet.core.reading import Origin, Reading, unit_of
from discreet.core.samples import Column, Columns, Samples
from discreet.estimators.conditional.bins import Binned, binned
from discreet.estimators.conditional.deals import family_wise
from discreet.estimators.conditional.density import conditional_density
from discreet.estimators.conditional.halves import Halves, Told
from discreet.estimators.parts import without_copies
from discreet.estimators.records import groups_of
from discreet.estimators.verdict import LEVEL

SYMBOLS, LEVELS, TOGETHER = 32, 4096, 128
"""A number is counted by up to so many symbols, a column of levels by so many, a group by so many combinations."""

ROWS = 40_000
"""So many records at most say what columns tell alone; half of them learn, half judge."""

LEAST = 40

History = Literal["others", "before", "nothing"]


@dataclass(frozen=True, slots=True)
class ColumnTold:
    """What one column, or one group of columns, tells about the secret.

    `alone` is a lower bound of I(S; X_j) from held-out records, `estimate` the figure itself, `guess` a lower bound of
    how often a guess from it is right. `added` is what it tells an adversary who has the history as well: an estimate.
    `p_value` is the chance that luck reads as much from any of the columns, `leaks` whether it is at most the level.
    """

    name: str
    columns: tuple[str, ...]
    alone: Reading
    estimate: Reading
    guess: Reading
    added: Reading | None
    p_value: float
    leaks: bool


def columns_told(
    samples: Samples,
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    history: History | Columns = "others",
    level: float = LEVEL,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> tuple[ColumnTold, ...]:
    """What each column tells alone, and given the others, those before it, or columns released already; most first.

    Alone: shares of the secret for each level or interval, learnt on one half of the records and judged on the other,
    with a test that is exact for all columns at once. Given a history: by direct conditional estimation, as
    conditional_density says; that is where the time goes, about a second a column. A date with its weekday is a group.

    >>> rng = np.random.default_rng(0)
    >>> s = rng.integers(0, 2, 1000)
    >>> samples = Samples(Columns.of_array(np.column_stack([s + rng.normal(size=1000), rng.normal(size=1000)])), s)
    >>> [(c.name, c.leaks) for c in columns_told(samples, history="nothing", rng=rng)]
    [('x0', True), ('x1', False)]

    References: paper 003, Definition 2, with the released history (errata E33).
    """
    if not isinstance(history, Columns) and history not in ("others", "before", "nothing"):
        known = '"others", "before", "nothing", or the released Columns'
        raise ParameterError("a history", f"{history!r}", known)
    if samples.n < LEAST:
        raise EvidenceError(f"{LEAST} records or more", f"{samples.n}: not enough data", "bring more records")
    own = groups_of(samples.x.names) if groups is None else {k: tuple(v) for k, v in groups.items()}
    alone = _alone(samples, own, level, confidence, rng)
    made = [
        replace(told, added=_added(samples, list(own.values()), place, history, rng))
        for place, told in enumerate(alone)
    ]
    return tuple(sorted(made, key=lambda c: -c.estimate.value))


def _alone(
    samples: Samples,
    groups: Mapping[str, tuple[str, ...]],
    level: float,
    confidence: float,
    rng: np.random.Generator,
) -> list[ColumnTold]:
    once = without_copies(samples)
    taken = once.take(rng.choice(once.n, ROWS, replace=False)) if once.n > ROWS else once
    columns: list[Binned] = []
    places: list[tuple[int, ...]] = []
    for names in groups.values():
        places.append(tuple(range(len(columns), len(columns) + len(names))))
        columns += [binned(taken.x[name], _most(taken.x[name], len(names))) for name in names]
    halves = Halves.of(taken, columns, rng)
    told = [halves.told(*which) for which in places]
    p_values = family_wise([t.table for t in told], [t.codes for t in told], halves.s_judge, rng)
    return [
        _column(name, groups[name], halves, own, float(p), level, confidence)
        for name, own, p in zip(groups, told, p_values, strict=True)
    ]


def _most(column: Column, beside: int) -> int:
    """How many symbols a column of a group of so many may have."""
    if beside > 1:
        return max(2, int(TOGETHER ** (1 / beside)))
    return SYMBOLS if column.is_number else LEVELS


def _column(
    name: str, columns: tuple[str, ...], halves: Halves, told: Told, p: float, level: float, confidence: float
) -> ColumnTold:
    from discreet.estimators.bounds import lower

    shares, n = halves.shares, halves.s_judge.size
    q = np.exp(told.table) * halves.learnt[:, None]
    q /= q.sum(axis=0)
    floored = lower.floored(q, shares, 1 / np.sqrt(n))
    own = floored.log_lift[halves.s_judge, told.codes]
    alone = lower.of_log_lift(own, floored.low, floored.high, confidence)
    guess = lower.of_hits(q.argmax(axis=0)[told.codes] == halves.s_judge, confidence)
    estimate = estimated(max(float(own.mean()), 0.0), n)
    return ColumnTold(name, columns, alone, estimate, guess, None, p, bool(p <= level))


def estimated(value: float, n: int, measure: str = "mutual_information") -> Reading:
    """An estimate from n held-out records; no interval was found that covers."""
    origin = Origin("learned", "people of this composition", n, method="counts, halves")
    return Reading(value, unit_of(measure), measure, "estimate", origin=origin)


def _added(
    samples: Samples,
    groups: list[tuple[str, ...]],
    place: int,
    history: History | Columns,
    rng: np.random.Generator,
) -> Reading | None:
    if isinstance(history, Columns):
        return conditional_density(samples, groups[place], history, rng=rng).information
    if history == "nothing":
        return None
    known = groups[:place] if history == "before" else groups[:place] + groups[place + 1 :]
    names = [name for group in known for name in group]
    return conditional_density(samples, groups[place], names, rng=rng).information
