"""A law, distortions and budgets as arrays, without what cannot occur."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.channel import MatrixChannel
from discreet.core.errors import AxisError, LawError, ParameterError
from discreet.core.joint import Joint
from discreet.core.protocols import Array, Codes

MOST_CELLS = 1_000_000
"""Up to so many probabilities p(y | x) a program is written down."""

MOST_TERMS = 20_000_000
"""Up to so many coefficients in all, one for each secret that can occur with an input, and each release."""

ROUNDING = 1e-12
"""A budget that is missed by this share of the largest distortion is met."""

DUST = 1e-12
"""A probability below it is what a solver leaves behind."""


class Solution(NamedTuple):
    """A channel's rows p[i, y], the least leak of any channel within the budgets, and how it was found."""

    rows: Array
    lower: float
    trace: dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Inputs i (a symbol x, or a pair (s, x)) with their masses p[s, i], distortions d[j, i, y] and budgets D[j].

    Only what has mass is here. `free[i, y]` says which releases an input may have; `d` is zero where it may not.
    """

    mass: Array
    distortion: Array
    budgets: Array
    free: NDArray[np.bool_]
    places: tuple[Codes, ...]
    shape: tuple[int, ...]

    @property
    def p_s(self) -> Array:
        """The masses of the secrets."""
        made: Array = self.mass.sum(axis=1)
        return made

    @property
    def p_i(self) -> Array:
        """The masses of the inputs."""
        made: Array = self.mass.sum(axis=0)
        return made

    @property
    def given(self) -> Array:
        """p(i | s) / p(i) = p(s | i) / p(s): the lift of the inputs."""
        return self.mass / np.outer(self.p_s, self.p_i)

    @property
    def scale(self) -> Array:
        """The largest distortion of each kind, or 1."""
        largest = np.abs(self.distortion).max(axis=(1, 2))
        return np.where(largest > 0, largest, 1.0)

    def expected(self, rows: Array) -> Array:
        """The expected distortions of a channel."""
        return np.array([float(self.p_i @ (d * rows).sum(axis=1)) for d in self.distortion])

    def over(self, rows: Array) -> float:
        """How far the worst budget is overspent, as a share of its largest distortion."""
        return float(((self.expected(rows) - self.budgets) / self.scale).max())

    def least(self, j: int = 0) -> Array:
        """The rows of the channel with the least distortion of one kind."""
        rows = np.zeros(self.free.shape)
        rows[np.arange(len(rows)), np.where(self.free, self.distortion[j], np.inf).argmin(axis=1)] = 1
        return rows

    def constants(self) -> Array:
        """How far a constant release overspends, for each symbol; infinite where some input may not have it."""
        spent = np.einsum("i,jiy->jy", self.p_i, self.distortion)
        over = ((spent - self.budgets[:, None]) / self.scale[:, None]).max(axis=0)
        return np.where(self.free.all(axis=0), over, np.inf)

    def swept(self, rows: Array) -> Array:
        """Rows that are laws: without the dust of a solver, each summing to one."""
        kept = np.where(self.free & (rows > DUST), rows, 0.0)
        empty = kept.sum(axis=1) == 0
        kept[empty] = self.least()[empty]
        # the second division takes what rounding left of the first
        for _ in range(2):
            kept /= kept.sum(axis=1, keepdims=True)
        return kept

    def channel(self, rows: Array, allowed: NDArray[np.bool_]) -> MatrixChannel:
        """The whole channel. An input without mass is given the law of the release, as far as it may have it."""
        released = np.where(allowed, self.p_i @ rows, 0.0)
        nothing = released.sum(axis=-1) <= 0
        released[nothing] = allowed[nothing]
        p = np.broadcast_to(
            released / released.sum(axis=-1, keepdims=True), (*self.shape, rows.shape[1])
        ).copy()
        p[self.places] = rows
        return MatrixChannel(p)


def problem_of(
    joint: Joint, distortion: ArrayLike, budget: ArrayLike, sees: str
) -> tuple[Problem, NDArray[np.bool_]]:
    """The problem of a law, and which releases each symbol x may have. Refuses what no channel can meet."""
    if joint.p.ndim != 2:
        raise AxisError(
            "least leakage for a law over the secret and X",
            f"{joint.p.ndim} axes: {', '.join(joint.names)}",
            'take .marginal("s", "x") first',
        )
    d, budgets = _tables(distortion, budget, joint.p.shape[1])
    allowed: NDArray[np.bool_] = np.logical_and.reduce(np.isfinite(d))
    if not allowed.any(axis=1).all():
        raise LawError(
            "a distortion with a finite number for each x",
            f"row {int(np.argmin(allowed.any(axis=1)))} forbids every release",
            "allow each x at least one release",
        )
    mass, places = _inputs(joint.p, sees)
    x = places[-1]
    _check_size(int(np.count_nonzero(mass)), len(x), d.shape[2])
    shape = joint.p.shape if sees == "sx" else joint.p.shape[1:]
    problem = Problem(mass, np.where(allowed, d, 0.0)[:, x], budgets, allowed[x], places, shape)
    return _feasible(problem), allowed


def _tables(distortion: ArrayLike, budget: ArrayLike, n_x: int) -> tuple[Array, Array]:
    budgets = np.atleast_1d(np.asarray(budget, dtype=np.float64))
    try:
        d = np.asarray(distortion, dtype=np.float64)
    except ValueError as ragged:
        raise AxisError(
            "distortion[x, y], or a list of such tables of one shape",
            f"{ragged}",
            "give each table the same columns; inf forbids a release",
        ) from ragged
    d = d[None] if d.ndim == 2 else d
    if budgets.ndim != 1 or d.ndim != 3 or d.shape[:2] != (budgets.size, n_x) or d.shape[2] == 0:
        raise AxisError(
            f"distortion[x, y] with {n_x} rows, or as many of them as budgets",
            f"distortions of shape {np.shape(distortion)} and budgets of shape {np.shape(budget)}",
            "give one row for each x and one column for each release; a list of budgets needs a list of tables",
        )
    wrong = np.isnan(d) | (d == -np.inf)
    if wrong.any() or not np.isfinite(budgets).all():
        raise ParameterError(
            "finite budgets, and distortions that are numbers (inf forbids a release)",
            f"{int(wrong.sum())} distortions that are NaN or −inf, budgets {budgets.tolist()}",
            "correct these numbers",
        )
    return d, budgets


def _inputs(p: Array, sees: str) -> tuple[Array, tuple[Codes, ...]]:
    """The masses p[s, i] of what the mechanism sees, and where these inputs stand."""
    kept = p[p.sum(axis=1) > 0]
    if sees == "x":
        (x,) = np.nonzero(p.sum(axis=0) > 0)
        return np.ascontiguousarray(kept[:, x]), (x,)
    s, x = np.nonzero(p > 0)
    rank = np.cumsum(p.sum(axis=1) > 0) - 1
    mass = np.zeros((len(kept), s.size))
    mass[rank[s], np.arange(s.size)] = p[s, x]
    return mass, (s, x)


def _check_size(occur: int, inputs: int, releases: int) -> None:
    if inputs * releases > MOST_CELLS or occur * releases > MOST_TERMS:
        raise ParameterError(
            f"a program with at most {MOST_CELLS:,} probabilities and {MOST_TERMS:,} coefficients",
            f"{inputs:,} inputs × {releases:,} releases, {occur * releases:,} coefficients",
            "group rare symbols first, or offer fewer releases",
        )


def _feasible(problem: Problem) -> Problem:
    """The problem without the releases that a tight budget leaves no room for; refused if a budget cannot be met."""
    free = problem.free
    for j, budget in enumerate(problem.budgets):
        d = np.where(problem.free, problem.distortion[j], np.inf)
        best = d.min(axis=1)
        room = budget - float(problem.p_i @ best)
        slack = ROUNDING * float(problem.scale[j])
        if room < -slack:
            raise ParameterError(
                f"an expected distortion of at most {budget:.6g}"
                + (f" (budget {j})" if len(problem.budgets) > 1 else ""),
                f"the least attainable is {budget - room:.12g}",
                "raise the budget to that, or offer releases that are nearer",
            )
        if room <= slack:
            free = free & (d <= best[:, None] + slack)
    if not free.any(axis=1).all():
        raise ParameterError(
            "budgets that one channel can meet together",
            "each is at its least, and no release is nearest in every sense for some x",
            "raise one of the budgets",
        )
    return Problem(problem.mass, problem.distortion, problem.budgets, free, problem.places, problem.shape)
