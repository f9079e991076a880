"""Several releases of one record, each made in view of those before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from discreet.core.errors import EvidenceError, ParameterError
from discreet.core.guarantee import Guarantee, Step
from discreet.guarantees.notions import (
    ChiSquared,
    DifferentialPrivacy,
    EGamma,
    Hellinger,
    InformationPrivacy,
    LiftPrivacy,
    LocalPrivacy,
    MaximalLeakage,
    MutualInformation,
    TotalVariation,
)
from discreet.guarantees.standing import SUPPOSED, as_guarantee, law_of, standing, statement_of
from discreet.guarantees.statement import Kind, Statement, alike, kind, kind_of, numbers

Combine = Callable[[float, float], float]


def _add(a: float, b: float) -> float:
    return a + b


def _times(a: float, b: float) -> float:
    return a * b


def _either(a: float, b: float) -> float:
    """1 − (1 − a)(1 − b), without cancellation."""
    return a + b - a * b


def _at_most_one(a: float, b: float) -> float:
    return min(a + b, 1.0)


def _factors(a: float, b: float) -> float:
    """(1 + a)(1 + b) − 1, without cancellation."""
    return a + b + a * b


@dataclass(frozen=True, slots=True)
class Rule:
    """How the numbers of two releases make those of both together; `printed` ones are kept to be compared with."""

    kind: Kind
    bound: Combine
    free: Mapping[str, Combine]
    formula: str
    cite: str
    printed: bool = False


RULES: tuple[Rule, ...] = (
    Rule(
        alike(EGamma, over="worst"),
        _either,
        {"gamma": _times},
        r"E_{\prod\gamma_j} \le 1 - \prod_j (1 - \delta_j)",
        "T8, replaces paper 003, Theorem 2",
    ),
    Rule(
        kind(EGamma),
        _at_most_one,
        {"gamma": _times},
        r"E_{\prod\gamma_j} \le \sum_j \delta_j",
        "paper 003, Theorem 2; E30",
        printed=True,
    ),
    Rule(
        kind(DifferentialPrivacy),
        _either,
        {"eps": _add},
        r"\bigl(\sum_j \varepsilon_j,\; 1 - \prod_j(1-\delta_j)\bigr)\text{-DP}",
        "T8, for every two secrets",
    ),
    Rule(
        kind(InformationPrivacy, strong=True),
        _either,
        {"eps": _add},
        r"\bigl(\sum_j \varepsilon_j,\; 1 - \prod_j(1-\delta_j)\bigr)\text{-IP, strong}",
        "the log-lifts add up; a release is good when each part is",
    ),
    Rule(
        kind(InformationPrivacy),
        _at_most_one,
        {"eps": _add},
        r"\bigl(\sum_j \varepsilon_j,\; \sum_j \delta_j\bigr)\text{-IP}",
        "the log-lifts add up; a union over the parts",
    ),
    Rule(kind(LiftPrivacy), _add, {}, r"\varepsilon = \sum_j \varepsilon_j", "the log-lifts add up"),
    Rule(
        kind(LocalPrivacy),
        _add,
        {},
        r"\varepsilon = \sum_j \varepsilon_j",
        "the logarithms of the odds add up",
    ),
    Rule(kind(MutualInformation), _add, {}, r"I = \sum_j I_j", "the chain rule"),
    Rule(
        alike(MutualInformation, over="worst"),
        _add,
        {},
        r"D = \sum_j D_j",
        "the chain rule, for every s",
    ),
    Rule(
        kind(MaximalLeakage),
        _add,
        {},
        r"L \le \sum_j L_j",
        "the largest over s of a product is at most the product of the largest",
    ),
    Rule(
        alike(TotalVariation, over="worst"),
        _either,
        {},
        r"\mathrm{TV} \le 1 - \prod_j (1 - \mathrm{TV}_j)",
        "T8 at γ = 1",
    ),
    Rule(
        alike(Hellinger, over="worst"),
        _either,
        {},
        r"H^2 \le 1 - \prod_j (1 - H^2_j)",
        "the affinities multiply",
    ),
    Rule(
        alike(ChiSquared, over="worst"),
        _factors,
        {},
        r"1 + \chi^2 \le \prod_j (1 + \chi^2_j)",
        "the second moments of the lift multiply",
    ),
)
"""What is known of several releases together; no other kind composes by its numbers alone."""


def compose(given: Sequence[Guarantee | Statement]) -> Guarantee:
    """What holds for all the releases together when each guarantee holds given everything released before it.

    The second release may depend on the first, so its guarantee must hold for every value of the first: of the secret
    as the adversary believes in it by then. A mechanism that guards every law, such as a locally private one, does that
    anyway. Different ε add up, and δ become 1 − ∏(1 − δ_j).

    >>> from discreet.guarantees import DifferentialPrivacy
    >>> compose([DifferentialPrivacy(eps=.5, delta=.1), DifferentialPrivacy(eps=.25, delta=.1)])
    between any two secrets the release is (0.75, 0.19)-differentially private (supposed, of this law)
    """
    parts = [as_guarantee(one) for one in given]
    if not parts:
        raise ParameterError("guarantees of releases", "none", "give one guarantee for each release")
    statements = [statement_of(one) for one in parts]
    rule = _rule(statements)
    laws = {one.law for one in parts} - {SUPPOSED}
    if len(laws) > 1:
        raise EvidenceError(
            "releases of one record, about one law",
            f"guarantees about {', '.join(sorted(laws))}",
            "state all of them for one law, or all for the channels",
        )
    if len(parts) == 1:
        return Guarantee(statements[0], law_of(parts), parts[0].confidence, parts[0].basis, parts[0].chain)
    together = reduce(lambda a, b: _both(rule, a, b), statements)
    step = Step(tuple(statements), together, f"each given what was released before; {rule.cite}")
    chain = dict.fromkeys((*(link for one in parts for link in one.chain), step))
    return Guarantee(together, law_of(parts), *standing(parts), tuple(chain))


def _rule(statements: Sequence[Statement]) -> Rule:
    kinds = {kind_of(one) for one in statements}
    if len(kinds) > 1:
        raise ParameterError(
            "releases with guarantees of one kind",
            ", ".join(sorted(one.name for one in kinds)),
            "bring them to one kind first, with imply(…)",
        )
    (ours,) = kinds
    for rule in RULES:
        if not rule.printed and rule.kind.where(**dict(ours.fixed)) == ours:
            return rule
    known = ", ".join(rule.kind.name for rule in RULES if not rule.printed)
    raise ParameterError(
        "a kind of guarantee that composes",
        ours.name,
        f"bring it to one of these first, with imply(…): {known}",
    )


def _both(rule: Rule, a: Statement, b: Statement) -> Statement:
    (free_a, bound_a), (free_b, bound_b) = numbers(a), numbers(b)
    free: dict[str, Any] = {name: rule.free[name](free_a[name], free_b[name]) for name in free_a}
    return kind_of(a).make(free, rule.bound(bound_a, bound_b))
