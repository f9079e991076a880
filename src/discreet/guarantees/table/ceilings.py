"""What holds without any assumption: by data processing nothing tells more about S than S itself.

These rows clip what the others give, and stand for what is not known about the data before a channel.
"""

from __future__ import annotations

from math import exp, log

import numpy as np

from discreet.guarantees.implication import GAMMA, row
from discreet.guarantees.notions import (
    ChiSquared,
    Contraction,
    DifferentialPrivacy,
    Dobrushin,
    Doeblin,
    EGamma,
    GuessingProbability,
    Hellinger,
    InferenceGain,
    InformationPrivacy,
    MaximalCorrelation,
    MaximalLeakage,
    MinEntropyLeakage,
    Mmse,
    MutualInformation,
    Tail,
    TotalVariation,
)
from discreet.guarantees.statement import alike, kind

REVEALED = "data processing: the secret itself"
SHARE = "a probability"

AT_MOST_ONE = tuple(
    row(f"{name}-share", (), target, lambda: 1.0, formula=rf"{symbol} \le 1", cite=SHARE)
    for name, target, symbol in (
        ("tv", alike(TotalVariation), r"\mathrm{TV}"),
        ("hellinger", alike(Hellinger), "H^2"),
        ("e-gamma", alike(EGamma), r"E_\gamma"),
        ("tail", alike(Tail), "P"),
        ("information-privacy", alike(InformationPrivacy), r"\delta"),
        ("differential-privacy", DifferentialPrivacy, r"\delta"),
        ("correlation", MaximalCorrelation, r"\rho"),
        ("guess", GuessingProbability, "V"),
        ("contraction", Contraction, r"\eta"),
        ("dobrushin", Dobrushin, r"\tau"),
    )
)

AT_LEAST_ZERO = tuple(
    row(f"{name}-floor", (), target, lambda: 0.0, formula=rf"{symbol} \ge 0", cite="definition")
    for name, target, symbol in (("mmse", Mmse, r"\mathrm{mmse}"), ("doeblin", Doeblin, r"\alpha"))
)

TAILS = (
    row(
        "upper-tail-under-prior",
        (),
        alike(Tail, side="upper", direction="prior"),
        lambda t: exp(-t),
        formula=r"p_Y(i > t) \le e^{-t}",
        cite="paper 003, equation (18), under p(y): E27",
        tight=True,
    ),
    row(
        "lower-tail-under-release",
        (),
        alike(Tail, side="lower", direction="release"),
        lambda t: exp(-t),
        formula=r"p_{Y|s}(i < -t) \le e^{-t}",
        cite="E27, for paper 003, equation (18)",
        tight=True,
    ),
)

ALL_OF_S = (
    row(
        "information-ceiling",
        (),
        MutualInformation,
        lambda p_s: -float((p_s * np.log(p_s)).sum()),
        formula=r"I \le H(S)",
        cite=REVEALED,
        tight=True,
    ),
    row(
        "information-ceiling-worst",
        (),
        kind(MutualInformation, over="worst"),
        lambda p_s: -log(p_s.min()),
        formula=r"D(p_{Y|s} \| p_Y) \le -\log \min p_S",
        cite=REVEALED,
        tight=True,
    ),
    row(
        "tv-ceiling",
        (),
        TotalVariation,
        lambda p_s: 1 - float((p_s**2).sum()),
        formula=r"\mathrm{TV} \le 1 - \textstyle\sum_s p(s)^2",
        cite=REVEALED,
        tight=True,
    ),
    row(
        "tv-ceiling-worst",
        (),
        kind(TotalVariation, over="worst"),
        lambda p_s: 1 - p_s.min(),
        formula=r"\mathrm{TV}_s \le 1 - \min p_S",
        cite=REVEALED,
        tight=True,
    ),
    row(
        "chi-squared-ceiling",
        (),
        ChiSquared,
        lambda n_s: n_s - 1,
        formula=r"\chi^2 \le |S| - 1",
        cite=REVEALED,
        tight=True,
    ),
    row(
        "chi-squared-ceiling-releases",
        (),
        ChiSquared,
        lambda n_y: n_y - 1,
        formula=r"\chi^2 \le |Y| - 1",
        cite="data processing: the release itself",
        tight=True,
    ),
    row(
        "chi-squared-ceiling-worst",
        (),
        kind(ChiSquared, over="worst"),
        lambda p_s: 1 / p_s.min() - 1,
        formula=r"\chi^2_s \le 1/\min p_S - 1",
        cite=REVEALED,
        tight=True,
    ),
    row(
        "hellinger-ceiling",
        (),
        Hellinger,
        lambda p_s: 1 - float((p_s**1.5).sum()),
        formula=r"H^2 \le 1 - \textstyle\sum_s p(s)^{3/2}",
        cite=REVEALED,
        tight=True,
    ),
    row(
        "e-gamma-ceiling",
        (),
        kind(EGamma, over="mean"),
        lambda gamma, p_s: float((p_s * np.maximum(1 - gamma * p_s, 0)).sum()),
        formula=r"E_\gamma \le \textstyle\sum_s p(s)\,(1 - \gamma p(s))_+",
        cite=REVEALED,
        domain=GAMMA,
        tight=True,
    ),
    row(
        "e-gamma-ceiling-worst",
        (),
        EGamma,
        lambda gamma, p_s: max(1 - gamma * p_s.min(), 0.0),
        formula=r"E_\gamma \le (1 - \gamma \min p_S)_+",
        cite=REVEALED,
        domain=GAMMA,
        tight=True,
    ),
    row(
        "leakage-ceiling",
        (),
        MaximalLeakage,
        lambda n_s: log(n_s),
        formula=r"L \le \log|S|",
        cite=REVEALED,
        tight=True,
    ),
    row(
        "leakage-ceiling-releases",
        (),
        MaximalLeakage,
        lambda n_y: log(n_y),
        formula=r"L \le \log|Y|",
        cite="data processing: the release itself",
        tight=True,
    ),
    row(
        "min-entropy-ceiling",
        (),
        MinEntropyLeakage,
        lambda p_s: -log(p_s.max()),
        formula=r"\log(V/\max p_S) \le -\log\max p_S",
        cite=SHARE,
        tight=True,
    ),
    row(
        "gain-ceiling",
        (),
        InferenceGain,
        lambda cost_range: cost_range,
        formula=r"\Delta C \le \sup C - \inf C",
        cite="definition",
    ),
)

ROWS = (*AT_MOST_ONE, *AT_LEAST_ZERO, *TAILS, *ALL_OF_S)
