"""Which column would improve a mixture: an exact search where a part has two secrets.

Given prices λ and β in [0, 1], the reduced cost of a posterior q within a part is

    c(q) = D(Tq ‖ π) + β H(q) − λ·q,        T = p(s|x),   π = p(s|a).

With Tq held fixed it is concave in q, so with two secrets some best q has at most two symbols. On a pair with shares
t and 1 − t, of which the first secret has p = t a_i + (1 − t) a_j,

    c″(t) = (a_i − a_j)² / (p (1 − p)) − β / (t (1 − t)),

whose sign is that of a quadratic that is negative or zero at both ends: c is concave, then convex on one stretch, then
concave. So its minimum is at an end or on the convex stretch, where bisection on c′ brackets it and the tangent at the
bracket's lower end bounds it from below: the least c of all pairs is bounded, not only approached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.mechanisms.posteriors import Pool, Prices
from discreet.mechanisms.split import Part, Split

HALVINGS = 46
PAIRS = 1 << 17
"""Pairs are searched in chunks of so many."""

WORTH = 1e-10
"""A column is worth adding when its reduced cost is below minus this."""


class Pairs(NamedTuple):
    """Pairs of symbols, the share of the first at which the reduced cost is least, that cost, and a bound below it."""

    i: Codes
    j: Codes
    share: Array
    cost: Array
    lower: Array


def add_best_pairs(pool: Pool, prices: Prices, most: int) -> float:
    """Add the best pairs of every symbol to the pool; the mean over parts of a lower bound on c is returned."""
    split, bound = pool.split, 0.0
    found: list[Pairs] = []
    for part in split.parts:
        single = _point_costs(split, part, prices)
        pairs = best_pairs(split, part, prices)
        bound += part.mass * min(float(single.min()), float(pairs.lower.min(initial=np.inf)))
        found.append(pairs)
    i, j, share, cost, _ = (np.concatenate(column) for column in zip(*found, strict=True))
    chosen = best_of_each(i, j, cost, most)
    pool.add_pairs(i[chosen], j[chosen], share[chosen])
    return bound


def best_pairs(split: Split, part: Part, prices: Prices) -> Pairs:
    """Every pair of a part whose reduced cost has a convex stretch, with its least value there. O(n²) for n symbols."""
    first = part.secrets[0]
    a = split.given_x[first, part.symbols]
    # D(Tq ‖ π) = −H(Tq) − Σ_s (Tq)_s log π_s, whose last term is linear in q and goes to the prices
    prior = split.prior[part.secrets, part.symbols[0], None]
    linear = prices.symbol[part.symbols] + (
        split.given_x[np.ix_(part.secrets, part.symbols)] * np.log(prior)
    ).sum(axis=0)
    rows, columns = np.triu_indices(part.symbols.size, 1)
    found = [
        _least(a, linear, prices.beta, rows[k : k + PAIRS], columns[k : k + PAIRS])
        for k in range(0, rows.size, PAIRS)
    ] or [_least(a, linear, prices.beta, rows, columns)]
    i, j, share, cost, lower = (np.concatenate(column) for column in zip(*found, strict=True))
    return Pairs(part.symbols[i], part.symbols[j], share, cost, lower)


def _point_costs(split: Split, part: Part, prices: Prices) -> Array:
    """The reduced cost of telling a symbol itself."""
    given = split.given_x[np.ix_(part.secrets, part.symbols)]
    prior = split.prior[part.secrets, part.symbols[0], None]
    lift = given / prior
    leak = (given * np.log(np.maximum(lift, 5e-324))).sum(axis=0)
    made: Array = leak - prices.symbol[part.symbols]
    return made


def _least(a: Array, linear: Array, beta: float, i: Codes, j: Codes) -> Pairs:
    low, high = _convex_stretch(a[i], a[j], beta)
    k = np.flatnonzero(high > low)
    i, j, low, high = i[k], j[k], low[k], high[k]
    a_j, difference, slope = a[j], a[i] - a[j], linear[i] - linear[j]

    def derivative(t: Array) -> Array:
        p = a_j + t * difference
        with np.errstate(divide="ignore", invalid="ignore"):
            made: Array = difference * np.log(p / (1 - p)) - beta * np.log(t / (1 - t)) - slope
        return np.nan_to_num(made, nan=0.0)

    for _ in range(HALVINGS):
        middle = (low + high) / 2
        falls = derivative(middle) < 0
        low, high = np.where(falls, middle, low), np.where(falls, high, middle)
    share = low
    cost = beta * coin_entropy(share) - coin_entropy(a_j + share * difference) - linear[j] - share * slope
    lower = cost + np.minimum(derivative(share), 0) * (high - low)
    return Pairs(i, j, share, cost, lower)


def _convex_stretch(a_i: Array, a_j: Array, beta: float) -> tuple[Array, Array]:
    """Where (a_i − a_j)² t (1 − t) > β p (1 − p), between the roots of a quadratic in t; empty as (0, 0)."""
    difference = a_i - a_j
    square = (beta - 1) * difference**2
    line = difference**2 - beta * difference * (1 - 2 * a_j)
    constant = -beta * a_j * (1 - a_j)
    inside = line**2 - 4 * square * constant
    exists = (inside > 0) & (square < 0)
    half = -0.5 * (line + np.copysign(np.sqrt(np.where(exists, inside, 0)), line))
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.stack([half / square, constant / half])
    roots = np.where(exists, np.nan_to_num(roots, nan=0.0, posinf=0.0, neginf=0.0), 0.0)
    low, high = np.clip(roots.min(axis=0), 0, 1), np.clip(roots.max(axis=0), 0, 1)
    return low, high


def coin_entropy(t: Array) -> Array:
    """The entropy of a coin."""
    t = np.clip(t, 0, 1)
    made: Array = -t * np.log(np.maximum(t, 5e-324)) - (1 - t) * np.log(np.maximum(1 - t, 5e-324))
    return made


def best_of_each(i: Codes, j: Codes, cost: Array, most: int) -> Codes:
    """The worthwhile pairs, the best one for each symbol on either side, at most so many."""
    worth = np.flatnonzero(cost < -WORTH)
    order = worth[np.argsort(cost[worth], kind="stable")]
    sides = [np.unique(side[order], return_index=True)[1] for side in (i, j)]
    return order[np.unique(np.concatenate(sides))][:most]
