"""Two hypotheses seen through one noisy measurement, of which one must stay hidden."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.core.protocols import Codes
from discreet.core.samples import Columns, Samples


class Hypotheses(NamedTuple):
    """Measurements with the hidden hypothesis as their secret, and the one that the receiver needs."""

    samples: Samples
    useful: Codes


def two_hypotheses(n: int, *, same: float = 0.5, mixing: int = 0, rng: np.random.Generator) -> Hypotheses:
    """S, U = ±1 are equal with probability `same`; X = A (S'², U'², S'U', S', U') with S' ~ N(S, 1), U' ~ N(U, 1).

    A is a random 5 × 5 matrix, the same for the same `mixing`. It can be inverted, so that whoever sees X sees S' and
    U'. Best guesses: .841345 of S, of U, and of U from U' alone where same = .5; for same = .8 it is .866549 for both,
    and S is guessed with .704807 from U' alone. Codes 0 and 1 are −1 and 1.

    >>> made = two_hypotheses(1000, rng=np.random.default_rng(0))
    >>> made.samples.n, len(made.samples.x), made.useful.max()
    (1000, 5, np.int64(1))

    References: paper 000, Section V-A and Fig. 4.
    """
    mix = np.random.default_rng(mixing).normal(size=(5, 5))
    s = rng.integers(0, 2, n)
    u = np.where(rng.random(n) < same, s, 1 - s)
    a, b = 2 * s - 1 + rng.normal(size=n), 2 * u - 1 + rng.normal(size=n)
    return Hypotheses(Samples(Columns.of_array(np.stack([a**2, b**2, a * b, a, b], axis=1) @ mix.T), s), u)
