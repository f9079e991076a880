"""A smooth convex function over covariances of bounded trace, by Newton's steps inside a logarithmic barrier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from discreet.core.protocols import Array

GAP = 1e-11
"""The path is followed until the barrier's own gap, relative to nothing, is so small."""

STEPS = 60
"""At most so many Newton steps for each strength of the barrier; five or ten are usual."""


class Local(NamedTuple):
    """A function of a symmetric matrix at one point: value, gradient, and Hessian on the stacked entries."""

    value: float
    gradient: Array
    hessian: Array


class Least(NamedTuple):
    """A matrix, its value, and a sound lower bound on the function over the whole region."""

    matrix: Array
    value: float
    bound: float


def log_det(matrix: Array, through: Array | None = None) -> Local:
    """log det M with its derivatives M⁻¹ and −M⁻¹ ⊗ M⁻¹; `through` T reads them along M = K + T N Tᵀ."""
    inverse: Any = np.linalg.inv(matrix)
    seen = inverse if through is None else through.T @ inverse @ through
    seen = (seen + seen.T) / 2
    return Local(float(np.linalg.slogdet(matrix).logabsdet), seen, -np.kron(seen, seen))


def least(function: Callable[[Array], Local], trace: float, ceiling: Array) -> Least:
    """min f(M)  subject to  0 ⪯ M ⪯ C,  tr M ≤ trace, for a convex f and 0 < trace < tr C.

    With the gradient G at the last point and any μ ≥ 0, no M of the region has a value below
    f + tr(G(M′ − M)) ≥ f − tr(G M) − μ trace − Σ (eigenvalues of C^½ (−G − μ) C^½)₊: the bound holds however well the
    steps have converged. O(n⁶) for each of some 100 steps on n × n matrices, n up to about 30.
    """
    n = len(ceiling)
    point = ceiling * (trace / (2 * float(np.trace(ceiling))))
    strength, stages = 1.0, (2 * n + 1) / GAP
    while strength < stages:
        strength *= 10
        point = _centre(function, trace, ceiling, point, strength)
    here = function(point)
    bound = here.value - float(np.vdot(here.gradient, point)) - _most(-here.gradient, trace, ceiling)
    return Least(point, here.value, min(bound, here.value))


def _most(gain: Array, trace: float, ceiling: Array) -> float:
    """At least max tr(gain M) over the region: by its dual in μ, each value of which is enough."""
    from scipy.optimize import minimize_scalar

    value, vector = np.linalg.eigh(ceiling)
    half = (vector * np.sqrt(value)) @ vector.T

    def dual(price: float) -> float:
        pull = np.linalg.eigvalsh(half @ (gain - price * np.eye(len(gain))) @ half)
        return price * trace + float(pull[pull > 0].sum())

    top = max(float(np.linalg.eigvalsh(gain)[-1]), 0.0)
    found = minimize_scalar(dual, bounds=(0, top), method="bounded", options={"xatol": 1e-13 * top})
    return min(float(found.fun), dual(0.0), dual(top))


def _centre(
    function: Callable[[Array], Local], trace: float, ceiling: Array, point: Array, strength: float
) -> Array:
    """Newton's steps towards the least of strength · f − log det M − log det (C − M) − log (trace − tr M)."""
    n = len(point)
    eye = np.eye(n)

    def merit(at: Array) -> float:
        room = trace - float(np.trace(at))
        if room <= 0 or np.linalg.eigvalsh(at)[0] <= 0 or np.linalg.eigvalsh(ceiling - at)[0] <= 0:
            return np.inf
        walls = np.linalg.slogdet(at).logabsdet + np.linalg.slogdet(ceiling - at).logabsdet
        return strength * function(at).value - float(walls) - float(np.log(room))

    now = merit(point)
    for _ in range(STEPS):
        f, inner, outer = function(point), log_det(point), log_det(ceiling - point)
        room = trace - float(np.trace(point))
        gradient = strength * f.gradient - inner.gradient + outer.gradient + eye / room
        hessian = strength * f.hessian - inner.hessian - outer.hessian
        hessian = hessian + np.outer(eye.ravel(), eye.ravel()) / room**2
        try:
            step = -np.linalg.solve(hessian, gradient.ravel()).reshape(n, n)
        except np.linalg.LinAlgError:  # the walls are closer than numbers can tell
            break
        step = (step + step.T) / 2
        slope = float(np.vdot(gradient, step))
        size = 1.0
        while (then := merit(point + size * step)) > now + 0.1 * size * slope and size > 1e-10:
            size /= 2
        if -slope < 1e-10 or size <= 1e-10:
            break
        point, now = point + size * step, then
    return point
