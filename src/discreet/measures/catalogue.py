"""One row for each measure. Law tests, the documentation's table and the choices on the command line follow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.core.reading import QUANTITIES, Quantity, Reading
from discreet.measures import channel, decision, dp, fdiv, pointwise, spectral, tail
from discreet.measures.arimoto import alpha_loss, arimoto, conditional_entropy, entropy, min_entropy_leakage
from discreet.measures.sibson import maximal_leakage, renyi, sibson

LOWER, HIGHER = "lower is more private", "higher is more private"

LAWS = {
    "data_processing": "Whatever is done to the release afterwards does not make it less private.",
    "secret_processing": "A function of the secret is told no more about than the secret itself.",
    "symmetric": "The release tells as much about the secret as the secret about the release.",
    "zero_at_independence": "Zero when release and secret are independent.",
    "only_at_independence": "Zero only when release and secret are independent.",
    "prior_free": "The same for every prior that gives each secret some mass.",
}

INDEPENDENCE = frozenset({"zero_at_independence", "only_at_independence"})
PROCESSING = frozenset({"data_processing", "secret_processing"})
SYMMETRIC = frozenset({"symmetric"})


@dataclass(frozen=True, slots=True)
class Measure:
    """What a measure is: its sign, formula, unit, range, the laws it obeys, and arguments to try it at."""

    function: Callable[..., Reading]
    symbol: str
    unit: str
    formula: str
    low: str
    high: str
    obeys: frozenset[str]
    direction: str = LOWER
    at: tuple[tuple[Any, ...], ...] = ((),)
    about: str = "lift"

    @property
    def name(self) -> str:
        """The function's name, which every Reading carries."""
        return self.function.__name__

    @property
    def meaning(self) -> str:
        """One plain sentence."""
        return (self.function.__doc__ or "").split("\n")[0]

    @property
    def cite(self) -> str:
        """Where it comes from."""
        _, _, tail = (self.function.__doc__ or "").partition("References:")
        return " ".join(tail.split())


CATALOGUE: tuple[Measure, ...] = (
    Measure(
        fdiv.mutual_information,
        "I(S;Y)",
        "nats",
        r"\sum_{s,y} p(s)\,p(y)\; l \log l",
        "0",
        "min(H(S), H(Y))",
        PROCESSING | SYMMETRIC | INDEPENDENCE,
    ),
    Measure(
        fdiv.total_variation,
        "TV",
        "",
        r"\tfrac12 \sum_{s,y} p(s)\,p(y)\; |l - 1|",
        "0",
        "1 − Σ p(s)²",
        PROCESSING | SYMMETRIC | INDEPENDENCE,
    ),
    Measure(
        fdiv.chi_squared,
        "χ²",
        "",
        r"\sum_{s,y} p(s)\,p(y)\; (l - 1)^2",
        "0",
        "min(|S|, |Y|) − 1",
        PROCESSING | SYMMETRIC | INDEPENDENCE,
    ),
    Measure(
        fdiv.hellinger,
        "H²",
        "",
        r"\tfrac12 \sum_{s,y} p(s)\,p(y)\; (\sqrt l - 1)^2",
        "0",
        "1",
        PROCESSING | SYMMETRIC | INDEPENDENCE,
    ),
    Measure(
        fdiv.f_information,
        "I_f",
        "",
        r"\sum_{s,y} p(s)\,p(y)\; f(l)",
        "0",
        "f(0) + lim f(t)/t",
        PROCESSING | SYMMETRIC | INDEPENDENCE,
        at=((lambda t: (t - 1) ** 2 / (t + 1),), (lambda t: t * np.log(t),)),
    ),
    Measure(
        fdiv.e_gamma,
        "E_γ",
        "",
        r"\max_s \sum_y p(y)\, (l - \gamma)_+",
        "(1 − γ)₊",
        "1",
        PROCESSING | {"zero_at_independence"},
        at=((1.0,), (1.5,), (1.5, "prior"), (1.2, "release", "mean")),
    ),
    Measure(
        sibson,
        "Sibson I_α",
        "nats",
        r"\tfrac{\alpha}{\alpha-1} \log \sum_y p(y) \Bigl(\sum_s p(s)\, l^\alpha\Bigr)^{1/\alpha}",
        "0",
        "log min(|S|, |Y|)",
        PROCESSING | INDEPENDENCE,
        at=((0.5,), (1.0,), (2.0,), (math.inf,)),
    ),
    Measure(
        arimoto,
        "Arimoto I_α",
        "nats",
        r"H_\alpha(S) - H_\alpha(S \mid Y)",
        "0",
        "H_α(S)",
        frozenset({"data_processing", "zero_at_independence"}),
        at=((0.5,), (1.0,), (2.0,), (math.inf,)),
    ),
    Measure(
        renyi,
        "D_α",
        "nats",
        r"\tfrac{1}{\alpha-1} \log \sum_{s,y} p(s)\,p(y)\; l^\alpha",
        "0",
        "∞ at α above 2; log min(|S|, |Y|) up to 2",
        PROCESSING | SYMMETRIC | INDEPENDENCE,
        at=((0.5,), (1.0,), (2.0,), (math.inf,)),
    ),
    Measure(
        maximal_leakage,
        "L",
        "nats",
        r"\log \sum_y p(y) \max_s l",
        "0",
        "log min(|S|, |Y|)",
        PROCESSING | INDEPENDENCE | {"prior_free"},
    ),
    Measure(
        min_entropy_leakage,
        "min-entropy leakage",
        "nats",
        r"\log \frac{\sum_y \max_s p(s,y)}{\max_s p(s)}",
        "0",
        "−log max p(s)",
        frozenset({"data_processing", "zero_at_independence"}),
    ),
    Measure(
        spectral.maximal_correlation,
        "ρ_m",
        "",
        r"\sigma_2\bigl(\sqrt{p(s)}\; l\; \sqrt{p(y)}\bigr)",
        "0",
        "1",
        PROCESSING | SYMMETRIC | INDEPENDENCE,
    ),
    Measure(
        pointwise.lift_privacy,
        "sup|log l|",
        "nats",
        r"\sup_{s,y} |\log l|",
        "0",
        "∞",
        PROCESSING | SYMMETRIC | INDEPENDENCE,
    ),
    Measure(
        pointwise.local_privacy,
        "local ε",
        "nats",
        r"\sup_y \Bigl(\max_s \log l - \min_s \log l\Bigr)",
        "0",
        "∞",
        PROCESSING | INDEPENDENCE | {"prior_free"},
    ),
    Measure(
        tail.information_privacy,
        "δ(ε)",
        "",
        r"\Pr\{ |\log l(S,Y)| > \varepsilon \}",
        "0",
        "1",
        frozenset({"zero_at_independence"}),
        at=((0.2,), (0.2, True)),
    ),
    Measure(
        tail.information_privacy_eps,
        "ε(δ)",
        "nats",
        r"\min\{\varepsilon : \delta(\varepsilon) \le \delta\}",
        "0",
        "∞",
        frozenset({"zero_at_independence"}),
        at=((0.1,), (0.1, True)),
    ),
    Measure(
        dp.differential_privacy,
        "DP δ(ε)",
        "",
        r"\max_{s,s'} \sum_y \bigl(p(y \mid s) - e^\varepsilon p(y \mid s')\bigr)_+",
        "0",
        "1",
        PROCESSING | {"zero_at_independence", "prior_free"},
        at=((0.0,), (0.3,)),
    ),
    Measure(
        dp.differential_privacy_eps,
        "DP ε(δ)",
        "nats",
        r"\min\{\varepsilon \ge 0 : \delta(\varepsilon) \le \delta\}",
        "0",
        "∞",
        PROCESSING | {"zero_at_independence", "prior_free"},
        at=((0.1,),),
    ),
    Measure(
        decision.guessing_probability,
        "V(S|Y)",
        "",
        r"\sum_y \max_s p(s,y)",
        "max p(s)",
        "1",
        frozenset({"data_processing"}),
    ),
    Measure(
        decision.inference_gain,
        "ΔC",
        "",
        r"\min_d \mathbb E\, C(S,d) - \mathbb E \min_d \mathbb E[C(S,d) \mid Y]",
        "0",
        "max C − min C",
        frozenset({"data_processing", "zero_at_independence"}),
        at=(("log",), ("zero_one",), ("brier",)),
    ),
    Measure(
        decision.mmse,
        "mmse",
        "",
        r"\mathbb E\,(v(S) - \mathbb E[v(S) \mid Y])^2",
        "0",
        "Var v(S)",
        frozenset({"data_processing"}),
        direction=HIGHER,
    ),
    Measure(
        entropy,
        "H_α(S)",
        "nats",
        r"\tfrac{1}{1-\alpha} \log \sum_s p(s)^\alpha",
        "0",
        "log |S|",
        frozenset(),
        direction=HIGHER,
        at=((), (0.5,), (2.0,), (math.inf,)),
    ),
    Measure(
        conditional_entropy,
        "H_α(S|Y)",
        "nats",
        r"\tfrac{\alpha}{1-\alpha} \log \sum_y p(y) \Bigl(\sum_s p(s \mid y)^\alpha\Bigr)^{1/\alpha}",
        "0",
        "H_α(S)",
        frozenset({"data_processing"}),
        direction=HIGHER,
        at=((), (0.5,), (2.0,), (math.inf,)),
    ),
    Measure(
        alpha_loss,
        "least α-loss",
        "",
        r"\tfrac{\alpha}{\alpha-1}\bigl(1 - e^{-\frac{\alpha-1}{\alpha} H_\alpha(S \mid Y)}\bigr)",
        "0",
        "its value without the release",
        frozenset({"data_processing"}),
        direction=HIGHER,
        at=((1.0,), (2.0,), (math.inf,)),
    ),
    Measure(
        channel.contraction,
        "η",
        "",
        r"\max_{x,x',b} 1 - \sum_y \frac{p(y|x)\,p(y|x')}{b\,p(y|x) + (1-b)\,p(y|x')}",
        "0",
        "1",
        frozenset({"zero_at_independence"}),
        about="channel",
    ),
    Measure(
        channel.dobrushin,
        "τ",
        "",
        r"\max_{x,x'} \tfrac12 \sum_y |p(y|x) - p(y|x')|",
        "0",
        "1",
        frozenset({"zero_at_independence"}),
        about="channel",
    ),
    Measure(
        channel.doeblin,
        "α",
        "",
        r"\sum_y \min_x p(y|x)",
        "0",
        "1",
        frozenset(),
        direction=HIGHER,
        about="channel",
    ),
)

QUANTITIES.update({row.name: Quantity(row.symbol, row.unit) for row in CATALOGUE})
