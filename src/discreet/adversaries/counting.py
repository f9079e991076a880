"""Attackers who count: what was released with which secret, whole records or value by value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.adversaries.attacker import Guesser, normal
from discreet.core.protocols import Array, Codes, Words
from discreet.core.samples import Column, Columns, Samples

WEIGHT = 1.0
"""The prior counts as so many records when a value's secrets are counted."""

MOST_CELLS = 20_000_000
"""A table of so many cells is kept; beyond, the values that occur least are dropped."""


@dataclass(frozen=True, slots=True)
class Matcher:
    """Remembers whole released records, and believes what their shares of secrets say.

    p̂(s | y) = (N(s, y) + π(s)) / (N(y) + 1)

    The attack by the book for a release with few symbols, and the one that finds a code of several columns, however
    it is made. A record never seen is guessed by the prior. O(records) time and memory.
    """

    name: str = "whole records, counted"

    def fit(self, release: Samples, *, rng: np.random.Generator) -> Guesser:  # noqa: ARG002
        """Count."""
        return Matcher.Counted(_table(row_keys(release.x), release), release.shares)

    @dataclass(frozen=True, slots=True)
    class Counted:
        """A table of beliefs by record, and the prior."""

        table: tuple[Codes, Array]
        prior: Array

        def beliefs(self, release: Columns) -> Array:
            """What the table says."""
            keys, held = self.table
            place, found = _look_up(keys, row_keys(release))
            return normal(np.where(found[:, None], held[place], self.prior))


@dataclass(frozen=True, slots=True)
class ValueReader:
    """Counts each column's exact values, and adds what they tell as if they told it independently.

    log p̂(s | y) = log π(s) + Σ_j log p̂(s | y_j) / π(s),   normalised

    Numbers are taken as the exact values that they are. Finds the column with ten thousand levels of which each belongs
    to one secret, which no model of sizes can. A value seen once is worth half a record. O(cells) time and memory.
    """

    name: str = "exact values, counted"

    def fit(self, release: Samples, *, rng: np.random.Generator) -> Guesser:  # noqa: ARG002
        """Count column by column."""
        prior = normal(release.shares[None])
        tables = {}
        for column in release.x:
            keys, held = _table(column_keys(column), release)
            tables[column.name] = keys, np.log(normal(held) / prior)
        return ValueReader.Counted(tables, prior[0])

    @dataclass(frozen=True, slots=True)
    class Counted:
        """For each column a table of log-lifts by value, and the prior."""

        tables: dict[str, tuple[Codes, Array]]
        prior: Array

        def beliefs(self, release: Columns) -> Array:
            """The sum of what the values tell."""
            total = np.tile(np.log(self.prior), (release.n, 1))
            for name, (keys, log_lift) in self.tables.items():
                place, found = _look_up(keys, column_keys(release[name]))
                total += np.where(found[:, None], log_lift[place], 0.0)
            return normal(np.exp(total - total.max(axis=1, keepdims=True)))


def column_keys(column: Column) -> Codes:
    """A number for each value: equal values, equal numbers; a level by its name, whatever its place."""
    if column.levels is None:
        numbers = np.ascontiguousarray(np.where(np.isnan(column.values), np.nan, column.values) + 0.0)
        return numbers.view(np.int64)
    names = np.array([_stable(level) for level in column.levels], dtype=np.int64)
    return names[column.values] if names.size else column.values


def row_keys(columns: Columns) -> Codes:
    """A number for each record, 64 bits mixed from its values: equal records, equal numbers."""
    mixed = np.zeros(columns.n, dtype=np.uint64)
    for column in columns:
        mixed = _mix(mixed * np.uint64(0x9E3779B97F4A7C15) + column_keys(column).view(np.uint64))
    return mixed.view(np.int64)


def _stable(level: object) -> int:
    """The same number for the same name, on every machine and run."""
    from hashlib import blake2b

    return int.from_bytes(blake2b(repr(level).encode(), digest_size=8).digest(), "little", signed=True)


def _mix(words: Words) -> Words:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _table(keys: Codes, samples: Samples) -> tuple[Codes, Array]:
    known, place, often = np.unique(keys, return_inverse=True, return_counts=True)
    secrets = samples.s
    most = max(1, MOST_CELLS // samples.size)
    if known.size > most:
        kept = np.sort(np.argsort(-often, kind="stable")[:most])
        renumbered = np.full(known.size, -1)
        renumbered[kept] = np.arange(most)
        known, place = known[kept], renumbered[place]
        secrets, place = secrets[place >= 0], place[place >= 0]
    counts = np.bincount(place * samples.size + secrets, minlength=known.size * samples.size)
    table = counts.reshape(known.size, samples.size) + WEIGHT * samples.shares
    return known, table / table.sum(axis=1, keepdims=True)


def _look_up(keys: Codes, wanted: Codes) -> tuple[Codes, Array]:
    place = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
    return place, keys[place] == wanted
