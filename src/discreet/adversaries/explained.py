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

FIRST = 0.0025
"""The variance that is expected before anything is seen, in squares of the range."""

BOLD = 0.8
"""No bet risks more than this share of what one has."""


def r_squared(errors: Array, blind: Array, spread: float, origin: Origin, confidence: float) -> Reading:
    """The share of the number's variance that the attacker explains: what is left is mmse or more.

    R² = 1 − E (V − v̂)² / E (V − m)²,   m the mean where one learns

    `errors` and `blind` are the two squares of each row, `spread` the square of the number's range. A share ρ is in the
    interval unless (1 − ρ) blind − errors, whose mean is 0 at the true one, is shown to have another. Large: the number
    is known.
    """
    beta = (1 - confidence) / 2
    found = Reading(1 - _share(errors, blind), unit_of("r_squared"), "r_squared", "lower", origin=origin)

    def is_more(rho: float) -> bool:
        return is_positive((1 - rho) * blind - errors, spread, beta)

    def is_less(rho: float) -> bool:
        return is_positive(errors - (1 - rho) * blind, (1 - rho) * spread, beta)

    return found.with_interval(_edge(LEAST, 1.0, is_more), _edge(1.0, LEAST, is_less), confidence)


def mean_error(errors: Array, spread: float, origin: Origin, confidence: float) -> Reading:
    """The attacker's mean square error: mmse(S | Y) is at most this."""
    beta = (1 - confidence) / 2
    found = Reading(float(errors.mean()), unit_of("mmse"), "mmse", "upper", origin=origin)
    low = _edge(0.0, spread, lambda m: is_positive(errors - m, m, beta))
    high = _edge(spread, 0.0, lambda m: is_positive(m - errors, spread - m, beta))
    return found.with_interval(low, high, confidence)


def is_positive(values: Array, below: float, beta: float) -> bool:
    """Whether independent numbers, none under −`below`, are shown to have a positive mean; by chance in β of all cases.

    Π_i (1 + λ_i v_i) ≥ 1/β at some point, each λ_i ≥ 0 known from the values before, λ_i below < 1

    Were the mean 0, nobody could bet on these numbers and be 1/β times as rich, but with probability β. The bets are
    about √(2 log(1/β) / n v), v the variance so far. Far narrower than empirical Bernstein where the range is wide.

    References: Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, 2024.
    """
    if below <= 0:
        return bool((values > 0).any())
    n = values.size
    before = np.arange(1, n + 1)
    mean = np.concatenate([[0.0], np.cumsum(values)[:-1]]) / before
    square = np.cumsum((values - mean) ** 2)
    variance = (FIRST * below**2 + np.concatenate([[0.0], square[:-1]])) / before
    bet = np.minimum(BOLD / below, np.sqrt(2 * math.log(1 / beta) / (n * variance)))
    return bool(np.cumsum(np.log1p(bet * values)).max() >= math.log(1 / beta))


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
