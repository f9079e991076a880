"""How a column becomes symbols: learned from a sample, so that nobody's own value enters the coding."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from discreet.core.errors import SchemaError
from discreet.core.protocols import Array, Codes
from discreet.tables.alphabet import Alphabet
from discreet.tables.arrow_types import nature
from discreet.tables.bins import Bins
from discreet.tables.levels import OTHER, Levels
from discreet.tables.naming import shown
from discreet.tables.scalars import Level, as_levels, level_array
from discreet.tables.scale import as_floats, is_whole, point
from discreet.tables.schema import Field

if TYPE_CHECKING:
    import pyarrow as pa

MOST_LEVELS = 4096
"""So many levels are named, the most frequent ones."""

KNOTS = 16
"""Within a bin values are drawn from so many pieces of equal share."""

Common: TypeAlias = tuple[tuple[float, float], ...]

COMMON = 64
"""So many values of a bin are named, if each of them is shared by many records."""


def coding_of(field: Field, column: pa.Array, rare: int) -> Levels | Bins:
    """The coding of a column, as its schema wants it; what fewer than `rare` records share is not named."""
    if not field.kind.binned:
        return levels_of(field, column, rare)
    if nature(field.arrow) not in {"number", "date"}:
        raise SchemaError(
            f"the column {shown([field.name])} as {field.kind}",
            f"values of type {field.type}",
            "make it a category, or give it as numbers",
        )
    return bins_of(field, column, rare)


def levels_of(field: Field, column: pa.Array, rare: int) -> Levels:
    """The levels that many records share, in their order; all others are one symbol.

    Levels that the schema lists are named however rare they are: their owner made them public.
    """
    values, counts, missing = _counted(field, column)
    if field.levels is None:
        chosen = np.flatnonzero(
            (counts >= max(rare, _least(counts))) & np.array([v != OTHER for v in values], dtype=bool)
        )
        levels, named = tuple(values[i] for i in chosen), counts[chosen]
    else:
        known = dict(zip(values, counts.tolist(), strict=True))
        levels = as_levels(level_array(field.levels, _value_type(field)))
        named = np.array([known.get(level, 0) for level in levels], dtype=np.int64)
    others = int(counts.sum() - named.sum())
    shares = np.array(
        [*named, *([others] if others else []), *([missing] if missing else [])], dtype=np.float64
    )
    weights = tuple((shares / shares.sum()).tolist())
    return Levels(field.name, field.type, levels, weights, bool(others), bool(missing))


def _counted(field: Field, column: pa.Array) -> tuple[tuple[Level, ...], Codes, int]:
    """The values in their order, how often each occurs, and how many are missing."""
    alphabet = Alphabet(field.name, column.type)
    n = np.bincount(alphabet.numbers(column), minlength=alphabet.size)
    if "ordered=1" in field.type:
        return as_levels(alphabet.values), n[1:], int(n[0])
    place, values = alphabet.order()
    counts = np.empty_like(n)
    counts[place] = n
    return as_levels(values), counts[:-1], int(n[0])


def _value_type(field: Field) -> pa.DataType:
    kind = field.arrow
    return kind.value_type if "dictionary" in field.type else kind


def _least(counts: Codes) -> int:
    """The count of the last level that is named where there are very many."""
    return int(np.sort(counts)[-MOST_LEVELS]) if len(counts) > MOST_LEVELS else 0


def bins_of(field: Field, column: pa.Array, rare: int) -> Bins:
    """Bins with `rare` records at least, unless the schema sets their borders."""
    values = as_floats(column)
    held = np.sort(values[np.isfinite(values)])
    kind = field.arrow
    if field.cuts is not None:
        cuts = np.array([point(cut, kind) for cut in field.cuts])
    elif field.binning == "width":
        cuts = _filled(_even(held, field.bins, rare), held, rare)
    else:
        cuts = _filled(_quantiles(held, field.bins), held, rare)
    grain, offset = grid_of(held, is_whole(kind))
    edges = np.concatenate([[0], np.searchsorted(held, cuts, side="left"), [len(held)]])
    inside = [held[a:b] for a, b in pairwise(edges)]
    ends = list(pairwise([-np.inf, *cuts, np.inf]))
    common = [_common(one, rare) for one in inside]
    missing = int(np.isnan(values).sum())
    counts = [len(one) for one in inside] + [missing] * bool(missing)
    weights = np.array(counts) / sum(counts) if sum(counts) else np.eye(len(counts))[0]
    return Bins(
        field.name,
        field.type,
        tuple(cuts.tolist()),
        grain,
        offset,
        tuple(_knots(one, *end, rare, held) for one, end, held in zip(inside, ends, common, strict=True)),
        tuple(common),
        tuple(weights.tolist()),
        bool(missing),
    )


def _quantiles(held: Array, bins: int) -> Array:
    """Borders with an equal share of the records between them, each a round number.

    A value that fills a bin by itself gets one, and the other bins are shared out among the other values.
    """
    values, n = np.unique(held, return_counts=True)
    full = np.flatnonzero(n * bins >= max(len(held), 1))
    rest = held[~np.isin(held, values[full])]
    left = max(bins - len(full), 2) if len(full) else bins
    cuts = [
        _between(rest, i * len(rest) // left, len(rest) // (4 * left)) for i in range(1, left) if len(rest)
    ]
    for i in full if len(values) > 1 else ():
        cuts += [
            rounded(float(values[j - 1]), float(values[j]), float(values[j]))
            for j in (i, i + 1)
            if 0 < j < len(values)
        ]
    return np.unique(cuts)


def _between(held: Array, at: int, reach: int) -> float:
    """A round number near the value at this place."""
    low, high = held[max(at - reach, 0)], held[min(at + reach, len(held) - 1)]
    return rounded(float(low), float(high), float(held[at]))


def _even(held: Array, bins: int, rare: int) -> Array:
    """Borders at equal distances between the values that `rare` records lie beyond."""
    if len(held) < 2 * rare + 1:
        return np.empty(0)
    low, high = held[rare], held[-rare - 1]
    step = (high - low) / bins
    return (
        np.unique([rounded(c - step / 4, c + step / 4, c) for c in low + step * np.arange(1, bins)])
        if step
        else np.empty(0)
    )


def _filled(cuts: Array, held: Array, rare: int) -> Array:
    """Without the borders that leave fewer than `rare` records between themselves and the one before, or above the
    last.
    """
    kept: list[float] = []
    before = 0
    for cut in cuts:
        here = int(np.searchsorted(held, cut, side="left"))
        if here - before >= rare and len(held) - here >= rare:
            kept.append(float(cut))
            before = here
    return np.array(kept)


def rounded(low: float, high: float, value: float) -> float:
    """The number with the fewest digits between low and high, nearest to the value; the value itself where they are
    one.

    >>> rounded(37.2, 41.9, 38.83)
    40.0
    """
    if not low < high:
        return value
    step = 10.0 ** np.floor(np.log10(high - low) + 1)
    for _ in range(20):
        near = float(np.round(np.round(value / step) * step, 12))
        if low < near <= high:
            return near
        step /= 10
    return value


def grid_of(held: Array, whole: bool) -> tuple[float, float]:
    """The widest grid (grain, offset) that all values lie on; grain 0 where there is none.

    >>> import numpy as np
    >>> grid_of(np.array([0.25, 1.5, 3.25]), whole=False)
    (0.25, 0.0)
    """
    if not len(held):
        return (1.0 if whole else 0.0), 0.0
    if whole:
        return _spacing(np.unique(held))
    some = np.unique(held[:: max(len(held) // 20_000, 1)])
    for digits in range(10):
        scaled = some * 10.0**digits
        if np.abs(scaled).max() >= 2**53:
            break
        if (np.abs(scaled - np.round(scaled)) <= 1e-6 * np.maximum(np.abs(scaled) * 1e-1, 1e-3)).all():
            grain, offset = _spacing(np.round(scaled))
            return grain / 10.0**digits, offset / 10.0**digits
    return 0.0, 0.0


def _spacing(values: Array) -> tuple[float, float]:
    """The greatest common divisor of the distances between whole numbers, and what is left of them."""
    held = values.astype(np.int64)
    grain = int(np.gcd.reduce(held - held[0])) or 1
    return float(grain), float(held[0] % grain)


def _knots(inside: Array, low: float, high: float, rare: int, common: Common) -> tuple[float, ...]:
    """Values with equal shares of the rest of a bin between them, none of them anybody's own: rounded, and not the
    extremes.
    """
    inside = inside[~np.isin(inside, [value for value, _ in common])]
    if not len(inside):
        end = low if np.isfinite(low) else high if np.isfinite(high) else 0.0
        return (float(end), float(end))
    pieces = int(np.clip(len(inside) // max(rare, 1), 1, KNOTS))
    first, last = min(rare, len(inside) // 2), max(len(inside) - 1 - rare, len(inside) // 2)
    at = np.linspace(
        first if not np.isfinite(low) else 0, last if not np.isfinite(high) else len(inside) - 1, pieces + 1
    )
    ends = inside[at.astype(np.int64)]
    if np.isfinite(low):
        ends[0] = low
    if np.isfinite(high):
        ends[-1] = high
    width = ends[-1] - ends[0]
    if width > 0:
        step = 10.0 ** np.floor(np.log10(width / 50))
        ends = np.clip(np.round(np.round(ends / step) * step, 12), low, high)
    return tuple(ends.tolist())


def _common(inside: Array, rare: int) -> Common:
    """The values that stand out: shared by `rare` records and by a fiftieth of the bin; each with its share of the
    bin.
    """
    values, n = np.unique(inside, return_counts=True)
    often = np.flatnonzero(n >= max(rare, len(inside) / 50))
    often = np.sort(often[np.argsort(-n[often], kind="stable")][:COMMON])
    return tuple((float(values[i]), float(n[i] / len(inside))) for i in often)
