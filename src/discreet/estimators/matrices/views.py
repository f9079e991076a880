"""The same records as several matrices: for linear models, for curves, for trees and for counting."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import LawError
from discreet.core.protocols import Array, Codes
from discreet.core.samples import Column, Columns, Samples
from discreet.estimators.matrices.levels import FOR_TREES, LevelCode
from discreet.estimators.matrices.numbers import NumberCode

CELL_BINS = 8
"""A number is cut into so many bins where combinations are counted."""


@dataclass(frozen=True, slots=True)
class _Read:
    """How one column is read."""

    name: str
    number: NumberCode | None
    level: LevelCode | None
    cuts: Array
    labels: dict[object, int]


@dataclass(frozen=True)
class Seen:
    """Some records as matrices, each made when first asked for."""

    reads: tuple[_Read, ...]
    columns: Columns
    told: Array
    made: dict[object, Any] = field(default_factory=dict)
    """What predictors made of these records and share."""

    def __len__(self) -> int:
        return self.columns.n

    def _side(self, kind: str) -> Array:
        parts = [self.told / 2]
        for read in self.reads:
            column = self.columns[read.name]
            if read.number is not None:
                parts.append(getattr(read.number, kind)(column.values))
            elif read.level is not None:
                parts.append(read.level.linear(column))
        return np.hstack(parts).astype(np.float32)

    @cached_property
    def linear(self) -> NDArray[np.float32]:
        """Numbers on one scale, indicators for levels, what rare levels told."""
        return self._side("linear").astype(np.float32)

    @cached_property
    def additive(self) -> NDArray[np.float32]:
        """The same with a curve, or indicators, for each number."""
        return self._side("additive").astype(np.float32)

    @cached_property
    def trees(self) -> Array:
        """Numbers as they are, level numbers, what rare levels told."""
        parts = [self.told]
        for read in self.reads:
            column = self.columns[read.name]
            if read.number is not None:
                parts.append(read.number.tree(column.values)[:, None])
            elif read.level is not None:
                parts.append(read.level.codes(column).astype(np.float64)[:, None])
        return np.hstack(parts)

    @cached_property
    def named(self) -> NDArray[np.bool_]:
        """Which columns of `trees` are level numbers without an order."""
        few = [r.level is not None and r.level.own < FOR_TREES for r in self.reads]
        return np.array([*([False] * self.told.shape[1]), *few])

    @cached_property
    def cells(self) -> Codes:
        """Each column as a small number: its level, its value, or its bin."""
        made = np.empty((self.columns.n, len(self.reads)), dtype=np.int64)
        for j, read in enumerate(self.reads):
            column = self.columns[read.name]
            if column.is_number:
                made[:, j] = np.searchsorted(
                    read.cuts, np.where(np.isnan(column.values), np.inf, column.values)
                )
                made[np.isnan(column.values), j] = read.cuts.size + 1
            else:
                places = [read.labels.get(label, len(read.labels)) for label in column.levels or ()]
                made[:, j] = np.array(places, dtype=np.int64)[column.values]
        return made

    @cached_property
    def countable(self) -> bool:
        """Whether every column is levels or few whole numbers, so that combinations can be counted as they are."""
        return all(r.number is None or r.number.constant or r.number.values.size > 0 for r in self.reads)


@dataclass(frozen=True, slots=True)
class Views:
    """How records are read as matrices: fitted on training rows, the same for all others."""

    reads: tuple[_Read, ...]

    @classmethod
    def fit(
        cls, samples: Samples, rng: np.random.Generator, as_levels: frozenset[str] = frozenset()
    ) -> tuple[Views, Seen]:
        """From training rows; with these rows as matrices, where told features are out of fold."""
        reads, told = [], [np.zeros((samples.n, 0))]
        x = with_levels(samples.x, as_levels)
        for column in x:
            read, own = _fitted(column, samples, rng)
            reads.append(read)
            if own is not None:
                told.append(own)
        made = cls(tuple(reads))
        return made, Seen(made.reads, x, np.hstack(told))

    def see(self, x: Columns) -> Seen:
        """Other rows as matrices."""
        as_levels = frozenset(r.name for r in self.reads if r.level is not None and x[r.name].is_number)
        held = with_levels(_as_read(x, self.reads), as_levels)
        told = [np.zeros((x.n, 0))]
        told += [r.level.told(held[r.name]) for r in self.reads if r.level is not None and r.level.told]
        return Seen(self.reads, held, np.hstack(told))


def _fitted(column: Column, samples: Samples, rng: np.random.Generator) -> tuple[_Read, Array | None]:
    if not column.is_number:
        level, own = LevelCode.fit(column, samples.s, samples.size, rng)
        labels = {label: i for i, label in enumerate(column.levels or ())}
        return _Read(column.name, None, level, np.zeros(0), labels), own
    number = NumberCode.fit(column.values)
    present = column.values[np.isfinite(column.values)]
    if number.values.size:
        cuts = (number.values[1:] + number.values[:-1]) / 2
    elif present.size:
        cuts = np.unique(np.quantile(present, np.linspace(0, 1, CELL_BINS + 1)[1:-1]))
    else:
        cuts = np.zeros(0)
    return _Read(column.name, number, None, cuts, {}), None


def _as_read(x: Columns, reads: tuple[_Read, ...]) -> Columns:
    """The same columns, where numbers were learned from as numbers."""
    numbers = {r.name for r in reads if r.number is not None}
    return Columns([_number(c) if c.name in numbers and not c.is_number else c for c in x])


def _number(column: Column) -> Column:
    labels = column.levels or ()
    if not all(v is None or isinstance(v, (int, float, np.number)) for v in labels):
        raise LawError(
            f"column {column.name!r} as numbers, as it was learned from",
            f"levels such as {next(v for v in labels if v is not None)!r}",
            "give the same kind of column that was learned from",
        )
    told = np.array([np.nan if v is None else float(v) for v in labels])
    return Column(column.name, told[column.values])


def with_levels(x: Columns, names: frozenset[str]) -> Columns:
    """The same columns, with these numbers read as names of categories."""
    return Columns([_named(c) if c.name in names and c.is_number else c for c in x]) if names else x


def _named(column: Column) -> Column:
    values, codes = np.unique(column.values, return_inverse=True)
    return Column(column.name, codes.reshape(-1), tuple(None if np.isnan(v) else float(v) for v in values))
