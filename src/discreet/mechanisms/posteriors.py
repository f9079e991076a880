"""A release as a mixture of posteriors p(x | y), and the linear program that mixes the best ones of a pool.

A column is a posterior q within one part of the common part A. It leaks d = D(p(s|q) ‖ p(s|a)) and leaves h = H(q):

    least Σ_k w_k d_k   subject to   Σ_k w_k q_k = p_X   and   Σ_k w_k h_k ≤ H(X|A) − rate

is the funnel restricted to the pool; with the roles of d and h exchanged it is the most rate for a given leak. Its dual
prices λ (a symbol's) and β (of the rate) tell which column would improve it: one with d + β h − λ·q < 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.protocols import Array, Codes
from discreet.measures.fdiv import kullback_leibler
from discreet.mechanisms.finished import NOTHING, check_cells
from discreet.mechanisms.split import Split

TOLERANCES = (1e-10, 1e-7)
"""Of the solver: the finest, and its own if it fails there."""

TRIM = 1e-13
"""A share of a posterior, or of every symbol's mass, below this is rounding."""

SMALL_STEP = 1e-6
"""Weights polished by more than this were not nearly right before."""


class Pool:
    """Columns found so far: q[x, k] (sparse), what each leaks and what it leaves open.

    The first `plain` of them are the symbols themselves and, for each part, silence.
    """

    def __init__(self, split: Split) -> None:
        from scipy.sparse import csc_array

        n = split.p_x.size
        self.split = split
        self.q: Any = csc_array((n, 0))
        self.leak, self.open = np.empty(0), np.empty(0)
        self.add(csc_array((np.ones(n), (np.arange(n), np.arange(n))), shape=(n, n)))
        self.add_dense(split.p_x[:, None])
        self.plain = len(self)

    def __len__(self) -> int:
        return self.leak.size

    def add(self, q: Any) -> None:
        """Add columns, each a law within one part."""
        from scipy.sparse import hstack

        if q.shape[1] == 0:
            return
        q.data = np.where(q.data > TRIM, q.data, 0.0)
        q.eliminate_zeros()
        q = (q / q.sum(axis=0)).tocsc()
        q.sort_indices()
        first = q.indices[q.indptr[:-1]]
        prior = self.split.prior[:, first]
        told = (q.T @ self.split.given_x.T).T
        lift = np.divide(told, prior, out=np.ones_like(told), where=prior > 0)
        leak = np.einsum("sk,sk->k", prior, kullback_leibler(lift))
        open_ = np.add.reduceat(-q.data * np.log(q.data), q.indptr[:-1])
        self.q = hstack([self.q, q], format="csc")
        self.leak = np.append(self.leak, np.maximum(leak, 0))
        self.open = np.append(self.open, np.maximum(open_, 0))

    def add_pairs(self, i: Codes, j: Codes, share: Array) -> None:
        """Add columns over two symbols, the first with this share."""
        from scipy.sparse import csc_array

        k = np.arange(i.size)
        data, place = np.concatenate([share, 1 - share]), np.concatenate([k, k])
        self.add(csc_array((data, (np.concatenate([i, j]), place)), shape=(self.split.p_x.size, i.size)))

    def add_dense(self, q: Array) -> None:
        """Add columns q[x, k] that may spread over parts: they are cut into one for each part."""
        from scipy.sparse import csc_array

        for part in self.split.parts:
            cut = np.zeros_like(q)
            cut[part.symbols] = q[part.symbols]
            self.add(csc_array(cut[:, cut.sum(axis=0) > TRIM]))

    def reduced(self, prices: Prices) -> Array:
        """d + β h − λ·q of every column."""
        made: Array = self.leak + prices.beta * self.open - prices.symbol @ self.q
        return made


@dataclass(frozen=True, slots=True)
class Prices:
    """What a symbol's mass and a nat of rate are worth at the optimum over a pool."""

    symbol: Array
    beta: float


@dataclass(frozen=True, slots=True)
class Mixture:
    """The best mixture of some columns: which, their weights, what it leaks and keeps beyond A, and the prices."""

    columns: Codes
    weights: Array
    leak: float
    rate: float
    prices: Prices


def mix(pool: Pool, active: Codes, *, rate: float | None = None, leak: float | None = None) -> Mixture | None:
    """Solve the linear program over these columns; None where the solver finds no optimum.

    With a rate the leak is made least, otherwise the rate is made most, within the leak if one is given.
    """
    split, h = pool.split, pool.open[active]
    d, rows = pool.leak[active], (pool.q[:, active].multiply(1 / split.p_x[:, None])).tocsc()
    if rate is not None:
        found, price = _solved(d, rows, h, split.entropy_x - rate)
    else:
        found, price = _solved(h, rows, d, leak)
    if found is None:
        return None
    prices = Prices(found.eqlin.marginals / split.p_x, min(price, 1.0))
    if leak is not None:
        prices = Prices(prices.symbol / max(price, 1.0), 1 / max(price, 1.0))
    used = np.flatnonzero(found.x * rows.max(axis=0).toarray().ravel() > TRIM)
    columns, weights = active[used], _polished(rows[:, used].toarray(), found.x[used])
    told = split.entropy_x - float(weights @ pool.open[columns])
    return Mixture(columns, weights, float(weights @ pool.leak[columns]), told, prices)


def _solved(cost: Array, rows: Any, row: Array, limit: float | None) -> tuple[Any, float]:
    """The least cost of weights with rows·w = 1 and row·w ≤ limit, and what a unit of the limit is worth."""
    from scipy.optimize import linprog

    limit = None if limit is None else max(limit, NOTHING)
    scale = 1 / limit if limit is not None and limit < 1 else 1.0
    for tolerance in TOLERANCES:
        found = linprog(
            cost,
            A_ub=None if limit is None else scale * row[None],
            b_ub=None if limit is None else [scale * limit],
            A_eq=rows,
            b_eq=np.ones(rows.shape[0]),
            method="highs-ds",
            options={"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance},
        )
        if found.status == 0:
            break
    if found.status != 0:
        return None, 0.0
    return found, 0.0 if limit is None else max(-scale * float(found.ineqlin.marginals[0]), 0.0)


def _polished(rows: Array, weights: Array) -> Array:
    """Weights that restore p(x) to the last digit, if they can be had by a small step."""
    step = np.linalg.lstsq(rows, 1 - rows @ weights, rcond=1e-9)[0]
    better = weights + step
    return better if better.min() >= 0 and np.abs(step).max() <= SMALL_STEP else weights


def coupled(pool: Pool, mixture: Mixture) -> MatrixChannel:
    """The channel of a mixture that hides the common part: each part's columns laid out along one line from 0 to 1.

    A symbol y is a stretch of the line on which no part changes its column, so p(a | y) = p(a). A symbol of X so light
    that the mixture has nothing of it is released as if it had not been seen.
    """
    split = pool.split
    q = pool.q[:, mixture.columns].toarray() * mixture.weights
    of = [np.flatnonzero(q[part.symbols].sum(axis=0) > 0) for part in split.parts]
    ends = [np.cumsum(q[part.symbols][:, k].sum(axis=0)) for part, k in zip(split.parts, of, strict=True)]
    ends = [end / end[-1] for end in ends]
    edges = _merged(np.concatenate(ends))
    width = np.diff(edges, prepend=0.0)
    check_cells(split.p_x.size, width.size)
    p = np.zeros((split.p_x.size, width.size))
    for part, k, end in zip(split.parts, of, ends, strict=True):
        column = np.searchsorted(end, edges - width / 2)
        share = width / np.bincount(column, width, minlength=k.size)[column]
        p[part.symbols] = q[np.ix_(part.symbols, k[column])] * share
    p[p.sum(axis=1) == 0] = width
    return MatrixChannel(p / p.sum(axis=1, keepdims=True))


def _merged(edges: Array) -> Array:
    """The edges in order, those that differ by rounding taken as one; the last is 1."""
    held = np.unique(np.append(edges, 1.0))
    held = held[np.append(np.diff(held) > TRIM, True)]
    held[-1] = 1.0
    merged: Array = held
    return merged


def spread(channel: MatrixChannel, split: Split, size: int) -> MatrixChannel:
    """The channel over the whole axis of X; a symbol without mass is released as if it had not been seen."""
    p = np.tile(split.p_x @ channel.p, (size, 1))
    p[split.symbols] = channel.p
    return MatrixChannel(p / p.sum(axis=1, keepdims=True))
