"""Which records learn and which judge: every secret on either side in its share, copies of a record never on both."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import ParameterError
from discreet.core.protocols import Codes
from discreet.core.samples import Column, Columns, Samples

FINE, NEARLY, SEVERAL = 5, 0.9, 50
"""Records are told apart where one column of broken numbers has as many values as there are different records, nearly,
and these come fewer times than FINE in the mean, or all of them equally often and each with one secret. Two records
alike are then one record twice, but not those that lack a number in this column, nor one that comes more than SEVERAL
times: that is a common answer."""

ODD, MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


def split(samples: Samples, share: float = 0.5, *, rng: np.random.Generator) -> tuple[Samples, Samples]:
    """Records to learn from and records to judge by; `share` of each secret goes to the first.

    Where columns tell records apart, copies of one record stay on one side: a copy that was learnt judges nothing.

    >>> both = split(Samples(Columns.of_array(np.arange(8.)), [0, 1] * 4), rng=np.random.default_rng(0))
    >>> [part.counts.tolist() for part in both]
    [[2, 2], [2, 2]]
    """
    if not 0 < share < 1:
        raise ParameterError("a share between 0 and 1", f"share = {share}", "give the part that learns")
    parts = 1000
    first = _deal(samples, parts, rng) < round(share * parts)
    return samples.take(np.flatnonzero(first)), samples.take(np.flatnonzero(~first))


def folds_of(samples: Samples, folds: int, rng: np.random.Generator) -> Codes:
    """The fold of each record."""
    return _deal(samples, folds, rng)


def some_of(n: int, most: int, rng: np.random.Generator) -> Codes:
    """The places of n records, or of a random part of them, in order."""
    found: Codes = np.arange(n) if n <= most else np.sort(rng.choice(n, most, replace=False))
    return found


def row_keys(x: Columns) -> NDArray[np.uint64]:
    """A number for each record, equal for equal records and, but for a chance of n² / 2⁶⁴, for no others."""
    key = np.zeros(x.n, dtype=np.uint64)
    for column in x:
        # −0 and 0 are one number
        held = (column.values + 0.0).view(np.uint64) if column.is_number else column.values
        bits = held.astype(np.uint64)
        key = _mixed((key ^ _mixed(bits + ODD)) * ODD)
    return key


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    bits = (bits ^ (bits >> np.uint64(30))) * MIX
    return bits ^ (bits >> np.uint64(27))


def copies(samples: Samples) -> NDArray[np.bool_]:
    """The records that repeat an earlier one, secret included, where the columns tell records apart."""
    record = _records(samples)
    later = np.zeros(samples.n, dtype=np.bool_)
    if record is not None:
        later[:] = True
        later[np.unique(record * samples.size + samples.s, return_index=True)[1]] = False
    return later


def without_copies(samples: Samples) -> Samples:
    """Every record once, where the columns tell records apart."""
    again = copies(samples)
    return samples.take(np.flatnonzero(~again)) if again.any() else samples


def _records(samples: Samples) -> Codes | None:
    """The number of each row's record, equal for copies; None where the columns do not tell records apart."""
    _, group, often = np.unique(row_keys(samples.x), return_inverse=True, return_counts=True)
    record: Codes = group.reshape(-1).astype(np.int64)
    if often.size * FINE <= samples.n and not _repeated(record, often, samples):
        return None
    telling = _telling(samples.x, often.size)
    if telling is None:
        return None
    common = np.isnan(telling.values) | (often[record] > SEVERAL)
    record[common] = often.size + np.arange(common.sum())
    return record


def _repeated(record: Codes, often: Codes, samples: Samples) -> bool:
    """Whether the whole table comes several times over: every record equally often, and with one secret."""
    secrets = np.unique(record * samples.size + samples.s).size
    return bool(often.min() == often.max() and secrets == often.size)


def _telling(x: Columns, distinct: int) -> Column | None:
    """The column that tells so many different records apart."""
    if distinct == x.n or distinct < SEVERAL:
        return None
    return next((c for c in x if _broken(c) and np.unique(c.values).size >= NEARLY * distinct), None)


def _broken(column: Column) -> bool:
    present = column.values[np.isfinite(column.values)] if column.is_number else np.zeros(0)
    return bool((present != np.floor(present)).any())


def _deal(samples: Samples, parts: int, rng: np.random.Generator) -> Codes:
    """Every record to one of `parts`, secret by secret in turn, equal records together where they are few."""
    record = _records(samples)
    if record is None:
        return _in_turn(samples.s, parts, rng)
    _, first, group = np.unique(record, return_index=True, return_inverse=True)
    dealt: Codes = _in_turn(samples.s[first], parts, rng)[group.reshape(-1)]
    return dealt


def _in_turn(s: Codes, parts: int, rng: np.random.Generator) -> Codes:
    order = rng.permutation(s.size)
    order = order[np.argsort(s[order], kind="stable")]
    dealt = np.empty(s.size, dtype=np.int64)
    counts = np.bincount(s)
    rank = np.arange(s.size) - np.repeat(np.cumsum(counts) - counts, counts)
    offset = rng.integers(0, parts, counts.size)
    if parts <= 20:
        dealt[order] = (rank + np.repeat(offset, counts)) % parts
    else:
        dealt[order] = (rank * parts) // np.repeat(np.maximum(counts, 1), counts)
    return dealt
