"""What S and X have in common, and the law that is left once it is set aside.

The common part A is the finest function that can be read off S as well as off X: the connected parts of the cells with
mass. A release with I(A; Y) = 0 chooses freely within each part, and for the funnel that is no loss. For any Y,

    I(S;Y) = I(A;Y) + I(S;Y|A)   and   I(X;Y) = I(A;Y) + I(X;Y|A),

and what is known about each part can be told under any coupling of the parts, also one in which A stays hidden. So up
to the rate H(X|A) the funnel is solved part by part, with one rate row for all; beyond it every nat told costs one nat,
since I(S;Y) ≥ I(X;Y) − H(X|S) is reached by releasing X some of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import ParameterError
from discreet.core.joint import Joint
from discreet.core.protocols import Array, Codes
from discreet.mechanisms.finished import entropy_of

Mask: TypeAlias = NDArray[np.bool_]

MOST_SYMBOLS = 4_000
"""Up to so many symbols of X with mass: pairs of symbols are searched."""

NEGLIGIBLE = 1e-15
"""A symbol of no more mass than this is treated as one without; it cannot move leak or utility by 1e-13."""


@dataclass(frozen=True, slots=True)
class Part:
    """One value of the common part: its symbols (places among those with mass), its secrets, and its mass."""

    symbols: Codes
    secrets: Codes
    mass: float


@dataclass(frozen=True, slots=True)
class Split:
    """The law over symbols with mass: p(x), p(s | x), p(s | a) of the part that each symbol is in, and the parts.

    `symbols` are the places of the symbols on the axis of X. `entropy_x` is H(X|A), `entropy_a` is H(A), `hidden` is
    H(X|S), all in nats.
    """

    symbols: Codes
    p_x: Array
    given_x: Array
    prior: Array
    parts: tuple[Part, ...]
    entropy_x: float
    entropy_a: float
    hidden: float

    @property
    def most_leak(self) -> float:
        """I(S; X | A): what X tells about S beyond the common part."""
        return max(self.entropy_x - self.hidden, 0.0)

    @property
    def binary(self) -> bool:
        """Whether no part has more than two secrets, so that the search for columns is exact."""
        return all(part.secrets.size <= 2 for part in self.parts)


def split_law(joint: Joint) -> Split:
    """Split a law by the common part of S and X. O(|S||X|)."""
    lift = joint.lift()
    symbols = np.flatnonzero(lift.p_y > NEGLIGIBLE)
    if symbols.size > MOST_SYMBOLS:
        raise ParameterError(
            f"a design over up to {MOST_SYMBOLS:,} symbols of X",
            f"{symbols.size:,} symbols with mass",
            "group rare symbols first, or use greedy_funnel, which takes more",
        )
    p = joint.p[:, symbols]
    p = p[p.sum(axis=1) > 0]
    return split_masses(p / p.sum(), symbols)


def split_masses(p: Array, symbols: Codes) -> Split:
    """Split the masses p[s, x], all of whose rows and columns have some."""
    part_s, part_x = _connected(p > 0)
    p_x = p.sum(axis=0)
    count = int(part_x.max()) + 1
    mass: Array = np.bincount(part_x, p_x, minlength=count).astype(np.float64)
    prior = p.sum(axis=1)[:, None] * (part_s[:, None] == part_x) / mass[part_x]
    parts = tuple(
        Part(np.flatnonzero(part_x == a), np.flatnonzero(part_s == a), float(mass[a])) for a in range(count)
    )
    entropy_a = entropy_of(mass)
    hidden = entropy_of(p) - entropy_of(p.sum(axis=1))
    return Split(
        symbols, p_x, p / p_x, prior, parts, entropy_of(p_x) - entropy_a, entropy_a, max(hidden, 0.0)
    )


def _connected(occurs: Mask) -> tuple[Codes, Codes]:
    """Which connected part of the cells that occur each secret and each symbol is in."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_s, n_x = occurs.shape
    s, x = np.nonzero(occurs)
    graph = coo_array((np.ones(s.size), (s, x + n_s)), shape=(n_s + n_x, n_s + n_x))
    _, label = connected_components(graph, directed=False)
    label = np.unique(label, return_inverse=True)[1].astype(np.int64)
    return label[:n_s], label[n_s:]
