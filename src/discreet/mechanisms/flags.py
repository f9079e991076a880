"""Which values of a feature tell too much in clear, judged by what was released before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.errors import AxisError, ParameterError
from discreet.core.joint import Joint
from discreet.core.lift import Lift
from discreet.core.protocols import Array
from discreet.measures.arguments import not_negative
from discreet.measures.tail import bounds, outside

Flags: TypeAlias = NDArray[np.bool_]


def leaking(lift: Lift, eps: float) -> Flags:
    """The symbols that tell too much in clear: |log l(s, x)| > ε for some secret s.

    >>> law = Joint(np.array([[.3, .3, .4], [.475, .475, .05]]) * [[.1], [.9]])
    >>> leaking(law.lift(), .5)
    array([False, False,  True])

    References: paper 003, equation (4).
    """
    low, high = bounds(not_negative("eps", eps))
    return np.asarray(outside(lift.ratio, low, high).any(axis=0))


def flags_on_release(
    joint: Joint, points: Sequence[ArrayLike], released: Sequence[float], eps: float, deviation: float
) -> Flags:
    """Which values of the next feature to noise for one record, judged by what was released of it before.

    flag x_j where |log p(s | x_j, y_1 … y_{j−1}) − log p(s | y_1 … y_{j−1})| > ε for some s

    Judged by the raw x_1 … x_{j−1} instead, a feature that repeats an earlier one is never flagged, and goes out in
    clear after the earlier one was noised. joint p[s, x1, x2, …]; points[j] holds the numbers that the symbols of
    feature j stand for; released[j] is what was released of it: the number itself, or with noise of this deviation
    where it was flagged. O(|law|) for each feature. What it guarantees for each composes: guarantees.compose.

    >>> both = Joint(np.eye(10)[:, :, None] * np.eye(10)[:, None, :] / 10 * np.eye(10), axes=("s", "x1", "x2"))
    >>> flags_on_release(both, [range(10)] * 2, [41.7], .5, 30.).all()
    np.True_

    References: paper 003, Definition 2 and equation (14), with the released history.
    """
    belief = np.array(joint.p)
    features = belief.ndim - 1
    if not len(released) < features <= len(points):
        raise AxisError(
            "points for every feature, and releases of fewer features than there are",
            f"{features} features, points for {len(points)}, {len(released)} releases",
            "give p[s, x1, x2, …] with points[j] for x_j, and what was released so far",
        )
    for j, y in enumerate(released):
        place = _line(points[j], belief.shape[j + 1])
        likely = _likelihood(place, leaking(_about(belief, j), eps), float(y), deviation)
        belief *= likely.reshape([-1 if axis == j + 1 else 1 for axis in range(belief.ndim)])
        if not belief.sum() > 0:
            raise ParameterError(
                f"a release of feature {j} that this mechanism can make",
                f"{y}, which no symbol gives",
                "check the points, ε and the deviation against those it was released with",
            )
        belief /= belief.sum()
    return leaking(_about(belief, len(released)), eps)


def _about(belief: Array, j: int) -> Lift:
    """The lift of feature j in this belief."""
    others = tuple(axis for axis in range(1, belief.ndim) if axis != j + 1)
    return Joint(belief.sum(axis=others)).lift()


def _likelihood(place: Array, flags: Flags, y: float, deviation: float) -> Array:
    """How likely each symbol makes this release; a number that a clear symbol gives is a sure sign of it."""
    clear: Array = ((place == y) & ~flags).astype(np.float64)
    if clear.any() or not_negative("deviation", deviation) == 0:
        return clear if clear.any() else (place == y).astype(np.float64)
    exponent = np.where(flags, -(((y - place) / deviation) ** 2) / 2, -np.inf)
    most = exponent.max()
    return np.exp(exponent - most) if most > -np.inf else np.zeros_like(exponent)


def _line(points: ArrayLike, n: int) -> Array:
    held = np.asarray(points, dtype=np.float64)
    if held.shape != (n,) or not np.isfinite(held).all():
        raise AxisError(
            f"one finite number for each of {n} symbols", f"an array of shape {held.shape}", "see points[j]"
        )
    return held
