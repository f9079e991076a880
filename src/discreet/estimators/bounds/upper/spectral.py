"""Upper bounds of χ² and of the maximal correlation: Bernstein, where no secret is too rare."""

from __future__ import annotations

import math

from discreet.core.channel import MatrixChannel
from discreet.core.errors import EvidenceError
from discreet.core.reading import Reading
from discreet.estimators.bounds import known, trivial
from discreet.estimators.bounds.held_out import HeldOut, Table, beta_of
from discreet.measures.fdiv import chi_squared as plug_in
from discreet.measures.spectral import maximal_correlation as plug_in_correlation

RAREST = 0.01
"""A secret rarer than this makes the bound of χ² empty, unless a known channel keeps the lift within 1/RAREST."""


def chi_squared(counts: Table, confidence: float = 0.95, *, channel: MatrixChannel | None = None) -> Reading:
    """χ² of secret and release is at most this, for people composed like these.

    u ≤ χ̂² + √(8RuL) + (R + 1)L/3,    R = 1/π_min;   channel known: u ≤ χ̃² + √(8ηRuL) + τRL,  R = min(1/π_min, e^ε)

    Refused where R exceeds 100: the number would say nothing. Never above min(|S|, |Y|) − 1.

    >>> chi_squared([[300, 100], [150, 450]])
    χ² = 0.4009 (upper, of people of this composition, 0 to 0.4009 at 95 %, n = 1,000)
    """
    held = HeldOut.of(counts, channel)
    value, method = _most_chi_squared(held, held.rate(beta_of(confidence)))
    most = (0.0, trivial.chi_squared(held))
    return held.bound("chi_squared", value, confidence, "composition", method, trivial=most)


def maximal_correlation(
    counts: Table, confidence: float = 0.95, *, channel: MatrixChannel | None = None
) -> Reading:
    """No function of the release correlates more than this with one of the secret, for people composed like these.

    ρ² ≤ u ≤ ρ̂² + √(8RuL) + RL,   R = 1/π_min − 1;   channel known: u ≤ ρ̃² + √(8ηRuL) + 4τRL/3, and ρ² ≤ η at no price

    Behind a known channel and with a rare secret it is the bound of χ², which is never smaller than ρ².

    >>> maximal_correlation([[300, 100], [150, 450]])
    ρ_m = 0.6007 (upper, of people of this composition, 0 to 0.6007 at 95 %, n = 1,000)
    """
    held = HeldOut.of(counts, channel)
    rate = held.rate(beta_of(confidence))
    known_channel = held.channel
    if known_channel is not None and held.rarest < RAREST:
        square, method = _most_chi_squared(held, rate)
    else:
        _refuse_rare(1 / held.rarest, held)
        spread = 1 / held.rarest - 1
        found = plug_in_correlation(held.lift).value ** 2
        if known_channel is None:
            square, method = known.bernstein(found, 4 * spread, 3 * spread, rate), "Bernstein"
        else:
            eta, tau = known.eta(known_channel), known.tau(known_channel)
            square = known.bernstein(found, 4 * eta * spread, 4 * tau * spread, rate)
            method = "Bernstein, channel known"
    most = 1.0 if known_channel is None else known.eta(known_channel)
    ceiling = math.sqrt(min(most, trivial.chi_squared(held)))
    value = math.sqrt(square)
    return held.bound("maximal_correlation", value, confidence, "composition", method, trivial=(0.0, ceiling))


def _most_chi_squared(held: HeldOut, rate: float) -> tuple[float, str]:
    found, largest = plug_in(held.lift).value, 1 / held.rarest
    if held.channel is None:
        _refuse_rare(largest, held)
        return known.bernstein(found, 4 * largest, largest + 1, rate), "Bernstein"
    largest = min(largest, math.exp(min(known.eps(held.channel), 700.0)))
    _refuse_rare(largest, held)
    eta, tau = known.eta(held.channel), known.tau(held.channel)
    return known.bernstein(found, 4 * eta * largest, 3 * tau * largest, rate), "Bernstein, channel known"


def _refuse_rare(largest: float, held: HeldOut) -> None:
    if largest > (1 + 1e-9) / RAREST:
        raise EvidenceError(
            f"a bound of χ² or correlation from {held.n:,} people",
            f"a secret that only {100 * held.rarest:.2g} % of them have: the lift can be {largest:,.0f}",
            "group the rare secrets, release through a known noisy channel, or bound another measure",
        )
