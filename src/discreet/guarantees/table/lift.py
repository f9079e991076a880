"""The worst cell: bounds on the lift itself, and the theorems of paper 001."""

from __future__ import annotations

from collections.abc import Callable
from math import cosh, exp, expm1, inf, log, log1p, sinh, tanh
from typing import Any

import numpy as np

from discreet.guarantees.implication import GAMMA, Domain, row
from discreet.guarantees.notions import (
    Arimoto,
    ChiSquared,
    EGamma,
    FInformation,
    GuessingProbability,
    Hellinger,
    LiftPrivacy,
    LocalPrivacy,
    MaximalCorrelation,
    MaximalLeakage,
    MutualInformation,
    Renyi,
    Sibson,
    TotalVariation,
    Watchdog,
)
from discreet.guarantees.statement import alike


def _two_points(f: Callable[[Any], Any], eps: float) -> float:
    """The mean of a convex f is largest when the lift is e^eps or e^−eps throughout."""
    high, low = (float(f(np.array([l]))[0]) for l in (exp(eps), exp(-eps)))
    return (high + exp(eps) * low) / (1 + exp(eps))


def _largest(f: Callable[[Any], Any], eps: float) -> float:
    return max(float(f(np.array([l]))[0]) for l in (exp(eps), exp(-eps)))


def _order(eps: float, alpha: float) -> float:
    if alpha == inf:
        return eps
    if alpha == 1:
        return eps * tanh(eps / 2)
    if abs(alpha - 1) < NEAR_ONE:
        alpha = 1 + NEAR_ONE
    shift = abs(alpha - 0.5) * eps
    log_ratio = shift + log1p(exp(-2 * shift)) - eps / 2 - log1p(exp(-eps))
    return log_ratio / (alpha - 1)


def _watchdog(eps: float, p_kept: float) -> float:
    if p_kept == 0:
        return 0.0
    if p_kept == 1 or p_kept <= 1 / (1 + exp(eps)):
        return eps
    return log((1 - p_kept) / (1 - exp(eps) * p_kept)) if p_kept < exp(-eps) else inf


def _watchdog_printed(eps: float, p_kept: float) -> float:
    rest = 1 - p_kept
    least = 1 - exp(eps) * p_kept
    return max(log((least + exp(eps)) / rest), -log(least / rest))


NEAR_ONE = 1e-6
"""So near to order 1 the bound of a slightly larger order is given, which holds as well and does not cancel."""

ORDER = r"\frac{1}{\alpha-1} \log \frac{\cosh((\alpha-\frac12)\varepsilon)}{\cosh(\varepsilon/2)}"

LIFT = (
    row(
        "local-from-lift",
        LiftPrivacy,
        LocalPrivacy,
        lambda eps: 2 * eps,
        formula=r"\varepsilon_{\mathrm{local}} \le 2\varepsilon",
        cite="E13, replaces paper 001, Lemma 1(2); paper 000, Section II",
        tight=True,
    ),
    row(
        "lemma-1-2-printed",
        LiftPrivacy,
        LocalPrivacy,
        lambda eps: eps,
        formula=r"\varepsilon_{\mathrm{local}} \le \varepsilon",
        cite="paper 001, equation (5); E13",
        domain="none: false",
        wrong=True,
    ),
    row(
        "information-from-lift",
        LiftPrivacy,
        alike(MutualInformation),
        lambda eps: eps * tanh(eps / 2),
        formula=r"I \le \varepsilon \tanh(\varepsilon/2)",
        cite="T5, replaces paper 001, Lemma 1(3)",
        tight=True,
    ),
    row(
        "lemma-1-3-printed",
        LiftPrivacy,
        MutualInformation,
        lambda eps: eps,
        formula=r"I \le \varepsilon",
        cite="paper 001, Lemma 1(3)",
        printed=True,
    ),
    row(
        "tv-from-lift",
        LiftPrivacy,
        alike(TotalVariation),
        lambda eps: tanh(eps / 2),
        formula=r"\mathrm{TV} \le \tanh(\varepsilon/2)",
        cite="T5, T4b",
        tight=True,
    ),
    row(
        "chi-squared-from-lift",
        LiftPrivacy,
        alike(ChiSquared),
        lambda eps: 4 * sinh(eps / 2) ** 2,
        formula=r"\chi^2 \le 4 \sinh^2(\varepsilon/2)",
        cite="T5, replaces paper 001, Proposition 1(3)",
        tight=True,
    ),
    row(
        "hellinger-from-lift",
        LiftPrivacy,
        alike(Hellinger),
        lambda eps: 1 - 1 / cosh(eps / 2),
        formula=r"H^2 \le 1 - 1/\cosh(\varepsilon/2)",
        cite="T5",
        tight=True,
    ),
    row(
        "e-gamma-from-lift",
        LiftPrivacy,
        alike(EGamma),
        lambda eps, gamma: max(exp(eps) - gamma, 0.0) / (1 + exp(eps)),
        formula=r"E_\gamma \le \frac{(e^\varepsilon - \gamma)_+}{1 + e^\varepsilon}",
        cite="T5",
        domain=GAMMA,
        tight=True,
    ),
    row(
        "f-information-from-lift",
        LiftPrivacy,
        alike(FInformation),
        lambda eps, f: _two_points(f, eps),
        formula=r"I_f \le \frac{f(e^\varepsilon) + e^\varepsilon f(e^{-\varepsilon})}{1 + e^\varepsilon}",
        cite="T5, replaces paper 001, Proposition 1(3)",
        tight=True,
    ),
    row(
        "proposition-1-3-printed",
        LiftPrivacy,
        FInformation,
        lambda eps, f: _largest(f, eps),
        formula=r"I_f \le \max_{e^{-\varepsilon} \le t \le e^{\varepsilon}} f(t)",
        cite="paper 001, Proposition 1(3)",
        printed=True,
    ),
    row(
        "all-measures-printed",
        LiftPrivacy,
        ChiSquared,
        lambda eps: eps,
        formula=r"L(S;Y) \le \varepsilon",
        cite="paper 001, Section III-B, of χ²; E15",
        domain="none: false",
        wrong=True,
    ),
    *(
        row(
            f"{name}-from-lift",
            LiftPrivacy,
            notion,
            _order,
            formula=rf"{symbol} \le {ORDER} \le \varepsilon",
            cite=cite,
            domain="every order in (0, ∞], 1 and ∞ as limits",
            tight=True,
        )
        for name, notion, symbol, cite in (
            ("sibson", Sibson, r"I_\alpha^S", "T5, replaces paper 001, Proposition 1(1)"),
            ("arimoto", Arimoto, r"I_\alpha^A", "T5, replaces paper 001, Proposition 1(2)"),
            ("renyi", Renyi, r"D_\alpha", "T5"),
        )
    ),
    row(
        "proposition-1-1-printed",
        LiftPrivacy,
        Sibson,
        lambda eps, alpha: alpha / (alpha - 1) * eps,
        formula=r"I_\alpha^S \le \frac{\alpha}{\alpha-1}\,\varepsilon",
        cite="paper 001, Proposition 1(1), where alpha is any order; E14",
        domain=Domain("alpha > 1; false below", lambda alpha: alpha not in {1, inf}),
        wrong=True,
    ),
    row(
        "proposition-1-2-printed",
        LiftPrivacy,
        Arimoto,
        lambda eps, alpha: alpha / (alpha - 1) * eps,
        formula=r"I_\alpha^A \le \frac{\alpha}{\alpha-1}\,\varepsilon",
        cite="paper 001, Proposition 1(2)",
        domain=Domain("alpha > 1", lambda alpha: 1 < alpha < inf),
        printed=True,
    ),
    row(
        "leakage-from-lift",
        LiftPrivacy,
        MaximalLeakage,
        lambda eps: eps,
        formula=r"L \le \varepsilon",
        cite="paper 001, Proposition 1(1)",
        tight=True,
    ),
    row(
        "guess-from-lift",
        LiftPrivacy,
        GuessingProbability,
        lambda eps, p_s: min(exp(eps) * p_s.max(), 1 - exp(-eps) * (1 - p_s.max())),
        formula=r"V \le \min\bigl(e^{\varepsilon} m,\; 1 - e^{-\varepsilon}(1 - m)\bigr),\; m = \max p_S",
        cite="T5; paper 001, Proposition 1(2), for the first",
        tight=True,
    ),
    row(
        "correlation-from-lift",
        LiftPrivacy,
        MaximalCorrelation,
        lambda eps: -expm1(-eps),
        formula=r"\rho \le 1 - e^{-\varepsilon}",
        cite="a share e^−ε of every release ignores the secret",
        tight=True,
    ),
    row(
        "watchdog",
        Watchdog,
        LiftPrivacy,
        _watchdog,
        formula=r"\gamma \le \varepsilon \text{ if } P \le \tfrac{1}{1+e^\varepsilon},\;"
        r"\log\tfrac{1-P}{1-e^\varepsilon P} \text{ if } \tfrac{1}{1+e^\varepsilon} < P < e^{-\varepsilon}",
        cite="T6, replaces paper 001, Proposition 2",
        domain="P = p_kept, the probability of the symbols released as they are; no finite bound from e^−eps to 1",
    ),
    row(
        "proposition-2-printed",
        Watchdog,
        LiftPrivacy,
        _watchdog_printed,
        formula=r"\gamma = \max\bigl\{\log\tfrac{1-e^\varepsilon P+e^\varepsilon}{1-P},\;"
        r"-\log\tfrac{1-e^\varepsilon P}{1-P}\bigr\}",
        cite="paper 001, Proposition 2; E16",
        domain=Domain("e^eps p_kept < 1", lambda eps, p_kept: p_kept < 1 and exp(eps) * p_kept < 1),
        printed=True,
    ),
)

ROWS = LIFT
