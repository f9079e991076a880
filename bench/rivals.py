"""Other ways to the same ends, plainly written, for the tests and the programs of this folder to compare with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TINY = 1e-300


def x_log_x(v: Array) -> Array:
    return v * np.log(np.maximum(v, TINY))


def told(p: Array, encoders: Array) -> Array:
    """I(S; Y) and I(X; Y) of encoders[run, x, y], one row for each run."""
    p_s, p_x = p.sum(axis=1), p.sum(axis=0)
    entropy = -x_log_x(p_x @ encoders).sum(axis=1)
    about_s = x_log_x(p @ encoders).sum(axis=(1, 2)) + entropy - x_log_x(p_s).sum()
    about_x = x_log_x(encoders).sum(axis=2) @ p_x + entropy
    return np.column_stack([about_s, about_x])


def mirror_descent(
    p: Array, betas: list[float], rng: np.random.Generator, *, starts: int, steps: int
) -> Array:
    """(leak, rate) where exponentiated gradient steps on I(S; Y) − β I(X; Y) end, from random starts, for each β.

    The law has no empty row or column.
    """
    p_s, p_x = p.sum(axis=1), p.sum(axis=0)
    given = (p / p_x).T
    n, points = p.shape[1], []
    for beta in betas:
        w = np.maximum(rng.dirichlet(np.full(n + 1, 0.3), size=(starts, n)), 1e-12)
        for _ in range(steps):
            w /= w.sum(axis=2, keepdims=True)
            log_y = np.log(np.maximum(p_x @ w, TINY))[:, None]
            log_lift = np.log(np.maximum(p @ w, TINY)) - log_y - np.log(p_s)[:, None]
            slope = given @ log_lift - beta * (np.log(w) - log_y)
            w = np.maximum(w * np.exp(-0.5 * np.clip(slope, -50, 50)), 1e-30)
        points.append(told(p, w / w.sum(axis=2, keepdims=True)))
    return np.vstack(points)


def least_at(points: Array, rate: float) -> float:
    """The least leak at a rate that time sharing reaches between (leak, rate) points and silence."""
    points = np.vstack([points, [0.0, 0.0]])
    enough = points[:, 1] >= rate - 1e-12
    high, low = points[enough], points[~enough]
    if len(high) == 0:
        return float("inf")
    best = float(high[:, 0].min())
    if len(low):
        share = (rate - low[:, 1]) / (high[:, None, 1] - low[:, 1])
        best = min(best, float((share * high[:, None, 0] + (1 - share) * low[:, 0]).min()))
    return best


def rescanned(p: Array, rate: float) -> list[list[int]]:
    """The greedy funnel with every pair looked at again after every merge, all pairs at once; the blocks."""
    columns, blocks = p.T.copy(), [[x] for x in range(p.shape[1])]
    while len(blocks) > 1:
        mass, inner = columns.sum(axis=1), x_log_x(columns).sum(axis=1)
        i, j = np.triu_indices(len(blocks), 1)
        told_x = x_log_x(mass)
        drop_x = x_log_x(mass[i] + mass[j]) - told_x[i] - told_x[j]
        drop_s = drop_x - (x_log_x(columns[i] + columns[j]).sum(axis=1) - inner[i] - inner[j])
        drop_s[-told_x.sum() - drop_x < rate - 1e-12] = -np.inf
        best = int(drop_s.argmax())
        if drop_s[best] == -np.inf:
            break
        a, b = int(i[best]), int(j[best])
        columns[a] += columns[b]
        blocks[a] = blocks[a] + blocks[b]
        columns = np.delete(columns, b, axis=0)
        del blocks[b]
    return blocks
