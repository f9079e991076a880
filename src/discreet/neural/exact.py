"""NumPy whose matrix products are exact, so that a record's release does not depend on the rows beside it.

A product of floats depends, in its last digit, on how many rows are multiplied at once and by which library. Here
both factors are rounded to a grid on which every product and every partial sum fits the 53 bits of a float: the result
is the same for one record and for a million, on one machine and on many. A factor is rounded by some 2e-7.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from discreet.core.protocols import Array

REACH = 64.0
"""A unit's value is kept within this; standardised records and trained layers do not come near."""

DIGITS = 52
"""Binary digits of a product, one short of a float's: those before the point depend on how large the weights are."""


class Exact:
    """The namespace: NumPy, but for `matmul`.

    >>> EXACT.matmul(np.array([[.5, 2.0]]), np.array([[1.0], [.25]]))
    array([[1.]])
    """

    __name__ = "exact"

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def matmul(x: Array, w: Array) -> Array:
        """x w with both on their grids."""
        weights = np.asarray(w, dtype=np.float64)
        heaviest = float(np.abs(weights).sum(axis=0).max(initial=1.0))
        digits = (DIGITS - math.ceil(math.log2(REACH * heaviest))) // 2
        product: Array = _on_grid(np.clip(x, -REACH, REACH), digits) @ _on_grid(weights, digits)
        return product


def _on_grid(held: Array, digits: int) -> Array:
    rounded: Array = np.rint(held * 2.0**digits) * 2.0**-digits
    return rounded


EXACT = Exact()
