"""Column generation: mix the columns of a pool, ask which column would help, add it, until a sound bound is met."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from discreet.core.protocols import Codes
from discreet.mechanisms.descent import add_by_descent
from discreet.mechanisms.posteriors import Mixture, Pool, mix
from discreet.mechanisms.pricing import add_best_pairs

ENOUGH = 2e-7
"""The search ends when leak and bound are this near, in nats."""

KEPT = 8
"""The program is solved over so many columns for each symbol, those of the least reduced cost."""

PATIENCE = 5
"""Where no bound can be met, the search ends after so many rounds that hardly helped."""


@dataclass
class Effort:
    """How much work is left: columns still to be found, and the clock if there is one."""

    columns: int
    seconds: float | None = None
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    started: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        late = self.seconds is not None and time.monotonic() - self.started > self.seconds
        return self.columns <= 0 or late


@dataclass(frozen=True, slots=True)
class Found:
    """The best mixture, a sound lower bound on the leak beyond A at its rate (0: none known), and how it ended."""

    mixture: Mixture
    bound: float
    rounds: int
    spent: bool


def search(
    pool: Pool,
    effort: Effort,
    *,
    rate: float | None = None,
    leak: float | None = None,
    enough: float = 0.0,
    after: Mixture | None = None,
    new: int = 0,
) -> Found | None:
    """The least leak beyond A at this rate, or the most rate at this leak; None where the solver fails at once.

    Every round costs one linear program and one search for columns; the bound holds whatever the program's accuracy,
    since it is made from the prices and a lower bound on the reduced cost of every column there is. It stops when
    the leak is `enough`. A search that goes on `after` a mixture keeps what was promising there and the pool's last
    `new` columns.
    """
    best: Mixture | None = None
    bound, rounds, idle = 0.0, 0, 0
    active = np.arange(len(pool)) if after is None else _active(pool, after, new)
    while True:
        mixture = mix(pool, active, rate=rate, leak=leak)
        if mixture is None:
            break
        idle = idle + 1 if best is not None and not _helped(best, mixture) else 0
        best, rounds, size = mixture, rounds + 1, len(pool)
        least = _add_columns(pool, mixture, effort)
        effort.columns -= len(pool) - size
        if least is not None:
            bound = max(bound, _bound(pool, mixture, least, mixture.rate))
        if mixture.leak <= max(enough, bound + ENOUGH) or effort.spent:
            break
        if least is None and (idle >= PATIENCE or len(pool) == size):
            break
        if least is not None and len(pool) == size and active.size == size:
            break
        active = _active(pool, mixture)
    if best is None:
        return None
    return Found(best, bound, rounds, effort.spent and best.leak - bound > ENOUGH)


def _helped(before: Mixture, after: Mixture) -> bool:
    gain = (before.leak - after.leak) + (after.rate - before.rate)
    return gain > 2e-3 * before.leak + 1e-7


def _add_columns(pool: Pool, mixture: Mixture, effort: Effort) -> float | None:
    """Add what would help; the mean over parts of a lower bound on the reduced cost, where there is one."""
    if pool.split.binary:
        return add_best_pairs(pool, mixture.prices, max(effort.columns, 0))
    add_by_descent(pool, mixture, max(effort.columns, 0), effort.rng)
    return None


def _bound(pool: Pool, mixture: Mixture, least: float, rate: float) -> float:
    """λ·p_X + Σ_a p(a) min c_a − β (H(X|A) − rate): what any release at this rate leaks beyond A, by weak duality."""
    prices, split = mixture.prices, pool.split
    return float(prices.symbol @ split.p_x) + least - prices.beta * (split.entropy_x - rate)


def _active(pool: Pool, mixture: Mixture, new: int = 0) -> Codes:
    """The columns to mix next: those in use, the plain ones, the last so many, and the most promising."""
    reduced = pool.reduced(mixture.prices)
    reduced[mixture.columns] = -np.inf
    reduced[: pool.plain] = -np.inf
    reduced[len(pool) - new :] = -np.inf
    most = min(len(pool), (KEPT + 1) * pool.split.p_x.size + new)
    return np.sort(np.argpartition(reduced, most - 1)[:most]) if most < len(pool) else np.arange(len(pool))
