"""How a law is walked: means, second moments, extremes and norms of a function of the lift.

Every reducer goes over the lift in blocks that fit the cache and makes no copy of the law: O(|S| |Y|) time, and memory
for one block and the two sides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from discreet.core.lift import Lift
from discreet.core.protocols import Array

Function = Callable[[Array], Array]


class Sides(NamedTuple):
    """A function of the lift averaged over one side, for each position of the other."""

    by_s: Array
    by_y: Array


def mean(lift: Lift, f: Function, of_log: bool = False) -> Sides:
    """Σ_y p(y) f(l(s, y)) for each secret, and Σ_s p(s) f(l(s, y)) for each release; `of_log`: f takes log l."""
    by_s, by_y = np.zeros(lift.p_s.size), np.zeros(lift.p_y.size)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for rows, columns, l in lift.log_tiles() if of_log else lift.tiles():
            value = f(l)
            for limit in lift.limits:
                if columns.start <= limit < columns.stop:
                    value[:, limit - columns.start] = 0
            by_s[rows] += value @ lift.p_y[columns]
            by_y[columns] += lift.p_s[rows] @ value
    return Sides(by_s, by_y)


def mean_square(lift: Lift, f: Function) -> Sides:
    """The mean of f(l)² over either side; weighed before it is squared, so that rare atoms stay finite."""
    by_s, by_y = np.zeros(lift.p_s.size), np.zeros(lift.p_y.size)
    root_y = np.sqrt(lift.p_y)
    for rows, columns, l in lift.tiles():
        value = f(l)
        value *= root_y[columns]
        value *= value
        by_s[rows] += value.sum(axis=1)
        by_y[columns] += lift.p_s[rows] @ value
    return Sides(by_s, np.divide(by_y, lift.p_y, out=np.zeros_like(by_y), where=lift.p_y > 0))


class Extremes(NamedTuple):
    """The least and the largest lift of each release, over the secrets."""

    low: Array
    high: Array

    def spread(self) -> Array:
        """max |log l| of each release; infinite where a secret cannot occur."""
        with np.errstate(divide="ignore"):
            return np.maximum(np.log(self.high), -np.log(self.low))


def extremes(lift: Lift) -> Extremes:
    """Where the lift of each release is least and largest."""
    low, high = np.full(lift.p_y.size, np.inf), np.zeros(lift.p_y.size)
    for _, columns, l in lift.tiles():
        np.minimum(low[columns], l.min(axis=0), out=low[columns])
        np.maximum(high[columns], l.max(axis=0), out=high[columns])
    return Extremes(low, high)


def log_norm(lift: Lift, alpha: float, log_weight: Array) -> Array:
    """log (Σ_s w(s) l(s, y)^α)^(1/α) for each release, in the log domain."""
    top = np.full(lift.p_y.size, -np.inf)
    total = np.zeros(lift.p_y.size)
    for rows, columns, log in lift.log_tiles():
        term = alpha * log
        term += log_weight[rows, None]
        np.maximum(top[columns], term.max(axis=0), out=top[columns])
    for rows, columns, log in lift.log_tiles():
        term = alpha * log
        term += log_weight[rows, None]
        term -= top[columns]
        total[columns] += np.exp(term, out=term).sum(axis=0)
    return (top + np.log(total)) / alpha


def log_sum(log_terms: Array) -> float:
    """log Σ e^t, without leaving the number range."""
    top = float(log_terms.max())
    return top if np.isinf(top) else top + float(np.log(np.exp(log_terms - top).sum()))


def log_mass(mass: Array) -> Array:
    """log p, −inf where there is no mass."""
    with np.errstate(divide="ignore"):
        return np.log(mass)
