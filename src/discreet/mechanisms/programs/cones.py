"""Cone programs in the probabilities p(y | i), solved by Clarabel: mutual information and χ²."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from discreet.core.protocols import Array
from discreet.mechanisms.programs.bound import least_score
from discreet.mechanisms.programs.linear import Cells
from discreet.mechanisms.programs.problem import Problem, Solution

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TOLERANCE = 1e-10
MOST_STEPS = 200

STEPS = (0.99, 0.9, 0.7)
"""How much of the way to the edge of a cone a step may go; shorter where the solver gets stuck on rare symbols."""


class _Solved(NamedTuple):
    x: Array
    z: Array
    iterations: int
    said: str


def mutual_information(problem: Problem) -> Solution:
    """The channel with the least I(S; Y).

    min Σ p(s) t(s, y)   subject to   t ≥ u log(u / v),   u(s, y) = p(y | s),   v(y) = p(y)

    One exponential cone for each (s, y). The scores of the bound are the adversary's log-odds against the prior,
    g(s, y) = log of a density r(s | y) / p(s), read from the cones' multipliers and normalised: any such bet earns at
    most I(S; Y).
    """
    cells, p_s = Cells(problem), problem.p_s
    n_s, n_y, n = len(p_s), cells.n_y, cells.n
    cone = _stack(
        [
            [_zeros(n_s * n_y, n), _eye(n_s * n_y), _zeros(n_s * n_y, n_y)],
            [-cells.sums(problem.mass / p_s[:, None]), _zeros(n_s * n_y, n_s * n_y), _zeros(n_s * n_y, n_y)],
            [_zeros(n_s * n_y, n + n_s * n_y), -cells.each(n_s)],
        ]
    )
    by_cell = np.arange(3 * n_s * n_y).reshape(3, -1).T.ravel()
    cost = np.concatenate([np.zeros(n), np.repeat(p_s, n_y), np.zeros(n_y)])
    found = _solve(cells, cost, cone[by_cell], "exponential", n_s * n_y)
    prices, z = _multipliers(problem, found, n_s * n_y * 3)
    bets = -z.reshape(n_s, n_y, 3)[..., 1] / p_s[:, None]
    bets -= bets.max(axis=0)
    bets -= np.log((p_s[:, None] * np.exp(bets)).sum(axis=0))
    return _solution(cells, found, max(least_score(problem, bets, prices), 0.0), prices)


def chi_squared(problem: Problem) -> Solution:
    """The channel with the least χ²(S; Y).

    min Σ_y u(y)   subject to   Σ_s (p(s, y) − p(s) v(y))² / p(s) ≤ u(y) v(y),   v(y) = p(y)

    One quadratic cone for each y. The scores of the bound are 2 h(s, y) − Σ p(s) h², for a function h of the secret
    with mean zero, read from the cones' multipliers: since a² / v ≥ 2 a h − v h², no such bet earns more than χ².
    """
    cells, p_s = Cells(problem), problem.p_s
    n_s, n_y, n = len(p_s), cells.n_y, cells.n
    root = np.sqrt(p_s)
    told = cells.sums((problem.mass - np.outer(p_s, problem.p_i)) / root[:, None])
    eye, none = _eye(n_y), _zeros(n_y, n)
    cone = _stack([[none, -eye, -eye], [none, -eye, eye], [-2 * told, _zeros(n_s * n_y, 2 * n_y)]])
    by_release = np.arange((n_s + 2) * n_y).reshape(n_s + 2, n_y).T.ravel()
    cost = np.concatenate([np.zeros(n), np.ones(n_y), np.zeros(n_y)])
    found = _solve(cells, cost, cone[by_release], "quadratic", n_y)
    prices, z = _multipliers(problem, found, (n_s + 2) * n_y)
    bets = -z.reshape(n_y, n_s + 2).T[2:] / root[:, None]
    bets -= p_s @ bets
    bets = 2 * bets - p_s @ bets**2
    return _solution(cells, found, max(least_score(problem, bets, prices), 0.0), prices)


def _solve(cells: Cells, cost: Array, cone: Any, kind: str, count: int) -> _Solved:
    """Variables: the cells, one for each cone, and p(y); rows: the laws, p(y), cells ≥ 0, the budgets, the cones."""
    import clarabel  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from scipy.sparse import csc_array, csc_matrix

    problem, n, n_y = cells.problem, cells.n, cells.n_y
    n_i, n_j, rest = len(problem.p_i), len(problem.budgets), count + n_y
    total = cells.sums(problem.p_i[None])
    spent = csc_array(cells.spent * problem.p_i[cells.i] / problem.scale[:, None])
    rows = _stack(
        [
            [cells.by_input(), _zeros(n_i, rest)],
            [total, _zeros(n_y, count), -_eye(n_y)],
            [-_eye(n), _zeros(n, rest)],
            [spent, _zeros(n_j, rest)],
            [cone],
        ]
    )
    right = np.concatenate(
        [np.ones(n_i), np.zeros(n_y + n), cells.budgets / problem.scale, np.zeros(cone.shape[0])]
    )
    cones = [clarabel.ZeroConeT(n_i + n_y), clarabel.NonnegativeConeT(n + n_j)]
    if kind == "exponential":
        cones += [clarabel.ExponentialConeT()] * count
    else:
        cones += [clarabel.SecondOrderConeT(cone.shape[0] // count)] * count
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = MOST_STEPS
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = TOLERANCE
    nothing = csc_matrix((cost.size, cost.size))
    for settings.max_step_fraction in STEPS:
        found = clarabel.DefaultSolver(nothing, cost, csc_matrix(rows), right, cones, settings).solve()
        if "Solved" in str(found.status):
            break
    return _Solved(np.array(found.x), np.array(found.z), int(found.iterations), str(found.status))


def _multipliers(problem: Problem, found: _Solved, of_cones: int) -> tuple[Array, Array]:
    """The prices of the budgets, and the multipliers of the cones; zero where the solver has none."""
    z = np.nan_to_num(found.z)
    n_j = len(problem.budgets)
    return np.maximum(z[-of_cones - n_j : -of_cones], 0.0) / problem.scale, z[-of_cones:]


def _solution(cells: Cells, found: _Solved, lower: float, prices: Array) -> Solution:
    rows = np.zeros(cells.problem.free.shape)
    rows[cells.i, cells.y] = np.nan_to_num(found.x[: cells.n])
    trace = {"solver": "Clarabel", "iterations": found.iterations, "prices": prices, "said": found.said}
    return Solution(cells.problem.swept(rows), lower, trace | {"solved": "Solved" in found.said})


def _stack(blocks: list[list[Any]]) -> csr_array:
    from scipy.sparse import hstack, vstack

    return vstack([hstack(row) for row in blocks], format="csr")


def _zeros(rows: int, columns: int) -> csr_array:
    from scipy.sparse import csr_array

    return csr_array((rows, columns))


def _eye(size: int) -> csr_array:
    from scipy.sparse import eye_array

    return eye_array(size, format="csr")
