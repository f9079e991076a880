"""A column as few symbols that can be counted, each with a label: levels, values, or intervals of equal shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.core.protocols import Codes
from discreet.core.samples import Column
from discreet.estimators.secrets import named_ranges

REST, MISSING = "any other", "missing"


@dataclass(frozen=True, slots=True)
class Binned:
    """The symbol of each record, and what the symbols are called."""

    name: str
    codes: Codes
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.labels)


def binned(column: Column, most: int) -> Binned:
    """Up to `most` symbols: the commonest levels and the rest together, or intervals of equal shares of a number."""
    return _of_numbers(column, most) if column.is_number else _of_levels(column, most)


def _of_levels(column: Column, most: int) -> Binned:
    levels = column.levels or ()
    count = np.bincount(column.values, minlength=len(levels))
    seen = np.flatnonzero(count)
    kept = np.sort(seen if seen.size <= most else np.argsort(-count, kind="stable")[: most - 1])
    place = np.full(len(levels), kept.size)
    place[kept] = np.arange(kept.size)
    labels = [MISSING if levels[i] is None else str(levels[i]) for i in kept.tolist()]
    return Binned(column.name, place[column.values], tuple(labels if seen.size <= most else [*labels, REST]))


def _of_numbers(column: Column, most: int) -> Binned:
    missing = np.isnan(column.values)
    present = column.values[~missing]
    room = most - int(missing.any())
    distinct = np.unique(present)
    if distinct.size <= room:
        upper = distinct
    else:
        ordered = np.sort(present)
        place = np.ceil(np.arange(1, room + 1) / room * present.size).astype(int) - 1
        upper = np.unique(ordered[place])
    codes = np.full(column.values.size, upper.size)
    codes[~missing] = np.searchsorted(upper, present)
    labels = named_ranges(np.sort(present), upper)
    return Binned(column.name, codes, tuple([*labels, MISSING] if missing.any() else labels))
