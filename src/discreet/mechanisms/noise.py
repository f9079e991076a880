"""Jointly Gaussian (S, X) within a mean squared distortion: the best added noise, and the best release of all."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.design import Design, Status
from discreet.core.errors import ParameterError
from discreet.core.gaussian_channel import GaussianChannel
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.measures.gaussian import Gaussian, mutual_information
from discreet.mechanisms.barrier import Least, Local, least, log_det
from discreet.mechanisms.gaussian import leakage_of

CLOSE = 1e-9
"""A gap in nats that counts as none."""

COMMUTING = 1e-12
"""Two matrices whose commutator is so small, relative to both, share their directions."""

NOTHING = 1e-12
"""A share of a direction that is no longer worth releasing."""

MOST_COORDINATES = 40
"""Beyond, the Newton steps of the barrier method would need gigabytes."""

LARGEST_LOG = 500.0


def gaussian_noise(cov_s: ArrayLike, cov_x: ArrayLike, cov_sx: ArrayLike, distortion: float) -> Design:
    """Add the Gaussian noise of this total power that hides S best: Y = X + N(0, N), E|Y − X|² = tr N.

    min ½ log det(Σ_x + N) − ½ log det(Σ_{x|s} + N)   subject to   N ⪰ 0, tr N ≤ D

    The function is convex in N, so what is found is the best of all N: where Σ_x and Σ_{x|s} share their directions by
    the conditions (1 − λ)v / ((λv + n)(v + n)) = 2μ or n = 0 for each, otherwise by a barrier method whose gap is
    trace["least_additive"]. As S is Gaussian no independent noise of another law does better. `bound` is for every
    release with this distortion: see gaussian_release, which also scales X down. O(n³) with shared directions, else
    as `gaussian_release`.

    >>> gaussian_noise(np.eye(2), np.eye(2), np.diag([.8, .2]) ** .5, .5).leakage
    I(S;Y) = 0.4926 nats (exact, of this law)

    References: paper 002, Section IV, with a budget instead of its Lagrangian.
    """
    law = Gaussian(cov_s, cov_x, cov_sx)
    budget = _distortion(distortion)
    found = _additive(law, budget)
    channel = GaussianChannel(np.eye(len(law.cov_x)), found.matrix)
    floor = _any_release(law, budget).bound
    leakage = leakage_of(law, channel)
    trace = {"noise": found.matrix, "least_additive": min(max(found.bound, 0.0), leakage.value)}
    return _design(law, channel, leakage, floor, trace)


def gaussian_release(cov_s: ArrayLike, cov_x: ArrayLike, cov_sx: ArrayLike, distortion: float) -> Design:
    """Tell least about S of all releases with E|Y − X|² ≤ D, Gaussian or not: Y = M Σ_x⁻¹ X + N(0, M − M Σ_x⁻¹ M).

    min ½ log det Σ_s − ½ log det(Σ_{s|x} + T E Tᵀ),  T = Σ_sx Σ_x⁻¹,  E = Σ_x − M,  0 ⪯ E ⪯ Σ_x,  tr E ≤ D

    E is the error of the best estimate of X from Y, and T E Tᵀ what it adds to the error of S; of all laws with these
    errors the Gaussian one tells least. Convex, solved by a barrier method with a sound bound, which is `bound`.
    O(n⁶) for each of about a hundred steps in n coordinates, n up to about 30.

    >>> gaussian_release(1, 1, .8, .5).leakage
    I(S;Y) = 0.1928 nats (exact, of this law)

    References: beyond paper 002, which has mutual information for its utility and there no optimum.
    """
    from scipy.linalg import eigh

    law = Gaussian(cov_s, cov_x, cov_sx)
    found = _any_release(law, _distortion(distortion))
    lost, w = eigh(found.matrix, law.cov_x)
    kept = np.clip(1 - lost, 0, 1)
    kept[kept <= NOTHING] = 0.0
    back = law.cov_x @ w
    channel = GaussianChannel(back @ (kept * w).T, (back * (kept * (1 - kept))) @ back.T)
    seen = kept > 0
    told = np.diag(kept[seen]) @ w.T[seen], np.diag((kept * (1 - kept))[seen])
    same = GaussianChannel(*told) if seen.any() else GaussianChannel(np.zeros((1, len(lost))), 1.0)
    return _design(law, channel, leakage_of(law, same), found.bound, {"error": found.matrix})


def _distortion(given: float) -> float:
    if not 0 <= given < math.inf:
        raise ParameterError(
            "a distortion of 0 or more, finite",
            f"distortion = {given}",
            "give the largest mean of |Y − X|², in the square of X's unit",
        )
    return float(given)


class Shared(NamedTuple):
    """Directions that Σ_x and Σ_{x|s} share, with the variance v of X in each and what S leaves of it."""

    vector: Array
    v: Array
    left: Array


def _additive(law: Gaussian, budget: float) -> Least:
    """The best noise, and a bound on what any other of its power leaks."""
    whole, given = law.cov_x, _conditional(law)
    top = mutual_information(law).value
    if budget == 0 or top == 0:
        return Least(np.zeros_like(whole), top, top)
    shared = _shared(whole, given)
    if shared is not None:
        noise = _filled(lambda room: _noise_at(room, shared), budget, shared.vector)
        leak = leakage_of(law, GaussianChannel(np.eye(len(whole)), noise)).value
        return Least(noise, leak, leak)

    def told(noise: Array) -> Local:
        y, y_given = log_det(whole + noise), log_det(given + noise)
        return Local(
            0.5 * (y.value - y_given.value),
            0.5 * (y.gradient - y_given.gradient),
            0.5 * (y.hessian - y_given.hessian),
        )

    return least(told, budget, 2 * budget * np.eye(_few(law)))


def _any_release(law: Gaussian, budget: float) -> Least:
    """The error of X that hides S best, and a bound on what any release of this distortion leaks."""
    top = mutual_information(law).value
    if budget == 0 or top == 0:
        return Least(np.zeros_like(law.cov_x), top, top)
    if budget >= float(np.trace(law.cov_x)):
        return Least(law.cov_x, 0.0, 0.0)
    shared = _shared(law.cov_x, _conditional(law))
    if shared is not None:
        error = _filled(lambda room: _error_at(room, shared), budget, shared.vector)
        e = np.diag(shared.vector.T @ error @ shared.vector)
        kept = (shared.left + (shared.v - shared.left) * e / shared.v) / shared.v
        leak = max(-0.5 * float(np.log(kept).sum()), 0.0)
        return Least(error, leak, leak)
    through: Any = np.linalg.solve(law.cov_x, law.cov_sx.T).T
    known = law.cov_s - through @ law.cov_sx.T
    prior = float(np.linalg.slogdet(law.cov_s).logabsdet)

    def told(error: Array) -> Local:
        left = log_det(known + through @ error @ through.T, through)
        return Local(0.5 * (prior - left.value), -0.5 * left.gradient, -0.5 * left.hessian)

    _few(law)
    return least(told, budget, law.cov_x)


def _conditional(law: Gaussian) -> Array:
    """Σ_{x|s}."""
    left: Array = law.cov_x - law.cov_sx.T @ np.linalg.solve(law.cov_s, law.cov_sx)
    return (left + left.T) / 2


def _few(law: Gaussian) -> int:
    n = len(law.cov_x)
    if n > MOST_COORDINATES:
        raise ParameterError(
            f"X with at most {MOST_COORDINATES} coordinates, or one whose directions S leaves alone",
            f"{n} coordinates",
            "keep the principal directions of X",
        )
    return n


def _shared(whole: Array, given: Array) -> Shared | None:
    commutator = np.abs(whole @ given - given @ whole).max()
    if commutator > COMMUTING * np.abs(whole).max() * np.abs(given).max():
        return None
    _, vector = np.linalg.eigh((whole + math.sqrt(2) * given) / np.trace(whole))
    v, left = (np.diag(vector.T @ cov @ vector) for cov in (whole, given))
    return Shared(vector, v, np.clip(left, 0, v))


def _noise_at(room: float, shared: Shared) -> Array:
    """The n of each direction with (v − left) / ((left + n)(v + n)) = 1 / room, or none."""
    v, left = shared.v, shared.left
    told = v - left
    n: Array = 2 * (told * room - v * left) / (v + left + np.sqrt(told**2 + 4 * told * room))
    return np.maximum(n, 0)


def _error_at(room: float, shared: Shared) -> Array:
    """The error e of each direction with left v / (v − left) + e = room, from none to all of v."""
    v, left = shared.v, shared.left
    with np.errstate(divide="ignore"):
        starts = left * v / (v - left)
    return np.clip(room - starts, 0, v)


def _filled(amount: Callable[[float], Array], budget: float, vector: Array) -> Array:
    """What each direction gets at the room where the amounts make up the budget, or all they can take."""
    from scipy.optimize import brentq

    low, high = -1.0, 1.0
    while amount(math.exp(low)).sum() > budget:
        low *= 2
    while amount(math.exp(high)).sum() < budget and high < LARGEST_LOG:
        high *= 2
    given = amount(math.exp(high))
    if given.sum() > budget:
        given = amount(math.exp(brentq(lambda t: amount(math.exp(t)).sum() - budget, low, high, xtol=1e-14)))
    return (vector * given) @ vector.T


def _design(
    law: Gaussian, channel: GaussianChannel, leakage: Reading, floor: float, trace: dict[str, object]
) -> Design:
    bound = Reading(min(max(floor, 0.0), leakage.value), leakage.unit, leakage.measure, "lower")
    moved = channel.a - np.eye(len(law.cov_x))
    spent = float(np.trace(moved @ law.cov_x @ moved.T) + np.trace(channel.cov))
    closed = leakage.value == bound.value or leakage.value - bound.value <= CLOSE
    status = Status.OPTIMAL if closed else Status.NEAR
    return Design(channel, status, leakage, Reading(spent, "", "distortion"), bound, trace)
