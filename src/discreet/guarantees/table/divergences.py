"""Between divergences of two laws, whichever they are."""

from __future__ import annotations

from math import expm1, log, log1p, sqrt

from discreet.guarantees.implication import GAMMA, Domain, row
from discreet.guarantees.notions import (
    ChiSquared,
    EGamma,
    Hellinger,
    MutualInformation,
    TotalVariation,
)
from discreet.guarantees.sharp import kl_gap, kl_gap_turned
from discreet.guarantees.statement import alike


def _chi_squared_gap(eta: float, gamma: float) -> float:
    root = sqrt(eta + (gamma - 1) ** 2)
    if root == 0 or (1 - (gamma - 1) / root) / 2 <= 1 / (1 + eta):
        return (root - (gamma - 1)) / 2
    return 1 - gamma / (1 + eta)


def _chi_squared_gap_turned(eta: float, gamma: float) -> float:
    root = sqrt(gamma**2 * eta + (gamma - 1) ** 2)
    if root == 0 or (1 - (gamma - 1) / root) / 2 >= eta / (1 + eta):
        return (root - (gamma - 1)) / 2
    return eta / (1 + eta)


def _turned_kl(eta: float, top: float) -> float:
    """The largest ratio of l log l − l + 1 to l − 1 − log l on lifts up to `top` is at the end."""
    if top - 1 < 1e-6:
        return eta * (1 + top) / 2 * top
    return eta * (top * log(top) - top + 1) / (top - 1 - log(top))


SAME_DIRECTION = (
    row(
        "pinsker",
        alike(MutualInformation),
        alike(TotalVariation),
        lambda eta: sqrt(eta / 2),
        formula=r"\mathrm{TV} \le \sqrt{\eta/2}",
        cite="Pinsker; E1, replaces paper 000, Section III",
    ),
    row(
        "pinsker-printed",
        MutualInformation,
        TotalVariation,
        lambda eta: sqrt(eta) / 2,
        formula=r"(2\,\mathrm{TV})^2 \le \eta",
        cite="paper 000, Section III; E1",
        domain="none: false",
        wrong=True,
    ),
    row(
        "pinsker-sharp",
        alike(MutualInformation),
        alike(TotalVariation),
        lambda eta: kl_gap(eta, 1.0),
        formula=r"\mathrm{TV} \le \min_{c>0} \bigl(\eta + \log u + \tfrac1u - 1\bigr)/c,\; u = \tfrac{e^c-1}{c}",
        cite="Fedotov, Harremoës and Topsøe (2003), by duality",
        tight=True,
    ),
    row(
        "tv-from-chi-squared",
        alike(ChiSquared),
        alike(TotalVariation),
        lambda eta: sqrt(eta) / 2 if eta <= 1 else eta / (1 + eta),
        formula=r"\mathrm{TV} \le \tfrac12\sqrt\eta \text{ if } \eta \le 1,\; \tfrac{\eta}{1+\eta} \text{ beyond}",
        cite="Gilardoni (2010)",
        tight=True,
    ),
    row(
        "tv-from-hellinger",
        alike(Hellinger),
        alike(TotalVariation),
        lambda eta: sqrt(eta * (2 - eta)),
        formula=r"\mathrm{TV} \le \sqrt{\eta(2-\eta)}",
        cite="Le Cam",
        tight=True,
    ),
    row(
        "hellinger-from-tv",
        alike(TotalVariation),
        alike(Hellinger),
        lambda eta: eta,
        formula=r"H^2 \le \eta",
        cite="Le Cam",
    ),
    row(
        "hellinger-from-information",
        alike(MutualInformation),
        alike(Hellinger),
        lambda eta: -expm1(-eta / 2),
        formula=r"H^2 \le 1 - e^{-\eta/2}",
        cite="Rényi divergences of order ½ and 1",
        tight=True,
    ),
    row(
        "information-from-chi-squared",
        alike(ChiSquared),
        alike(MutualInformation),
        lambda eta: log1p(eta),
        formula=r"I \le \log(1 + \eta)",
        cite="paper 000, Section III",
        tight=True,
    ),
    row(
        "e-gamma-from-tv",
        alike(TotalVariation),
        alike(EGamma),
        lambda eta: eta,
        formula=r"E_\gamma \le E_1 = \mathrm{TV} \le \eta",
        cite="definition",
        domain=GAMMA,
        tight=True,
    ),
    row(
        "e-gamma-from-chi-squared",
        alike(ChiSquared),
        alike(EGamma),
        _chi_squared_gap,
        formula=r"E_\gamma \le \tfrac12\bigl(\sqrt{\eta + (\gamma-1)^2} - (\gamma-1)\bigr),"
        r"\text{ or } 1 - \tfrac{\gamma}{1+\eta} \text{ where some event becomes certain}",
        cite="two outcomes suffice; Cauchy–Schwarz",
        domain=GAMMA,
        tight=True,
    ),
    row(
        "e-gamma-from-hellinger",
        alike(Hellinger),
        alike(EGamma),
        lambda eta, gamma: (sqrt((gamma - 1) ** 2 + 4 * gamma * eta * (2 - eta)) - (gamma - 1)) / 2,
        formula=r"E_\gamma \le \tfrac12\bigl(\sqrt{(\gamma-1)^2 + 4\gamma\eta(2-\eta)} - (\gamma-1)\bigr)",
        cite="two outcomes suffice",
        domain=GAMMA,
        tight=True,
    ),
    row(
        "e-gamma-from-information",
        alike(MutualInformation),
        alike(EGamma),
        kl_gap,
        formula=r"E_\gamma \le \min_{c>0} \bigl(\eta + \log u + \tfrac1u - 1\bigr)/c,"
        r"\; u = \max\bigl(1, \tfrac{e^c-1}{c\gamma}\bigr)",
        cite="Donsker–Varadhan with the indicator of an event",
        domain=GAMMA,
    ),
    row(
        "tv-from-e-gamma",
        alike(EGamma),
        alike(TotalVariation),
        lambda gamma, eta: 1 - (1 - eta) / gamma,
        formula=r"\mathrm{TV} \le 1 - (1-\eta)/\gamma",
        cite="E_γ is convex in γ and 1 at γ = 0",
        domain=GAMMA,
        tight=True,
    ),
    row(
        "e-gamma-at-smaller-gamma",
        alike(EGamma),
        alike(EGamma),
        lambda gamma, eta, gamma_asked: 1 - (1 - eta) * gamma_asked / gamma,
        formula=r"E_{\gamma'} \le 1 - (1-\eta)\,\gamma'/\gamma",
        cite="E_γ is convex in γ and 1 at γ = 0",
        scan="gamma",
        domain=Domain("1 ≤ gamma asked ≤ gamma", lambda gamma, gamma_asked: 1 <= gamma_asked <= gamma),
        tight=True,
    ),
    row(
        "e-gamma-at-larger-gamma",
        alike(EGamma, direction="release"),
        alike(EGamma, direction="release"),
        lambda gamma, eta, gamma_asked, p_s: (
            eta * max(1 - gamma_asked * p_s.min(), 0.0) / (1 - gamma * p_s.min())
        ),
        formula=r"E_{\gamma'} \le \eta\,\frac{(1 - \gamma' \min p_S)_+}{1 - \gamma \min p_S}",
        cite="E_γ is convex in γ and 0 at γ = 1/min p(s)",
        scan="gamma",
        domain=Domain(
            "1 ≤ gamma ≤ gamma asked, gamma < 1/min p(s)",
            lambda gamma, gamma_asked, p_s: 1 <= gamma <= gamma_asked and gamma * p_s.min() < 1,
        ),
    ),
)

OTHER_DIRECTION = (
    row(
        "e-gamma-prior-from-chi-squared",
        alike(ChiSquared, direction="release"),
        alike(EGamma, direction="prior"),
        _chi_squared_gap_turned,
        formula=r"E_\gamma(q\|p) \le \tfrac12\bigl(\sqrt{\gamma^2\eta + (\gamma-1)^2} - (\gamma-1)\bigr),"
        r"\text{ or } \tfrac{\eta}{1+\eta} \text{ where some event becomes impossible}",
        cite="two outcomes suffice; Cauchy–Schwarz",
        domain=GAMMA,
        tight=True,
    ),
    row(
        "e-gamma-release-from-chi-squared-prior",
        alike(ChiSquared, direction="prior"),
        alike(EGamma, direction="release"),
        _chi_squared_gap_turned,
        formula=r"E_\gamma(p\|q) \le \tfrac12\bigl(\sqrt{\gamma^2\eta + (\gamma-1)^2} - (\gamma-1)\bigr),"
        r"\text{ or } \tfrac{\eta}{1+\eta} \text{ where some event becomes impossible}",
        cite="two outcomes suffice; Cauchy–Schwarz",
        domain=GAMMA,
    ),
    row(
        "e-gamma-prior-from-information",
        alike(MutualInformation, direction="release"),
        alike(EGamma, direction="prior"),
        kl_gap_turned,
        formula=r"E_\gamma(q\|p) \le \min_{c>0} \tfrac{\gamma\eta}{c}"
        r" + \max_{e^{-c} \le w \le 1} \tfrac{1-w}{1-e^{-c}} + \tfrac{\gamma}{c} \log w",
        cite="Donsker–Varadhan with the indicator of an event",
        domain=GAMMA,
    ),
    row(
        "e-gamma-release-from-information-prior",
        alike(MutualInformation, direction="prior"),
        alike(EGamma, direction="release"),
        kl_gap_turned,
        formula=r"E_\gamma(p\|q) \le \min_{c>0} \tfrac{\gamma\eta}{c}"
        r" + \max_{e^{-c} \le w \le 1} \tfrac{1-w}{1-e^{-c}} + \tfrac{\gamma}{c} \log w",
        cite="Donsker–Varadhan with the indicator of an event",
        domain=GAMMA,
    ),
    row(
        "chi-squared-from-prior",
        alike(ChiSquared, direction="prior"),
        alike(ChiSquared, direction="release"),
        lambda eta, p_s: eta / p_s.min(),
        formula=r"\chi^2(p\|q) \le \eta / \min p_S",
        cite="l ≤ 1/p(s)",
    ),
    row(
        "information-from-prior",
        alike(MutualInformation, direction="prior"),
        alike(MutualInformation, direction="release"),
        lambda eta, p_s: _turned_kl(eta, 1 / p_s.min()),
        formula=r"D(p\|q) \le \eta\,\frac{R\log R - R + 1}{R - 1 - \log R},\; R = 1/\min p_S",
        cite="l ≤ 1/p(s)",
    ),
)

ROWS = (*SAME_DIRECTION, *OTHER_DIRECTION)
