"""The game where X and Y are finite: the sanitiser is a table, the critic is a table, and every expectation is exact.

The loss of a critic is Σ_y p(y | x, s) ℓ(g(y), s), never ℓ of the mean belief: that is another game (E41).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from discreet.core.protocols import Array
from discreet.neural.constraints import Constraint, added
from discreet.neural.critics import log_posterior
from discreet.neural.framework import framework
from discreet.neural.loop import Game, Move
from discreet.neural.sanitisers import softmax


@dataclass(frozen=True, slots=True)
class Finite:
    """The rules of a finite game. `sharpened` scores the posterior to the power knobs["power"], for the MAP
    adversary.
    """

    sharpened: bool = False
    constraint: Constraint = "penalty"
    critic_steps: int = 5
    rates: tuple[float, float] = (0.1, 0.05)
    dual_rate: float = 0.5

    def game(self) -> Game:
        """The moves, the score and the multiplier."""
        return _game(self)


def start(distortion: Array, secrets: int, sees: bool, *, rng: np.random.Generator) -> dict[str, Any]:
    """Tables before training: mostly the cheapest symbol, and a critic that knows nothing.

    A row of the sanitiser has one number fewer than there are symbols: two numbers for a bit, four if the secret is
    seen.
    """
    n_x, n_y = distortion.shape
    table = rng.standard_normal((secrets if sees else 1, n_x, n_y - 1)) * 0.05 - 1.0
    critic = rng.standard_normal((n_y, secrets)) * 0.05
    return {
        "sanitiser": {"table": table.astype(np.float32)},
        "critic": {"table": critic.astype(np.float32)},
        "duals": np.zeros(1, dtype=np.float32),
    }


def masses(xp: Any, table: Any, distortion: Any) -> Any:
    """p(y | s, x)[s, x, y] of a table: the cheapest symbol of each x has logit 0, the others theirs, in order."""
    symbols, cheapest = xp.arange(distortion.shape[1])[None, :], xp.argmin(distortion, axis=1)[:, None]
    place = xp.clip(symbols - (symbols > cheapest), 0, table.shape[2] - 1)
    logits = xp.where(symbols == cheapest, 0.0, xp.take_along_axis(table, place[None], axis=2))
    return softmax(xp, logits.reshape(-1, logits.shape[2])).reshape(logits.shape)


def _figures(rule: Finite, own: Any, critic: Any, rows: Any, knobs: Any) -> tuple[Any, Any]:
    """What the critic gets, and the distortion; rows are the masses p(s, x), one row for each s."""
    xp, joint = framework().jax.numpy, rows[0]
    p = masses(xp, own["table"], knobs["distortion"])
    released = xp.einsum("sx,sxy->sy", joint, xp.broadcast_to(p, (joint.shape[0], *p.shape[1:])))
    read = log_posterior(xp, critic["table"]).T
    gain = released * (xp.exp(log_posterior(xp, knobs["power"] * read.T).T) if rule.sharpened else read)
    spent = xp.sum(joint[:, :, None] * p * knobs["distortion"][None])
    return xp.sum(gain), spent


@cache
def _game(rule: Finite) -> Game:
    trained = Finite(False, rule.constraint)

    def critic_loss(own: Any, others: Any, rows: Any, key: Any, knobs: Any) -> Any:
        del key
        return -_figures(trained, others["sanitiser"], own["critic"], rows, knobs)[0]

    def loss(own: Any, others: Any, rows: Any, key: Any, knobs: Any) -> Any:
        del key
        leak, spent = _figures(rule, own["sanitiser"], others["critic"], rows, knobs)
        xp, over = framework().jax.numpy, spent - knobs["budget"]
        return leak + added(xp, rule.constraint, over, others["duals"][0], knobs["weight"])

    def score(players: Any, rows: Any, key: Any, knobs: Any) -> Any:
        return loss(players, {**players, "duals": 0 * players["duals"]}, rows, key, knobs)

    def over(players: Any, rows: Any, key: Any, knobs: Any) -> Any:
        del key
        spent = _figures(rule, players["sanitiser"], players["critic"], rows, knobs)[1]
        return (spent - knobs["budget"])[None]

    moves = (
        Move(("critic",), critic_loss, rule.critic_steps, rule.rates[0]),
        Move(("sanitiser",), loss, 1, rule.rates[1]),
    )
    return Game(moves, score, over if rule.constraint == "lagrangian" else None, rule.dual_rate)
