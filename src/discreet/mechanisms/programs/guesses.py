"""The channel from which the secret is guessed least often, by rule, where a proof shows that none does better."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.mechanisms.programs.bound import least_score
from discreet.mechanisms.programs.problem import ROUNDING, Problem, Solution

MET = 1e-12
"""A guessing probability this near to its bound meets it."""


class _Moves(NamedTuple):
    """Every input stays at home or pays the same to move elsewhere: who gains by moving, and where to."""

    home: Codes
    price: float
    guess: Codes
    target: Codes
    rate: Array


def by_rule(problem: Problem) -> Solution | None:
    """A channel made by rule, if its guessing probability meets the bound; otherwise None.

    Two rules are tried. One mixes the channel of least distortion with the best constant release. The other is for
    distortions that only ask whether a symbol was changed, as Hamming's: the symbols that betray most for their mass
    change sides, to symbols from which another secret is guessed, as long as no guess turns. The bound supposes that
    the adversary guesses as if nothing had been changed, so it is met while he is right to do so. O(|S| |inputs| |Y|).
    """
    if len(problem.budgets) > 1:
        return None
    floor = float(problem.p_s.max())
    best: tuple[float, Array] | None = None
    moves = _moves(problem)
    price = 0.0 if moves is None else _price(problem, moves)
    lower = max(floor, least_score(problem, _bets(problem), np.array([price])))
    for rows in (_mixed(problem), None if moves is None else _moved(problem, moves)):
        if rows is not None and problem.over(rows) <= ROUNDING:
            guessed = float((problem.mass @ rows).max(axis=0).sum())
            best = min(best or (guessed, rows), (guessed, rows), key=lambda pair: pair[0])
    if best is None or best[0] > lower + MET:
        return None
    return Solution(best[1], lower, {"solver": "rule", "prices": np.array([price]), "solved": True})


def _bets(problem: Problem) -> Array:
    """The adversary's guess from each release as it is before anything is changed: a one in its column."""
    at_home = problem.mass @ problem.least()
    return np.eye(len(at_home))[:, at_home.argmax(axis=0)]


def _mixed(problem: Problem) -> Array | None:
    """The channel of least distortion, mixed with the cheapest constant release until the budget is spent."""
    over = problem.constants()
    cheapest = int(over.argmin())
    rows = problem.least()
    if not np.isfinite(over[cheapest]):
        return None
    room = -problem.over(rows)
    share = 1.0 if over[cheapest] <= 0 else max(room, 0.0) / (max(room, 0.0) + float(over[cheapest]))
    rows *= 1 - share
    rows[:, cheapest] += share
    return rows


def _moves(problem: Problem) -> _Moves | None:
    d = problem.distortion[0]
    home = d.argmin(axis=1)
    least = d[np.arange(len(d)), home]
    extra = d - least[:, None]
    price = float(extra.max())
    alike = np.count_nonzero(np.abs(extra - price) <= ROUNDING * price) == d.size - len(d)
    if price == 0 or not alike or not problem.free.all():
        return None
    guess = _bets(problem).argmax(axis=0)
    offered = np.unique(guess)
    if offered.size < 2:
        return None
    told = problem.mass[offered] / problem.p_i
    own = np.searchsorted(offered, guess[home])
    other = told.copy()
    other[own, np.arange(len(d))] = np.inf
    target = other.argmin(axis=0)
    rate = told[own, np.arange(len(d))] - other[target, np.arange(len(d))]
    return _Moves(home, price, guess, offered[target], rate)


def _order(problem: Problem, moves: _Moves) -> tuple[Codes, Array]:
    """The inputs by falling gain, and the mass that each moves: the budget, or until nothing is to be gained."""
    order = np.argsort(-moves.rate, kind="stable")
    mass = problem.p_i[order]
    budget = -problem.over(problem.least()) * float(problem.scale[0]) / moves.price
    moved = np.clip(budget - (np.cumsum(mass) - mass), 0, mass)
    gained = moved * moves.rate[order]
    guessed = float((problem.mass @ problem.least()).max(axis=0).sum())
    most = guessed - float(problem.p_s.max())
    left = np.clip(most - (np.cumsum(gained) - gained), 0, gained)
    moved *= np.divide(left, gained, out=np.zeros_like(left), where=gained > 0)
    return order, moved


def _price(problem: Problem, moves: _Moves) -> float:
    """What one unit of distortion is worth: the gain of the last input that moves."""
    order, moved = _order(problem, moves)
    last = np.flatnonzero(moved > 0)
    return 0.0 if last.size == 0 else max(float(moves.rate[order[last[-1]]]), 0.0) / moves.price


def _moved(problem: Problem, moves: _Moves) -> Array:
    """Each moving mass spread over the symbols of its new side, in proportion to what they bear until a guess turns."""
    order, moved = _order(problem, moves)
    share = np.zeros(len(moved))
    share[order] = moved / problem.p_i[order]
    rows = problem.least() * (1 - share[:, None])
    left = problem.mass @ rows
    if len(left) > 1:
        second = np.partition(left, -2, axis=0)[-2]
        bears = np.maximum(left[moves.guess, np.arange(left.shape[1])] - second, 0.0)
    else:
        bears = left[0]
    sides = np.eye(len(left))[:, moves.guess] * bears
    total = sides.sum(axis=1, keepdims=True)
    sides = np.divide(sides, total, out=np.zeros_like(sides), where=total > 0)
    stuck = total[moves.target, 0] <= 0
    rows[np.flatnonzero(stuck), moves.home[stuck]] += share[stuck]
    rows += np.where(stuck, 0.0, share)[:, None] * sides[moves.target]
    return rows
