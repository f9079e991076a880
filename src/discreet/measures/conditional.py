"""What each further column tells, given the columns before it."""

from __future__ import annotations

import numpy as np

from discreet.core.errors import AxisError
from discreet.core.joint import Joint
from discreet.core.protocols import Array


def conditional_density(joint: Joint) -> tuple[Array, ...]:
    """i(s; x_j | x_1 … x_{j−1}) for each column j, as arrays over (s, x_1 … x_j).

    i = log p(s, x_1 … x_j) p(x_1 … x_{j−1}) / ( p(s, x_1 … x_{j−1}) p(x_1 … x_j) )

    Along one record they add up to i(s; x_1 … x_m). −inf where the secret becomes impossible with column j; 0 where it
    already was, or where the columns cannot occur. O(cells).

    >>> xor = Joint([[[.25, 0], [0, .25]], [[0, .25], [.25, 0]]], axes=("s", "x1", "x2"))
    >>> first, second = conditional_density(xor)
    >>> first.round(3).tolist(), second[0].round(3).tolist()
    ([[0.0, 0.0], [0.0, 0.0]], [[0.693, -inf], [-inf, 0.693]])

    References: paper 003, Definition 2 and equation (17).
    """
    columns = joint.p.ndim - 1
    if columns < 1:
        raise AxisError(
            "a law over the secret and its columns",
            f"axes {', '.join(joint.names)}",
            "give p[s, x1, …]",
        )
    found, before = [], joint.p.sum(axis=tuple(range(1, columns + 1)))
    for j in range(1, columns + 1):
        now = joint.p.sum(axis=tuple(range(j + 1, columns + 1)))
        possible = (before > 0)[..., None] & (now.sum(axis=0) > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            # p(s | x_1 … x_j) over p(s | x_1 … x_{j−1}): ratios of like masses, so that rare records stay finite
            density = np.log(now / now.sum(axis=0)) - np.log(before / before.sum(axis=0))[..., None]
        found.append(np.where(possible, density, 0.0))
        before = now
    return tuple(found)
