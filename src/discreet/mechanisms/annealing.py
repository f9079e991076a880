"""Alternating iteration for the information bottleneck, cooled down from X itself, many runs at once.

    p(y|x) ∝ p(y) exp(−β D(p(s|x) ‖ p(s|y))),   p(y), p(s|y) from p(y|x)

never raises I(X;Y) − β I(S;Y). Started with every symbol told apart and led from large β to small, symbols melt
together one after another; each level begins where the last one ended.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.core.protocols import Array

TINY = 1e-300
UNUSED = 1e-10

ALIKE = 4
"""Outputs whose p(s|y) agree to so many digits are one: at smaller β they will not come apart."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Encoders p(y|x) [run, x, y], the β of each, and what they tell about S and about X."""

    encoders: Array
    beta: Array
    about_s: Array
    about_x: Array


def iterate(p: Array, encoders: Array, beta: Array, steps: int, tolerance: float) -> Runs:
    """Alternate until no run's objective falls by more than a share of `tolerance`, or so many steps.

    O(steps · runs · |X||Y||S|).
    """
    p_x = p.sum(axis=0)
    given_x = p / p_x
    before = np.full(beta.size, np.inf)
    for _ in range(steps):
        p_y = p_x @ encoders
        log_y = np.log(np.maximum(p_y, TINY))[:, None]
        log_s = np.log(np.maximum(p @ encoders, TINY)) - log_y
        score = given_x.T @ log_s
        score *= beta[:, None, None]
        score += log_y
        top = score.max(axis=2, keepdims=True)
        encoders = np.exp(score - top)
        total = encoders.sum(axis=2, keepdims=True)
        encoders /= total
        objective = -((np.log(total) + top)[:, :, 0] @ p_x)
        if (before - objective <= tolerance * np.maximum(np.abs(objective), 1)).all():
            break
        before = objective
    return Runs(encoders, beta, *told(p, encoders))


def told(p: Array, encoders: Array) -> tuple[Array, Array]:
    """I(S;Y) and I(X;Y) of each encoder."""
    p_x, p_s = p.sum(axis=0), p.sum(axis=1)
    entropy_y = -_x_log_x(p_x @ encoders).sum(axis=1)
    about_x = _x_log_x(encoders).sum(axis=2) @ p_x + entropy_y
    about_s = _x_log_x(p @ encoders).sum(axis=(1, 2)) + entropy_y - _x_log_x(p_s).sum()
    return np.maximum(about_s, 0), np.maximum(about_x, 0)


def cooled(p: Array, start: Array, betas: Array, steps: int, tolerance: float) -> list[Runs]:
    """The runs at every β, from the largest, each level begun where the last one ended."""
    levels, encoders = [], start
    for beta in betas:
        runs = iterate(p, encoders, np.full(len(encoders), beta), steps, tolerance)
        levels.append(runs)
        encoders = melted(p, runs.encoders)
    return levels


def melted(p: Array, encoders: Array) -> Array:
    """The encoders with outputs that tell the same about S put together, and without those that are not used."""
    p_y = p.sum(axis=0) @ encoders
    given = (p @ encoders / np.maximum(p_y, TINY)[:, None]).round(ALIKE)
    made = []
    for encoder, mass, centre in zip(encoders, p_y, given, strict=True):
        used = mass > UNUSED
        _, place = np.unique(centre[:, used], axis=1, return_inverse=True)
        place = place.reshape(-1)
        made.append(encoder[:, used] @ np.eye(int(place.max()) + 1)[place])
    width = max(encoder.shape[1] for encoder in made)
    whole = np.stack([np.pad(encoder, ((0, 0), (0, width - encoder.shape[1]))) for encoder in made])
    whole /= whole.sum(axis=2, keepdims=True)
    return whole


def _x_log_x(v: Array) -> Array:
    made: Array = v * np.log(np.maximum(v, TINY))
    return made
