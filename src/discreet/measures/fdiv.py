"""f-information: how far the law of (S, Y) is from independence, in the mean of a convex function of the lift."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from discreet.core.errors import ParameterError
from discreet.core.lift import Lift
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.measures.arguments import Direction, Over, choice, not_negative
from discreet.measures.convex import at, extended, from_the_prior
from discreet.measures.reducers import Function, Sides, mean, mean_square

LARGEST = float(np.finfo(np.float64).max)
"""An infinite factor is taken as this, so that a cell that cannot occur still counts."""

TINY = 5e-324
"""The least positive number: x log x is taken there when x is 0, where it is 0 to the last digit."""


def kullback_leibler(l: Array) -> Array:
    """l log l − (l − 1): never negative, and exact to second order near independence."""
    value = np.log(np.maximum(l, TINY))
    value *= l
    value -= l
    value += 1
    return value


def _kullback_leibler_prior(log: Array) -> Array:
    value = np.expm1(log)
    value -= log
    return value


def _half_distance(l: Array) -> Array:
    value = l - 1
    np.abs(value, out=value)
    value *= 0.5
    return value


def _half_root_distance(l: Array) -> Array:
    value = np.sqrt(l)
    value -= 1
    value *= value
    value *= 0.5
    return value


def _chi_squared_prior(log: Array) -> Array:
    value = np.sinh(log * 0.5)
    value *= value
    value *= 4
    return value


def _read(name: str, lift: Lift, sides: Sides, direction: str, over: str, **parameters: Any) -> Reading:
    """The mean over the secrets or the worst of them; what is not the default is said."""
    value = float(lift.p_s @ sides.by_s) if over == "mean" else float(sides.by_s[lift.p_s > 0].max())
    if direction == "prior":
        parameters["direction"] = direction
        value = value if _settles(lift, sides) else math.inf
    if over != ("worst" if name == "e_gamma" else "mean"):
        parameters["over"] = over
    return lift.reading(name, max(value, 0.0), by_s=sides.by_s, by_y=sides.by_y, **parameters)


def _settles(lift: Lift, sides: Sides) -> bool:
    """Whether the ends of the line no longer weigh in the mean, where the law is one over cells of the line."""
    ends = [max(limit - 1, 1) for limit in lift.limits]
    weights = lift.p_y[ends] * sides.by_y[ends]
    return bool((weights <= 1e-9 * (lift.p_s @ sides.by_s)).all())


def _told(direction: str, over: str) -> bool:
    """Whether the divergence is taken from the prior; both choices are checked."""
    choice("over", over, ("mean", "worst"))
    return choice("direction", direction, ("release", "prior")) == "prior"


def mutual_information(lift: Lift, direction: Direction = "release", over: Over = "mean") -> Reading:
    """How many nats the release tells about the secret, in the mean.

    I(S; Y) = Σ_s Σ_y p(s) p(y) l log l

    Large: the release moves beliefs far. Zero: independence. At most H(S). With direction="prior" it is the
    divergence of p(y) from p(y | s), infinite when a cell cannot occur; over="worst" takes the worst secret.

    >>> from discreet.core.joint import Joint
    >>> mutual_information(Joint([[.3, .1], [.15, .45]]).lift())
    I(S;Y) = 0.1258 nats (exact, of this law)

    References: paper 000, Definition 4; paper 002, Section II; paper 001, Lemma 1.
    """
    prior = _told(direction, over)
    sides = mean(lift, _kullback_leibler_prior if prior else kullback_leibler, of_log=prior)
    return _read("mutual_information", lift, sides, direction, over)


def total_variation(lift: Lift, direction: Direction = "release", over: Over = "mean") -> Reading:
    """The share of probability that must be moved to make secret and release independent.

    TV = ½ Σ_s Σ_y p(s) p(y) |l − 1|

    Large: some event tells much. Zero: independence. Between 0 and 1; paper 000 prints twice this value. The two
    directions are equal.

    >>> from discreet.core.joint import Joint
    >>> total_variation(Joint([[.3, .1], [.15, .45]]).lift())
    TV = 0.24 (exact, of this law)

    References: paper 000, Definition 4.
    """
    _told(direction, over)
    return _read("total_variation", lift, mean(lift, _half_distance), direction, over)


def chi_squared(lift: Lift, direction: Direction = "release", over: Over = "mean") -> Reading:
    """How much better than blind every function of the secret can be estimated, summed over directions.

    χ²(S; Y) = Σ_s Σ_y p(s) p(y) (l − 1)²   =   Σ of the squared singular values beyond the first

    Large: some function of the secret is estimated almost without error. Zero: independence. A cell that cannot
    occur counts with l = 0; with direction="prior" it makes the value infinite. Otherwise finite whenever S and Y are.

    >>> from discreet.core.joint import Joint
    >>> chi_squared(Joint([[.3, .1], [.15, .45]]).lift())
    χ² = 0.2424 (exact, of this law)

    References: paper 000, Definition 4.
    """
    if _told(direction, over):
        return _read("chi_squared", lift, mean(lift, _chi_squared_prior, of_log=True), direction, over)
    return _read("chi_squared", lift, mean_square(lift, lambda l: l - 1), direction, over)


def hellinger(lift: Lift, direction: Direction = "release", over: Over = "mean") -> Reading:
    """How far the roots of the laws are apart: the squared Hellinger distance, halved.

    H² = ½ Σ_s Σ_y p(s) p(y) (√l − 1)²

    Large: the laws hardly overlap. Zero: independence. Between 0 and 1. The two directions are equal.

    >>> from discreet.core.joint import Joint
    >>> hellinger(Joint([[.3, .1], [.15, .45]]).lift())
    H² = 0.03269 (exact, of this law)

    References: paper 000, Definition 3.
    """
    _told(direction, over)
    return _read("hellinger", lift, mean(lift, _half_root_distance), direction, over)


def f_information(
    lift: Lift, f: Callable[[Array], Array], direction: Direction = "release", over: Over = "mean"
) -> Reading:
    """The mean of any convex function of the lift.

    I_f = Σ_s Σ_y p(s) p(y) f(l), and with direction="prior" the same of l f(1/l)

    `f` is convex on (0, ∞) with f(1) = 0, and takes and gives arrays. Its value at 0 and its slope at infinity, which
    decide about cells that cannot occur, are found as limits.

    >>> from discreet.core.joint import Joint
    >>> f_information(Joint([[.3, .1], [.15, .45]]).lift(), lambda l: np.abs(l - 1))
    I_f = 0.48 (exact, of this law)

    References: paper 000, Definition 3; paper 001, equation (2).
    """
    prior = _told(direction, over)
    at_one = float(at(f, 1.0))
    if not abs(at_one) <= 1e-12:
        raise ParameterError(
            "a convex function with f(1) = 0", f"f(1) = {at_one:.6g}", "subtract f(1) from f"
        )
    function = from_the_prior(f) if prior else f
    return _read("f_information", lift, mean(lift, lambda l: extended(function, l)), direction, over)


def e_gamma(lift: Lift, gamma: float, direction: Direction = "release", over: Over = "worst") -> Reading:
    """How much probability an event can hold beyond γ times what independence gives it.

    E_γ = max_s Σ_y p(y) (l − γ)₊, and with direction="prior" the same of (1 − γ l)₊

    Large: some release is far more likely under one secret. Zero at every γ ≥ 1: independence. Between (1 − γ)₊ and 1;
    nothing is subtracted for γ < 1. over="mean" is E_γ of the joint law from the product.

    >>> from discreet.core.joint import Joint
    >>> e_gamma(Joint([[.3, .1], [.15, .45]]).lift(), 1.2, over="mean")
    E_γ [gamma=1.2, over=mean] = 0.138 (exact, of this law)

    References: paper 003, Definition 3.
    """
    prior = _told(direction, over)
    factor = min(not_negative("gamma", gamma), LARGEST)

    def above(l: Array) -> Array:
        value = l - factor
        return np.maximum(value, 0, out=value)

    def below(l: Array) -> Array:
        value = l * -factor
        value += 1
        return np.maximum(value, 0, out=value)

    function: Function = below if prior else above
    return _read("e_gamma", lift, mean(lift, function), direction, over, gamma=float(gamma))
