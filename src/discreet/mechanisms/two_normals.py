"""Two normal laws, one for each value of a secret: what the release tells, exactly, for many pairs of laws at once.

A pair is told by the distance d ≥ 0 between its means and its variances v0, v1, arrays of one shape.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from discreet.core.protocols import Array

STEPS = 241
"""Nodes of the quadrature while many pairs are compared."""

REACH = 10.0
"""Deviations on either side that carry all the weight of a normal law that numbers can see."""

PANELS, FINER, NODES = np.linspace(-REACH, REACH, 41), 0.5 ** np.arange(1, 45), 12
"""Panels of the exact quadrature, the steps by which they shrink towards a seam, and the nodes in each."""


NARROWEST, FARTHEST = 1e-30, 1e3
"""A law so much narrower than the other is a point, and means so many deviations apart are as far as can be."""


class Prior(NamedTuple):
    """How likely the secret is 0, and 1; both more than never."""

    p0: float
    p1: float

    @property
    def larger(self) -> float:
        """How often a guess without the release is right."""
        return max(self.p0, self.p1)


class Crossings(NamedTuple):
    """Where the two weighted laws are equal: low < high, and none where one of them is above all along.

    The law of secret 0, with mean 0, lies above the other outside [low, high], or inside where `within`. One of the two
    is infinite where the variances are equal.
    """

    low: Array
    high: Array
    within: Any
    none: Any


def in_deviations(d: Array, v0: Array, v1: Array) -> tuple[Array, Array, Array]:
    """The pair in deviations of the wider law, which tells the same; what no number can tell from a limit is it."""
    wider = np.maximum(v0, v1)
    apart = np.minimum(d / np.sqrt(wider), FARTHEST)
    return apart, np.maximum(v0 / wider, NARROWEST), np.maximum(v1 / wider, NARROWEST)


def crossings(prior: Prior, d: Array, v0: Array, v1: Array) -> Crossings:
    """The roots of log p0 φ(y; 0, v0) − log p1 φ(y; d, v1), a quadratic in y."""
    square, linear = (1 / v1 - 1 / v0) / 2, -d / v1
    constant = d**2 / (2 * v1) + np.log(prior.p0 / prior.p1) + np.log(v1 / v0) / 2
    spread = linear**2 - 4 * square * constant
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # linear ≤ 0, so that nothing cancels in the first root; a square of +0 sends it to +∞, and means that are
        # hardly apart send the second there
        larger = (-linear + np.sqrt(spread)) / 2
        roots = larger / (square + 0.0), constant / larger
    none = ~((spread > 0) & (larger > 0))
    low, high = (np.where(none, np.inf, pick(*roots)) for pick in (np.minimum, np.maximum))
    return Crossings(low, high, square < 0, none)


def guess(prior: Prior, d: Array, v0: Array, v1: Array) -> Array:
    """How often the best guess of the secret is right: Σ over the parts of the line of the law that is above there."""
    from scipy.special import ndtr

    d, v0, v1 = in_deviations(d, v0, v1)
    at = crossings(prior, d, v0, v1)
    s0, s1 = np.sqrt(v0), np.sqrt(v1)
    in0 = ndtr(at.high / s0) - ndtr(at.low / s0)
    in1 = ndtr((at.high - d) / s1) - ndtr((at.low - d) / s1)
    between = prior.p0 * in0 - prior.p1 * in1
    right = np.where(at.within, prior.p1 + between, prior.p0 - between)
    found: Array = np.where(at.none, prior.larger, np.maximum(right, prior.larger))
    return found


def saturated(prior: Prior, d: Array, v0: Array, v1: Array) -> Array:
    """At least 0 where no release changes the best guess: how much further apart, in squares, the means could be.

    p_h φ(y; 0, v_h) ≥ p_l φ(y; d, v_l) for all y   ⟺   d² ≤ (v_h − v_l)(2 log(p_h / p_l) − log(v_h / v_l)), v_h ≥ v_l

    for the likelier h and the rarer l.
    """
    wide, narrow = (v0, v1) if prior.p0 > prior.p1 else (v1, v0)
    odds = 2 * np.log(prior.larger / min(prior))
    room: Array = (wide - narrow) * (odds - np.log(wide / narrow))
    return np.where(wide >= narrow, room, -np.abs(room)) - d**2


def information(prior: Prior, d: Array, v0: Array, v1: Array) -> Array:
    """I(S; Y), by the trapezoid rule: within 1e-10 for variances 10 times apart, 1e-4 for 150, 1e-3 for 400."""
    z = np.linspace(-REACH, REACH, STEPS)
    weight = np.exp(-(z**2) / 2)
    weight /= weight.sum()
    d, v0, v1 = (np.asarray(one)[..., None] for one in in_deviations(d, v0, v1))
    told = -prior.p0 * (_surprise(prior.p0, prior.p1, z, d, v0, v1) @ weight)
    told -= prior.p1 * (_surprise(prior.p1, prior.p0, z, d, v1, v0) @ weight)
    found: Array = np.maximum(told, 0)
    return found


def exact_information(prior: Prior, d: float, v0: float, v1: float) -> float:
    """I(S; Y) of one pair of laws, by Gauss's rule on panels of both bells that shrink towards their crossings."""
    pair = in_deviations(np.array(float(d)), np.array(float(v0)), np.array(float(v1)))
    at = crossings(prior, *pair)
    seams = np.array([float(at.low), float(at.high)])
    told = prior.p0 * _mean_surprise(prior.p0, prior.p1, seams / np.sqrt(v0), *pair)
    told += prior.p1 * _mean_surprise(
        prior.p1, prior.p0, (d - seams) / np.sqrt(v1), pair[0], pair[2], pair[1]
    )
    return max(0.0, -told)


def _mean_surprise(p: float, other: float, seams: Array, d: Array, v: Array, v_other: Array) -> float:
    near = np.concatenate([-FINER, FINER]) + seams[np.abs(seams) < REACH][:, None]
    other_bell = (d + np.sqrt(v_other) * PANELS) / np.sqrt(v)
    edges = np.unique(np.clip(np.concatenate([PANELS, other_bell, near.ravel()]), -REACH, REACH))
    node, weight = np.polynomial.legendre.leggauss(NODES)
    half = np.diff(edges)[:, None] / 2
    z = edges[:-1, None] + half * (node + 1)
    density = half * weight * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    return float((density * _surprise(p, other, z, d, v, v_other)).sum())


def _surprise(p: float, other: float, z: Array, d: Array, v: Array, v_other: Array) -> Array:
    """log (p + p′ φ′ / φ) at z deviations from the mean of φ, away from that of φ′ where d is ahead."""
    ratio = (np.log(v / v_other) + z**2 - (np.sqrt(v) * z - d) ** 2 / v_other) / 2
    surprise: Array = np.logaddexp(np.log(p), np.log(other) + ratio)
    return surprise
