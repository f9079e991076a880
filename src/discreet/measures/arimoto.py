"""Arimoto's informations: how much better the secret itself is guessed, by an adversary of any loss order."""

from __future__ import annotations

import math

import numpy as np

from discreet.core.lift import Lift
from discreet.core.reading import Reading
from discreet.measures.arguments import order
from discreet.measures.decision import guessing_probability
from discreet.measures.fdiv import TINY, mutual_information
from discreet.measures.reducers import log_sum
from discreet.measures.sibson import NEAR_ONE, log_mean_norm


def arimoto(lift: Lift, alpha: float) -> Reading:
    """How many nats of its own uncertainty about the secret an adversary of loss order α loses.

    I_α = H_α(S) − H_α(S | Y) = α/(α−1) log Σ_y p(y) (Σ_s w(s) l^α)^(1/α),   w(s) ∝ p(s)^α

    Large: such an adversary gains much. Zero when independent. Order 1 is I(S; Y), order ∞ min-entropy leakage; it is
    Sibson's information at the tilted prior w.

    >>> from discreet.core.joint import Joint
    >>> arimoto(Joint([[.3, .1], [.15, .45]]).lift(), 2)
    Arimoto I_α [alpha=2] = 0.1986 nats (exact, of this law)

    References: paper 001, equation (6).
    """
    one = order(alpha) == 1
    value = mutual_information(lift).value if one else _gained(lift, alpha, _renyi_entropy(lift, alpha))
    return lift.reading("arimoto", value, alpha=float(alpha))


def _gained(lift: Lift, alpha: float, entropy: float) -> float:
    """What the release takes off the entropy H_α(S), at any order but 1."""
    if alpha == math.inf:
        return min_entropy_leakage(lift).value
    # log w − log p = (α − 1)(log p + H_α), which stays exact near order 1
    tilt = (alpha - 1) * (np.log(np.where(lift.p_s > 0, lift.p_s, 1)) + entropy)
    return max(alpha / (alpha - 1) * log_mean_norm(lift, alpha, tilt), 0.0)


def min_entropy_leakage(lift: Lift) -> Reading:
    """How many times more often the secret is guessed right in one try, as a logarithm.

    log V(S | Y) − log max_s p(s),   V = Σ_y max_s p(s, y)

    Large: one guess is much better than before. Zero when the release never changes the best guess, which is not yet
    independence.

    >>> from discreet.core.joint import Joint
    >>> min_entropy_leakage(Joint([[.3, .1], [.15, .45]]).lift())
    min-entropy leakage = 0.2231 nats (exact, of this law)

    References: paper 001, Section II-B.
    """
    guess = guessing_probability(lift)
    return lift.reading(
        "min_entropy_leakage", max(math.log(guess.value / lift.p_s.max()), 0.0), by_y=guess.by_y
    )


def entropy(lift: Lift, alpha: float = 1.0) -> Reading:
    """How uncertain the secret is before anything is released: Rényi's entropy of order α.

    H_α(S) = 1/(1−α) log Σ_s p(s)^α;   order 1: −Σ p log p

    For the release take `entropy(lift.reversed)`.

    >>> from discreet.core.joint import Joint
    >>> entropy(Joint([[.3, .1], [.15, .45]]).lift())
    H_α(S) [alpha=1] = 0.673 nats (exact, of this law)

    References: paper 004, equation (8).
    """
    return lift.reading("entropy", _renyi_entropy(lift, order(alpha)), alpha=float(alpha))


def _renyi_entropy(lift: Lift, alpha: float) -> float:
    p = lift.p_s[lift.p_s > 0]
    log = np.log(p)
    if alpha == 1:
        value = -float(p @ log)
    elif alpha == math.inf:
        value = -float(log.max())
    elif abs(alpha - 1) < NEAR_ONE:
        value = math.log1p(p @ np.expm1((alpha - 1) * log)) / (1 - alpha)
    else:
        value = log_sum(alpha * log) / (1 - alpha)
    return max(value, 0.0)


def conditional_entropy(lift: Lift, alpha: float = 1.0) -> Reading:
    """How uncertain the secret still is when the release is seen: Arimoto's conditional entropy of order α.

    H_α(S | Y) = α/(1−α) log Σ_y p(y) (Σ_s p(s | y)^α)^(1/α);   order 1: −Σ p(s, y) log p(s | y)

    Large: the release leaves much in the dark. Zero: the secret is known.

    >>> from discreet.core.joint import Joint
    >>> conditional_entropy(Joint([[.3, .1], [.15, .45]]).lift())
    H_α(S|Y) [alpha=1] = 0.5472 nats (exact, of this law)

    References: paper 004, equation (8), corrected: the loss itself is `alpha_loss`.
    """
    return lift.reading("conditional_entropy", _left(lift, order(alpha)), alpha=float(alpha))


def _left(lift: Lift, alpha: float) -> float:
    """H_α(S | Y)."""
    if alpha != 1:
        entropy = _renyi_entropy(lift, alpha)
        return max(entropy - _gained(lift, alpha, entropy), 0.0)
    value = 0.0
    for rows, columns, l in lift.tiles():
        posterior = lift.p_s[rows, None] * l
        value -= float((posterior * np.log(np.maximum(posterior, TINY))).sum(axis=0) @ lift.p_y[columns])
    return max(value, 0.0)


def alpha_loss(lift: Lift, alpha: float) -> Reading:
    """The least expected α-loss of an adversary who sees the release: log-loss at order 1, error at order ∞.

    α/(α−1) (1 − exp(−(α−1)/α · H_α(S | Y)))

    Large: the best adversary still does badly. Zero: the secret is known.

    >>> from discreet.core.joint import Joint
    >>> alpha_loss(Joint([[.3, .1], [.15, .45]]).lift(), 2)
    least α-loss [alpha=2] = 0.4072 (exact, of this law)

    References: paper 004, equations (7) and (8); the printed right side is a conditional entropy, of which this is an
    increasing function.
    """
    if order(alpha) == math.inf:
        value = 1 - guessing_probability(lift).value
    else:
        uncertainty = _left(lift, alpha)
        scale = 1 - 1 / alpha
        with np.errstate(over="ignore"):
            value = uncertainty if scale == 0 else -float(np.expm1(-scale * uncertainty)) / scale
    return lift.reading("alpha_loss", max(value, 0.0), alpha=float(alpha))
