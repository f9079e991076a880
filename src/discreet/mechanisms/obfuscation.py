"""Gaussian noise on a feature: how much of it keeps the odds of any secret within e^ε, save for δ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.design import Design, Status
from discreet.core.errors import AxisError, ParameterError
from discreet.core.gaussian_channel import GaussianChannel
from discreet.core.protocols import Array
from discreet.core.reading import EXACT, Reading
from discreet.measures import shift
from discreet.measures.arguments import not_negative
from discreet.measures.channel import CHANNEL

MOST_EPS = 700.0
"""Beyond, e^ε is no number."""

ROUNDING = 1e-12
"""Sums of masses may exceed one by so much."""

UP = 1e-13
"""A deviation is raised by so much, relative to it, until its δ is no longer above the one wanted."""


def gaussian_obfuscation(
    eps: float,
    diameter: float,
    *,
    delta: float | None = None,
    deviation: float | None = None,
    dimension: int = 1,
) -> Design:
    """Add Gaussian noise of one deviation λ to every record: least for a wanted (ε, δ), or of a given size.

    sup E_{e^ε}(P_{Y|s} ‖ P_Y) = θ_ε(D, λ) = Φ(D/2λ − ελ/D) − e^ε Φ(−D/2λ − ελ/D) ≤ δ

    D is the diameter of the set of records, the largest distance of two of them, and not its radius: `leakage` is
    θ_ε(D, λ), which no secret and no law exceeds, and some approach. Every record must be noised, also those that would
    tell nothing in clear: who noises only some shows which, see selective_obfuscation_bound. A record of `dimension`
    numbers is one feature; m features of diameter D are together one record of diameter √m D. `utility` is the mean of
    |Y − X|². λ is a deviation, not a variance. With ε below 0, δ is at least 1 − e^ε.

    >>> design = gaussian_obfuscation(.5, 1, delta=.1)
    >>> round(design.channel.deviation, 4), design.leakage
    (1.5563, E_γ [gamma=1.649] = 0.1 (exact, of the channel))

    References: paper 003, Theorem 3, with the diameter for its radius.
    """
    _eps(eps)
    size = not_negative("diameter", diameter)
    if (delta is None) == (deviation is None):
        raise ParameterError(
            "δ or a deviation", f"delta = {delta}, deviation = {deviation}", "give one of the two"
        )
    if dimension < 1:
        raise ParameterError(
            "a record of one number or more", f"dimension = {dimension}", "count its coordinates"
        )
    noise = _calibrated(eps, size, delta) if deviation is None else not_negative("deviation", deviation)
    channel = GaussianChannel(np.eye(dimension), noise**2)
    spent = Reading(dimension * noise**2, "", "distortion", origin=CHANNEL)
    trace = {"deviation": noise, "diameter": size, "shift": _shift(size, noise), "eps": float(eps)}
    return Design(channel, Status.CONSTRUCTED, _theta(eps, size, noise), spent, None, trace)


def features_together(designs: Sequence[Design]) -> Reading:
    """What the obfuscated features of one record tell together, at the product of their e^ε.

    E_{e^{Σ ε_j}} = θ at a shift of √(Σ (D_j / λ_j)²): independent noise on all makes one Gaussian mechanism of them

    No law of the features exceeds it and some approach it. It is below 1 − ∏(1 − δ_j), often by far. That larger
    figure, guarantees.compose, is for where a feature's noise is chosen in view of those released before.

    >>> one = gaussian_obfuscation(.5, 1, deviation=3)
    >>> one.leakage, features_together([one] * 4)
    (E_γ [gamma=1.649] = 0.01242 (exact, of the channel), E_γ [gamma=7.389] = 0.00066 (exact, of the channel))

    References: paper 003, Theorem 2; tighter for Gaussian noise.
    """
    if not designs or any(not {"shift", "eps"} <= set(one.trace) for one in designs):
        raise ParameterError(
            "designs of gaussian_obfuscation, one for each feature",
            f"{len(designs)} designs",
            "for other mechanisms use guarantees.compose",
        )
    eps = _eps(math.fsum(one.trace["eps"] for one in designs))
    return shift.e_gamma(math.hypot(*(one.trace["shift"] for one in designs)), math.exp(eps))


def selective_obfuscation_bound(
    p_flagged_given_s: ArrayLike, p_flagged: float, eps: float, diameter: float, deviation: float
) -> Reading:
    """At most what a release tells that has noise on flagged records only, and the others in clear.

    E_{e^ε}(P_{Y|s} ‖ P_Y) ≤ b_s θ_{ε + log(b / b_s)}(diam B, λ),   b_s = P(B | s), b = P(B), B the flagged records

    Noise tells that a record was flagged: the bound falls to (b_s − e^ε b)₊ as λ grows, and no further. It wants every
    record outside B to have a lift of at most e^ε. One b_s, or one for each secret: then the largest counts, and `by_s`
    has all. `diameter` is that of B. For a sequence of features, B must be judged by what was released before.

    >>> selective_obfuscation_bound([.4, .05], .085, .5, 0, 1e9)
    E_γ [gamma=1.649] = 0.2599 (upper, of this law)

    References: paper 003, Theorem 3, corrected.
    """
    _eps(eps)
    each, b = _shares("p_flagged_given_s", p_flagged_given_s), float(_shares("p_flagged", p_flagged)[0])
    if b == 0 and each.any():
        raise ParameterError(
            "p_flagged above 0 where a secret is flagged",
            "p_flagged = 0",
            "p_flagged is Σ_s p(s) p_flagged_given_s",
        )
    apart = _shift(not_negative("diameter", diameter), not_negative("deviation", deviation))
    gamma = math.exp(eps)
    by_s = np.array([b_s * shift.e_gamma(apart, gamma * b / b_s).value if b_s > 0 else 0.0 for b_s in each])
    found = shift.e_gamma(apart, gamma)
    return replace(found, value=float(by_s.max()), side="upper", by_s=by_s, origin=EXACT)


def _eps(eps: float) -> float:
    if not -MOST_EPS <= eps <= MOST_EPS:
        raise ParameterError(
            f"an eps between −{MOST_EPS:g} and {MOST_EPS:g}",
            f"eps = {eps}",
            "give eps in nats; 0.1 to 5 are usual",
        )
    return float(eps)


def _shares(name: str, given: ArrayLike) -> Array:
    each = np.atleast_1d(np.asarray(given, dtype=np.float64))
    if each.ndim != 1 or not each.size or not ((each >= 0) & (each <= 1 + ROUNDING)).all():
        raise AxisError(
            f"{name}: a probability, or one for each secret",
            f"{each.tolist()}",
            "give P(flagged) or P(flagged | s), in the order of the secrets",
        )
    return np.minimum(each, 1)


def _shift(diameter: float, deviation: float) -> float:
    """How many deviations apart two records are at most."""
    if diameter == 0:
        return 0.0
    return diameter / deviation if deviation > 0 else math.inf


def _theta(eps: float, diameter: float, deviation: float) -> Reading:
    return shift.e_gamma(_shift(diameter, deviation), math.exp(eps))


def _calibrated(eps: float, diameter: float, delta: float | None) -> float:
    """The least λ with θ_ε(D, λ) ≤ δ, and never one with more."""
    from scipy.optimize import brentq

    least = max(-math.expm1(eps), 0.0)
    if delta is None or not least < delta < 1:
        raise ParameterError(
            f"a δ between {least:.4g} and 1",
            f"delta = {delta}",
            "Gaussian noise reaches neither end; a small δ is 1e-6",
        )
    if diameter == 0:
        return 0.0

    def over(log_deviation: float) -> float:
        return _theta(eps, diameter, diameter * math.exp(log_deviation)).value - delta

    low, high = -1.0, 1.0
    while over(low) < 0:
        low *= 2
    while over(high) > 0:
        high *= 2
    noise = diameter * math.exp(brentq(over, low, high, xtol=1e-15, rtol=1e-15))
    while _theta(eps, diameter, math.sqrt(noise**2)).value > delta:
        noise *= 1 + UP
    return noise
