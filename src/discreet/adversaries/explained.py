"""How much of a number is explained, on rows that nobody learnt from, with an interval for any law of bounded range."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from discreet.adversaries.figures import PERMUTATIONS
from discreet.core.protocols import Array
from discreet.core.reading import Origin, Reading, unit_of

HALVINGS = 50
LEAST = -3.0
"""Below it a share explained is not looked for: the guess is worse than useless."""


def r_squared(errors: Array, blind: Array, spread: float, origin: Origin, confidence: float) -> Reading:
    """The share of the number's variance that the attacker explains: what is left is mmse or more.

    R² = 1 − E (V − v̂)² / E (V − m)²,   m the mean where one learns

    `errors` and `blind` are the two squares of each row, `spread` the square of the number's range. A share ρ is in the
    interval unless the mean of (1 − ρ) blind − errors, which is 0 in the mean at the true one, differs from 0 by more
    than empirical Bernstein allows at β/2. Large: the number is known.
    """
    beta = (1 - confidence) / 2
    found = Reading(1 - _share(errors, blind), unit_of("r_squared"), "r_squared", "lower", origin=origin)

    def above(rho: float, sign: float) -> bool:
        return least_mean(sign * ((1 - rho) * blind - errors), (2 - rho) * spread, beta) > 0

    low = _edge(LEAST, 1.0, lambda rho: above(rho, 1.0))
    high = _edge(1.0, LEAST, lambda rho: above(rho, -1.0))
    return found.with_interval(max(low, LEAST), high, confidence)


def mean_error(errors: Array, spread: float, origin: Origin, confidence: float) -> Reading:
    """The attacker's mean square error: mmse(S | Y) is at most this. Its interval is empirical Bernstein's."""
    beta = (1 - confidence) / 2
    low, high = least_mean(errors, spread, beta), -least_mean(-errors, spread, beta)
    found = Reading(float(errors.mean()), unit_of("mmse"), "mmse", "upper", origin=origin)
    return found.with_interval(max(low, 0.0), min(high, spread), confidence)


def least_mean(values: Array, spread: float, beta: float) -> float:
    """A lower limit for the expectation of independent numbers of bounded range: empirical Bernstein.

    mean − √(2 v ln(2/β) / n) − 7 spread ln(2/β) / (3 (n − 1)),   v their variance
    """
    n, log = values.size, math.log(2 / beta)
    if n < 2:
        return -spread
    wide = math.sqrt(2 * float(values.var(ddof=1)) * log / n) + 7 * spread * log / (3 * (n - 1))
    return float(values.mean()) - wide


def _share(errors: Array, blind: Array) -> float:
    total = float(blind.mean())
    return float(errors.mean()) / total if total > 0 else 1.0


def _edge(inside: float, outside: float, holds: Callable[[float], bool]) -> float:
    """Where a condition stops that holds at the first end; that end if it does not hold there."""
    if not holds(inside):
        return inside
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def chance(estimates: Array, numbers: Array, *, rng: np.random.Generator) -> float:
    """How often numbers dealt out anew would be met so closely: the p-value of independence, exact."""
    if np.ptp(estimates) == 0:
        return 1.0
    off = estimates - estimates.mean()
    reached = off @ numbers
    as_good = sum(
        off @ rng.permutation(numbers) >= reached - 1e-9 * abs(reached) for _ in range(PERMUTATIONS)
    )
    return float((1 + as_good) / (1 + PERMUTATIONS))
