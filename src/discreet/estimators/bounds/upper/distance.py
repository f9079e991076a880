"""Upper bounds of total variation and of E_γ: how much probability any event holds beyond what independence gives."""

from __future__ import annotations

import math

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.reading import Reading
from discreet.estimators.bounds import known, trivial
from discreet.estimators.bounds.held_out import HeldOut, Table, beta_of
from discreet.measures.arguments import not_negative
from discreet.measures.fdiv import e_gamma as plug_in

LAMBDAS = np.geomspace(1e-7, 60, 160)
MARGIN = 1e-9

MOST_GAMMA = 1e300
"""From here on only pairs that cannot occur together would count."""


def total_variation(
    counts: Table, confidence: float = 0.95, *, channel: MatrixChannel | None = None
) -> Reading:
    """So much probability, at most, has to be moved to make secret and release independent.

    The bound of E_γ at γ = 1, about people composed like these. Never above 1 − Σ π(s)².

    >>> total_variation([[300, 100], [150, 450]])
    TV = 0.2881 (upper, of people of this composition, 0 to 0.2881 at 95 %, n = 1,000)
    """
    held = HeldOut.of(counts, channel)
    value, method, ceiling = most_distance(held, 1.0, beta_of(confidence))
    return held.bound("total_variation", value, confidence, "composition", method, trivial=(0.0, ceiling))


def e_gamma(
    counts: Table, gamma: float, confidence: float = 0.95, *, channel: MatrixChannel | None = None
) -> Reading:
    """No event of secret and release holds more than so much beyond γ times what independence gives it.

    E_γ(p_SY ‖ p_S p_Y) = max_B p(B) − γ q(B);   sup { T : T̂ > max_λ [−log(ξ_λ (1 − T) + T e^{−λ}) − L] / λ }

    with ξ_λ = max_b e^{λb} (1 − b + b e^{−λ}). About people composed like these, for one γ named beforehand; nothing is
    subtracted for γ < 1. With a known channel Ẽ + τ √(L/2) √(Σ π r²) where that is the smaller one beforehand. Never
    above Σ π (1 − γ π)₊, which is when the release names the secret.

    >>> e_gamma([[300, 100], [150, 450]], 1.5)
    E_γ [gamma=1.5, over=mean] = 0.07236 (upper, of people of this composition, 0 to 0.07236 at 95 %, n = 1,000)
    """
    held = HeldOut.of(counts, channel)
    weight = min(not_negative("gamma", gamma), MOST_GAMMA)
    value, method, ceiling = most_distance(held, weight, beta_of(confidence))
    most = (max(1 - gamma, 0.0), ceiling)
    return held.bound(
        "e_gamma", value, confidence, "composition", method, trivial=most, gamma=float(gamma), over="mean"
    )


def most_distance(held: HeldOut, gamma: float, beta: float) -> tuple[float, str, float]:
    """The bound of E_γ, how it was found, and what it can be at most."""
    estimate = plug_in(held.lift, gamma, over="mean").value
    rate, pi, ceiling = held.rate(beta), held.composition, trivial.distance(held, gamma)
    if held.channel is None:
        return _chernoff(estimate, rate), "Chernoff", ceiling
    tau = known.tau(held.channel)
    if gamma >= 1:
        ceiling *= tau
    width = tau * known.spread(pi, gamma)
    if width < 1:
        return estimate + known.hoeffding(rate, width), "Hoeffding, channel known", ceiling
    return _chernoff(estimate, rate), "Chernoff, channel known", ceiling


def _chernoff(estimate: float, rate: float) -> float:
    """min over λ of the T at which ξ_λ (1 − T) + T e^{−λ} = e^{−λ T̂ − L}: every λ is valid."""
    lost = -np.expm1(-LAMBDAS)
    # ξ − 1, from ξ = e^{λ b} (1 − e^{−λ}) / λ at b = 1/(1 − e^{−λ}) − 1/λ
    log_widest = LAMBDAS / lost - 1 + np.log(lost / LAMBDAS)
    widest = np.expm1(np.where(LAMBDAS < 1e-3, LAMBDAS**2 / 8, log_widest))
    crossing = (widest - np.expm1(-LAMBDAS * estimate - rate)) / (widest + lost)
    return max(float(crossing.min()) * (1 + MARGIN), estimate) if math.isfinite(rate) else 1.0
