"""How a budget is kept: what is added to the sanitiser's loss when something exceeds its budget.

`over` is how far it does: distortion − D (paper 004), or leak − budget (paper 000 (25), Bertran). λ max(P, √η) of
000 is λ max(0, P − √η) up to a constant, so the hinge at a privacy budget and the penalty at a distortion are one
formula.
"""

from __future__ import annotations

from typing import Any, Literal

Constraint = Literal["penalty", "lagrangian", "weight"]


def penalty(xp: Any, over: Any, weight: Any) -> Any:
    """weight · max(0, over): nothing within the budget, a straight line beyond.

    Exact if the weight exceeds the multiplier, which is what leak costs at the budget.

    References: paper 004, (13); paper 000, (25).
    """
    return weight * xp.maximum(over, 0.0)


def lagrangian(xp: Any, over: Any, dual: Any, weight: Any) -> Any:
    """(max(0, λ + ρ · over)² − λ²) / 2ρ: the augmented Lagrangian, its slack already at its best.

    With over + δ = 0 for a slack δ ≥ 0, the best slack is max(0, −over − λ/ρ), which leaves this. Afterwards
    λ ← max(0, λ + ρ · over).

    References: paper 004, (14).
    """
    return (xp.maximum(dual + weight * over, 0.0) ** 2 - dual**2) / (2 * weight)


def added(xp: Any, kind: Constraint, over: Any, dual: Any, weight: Any) -> Any:
    """What the constraint of this name adds; "weight" is no constraint but a price: weight · over."""
    if kind == "penalty":
        return penalty(xp, over, weight)
    if kind == "lagrangian":
        return lagrangian(xp, over, dual, weight)
    return weight * over
