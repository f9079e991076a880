"""What a critic is trained for: objectives on its scores g[i, s] of record i against every secret.

Each is a lower bound of a leak, or the leak less a constant, to be MAXIMISED by the critic and made small by the
sanitiser. With finitely many secrets the expectation over the product law is exact over secrets: nothing is shuffled.
`s` are the records' secrets one-hot, s[i, s], and `p_s` the masses. All are written over an array namespace `xp`.

The two last ones need no critic: they look at the release itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SMALL = 1e-6
"""λ of the χ² ratio: it keeps the quotient finite while the critic is still constant."""


def logsumexp(xp: Any, g: Any, axis: int | tuple[int, ...] | None = -1) -> Any:
    """log Σ e^g without overflow."""
    top = xp.max(g, axis=axis, keepdims=True)
    total = xp.log(xp.sum(xp.exp(g - top), axis=axis))
    return total + xp.squeeze(top, axis=axis)


def log_posterior(xp: Any, g: Any) -> Any:
    """log p̂(s | y_i) of scores that are read as logits."""
    return g - logsumexp(xp, g)[..., None]


def log_loss(xp: Any, g: Any, s: Any, p_s: Any) -> Any:
    """E log p̂(s | y) + H(S): at the best critic I(S; Y).

    References: paper 004, (7) and (11).
    """
    return xp.mean(xp.sum(s * (log_posterior(xp, g) - xp.log(p_s)), axis=-1))


def alpha_loss(xp: Any, g: Any, s: Any, p_s: Any, *, alpha: float = 2.0) -> Any:
    """−α/(α−1) E (1 − p̂(s | y)^((α−1)/α)): log-loss as α → 1, the chance of a right guess less one as α → ∞.

    Its largest value is −α/(α−1) (1 − exp(−(α−1)/α H_α)), with Arimoto's H_α(S | Y); both are monotone in each other.

    References: paper 004, (8) and (12), as corrected (E38).
    """
    del p_s
    power = 1 - 1 / alpha
    right = xp.sum(s * log_posterior(xp, g), axis=-1)
    if power == 0:
        return xp.mean(right)
    return xp.mean(xp.exp(power * right) - 1) / power


def squared(xp: Any, g: Any, s: Any, p_s: Any) -> Any:
    """Σ_s (Var 1_s − E (1_s − p(s) − g_s)²): how much of each secret's indicator is told, beside a blind guess.

    At the best critic g_s = p(s | y) − p(s), and the sum is Σ_s E (p(s | y) − p(s))². With two secrets that is
    2 p0 p1 χ², so it is the χ² critic in another dress.
    """
    miss = s - p_s - g
    return xp.mean(xp.sum((s - p_s) ** 2 - miss**2, axis=-1))


def numeric_squared(xp: Any, g: Any, s: Any, p_s: Any) -> Any:
    """Var S − E (S − ĝ(Y))² for a secret that is a number: s[i, 0], standardised; the share of Var S that is told.

    References: paper 004, (3).
    """
    del p_s
    return xp.mean(xp.sum(s**2 - (s - g) ** 2, axis=-1))


def donsker_varadhan(xp: Any, g: Any, s: Any, p_s: Any) -> Any:
    """E_joint[g] − log E_product[e^g]; the product expectation is exact over secrets.

    At most I(S; Y), and equal to it at g = log l + c for every c: the critic is the log-lift up to a constant (E18).
    """
    inside = logsumexp(xp, g + xp.log(p_s), axis=None) - np.log(g.shape[0])
    return xp.mean(xp.sum(s * g, axis=-1)) - inside


def nwj(xp: Any, g: Any, s: Any, p_s: Any) -> Any:
    """E_joint[g] − E_product[e^g] + 1: at most I(S; Y), and the best critic is the log-lift itself.

    Within |g| ≤ M its best critic is the clipped log-lift, which Donsker and Varadhan's is not (E35).
    """
    return xp.mean(xp.sum(s * g, axis=-1)) - xp.mean(xp.exp(g) @ p_s) + 1


def chi_squared(xp: Any, g: Any, s: Any, p_s: Any) -> Any:
    """√((E_joint g − E_product g)² / Var_product g): at most √χ²(S; Y), whatever the scale and the offset of g.

    The root keeps the slope from vanishing near independence. Best critics are a l + b with a > 0, and −l as well.

    References: paper 000, (21), centred (T9) and square-rooted.
    """
    gain, variance = chi_squared_parts(xp, g, s, p_s)
    return xp.sqrt(gain**2 / (variance + SMALL) + SMALL**2)


def chi_squared_parts(xp: Any, g: Any, s: Any, p_s: Any) -> tuple[Any, Any]:
    """E_joint g − E_product g, and Var_product g."""
    blind = xp.mean(g @ p_s)
    gain = xp.mean(xp.sum(s * g, axis=-1)) - blind
    return gain, xp.mean(((g - blind) ** 2) @ p_s)


Objective = Callable[..., Any]

OBJECTIVES: dict[str, Objective] = {
    "log_loss": log_loss,
    "alpha_loss": alpha_loss,
    "squared": squared,
    "donsker_varadhan": donsker_varadhan,
    "nwj": nwj,
    "chi_squared": chi_squared,
}
"""Objectives of a critic of a finite secret, by name."""


def kernel_mmd(xp: Any, y: Any, s: Any, p_s: Any, *, width: float = 1.0) -> Any:
    """Σ_s p(s) ‖mean embedding of p(y | s) − that of p(y)‖², with a Gaussian kernel of this width.

    Zero exactly at independence. O(n²) for n records of a batch. No critic is needed.

    References: paper 000, VFAE in Section V-B.
    """
    n = y.shape[0]
    square = xp.sum(y**2, axis=-1)
    apart = square[:, None] + square[None, :] - 2 * y @ y.T
    kernel = xp.exp(-xp.maximum(apart, 0.0) / (2 * width**2))
    weight = s / xp.maximum(xp.sum(s, axis=0), 1.0) - 1.0 / n
    return xp.sum(p_s * xp.sum(weight * (kernel @ weight), axis=0))


def pairwise_gaussian_kl(xp: Any, mean: Any, log_variance: Any, s: Any) -> Any:
    """The mean of KL(N(m_i, v_i) ‖ N(m_j, v_j)) over pairs of records with different secrets.

    For sanitisers that release a normal draw around m(x) with variance v(x); an upper bound, pair by pair, of how
    well two secrets can be told apart. No critic is needed. O(n² d) for n records of a batch.

    References: paper 000, IRL in Section V-B.
    """
    precision = xp.exp(-log_variance)
    spread = xp.exp(log_variance) @ precision.T
    moved = (mean**2) @ precision.T - 2 * mean @ (mean * precision).T + xp.sum(mean**2 * precision, axis=-1)
    volume = xp.sum(log_variance, axis=-1)
    divergence = 0.5 * (spread + moved - mean.shape[-1] + volume[None, :] - volume[:, None])
    differ = 1.0 - s @ s.T
    return xp.sum(differ * divergence) / xp.maximum(xp.sum(differ), 1.0)
