"""Between the orders of information, and from them to guesses and back."""

from __future__ import annotations

from math import exp, expm1, inf, log, log1p

import numpy as np

from discreet.guarantees.implication import GAMMA, Domain, row
from discreet.guarantees.notions import (
    Arimoto,
    ChiSquared,
    EGamma,
    GuessingProbability,
    Hellinger,
    MaximalLeakage,
    MinEntropyLeakage,
    MutualInformation,
    Renyi,
    Sibson,
)
from discreet.guarantees.statement import kind


def _same(eta: float) -> float:
    return eta


SIBSON = (
    row(
        "sibson-from-leakage",
        MaximalLeakage,
        Sibson,
        _same,
        formula=r"I_\alpha \le I_\infty = L",
        cite="Sibson's information rises with its order",
        tight=True,
    ),
    row(
        "leakage-from-sibson",
        Sibson,
        MaximalLeakage,
        _same,
        at=lambda: {"alpha": inf},
        formula=r"L = I_\infty",
        cite="definition",
        tight=True,
    ),
    row(
        "information-from-sibson",
        Sibson,
        MutualInformation,
        _same,
        at=lambda: {"alpha": 1.0},
        formula=r"I = I_1",
        cite="definition",
        domain="alpha ≥ 1",
        tight=True,
    ),
    row(
        "sibson-from-information",
        MutualInformation,
        Sibson,
        _same,
        formula=r"I_\alpha \le I_1 = I",
        cite="Sibson's information rises with its order",
        domain=Domain("alpha ≤ 1", lambda alpha: alpha <= 1),
        tight=True,
    ),
    row(
        "sibson-from-renyi",
        Renyi,
        Sibson,
        _same,
        formula=r"I_\alpha = \min_{q_Y} D_\alpha(p_{SY} \| p_S q_Y) \le D_\alpha",
        cite="paper 001, equation (7)",
        tight=True,
    ),
    row(
        "guess-from-sibson",
        Sibson,
        GuessingProbability,
        lambda alpha, eta, p_s: (
            exp((1 - 1 / alpha) * (eta + log(p_s.max()))) if alpha < inf else exp(eta) * p_s.max()
        ),
        formula=r"V \le (\max p_S)^{\frac{\alpha-1}{\alpha}}\, e^{\frac{\alpha-1}{\alpha}\eta}",
        cite="Esposito, Gastpar and Issa (2021)",
        domain=Domain("alpha > 1", lambda alpha: alpha > 1),
        tight=True,
    ),
)

RENYI = (
    row(
        "information-from-renyi",
        Renyi,
        MutualInformation,
        _same,
        at=lambda: {"alpha": 1.0},
        formula=r"I = D_1",
        cite="definition",
        domain="alpha ≥ 1",
        tight=True,
    ),
    row(
        "renyi-from-information",
        MutualInformation,
        Renyi,
        _same,
        formula=r"D_\alpha \le D_1 = I",
        cite="the Rényi divergence rises with its order",
        domain=Domain("alpha ≤ 1", lambda alpha: alpha <= 1),
        tight=True,
    ),
    row(
        "chi-squared-from-renyi",
        Renyi,
        ChiSquared,
        lambda eta: expm1(eta),
        at=lambda: {"alpha": 2.0},
        formula=r"\chi^2 = e^{D_2} - 1",
        cite="definition",
        tight=True,
    ),
    row(
        "renyi-from-chi-squared",
        ChiSquared,
        Renyi,
        lambda eta: log1p(eta),
        formula=r"D_\alpha \le D_2 = \log(1 + \eta)",
        cite="the Rényi divergence rises with its order",
        domain=Domain("alpha ≤ 2", lambda alpha: alpha <= 2),
        tight=True,
    ),
    row(
        "hellinger-from-renyi",
        Renyi,
        Hellinger,
        lambda eta: -expm1(-eta / 2),
        at=lambda: {"alpha": 0.5},
        formula=r"H^2 = 1 - e^{-D_{1/2}/2}",
        cite="definition",
        domain="alpha ≥ ½",
        tight=True,
    ),
    row(
        "renyi-from-hellinger",
        Hellinger,
        Renyi,
        lambda eta: -2 * log1p(-eta) if eta < 1 else inf,
        formula=r"D_\alpha \le D_{1/2} = -2\log(1-\eta)",
        cite="the Rényi divergence rises with its order",
        domain=Domain("alpha ≤ ½", lambda alpha: alpha <= 0.5),
        tight=True,
    ),
)

ARIMOTO = (
    row(
        "arimoto-from-leakage",
        MaximalLeakage,
        Arimoto,
        _same,
        formula=r"I_\alpha^A \le L",
        cite="Arimoto's information is Sibson's for another prior",
        tight=True,
    ),
    row(
        "information-from-arimoto",
        Arimoto,
        MutualInformation,
        _same,
        at=lambda: {"alpha": 1.0},
        formula=r"I = I_1^A",
        cite="definition",
        domain="alpha = 1",
        tight=True,
    ),
    row(
        "arimoto-from-information",
        MutualInformation,
        Arimoto,
        _same,
        formula=r"I_1^A = I",
        cite="definition",
        domain=Domain("alpha = 1", lambda alpha: alpha == 1),
        tight=True,
    ),
    row(
        "min-entropy-from-arimoto",
        Arimoto,
        MinEntropyLeakage,
        _same,
        at=lambda: {"alpha": inf},
        formula=r"I_\infty^A = \log(V / \max p_S)",
        cite="paper 001, Section II-B",
        domain="alpha = ∞",
        tight=True,
    ),
    row(
        "arimoto-from-min-entropy",
        MinEntropyLeakage,
        Arimoto,
        _same,
        formula=r"I_\infty^A = \log(V / \max p_S)",
        cite="paper 001, Section II-B",
        domain=Domain("alpha = ∞", lambda alpha: alpha == inf),
        tight=True,
    ),
)

GUESSES = (
    row(
        "min-entropy-from-leakage",
        MaximalLeakage,
        MinEntropyLeakage,
        _same,
        formula=r"\log(V / \max p_S) \le L",
        cite="paper 001, equation (8)",
        tight=True,
    ),
    row(
        "guess-from-min-entropy",
        MinEntropyLeakage,
        GuessingProbability,
        lambda eta, p_s: exp(eta) * p_s.max(),
        formula=r"V = e^{\eta} \max p_S",
        cite="definition",
        tight=True,
    ),
    row(
        "min-entropy-from-guess",
        GuessingProbability,
        MinEntropyLeakage,
        lambda eta, p_s: max(log(eta / p_s.max()), 0.0),
        formula=r"\log(V / \max p_S)",
        cite="definition",
        domain=Domain("eta > 0", lambda eta: eta > 0),
        tight=True,
    ),
    row(
        "information-from-guess",
        GuessingProbability,
        MutualInformation,
        lambda eta, p_s: max(log(eta) - float((p_s * np.log(p_s)).sum()), 0.0),
        formula=r"I \le H(S) + \log V",
        cite="H(S|Y) is at least the conditional min-entropy",
        domain=Domain("eta > 0", lambda eta: eta > 0),
        tight=True,
    ),
    row(
        "leakage-from-e-gamma",
        kind(EGamma),
        MaximalLeakage,
        lambda gamma, eta, n_s: log(gamma + n_s * eta),
        formula=r"L \le \log(\gamma + |S|\, \eta)",
        cite="p(y|s) ≤ γ p(y) + (p(y|s) − γ p(y))₊",
        domain=GAMMA,
        tight=True,
    ),
)

ROWS = (*SIBSON, *RENYI, *ARIMOTO, *GUESSES)
