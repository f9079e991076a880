"""Whether a release still says anything: a constant one is private, and worthless."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from discreet.adversaries.counting import column_keys, row_keys
from discreet.core.protocols import Array, Codes
from discreet.core.samples import Column, Columns

BINS = 10
"""A column is compared with its original in so many parts of equal size, or in its commonest levels."""

CONSTANT = 0.99
"""A release is nearly constant when so many of its records are one and the same."""

NOTHING = 0.01
"""Less than this share of what there was to tell is next to nothing."""

ENOUGH = 500
"""With fewer rows, next to nothing is not told from little."""


@dataclass(frozen=True, slots=True)
class Collapse:
    """How much of the records is left in the release.

    `commonest` is the share of the commonest released record, `entropy` that of released records in nats; both beside
    those of the untouched data, None without it. `kept` is the share of what the columns told of themselves that the
    release still tells, the mean of `columns`; None where no column of the release has its original beside it.
    """

    commonest: float
    entropy: float
    commonest_before: float | None = None
    entropy_before: float | None = None
    kept: float | None = None
    columns: Mapping[str, float] = field(default_factory=dict)
    constant: tuple[str, ...] = ()
    rows: int = 0

    @property
    def collapsed(self) -> bool:
        """Whether the release is nearly constant, and the data was not."""
        before = 0.0 if self.commonest_before is None else self.commonest_before
        return self.commonest >= CONSTANT > before

    @property
    def useless(self) -> bool:
        """Whether the release tells next to nothing of the records that it was made from."""
        return self.kept is not None and self.kept < NOTHING and self.rows >= ENOUGH

    def to_json(self) -> dict[str, object]:
        """The figures, for a file."""
        return {
            "commonest": self.commonest,
            "entropy": self.entropy,
            "commonest_before": self.commonest_before,
            "entropy_before": self.entropy_before,
            "kept": self.kept,
            "columns": dict(self.columns),
            "constant": list(self.constant),
        }


def collapse(release: Columns, untouched: Columns | None = None) -> Collapse:
    """Compare a release with what it was made from, in O(cells).

    For each column with an original of the same name, the mutual information of the two, each in up to ten parts, over
    the entropy of the original's parts; from both is taken what independence would show by chance.

    >>> x = Columns.of_array(np.arange(100.))
    >>> collapse(Columns.of_array(np.zeros(100)), x).collapsed, round(collapse(x, x).kept, 2)
    (True, 1.0)
    """
    commonest, entropy = _spread(row_keys(release))
    constant = tuple(c.name for c in release if _spread(column_keys(c))[0] == 1)
    if untouched is None:
        return Collapse(commonest, entropy, constant=constant, rows=release.n)
    kept = {}
    for column in untouched:
        before = _parts(column)
        if column.name in release.names and np.ptp(before) > 0:
            kept[column.name] = _told(before, _parts(release[column.name]))
    mean = float(np.mean(list(kept.values()))) if kept else None
    return Collapse(commonest, entropy, *_spread(row_keys(untouched)), mean, kept, constant, release.n)


def _spread(keys: Codes) -> tuple[float, float]:
    """The share of the commonest, and the entropy."""
    shares = np.unique(keys, return_counts=True)[1] / keys.size
    return float(shares.max()), float(-(shares @ np.log(shares))) + 0.0


def _parts(column: Column) -> Codes:
    """The part of its range, or the level, that each value lies in; what is missing is a part of its own."""
    keys = column_keys(column)
    if column.is_number and np.unique(keys).size > BINS:
        known = column.values[np.isfinite(column.values)]
        cuts = np.unique(np.quantile(known, np.linspace(0, 1, BINS + 1)[1:-1])) if known.size else np.zeros(0)
        cut = np.searchsorted(cuts, np.nan_to_num(column.values, nan=0.0), side="right")
        return np.where(np.isnan(column.values), cuts.size + 1, cut).astype(np.int64)
    _, place, often = np.unique(keys, return_inverse=True, return_counts=True)
    rank = np.argsort(np.argsort(-often, kind="stable"))
    return np.minimum(rank[place], BINS).astype(np.int64)


def _told(before: Codes, after: Codes) -> float:
    """The share of the entropy of the first that the second tells, less the bias of counting (k − 1)(m − 1) / 2n."""
    table = np.zeros((before.max() + 1, after.max() + 1))
    np.add.at(table, (before, after), 1.0)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    rows, columns = table.shape
    n = table.sum()
    h_both, h_rows, h_columns = (_entropy(t / n) for t in (table, table.sum(axis=1), table.sum(axis=0)))
    by_chance = min((rows - 1) * (columns - 1) / (2 * n), h_rows / 2)
    return float(np.clip((h_rows + h_columns - h_both - by_chance) / (h_rows - by_chance), 0.0, 1.0))


def _entropy(shares: Array) -> float:
    held = shares[shares > 0]
    return float(-(held @ np.log(held)))
