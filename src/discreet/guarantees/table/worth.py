"""What information privacy with a tail is worth: the lemmas of paper 000."""

from __future__ import annotations

from math import exp, expm1, inf, log, sqrt

from discreet.guarantees.implication import GAMMA, Domain, row
from discreet.guarantees.notions import (
    ChiSquared,
    DifferentialPrivacy,
    EGamma,
    GuessingProbability,
    InformationPrivacy,
    LiftPrivacy,
    MaximalCorrelation,
    Mmse,
    Tail,
    TotalVariation,
)
from discreet.guarantees.statement import kind

STRONG = kind(InformationPrivacy, strong=True)

TAILS_OF_IT = (
    row(
        "weak-from-strong",
        STRONG,
        InformationPrivacy,
        lambda delta: delta,
        formula=r"\delta_{\mathrm{weak}} \le \delta",
        cite="paper 000, Section II",
    ),
    row(
        "strong-from-lift",
        LiftPrivacy,
        STRONG,
        lambda eps, eps_asked: 0.0 if eps <= eps_asked else inf,
        formula=r"\delta = 0 \text{ from } \varepsilon \text{ on}",
        cite="paper 000, equation (1)",
    ),
    row(
        "lift-from-strong",
        STRONG,
        LiftPrivacy,
        lambda eps, delta: eps if delta == 0 else inf,
        formula=r"\sup|\log l| \le \varepsilon",
        cite="paper 000, Section II; zero cells count",
        domain="delta = 0",
    ),
    row(
        "remark-after-lemma-1",
        InformationPrivacy,
        STRONG,
        lambda delta: delta,
        formula=r"\delta_{\mathrm{strong}} = \delta",
        cite="paper 000, equation (6) and the remark after Lemma 1; E4, E5",
        domain="none: false",
        wrong=True,
    ),
    row(
        "upper-tail",
        InformationPrivacy,
        kind(Tail, over="mean"),
        lambda delta: delta,
        at=lambda t: {"eps": t},
        formula=r"\Pr(i > \varepsilon) \le \delta",
        cite="paper 000, equation (5)",
    ),
    row(
        "lower-tail",
        InformationPrivacy,
        kind(Tail, side="lower", over="mean"),
        lambda delta: delta,
        at=lambda t: {"eps": t},
        formula=r"\Pr(i < -\varepsilon) \le \delta",
        cite="paper 000, equation (4)",
    ),
    *(
        row(
            f"{side}-tail-from-strong",
            STRONG,
            kind(Tail, side=side, direction="prior"),
            lambda delta: delta,
            at=lambda t: {"eps": t},
            formula=formula,
            cite="paper 000, equation (3)",
        )
        for side, formula in (
            ("upper", r"p_Y(i(s,Y) > \varepsilon) \le \delta"),
            ("lower", r"p_Y(i(s,Y) < -\varepsilon) \le \delta"),
        )
    ),
    row(
        "both-tails",
        (kind(Tail, over="mean"), kind(Tail, side="lower", over="mean")),
        InformationPrivacy,
        lambda delta, delta_2: delta + delta_2,
        at=lambda eps: {"t": eps, "t_2": eps},
        formula=r"\delta = \Pr(i > \varepsilon) + \Pr(i < -\varepsilon)",
        cite="paper 000, Definition 1",
    ),
    row(
        "both-tails-of-every-secret",
        (kind(Tail, direction="prior"), kind(Tail, side="lower", direction="prior")),
        STRONG,
        lambda delta, delta_2, n_s: n_s * (delta + delta_2),
        at=lambda eps: {"t": eps, "t_2": eps},
        formula=r"\delta \le |S|\,(\delta_> + \delta_<)",
        cite="a union over the secrets",
    ),
)

WHAT_IT_IS_WORTH = (
    row(
        "lemma-1",
        STRONG,
        DifferentialPrivacy,
        lambda delta, p_s: delta / p_s.min(),
        at=lambda eps: {"eps": eps / 2},
        formula=r"(\varepsilon, \delta)\text{-IP} \Rightarrow (2\varepsilon, \delta / \min p_S)\text{-DP}",
        cite="paper 000, Lemma 1",
        domain="strong form only: E4, E5",
    ),
    row(
        "lemma-2",
        InformationPrivacy,
        kind(EGamma, over="mean"),
        lambda delta: delta,
        at=lambda gamma: {"eps": log(gamma)},
        formula=r"E_{e^\varepsilon}(p_{SY} \| p_S p_Y) \le \delta",
        cite="T3b, for paper 000, Lemma 2",
        domain=GAMMA,
    ),
    row(
        "lemma-2-printed",
        InformationPrivacy,
        GuessingProbability,
        lambda eps, delta, p_s: delta + exp(eps) * p_s.max(),
        formula=r"V \le \delta + e^{\varepsilon} \max p_S",
        cite="paper 000, Lemma 2",
        printed=True,
    ),
    row(
        "lemma-3",
        STRONG,
        Mmse,
        lambda eps, delta, var_s: (1 - delta) * exp(-eps) * var_s,
        formula=r"\mathrm{mmse} \ge (1-\delta)\, e^{-\varepsilon}\, \mathrm{Var}\, S",
        cite="T3, replaces paper 000, Lemma 3",
        domain="any real secret; strong form",
    ),
    row(
        "lemma-3-regular",
        InformationPrivacy,
        Mmse,
        lambda eps, delta, var_s: (1 - delta) * exp(-2 * eps) * var_s,
        formula=r"\mathrm{mmse} \ge (1-\delta)\, e^{-2\varepsilon}\, \mathrm{Var}\, S",
        cite="T3, replaces paper 000, Lemma 3",
        domain=Domain(
            "condition (11): the secrets left plausible by y have the mean and the variance of all (regular=True)",
            lambda regular: bool(regular),
        ),
    ),
    row(
        "lemma-3-printed",
        InformationPrivacy,
        Mmse,
        lambda eps, delta, mean_s, var_s: (
            (1 - delta) * exp(-2 * eps) * (var_s + mean_s**2) - exp(2 * eps) * mean_s**2
        ),
        formula=r"\mathrm{mmse} \ge (1-\delta)\, e^{-2\varepsilon}\, \mathbb E S^2 - e^{2\varepsilon} (\mathbb E S)^2",
        cite="paper 000, Lemma 3",
        domain=Domain(
            "a secret of 0 or more under condition (11) (regular=True)", lambda regular: bool(regular)
        ),
        printed=True,
    ),
    row(
        "lemma-4",
        InformationPrivacy,
        TotalVariation,
        lambda eps, delta: 1 - (1 - delta) * exp(-eps),
        formula=r"\mathrm{TV} \le 1 - (1-\delta)\, e^{-\varepsilon}",
        cite="T4b, replaces paper 000, Lemma 4",
        tight=True,
    ),
    row(
        "lemma-4-printed",
        InformationPrivacy,
        TotalVariation,
        lambda eps, delta: expm1(eps) + delta,
        formula=r"2\,\mathrm{TV} \le 2(e^{\varepsilon} - 1 + \delta)",
        cite="paper 000, Lemma 4; its TV is twice ours",
        printed=True,
    ),
    row(
        "lemma-5-lower",
        ChiSquared,
        MaximalCorrelation,
        lambda eta: sqrt(eta),
        formula=r"\rho^2 \le \eta",
        cite="paper 000, Lemma 5",
        tight=True,
    ),
    row(
        "lemma-5-secrets",
        MaximalCorrelation,
        ChiSquared,
        lambda eta, n_s: eta**2 * (n_s - 1),
        formula=r"\chi^2 \le \rho^2 (|S| - 1)",
        cite="paper 000, Lemma 5",
        tight=True,
    ),
    row(
        "lemma-5-releases",
        MaximalCorrelation,
        ChiSquared,
        lambda eta, n_y: eta**2 * (n_y - 1),
        formula=r"\chi^2 \le \rho^2 (|Y| - 1)",
        cite="paper 000, Lemma 5",
        tight=True,
    ),
    row(
        "correlation-of-every-secret",
        MaximalCorrelation,
        kind(ChiSquared, over="worst"),
        lambda eta, p_s: eta**2 * (1 / p_s.min() - 1),
        formula=r"\chi^2_s \le \rho^2 (1/\min p_S - 1)",
        cite="the correlation with the indicator of s",
        tight=True,
    ),
)

ROWS = (*TAILS_OF_IT, *WHAT_IT_IS_WORTH)
