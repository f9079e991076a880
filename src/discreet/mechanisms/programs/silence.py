"""The least distortion at which nothing is said."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.core.protocols import Array
from discreet.mechanisms.programs.linear import Cells, nearest, solve, told_of
from discreet.mechanisms.programs.problem import DUST, Problem, Solution

ZERO = 1e-12
"""A direction of the lift this small, beside the largest, tells nothing."""

HEARD = 1e-9
"""A lift this far from 1 tells something: with very rare secrets the solver's rounding may."""

MOST_POLISHED = 3_000
"""Up to so many masses the equations of independence are met to the last digits."""


def silent(problem: Problem) -> Solution | None:
    """The channel that distorts least of those whose release is independent of the secret; None if all overspend.

    min Σ d m   subject to   Σ_i (p(s | i) − p(s)) m(i, y) = 0 for each s and y,   Σ_y m(i, y) = p(i)

    With several budgets it is the channel that overspends the worst of them least. Where rounding lets it tell
    something, a constant release is taken if the budgets allow one. Only as many rows are kept as the
    lift has directions; if it has as many as there are inputs, only constant releases are independent.
    """
    telling = _directions(problem)
    if len(telling) == 0:
        rows, _ = nearest(problem)
        trace = {"solver": "none", "solved": True}
    elif len(telling) >= len(problem.p_i) - 1 or problem.free.shape[1] == 1:
        rows, trace = _constant(problem), {"solver": "none", "solved": True}
    else:
        rows, trace = _program(problem, telling)
        if _heard(problem, rows) and problem.constants().min() <= 0:
            rows = _constant(problem)
    if problem.over(rows) > ZERO:
        return None
    return Solution(rows, 0.0, trace)


def _directions(problem: Problem) -> Array:
    """Rows that span what an input may tell: r(k, i) with Σ_i p(i) r(k, i) = 0."""
    weighed = (problem.mass - np.outer(problem.p_s, problem.p_i)) / np.sqrt(problem.p_i)
    weighed /= np.sqrt(problem.p_s)[:, None]
    _, size, rows = np.linalg.svd(weighed, full_matrices=False)
    found: Array = rows[size > ZERO] / np.sqrt(problem.p_i)
    return found


def _heard(problem: Problem, rows: Array) -> bool:
    """Whether some secret has another law of the release than the rest."""
    mean = problem.p_i @ rows
    apart = np.abs(problem.mass @ rows / problem.p_s[:, None] - mean)
    return bool((apart > HEARD * mean).any())


def _constant(problem: Problem) -> Array:
    rows = np.zeros(problem.free.shape)
    rows[:, int(problem.constants().argmin())] = 1
    return rows


def _program(problem: Problem, telling: Array) -> tuple[Array, dict[str, Any]]:
    from scipy.sparse import csr_array, hstack, vstack

    cells = Cells(problem)
    told = cells.sums(telling)
    equal = hstack(
        [vstack([cells.by_input(), told]), csr_array((len(problem.p_i) + told.shape[0], 1))], format="csc"
    )
    exactly = np.concatenate([problem.p_i, np.zeros(told.shape[0])])
    upper = np.column_stack([cells.spent, -problem.scale])
    cost = np.append(np.zeros(cells.n), 1.0)
    found = solve(cost, upper, cells.budgets, equal, exactly, free_last=True)
    if not found.ok:
        return _constant(problem), told_of(found, found.upper)
    return cells.rows(_exact(equal[:, :-1], exactly, found.x[:-1])), told_of(found, found.upper)


def _exact(equal: Any, exactly: Array, m: Array) -> Array:
    """The masses moved by as little as it takes to meet the equations to the last digits."""
    used = m > DUST * m.max()
    if np.count_nonzero(used) > MOST_POLISHED:
        return m
    left = equal[:, used].toarray()
    change = np.linalg.lstsq(left, exactly - left @ m[used], rcond=None)[0]
    m = np.where(used, m, 0.0)
    m[used] += change
    return m
