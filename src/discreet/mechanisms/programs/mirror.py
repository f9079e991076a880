"""Mutual information by mirror descent: for programs too large for a cone solver, or on which one gets stuck."""

from __future__ import annotations

import numpy as np

from discreet.core.protocols import Array
from discreet.mechanisms.programs.bound import least_score
from discreet.mechanisms.programs.problem import Problem, Solution

MOST_WORK = 150_000_000
"""Cells of the channel times steps; at least LEAST_STEPS are taken."""

LEAST_STEPS = 300

PROVED_EVERY = 20
"""Steps between two looks at the bound, which is as dear as a step."""

CLOSED = 1e-9
"""The leak and its bound are this near, in nats: done."""

LONGER, SHORTEST = 1.25, 1 / 64
"""A step is lengthened by so much after one that went down, and halved after one that went up, down to the last."""

OPENING = 1e-3
"""The share of an even release that the first channel gets, so that no release is out of reach."""

NEWTON, HALVINGS = 40, 12
SPENT = 1e-10
"""Steps for the prices, how often one is halved, and how exactly budgets are spent, in largest distortions."""


def mutual_information(problem: Problem) -> Solution:
    """The channel with the least I(S; Y), by steps that move each row as far as the adversary's odds ask for.

    W′(y | i) ∝ W(y | i) exp(−η Σ_s p(s | i) log l(s, y) − Σ_j λ_j d_j(i, y)),   λ ≥ 0 such that the budgets are kept

    I(S; Y) of two channels differs from its slope by no more than the divergence of their rows, so steps of η = 1 never
    go up, and longer ones are tried. The scores of the bound are the log-lifts of the channel itself and its prices
    are λ / η. O(|S| |inputs| |Y|) a step.
    """
    even = problem.free / problem.free.sum(axis=1, keepdims=True)
    rows = (1 - OPENING) * problem.least() + OPENING * even
    leak, bets = _told(problem, rows)
    best, lower, eta, prices = np.inf, 0.0, 1.0, np.zeros(len(problem.budgets))
    steps = max(LEAST_STEPS, MOST_WORK // problem.free.size)
    taken = 0
    while taken < steps and eta >= SHORTEST:
        taken += 1
        slope = (problem.mass / problem.p_i).T @ bets
        moved, paid = _within_budgets(problem, _log(rows) - eta * slope, prices * eta)
        leak, looked = _told(problem, moved)
        if leak > best:
            eta /= 2
            continue
        best, rows, bets, prices = leak, moved, looked, paid / eta
        eta *= LONGER
        if taken % PROVED_EVERY == 0:
            lower = max(lower, least_score(problem, bets, prices / problem.scale))
            if best - lower <= CLOSED:
                break
    lower = max(lower, least_score(problem, bets, prices / problem.scale))
    trace = {
        "solver": "mirror descent",
        "iterations": taken,
        "prices": prices / problem.scale,
        "solved": True,
    }
    return Solution(problem.swept(rows), lower, trace)


def _told(problem: Problem, rows: Array) -> tuple[float, Array]:
    """I(S; Y) of a channel, and the log-lifts that an adversary bets by: Σ_s p(s) e^g = 1 for each y."""
    p = problem.mass @ rows
    blind = np.outer(problem.p_s, problem.p_i @ rows)
    log = _log(np.divide(p, blind, out=np.ones_like(p), where=(p > 0) & (blind > 0)))
    return float((p * log).sum()), log - _log(problem.p_s @ np.exp(log))


def _within_budgets(problem: Problem, wished: Array, prices: Array) -> tuple[Array, Array]:
    """The rows nearest to what is wished that keep the budgets, and the prices that make them do so.

    min_{λ ≥ 0} Σ_i p(i) log Σ_y exp(wished(i, y) − λ · d(i, y)) + λ · D,   by Newton's steps from the prices before
    """
    d = problem.distortion / problem.scale[:, None, None]
    budgets = problem.budgets / problem.scale
    rows, height = _charged(problem, wished, d, prices, budgets)
    for _ in range(NEWTON):
        means = np.einsum("jiy,iy->ji", d, rows)
        over = means @ problem.p_i - budgets
        binding = (prices > 0) | (over > 0)
        if np.abs(over[binding]).max(initial=0.0) <= SPENT:
            break
        weighed = d * (problem.p_i[:, None] * rows)
        bend = np.tensordot(weighed, d, ([1, 2], [1, 2])) - (means * problem.p_i) @ means.T
        bend = bend[np.ix_(binding, binding)]
        move = np.zeros_like(prices)
        move[binding] = np.linalg.lstsq(bend, over[binding])[0]
        for halved in range(HALVINGS):
            tried = np.maximum(prices + move / 2**halved, 0.0)
            made, lowered = _charged(problem, wished, d, tried, budgets)
            if lowered <= height:
                break
        else:
            break
        rows, height, prices = made, lowered, tried
    return rows, prices


def _charged(problem: Problem, wished: Array, d: Array, prices: Array, budgets: Array) -> tuple[Array, float]:
    """The rows at these prices, and the height of the dual there."""
    logs = wished - np.tensordot(prices, d, 1)
    top = logs.max(axis=1, keepdims=True)
    rows = np.exp(logs - top)
    total = rows.sum(axis=1, keepdims=True)
    return rows / total, float(problem.p_i @ (np.log(total) + top)[:, 0] + prices @ budgets)


def _log(p: Array) -> Array:
    """The logarithm, −∞ at zero."""
    with np.errstate(divide="ignore"):
        made: Array = np.log(p)
    return made
