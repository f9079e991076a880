"""Counts of rows, symbol by symbol: what one pass over a table leaves behind. Parts of a table add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.axis import Axis, as_axes
from discreet.core.errors import AxisError, LawError
from discreet.core.joint import DEFAULT_AXES, Joint
from discreet.core.protocols import Codes
from discreet.core.reading import Origin

DENSE_CELLS = 1 << 22
"""Up to so many cells a table is held whole (32 MB); beyond, only the cells that occur are."""


class Counts:
    """n[s, x] over named axes: a commutative monoid with `Counts.empty` and `+`, dense, or sparse when it must be.

    >>> morning, evening = Counts([[3, 1], [1, 2]]), Counts([[0, 0], [1, 2]])
    >>> (morning + evening).joint().p
    array([[0.3, 0.1],
           [0.2, 0.4]])
    """

    __slots__ = ("_cells", "_n", "axes", "shape")

    def __init__(self, n: ArrayLike, axes: Iterable[str | Axis] = DEFAULT_AXES) -> None:
        held = np.asarray(n)
        named = as_axes(axes, held.shape)
        self._set(np.arange(held.size, dtype=np.int64), _whole(held).reshape(-1), held.shape, named)

    @classmethod
    def of_codes(
        cls,
        codes: ArrayLike,
        shape: Sequence[int],
        axes: Iterable[str | Axis] = DEFAULT_AXES,
        *,
        n: ArrayLike | None = None,
    ) -> Counts:
        """Count rows of symbol numbers codes[row, axis], or n[row] rows each.

        O(rows log rows) time, and memory for the cells that occur.
        """
        rows = np.asarray(codes)
        named = as_axes(axes, tuple(shape))
        if rows.ndim != 2 or rows.shape[1] != len(named):
            raise AxisError(
                f"rows of {len(named)} symbol numbers",
                f"an array of shape {rows.shape}",
                "one column for each axis",
            )
        if rows.size and (rows.min() < 0 or (rows.max(axis=0) >= np.array(shape)).any()):
            raise LawError(
                f"symbol numbers below {tuple(shape)}",
                f"numbers from {rows.min()} to {rows.max(axis=0).tolist()}",
                "encode the rows with the alphabet of these axes",
            )
        flat = np.ravel_multi_index(tuple(rows.astype(np.int64).T), tuple(shape)) if len(rows) else _none()
        if n is None:
            cells, counted = np.unique(flat, return_counts=True)
        else:
            cells, where = np.unique(flat, return_inverse=True)
            counted = np.zeros(cells.size, dtype=np.int64)
            np.add.at(counted, where, _whole(np.asarray(n)))
        return cls._made(cells, counted.astype(np.int64), tuple(shape), named)

    @classmethod
    def empty(cls, shape: Sequence[int], axes: Iterable[str | Axis] = DEFAULT_AXES) -> Counts:
        """No rows yet: the neutral element of `+`."""
        return cls._made(_none(), _none(), tuple(shape), as_axes(axes, tuple(shape)))

    @classmethod
    def _made(cls, cells: Codes, n: Codes, shape: tuple[int, ...], axes: tuple[Axis, ...]) -> Counts:
        made = cls.__new__(cls)
        made._set(cells, n, shape, axes)
        return made

    def _set(self, cells: Codes, n: Codes, shape: tuple[int, ...], axes: tuple[Axis, ...]) -> None:
        occurs = n > 0
        self._cells, self._n = cells[occurs], n[occurs]
        self.shape, self.axes = shape, axes

    @property
    def total(self) -> int:
        """How many rows were counted."""
        return int(self._n.sum())

    @property
    def dense(self) -> bool:
        """Whether the whole table of cells is small enough to be written out."""
        return int(np.prod(self.shape, dtype=np.float64)) <= DENSE_CELLS

    @property
    def n(self) -> NDArray[np.int64]:
        """The counts written out, one number for each cell."""
        if not self.dense:
            raise LawError(
                "the counts of every cell",
                f"{' × '.join(map(str, self.shape))} cells, of which {self._n.size:,} occur",
                "use .joint(), which keeps the symbols that occur, or group rare symbols",
            )
        whole = np.zeros(int(np.prod(self.shape)), dtype=np.int64)
        whole[self._cells] = self._n
        return whole.reshape(self.shape)

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        if self.axes != other.axes or self.shape != other.shape:
            raise AxisError(
                f"two counts over the same axes {self.axes}",
                f"{other.axes} of shape {other.shape}",
                "count both parts of the table with the same alphabets",
            )
        cells, where = np.unique(np.concatenate([self._cells, other._cells]), return_inverse=True)
        n = np.zeros(cells.size, dtype=np.int64)
        np.add.at(n, where, np.concatenate([self._n, other._n]))
        return Counts._made(cells, n, self.shape, self.axes)

    def joint(self) -> Joint:
        """The law of this table: exact, about these rows.

        A table too large to be written out keeps, on every axis, the symbols that occur.
        """
        if self.total == 0:
            raise LawError("the law of a table", "no rows", "count some rows first")
        origin = Origin(kind="counted", law="this table", n=self.total)
        if self.dense:
            return Joint(self.n / self.total, self.axes, origin)
        codes = np.unravel_index(self._cells, self.shape)
        kept = [np.unique(code, return_inverse=True) for code in codes]
        shape = tuple(symbols.size for symbols, _ in kept)
        if np.prod(shape, dtype=np.float64) > 64 * DENSE_CELLS:
            raise LawError(
                "a law small enough to be written out",
                f"{' × '.join(map(str, shape))} cells after dropping symbols that do not occur",
                "group rare symbols, or estimate the lift from samples instead",
            )
        p = np.zeros(shape)
        p[tuple(place for _, place in kept)] = self._n / self.total
        axes = [
            axis.take(symbols.tolist())
            if axis.size is not None
            else Axis(axis.name, labels=tuple(symbols.tolist()))
            for axis, (symbols, _) in zip(self.axes, kept, strict=True)
        ]
        return Joint(p, axes, origin)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Counts)
            and (self.axes, self.shape) == (other.axes, other.shape)
            and np.array_equal(self._cells, other._cells)
            and np.array_equal(self._n, other._n)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        sides = ", ".join(f"{a.name}: {n}" for a, n in zip(self.axes, self.shape, strict=True))
        return f"Counts over ({sides}) of {self.total:,} rows"


def _none() -> Codes:
    return np.empty(0, dtype=np.int64)


def _whole(n: NDArray[np.generic]) -> Codes:
    if n.dtype.kind not in "iufb":
        raise LawError("counts of rows", f"values of type {n.dtype}", "give whole numbers of 0 or more")
    wrong = ~((n >= 0) & (n == np.floor(n)) & (n < 2**63))  # type: ignore[operator]
    if wrong.any():
        raise LawError(
            "counts of rows, whole numbers of 0 or more",
            f"{int(np.count_nonzero(wrong))} cells that are negative, broken or NaN, such as {n[wrong][0]}",
            "give counts; a law goes to Joint(p)",
        )
    return n.astype(np.int64)
