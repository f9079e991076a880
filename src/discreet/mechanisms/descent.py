"""Which column would improve a mixture, where a part has more than two secrets: descent from many starts.

The reduced cost c(q) = D(Tq ‖ π) + β H(q) − λ·q is convex minus convex. By the chain rule of divergence

    c(r) ≤ c(q) + ∇c(q)·(r − q) + (1 − β) D(r ‖ q),

so the multiplicative step q ← q exp(−η ∇c(q)), normalised, never rises for η ≤ 1/(1 − β); longer steps are tried and
kept while they fall. It ends in local minima: what it finds is a column to add, never a bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.mechanisms.posteriors import Mixture, Pool
from discreet.mechanisms.pricing import WORTH
from discreet.mechanisms.split import Part, Split

STEPS, TOGETHER = 120, 20
"""So many steps for a column at most, and so many between two looks at which of them still move."""

STILL = 1e-7
"""A column whose cost has fallen by less between two looks is left where it is."""

FAINTEST, LOWEST = 1e-300, -690.0
"""Shares are kept above the first and their logarithms above the second, where they are nothing."""

SHARES = (0.1, 0.25, 0.4, 0.6, 0.75, 0.9)
LOOKED_AT = 1 << 18
"""Pairs of symbols are tried at these shares as starts: all of them, or so many at random."""

SMALL = 1e-8
"""A share this small after the descent is on its way to nothing."""


def add_by_descent(pool: Pool, mixture: Mixture, most: int, rng: np.random.Generator) -> None:
    """Descend from the columns in use, from the best pairs of symbols and from random laws, and add what would help."""
    for part in pool.split.parts:
        linear, beta = mixture.prices.symbol[part.symbols], mixture.prices.beta
        q, cost = descend(pool.split, part, linear, beta, starts(pool, mixture, part, linear, beta, rng))
        _, apart = np.unique(q.round(5), axis=1, return_index=True)
        worth = apart[cost[apart] < -WORTH]
        worth = worth[np.argsort(cost[worth], kind="stable")][:most]
        if worth.size:
            columns = np.zeros((pool.split.p_x.size, worth.size))
            columns[part.symbols] = q[:, worth]
            pool.add_dense(columns)


def descend(split: Split, part: Part, linear: Array, beta: float, q: Array) -> tuple[Array, Array]:
    """Columns q[x, k] of a part led downhill, with their reduced costs. O(steps |S| |X| k)."""
    hill = _Hill(
        split.given_x[np.ix_(part.secrets, part.symbols)],
        split.prior[part.secrets, part.symbols[0], None],
        linear,
        beta,
    )
    q = np.maximum(q, FAINTEST)
    q /= q.sum(axis=0)
    moving = np.arange(q.shape[1])
    step = np.full(q.shape[1], 1 / max(1 - beta, 0.02))
    before = hill.cost(q)
    for _ in range(STEPS // TOGETHER):
        q[:, moving], step[moving], cost = hill.down(q[:, moving], step[moving])
        moving, before = moving[before - cost > STILL], cost[before - cost > STILL]
        if moving.size == 0:
            break
    q = np.where(q > SMALL, q, 0)
    q /= q.sum(axis=0)
    return q, hill.cost(np.maximum(q, FAINTEST))


class _Hill(NamedTuple):
    """The reduced cost of columns in one part, at given prices."""

    given: Array
    prior: Array
    linear: Array
    beta: float

    def cost(self, q: Array) -> Array:
        """c(q) of each column."""
        return self._slope(q, np.log(q))[1]

    def down(self, q: Array, step: Array) -> tuple[Array, Array, Array]:
        """So many steps down: where they end, how long the next one may be, and the cost there."""
        log_q = np.log(q)
        gradient, cost = self._slope(q, log_q)
        for _ in range(TOGETHER):
            log_tried = log_q - step * gradient
            log_tried -= log_tried.max(axis=0)
            np.maximum(log_tried, LOWEST, out=log_tried)
            tried = np.exp(log_tried)
            total = tried.sum(axis=0)
            tried /= total
            log_tried -= np.log(total)
            slope, value = self._slope(tried, log_tried)
            falls = value <= cost
            np.copyto(log_q, log_tried, where=falls)
            np.copyto(gradient, slope, where=falls)
            np.copyto(cost, value, where=falls)
            step = step * np.where(falls, 1.3, 0.4)
        return np.exp(log_q), step, cost

    def _slope(self, q: Array, log_q: Array) -> tuple[Array, Array]:
        """∇c, up to a constant for each column, and c."""
        told = self.given @ q
        log_lift = np.log(np.maximum(told, FAINTEST) / self.prior)
        gradient = self.given.T @ log_lift
        gradient -= self.beta * log_q
        gradient -= self.linear[:, None]
        # Σ q (∇c) = D − β Σ q log q − λ·q
        return gradient, np.einsum("xk,xk->k", q, gradient)


def starts(
    pool: Pool, mixture: Mixture, part: Part, linear: Array, beta: float, rng: np.random.Generator
) -> Array:
    """Where a descent begins: at the columns in use, at the best pairs of symbols, and anywhere."""
    return np.hstack(
        [_near_those_in_use(pool, mixture, part, rng), _pairs(pool.split, part, linear, beta, rng)]
    )


def _near_those_in_use(pool: Pool, mixture: Mixture, part: Part, rng: np.random.Generator) -> Array:
    """The columns in use here, a little spread out; and as many laws drawn at random."""
    used = pool.q[part.symbols][:, mixture.columns].toarray()
    used = used[:, used.sum(axis=0) > 0]
    mean = pool.split.p_x[part.symbols, None] / part.mass
    drawn = mean * rng.gamma(0.3, size=used.shape) + 1e-12
    return np.hstack([0.9 * used + 0.1 * mean, drawn / drawn.sum(axis=0)])


def _pairs(split: Split, part: Part, linear: Array, beta: float, rng: np.random.Generator) -> Array:
    """Two pairs for each symbol, those of the least reduced cost, a little spread out."""
    n = part.symbols.size
    i, j = np.triu_indices(n, 1)
    if i.size > LOOKED_AT:
        chosen = np.sort(rng.choice(i.size, LOOKED_AT, replace=False))
        i, j = i[chosen], j[chosen]
    cost, share = np.full(i.size, np.inf), np.zeros(i.size)
    for t in SHARES:
        value = _pair_costs(split, part, linear, beta, i, j, t)
        better = value < cost
        cost[better], share[better] = value[better], t
    best = np.argsort(cost, kind="stable")[: 2 * n]
    q = np.zeros((n, best.size))
    q[i[best], np.arange(best.size)] = share[best]
    q[j[best], np.arange(best.size)] = 1 - share[best]
    return 0.98 * q + 0.02 * split.p_x[part.symbols, None] / part.mass


def _pair_costs(split: Split, part: Part, linear: Array, beta: float, i: Codes, j: Codes, t: float) -> Array:
    """The reduced cost of pairs at one share, in blocks that fit the cache."""
    given = split.given_x[np.ix_(part.secrets, part.symbols)]
    prior = split.prior[part.secrets, part.symbols[0], None]
    told_cost = np.empty(i.size)
    for k in range(0, i.size, 4096):
        told = t * given[:, i[k : k + 4096]] + (1 - t) * given[:, j[k : k + 4096]]
        told_cost[k : k + 4096] = (told * np.log(np.maximum(told, 5e-324) / prior)).sum(axis=0)
    coin = -t * np.log(t) - (1 - t) * np.log(1 - t)
    made: Array = told_cost + beta * coin - t * linear[i] - (1 - t) * linear[j]
    return made
