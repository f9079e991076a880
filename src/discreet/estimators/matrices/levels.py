"""A column of levels as features: indicators for common levels, what rare ones told, n-grams of free text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.core.samples import Column
from discreet.estimators.matrices.told import by_counts, directions, out_of_fold

MOST = 30
"""So many of the commonest levels have an indicator of their own; the others share one."""

LEAST = 5
"""A level with fewer rows than this is rare."""

TOLD = 12
"""Beyond so many levels, what each level told is a feature too."""

FOR_TREES = 64


@dataclass(frozen=True, slots=True)
class LevelCode:
    """How one column of levels is read. Levels are known by their label; one that training rows lack is rare."""

    place: dict[Any, int]
    own: int
    told: Callable[[Column], Array] | None

    @classmethod
    def fit(
        cls, column: Column, s: Codes, size: int, rng: np.random.Generator
    ) -> tuple[LevelCode, Array | None]:
        """From the training rows; with what they are told, each by the others."""
        from discreet.estimators.matrices import text

        labels = column.levels or ()
        count = np.bincount(column.values, minlength=len(labels))
        order = np.argsort(-count, kind="stable")
        common = [int(i) for i in order[:MOST] if count[i] >= LEAST]
        place = {labels[i]: k for k, i in enumerate(common)}
        seen = int((count > 0).sum())
        if seen <= max(TOLD, len(common)) and seen <= MOST:
            return cls(place, len(common), None), None
        if text.is_free(labels, count):
            told, own = text.told(column, s, size, rng)
        else:
            told, own = _told(column, s, size, rng)
        return cls(place, len(common), told), own

    def codes(self, column: Column) -> Codes:
        """The number of each row's level; the last one for all that are rare."""
        table = np.array([self.place.get(label, self.own) for label in column.levels or ()], dtype=np.int64)
        return table[column.values] if table.size else column.values

    def linear(self, column: Column) -> Array:
        """An indicator for each common level and for the rest together; one suffices for two."""
        codes = self.codes(column)
        own = np.arange(self.own) if self.own <= 1 else np.arange(int(self.own == 2), self.own + 1)
        made: Array = (codes[:, None] == own).astype(np.float64)
        return made


def _told(
    column: Column, s: Codes, size: int, rng: np.random.Generator
) -> tuple[Callable[[Column], Array], Array]:
    """What each level told about the secret, as a function of columns and, out of fold, for these rows."""
    labels = column.levels or ()

    def learner(rows: Any) -> Callable[[Any], Array]:
        table = by_counts(column.values[rows], len(labels), s[rows], size)
        return lambda others: table[column.values[others]]

    whole = by_counts(column.values, len(labels), s, size)
    across = directions(whole)
    features = whole @ across
    index = {label: i for i, label in enumerate(labels)}

    def told(other: Column) -> Array:
        nothing = np.zeros((1, features.shape[1]))
        place = np.array([index.get(label, len(labels)) for label in other.levels or ()], dtype=np.int64)
        found: Array = np.vstack([features, nothing])[place[other.values]]
        return found

    return told, out_of_fold(s.size, learner, size, rng) @ across
