"""Upper bounds of information, in nats: Chernoff's bound on the true log-lift, turned around."""

from __future__ import annotations

import math

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.estimators.bounds import binomial, known, trivial
from discreet.estimators.bounds.held_out import HeldOut, Table, Target, beta_of, target
from discreet.estimators.bounds.upper.chernoff import most_information
from discreet.measures.arimoto import conditional_entropy as plug_in_entropy
from discreet.measures.fdiv import mutual_information as plug_in

MAIN, DRIFT, BOX = 0.8, 0.1, 0.1
"""How the population's form shares β: the bound, the composition's distance from the prior, the prior's limits."""

NOMINAL = 0.1
"""Which of two forms is used is decided at this share of what the channel can let through, not at what was found."""


def mutual_information(
    counts: Table,
    confidence: float = 0.95,
    *,
    channel: MatrixChannel | None = None,
    of: Target = "composition",
) -> Reading:
    """The release tells at most so many nats about the secret.

    sup { I : Î > max_{0<λ<1} (−log Ψ(λ, I) − L) / λ },    Ψ(λ, I) = min_η max_q M_λ(q) + η D(q ‖ π) − η I

    About people composed like these. With of="population" the distance of their composition from the prior is added to
    the estimate, D(P̂_S ‖ p_S) ≤ ρ, and the prior is let range over its limits: a few hundredths wider where there is
    much to tell, up to twice as wide where there is nothing. With a known channel that leaves no symbol impossible the
    form is Bernstein's, Ĩ + √(2ηκuL) + τ(b+ε)L/3; which form it is depends on the channel, the composition and n alone.
    Never above H(π), or log |S| for the population.

    >>> mutual_information([[300, 100], [150, 450]])
    I(S;Y) = 0.1692 nats (upper, of people of this composition, 0 to 0.1692 at 95 %, n = 1,000)
    """
    held, beta = HeldOut.of(counts, channel), beta_of(confidence)
    estimate = plug_in(held.lift).value
    if target(of) == "population":
        value, method = _of_population(held, estimate, beta), "Chernoff, prior within its limits"
    else:
        value, method = _of_composition(held, estimate, held.rate(beta))
    ceiling = trivial.information(held, of)
    if held.channel is not None:
        ceiling *= known.eta(held.channel)
    return held.bound("mutual_information", value, confidence, of, method, trivial=(0.0, ceiling))


def conditional_entropy(
    counts: Table, confidence: float = 0.95, *, channel: MatrixChannel | None = None
) -> Reading:
    """At least so many nats of the secret stay in the dark: a lower bound, which is the side that protects.

    H(S | Y) ≥ log k − U,   U the bound above for the estimate log k − Ĥ(S | Y) and an even prior

    It needs no prior and speaks of the population. k counts the secrets that the table names, seen or not.

    >>> conditional_entropy([[300, 100], [150, 450]])
    H_α(S|Y) [alpha=1] = 0.5037 nats (lower, of the population, 0.5037 to 0.6931 at 95 %, n = 1,000)
    """
    held, beta = HeldOut.of(counts, channel), beta_of(confidence)
    k = held.shape[0]
    ceiling = math.log(k)
    even = np.array([1 / k])
    estimate = max(ceiling - plug_in_entropy(held.lift).value, 0.0)
    value = ceiling - min(most_information(estimate, held.rate(beta), even, even, ceiling), ceiling)
    return held.bound(
        "conditional_entropy",
        value,
        confidence,
        "population",
        "Chernoff" if held.channel is None else "Chernoff, channel known",
        side="lower",
        trivial=(0.0, ceiling),
        alpha=1.0,
    )


def _of_composition(held: HeldOut, estimate: float, rate: float) -> tuple[float, str]:
    occurring = held.composition[held.composition > 0]
    channel = held.channel
    if channel is not None and occurring.size > 1:
        nominal = NOMINAL * known.eta(channel) * trivial.information(held, "composition")
        if _bernstein(held, channel, nominal, rate) < most_information(nominal, rate, occurring, occurring):
            return _bernstein(held, channel, estimate, rate), "Bernstein, channel known"
    method = "Chernoff" if channel is None else "Chernoff, channel known"
    ceiling = trivial.information(held, "composition")
    return most_information(estimate, rate, occurring, occurring, ceiling), method


def _bernstein(held: HeldOut, channel: MatrixChannel, estimate: float, rate: float) -> float:
    """u ≤ Ĩ + √(2ηκuL) + τ(b + ε)L/3, with b = min(ε, log 1/π_min) and κ = b²/(b − 1 + e^{−b})."""
    eps = known.eps(channel)
    if math.isinf(eps):
        return math.inf
    b = min(eps, -math.log(held.rarest))
    kappa = b * b / (b + math.expm1(-b)) if b > 1e-6 else 2.0
    return known.bernstein(estimate, known.eta(channel) * kappa, known.tau(channel) * (b + eps), rate)


def _of_population(held: HeldOut, estimate: float, beta: float) -> float:
    k = held.shape[0]
    low, high = _prior_limits(held, BOX * beta)
    if low.min() <= 0:
        return math.inf
    drifted = estimate + composition_drift(k, held.n, DRIFT * beta)
    return most_information(drifted, held.rate(MAIN * beta), low, high, math.log(k))


def _prior_limits(held: HeldOut, beta: float) -> tuple[Array, Array]:
    share = beta / (2 * held.shape[0])
    return binomial.lower(held.by_s, held.n, share), binomial.upper(held.by_s, held.n, share)


def composition_drift(k: int, n: int, beta: float) -> float:
    """What D(P̂_S ‖ p_S) stays below, except with probability β, for k secrets and n people.

    ln(2/β)/n for two secrets (Chernoff, both sides); else the x with e^{−nx} (e n x/(k−1))^{k−1} = β (Agrawal 2020).
    """
    if k == 1:
        return 0.0
    free, target_log = k - 1, -math.log(beta)
    low, high = float(free), 2 * (free + target_log) + 2 * free * math.log(2 + target_log / free) + 10
    for _ in range(80):
        middle = (low + high) / 2
        if middle - free * math.log(math.e * middle / free) >= target_log:
            high = middle
        else:
            low = middle
    if k == 2:
        high = min(high, math.log(2) + target_log)
    return high / n
