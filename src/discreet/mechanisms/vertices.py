"""Columns that tell nothing about the secret: the corners of {q ≥ 0 : Σ_x q(x) p(s|x) = p(s|a)} in a part.

A corner has at most as many symbols as p(s|x) has rank, so two with two secrets. With more secrets the corners are
listed where there are few candidates, and otherwise found one by one by linear programs.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.mechanisms.posteriors import Mixture, Pool
from discreet.mechanisms.split import Mask, Part, Split

LISTED = 40_000
"""All corners are listed where no more sets of symbols can carry one."""

EXACT = 1e-12

TINY_SHARE = 1e-9
"""A share of a corner below this, as the solver gives it, is none."""


def listed(part: Part) -> bool:
    """Whether every corner of a part is listed."""
    return _count(part) <= LISTED


def add_corners(pool: Pool, rng: np.random.Generator) -> None:
    """Add corners of every part: all of them where they can be listed, otherwise enough to make a release of."""
    for part in pool.split.parts:
        if part.secrets.size == 1:
            continue  # the symbols themselves, which are in the pool already
        if part.secrets.size == 2:
            i, j, share = straddling_pairs(pool.split, part)
            few = i.size <= LISTED
            pool.add_pairs(*((i, j, share) if few else _laid_out(pool.split, part)))
        elif listed(part):
            _add_part(pool, part, _all_corners(*_conditions(pool.split, part)))
        else:
            _add_part(pool, part, _peeled(pool.split, part, rng))


def add_corners_near(pool: Pool, part: Part, mixture: Mixture) -> None:
    """Add a corner near every column in use, at the mixture's prices.

    The slope of β H(q) − λ·q at a column spread out a little leads a linear program to a corner where it is low.
    """
    conditions, right = _conditions(pool.split, part)
    prices, mean = mixture.prices, pool.split.p_x[part.symbols] / part.mass
    used = pool.q[part.symbols][:, mixture.columns].toarray()
    near = used[:, used.sum(axis=0) > 0].T
    cost = -prices.beta * np.log(0.98 * near + 0.02 * mean) - prices.symbol[part.symbols]
    found = [q for c in cost if (q := corner(conditions, right, c, mean > 0)) is not None]
    if found:
        _add_part(pool, part, np.unique(np.array(found).T, axis=1))


def straddling_pairs(split: Split, part: Part) -> tuple[Codes, Codes, Array]:
    """Every pair of symbols on either side of p(s|a), with the share of the first at which it tells nothing."""
    a, prior = _first_secret(split, part)
    above, below = np.flatnonzero(a >= prior), np.flatnonzero(a < prior)
    i, j = (side.ravel() for side in np.meshgrid(above, below, indexing="ij"))
    return part.symbols[i], part.symbols[j], (prior - a[j]) / (a[i] - a[j])


def _laid_out(split: Split, part: Part) -> tuple[Codes, Codes, Array]:
    """Pairs enough to make a release of: what the symbols above p(s|a) exceed it by is laid against what others lack.

    The farthest above is laid against the nearest below, so that one of the two has the larger share.
    """
    a, prior = _first_secret(split, part)
    excess = split.p_x[part.symbols] * np.abs(a - prior)
    order = np.argsort(a, kind="stable")
    above, below = order[a[order] >= prior][::-1], order[a[order] < prior][::-1]
    ends = [np.cumsum(excess[side]) for side in (above, below)]
    edges = np.unique(np.concatenate([end / end[-1] for end in ends]))
    middle = edges - np.diff(edges, prepend=0.0) / 2
    i, j = (
        side[np.minimum(np.searchsorted(end / end[-1], middle), side.size - 1)]
        for side, end in zip((above, below), ends, strict=True)
    )
    return part.symbols[i], part.symbols[j], (prior - a[j]) / (a[i] - a[j])


def _first_secret(split: Split, part: Part) -> tuple[Array, float]:
    first = part.secrets[0]
    return split.given_x[first, part.symbols], float(split.prior[first, part.symbols[0]])


def _count(part: Part) -> int:
    """How many sets of symbols might carry a corner."""
    if part.secrets.size == 1:
        return 0
    n = part.symbols.size
    return n * n // 4 if part.secrets.size == 2 else comb(n, min(part.secrets.size, n))


def _conditions(split: Split, part: Part) -> tuple[Array, Array]:
    """Independent equations K q = k that say Σ_x q(x) p(s|x) = p(s|a)."""
    given = split.given_x[np.ix_(part.secrets, part.symbols)]
    left, sizes, _ = np.linalg.svd(given, full_matrices=False)
    kept = left[:, sizes > 1e-11 * sizes[0]]
    return kept.T @ given, kept.T @ split.prior[part.secrets, part.symbols[0]]


def _all_corners(conditions: Array, right: Array) -> Array:
    """Every corner as a dense column: each independent set of symbols that carries a law."""
    rank, n = conditions.shape
    rows, triangle = np.linalg.qr(conditions.T)  # the same equations on a common scale
    conditions, right = rows.T, np.linalg.solve(triangle.T, right)
    sets = np.array(list(combinations(range(n), rank)), dtype=np.int64)
    systems = conditions[:, sets].transpose(1, 0, 2)
    regular = np.abs(np.linalg.det(systems)) > 1e-13
    systems, sets = systems[regular], sets[regular]
    solved = np.linalg.solve(systems, np.broadcast_to(right, (len(sets), rank))[..., None])[..., 0]
    lawful = (solved >= -EXACT).all(axis=1) & np.isfinite(solved).all(axis=1)
    corners = np.zeros((n, int(lawful.sum())))
    corners[sets[lawful].T, np.arange(corners.shape[1])] = np.maximum(solved[lawful].T, 0)
    return corners[:, np.unique(corners.round(14), axis=1, return_index=True)[1]]


def corner(conditions: Array, right: Array, cost: Array, allowed: Mask) -> Array | None:
    """The corner of least cost among the allowed symbols, solved again on the symbols that it uses."""
    from scipy.optimize import linprog

    options = {"presolve": False}
    found = linprog(
        cost[allowed], A_eq=conditions[:, allowed], b_eq=right, method="highs-ds", options=options
    )
    if found.status != 0:
        return None
    q = np.zeros(cost.size)
    q[allowed] = found.x
    used = np.flatnonzero(q > TINY_SHARE)
    solved = np.linalg.lstsq(conditions[:, used], right, rcond=None)[0]
    if solved.min() < 0 or np.abs(conditions[:, used] @ solved - right).max() > EXACT:
        return None
    q[:] = 0
    q[used] = solved
    return q


def _peeled(split: Split, part: Part, rng: np.random.Generator) -> Array:
    """Corners whose mixture is p(x|a): take as much of a corner as is there, then another of what is left."""
    conditions, right = _conditions(split, part)
    left = split.p_x[part.symbols] / part.mass
    found: list[Any] = []
    for _ in range(2 * left.size):
        allowed = left > TINY_SHARE
        if not allowed.any():
            break
        q = corner(conditions, right, -np.log(np.maximum(left, TINY_SHARE)) * rng.random(left.size), allowed)
        if q is None:
            break
        found.append(q)
        used = q > 0
        take = float((left[used] / q[used]).min())
        left = np.where(used & (left - take * q <= TINY_SHARE * left), 0.0, np.maximum(left - take * q, 0))
    return np.array(found).T if found else np.empty((left.size, 0))


def _add_part(pool: Pool, part: Part, corners: Array) -> None:
    q = np.zeros((pool.split.p_x.size, corners.shape[1]))
    q[part.symbols] = corners
    pool.add_dense(q)
