"""Noise on flagged records only, for a finite law: exactly what the release then tells."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.errors import AxisError, ParameterError
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.measures.arguments import not_negative
from discreet.mechanisms.flags import Flags

FAR, STEP = 12.0, 0.1
"""Crossings are looked for up to so many deviations from a point, at steps of so many."""

HALVINGS = 60
"""Each crossing is then found by halving its step so often."""

ON_A_LINE = 1e-9
"""Points may lie so far off a line, relative to their spread, and are read as on it."""


def selective_obfuscation(
    joint: Joint, points: ArrayLike, flagged: ArrayLike, eps: float, deviation: float
) -> Reading:
    """Exactly what a release tells that adds Gaussian noise to flagged symbols only, and gives the others in clear.

    E_{e^ε}(P_{Y|s} ‖ P_Y) = Σ_{x clear} (p(x|s) − e^ε p(x))₊ + ∫ (Σ_{x flagged} (p(x|s) − e^ε p(x)) φ_λ(y − x))₊ dy

    Large: some secret makes a set of releases much likelier. It does not fall below what the flag alone tells, however
    large λ is. `value` is the worst secret's, `by_s` has all. points[x] are the numbers that symbols stand for, or
    their vectors; flagged ones must lie on a line. `flagged` are symbols or a mask: leaking(joint.lift(), eps), or all
    of them for plain Gaussian noise. The integral is taken piece by piece between its crossings of zero, of which there
    are no more than changes of sign among the weights along the line.

    >>> law = Joint(np.array([[.3, .3, .4], [.475, .475, .05]]) * [[.1], [.9]])
    >>> selective_obfuscation(law, [0, 1, 2], [2], .5, 1000.)
    E_γ [gamma=1.649] = 0.2599 (exact, of this law)

    References: paper 003, Theorem 3, which overlooks that noise reveals the flag.
    """
    lift = joint.lift()
    gamma = math.exp(eps)
    at = _vectors(points, joint.p.shape[1])
    flags = _mask(flagged, len(at))
    if not_negative("deviation", deviation) == 0:
        flags = np.zeros_like(flags)
    given = joint.p / np.where(lift.p_s > 0, lift.p_s, 1)[:, None]
    excess = given - gamma * lift.p_y * (lift.p_s > 0)[:, None]
    by_s = np.maximum(_merged(at[~flags], excess[:, ~flags]), 0).sum(axis=1)
    if flags.any():
        line = _on_line(at[flags]) / deviation
        by_s = by_s + np.array([_positive_mass(line, weight) for weight in excess[:, flags]])
    by_s[lift.p_s == 0] = 0.0
    return lift.reading("e_gamma", min(float(by_s.max()), 1.0), by_s=by_s, gamma=gamma)


def _vectors(points: ArrayLike, n: int) -> Array:
    held = np.asarray(points, dtype=np.float64)
    if held.ndim not in (1, 2) or len(held) != n or not np.isfinite(held).all():
        raise AxisError(
            f"a finite number or vector for each of {n} symbols",
            f"an array of shape {held.shape}",
            "give points[x], or points[x, coordinate]",
        )
    return held.reshape(n, -1)


def _mask(flagged: ArrayLike, n: int) -> Flags:
    held = np.asarray(flagged)
    mask = np.zeros(n, dtype=np.bool_)
    if held.dtype == np.bool_ and held.shape == (n,):
        return held.copy()
    if held.size and (held.dtype.kind not in "iu" or held.ndim != 1 or held.min() < 0 or held.max() >= n):
        raise ParameterError(
            f"flagged: symbols 0 … {n - 1}, or a mask of {n}",
            f"an array of shape {held.shape} and type {held.dtype}",
            "use leaking(joint.lift(), eps)",
        )
    mask[held.astype(np.int64)] = True
    return mask


def _merged(at: Array, weight: Array) -> Array:
    """The weights of different points: those at one point are added."""
    if not len(at):
        return np.zeros((len(weight), 1))
    _, which = np.unique(at, axis=0, return_inverse=True)
    total = np.zeros((int(which.max()) + 1, len(weight)))
    np.add.at(total, which.reshape(-1), weight.T)
    merged: Array = total.T
    return merged


def _on_line(at: Array) -> Array:
    """Where points lie along the line that they share."""
    middle = at - at.mean(axis=0)
    _, spread, axes = np.linalg.svd(middle, full_matrices=False)
    if len(spread) > 1 and spread[1] > ON_A_LINE * spread[0]:
        raise ParameterError(
            "flagged points on one line, where the integral is exact",
            f"points that spread by {spread[1]:.4g} across it, {spread[0]:.4g} along it",
            "use selective_obfuscation_bound, which holds in any dimension",
        )
    along: Array = middle @ axes[0]
    return along


def _positive_mass(place: Array, weight: Array) -> float:
    """∫ (Σ w_i φ(y − t_i))₊ dy for standard normal φ."""
    from scipy.special import ndtr

    ends = np.concatenate([[-np.inf], _crossings(place, weight), [np.inf]])
    pieces = np.diff(ndtr(ends[:, None] - place), axis=0) @ weight
    return float(np.maximum(pieces, 0).sum())


def _crossings(place: Array, weight: Array) -> Array:
    """Where Σ w_i φ(y − t_i) changes its sign, to the last digit."""
    near = np.arange(-FAR, FAR + STEP, STEP)
    steps = np.unique(np.rint((place[:, None] + near) / STEP)) * STEP
    ordered = np.sort(place)
    y = np.unique(np.concatenate([steps, (ordered[1:] + ordered[:-1]) / 2]))
    sign = _sign(y, place, weight)
    seen = np.flatnonzero(sign)
    turns = seen[:-1][sign[seen[:-1]] != sign[seen[1:]]]
    low, high = y[turns], y[seen[np.searchsorted(seen, turns) + 1]]
    left = sign[turns]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        same = _sign(middle, place, weight) == left
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    found: Array = (low + high) / 2
    return found


def _sign(y: Array, place: Array, weight: Array) -> Array:
    """The sign of Σ w_i φ(y − t_i), also where every term is too small for a number."""
    exponent = -((y[:, None] - place) ** 2) / 2
    exponent -= exponent.max(axis=1)[:, None]
    found: Array = np.sign(np.exp(exponent) @ weight)
    return found
