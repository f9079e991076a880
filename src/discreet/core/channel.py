"""A finite mechanism: for each record, the law of what is released."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.axis import Axis, as_axes
from discreet.core.errors import AxisError, LawError, ParameterError
from discreet.core.masses import as_numbers
from discreet.core.protocols import Array, Channel, Codes, Words


class MatrixChannel:
    """p[x, y], or p[s, x, y] for a mechanism that also sees the secret. Every row is a law, also for an x without mass.

    It is a pure function of the record and of one random 64-bit word, so that a generator and a key stream drive the
    same code. `a >> b` releases what `b` makes of `a`'s output.

    >>> flip = MatrixChannel([[.9, .1], [.1, .9]])
    >>> (flip >> flip).p.round(2)
    array([[0.82, 0.18],
           [0.18, 0.82]])
    """

    __slots__ = ("_cumulative", "output", "p")

    words = 1

    def __init__(self, p: ArrayLike, output: str | Axis = "y") -> None:
        held = as_numbers("a channel", p)
        if held.ndim not in (2, 3) or held.size == 0:
            raise AxisError(
                "a channel p[x, y] or p[s, x, y] with a symbol on every side",
                f"an array of shape {held.shape}",
                "give one row of masses for each input",
            )
        wrong = int(np.count_nonzero(~(held >= 0)))
        if wrong:
            raise LawError(
                "a channel with masses of 0 or more",
                f"{wrong} negative or NaN, the first at {tuple(int(i) for i in np.argwhere(~(held >= 0))[0])}",
                "remove or correct these cells",
            )
        off = np.abs(held.sum(axis=-1) - 1)
        if not off.max() <= 1e-9:
            row = tuple(int(i) for i in np.unravel_index(int(off.argmax()), off.shape))
            raise LawError(
                "a channel whose rows each sum to one within 1e-9",
                f"{int(np.count_nonzero(~(off <= 1e-9)))} rows that do not, worst {row} with {held[row].sum():.12g}",
                "divide each row by its sum; an input without mass needs a row too",
            )
        held.setflags(write=False)
        self.p: Array = held
        self.output = as_axes([output], held.shape[-1:])[0]
        self._cumulative: Array | None = None

    @property
    def inputs(self) -> Literal["x", "sx"]:
        """Whether it sees x alone or the secret as well."""
        return "x" if self.p.ndim == 2 else "sx"

    def rows(self, x: NDArray[Any], s: Codes | None = None) -> Array:
        """p(y | x), or p(y | s, x), for each record."""
        found: Array = self._flat()[self._row(x, s)]
        return found

    def push(self, x: NDArray[Any], words: Words, s: Codes | None = None) -> Codes:
        """The symbol released for each record, by inversion of its row's cumulative law.

        O(n log |Y|) time for n records; a table of |X| |Y| sums is made once.
        """
        if self._cumulative is None:
            self._cumulative = np.cumsum(self._flat(), axis=1)
        row = self._row(x, s)
        uniform = (np.asarray(words, dtype=np.uint64).reshape(len(row)) >> np.uint64(11)) * 2.0**-53
        y = np.empty(len(row), dtype=np.int64)
        order = np.argsort(row, kind="stable")
        starts = np.flatnonzero(np.diff(row[order], prepend=-1))
        for group in np.split(order, starts[1:]):
            if group.size:
                cumulative = self._cumulative[row[group[0]]]
                drawn = np.searchsorted(cumulative, uniform[group] * cumulative[-1], side="right")
                y[group] = drawn
        return y

    def apply(self, x: ArrayLike, *, s: ArrayLike | None = None, rng: np.random.Generator) -> Codes:
        """Release one symbol for each record, drawn with this generator."""
        codes = np.asarray(x, dtype=np.int64)
        words = rng.integers(0, 2**64, size=(codes.size, self.words), dtype=np.uint64)
        return self.push(codes, words, None if s is None else np.asarray(s, dtype=np.int64))

    def __rshift__(self, after: MatrixChannel) -> MatrixChannel:
        if not isinstance(after, MatrixChannel):
            return NotImplemented
        if after.inputs != "x" or after.p.shape[0] != self.p.shape[-1]:
            raise AxisError(
                "a second channel that reads what the first releases",
                f"{self.p.shape[-1]} symbols released, inputs of shape {after.p.shape[:-1]}",
                "the second channel needs one row for each symbol and must not see the secret",
            )
        return MatrixChannel(self.p @ after.p, after.output)

    def _flat(self) -> Array:
        return self.p.reshape(-1, self.p.shape[-1])

    def _row(self, x: NDArray[Any], s: Codes | None) -> Codes:
        n_x = self.p.shape[-2]
        codes = _within("x", x, n_x)
        if self.inputs == "x":
            return codes
        if s is None:
            raise ParameterError(
                "records for a channel that sees the secret", "x alone", "pass the secrets as well: s=…"
            )
        pairs: Codes = _within("s", s, self.p.shape[0]) * n_x + codes
        return pairs

    def __repr__(self) -> str:
        return f"MatrixChannel from {self.inputs}, {' × '.join(map(str, self.p.shape))}"


def alphabet_rows(channel: Channel, *sizes: int) -> Array:
    """p(y | x), or p(y | s, x), for every symbol of an alphabet of this size."""
    if isinstance(channel, MatrixChannel):
        if channel.p.shape[:-1] != sizes:
            raise AxisError(
                "a channel with one row for each symbol of the law",
                f"inputs of shape {channel.p.shape[:-1]} for {' × '.join(map(str, sizes))} symbols",
                "give the channel and the law the same alphabet, with a row also for symbols without mass",
            )
        return channel.p
    cells = np.arange(int(np.prod(sizes)))
    if len(sizes) == 1:
        return channel.rows(cells)
    s, x = np.divmod(cells, sizes[1])
    return channel.rows(x, s).reshape(*sizes, -1)


def _within(name: str, codes: ArrayLike, size: int) -> Codes:
    held = np.asarray(codes)
    if held.dtype.kind not in "iu":
        raise ParameterError(
            f"{name} as symbol numbers 0 … {size - 1}",
            f"values of type {held.dtype}",
            "encode the symbols first",
        )
    if held.size and (held.min() < 0 or held.max() >= size):
        raise ParameterError(
            f"{name} as symbol numbers 0 … {size - 1}",
            f"numbers from {held.min()} to {held.max()}",
            "encode the symbols with the alphabet that the channel was made for",
        )
    return held.astype(np.int64, copy=False)
