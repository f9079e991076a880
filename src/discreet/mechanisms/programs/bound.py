"""What every channel within the budgets leaks: a proof that needs no trust in the solver that suggested it."""

from __future__ import annotations

import numpy as np

from discreet.core.protocols import Array
from discreet.mechanisms.programs.problem import Problem


def least_score(problem: Problem, scores: Array, prices: Array) -> float:
    """A number that no channel within the budgets stays below, from an adversary's scores and prices of the budgets.

    L ≥ Σ_i min_y ( Σ_s g(s, y) p(s, i) + p(i) Σ_j λ_j d_j(i, y) ) − Σ_j λ_j D_j

    It holds for any prices λ ≥ 0 and for any scores g with L(channel) ≥ Σ p(s, i) p(y | i) g(s, y), which is what an
    adversary earns who bets by g: then a channel's leak plus the price of its distortion is no less than if every input
    chose the release that is cheapest for it. Prices below zero are taken as zero. O(|S| |inputs| |Y|).
    """
    prices = np.maximum(prices, 0.0)
    charged = np.tensordot(prices, problem.distortion, 1) * problem.p_i[:, None]
    charged += problem.mass.T @ scores
    cheapest = np.where(problem.free, charged, np.inf).min(axis=1)
    return float(cheapest.sum() - prices @ problem.budgets)
