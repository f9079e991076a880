"""What a leak can be at most, whatever the release: the ceilings that every bound is held under."""

from __future__ import annotations

import math
from collections.abc import Callable

from discreet.estimators.bounds.held_out import HeldOut, Target
from discreet.measures.arimoto import entropy


def guess() -> float:
    """Nobody is right more often than always."""
    return 1.0


def gain(held: HeldOut, of: Target) -> float:
    """1 − max π, or 1 − 1/k for an unknown prior."""
    return 1 - (1 / held.shape[0] if of == "population" else float(held.composition.max()))


def information(held: HeldOut, of: Target) -> float:
    """H(π), or log k for an unknown prior."""
    return math.log(held.shape[0]) if of == "population" else entropy(held.lift).value


def distance(held: HeldOut, gamma: float = 1.0) -> float:
    """Σ π (1 − γ π)₊: the release names the secret."""
    pi = held.composition
    return float(pi @ (1 - gamma * pi).clip(0))


def chi_squared(held: HeldOut) -> float:
    """min(|S|, |Y|) − 1, of the secrets that somebody has."""
    return float(min(int((held.by_s > 0).sum()), held.shape[1]) - 1)


def leakage(held: HeldOut) -> float:
    """log min(|S|, |Y|)."""
    return math.log(min(held.shape))


def ceiling(held: HeldOut, measure: str, of: Target, gamma: float = 1.0) -> float:
    """The ceiling of a measure by its name; infinite for the worst cell."""
    known: dict[str, Callable[[], float]] = {
        "guessing_probability": guess,
        "inference_gain": lambda: gain(held, of),
        "mutual_information": lambda: information(held, of),
        "conditional_entropy": lambda: information(held, "population"),
        "total_variation": lambda: distance(held),
        "e_gamma": lambda: distance(held, gamma),
        "chi_squared": lambda: chi_squared(held),
        "maximal_leakage": lambda: leakage(held),
        "lift_privacy": lambda: math.inf,
        "local_privacy": lambda: math.inf,
    }
    return known.get(measure, guess)()
