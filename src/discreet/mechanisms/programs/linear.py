"""Linear programs in the joint masses m(i, y) = p(i) p(y | i), solved by HiGHS."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.mechanisms.programs.bound import least_score
from discreet.mechanisms.programs.problem import Problem, Solution

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SIMPLEX_CELLS = 5_000
"""Up to so many probabilities the simplex is the faster way, beyond it interior points."""

TOLERANCE = 1e-10


class Cells:
    """The free cells of a problem and the rows of a linear program over them.

    Distortions are counted from the usual one of the input, and so are the budgets: the rows of Hamming's have then one
    entry for each input instead of all but one, with which the simplex takes a tenth of the steps.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.i: Codes
        self.y: Codes
        self.i, self.y = np.nonzero(problem.free)
        self.n_y = problem.free.shape[1]
        self.n = self.i.size
        usual = np.median(problem.distortion, axis=2)
        self.spent: Array = problem.distortion[:, self.i, self.y] - usual[:, self.i]
        self.budgets: Array = problem.budgets - usual @ problem.p_i

    def sums(self, table: Array) -> csr_array:
        """Σ_i table[k, i] m(i, y), one row for each (k, y)."""
        from scipy.sparse import coo_array, csc_array

        picked = csc_array(table)[:, self.i].tocoo()
        row = picked.row.astype(np.int64) * self.n_y + self.y[picked.col]
        return coo_array((picked.data, (row, picked.col)), shape=(len(table) * self.n_y, self.n)).tocsr()

    def each(self, count: int, value: float = 1.0) -> csr_array:
        """A variable for each y in the rows (k, y), k < count."""
        from scipy.sparse import csr_array

        y = np.tile(np.arange(self.n_y), count)
        return csr_array((np.full(y.size, value), (np.arange(y.size), y)), shape=(y.size, self.n_y))

    def by_input(self) -> csr_array:
        """Σ_y m(i, y), one row for each input."""
        from scipy.sparse import csr_array

        return csr_array(
            (np.ones(self.n), (self.i, np.arange(self.n))), shape=(len(self.problem.p_i), self.n)
        )

    def rows(self, m: Array) -> Array:
        """The channel of these joint masses."""
        p = np.zeros(self.problem.free.shape)
        p[self.i, self.y] = m / self.problem.p_i[self.i]
        return self.problem.swept(p)


class Solved(NamedTuple):
    """A solver's answer: the point, and what one more unit of each right-hand side is worth."""

    x: Array
    upper: Array
    equal: Array
    iterations: int
    ok: bool


def solve(
    cost: Array, upper: Any, most: Array, equal: Any, exactly: Array, *, free_last: bool = False
) -> Solved:
    """min cost · x  subject to  upper x ≤ most, equal x = exactly, x ≥ 0 (but for the last, if that is free)."""
    from scipy.optimize import linprog

    bounds = np.tile([0.0, np.inf], (cost.size, 1))
    if free_last:
        bounds[-1, 0] = -np.inf
    first, second = ("highs-ds", "highs-ipm") if cost.size <= SIMPLEX_CELLS else ("highs-ipm", "highs-ds")
    for method, presolve in ((first, False), (first, True), (second, True)):
        found = linprog(
            cost,
            A_ub=upper,
            b_ub=most,
            A_eq=equal,
            b_eq=exactly,
            bounds=bounds,
            method=method,
            options={
                "presolve": presolve,
                "primal_feasibility_tolerance": TOLERANCE,
                "dual_feasibility_tolerance": TOLERANCE,
            },
        )
        if found.status == 0:
            return Solved(found.x, -found.ineqlin.marginals, found.eqlin.marginals, int(found.nit), True)
    nothing = np.zeros(cost.size)
    return Solved(nothing, np.zeros(len(most)), np.zeros(len(exactly)), 0, False)


def largest_cells(problem: Problem, weight: Array) -> Solution:
    """The channel with the least Σ_y max_s w(s) p(s, y): an adversary's guesses.

    min Σ_y t(y)   subject to   t(y) ≥ w(s) Σ_i p(s | i) m(i, y),   Σ_y m(i, y) = p(i),   Σ d_j m ≤ D_j

    w = 1 is the guessing probability, w = 1 / p(s) the exponential of maximal leakage. The scores of the bound are the
    odds with which the adversary mixes his guesses, the multipliers of the first rows.
    """
    from scipy.sparse import csr_array, hstack, vstack

    cells, n_s = Cells(problem), len(weight)
    told = cells.sums(weight[:, None] * problem.mass / problem.p_i)
    upper = vstack(
        [
            hstack([told, cells.each(n_s, -1.0)]),
            hstack([csr_array(cells.spent), csr_array((len(problem.budgets), cells.n_y))]),
        ],
        format="csc",
    )
    equal = hstack([cells.by_input(), csr_array((len(problem.p_i), cells.n_y))], format="csc")
    cost = np.concatenate([np.zeros(cells.n), np.ones(cells.n_y)])
    most = np.concatenate([np.zeros(n_s * cells.n_y), cells.budgets])
    found = solve(cost, upper, most, equal, problem.p_i)
    odds = np.maximum(found.upper[: n_s * cells.n_y].reshape(n_s, cells.n_y), 0.0)
    total = odds.sum(axis=0)
    odds = np.where(total > 0, odds / np.where(total > 0, total, 1.0), 1.0 / n_s)
    prices = found.upper[n_s * cells.n_y :]
    lower = max(least_score(problem, weight[:, None] * odds, prices), float((weight * problem.p_s).max()))
    return Solution(cells.rows(found.x[: cells.n]), lower, told_of(found, prices))


def guessing_probability(problem: Problem) -> Solution:
    """The channel from which the secret is guessed least often."""
    from discreet.mechanisms.programs.guesses import by_rule

    return by_rule(problem) or largest_cells(problem, np.ones(len(problem.p_s)))


def maximal_leakage(problem: Problem) -> Solution:
    """The channel of least maximal leakage."""
    found = largest_cells(problem, 1 / problem.p_s)
    return found._replace(lower=math.log(found.lower))


def told_of(found: Solved, prices: Array) -> dict[str, Any]:
    """What a design says about the solver's work."""
    return {"solver": "HiGHS", "iterations": found.iterations, "prices": prices, "solved": found.ok}


def nearest(problem: Problem) -> tuple[Array, float]:
    """The channel that overspends least, and by how much, as a share of the largest distortion of the worst budget."""
    if len(problem.budgets) == 1:
        rows = problem.least()
        return rows, problem.over(rows)
    from scipy.sparse import csr_array, hstack

    cells = Cells(problem)
    upper = np.column_stack([cells.spent, -problem.scale])
    equal = hstack([cells.by_input(), csr_array((len(problem.p_i), 1))], format="csc")
    cost = np.append(np.zeros(cells.n), 1.0)
    found = solve(cost, upper, cells.budgets, equal, problem.p_i, free_last=True)
    rows = cells.rows(found.x[:-1])
    return rows, problem.over(rows)
