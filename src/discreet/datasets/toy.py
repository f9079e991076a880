"""Laws small enough to know by heart."""

from __future__ import annotations

import numpy as np

from discreet.core.joint import Joint


def two_by_two() -> Joint:
    """The example that runs through the documentation: p(s, x) with I = 0.1258 nats and V = 0.75."""
    return Joint([[0.3, 0.1], [0.15, 0.45]])


def symmetric(flip: float, size: int = 2) -> Joint:
    """An even secret, released as it is except with probability `flip`, when another symbol is drawn evenly."""
    other = flip / max(size - 1, 1)
    return Joint((np.eye(size) * (1 - flip - other) + other) / size if size > 1 else [[1.0]])


def exclusive_or() -> Joint:
    """A secret that is the exclusive or of two columns, neither of which tells anything alone."""
    p = np.zeros((2, 2, 2))
    for x1 in (0, 1):
        for x2 in (0, 1):
            p[x1 ^ x2, x1, x2] = 0.25
    return Joint(p, axes=("s", "x1", "x2"))


def digits(base: int = 10) -> Joint:
    """An even secret below base², given away digit by digit: each column tells log(base)."""
    p = np.zeros((base * base, base, base))
    s = np.arange(base * base)
    p[s, s // base, s % base] = 1 / base**2
    return Joint(p, axes=("s", "x1", "x2"))
