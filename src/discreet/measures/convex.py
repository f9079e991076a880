"""A convex function on (0, ∞) at its ends, which decide about cells that cannot occur, and read the other way round."""

from __future__ import annotations

import itertools
import math

import numpy as np

from discreet.core.protocols import Array
from discreet.measures.reducers import Function

FURTHER = [10.0 ** (2**k) for k in range(9)]
"""Places towards infinity, each the square of the one before: there a logarithm keeps growing by larger steps."""

FAR = 1e75
"""Beyond it f may leave the number range on its way, as (t − 1)² / (t + 1) does; its limits serve there and near 0."""


def from_the_prior(f: Function) -> Function:
    """t f(1/t), whose mean is the divergence of p(y) from p(y | s)."""
    return lambda t: t * f(1 / t)


def extended(f: Function, l: Array) -> Array:
    """f(l), by its limits where a cell cannot occur, or where f leaves the number range."""
    possible = l > 0
    value = f(l) if possible.all() else np.where(possible, f(np.where(possible, l, 1.0)), np.nan)
    odd = ~np.isfinite(value)
    if odd.any():
        value = np.where(odd & (l < 1 / FAR), limit_at_zero(f), value)
        value = np.where(odd & (l > FAR), slope_at_infinity(f) * l, value)
    return value


def at(f: Function, t: float) -> float:
    """f at one number."""
    with np.errstate(all="ignore"):
        return float(np.asarray(f(np.array([t]))).reshape(-1)[0])


def limit_at_zero(f: Function) -> float:
    """f(0+), infinite where f grows without end towards 0."""
    at_zero = at(f, 0.0)
    return _limit([at(f, 1 / t) for t in FURTHER]) if math.isnan(at_zero) else at_zero


def slope_at_infinity(f: Function) -> float:
    """lim f(t) / t, infinite where f grows faster than any line."""
    return _limit([at(f, t) / t for t in FURTHER])


def _limit(values: list[float]) -> float:
    """Where values settle whose steps shrink; infinity where they grow, or leave the number range too soon to tell."""
    there = [*itertools.takewhile(math.isfinite, values)][-3:]
    if len(there) < 3 or there[2] - there[1] > max((there[1] - there[0]) / 2, 1e-9 * max(1.0, abs(there[2]))):
        return math.inf
    return there[2]
