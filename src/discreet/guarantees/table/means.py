"""Between the mean over the secrets and the worst of them, and what the prior adds: a lift is at most 1/p(s)."""

from __future__ import annotations

from math import log

from discreet.guarantees.implication import GAMMA, row
from discreet.guarantees.notions import (
    ChiSquared,
    EGamma,
    FInformation,
    Hellinger,
    MutualInformation,
    Tail,
    TotalVariation,
)
from discreet.guarantees.statement import alike

BOUNDED_LIFT = (
    row(
        "chi-squared-from-tv",
        alike(TotalVariation, direction="release"),
        alike(ChiSquared, direction="release"),
        lambda eta, p_s: eta / p_s.min(),
        formula=r"\chi^2 \le \eta / \min p_S",
        cite="0 ≤ l ≤ 1/p(s); a convex function lies below its chords",
        tight=True,
    ),
    row(
        "information-from-tv",
        alike(TotalVariation, direction="release"),
        alike(MutualInformation, direction="release"),
        lambda eta, p_s: eta * log(1 / p_s.min()) / (1 - p_s.min()) if p_s.min() < 1 else 0.0,
        formula=r"I \le \eta\,\frac{R \log R}{R-1},\; R = 1/\min p_S",
        cite="0 ≤ l ≤ 1/p(s); a convex function lies below its chords",
        tight=True,
    ),
    row(
        "e-gamma-from-tv-and-prior",
        alike(TotalVariation, direction="release"),
        alike(EGamma, direction="release"),
        lambda eta, gamma, p_s: (
            eta * max(1 - gamma * p_s.min(), 0.0) / (1 - p_s.min()) if p_s.min() < 1 else 0.0
        ),
        formula=r"E_\gamma \le \eta\,\frac{(R - \gamma)_+}{R - 1},\; R = 1/\min p_S",
        cite="0 ≤ l ≤ 1/p(s); a convex function lies below its chords",
        domain=GAMMA,
        tight=True,
    ),
)

MEAN_AND_WORST = (
    *(
        row(
            f"mean-from-worst-{name}",
            alike(notion, over="worst"),
            alike(notion, over="mean"),
            lambda eta: eta,
            formula=rf"{symbol}_{{\mathrm{{mean}}}} \le \eta",
            cite="a mean is at most the largest",
        )
        for name, notion, symbol in (
            ("information", MutualInformation, "D"),
            ("tv", TotalVariation, r"\mathrm{TV}"),
            ("chi-squared", ChiSquared, r"\chi^2"),
            ("hellinger", Hellinger, "H^2"),
            ("f-information", FInformation, "D_f"),
            ("e-gamma", EGamma, r"E_\gamma"),
        )
    ),
    row(
        "mean-from-worst-tail",
        alike(Tail, over="worst"),
        alike(Tail, over="mean"),
        lambda delta: delta,
        formula=r"P_{\mathrm{mean}} \le \delta",
        cite="a mean is at most the largest",
    ),
    *(
        row(
            f"worst-from-mean-{name}",
            alike(notion, over="mean"),
            alike(notion, over="worst"),
            lambda eta, p_s: eta / p_s.min(),
            formula=rf"{symbol}_s \le \eta / \min p_S",
            cite="one term of the mean",
        )
        for name, notion, symbol in (
            ("information", MutualInformation, "D"),
            ("hellinger", Hellinger, "H^2"),
            ("e-gamma", EGamma, r"E_\gamma"),
        )
    ),
    row(
        "worst-from-mean-tail",
        alike(Tail, over="mean"),
        alike(Tail, over="worst"),
        lambda delta, p_s: delta / p_s.min(),
        formula=r"P_s \le \delta / \min p_S",
        cite="one term of the mean",
    ),
    row(
        "worst-from-mean-tv",
        alike(TotalVariation, over="mean"),
        alike(TotalVariation, over="worst"),
        lambda eta, p_s: eta / (2 * p_s.min()),
        formula=r"\mathrm{TV}_s \le \eta / (2 \min p_S)",
        cite="one term of the mean, and what the others must make up for",
        tight=True,
    ),
    row(
        "worst-from-mean-chi-squared",
        alike(ChiSquared, over="mean", direction="release"),
        alike(ChiSquared, over="worst", direction="release"),
        lambda eta, p_s: eta * (1 - p_s.min()) / p_s.min(),
        formula=r"\chi^2_s \le \eta\,(1 - \min p_S) / \min p_S",
        cite="one term of the mean, and what the others must make up for",
        tight=True,
    ),
    row(
        "worst-from-mean-chi-squared-prior",
        alike(ChiSquared, over="mean", direction="prior"),
        alike(ChiSquared, over="worst", direction="prior"),
        lambda eta, p_s: eta / p_s.min(),
        formula=r"\chi^2_s \le \eta / \min p_S",
        cite="one term of the mean",
    ),
)

ROWS = (*BOUNDED_LIFT, *MEAN_AND_WORST)
