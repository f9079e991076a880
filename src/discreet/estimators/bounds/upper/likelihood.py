"""Upper bounds of measures of p(y | s) alone, which ask no prior: maximal leakage and differential privacy."""

from __future__ import annotations

import math

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.estimators.bounds import known, trivial
from discreet.estimators.bounds.held_out import HeldOut, Table, beta_of
from discreet.measures import channel as of_channel
from discreet.measures.arguments import not_negative

LAMBDAS = np.geomspace(1e-3, 1e3, 121)
"""In units of √(smallest group): every λ is valid."""

MOST_CAUGHT = 1 - 1e-15
"""1 − e^{−λ/n_s} is taken no nearer to 1: a smaller one is safe."""

HALVINGS = 60
MARGIN = 1e-9


def differential_privacy(
    counts: Table, eps: float, confidence: float = 0.95, *, channel: MatrixChannel | None = None
) -> Reading:
    """No set of releases is more than e^ε times as likely under one secret as under another, plus this δ.

    δ(ε) ≤ max_{s, s′} [ δ̂(s, s′) + √( (ln(1/β)/2) (1/n_s + e^{2ε}/n_s′) ) ]

    Of the population, over all secrets that the table names: one that nobody has makes it 1. ε is named beforehand. The
    width differs from pair to pair, which is harmless: the bound of the one worst pair covers. With a known channel the
    width shrinks by τ, and the channel's own δ is a ceiling. O(|S|² |Y|).

    >>> differential_privacy([[300, 100], [150, 450]], .5)
    DP δ(ε) [eps=0.5] = 0.4504 (upper, of the population, 0 to 0.4504 at 95 %, n = 1,000)
    """
    held, beta = HeldOut.of(counts, channel), beta_of(confidence)
    factor = math.exp(min(not_negative("eps", eps), 300.0))
    value, ceiling, method = 1.0, 1.0, "Hoeffding, pair by pair"
    if held.shape[0] == 1:
        value = 0.0
    elif held.by_s.min() > 0:
        scale = 1.0 if held.channel is None else known.tau(held.channel)
        value = _worst_pair(_rows(held), held.by_s, factor, math.log(1 / beta), scale)
    if held.channel is not None:
        ceiling, method = _channel_delta(held.channel, factor), f"{method}, channel known"
    return held.bound(
        "differential_privacy",
        value,
        confidence,
        "population",
        method,
        trivial=(0.0, ceiling),
        eps=float(eps),
    )


def maximal_leakage(
    counts: Table, confidence: float = 0.95, *, channel: MatrixChannel | None = None
) -> Reading:
    """No function of the secret, whichever, is guessed better by more than this, as a logarithm of the factor.

    L = log θ,   θ = Σ_y max_s p(y | s),
    θ ≤ sup { θ : θ̂ > max_λ [−max_{Σa=θ} Σ_s n_s ln(1 − a_s (1 − e^{−λ/n_s})) − ln(1/β)]/λ }

    Of the population, whatever the prior; the inner maximum is found by water-filling, 0 ≤ a_s ≤ 1. A secret that
    nobody has adds 1 to θ. With a known channel θ̃ + τ √((ln(1/β)/2) Σ 1/n_s), and never more than the channel's own.
    Never above log min(|S|, |Y|).

    >>> maximal_leakage([[300, 100], [150, 450]])
    L = 0.449 nats (upper, of the population, 0 to 0.449 at 95 %, n = 1,000)
    """
    held, log = HeldOut.of(counts, channel), math.log(1 / beta_of(confidence))
    seen = held.by_s > 0
    groups = held.by_s[seen].astype(np.float64)
    told = float(_rows(held).max(axis=0).sum())
    if held.channel is None:
        factor, method = _water_filled(told, groups, log), "Chernoff, water-filling"
    else:
        factor = told + known.hoeffding(log * float((1 / groups).sum()), known.tau(held.channel))
        method = "Hoeffding, channel known"
    factor += int((~seen).sum())
    ceiling = trivial.leakage(held)
    if held.channel is not None:
        ceiling = min(ceiling, of_channel.maximal_leakage(held.channel).value)
    value = math.log(max(factor, 1.0))
    return held.bound("maximal_leakage", value, confidence, "population", method, trivial=(0.0, ceiling))


def _rows(held: HeldOut) -> Array:
    """p(y | s) of the plug-in, for the secrets that somebody has."""
    seen = held.by_s > 0
    return np.asarray(held.lift.p[seen] / held.composition[seen, None])


def _worst_pair(rows: Array, groups: Array | np.ndarray, factor: float, log: float, scale: float) -> float:
    price = 1 / groups
    worst = 0.0
    for i, row in enumerate(rows):
        apart = np.maximum(row - factor * rows, 0).sum(axis=1)
        width = scale * np.sqrt(log / 2 * (price[i] + factor * factor * price))
        width[i] = 0
        worst = max(worst, float((apart + width).max()))
    return worst


def _channel_delta(channel: MatrixChannel, factor: float) -> float:
    """max over inputs of E_γ between their rows; 1 where they are too many to compare."""
    rows = channel.p
    if not known.comparable(channel):
        return 1.0
    return max(float(np.maximum(row - factor * rows, 0).sum(axis=1).max()) for row in rows)


def _water_filled(told: float, groups: Array, log: float) -> float:
    """The least θ that some λ excludes, or |S| if none does: for every λ a bisection on the level of the water."""
    lams = (LAMBDAS * math.sqrt(groups.min()))[:, None]
    caught = np.minimum(-np.expm1(-lams / groups), MOST_CAUGHT)
    goal = -lams[:, 0] * told - log
    low, high = (groups * caught).min(axis=1), (groups * caught / (1 - caught)).max(axis=1)
    for _ in range(HALVINGS):
        level = np.sqrt(low * high)
        held_by = _filled(level, groups, caught)
        enough = (groups * np.log1p(-held_by * caught)).sum(axis=1) <= goal
        low, high = np.where(enough, low, level), np.where(enough, level, high)
    held_by = _filled(high, groups, caught)
    excluded = (groups * np.log1p(-held_by * caught)).sum(axis=1) <= goal
    least = held_by.sum(axis=1)[excluded]
    return float(min(least.min() * (1 + MARGIN), groups.size)) if least.size else float(groups.size)


def _filled(level: Array, groups: Array, caught: Array) -> Array:
    """a_s = 1/c_s − n_s/ν within [0, 1]: where the slopes n_s c_s/(1 − a_s c_s) have come up to the level ν."""
    return np.asarray((1 / caught - groups / level[:, None]).clip(0, 1))
