"""Column generation: mix the columns of a pool, ask which column would help, add it, until a sound bound is met."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from discreet.core.protocols import Codes
from discreet.mechanisms.descent import add_by_descent
from discreet.mechanisms.finished import NOTHING
from discreet.mechanisms.posteriors import Mixture, Pool, mix
from discreet.mechanisms.pricing import add_best_pairs

ENOUGH, FINEST = 1e-8, 1e-11
"""The search ends when leak and bound are this near, in nats, or a hundredth of a small leak, down to the second."""

KEPT = 20
"""The program is solved over so many columns for each symbol, those of the least reduced cost. With half as many an
exact search may go round in circles, since what one round leaves out the next one finds again; descent is content with
half."""

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
class Proof:
    """What any release leaks beyond A, by weak duality: λ·p_X + Σ_a p(a) min c_a − β (H(X|A) − rate)."""

    at_no_rate: float
    beta: float

    def at(self, rate: float) -> float:
        """The lower bound at a rate."""
        return self.at_no_rate + self.beta * rate


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
        idle = idle + 1 if best is not None and not _helped(pool, best, mixture) else 0
        best, rounds, size = mixture, rounds + 1, len(pool)
        proof = _add_columns(pool, mixture, effort)
        effort.columns -= len(pool) - size
        if proof is not None:
            bound = max(bound, proof.at(mixture.rate))
        if mixture.leak <= enough or _met(mixture.leak, bound) or effort.spent:
            break
        if proof is None and (idle >= PATIENCE or len(pool) == size):
            break
        if proof is not None and len(pool) == size and active.size == size:
            break
        active = _active(pool, mixture)
    if best is None:
        return None
    return Found(best, bound, rounds, effort.spent and not _met(best.leak, bound))


def _met(leak: float, bound: float) -> bool:
    return leak - bound <= max(min(ENOUGH, 0.01 * leak), FINEST)


def _helped(pool: Pool, before: Mixture, after: Mixture) -> bool:
    gain = (before.leak - after.leak) + (after.rate - before.rate)
    share = min(after.rate / max(pool.split.entropy_x, NOTHING), 1.0)
    return gain > 2e-3 * before.leak + 2e-5 * share * pool.split.most_leak


def _add_columns(pool: Pool, mixture: Mixture, effort: Effort) -> Proof | None:
    """Add what would help; what the prices prove, where every column there is has been looked at."""
    prices, split, most = mixture.prices, pool.split, max(effort.columns, 0)
    if not split.binary:
        add_by_descent(pool, mixture, most, effort.rng)
        return None
    least = add_best_pairs(pool, prices, most)
    return Proof(float(prices.symbol @ split.p_x) + least - prices.beta * split.entropy_x, prices.beta)


def _active(pool: Pool, mixture: Mixture, new: int = 0) -> Codes:
    """The columns to mix next: those in use, the plain ones, the last so many, and the most promising."""
    reduced = pool.reduced(mixture.prices)
    reduced[mixture.columns] = -np.inf
    reduced[: pool.plain] = -np.inf
    reduced[len(pool) - new :] = -np.inf
    kept = KEPT if pool.split.binary else KEPT // 2
    most = min(len(pool), (kept + 1) * pool.split.p_x.size + new)
    return np.sort(np.argpartition(reduced, most - 1)[:most]) if most < len(pool) else np.arange(len(pool))
