"""The critic of the training game as an attacker: trained afresh, on the release, by a network that was not in it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from discreet.adversaries.attacker import Constant, Guesser, normal
from discreet.adversaries.coordinates import Look, as_released
from discreet.adversaries.desk import Desk, some_rows
from discreet.core.protocols import Array
from discreet.core.samples import Columns, Samples
from discreet.neural.fit import Critic, ObjectiveName, fit_critic


@dataclass(frozen=True, slots=True)
class CriticAttacker:
    """Several networks from different starts, side by side, whose mean is believed. Needs the extra `learn`.

    p̂(s | y) ∝ p(s) l̂(s, y),   l̂ the lift of the objective: log-loss, or a bound of the papers

    A sanitiser that fooled one critic seldom fools five that it never met.
    """

    name: str = "critics, five"
    objective: ObjectiveName = "log_loss"
    seeds: int = 5
    look: Look = as_released
    rows: int = 40_000

    def fit(self, release: Samples, *, rng: np.random.Generator) -> Guesser:
        """Train them on these records."""
        desk = Desk(release, rng)
        rows = some_rows(release.n, self.rows, rng)
        x = np.asarray(desk.view(self.look).learnt.linear[rows], dtype=np.float64)
        present, s = np.unique(release.s[rows], return_inverse=True)
        if present.size < 2 or not x.shape[1]:
            return Constant(release.shares)
        critic = fit_critic(x, s, present.size, self.objective, seeds=self.seeds, rng=rng)
        return Trained(critic, desk, self.look, tuple(int(k) for k in present))


@dataclass(frozen=True, slots=True)
class Trained:
    """Critics that have been trained."""

    critic: Critic
    desk: Desk
    look: Look
    present: tuple[int, ...]

    def beliefs(self, release: Columns) -> Array:
        """The posterior that their lift implies."""
        x = np.asarray(self.desk.see(self.look, release).linear, dtype=np.float64)
        held = np.zeros((release.n, self.desk.samples.size))
        held[:, list(self.present)] = self.critic.p_s * np.exp(np.minimum(self.critic.log_lift(x), 50.0))
        return normal(held)


def can_learn() -> bool:
    """Whether the extra `learn` is installed."""
    return find_spec("jax") is not None and find_spec("optax") is not None
