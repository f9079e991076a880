"""The best bounds that have no closed form: each is a minimum over one number, and valid wherever it is taken.

Behind them stands one argument. A divergence is D = E_Q f(l), with l = p/q and f convex, f(1) = 0. Subtract from f its
tangent at any κ: what is left, B(l, κ) = f(l) − f(κ) − f′(κ)(l − κ), is never negative, and E_Q B(l, κ) = D + B(1, κ).
So Markov's inequality bounds how much of Q, or of P = l Q, can lie where l is far from 1; the best κ gives the sharp
bound, and every other a true one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from discreet.core.protocols import Array

Curve = Callable[[Any], Any]


def least(curve: Curve, low: float, high: float) -> float:
    """The least value of a curve that falls and then rises, found on grids that close in on it."""
    best = math.inf
    for _ in range(5):
        at = np.linspace(low, high, 65)
        with np.errstate(all="ignore"):
            values = np.asarray(curve(at), dtype=np.float64)
        values = np.where(np.isnan(values), math.inf, values)
        lowest = int(values.argmin())
        best = min(best, float(values[lowest]))
        low, high = float(at[max(lowest - 1, 0)]), float(at[min(lowest + 1, 64)])
    return best


def largest(inside: Callable[[float], bool], low: float, high: float) -> float:
    """The end of the interval that begins at `low` and is inside, from above."""
    if inside(high):
        return high
    for _ in range(100):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if inside(middle) else (low, middle)
    return high


# ------------------------------------------------------------------------------------------- Kullback–Leibler

FAR = 30.0
"""log κ is looked for between this and its opposite."""

NEAR = 1e-5
"""So close to its tangent a curve is taken as its first two terms."""


def kl_bregman(log_l: Any, log_kappa: Any) -> Any:
    """B(l, κ) = l log(l/κ) − l + κ, which is what the tangent at κ leaves of l log l; exact also where it is small."""
    u = log_l - log_kappa
    small = u * u * (0.5 + u / 3)
    return np.exp(log_kappa) * np.where(np.abs(u) < NEAR, small, u * np.exp(u) - np.expm1(u))


def kl_tail(eta: float, t: float, side: Literal["upper", "lower"], law: Literal["p", "q"]) -> float:
    """How likely i > t (upper) or i < −t (lower) can be under p or q, when D(p ‖ q) ≤ eta.

    min over κ of (η + B(1, κ)) / B(l, κ) at l = e^±t, times l under p
    """
    if t == 0:
        return 1.0
    log_l = t if side == "upper" else -t
    weight = math.exp(log_l) if law == "p" else 1.0

    def bound(log_kappa: Array) -> Any:
        return weight * (eta + kl_bregman(0.0, log_kappa)) / kl_bregman(log_l, log_kappa)

    return least(bound, *((-FAR, 0.0) if side == "upper" else (0.0, FAR)))


def kl_tails(eta: float, eps: float) -> float:
    """How likely |i| > eps can be under p when D(p ‖ q) ≤ eta: Theorem 1(b) of paper 000, made sharp.

    min over κ of (η + B(1, κ)) / min( e^−ε B(e^ε, κ), e^ε B(e^−ε, κ) );   κ = 1 is η / (ε − 1 + e^−ε)

    >>> round(kl_tails(.01, .5), 4)
    0.0879
    """
    if eps == 0:
        return 1.0
    high, low = math.exp(eps), math.exp(-eps)

    def bound(log_kappa: Array) -> Any:
        cell = np.minimum(low * kl_bregman(eps, log_kappa), high * kl_bregman(-eps, log_kappa))
        return (eta + kl_bregman(0.0, log_kappa)) / cell

    return least(bound, -eps, 0.0)


def kl_gap(eta: float, gamma: float) -> float:
    """The largest E_γ(p ‖ q), γ ≥ 1, when D(p ‖ q) ≤ eta; at γ = 1 it is the sharp form of Pinsker's inequality.

    min over c > 0 of (η + log u + 1/u − 1) / c,   u = max(1, (e^c − 1)/(c γ))
    """

    def bound(log_c: Array) -> Any:
        c = np.exp(log_c)
        w = np.maximum(np.expm1(c) / (c * gamma) - 1, 0.0)
        return (eta + np.log1p(w) - w / (1 + w)) / c

    return least(bound, math.log(1e-3), math.log(600.0))


def kl_gap_turned(eta: float, gamma: float) -> float:
    """The largest E_γ(q ‖ p), γ ≥ 1, when D(p ‖ q) ≤ eta.

    min over c > 0 of γη/c + max over w in [e^−c, 1] of (1 − w)/(1 − e^−c) + γ log(w)/c
    """

    def bound(log_c: Array) -> Any:
        c = np.exp(log_c)
        rest = -np.expm1(-c)
        w = np.clip(gamma * rest / c, np.exp(-c), 1.0)
        return gamma * eta / c + (1 - w) / rest + gamma * np.log(w) / c

    return least(bound, math.log(1e-3), math.log(600.0))


# ------------------------------------------------------------------------------------- two outcomes: right or wrong


def binary_kl(a: Any, b: Any) -> Any:
    """d(a ‖ b) of two coins."""
    with np.errstate(all="ignore"):
        heads = np.where(a > 0, a * (np.log(a) - np.log(b)), 0.0)
        tails = np.where(a < 1, (1 - a) * (np.log1p(-a) - np.log1p(-b)), 0.0)
    return heads + tails


def binary_chi_squared(a: Any, b: Any) -> Any:
    """χ² of coin a from coin b."""
    with np.errstate(all="ignore"):
        return np.where(a == b, 0.0, (a - b) ** 2 / (b * (1 - b)))


def binary_hellinger(a: Any, b: Any) -> Any:
    """Squared Hellinger distance of two coins, halved."""
    heads, tails = np.sqrt(a) - np.sqrt(b), np.sqrt(1 - a) - np.sqrt(1 - b)
    return (heads * heads + tails * tails) / 2


def kl_guess(eta: float, top: float) -> float:
    """How often a guess can be right that is blindly right with probability `top`, when I(S; Y) ≤ eta."""
    return largest(lambda v: float(binary_kl(v, top)) <= eta, top, 1.0)


def moved_posterior(divergence: Callable[[Any, Any], Any], eta: float, p_s: Array, eps: float) -> float:
    """How likely a release moves the belief in some secret by more than e^±eps, when the mean divergence is eta.

    Such a posterior is at least as far from the prior as the nearest coin that moves one secret so far.
    """
    low = np.asarray(divergence(p_s * math.exp(-eps), p_s))
    raised = p_s * math.exp(eps)
    high = np.where(raised <= 1, divergence(np.minimum(raised, 1.0), p_s), math.inf)
    least_moved = float(np.minimum(low, high).min())
    return eta / least_moved if least_moved > 0 else math.inf


# ------------------------------------------------------------------------------------------------- two normal laws


def upper_normal(v: float) -> float:
    """P(N(0, 1) ≥ v)."""
    return math.erfc(v / math.sqrt(2)) / 2


def theta(eps: float, distance: float, deviation: float) -> float:
    """E at e^eps between two normal laws of this deviation with means this far apart; eps may be negative.

    θ = Q(λε/a − a/2λ) − e^ε Q(λε/a + a/2λ)

    >>> round(theta(.5, 1., 1.), 5)
    0.23842
    """
    if distance == 0 or deviation == math.inf:
        return max(0.0, 1 - math.exp(eps))
    half, far = distance / (2 * deviation), eps * deviation / distance
    second = upper_normal(far + half)
    return max(upper_normal(far - half) - (math.exp(eps) * second if second > 0 else 0.0), 0.0)
