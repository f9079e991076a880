"""The least leakage at which a release still resembles its record."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.design import Design
from discreet.core.errors import ParameterError
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.measures.arguments import choice
from discreet.mechanisms.measured import Leakage, designed
from discreet.mechanisms.programs import cones, levels, linear, mirror
from discreet.mechanisms.programs.problem import ROUNDING, Problem, Solution, problem_of
from discreet.mechanisms.programs.silence import silent

CONES = 5_000
"""Up to so many probabilities p(y | x) mutual information is left to the cone solver."""


def _information(problem: Problem) -> Solution:
    """The cone solver's answer where the program is small and it has one; else that of mirror descent."""
    if problem.free.size <= CONES:
        found = cones.mutual_information(problem)
        if found.trace["solved"]:
            return found
    return mirror.mutual_information(problem)


PROGRAMS = {
    "mutual_information": _information,
    "chi_squared": cones.chi_squared,
    "guessing_probability": linear.guessing_probability,
    "maximal_leakage": linear.maximal_leakage,
    "local_privacy": levels.local_privacy,
    "lift_privacy": levels.lift_privacy,
}

AVERAGES = ("mutual_information", "chi_squared", "guessing_probability", "maximal_leakage")
"""Measures that a mixture of two channels does not exceed by more than it weighs."""

TOGETHER = 1e-9
"""Budgets are met together when the worst is overspent by no more than this share of its largest distortion."""

NOTHING = 1e-8
"""A leak this small may be none at all: then a silent channel is looked for."""


def least_leakage(
    joint: Joint,
    distortion: ArrayLike,
    budget: ArrayLike,
    leakage: Leakage = "mutual_information",
    sees: Literal["x", "sx"] = "x",
) -> Design:
    """The channel that leaks least among those that change the records no more than the budget allows.

    min L(S; Y)   subject to   E d(X, Y) ≤ D

    `distortion[x, y]` is any table of costs, one column for each symbol that may be released, infinite where a
    release is forbidden; `budget` bounds its expectation. A list of budgets wants a list of tables, and all are met.
    `leakage` is mutual_information, guessing_probability, maximal_leakage, local_privacy, lift_privacy or chi_squared.
    With `sees="sx"` the mechanism reads the secret as well, which buys a smaller leak at the same distortion.

    The problem is convex (for the worst-cell measures, convex at every level), and the design is OPTIMAL when its
    leak meets a lower bound that is computed from an adversary's scores and the prices of the budgets, without trust
    in the solver. Among channels that say nothing at all the one of least distortion is chosen. The trace has the
    expected distortions, the prices of the budgets, and I(S; Y) whatever was minimised: a secret that is guessed no
    more often than without the release may still be told much about. A symbol without mass is given the law of the
    release.

    Mutual information and χ² are cone programs, the others linear ones, with |X| |Y| probabilities and |S| |Y| rows or
    cones; at 56 × 14 × 56 mutual information takes some tenths of a second. Beyond 5,000 probabilities mutual
    information is found by mirror descent, O(|S| |X| |Y|) a step: some seconds for 250 symbols.

    >>> hamming = [[0, 1], [1, 0]]
    >>> least_leakage(Joint([[.375, .125], [.125, .375]]), hamming, .1, "guessing_probability").leakage
    V(S|Y) = 0.7 (exact, of this law)
    >>> least_leakage(Joint([[.375, .125], [.125, .375]]), hamming, .1, "guessing_probability", sees="sx").leakage
    V(S|Y) = 0.65 (exact, of this law)

    References: paper 002, equation (1); paper 004, equations (20)–(30) and Theorem 1.
    """
    choice("leakage", leakage, tuple(PROGRAMS))
    choice("sees", sees, ("x", "sx"))
    problem, allowed = problem_of(joint, distortion, budget, sees)
    _check_together(problem)
    found = _solved(problem, leakage)
    rows = _within(problem, found.rows, leakage)
    channel = problem.channel(rows, allowed)
    trace = found.trace | {"distortion": problem.expected(rows), "budget": problem.budgets}
    return designed(joint, channel, leakage, lower=found.lower, solved=trace.pop("solved"), trace=trace)


def _check_together(problem: Problem) -> None:
    """Refuse budgets of which each can be met, but not all by one channel."""
    if len(problem.budgets) == 1:
        return
    rows, over = linear.nearest(problem)
    if over > TOGETHER:
        spent = ", ".join(f"{value:.6g}" for value in problem.expected(rows))
        raise ParameterError(
            f"one channel with expected distortions of at most {problem.budgets.tolist()}",
            f"each can be met, but not together; the nearest channel spends {spent}",
            "raise one of the budgets, or offer releases that are nearer in every sense",
        )


def _solved(problem: Problem, leakage: Leakage) -> Solution:
    """The program's answer, the only channel where there is one, or a silent channel where the budgets leave room."""
    floor = float(problem.p_s.max()) if leakage == "guessing_probability" else 0.0
    if problem.constants().min() <= 0:
        found = silent(problem)
        if found is not None:
            return found._replace(lower=floor)
    if (problem.free.sum(axis=1) == 1).all():
        return Solution(problem.least(), np.inf, {"solver": "none", "solved": True})
    found = PROGRAMS[leakage](problem)
    if leakage == "guessing_probability" or found.lower > NOTHING:
        return found
    better = silent(problem)
    return found if better is None else better._replace(lower=floor)


def _within(problem: Problem, rows: Array, leakage: Leakage) -> Array:
    """The channel, with so much of the one nearest to all budgets as it takes to meet them to the last digits."""
    over = problem.over(rows)
    if over <= ROUNDING or leakage not in AVERAGES:
        return rows
    near, room = linear.nearest(problem)
    share = min(over / (over - room), 1.0) if over > room else 0.0
    mixed = (1 - share) * rows + share * near
    made: Array = mixed / mixed.sum(axis=1, keepdims=True)
    return made
