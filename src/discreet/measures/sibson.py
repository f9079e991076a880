"""Sibson's and Rényi's informations: the mean of norms of the lift, and the leak about any function of the secret."""

from __future__ import annotations

import math

import numpy as np

from discreet.core.lift import Lift
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.measures.arguments import order
from discreet.measures.fdiv import mutual_information
from discreet.measures.reducers import extremes, log_mass, log_norm, log_sum

NEAR_ONE = 0.01
"""Within this of order 1 the difference from 1 is computed instead of the value, which would cancel."""

LEAST_LOG = -745.0
"""Below the logarithm of the least positive number: a cell that cannot occur, where 0 · ∞ is to be 0."""


def log_mean_norm(lift: Lift, alpha: float, tilt: Array) -> float:
    """log Σ_y p(y) (Σ_s w(s) l(s, y)^α)^(1/α), for weights w = p(s) e^tilt that sum to one."""
    if abs(alpha - 1) < NEAR_ONE:
        beyond = np.zeros(lift.p_y.size)
        for rows, columns, log in lift.log_tiles():
            finite = np.maximum(log, LEAST_LOG)
            beyond[columns] += lift.p_s[rows] @ (
                np.exp(finite) * np.expm1((alpha - 1) * finite + tilt[rows, None])
            )
        return float(np.log1p(lift.p_y @ np.expm1(np.log1p(beyond) / alpha)))
    return log_sum(log_mass(lift.p_y) + log_norm(lift, alpha, log_mass(lift.p_s) + tilt))


def sibson(lift: Lift, alpha: float) -> Reading:
    """How well a secret of unknown prior can be guessed, between the mean case (order 1) and the worst (order ∞).

    I_α = α/(α−1) log Σ_y p(y) (Σ_s p(s) l^α)^(1/α)

    Large: the release tells much to an adversary of loss order α. Zero: independence. Order 1 is I(S; Y), order ∞
    maximal leakage; never decreasing in α. A cell that cannot occur counts with l = 0.

    >>> from discreet.core.joint import Joint
    >>> sibson(Joint([[.3, .1], [.15, .45]]).lift(), math.inf)
    Sibson I_α [alpha=inf] = 0.4055 nats (exact, of this law)

    References: paper 001, equation (7).
    """
    if order(alpha) == 1:
        value = mutual_information(lift).value
    elif alpha == math.inf:
        value = maximal_leakage(lift).value
    else:
        value = alpha / (alpha - 1) * log_mean_norm(lift, alpha, np.zeros(lift.p_s.size))
    return lift.reading("sibson", max(value, 0.0), alpha=float(alpha))


def maximal_leakage(lift: Lift) -> Reading:
    """How many times better any function of the secret, whichever, can be guessed.

    L = log Σ_y p(y) max_s l(s, y)

    Large: some function of the secret is betrayed. Zero: independence. At most log |S| and log |Y|; the prior of the
    secret does not matter.

    >>> from discreet.core.joint import Joint
    >>> maximal_leakage(Joint([[.3, .1], [.15, .45]]).lift())
    L = 0.4055 nats (exact, of this law)

    References: paper 001, equation (8).
    """
    highest = extremes(lift).high
    return lift.reading("maximal_leakage", max(math.log(lift.p_y @ highest), 0.0), by_y=highest)


def renyi(lift: Lift, alpha: float) -> Reading:
    """The Rényi divergence of the joint law from the product, which weighs high lifts the more, the higher the order.

    D_α = 1/(α−1) log Σ_s Σ_y p(s) p(y) l^α

    Large: some cells have a high lift. Zero: independence. Order 1 is I(S; Y), order ∞ the largest log-lift.

    >>> from discreet.core.joint import Joint
    >>> renyi(Joint([[.3, .1], [.15, .45]]).lift(), 2)
    D_α [alpha=2] = 0.2171 nats (exact, of this law)

    References: paper 001, Section II-B.
    """
    if order(alpha) == 1:
        value = mutual_information(lift).value
    elif alpha == math.inf:
        value = math.log(extremes(lift).high.max())
    elif abs(alpha - 1) < NEAR_ONE:
        beyond = 0.0
        for rows, columns, log in lift.log_tiles():
            finite = np.maximum(log, LEAST_LOG)
            term = np.exp(finite) * np.expm1((alpha - 1) * finite)
            beyond += float(lift.p_s[rows] @ (term @ lift.p_y[columns]))
        value = math.log1p(beyond) / (alpha - 1)
    else:
        by_y = alpha * log_norm(lift, alpha, log_mass(lift.p_s))
        value = log_sum(log_mass(lift.p_y) + by_y) / (alpha - 1)
    return lift.reading("renyi", max(value, 0.0), alpha=float(alpha))
