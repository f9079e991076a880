"""Numbers summed up while the rows pass by: mean, variance, extremes, and counts between given borders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.errors import ParameterError
from discreet.core.protocols import Array, Codes
from discreet.tables.block import column_of
from discreet.tables.scale import as_floats

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Moment:
    """The first moments of a column: of n numbers, beside how many were missing."""

    n: int = 0
    missing: int = 0
    mean: float = 0.0
    squares: float = 0.0
    low: float = float("inf")
    high: float = float("-inf")

    @property
    def variance(self) -> float:
        """The mean squared distance from the mean."""
        return self.squares / self.n if self.n else float("nan")

    def __add__(self, other: Moment) -> Moment:
        """Of both parts; `squares`, Σ (x − mean)², adds up with the distance of the means (Chan, Golub and LeVeque)."""
        n = self.n + other.n
        apart = other.mean - self.mean
        share = other.n / n if n else 0.0
        return Moment(
            n,
            self.missing + other.missing,
            self.mean + apart * share,
            self.squares + other.squares + apart**2 * self.n * share,
            min(self.low, other.low),
            max(self.high, other.high),
        )

    @classmethod
    def of(cls, values: Array) -> Moment:
        """Of these numbers; what is not a finite number is missing."""
        held = values[np.isfinite(values)]
        if not held.size:
            return cls(missing=values.size)
        mean = float(held.mean())
        squares = float(((held - mean) ** 2).sum())
        return cls(held.size, values.size - held.size, mean, squares, float(held.min()), float(held.max()))


class MomentPart:
    """The moments of some columns, growing."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.held = dict.fromkeys(columns, Moment())

    def add(self, batch: pa.RecordBatch) -> None:
        """Sum up these rows."""
        for name in self.held:
            self.held[name] += Moment.of(as_floats(column_of(batch, name)))

    def parts(self) -> list[pa.Table]:
        """One row a column."""
        import pyarrow as pa

        rows = [
            {
                "name": name,
                "n": m.n,
                "missing": m.missing,
                "mean": m.mean,
                "squares": m.squares,
                "low": m.low,
                "high": m.high,
            }
            for name, m in self.held.items()
        ]
        return [pa.Table.from_pylist(rows)]

    def take(self, parts: Iterable[pa.Table]) -> None:
        """Add what was summed up elsewhere."""
        for part in parts:
            for row in part.to_pylist():
                self.held[row.pop("name")] += Moment(**row)

    def result(self) -> dict[str, Moment]:
        """The moments of every column."""
        return dict(self.held)


class HistogramPart:
    """How many values lie between borders: below the first, …, from the last on; and how many are missing, in the
    last place.
    """

    def __init__(self, column: str, borders: Sequence[float]) -> None:
        self.column, self.borders = column, np.asarray(borders, dtype=np.float64)
        if self.borders.size == 0 or not (np.diff(self.borders) > 0).all():
            raise ParameterError("borders that rise", f"{list(borders)[:5]}", "sort them, each once")
        self.n: Codes = np.zeros(self.borders.size + 2, dtype=np.int64)

    def add(self, batch: pa.RecordBatch) -> None:
        """Count these rows."""
        values = as_floats(column_of(batch, self.column))
        place = np.searchsorted(self.borders, values, side="right")
        place[np.isnan(values)] = self.n.size - 1
        self.n += np.bincount(place, minlength=self.n.size)

    def parts(self) -> list[pa.Table]:
        """The counts."""
        import pyarrow as pa

        return [pa.table({"n": self.n})]

    def take(self, parts: Iterable[pa.Table]) -> None:
        """Add what was counted elsewhere."""
        for part in parts:
            self.n = self.n + np.asarray(part.column("n"), dtype=np.int64)

    def result(self) -> Codes:
        """The counts."""
        return self.n
