"""The worst cell as small as the budgets allow: linear programs that step down from a channel to the least level."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np

from discreet.core.protocols import Array
from discreet.mechanisms.programs.linear import Cells, Solved, nearest, solve, told_of
from discreet.mechanisms.programs.problem import Problem, Solution

MOST_STEPS = 40
"""So many linear programs before the search stops with the bound it has."""

CLOSED = 1e-9
"""A level this near to its bound, as a share of it, is the least."""

HIGHEST = 1e8
"""A lift beyond this is not told from infinity: what is left of a probability is the solver's rounding."""

LIGHT = 1e-6
"""What a release weighs at least, beside the heaviest."""

ROUNDING = 1e-13
"""What the rounding of a sum of prices may amount to, beside the largest of them."""

Kind = Literal["local", "lift"]


def local_privacy(problem: Problem) -> Solution:
    """The channel with the least sup over y of the range of log p(y | s)."""
    return least_level(problem, "local")


def lift_privacy(problem: Problem) -> Solution:
    """The channel with the least sup |log l(s, y)|."""
    return least_level(problem, "lift")


def least_level(problem: Problem, kind: Kind) -> Solution:
    """The least level r = e^ε at which a channel within the budgets exists.

    local:  a(y) ≤ p(y | s) ≤ r a(y)            lift:  p(y) / r ≤ p(y | s) ≤ r p(y)

    The row minima a(y) keep it at 2 |S| |Y| rows instead of |S|² |Y|. It is the least of a largest ratio of linear
    functions: from a channel of level r, the program looks for the one that stays furthest below r in every cell,
    weighed by the cell's own denominator, which is the next channel. The levels fall faster than geometrically,
    usually in about ten programs. The multipliers of a program prove that no channel is within the budgets below
    another level; where the two do not meet, the next program aims between them.
    """
    rows = _start(problem)
    level = level_of(problem, rows, kind)
    if not level <= HIGHEST:
        return Solution(rows, 0.0, {"solver": "rule", "solved": False})
    cells, lower, aim = Cells(problem), 1.0, level
    trace: dict[str, Any] = {}
    for step in range(MOST_STEPS):
        told = problem.mass @ rows / problem.p_s[:, None]
        found = _program(cells, kind, aim, told)
        if not found.ok:
            break
        lower = max(lower, _root(problem, _line(problem, kind, found, told), level))
        trace = told_of(found, found.upper[-len(problem.budgets) :]) | {"levels": step + 1}
        nearer = cells.rows(found.x[: cells.n])
        reached = level_of(problem, nearer, kind)
        stuck = reached >= level * (1 - CLOSED)
        if reached < level:
            rows, level = nearer, reached
        if level <= lower * (1 + CLOSED):
            break
        aim = math.sqrt(lower * level) if stuck else level
    return Solution(rows, math.log(min(lower, level)), trace | {"solved": level <= lower * (1 + 1e-6)})


def level_of(problem: Problem, rows: Array, kind: Kind) -> float:
    """The level of a channel: its largest ratio."""
    told = problem.mass @ rows / problem.p_s[:, None]
    used = told.max(axis=0) > 0
    high, low, mean = told.max(axis=0)[used], told.min(axis=0)[used], (problem.p_i @ rows)[used]
    with np.errstate(divide="ignore"):
        ratio = high / low if kind == "local" else np.maximum(high / mean, mean / low)
    return float(ratio.max())


def _start(problem: Problem) -> Array:
    """The channel nearest to all budgets, mixed with its own output, independent of the input, as far as they allow."""
    rows, over = nearest(problem)
    law = np.where(problem.free.all(axis=0), problem.p_i @ rows, 0.0)
    if over >= 0 or law.sum() == 0:
        return rows
    blind = np.broadcast_to(law / law.sum(), rows.shape)
    share = min(-over / max(problem.over(blind) - over, -over), 1.0)
    mixed: Array = (1 - share) * rows + share * blind
    return mixed


def _program(cells: Cells, kind: Kind, level: float, told: Array) -> Solved:
    """How far below this level a channel within the budgets can stay in every cell; the last variable says it.

    The variables are the cells, a(y) or p(y), and θ: a cell's numerator − r · denominator ≤ θ · what the denominator
    is now.
    """
    from scipy.sparse import csr_array, diags_array, hstack, vstack

    problem, n_s, n_i, n_j = cells.problem, len(told), len(cells.problem.p_i), len(cells.problem.budgets)
    given, one = cells.sums(problem.given), np.ones((n_s * cells.n_y, 1))
    high, low = (diags_array(1 / w.ravel()) for w in _weights(problem, kind, told))
    turned, slack = (-1.0, 0.0) if kind == "local" else (-level, -1.0)
    upper = vstack(
        [
            hstack([high @ hstack([given, cells.each(n_s, -level)]), csr_array(-one)]),
            hstack([low @ hstack([given * turned, cells.each(n_s)]), csr_array(slack * one)]),
            hstack([csr_array(cells.spent), csr_array((n_j, cells.n_y + 1))]),
        ],
        format="csc",
    )
    most = np.concatenate([np.zeros(2 * n_s * cells.n_y), cells.budgets])
    equal = hstack([cells.by_input(), csr_array((n_i, cells.n_y + 1))])
    exactly = problem.p_i
    if kind == "lift":
        total = cells.sums(np.ones((1, n_i)))
        equal = vstack([equal, hstack([total, cells.each(1, -1.0), csr_array((cells.n_y, 1))])])
        exactly = np.append(exactly, np.zeros(cells.n_y))
    cost = np.append(np.zeros(cells.n + cells.n_y), 1.0)
    return solve(cost, upper, most, equal.tocsc(), exactly, free_last=True)


def _weights(problem: Problem, kind: Kind, told: Array) -> tuple[Array, Array]:
    """The denominators of the ratios at the present channel; a release that is not used weighs little."""
    mean = problem.p_s @ told
    least = LIGHT * mean.max()
    if kind == "local":
        both = np.broadcast_to(np.maximum(told.min(axis=0), least), told.shape)
        return both, both
    return np.broadcast_to(np.maximum(mean, least), told.shape), np.maximum(told, least)


class _Line(NamedTuple):
    """What a cell costs at level r by one program's multipliers, base − r · slope; what the budgets give back."""

    base: Array
    slope: Array
    refund: float

    def at(self, problem: Problem, level: float) -> tuple[float, float, float]:
        """Above zero, no channel within the budgets has this level; how fast that falls; the size of the terms."""
        cost = np.where(problem.free, self.base - level * self.slope, np.inf)
        pick = np.arange(len(cost)), cost.argmin(axis=1)
        falls = float(problem.p_i @ self.slope[pick])
        terms = abs(self.refund) + float(problem.p_i @ np.abs(self.base[pick])) + level * abs(falls)
        return float(problem.p_i @ cost[pick]) - self.refund, -falls, terms


def _line(problem: Problem, kind: Kind, found: Solved, told: Array) -> _Line:
    """The multipliers of one program as prices of the cells at any level."""
    n_s, n_y = len(problem.p_s), problem.free.shape[1]
    above, below = np.maximum(found.upper[: 2 * n_s * n_y], 0.0).reshape(2, n_s, n_y)
    high, low = _weights(problem, kind, told)
    above, below = above / high, below / low
    prices = np.maximum(found.upper[2 * n_s * n_y :], 0.0)
    given, refund = problem.given, float(prices @ problem.budgets)
    base = np.tensordot(prices, problem.distortion, 1) + given.T @ above
    if kind == "lift":
        return _Line(base + below.sum(axis=0), above.sum(axis=0) + given.T @ below, refund)
    # a(y) must not earn anything: its prices are turned with the level
    total = below.sum(axis=0)
    below = below * np.divide(above.sum(axis=0), total, out=np.zeros_like(total), where=total > 0)
    return _Line(base, given.T @ below, refund)


def _root(problem: Problem, line: _Line, level: float) -> float:
    """The largest level up to this one that the multipliers prove too low; 1 if they prove nothing.

    The function is concave and above zero at its root's left, so Newton's steps from the right end at the root.
    """
    if line.at(problem, 1.0)[0] <= 0:
        return 1.0
    while True:
        value, slope, terms = line.at(problem, level)
        if value >= -ROUNDING * terms:
            return level
        if slope >= 0 or level <= 1:
            return 1.0
        level = max(level - max(value / slope, ROUNDING * level), 1.0)
