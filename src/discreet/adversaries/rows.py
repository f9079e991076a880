"""Which rows an attacker learns from, on which he is chosen, and which judge him. Copies of a record stay together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.adversaries.desk import some_rows
from discreet.core.errors import EvidenceError, ParameterError
from discreet.core.protocols import Codes
from discreet.core.samples import Samples
from discreet.estimators.parts import folds_of

MOST_LEARNT = 80_000
"""So many rows are learnt from, drawn evenly from more."""

MOST_JUDGED = 50_000
"""So many rows judge, drawn evenly from more; the interval is then half a point wide to either side."""

FEW = 10_000
"""Up to so many rows to learn from, the choice is made on all of them, in five turns; beyond, on a quarter."""

FOLDS, PARTS = 5, 4


@dataclass(frozen=True, slots=True)
class Division:
    """Rows to learn from, rows that judge, and for the choice pairs of (rows to learn from, rows to choose on).

    `drawn` counts the rows that lie in neither, because there were more than needed.
    """

    learnt: Codes
    judging: Codes
    turns: tuple[tuple[Codes, Codes], ...]
    drawn: int = 0


def divided(samples: Samples, held_out: float | ArrayLike, *, rng: np.random.Generator) -> Division:
    """Divide records at random, every secret in its share; `held_out` is the share that judges, or the very rows.

    Where columns tell records apart, copies of one are never on both sides: what was learnt by heart judges nothing.

    >>> from discreet.core.samples import Columns
    >>> samples = Samples(Columns.of_array(np.arange(100.)), [0, 1] * 50)
    >>> division = divided(samples, .3, rng=np.random.default_rng(0))
    >>> division.judging.size, len(division.turns)
    (30, 5)
    """
    judging = _judging(samples, held_out, rng)
    apart = np.ones(samples.n, dtype=bool)
    apart[judging] = False
    learnt = np.flatnonzero(apart)
    if judging.size < 1 or learnt.size < 4:
        raise EvidenceError(
            "an attack that learns from some rows and is judged on others",
            f"{learnt.size} rows to learn from, {judging.size} to be judged on",
            "give 6 rows at least, and hold out neither none nor all of them",
        )
    drawn = max(0, learnt.size - MOST_LEARNT) + max(0, judging.size - MOST_JUDGED)
    judging, learnt = (
        rows[some_rows(rows.size, most, rng)]
        for rows, most in ((judging, MOST_JUDGED), (learnt, MOST_LEARNT))
    )
    return Division(learnt, judging, _turns(samples.take(learnt), learnt, rng), drawn)


def _turns(
    samples: Samples, learnt: NDArray[np.intp], rng: np.random.Generator
) -> tuple[tuple[Codes, Codes], ...]:
    few = samples.n <= FEW
    fold = folds_of(samples, FOLDS if few else PARTS, rng)
    turns = [(learnt[fold != k], learnt[fold == k]) for k in range(FOLDS if few else 1)]
    return tuple((fit, choice) for fit, choice in turns if fit.size and choice.size)


def _judging(samples: Samples, held_out: float | ArrayLike, rng: np.random.Generator) -> Codes:
    given: Any = np.asarray(held_out)
    if given.ndim == 0:
        share = float(given)
        if not 0 < share < 1:
            raise ParameterError(
                "a share of rows to hold out, between 0 and 1", f"{share}", "give held_out=.3, or row numbers"
            )
        return np.flatnonzero(folds_of(samples, 1000, rng) < round(1000 * share))
    n = samples.n
    if given.dtype == bool and given.shape == (n,):
        return np.flatnonzero(given)
    rows = np.unique(given)
    if given.ndim != 1 or given.dtype.kind not in "iu" or (rows.size and (rows[0] < 0 or rows[-1] >= n)):
        raise ParameterError(
            f"rows to hold out as numbers from 0 to {n - 1}, or one True or False a row",
            f"an array of shape {given.shape}, type {given.dtype}",
            "give the positions of the rows that the design never saw",
        )
    return rows.astype(np.int64)


def choosing_rows(division: Division) -> Codes:
    """The rows on which attackers are compared before they are judged, in the order in which they are heard."""
    return np.concatenate([choice for _, choice in division.turns])
