"""Records as numbers: what the tables hand to estimators, mechanisms and adversaries, with no engine in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.axis import Axis, as_axes
from discreet.core.errors import AxisError, LawError
from discreet.core.protocols import Array, Codes


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One named column: numbers (NaN is a missing one), or level numbers with what the levels are called.

    >>> Column("colour", [0, 1, 0], levels=("red", "green"))
    Column 'colour' of 3 rows, 2 levels
    """

    name: str
    values: NDArray[Any]
    levels: tuple[Any, ...] | None = None

    def __post_init__(self) -> None:
        given = np.asarray(self.values)
        if given.ndim != 1 or given.dtype.kind not in "iufb":
            raise LawError(
                f"column {self.name!r} as numbers or level numbers, one a row",
                f"an array of shape {given.shape}, type {given.dtype}",
                "encode text and dates first; discreet.estimate does so for a frame",
            )
        if self.levels is None:
            held: NDArray[Any] = np.array(given, dtype=np.float64)
        else:
            object.__setattr__(self, "levels", tuple(self.levels))
            held = _codes(f"column {self.name!r}", given, len(self.levels))
        held.setflags(write=False)
        object.__setattr__(self, "values", held)

    def __len__(self) -> int:
        return self.values.size

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers, not level numbers."""
        return self.levels is None

    def take(self, rows: NDArray[Any] | slice) -> Column:
        """The same column of these rows only."""
        return Column(self.name, self.values[rows], self.levels)

    def __repr__(self) -> str:
        kind = "numbers" if self.levels is None else f"{len(self.levels)} levels"
        return f"Column {self.name!r} of {len(self)} rows, {kind}"


class Columns(Sequence[Column]):
    """Named columns of equal length: the public part of some records.

    >>> Columns([Column("age", [31.0, 45.0]), Column("sex", [0, 1], levels=("f", "m"))])
    Columns age, sex of 2 rows
    """

    __slots__ = ("_columns", "n")

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = tuple(columns)
        if not self._columns:
            raise LawError("columns of records", "none", "give one column at least")
        names = [c.name for c in self._columns]
        if len(set(names)) != len(names):
            raise AxisError("columns with different names", ", ".join(names), "rename what comes twice")
        sizes = {c.name: len(c) for c in self._columns}
        if len(set(sizes.values())) != 1:
            raise AxisError("columns of equal length", f"{sizes}", "give every column one value a row")
        self.n = len(self._columns[0])

    @classmethod
    def of_array(cls, x: ArrayLike) -> Columns:
        """x[row, column] as numbers, the columns named x0, x1 and so on."""
        held = np.asarray(x, dtype=np.float64)
        held = held[:, None] if held.ndim == 1 else held
        if held.ndim != 2:
            raise AxisError("x[row, column]", f"shape {held.shape}", "one row a record, one column a feature")
        return cls([Column(f"x{j}", held[:, j]) for j in range(held.shape[1])])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(c.name for c in self._columns)

    def __getitem__(self, which: Any) -> Any:
        """A column by its place or its name."""
        if isinstance(which, str):
            if which not in self.names:
                raise AxisError(f"the column {which!r}", f"{', '.join(self.names)}", "use one of these names")
            return self._columns[self.names.index(which)]
        return self._columns[which]

    def __len__(self) -> int:
        return len(self._columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self._columns)

    def take(self, rows: NDArray[Any] | slice) -> Columns:
        """The same columns of these rows only."""
        return Columns([c.take(rows) for c in self._columns])

    def select(self, names: Sequence[str]) -> Columns:
        """These columns only, in this order."""
        return Columns([self[name] for name in names])

    def __repr__(self) -> str:
        return f"Columns {', '.join(self.names)} of {self.n:,} rows"


class Samples:
    """Records with their secret: `x` the public columns, `s` the number of each record's secret on axis 0.

    `size` is how many secrets there are, occurring or not: as many as the axis names, else as the records show.

    >>> Samples(Columns.of_array([[.1], [.7], [.4]]), [0, 1, 0], Axis("s", labels=("no", "yes")))
    Samples of 3 records: s (2) and x0
    """

    __slots__ = ("axes", "s", "size", "x")

    def __init__(self, x: Columns, s: ArrayLike, axis: str | Axis = "s", size: int | None = None) -> None:
        codes = np.asarray(s)
        if size is None:
            size = axis.size if isinstance(axis, Axis) else None
        if size is None:
            size = int(codes.max()) + 1 if codes.size else 0
        self.s: Codes = _codes("the secret", codes, size)
        self.s.setflags(write=False)
        if self.s.size != x.n:
            raise AxisError(
                "one secret for each record",
                f"{self.s.size} secrets, {x.n} records",
                "give both for the same rows",
            )
        self.x = x
        if size == 0:
            raise LawError("records with a secret", "none", "give one record at least")
        (held,) = as_axes([axis], (size,))
        self.axes = (held, Axis("x"))
        self.size = size

    @property
    def n(self) -> int:
        """How many records."""
        return self.s.size

    @property
    def counts(self) -> Codes:
        """How many records have each secret."""
        return np.bincount(self.s, minlength=self.size).astype(np.int64)

    @property
    def shares(self) -> Array:
        """The composition of these records: the share of each secret."""
        return self.counts / self.n

    def take(self, rows: NDArray[Any] | slice) -> Samples:
        """These records only; the secrets that there are stay the same."""
        return Samples(self.x.take(rows), self.s[rows], self.axes[0], self.size)

    def select(self, names: Sequence[str]) -> Samples:
        """These public columns only."""
        return Samples(self.x.select(names), self.s, self.axes[0], self.size)

    def __repr__(self) -> str:
        return (
            f"Samples of {self.n:,} records: {self.axes[0].name} ({self.size}) and {', '.join(self.x.names)}"
        )


def _codes(what: str, given: NDArray[Any], size: int) -> Codes:
    if given.ndim != 1 or given.dtype.kind not in "iub":
        raise LawError(
            f"{what} as level numbers, one a row",
            f"an array of shape {given.shape}, type {given.dtype}",
            "give whole numbers from 0; np.unique(…, return_inverse=True) makes them",
        )
    held = np.array(given, dtype=np.int64)
    if held.size and (held.min() < 0 or held.max() >= size):
        raise LawError(
            f"{what} as level numbers from 0 to {size - 1}",
            f"numbers from {held.min()} to {held.max()}",
            "give a name for every level that occurs",
        )
    return held
