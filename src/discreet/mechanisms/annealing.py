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
LOWEST = -690.0
"""log of as little as is told from nothing."""

FAINT = 1e-280
"""Where all outputs weigh less than this they are weighed against the heaviest."""

FURTHEST = 1e3
"""So many steps are leapt over at most."""

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
    """Alternate until each run's objective falls by no more than a share of `tolerance`, or so many steps.

    After two steps a third starts further along the way that they have taken (squared extrapolation), and is kept if
    the objective is lower there. O(steps · runs · |X||Y||S|).
    """
    law = _Law.of(p)
    ended = np.empty_like(encoders)
    moving, at = np.arange(beta.size), law.logs(encoders, 1.0)
    for _ in range(max(steps // 3, 1)):
        first, before = law.alternated(at, beta[moving])
        second, after = law.alternated(first, beta[moving])
        third, further = law.alternated(_extrapolated(at, first, second), beta[moving])
        ahead = further <= after
        at = np.where(ahead[:, None, None], third, second)
        falls = before - np.minimum(after, further) > tolerance * np.maximum(np.abs(after), 1)
        if not falls.all():
            ended[moving[~falls]] = law.encoders(at[~falls], beta[moving[~falls]])
            moving, at = moving[falls], at[falls]
            if moving.size == 0:
                break
    if moving.size:
        ended[moving] = law.encoders(at, beta[moving])
    return Runs(ended, beta, *told(p, ended))


@dataclass(frozen=True, slots=True)
class _Law:
    """p(s, x) and p(x) in one table; and p(s|x), 1 and H(S|x), whose product with a run's logs is its score."""

    p: Array
    given: Array

    @classmethod
    def of(cls, p: Array) -> _Law:
        p_x = p.sum(axis=0)
        given = p / p_x
        return cls(np.vstack([p, p_x]), np.vstack([given, np.ones_like(p_x), -_x_log_x(given).sum(axis=0)]))

    def logs(self, weights: Array, total: Array | float) -> Array:
        """log p(s|y), and in the last row log p(y), of each run."""
        made: Array = np.log(np.maximum((self.p / total) @ weights, TINY))
        made[:, :-1] -= made[:, -1:]
        return made

    def alternated(self, logs: Array, beta: Array) -> tuple[Array, Array]:
        """The logs of the best encoders for these, and the objective up to a constant."""
        weights, total, raised = self._weights(logs, beta)
        return self.logs(weights, total[:, None, :]), -((np.log(total) + raised) @ self.p[-1])

    def encoders(self, logs: Array, beta: Array) -> Array:
        """The best encoders for these p(y) and p(s|y)."""
        weights, total, _ = self._weights(logs, beta)
        made: Array = weights / total[:, :, None]
        return made

    def _weights(self, logs: Array, beta: Array) -> tuple[Array, Array, Array | float]:
        """p(y) exp(−β D(p(s|x) ‖ p(s|y))), its sum over y, and by how much its log was lowered."""
        scaled = np.concatenate([logs * beta[:, None, None], np.zeros_like(logs[:, :1])], axis=1)
        scaled[:, -2], scaled[:, -1] = logs[:, -1], beta[:, None]
        weights = self.given.T @ scaled
        with np.errstate(over="ignore"):
            np.exp(weights, out=weights)
            total = weights.sum(axis=2)
        if total.min() > FAINT and np.isfinite(total.max()):
            return weights, total, 0.0
        weights = self.given.T @ scaled
        top = weights.max(axis=2)
        weights -= top[:, :, None]
        np.exp(weights, out=weights)
        return weights, weights.sum(axis=2), top


def _extrapolated(at: Array, first: Array, second: Array) -> Array:
    """Where two steps lead when the second is the first, shortened or lengthened: further the straighter they are."""
    step, bend = first - at, second - 2 * first + at
    weight = np.exp(first[:, -1:])
    weight = np.concatenate([weight * np.exp(first[:, :-1]), weight], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        length = np.sqrt((weight * step**2).sum(axis=(1, 2)) / (weight * bend**2).sum(axis=(1, 2)))
    length = np.clip(np.nan_to_num(length, nan=1.0), 1.0, FURTHEST)[:, None, None]
    made: Array = at + 2 * length * step + length**2 * bend
    np.clip(made, LOWEST, 0, out=made)
    made[:, -1] -= np.log(np.exp(made[:, -1]).sum(axis=1, keepdims=True))
    made[:, :-1] -= np.log(np.exp(made[:, :-1]).sum(axis=1, keepdims=True))
    return made


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
    return as_laws(stacked(made), p.sum(axis=0))


def stacked(encoders: list[Array]) -> Array:
    """Encoders as one array, with symbols added to the smaller ones that they do not use."""
    whole = np.zeros((len(encoders), len(encoders[0]), max(encoder.shape[1] for encoder in encoders)))
    for run, encoder in zip(whole, encoders, strict=True):
        run[:, : encoder.shape[1]] = encoder
    return whole


def as_laws(encoders: Array, p_x: Array) -> Array:
    """Rows that sum to one; a symbol so light that its output is gone is released as if it had not been seen."""
    blind = (p_x @ encoders)[..., None, :]
    total = encoders.sum(axis=-1, keepdims=True)
    made: Array = np.where(total > 0, encoders, blind)
    made /= made.sum(axis=-1, keepdims=True)
    return made


def _x_log_x(v: Array) -> Array:
    made: Array = v * np.log(np.maximum(v, TINY))
    return made
