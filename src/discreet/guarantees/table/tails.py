"""The tails of the log-lift, E_γ, and Gaussian noise: the theorems of paper 003.

`p` and `q` are p(y | s) and p(y) where a divergence is taken from the release, p(y) and p(y | s) from the prior. The
tail on which p outweighs q is the upper one then, and the lower one.
"""

from __future__ import annotations

from math import exp, expm1, inf, log

from discreet.core.protocols import Array
from discreet.guarantees.implication import GAMMA, Domain, row
from discreet.guarantees.notions import (
    ChiSquared,
    DifferentialPrivacy,
    Dobrushin,
    EGamma,
    FlaggedNoise,
    GaussianNoise,
    MutualInformation,
    Renyi,
    Tail,
)
from discreet.guarantees.sharp import kl_tail, theta
from discreet.guarantees.statement import Kind, alike, kind

OTHER = {"release": "prior", "prior": "release", "upper": "lower", "lower": "upper"}
DIRECTIONS = ("release", "prior")


def _tail(direction: str, law: str = "p", heavy: bool = True) -> Kind:
    """The tail of a divergence in this direction: under p or q, on the side where p outweighs q or the other one."""
    side = "upper" if direction == "release" else "lower"
    return alike(
        Tail,
        side=side if heavy else OTHER[side],
        direction=direction if law == "p" else OTHER[direction],
    )


def _named(name: str, direction: str) -> str:
    return name if direction == "release" else f"{name}-prior"


def _between(gamma: float, t: float) -> bool:
    return 1 <= gamma < exp(t)


def _flagged(deviation: float, diameter: float, gamma: float, p_s: Array, flagged: Array) -> float:
    mean = float(p_s @ flagged)
    return max(
        (float(b) * theta(log(gamma) + log(mean / b), diameter, deviation) for b in flagged if b > 0),
        default=0.0,
    )


TAILS_AND_E_GAMMA = tuple(
    one
    for d in DIRECTIONS
    for one in (
        row(
            _named("e-gamma-from-tail", d),
            _tail(d),
            alike(EGamma, direction=d),
            lambda delta: delta,
            at=lambda gamma: {"t": log(gamma)},
            formula=r"E_{e^\varepsilon} = e^{\varepsilon}\!\int_\varepsilon^\infty e^{-t} p(i > t)\,dt \le \delta",
            cite="paper 003, Theorem 1, with Pr under p: E26",
            domain=GAMMA,
        ),
        row(
            _named("tail-from-e-gamma", d),
            alike(EGamma, direction=d),
            _tail(d),
            lambda gamma, eta, t: eta / (1 - gamma * exp(-t)),
            formula=r"p(i > t) \le \frac{\eta}{1 - \gamma e^{-t}}",
            cite="E29, for paper 003, Section 2.2",
            domain=Domain("1 ≤ gamma < e^t", _between),
            tight=True,
        ),
        row(
            _named("tail-under-q-from-e-gamma", d),
            alike(EGamma, direction=d),
            _tail(d, "q"),
            lambda gamma, eta, t: eta / (exp(t) - gamma),
            formula=r"q(i > t) \le \frac{\eta}{e^{t} - \gamma}",
            cite="E29, for paper 003, Section 2.2",
            domain=Domain("1 ≤ gamma < e^t", _between),
            tight=True,
        ),
        row(
            _named("tail-under-q-from-p", d),
            _tail(d),
            _tail(d, "q"),
            lambda delta, t: exp(-t) * delta,
            formula=r"q(i > t) \le e^{-t}\, p(i > t)",
            cite="E27, for paper 003, equation (18)",
            tight=True,
        ),
        row(
            _named("tail-from-chi-squared", d),
            alike(ChiSquared, direction=d),
            _tail(d),
            lambda eta, t: exp(t) * eta / (expm1(t) ** 2 + eta) if t > 0 else 1.0,
            formula=r"p(i > t) \le \frac{e^{t}\eta}{(e^{t}-1)^2 + \eta}",
            cite="paper 000, Appendix C",
            tight=True,
        ),
        row(
            _named("tail-under-q-from-chi-squared", d),
            alike(ChiSquared, direction=d),
            _tail(d, "q"),
            lambda eta, t: eta / (expm1(t) ** 2 + eta) if t > 0 else 1.0,
            formula=r"q(i > t) \le \frac{\eta}{(e^{t}-1)^2 + \eta}",
            cite="Cantelli",
            tight=True,
        ),
        row(
            _named("light-tail-from-chi-squared", d),
            alike(ChiSquared, direction=d),
            _tail(d, heavy=False),
            lambda eta, t: exp(-t) * eta / (expm1(-t) ** 2 + eta) if t > 0 else 1.0,
            formula=r"p(i < -t) \le \frac{e^{-t}\eta}{(e^{-t}-1)^2 + \eta}",
            cite="paper 000, Appendix C",
            tight=True,
        ),
        row(
            _named("light-tail-under-q-from-chi-squared", d),
            alike(ChiSquared, direction=d),
            _tail(d, "q", heavy=False),
            lambda eta, t: eta / (expm1(-t) ** 2 + eta) if t > 0 else 1.0,
            formula=r"q(i < -t) \le \frac{\eta}{(e^{-t}-1)^2 + \eta}",
            cite="Cantelli",
            tight=True,
        ),
        *(
            row(
                _named(f"{'tail' if heavy else 'light-tail'}{under}-from-information", d),
                alike(MutualInformation, direction=d),
                _tail(d, law, heavy),
                lambda eta, t, heavy=heavy, law=law: kl_tail(eta, t, "upper" if heavy else "lower", law),
                formula=rf"{law}(i {'> t' if heavy else '< -t'}) \le \min_\kappa "
                rf"{weight}\frac{{\eta + B(1,\kappa)}}{{B({point},\kappa)}}",
                cite="paper 000, Appendix B, made sharp",
            )
            for heavy, law, under, weight, point in (
                (True, "p", "", "e^{t}", "e^{t}"),
                (True, "q", "-under-q", "", "e^{t}"),
                (False, "p", "", "e^{-t}", "e^{-t}"),
                (False, "q", "-under-q", "", "e^{-t}"),
            )
        ),
    )
)

WITH_THE_PRIOR = (
    row(
        "e-gamma-from-tail-and-prior",
        alike(Tail, side="upper", direction="release"),
        alike(EGamma, direction="release"),
        lambda gamma, delta, p_s: delta * max(1 - gamma * p_s.min(), 0.0),
        at=lambda gamma: {"t": log(gamma)},
        formula=r"E_\gamma \le \delta\,(1 - \gamma \min p_S)_+",
        cite="paper 003, Theorem 1, with l ≤ 1/p(s)",
        domain=GAMMA,
        tight=True,
    ),
    row(
        "e-gamma-from-tail-under-q",
        alike(Tail, side="upper", direction="prior"),
        alike(EGamma, direction="release"),
        lambda gamma, delta, p_s: delta * max(1 / p_s.min() - gamma, 0.0),
        at=lambda gamma: {"t": log(gamma)},
        formula=r"E_\gamma = \int_{\log\gamma}^\infty e^{t} q(i > t)\,dt \le \delta\,(1/\min p_S - \gamma)_+",
        cite="E26, with l ≤ 1/p(s)",
        domain=GAMMA,
        tight=True,
    ),
    row(
        "tail-from-tail-under-q",
        alike(Tail, side="upper", direction="prior"),
        alike(Tail, side="upper", direction="release"),
        lambda delta, p_s: delta / p_s.min(),
        formula=r"p(i > t) \le \delta / \min p_S",
        cite="l ≤ 1/p(s)",
        tight=True,
    ),
)

PRINTED = (
    row(
        "theorem-1-under-q",
        kind(Tail, direction="prior"),
        EGamma,
        lambda delta: delta,
        at=lambda gamma: {"t": log(gamma)},
        formula=r"E_{e^\varepsilon} = e^{\varepsilon}\!\int_\varepsilon^\infty e^{-t} p_Y(i > t)\,dt",
        cite="paper 003, equation (12), read under p(y); E26",
        domain="none: false",
        wrong=True,
    ),
    row(
        "direct-translation",
        kind(EGamma, direction="prior"),
        kind(Tail, side="lower", direction="prior"),
        lambda eta: eta,
        at=lambda t: {"gamma": exp(t)},
        formula=r"p_Y(A^*) \le \eta",
        cite="paper 003, Section 2.2; E29",
        domain="none: false",
        wrong=True,
    ),
    row(
        "equation-18-under-p",
        (),
        Tail,
        lambda t: exp(-t),
        formula=r"p_{Y|s}(i > t) \le e^{-t}",
        cite="paper 003, equation (18), read under p(y|s); E27",
        domain="none: false",
        wrong=True,
    ),
    row(
        "calibration-printed",
        GaussianNoise,
        DifferentialPrivacy,
        lambda deviation, diameter, eps: 1.25 * exp(-((eps * deviation / diameter) ** 2) / 2),
        formula=r"\sigma^2 = 2\Delta^2 \log(1.25/\delta)/\varepsilon^2",
        cite="paper 000, Section III-A; E3",
        domain=Domain("0 < eps < 1, delta < 1", lambda eps: 0 < eps < 1),
        printed=True,
    ),
    row(
        "theorem-3-printed",
        GaussianNoise,
        EGamma,
        lambda deviation, diameter, gamma: theta(log(gamma), diameter / 2, deviation),
        formula=r"E_{e^\varepsilon} \le \theta_\varepsilon(K, \lambda),\; K \text{ the radius}",
        cite="paper 003, Theorem 3; E31",
        domain="none: false",
        wrong=True,
    ),
    row(
        "theorem-3-flagged-printed",
        FlaggedNoise,
        EGamma,
        lambda deviation, diameter, gamma: theta(log(gamma), diameter / 2, deviation),
        formula=r"E_{e^\varepsilon} \le \theta_\varepsilon(K, \lambda),\; K \text{ the radius}",
        cite="paper 003, Theorem 3; E32",
        domain="none: false",
        wrong=True,
    ),
)

RENYI = (
    row(
        "tail-from-renyi",
        Renyi,
        kind(Tail, over="mean"),
        lambda alpha, eta, t: exp(min((alpha - 1) * (eta - t), 0.0)) if alpha < inf else float(eta > t),
        formula=r"\Pr(i > t) \le e^{(\alpha-1)(\eta - t)}",
        cite="Markov",
        domain=Domain("alpha > 1", lambda alpha: alpha > 1),
    ),
    row(
        "tail-under-q-from-renyi",
        Renyi,
        kind(Tail, direction="prior", over="mean"),
        lambda alpha, eta, t: exp(min((alpha - 1) * eta - alpha * t, 0.0)),
        formula=r"q(i > t) \le e^{(\alpha-1)\eta - \alpha t}",
        cite="Markov",
        domain=Domain("1 < alpha < ∞", lambda alpha: 1 < alpha < inf),
    ),
)

GAUSSIAN = (
    row(
        "theorem-3",
        GaussianNoise,
        DifferentialPrivacy,
        lambda deviation, diameter, eps: theta(eps, diameter, deviation),
        formula=r"\delta \le \theta_\varepsilon(a, \lambda)"
        r" = Q\bigl(\tfrac{\lambda\varepsilon}{a} - \tfrac{a}{2\lambda}\bigr)"
        r" - e^{\varepsilon} Q\bigl(\tfrac{\lambda\varepsilon}{a} + \tfrac{a}{2\lambda}\bigr)",
        cite="paper 003, Theorem 3, with the diameter a for the radius: E31",
        domain="noise on every record, whatever the law",
        tight=True,
    ),
    row(
        "dobrushin-of-gaussian-noise",
        GaussianNoise,
        Dobrushin,
        lambda deviation, diameter: theta(0.0, diameter, deviation),
        formula=r"\tau \le \theta_0(a, \lambda)",
        cite="total variation of two normal laws",
        tight=True,
    ),
    row(
        "theorem-3-flagged",
        FlaggedNoise,
        EGamma,
        _flagged,
        formula=r"E_{e^\varepsilon} \le \max_s b_s\, \theta_{\varepsilon + \log(b/b_s)}(a, \lambda),\;"
        r" b_s = P(B \mid s),\; b = P(B)",
        cite="E32, replaces paper 003, Theorem 3, for noise on flagged records",
        domain=Domain(
            "gamma ≥ e^eps of the flags; flags on what was released before: E33",
            lambda eps, gamma: gamma >= exp(eps) * (1 - 1e-12),
        ),
    ),
)

ROWS = (*TAILS_AND_E_GAMMA, *WITH_THE_PRIOR, *RENYI, *GAUSSIAN, *PRINTED)
