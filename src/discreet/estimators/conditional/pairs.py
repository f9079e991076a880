"""Pairs of columns that tell more together than one by one, and those that tell only together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.core.samples import Samples
from discreet.estimators.conditional.bins import binned
from discreet.estimators.conditional.columns import estimated
from discreet.estimators.conditional.deals import family_wise
from discreet.estimators.conditional.halves import Halves, Told
from discreet.estimators.parts import without_copies
from discreet.estimators.verdict import LEVEL

SYMBOLS = 8
ROWS = 20_000
MOST_COLUMNS = 60
ONLY = 0.5
"""A pair tells only together what its columns tell one by one in less than this share."""


@dataclass(frozen=True, slots=True)
class PairTold:
    """What two columns tell together, and by how much that exceeds what they tell one by one.

    synergy = I(S; X_i, X_j) − I(S; X_i) − I(S; X_j), below zero where one repeats the other. Both are estimates from
    held-out records. `p_value` is the chance that luck reads as much from any pair; `only_together` says that the pair
    leaks, that the synergy stands out of its own error for all pairs at once, and that it is most of what is told.
    """

    names: tuple[str, str]
    together: Reading
    synergy: Reading
    p_value: float
    only_together: bool


def pairs_told(samples: Samples, *, level: float = LEVEL, rng: np.random.Generator) -> tuple[PairTold, ...]:
    """All pairs of columns, those with the most synergy first: the exclusive or of two columns stands on top.

    Each column is cut into up to eight symbols; shares of the secret for each pair of symbols are learnt on one half of
    the records and judged on the other. 66 pairs of 12 columns take about a second; of more than 60 columns, the 60
    with the most symbols' worth of records are taken in order.

    >>> rng = np.random.default_rng(0)
    >>> a, b, c = rng.integers(0, 2, (3, 1000))
    >>> from discreet.core.samples import Columns
    >>> samples = Samples(Columns.of_array(np.column_stack([a, b, c])), a ^ b)
    >>> [p.names for p in pairs_told(samples, rng=rng) if p.only_together]
    [('x0', 'x1')]

    References: paper 003, Section III, whose flags see single columns only.
    """
    once = without_copies(samples)
    taken = once.take(rng.choice(once.n, ROWS, replace=False)) if once.n > ROWS else once
    columns = [binned(c, SYMBOLS) for c in list(taken.x)[:MOST_COLUMNS]]
    pairs = list(combinations(range(len(columns)), 2))
    if not pairs:
        return ()
    halves = Halves.of(taken, columns, rng)
    single = [halves.own(halves.told(j)) for j in range(len(columns))]
    told = [halves.told(i, j) for i, j in pairs]
    p_values = family_wise([t.table for t in told], [t.codes for t in told], halves.s_judge, rng)
    bar = _bar(level / len(pairs))
    names = [c.name for c in columns]
    made = [
        _pair((names[i], names[j]), halves, own, single[i], single[j], float(p), level, bar)
        for (i, j), own, p in zip(pairs, told, p_values, strict=True)
    ]
    return tuple(sorted(made, key=lambda p: -p.synergy.value))


def _pair(
    names: tuple[str, str],
    halves: Halves,
    told: Told,
    first: Array,
    second: Array,
    p: float,
    level: float,
    bar: float,
) -> PairTold:
    together = halves.own(told)
    synergy = together - first - second
    n = synergy.size
    stands_out = bool(synergy.mean() > bar * synergy.std() / np.sqrt(n))
    most = max(first.mean(), 0) + max(second.mean(), 0) < ONLY * together.mean()
    return PairTold(
        names,
        estimated(max(float(together.mean()), 0.0), n),
        estimated(float(synergy.mean()), n, "synergy"),
        p,
        bool(p <= level and stands_out and most),
    )


def _bar(share: float) -> float:
    """The normal deviate that is exceeded with this probability."""
    from scipy.special import ndtri

    return -float(ndtri(share))
