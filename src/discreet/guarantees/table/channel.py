"""What a known mechanism does to whatever was known before it: contraction, prior-free.

The first source speaks of the channel p(y | x), the second of S and X, the conclusion of S and Y.
"""

from __future__ import annotations

from math import exp, sqrt, tanh

from discreet.guarantees.implication import ANY_LAW, GAMMA, row
from discreet.guarantees.notions import (
    ChiSquared,
    Contraction,
    Dobrushin,
    Doeblin,
    EGamma,
    FInformation,
    GuessingProbability,
    Hellinger,
    LocalPrivacy,
    MaximalCorrelation,
    MutualInformation,
    TotalVariation,
)
from discreet.guarantees.statement import alike, of_channel


def _share(eta: float, eta_2: float) -> float:
    return eta * eta_2


COEFFICIENTS = (
    row(
        "contraction-from-local",
        of_channel(LocalPrivacy),
        Contraction,
        lambda eps: tanh(eps / 2) ** 2,
        formula=r"\eta \le \tanh^2(\varepsilon/2)",
        cite="Asoodeh and Zhang (2024)",
        tight=True,
    ),
    row(
        "dobrushin-from-local",
        of_channel(LocalPrivacy),
        Dobrushin,
        lambda eps: tanh(eps / 2),
        formula=r"\tau \le \tanh(\varepsilon/2)",
        cite="Kairouz, Oh and Viswanath (2015)",
        tight=True,
    ),
    row(
        "doeblin-from-local",
        of_channel(LocalPrivacy),
        Doeblin,
        lambda eps: exp(-eps),
        formula=r"\alpha \ge e^{-\varepsilon}",
        cite="the least row is at least e^−ε of any other",
    ),
    row(
        "contraction-from-dobrushin",
        Dobrushin,
        Contraction,
        lambda eta: eta,
        formula=r"\eta \le \tau",
        cite="Cohen, Kempermann and Zbăganu (1998)",
        tight=True,
    ),
    row(
        "dobrushin-from-doeblin",
        Doeblin,
        Dobrushin,
        lambda eta: 1 - eta,
        formula=r"\tau \le 1 - \alpha",
        cite="Doeblin",
        tight=True,
    ),
)

CONTRACTION = (
    *(
        row(
            f"contraction-of-{name}",
            (Contraction, alike(notion)),
            alike(notion),
            _share,
            formula=rf"{symbol}(S;Y) \le \eta\, {symbol}(S;X)",
            cite="one coefficient for every operator convex f",
            tight=True,
        )
        for name, notion, symbol in (
            ("information", MutualInformation, "I"),
            ("chi-squared", ChiSquared, r"\chi^2"),
            ("hellinger", Hellinger, "H^2"),
        )
    ),
    row(
        "contraction-of-correlation",
        (Contraction, MaximalCorrelation),
        MaximalCorrelation,
        lambda eta, eta_2: sqrt(eta) * eta_2,
        formula=r"\rho^2(S;Y) \le \eta\, \rho^2(S;X) \le \eta",
        cite="ρ(S;Y) ≤ ρ(S;X) ρ(X;Y)",
        tight=True,
    ),
    *(
        row(
            f"dobrushin-of-{name}",
            (Dobrushin, alike(notion)),
            alike(notion),
            _share,
            formula=rf"{symbol}(S;Y) \le \tau\, {symbol}(S;X)",
            cite="Dobrushin; every f-divergence contracts at least as total variation",
            domain=domain,
            tight=name == "tv",
        )
        for name, notion, symbol, domain in (
            ("tv", TotalVariation, r"\mathrm{TV}", ANY_LAW),
            ("e-gamma", EGamma, r"E_\gamma", GAMMA),
            ("f-information", FInformation, "I_f", ANY_LAW),
        )
    ),
    row(
        "doeblin-of-guess",
        (Doeblin, GuessingProbability),
        GuessingProbability,
        lambda eta, eta_2, p_s: eta * p_s.max() + (1 - eta) * eta_2,
        formula=r"V(S;Y) \le \alpha \max p_S + (1-\alpha)\, V(S;X)",
        cite="a share α of the releases ignores the record",
        tight=True,
    ),
)

ROWS = (*COEFFICIENTS, *CONTRACTION)
