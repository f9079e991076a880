"""The additive schemes for two normal laws: which of them a distortion allows, and which of these leaks least."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from discreet.core.protocols import Array
from discreet.mechanisms import zoom
from discreet.mechanisms.two_normals import Prior, guess, information, saturated

CLOSE = 1e-9
"""A guess so little above the prior is as good as none, and leaves the choice to mutual information."""

ROUNDING = 1e-12
"""A budget exceeded by so little, relative to it, is kept."""


SMALLEST = 1e-9
"""A gap is measured in itself, or in this share of a deviation if it is smaller still."""


class Scheme(NamedTuple):
    """How much closer the means come in all, and the variance of the noise for each secret."""

    closer: Any
    noise0: Any
    noise1: Any


@dataclass(frozen=True, slots=True)
class Task:
    """Two laws `gap` apart, and a budget. Coming closer by β costs p0 p1 β² at least: the rarer law then moves more."""

    prior: Prior
    gap: float
    v0: float
    v1: float
    budget: float
    leakage: str = "guessing_probability"

    @property
    def price(self) -> float:
        """The distortion of coming closer by 1."""
        return self.prior.p0 * self.prior.p1

    @property
    def reach(self) -> float:
        """How much closer the budget allows, and the gap."""
        return min(math.sqrt(self.budget / self.price), self.gap)

    @property
    def alike_at(self) -> float:
        """The distortion that makes both laws one: means together, noise for the narrower."""
        narrower = self.prior.p0 if self.v0 < self.v1 else self.prior.p1
        return self.price * self.gap**2 + narrower * abs(self.v0 - self.v1)

    def pair(self, scheme: Scheme) -> tuple[Array, Array, Array]:
        """The distance and the variances of what is released."""
        d, v0, v1 = self.gap - scheme.closer, self.v0 + scheme.noise0, self.v1 + scheme.noise1
        together: tuple[Array, Array, Array] = np.broadcast_arrays(np.maximum(d, 0.0), v0, v1)  # type: ignore[assignment]
        return together


def _noise(task: Task) -> Scheme:
    return Scheme(0.0, task.budget, task.budget)


def _shift(task: Task) -> Scheme:
    return Scheme(task.reach, 0.0, 0.0)


def _shift_and_noise(task: Task) -> Scheme:
    def scheme(at: Array) -> Scheme:
        closer = at[..., 0] * task.reach
        rest = np.maximum(task.budget - task.price * closer**2, 0)
        return Scheme(closer, rest, rest)

    if task.v0 != task.v1:
        return _search(task, scheme, 1)
    closer = min((task.budget + task.v0) / (task.gap * task.price), task.reach) if task.gap else 0.0
    rest = 0.0 if closer == task.gap else max(task.budget - task.price * closer**2, 0.0)
    return Scheme(closer, rest, rest)


def _additive(task: Task) -> Scheme:
    if task.budget >= task.alike_at:
        return Scheme(task.gap, max(task.v1 - task.v0, 0.0), max(task.v0 - task.v1, 0.0))

    def scheme(at: Array) -> Scheme:
        closer = at[..., 0] * task.reach
        rest = np.maximum(task.budget - task.price * closer**2, 0)
        return Scheme(closer, at[..., 1] * rest / task.prior.p0, (1 - at[..., 1]) * rest / task.prior.p1)

    return _search(task, scheme, 2)


FAMILIES: dict[str, Callable[[Task], Scheme]] = {
    "noise": _noise,
    "shift": _shift,
    "shift_and_noise": _shift_and_noise,
    "additive": _additive,
}


def _search(task: Task, scheme: Callable[[Array], Scheme], sides: int) -> Scheme:
    """The scheme with the least leak; of those whose guess is no better than the prior, the one that tells least."""

    def told(at: Array) -> Array:
        return information(task.prior, *task.pair(scheme(at)))

    def guessed(at: Array) -> Array:
        return guess(task.prior, *task.pair(scheme(at)))

    if task.leakage == "mutual_information":
        return scheme(zoom.least(told, sides).at)
    best = zoom.least(guessed, sides)
    most = task.prior.larger + CLOSE
    if best.value > most:
        return scheme(best.at)
    quiet = zoom.least(lambda at: np.where(guessed(at) <= most, told(at), np.inf), sides)
    start = scheme(quiet.at if quiet.value <= float(told(best.at)) else best.at)
    return start if sides == 1 else _quieter(task, start)


def _quieter(task: Task, start: Scheme) -> Scheme:
    """From a scheme that saturates the guess to less information, along the borders of the budget and of saturation."""
    from scipy.optimize import minimize

    gap = max(task.gap, SMALLEST * math.sqrt(max(task.v0, task.v1)))
    scale = np.array([gap, task.budget / task.prior.p0, task.budget / task.prior.p1])

    def scheme(x: Array) -> Scheme:
        return Scheme(*(x * scale))

    def left(x: Array) -> float:
        spent = task.prior.p0 * x[1] * scale[1] + task.prior.p1 * x[2] * scale[2]
        return float(1 - (task.price * (x[0] * scale[0]) ** 2 + spent) / task.budget)

    def room(x: Array) -> float:
        d, v0, v1 = task.pair(scheme(x))
        return float(saturated(task.prior, d, v0, v1)) / gap**2

    found = minimize(
        lambda x: float(information(task.prior, *task.pair(scheme(x)))),
        np.array(start) / scale,
        bounds=[(0, 1)] * 3,
        constraints=[{"type": "ineq", "fun": left}, {"type": "ineq", "fun": room}],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 200},
    )
    then = scheme(np.clip(found.x, 0, 1))
    told, before = (float(information(task.prior, *task.pair(one))) for one in (then, start))
    guessed = float(guess(task.prior, *task.pair(then)))
    better = told < before and left(found.x) >= -ROUNDING and guessed <= task.prior.larger + CLOSE
    return then if better else start
