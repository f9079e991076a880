"""What a known channel lends to a bound: its coefficients, and the forms in which they shrink the price of sampling."""

from __future__ import annotations

import math
from functools import lru_cache

from discreet.core.channel import MatrixChannel
from discreet.core.protocols import Array
from discreet.measures import channel as of_channel

ROUNDING = 1e-12
"""Added to a coefficient, so that rounding cannot make it too small."""

MOST_COMPARED = 1 << 29
"""So many numbers are looked at to compare inputs in pairs; a larger channel is bounded by coarser coefficients."""

LOOKS = 16
"""How much oftener the contraction coefficient looks at a pair."""

_remembered = lru_cache(maxsize=8)


def comparable(channel: MatrixChannel, looks: int = 1) -> bool:
    """Whether all pairs of inputs can be compared in a second or so."""
    inputs, outputs = channel.p.shape
    return bool(looks * inputs * inputs * outputs <= MOST_COMPARED)


@_remembered
def tau(channel: MatrixChannel) -> float:
    """Dobrushin's coefficient: what a function of y can still differ by between two inputs."""
    if not comparable(channel):
        return min(1 - alpha(channel), math.tanh(eps(channel) / 2)) + ROUNDING
    return min(of_channel.dobrushin(channel).value + ROUNDING, 1.0)


@_remembered
def eta(channel: MatrixChannel) -> float:
    """The contraction coefficient: what is left of a variance. At most τ, and at most tanh²(ε/2)."""
    if not comparable(channel, LOOKS):
        return min(tau(channel), math.tanh(eps(channel) / 2) ** 2 + ROUNDING)
    return min(of_channel.contraction(channel).value + ROUNDING, 1.0)


@_remembered
def eps(channel: MatrixChannel) -> float:
    """The channel's own ε, infinite where some input cannot produce some symbol."""
    return of_channel.local_privacy(channel).value + ROUNDING


@_remembered
def alpha(channel: MatrixChannel) -> float:
    """Doeblin's coefficient: the share of the release that ignores the input."""
    return max(of_channel.doeblin(channel).value - ROUNDING, 0.0)


def hoeffding(rate: float, scale: float = 1.0) -> float:
    """scale · √(L/2): what a mean of numbers within a range of `scale` falls short by."""
    return scale * math.sqrt(rate / 2)


def bernstein(estimate: float, variance: float, reach: float, rate: float) -> float:
    """The largest u with u ≤ estimate + √(2 · variance · u · L) + reach · L/3.

    A witness whose variance is at most `variance` times the measure itself, and which lies at most `reach` below its
    mean.
    """
    half = math.sqrt(2 * variance * rate) / 2
    return (half + math.sqrt(half * half + max(estimate, 0.0) + reach * rate / 3)) ** 2


def spread(composition: Array, gamma: float) -> float:
    """√(Σ π(s) r(s)²), where r(s) = (1 − γ π(s))₊ + min(1, γ (1 − π(s))) is the range of a witness of E_γ given s."""
    ranges = (1 - gamma * composition).clip(0) + (gamma * (1 - composition)).clip(max=1)
    return math.sqrt(float(composition @ ranges**2))
