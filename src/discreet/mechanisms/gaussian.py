"""The funnel for jointly Gaussian (S, X): how much of X to tell, and along which direction, for a leak."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.design import Design, Status
from discreet.core.errors import AxisError, ParameterError
from discreet.core.gaussian_channel import GaussianChannel
from discreet.core.protocols import Array
from discreet.core.reading import Reading, unit_of
from discreet.measures.gaussian import Gaussian, mutual_information
from discreet.mechanisms.rates import CLOSE, Sharing, leak_of, least_leak

ROUNDING = 1e-12
"""A share of variance so close to 0 or 1 is read as 0 or 1."""

NOTE = (
    "Best among releases that are jointly Gaussian with X. Mutual information is vacuous as the utility of a "
    "continuous X: sent with probability R/R′ at a higher rate R′ and erased otherwise, it leaks as little as one "
    "likes. Bound the distortion instead: gaussian_noise, gaussian_release."
)


class Directions(NamedTuple):
    """Directions w of X with unit variance, independent of one another, and the share λ of each not explained by S."""

    w: Array
    unexplained: Array


def gaussian_funnel(
    cov_s: ArrayLike,
    cov_x: ArrayLike,
    cov_sx: ArrayLike,
    *,
    rate: float | None = None,
    leak: float | None = None,
    caps: ArrayLike | None = None,
) -> Design:
    """Tell a rate of X with the least leak about S, or the most of X within a leak, by a jointly Gaussian release.

    G(R) = R − ½ log(1 + λ (e^{2R} − 1)), all of it along the direction of the largest λ = 1 − ρ²

    ρ are the canonical correlations. G rises to −½ log λ: within a leak beyond that the rate is infinite. The direction
    is then released in clear, and what is left of the leak goes to the next. With more coordinates in X than in S some
    λ is 1, and any rate is free. `bound` is sound among jointly Gaussian releases and no others: see trace["note"].

    `caps` are the most nats for each direction, in the order of trace["directions"]: the coordinates of X where these
    are the directions, otherwise by falling λ. Filling by falling λ is then not always best; branch and bound is.
    O(n³) for n coordinates, and with caps up to 20,000 boxes of O(n log n).

    >>> gaussian_funnel(1, 1.5, .8, rate=.5).leakage
    I(S;Y) = 0.1572 nats (exact, of this law)
    >>> gaussian_funnel(1, 1.5, .8, leak=.1).utility
    I(S;Y) = 0.2766 nats (exact, of this law)

    References: paper 002, Theorem 2, whose Lagrangian has no minimum; here in its constrained form.
    """
    law = Gaussian(cov_s, cov_x, cov_sx)
    if (rate is None) == (leak is None):
        raise ParameterError(
            "a rate or a leak", f"rate = {rate}, leak = {leak}", "give one of the two, in nats"
        )
    asked = "rate" if leak is None else "leak"
    budget = float(rate if leak is None else leak)  # type: ignore[arg-type]
    if not budget >= 0:
        raise ParameterError(f"a {asked} of 0 nats or more", f"{asked} = {budget}", f"give {asked} in nats")
    along = _directions(law)
    tops = None if caps is None else _caps(caps, len(along.w))
    share = _sharing_of_rate if leak is None else _sharing_of_leak
    return _design(law, along, share(along.unexplained, tops, budget))


def _directions(law: Gaussian) -> Directions:
    from scipy.linalg import eigh

    left = law.cov_x - law.cov_sx.T @ np.linalg.solve(law.cov_s, law.cov_sx)
    value, vector = eigh((left + left.T) / 2, law.cov_x)
    value[value < ROUNDING], value[value > 1 - ROUNDING] = 0.0, 1.0
    w = vector.T
    leads = np.abs(w).argmax(axis=1)
    others = np.abs(w).sum(axis=1) - np.abs(w).max(axis=1)
    coordinates = bool((others <= ROUNDING * np.abs(w).max(axis=1)).all())
    order = np.argsort(leads) if coordinates else np.argsort(-value, kind="stable")
    return Directions(w[order], value[order])


def _caps(given: ArrayLike, n: int) -> Array:
    held = np.asarray(given, dtype=np.float64)
    if held.shape != (n,) or not (np.isfinite(held) & (held >= 0)).all():
        raise AxisError(
            f"caps: {n} finite rates of 0 nats or more, one for each direction of X",
            f"{held.tolist()}",
            "give the most nats for each direction; leave caps out for none",
        )
    return held


def _sharing_of_rate(unexplained: Array, caps: Array | None, rate: float) -> Sharing:
    if caps is None:
        rates = np.where(np.arange(len(unexplained)) == unexplained.argmax(), rate, 0.0)
        leak = float(leak_of(rates, unexplained).sum())
        return Sharing(rates, leak, leak)
    if not rate <= caps.sum() * (1 + ROUNDING):
        raise ParameterError(
            f"a rate of {rate:.6g} nats within the caps",
            f"caps of {caps.sum():.6g} nats in all",
            "ask for less, or raise the caps",
        )
    return least_leak(unexplained, caps, min(rate, float(caps.sum())))


def _sharing_of_leak(unexplained: Array, caps: Array | None, leak: float) -> Sharing:
    if caps is not None:
        return _most_within(unexplained, caps, leak)
    order = np.argsort(-unexplained, kind="stable")
    price = leak_of(np.full(len(order), np.inf), unexplained)[order]
    spent = np.cumsum(price)
    clear = spent <= leak
    rates = np.where(clear, np.inf, 0.0)
    if not clear.all():
        first = int(np.argmin(clear))
        rest = leak - (spent[first - 1] if first else 0.0)
        share = unexplained[order][first]
        rates[first] = rest + 0.5 * math.log((1 - share) / (1 - share * math.exp(2 * rest)))
    shared = np.empty_like(rates)
    shared[order] = rates
    found = float(leak_of(shared, unexplained).sum())
    return Sharing(shared, found, found)


def _most_within(unexplained: Array, caps: Array, leak: float) -> Sharing:
    """The largest rate whose least leak is within the budget: the least leak rises with the rate."""
    low, high = 0.0, float(caps.sum())
    best = least_leak(unexplained, caps, high)
    if best.leak <= leak:
        return best
    best = least_leak(unexplained, caps, low)
    while high - low > CLOSE * high:
        middle = (low + high) / 2
        found = least_leak(unexplained, caps, middle)
        if found.leak <= leak:
            low, best = middle, found
        else:
            high = middle
    return best


def _design(law: Gaussian, along: Directions, sharing: Sharing) -> Design:
    channel = _channel(along, sharing.rates)
    leakage, utility = leakage_of(law, channel), _carried(law, channel)
    a_function = along.unexplained.max() == 0
    free = leakage.value <= CLOSE or a_function
    status = Status.OPTIMAL if free else Status.VACUOUS
    if sharing.leak - sharing.bound > CLOSE:
        status = Status.OUT_OF_BUDGET
    among = {} if free else {"among": "jointly Gaussian"}
    least = leakage.value if sharing.leak - sharing.bound <= CLOSE else sharing.bound
    bound = Reading(least, leakage.unit, leakage.measure, "lower", parameters=among)
    trace = {
        "directions": along.w,
        "unexplained": along.unexplained,
        "rates": sharing.rates,
        "note": "Nothing leaks less at this rate." if free else NOTE,
    }
    return Design(channel, status, leakage, utility, bound, trace)


def _channel(along: Directions, rates: Array) -> GaussianChannel:
    """w X + N(0, 1 / (e^{2a} − 1)) along each direction with a rate a above zero; pure noise where there is none."""
    used = rates > 0
    if not used.any():
        return GaussianChannel(np.zeros((1, along.w.shape[1])), 1.0)
    with np.errstate(over="ignore"):
        variance = 1 / np.expm1(2 * rates[used])
    return GaussianChannel(along.w[used], np.diag(variance))


def leakage_of(law: Gaussian, channel: GaussianChannel) -> Reading:
    """I(S; Y) of a release through this channel."""
    cov_y = _released(law, channel)
    return mutual_information(Gaussian(law.cov_s, cov_y, law.cov_sx @ channel.a.T))


def _carried(law: Gaussian, channel: GaussianChannel) -> Reading:
    """I(X; Y) = ½ log det Σ_y − ½ log det Σ_{y|x}: exact also for correlations within rounding of 1."""
    with np.errstate(divide="ignore"):
        noise = np.linalg.slogdet(channel.cov).logabsdet
    value = max(0.5 * float(np.linalg.slogdet(_released(law, channel)).logabsdet - noise), 0.0)
    return Reading(value, unit_of("mutual_information"), "mutual_information")


def _released(law: Gaussian, channel: GaussianChannel) -> Array:
    cov: Array = channel.a @ law.cov_x @ channel.a.T
    return (cov + cov.T) / 2 + channel.cov
