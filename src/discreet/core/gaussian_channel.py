"""A mechanism on real numbers: an affine map of the record, and Gaussian noise."""

from __future__ import annotations

import math
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.errors import AxisError, LawError, ParameterError
from discreet.core.protocols import Array, Codes, Words

ROUNDING = 1e-12
"""An eigenvalue of a covariance may be so far below zero, relative to the largest, and is read as zero."""


class GaussianChannel:
    """Y = a X + shift + N(0, cov): a[y, x], cov[y, y], shift[y]; or each with a leading axis s if it sees the secret.

    A scalar `a` is 1 × 1, a scalar `cov` that variance in every coordinate, a scalar `shift` the same for all. A record
    is a row of numbers, or one number where x has one coordinate. It is a pure function of the record and of `words`
    random 64-bit words, so that a generator and a key stream drive the same code. `a >> b` releases what `b` makes of
    `a`'s output. The last digits of a float carry traces of the record: round what is published.

    >>> half = GaussianChannel(.5, .01)
    >>> (half >> half).a, (half >> half).cov
    (array([[0.25]]), array([[0.0125]]))
    """

    __slots__ = ("_root", "a", "cov", "shift")

    def __init__(self, a: ArrayLike, cov: ArrayLike, shift: ArrayLike = 0.0) -> None:
        given = [np.array(one, dtype=np.float64) for one in (a, cov, shift)]
        matrix = given[0].reshape(1, 1) if given[0].ndim == 0 else given[0]
        n_y = matrix.shape[-2] if matrix.ndim in (2, 3) else 0
        if given[1].ndim == 0:
            given[1] = given[1] * np.eye(n_y)
        if given[2].ndim == 0:
            given[2] = np.full(n_y, given[2])
        self.a, self.cov, self.shift = self._one_shape(matrix, given[1], given[2])
        self.cov, self._root = _factored(self.cov)
        for held in (self.a, self.cov, self.shift, self._root):
            held.setflags(write=False)

    @staticmethod
    def _one_shape(a: Array, cov: Array, shift: Array) -> tuple[Array, Array, Array]:
        """All three for the same coordinates, with a leading axis for the secret on all or on none."""
        n_y, n_x = a.shape[-2:] if a.ndim in (2, 3) and a.size else (0, 0)
        wanted = ((n_y, n_x), (n_y, n_y), (n_y,))
        parts = list(zip((a, cov, shift), wanted, strict=True))
        fits = n_y > 0 and all(one.shape[-len(tail) :] == tail for one, tail in parts)
        leads = {one.shape[: -len(tail)] for one, tail in parts} - {()}
        finite = all(np.isfinite(one).all() for one, _ in parts)
        if not (fits and finite) or len(leads) > 1 or any(len(lead) > 1 for lead in leads):
            raise AxisError(
                "finite a[y, x], cov[y, y] and shift[y], or each with a leading axis s of one length",
                f"shapes {a.shape}, {cov.shape}, {shift.shape}",
                "give one row of a, one variance and one shift for each number released",
            )
        front = leads.pop() if leads else ()
        a, cov, shift = (np.array(np.broadcast_to(one, front + tail)) for one, tail in parts)
        return a, cov, shift

    @property
    def inputs(self) -> Literal["x", "sx"]:
        """Whether it sees x alone or the secret as well."""
        return "x" if self.a.ndim == 2 else "sx"

    @property
    def words(self) -> int:
        """How many random words it takes for a record: two for each two numbers released."""
        n_y: int = self.a.shape[-2]
        return n_y + n_y % 2

    @property
    def deviation(self) -> float:
        """The one deviation of the noise, where every coordinate gets the same, independently."""
        variance = float(self.cov.flat[0])
        if not (self.cov == variance * np.eye(self.cov.shape[-1])).all():
            raise ParameterError(
                "one deviation of the noise",
                "noise that is not the same in every coordinate and for every secret",
                "read .cov",
            )
        return math.sqrt(variance)

    def push(self, x: NDArray[Any], words: Words, s: Codes | None = None) -> Array:
        """The numbers released for each record: one for each row of a. O(n |y| (|x| + |y|)) for n records."""
        given = np.asarray(x, dtype=np.float64)
        records = given[:, None] if given.ndim == 1 else given
        n_y, n_x = self.a.shape[-2:]
        if records.ndim != 2 or records.shape[1] != n_x:
            raise AxisError(
                f"records of {n_x} numbers each",
                f"an array of shape {given.shape}",
                "one row for each record, one column for each coordinate of x",
            )
        noise = normals(np.asarray(words, dtype=np.uint64).reshape(len(records), self.words))[:, :n_y]
        of = ... if self.inputs == "x" else self._secrets(s, len(records))
        y = _times(self.a[of], records) + self.shift[of] + _times(self._root[of], noise)
        return y[:, 0] if given.ndim == 1 and n_y == 1 else y

    def apply(self, x: ArrayLike, *, s: ArrayLike | None = None, rng: np.random.Generator) -> Array:
        """Release each record with noise drawn with this generator."""
        records = np.asarray(x, dtype=np.float64)
        words = rng.integers(0, 2**64, size=(len(records), self.words), dtype=np.uint64)
        return self.push(records, words, None if s is None else np.asarray(s, dtype=np.int64))

    def rows(self, x: NDArray[Any], s: Codes | None = None) -> NoReturn:  # noqa: ARG002
        """Refused: what is released are real numbers, which have no table of masses."""
        raise LawError(
            "p(y | x) as a table",
            f"{self!r}, which releases real numbers",
            "measure it in closed form (measures.gaussian, GaussianMixture), or estimate from released records",
        )

    def __rshift__(self, after: GaussianChannel) -> GaussianChannel:
        if not isinstance(after, GaussianChannel):
            return NotImplemented
        if after.inputs != "x" or after.a.shape[-1] != self.a.shape[-2]:
            raise AxisError(
                "a second channel that reads what the first releases",
                f"{self.a.shape[-2]} numbers released, {after!r}",
                "the second channel needs one column for each of them and must not see the secret",
            )
        cov = after.a @ self.cov @ after.a.T + after.cov
        return GaussianChannel(after.a @ self.a, cov, self.shift @ after.a.T + after.shift)

    def _secrets(self, s: Codes | None, n: int) -> Codes:
        codes = None if s is None else np.asarray(s)
        sound = codes is not None and codes.dtype.kind in "iu" and codes.shape == (n,)
        if codes is None or not sound or (n and (codes.min() < 0 or codes.max() >= len(self.a))):
            raise ParameterError(
                f"a secret 0 … {len(self.a) - 1} for each of {n} records",
                "none" if codes is None else f"an array of shape {codes.shape} and type {codes.dtype}",
                "pass the secrets as symbol numbers: s=…",
            )
        return codes

    def __repr__(self) -> str:
        n_y, n_x = self.a.shape[-2:]
        return f"GaussianChannel from {self.inputs}, {n_x} → {n_y} numbers"


def normals(words: Words) -> Array:
    """Independent standard normals, as many as there are words in a row; two words make two (Box and Muller).

    The radius uses all 64 bits of its word and reaches 9.4. A row holds an even number of words.
    """
    first, second = words[..., 0::2], words[..., 1::2]
    radius = np.sqrt(-2 * np.log((first.astype(np.float64) + 1) * 2.0**-64))
    angle = (second >> np.uint64(11)) * (2 * np.pi * 2.0**-53)
    made: Array = np.empty(words.shape)
    made[..., 0::2], made[..., 1::2] = radius * np.cos(angle), radius * np.sin(angle)
    return made


def _times(matrix: Array, vectors: Array) -> Array:
    """Each vector times the matrix, or its own one, to the same last bit however many there are."""
    product: Array = (matrix * vectors[:, None, :]).sum(axis=-1)
    return product


def _factored(cov: Array) -> tuple[Array, Array]:
    """The covariance without its rounding, and R with R Rᵀ = cov, also for a singular one."""
    even = (cov + np.swapaxes(cov, -1, -2)) / 2
    value, vector = np.linalg.eigh(even)
    slack = ROUNDING * float(np.abs(value).max())
    if not float(np.abs(even - cov).max()) <= 1e3 * slack or not float(value.min()) >= -slack:
        raise LawError(
            "cov: a symmetric covariance without negative eigenvalue",
            f"a smallest eigenvalue of {float(value.min()):.6g}, {float(np.abs(even - cov).max()):.3g} off symmetry",
            "give variances and covariances of one noise, or one variance for every coordinate",
        )
    root: Array = vector * np.sqrt(np.maximum(value, 0))[..., None, :]
    return even, root
