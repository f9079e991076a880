"""Between two secrets: local and differential privacy, whatever the prior, and what the prior adds."""

from __future__ import annotations

from math import exp, expm1, inf, log, tanh

import numpy as np

from discreet.guarantees.implication import Domain, row
from discreet.guarantees.notions import (
    DifferentialPrivacy,
    EGamma,
    GuessingProbability,
    LiftPrivacy,
    LocalPrivacy,
    MaximalCorrelation,
    MaximalLeakage,
    MutualInformation,
    TotalVariation,
)
from discreet.guarantees.statement import kind

LOCAL = (
    row(
        "lift-from-local",
        LocalPrivacy,
        LiftPrivacy,
        lambda eps: eps,
        formula=r"\sup|\log l| \le \varepsilon",
        cite="p(y) is a mean of p(y|s)",
        domain="any law, whatever the prior",
    ),
    row(
        "lift-from-local-and-prior",
        LocalPrivacy,
        LiftPrivacy,
        lambda eps, p_s: log(p_s.min() + (1 - p_s.min()) * exp(eps)),
        formula=r"\sup|\log l| \le \log\bigl(a + (1-a)\, e^{\varepsilon}\bigr),\; a = \min p_S",
        cite="p(y) is a mean of p(y|s)",
        tight=True,
    ),
    row(
        "dp-from-local",
        LocalPrivacy,
        DifferentialPrivacy,
        lambda eps, eps_asked: max(exp(eps) - exp(eps_asked), 0.0) / (1 + exp(eps)),
        formula=r"\delta \le \frac{(e^{\varepsilon} - e^{\varepsilon'})_+}{1 + e^{\varepsilon}}",
        cite="Kairouz, Oh and Viswanath (2015)",
        tight=True,
    ),
    row(
        "local-from-dp",
        DifferentialPrivacy,
        LocalPrivacy,
        lambda eps, delta: eps if delta == 0 else inf,
        formula=r"\varepsilon_{\mathrm{local}} \le \varepsilon",
        cite="definition",
        domain="delta = 0",
        tight=True,
    ),
    row(
        "guess-from-local",
        LocalPrivacy,
        GuessingProbability,
        lambda eps, p_s: p_s.max() * exp(eps) / (p_s.max() * exp(eps) + 1 - p_s.max()),
        formula=r"V \le \frac{m e^{\varepsilon}}{m e^{\varepsilon} + 1 - m},\; m = \max p_S",
        cite="the posterior odds rise by at most e^ε",
        tight=True,
    ),
    row(
        "leakage-from-local",
        LocalPrivacy,
        MaximalLeakage,
        lambda eps, n_s: log(n_s * exp(eps) / (exp(eps) + n_s - 1)),
        formula=r"L \le \log \frac{|S|\, e^{\varepsilon}}{e^{\varepsilon} + |S| - 1}",
        cite="randomised response is the extreme",
        tight=True,
    ),
    row(
        "correlation-from-local",
        LocalPrivacy,
        MaximalCorrelation,
        lambda eps: tanh(eps / 2),
        formula=r"\rho \le \tanh(\varepsilon/2)",
        cite="contraction of locally private channels",
        tight=True,
    ),
    row(
        "information-from-local",
        LocalPrivacy,
        MutualInformation,
        lambda eps, p_s: tanh(eps / 2) ** 2 * -float((p_s * np.log(p_s)).sum()),
        formula=r"I \le \tanh^2(\varepsilon/2)\, H(S)",
        cite="contraction of locally private channels",
    ),
)

BETWEEN_SECRETS = (
    row(
        "dp-at-smaller-eps",
        DifferentialPrivacy,
        DifferentialPrivacy,
        lambda eps, delta, eps_asked: 1 - (1 - delta) * (1 + exp(eps_asked)) / (1 + exp(eps)),
        formula=r"\delta' \le 1 - (1-\delta)\,\frac{1 + e^{\varepsilon'}}{1 + e^{\varepsilon}}",
        cite="Kairouz, Oh and Viswanath (2015)",
        scan="eps",
        domain=Domain("eps asked ≤ eps", lambda eps, eps_asked: eps_asked <= eps),
        tight=True,
    ),
    row(
        "tv-from-dp",
        DifferentialPrivacy,
        TotalVariation,
        lambda delta, p_s: delta * (1 - float((p_s**2).sum())),
        at=lambda: {"eps": 0.0},
        formula=r"\mathrm{TV} \le \delta_0 \bigl(1 - \textstyle\sum_s p(s)^2\bigr)",
        cite="p(y) is a mean of p(y|s)",
        tight=True,
    ),
    row(
        "e-gamma-from-dp",
        DifferentialPrivacy,
        kind(EGamma),
        lambda delta: delta,
        at=lambda gamma: {"eps": log(gamma)},
        formula=r"E_\gamma(p_{Y|s} \| p_Y) \le \delta(\log\gamma)",
        cite="p(y) is a mean of p(y|s); E_γ is convex",
        domain=Domain("gamma ≥ 1, whatever the prior", lambda gamma: gamma >= 1),
    ),
    row(
        "e-gamma-prior-from-dp",
        DifferentialPrivacy,
        kind(EGamma, direction="prior"),
        lambda delta: delta,
        at=lambda gamma: {"eps": log(gamma)},
        formula=r"E_\gamma(p_Y \| p_{Y|s}) \le \delta(\log\gamma)",
        cite="p(y) is a mean of p(y|s); E_γ is convex",
        domain=Domain("gamma ≥ 1, whatever the prior", lambda gamma: gamma >= 1),
    ),
    row(
        "e-gamma-from-dp-and-prior",
        DifferentialPrivacy,
        kind(EGamma),
        lambda gamma, delta, p_s: (1 - gamma * p_s.min()) * delta,
        at=lambda gamma, p_s: {"eps": log(gamma * (1 - p_s.min()) / (1 - gamma * p_s.min()))},
        formula=r"E_\gamma(p_{Y|s} \| p_Y) \le (1 - \gamma a)\, \delta\bigl(\log\tfrac{\gamma(1-a)}{1-\gamma a}\bigr),"
        r"\; a = \min p_S",
        cite="p(y) holds a share p(s) of p(y|s)",
        domain=Domain("1 ≤ gamma < 1/min p(s)", lambda gamma, p_s: gamma >= 1 and gamma * p_s.min() < 1),
        tight=True,
    ),
    row(
        "e-gamma-prior-from-dp-and-prior",
        DifferentialPrivacy,
        kind(EGamma, direction="prior"),
        lambda delta, p_s: (1 - p_s.min()) * delta,
        at=lambda gamma, p_s: {"eps": log((gamma - p_s.min()) / (1 - p_s.min()))},
        formula=r"E_\gamma(p_Y \| p_{Y|s}) \le (1-a)\, \delta\bigl(\log\tfrac{\gamma-a}{1-a}\bigr),\; a = \min p_S",
        cite="p(y) holds a share p(s) of p(y|s)",
        domain=Domain("gamma ≥ 1, two secrets or more", lambda gamma, p_s: gamma >= 1 and p_s.min() < 1),
        tight=True,
    ),
    row(
        "dp-from-e-gamma",
        (kind(EGamma), kind(EGamma, direction="prior")),
        DifferentialPrivacy,
        lambda gamma, eta, eta_2: eta + gamma * eta_2,
        at=lambda eps, gamma: {"gamma_2": exp(eps) / gamma},
        formula=r"\delta(\log \gamma\gamma') \le E_\gamma(p_{Y|s} \| p_Y) + \gamma E_{\gamma'}(p_Y \| p_{Y|s'})",
        cite="E_γ twice",
        domain=Domain("gamma ≥ 1 and gamma′ ≥ 1", lambda gamma, gamma_2: gamma >= 1 and gamma_2 >= 1),
    ),
    row(
        "dp-from-e-gamma-prior",
        kind(EGamma, direction="prior"),
        DifferentialPrivacy,
        lambda eta, p_s: eta / p_s.min(),
        at=lambda eps, p_s: {"gamma": p_s.min() * (1 + exp(eps))},
        formula=r"\delta \le E_\gamma(p_Y \| p_{Y|s}) / a,\; \gamma = a(1 + e^{\varepsilon}),\; a = \min p_S",
        cite="p(y) ≥ p(s) p(y|s) + p(s′) p(y|s′)",
        domain=Domain("two secrets or more", lambda p_s: p_s.min() < 1),
        tight=True,
    ),
    row(
        "dp-from-e-gamma-two-secrets",
        kind(EGamma),
        DifferentialPrivacy,
        lambda gamma, eta, p_s: eta / (1 - gamma * p_s.max()),
        at=lambda eps, p_s: {"gamma": exp(eps) / (1 + p_s.max() * expm1(eps))},
        formula=r"\delta \le \frac{E_\gamma(p_{Y|s} \| p_Y)}{1 - \gamma b},\;"
        r"\gamma = \frac{e^{\varepsilon}}{1 + b(e^{\varepsilon}-1)},\; b = \max p_S",
        cite="p(y) = p(s) p(y|s) + p(s′) p(y|s′)",
        domain=Domain("two secrets", lambda p_s: len(p_s) == 2),
        tight=True,
    ),
)

ROWS = (*LOCAL, *BETWEEN_SECRETS)
