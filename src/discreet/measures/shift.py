"""Two normal laws of one deviation, `shift` deviations apart: what a Gaussian mechanism tells about two inputs.

Each is a pure function of shift = |mean − mean′| / deviation, and the same from either law to the other.
"""

from __future__ import annotations

import math

from discreet.core.reading import Reading
from discreet.measures.arguments import not_negative, order
from discreet.measures.channel import CHANNEL


def normal_cdf(t: float) -> float:
    """Φ(t), to full precision in both tails."""
    return 0.5 * math.erfc(-t / math.sqrt(2))


def _read(measure: str, value: float, **parameters: float) -> Reading:
    return Reading.of(measure, value, CHANNEL, **parameters)


def mutual_information(shift: float) -> Reading:
    """The Kullback–Leibler divergence: shift² / 2 nats.

    >>> float(mutual_information(1))
    0.5
    """
    return _read("mutual_information", not_negative("shift", shift) ** 2 / 2)


def total_variation(shift: float) -> Reading:
    """Half the L1 distance: 2 Φ(shift / 2) − 1.

    >>> round(float(total_variation(1)), 4)
    0.3829
    """
    return _read("total_variation", math.erf(not_negative("shift", shift) / math.sqrt(8)))


def chi_squared(shift: float) -> Reading:
    """χ² = exp(shift²) − 1; paper 000 prints it without the −1, which equal means contradict.

    >>> round(float(chi_squared(1)), 4)
    1.7183
    """
    square = not_negative("shift", shift) ** 2
    return _read("chi_squared", math.expm1(square) if square < 709 else math.inf)


def renyi(shift: float, alpha: float) -> Reading:
    """The Rényi divergence: α shift² / 2 nats.

    >>> float(renyi(1, 2))
    1.0
    """
    return _read(
        "renyi", order(alpha) * not_negative("shift", shift) ** 2 / 2 if shift else 0.0, alpha=float(alpha)
    )


def e_gamma(shift: float, gamma: float) -> Reading:
    """E_γ = Φ(shift/2 − ε/shift) − γ Φ(−shift/2 − ε/shift) with ε = log γ: paper 003's θ, and the exact DP δ at ε.

    >>> round(float(e_gamma(1, math.exp(.5))), 4)
    0.2384

    References: paper 003, equation (16); paper 000, Section III-A, whose printed
    calibration allows a δ 25 to 680 times larger.
    """
    not_negative("gamma", gamma)
    if not_negative("shift", shift) == 0:
        value = max(1 - gamma, 0.0)
    elif gamma == 0:
        value = 1.0
    else:
        eps = math.log(gamma)
        tail = normal_cdf(-shift / 2 - eps / shift)
        value = normal_cdf(shift / 2 - eps / shift) - (gamma * tail if tail else 0.0)
    return _read("e_gamma", max(value, 0.0), gamma=float(gamma))
