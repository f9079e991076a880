"""From divergences to information privacy with a tail: Theorem 1 and Corollary 1 of paper 000."""

from __future__ import annotations

from math import exp, expm1, log, sinh, tanh

from discreet.guarantees.implication import POSITIVE, Domain, row
from discreet.guarantees.notions import (
    ChiSquared,
    Hellinger,
    InformationPrivacy,
    MutualInformation,
    TotalVariation,
)
from discreet.guarantees.sharp import (
    binary_chi_squared,
    binary_hellinger,
    binary_kl,
    kl_tails,
    largest,
    moved_posterior,
)
from discreet.guarantees.statement import Kind, Statement, kind

STRONG = kind(InformationPrivacy, strong=True)


def _every_secret(notion: type[Statement]) -> Kind:
    """Paper 000's strong form: D(p(y) ‖ p(y | s)) for every s."""
    return kind(notion, direction="prior", over="worst")


def _tv_share(eta: float, eps: float) -> float:
    return eta / tanh(eps / 2)


def _chi_squared_share(eta: float, eps: float) -> float:
    return eta / (4 * sinh(eps / 2) ** 2)


def _tv_printed(eta: float, eps: float) -> float:
    return 2 * eta / -expm1(-eps)


def _chi_squared_printed(eta: float, eps: float) -> float:
    return sum(l * eta / ((l - 1) ** 2 + eta) for l in (exp(-eps), exp(eps)))


def _zeta(eta: float, eps: float) -> float:
    """sup { p : (1 − p) log((1 − p)/(e^eps − p)) ≤ η − eps }, on the domain p < e^eps; the left side rises in p."""

    def inside(p: float) -> bool:
        if p >= min(1.0, exp(eps)):
            return eps >= 0 and eta >= eps
        return (1 - p) * log((1 - p) / (exp(eps) - p)) <= eta - eps

    return 1.0 if 0 <= eps <= eta else largest(inside, 0.0, 1.0)


def _kl_printed(eta: float, eps: float) -> float:
    return _zeta(eta, eps) + _zeta(eta, -eps)


THEOREM_1 = (
    row(
        "theorem-1a",
        TotalVariation,
        InformationPrivacy,
        _tv_share,
        formula=r"\delta \le \eta \coth(\varepsilon/2)",
        cite="T1, replaces paper 000, Theorem 1(a)",
        domain=POSITIVE,
        tight=True,
    ),
    row(
        "theorem-1b",
        MutualInformation,
        InformationPrivacy,
        kl_tails,
        formula=r"\delta \le \min_\kappa \frac{\eta + B(1,\kappa)}"
        r"{\min_\pm e^{\mp\varepsilon} B(e^{\pm\varepsilon},\kappa)},\; B(l,\kappa) = l\log\tfrac l\kappa - l + \kappa;"
        r"\quad \kappa = 1:\; \frac{\eta}{\varepsilon - 1 + e^{-\varepsilon}}",
        cite="T1, replaces paper 000, Theorem 1(b)",
        domain=POSITIVE,
    ),
    row(
        "theorem-1c",
        ChiSquared,
        InformationPrivacy,
        _chi_squared_share,
        formula=r"\delta \le \frac{\eta}{4 \sinh^2(\varepsilon/2)}",
        cite="T1, replaces paper 000, Theorem 1(c)",
        domain=POSITIVE,
        tight=True,
    ),
    row(
        "theorem-1-hellinger",
        Hellinger,
        InformationPrivacy,
        lambda eta, eps: 2 * eta / expm1(-eps / 2) ** 2,
        formula=r"\delta \le \frac{2\eta}{(1 - e^{-\varepsilon/2})^2}",
        cite="Markov, as in T1",
        domain=POSITIVE,
    ),
    row(
        "theorem-1a-printed",
        TotalVariation,
        InformationPrivacy,
        _tv_printed,
        formula=r"\delta = \frac{2\eta}{1 - e^{-\varepsilon}}",
        cite="paper 000, Theorem 1(a); its TV is twice ours",
        domain=POSITIVE,
        printed=True,
    ),
    row(
        "theorem-1b-printed",
        MutualInformation,
        InformationPrivacy,
        _kl_printed,
        formula=r"\delta = \zeta(\varepsilon) + \zeta(-\varepsilon),\;"
        r"\zeta(e) = \sup\{p : (1-p) \log\tfrac{1-p}{e^{e}-p} \le \eta - e\}",
        cite="paper 000, Theorem 1(b), with p < min(1, e^e)",
        domain=POSITIVE,
        printed=True,
    ),
    row(
        "theorem-1c-printed",
        ChiSquared,
        InformationPrivacy,
        _chi_squared_printed,
        formula=r"\delta = \frac{e^{-\varepsilon}\eta}{(e^{-\varepsilon}-1)^2+\eta}"
        r" + \frac{e^{\varepsilon}\eta}{(e^{\varepsilon}-1)^2+\eta}",
        cite="paper 000, Theorem 1(c)",
        domain=POSITIVE,
        printed=True,
    ),
)

COROLLARY_1 = (
    *(
        row(
            f"corollary-1-{name}",
            _every_secret(notion),
            STRONG,
            lambda eta, eps, n_s, share=share: n_s * min(1.0, share(eta, eps)),
            formula=rf"\delta \le |S|\, {formula}",
            cite="T2, replaces paper 000, Corollary 1",
            domain=POSITIVE,
        )
        for name, notion, share, formula in (
            ("tv", TotalVariation, _tv_share, r"\eta \coth(\varepsilon/2)"),
            ("kl", MutualInformation, kl_tails, r"\delta_{1(b)}(\eta, \varepsilon)"),
            ("chi-squared", ChiSquared, _chi_squared_share, r"\frac{\eta}{4\sinh^2(\varepsilon/2)}"),
        )
    ),
    row(
        "corollary-1-two-secrets",
        _every_secret(ChiSquared),
        STRONG,
        lambda eta, eps: 2 * exp(eps) * eta / (expm1(eps) ** 2 + eta),
        formula=r"\delta \le \sum_s \frac{e^{\varepsilon}\eta}{(e^{\varepsilon}-1)^2+\eta}",
        cite="T2, replaces paper 000, Corollary 1",
        domain=Domain(
            "two secrets, both with p(s) ≥ 1/(1 + e^eps); eps > 0",
            lambda eps, p_s: eps > 0 and len(p_s) == 2 and p_s.min() >= 1 / (1 + exp(eps)),
        ),
    ),
    *(
        row(
            f"corollary-1-{name}-printed",
            _every_secret(notion),
            STRONG,
            lambda eta, eps, n_s, share=share: n_s * share(eta, eps),
            formula=rf"\delta = |S|\, \delta_{{1({part})}}(\eta, \varepsilon)",
            cite="paper 000, Corollary 1",
            domain=POSITIVE,
            printed=True,
        )
        for name, notion, share, part in (
            ("tv", TotalVariation, _tv_printed, "a"),
            ("kl", MutualInformation, _kl_printed, "b"),
            ("chi-squared", ChiSquared, _chi_squared_printed, "c"),
        )
    ),
    *(
        row(
            f"moved-posterior-{name}",
            kind(notion, direction=direction),
            STRONG,
            lambda eta, eps, p_s, cost=cost: moved_posterior(cost, eta, p_s, eps),
            formula=rf"\delta \le \eta \Big/ \min_{{s,\,\pm}} {formula}",
            cite="the mean over y of the divergence between posterior and prior",
            domain=POSITIVE,
        )
        for name, notion, direction, cost, formula in (
            (
                "information",
                MutualInformation,
                "release",
                binary_kl,
                r"d(e^{\pm\varepsilon} p_s \,\|\, p_s)",
            ),
            (
                "information-prior",
                MutualInformation,
                "prior",
                lambda a, b: binary_kl(b, a),
                r"d(p_s \,\|\, e^{\pm\varepsilon} p_s)",
            ),
            (
                "chi-squared",
                ChiSquared,
                "release",
                binary_chi_squared,
                r"\chi^2(e^{\pm\varepsilon} p_s \,\|\, p_s)",
            ),
            (
                "chi-squared-prior",
                ChiSquared,
                "prior",
                lambda a, b: binary_chi_squared(b, a),
                r"\chi^2(p_s \,\|\, e^{\pm\varepsilon} p_s)",
            ),
            (
                "tv",
                TotalVariation,
                "release",
                lambda a, b: abs(a - b),
                r"|e^{\pm\varepsilon} p_s - p_s|",
            ),
            (
                "hellinger",
                Hellinger,
                "release",
                binary_hellinger,
                r"H^2(e^{\pm\varepsilon} p_s,\, p_s)",
            ),
        )
    ),
)

ROWS = (*THEOREM_1, *COROLLARY_1)
