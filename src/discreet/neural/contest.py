"""The one game: a sanitiser and perhaps a decoder against critics, for a budget.

min over sanitiser and decoder of   aim + constraint(other − budget),   critics at their best

`aim` is the leak and `other` the loss of utility (paper 004), or the other way round (paper 000, Bertran).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from discreet.neural.constraints import Constraint, added
from discreet.neural.critics import OBJECTIVES, kernel_mmd, log_posterior, numeric_squared
from discreet.neural.framework import framework
from discreet.neural.loop import Game, Move
from discreet.neural.networks import Activation, initial_mlp, mlp, named, part, standardised
from discreet.neural.sanitisers import Sanitiser
from discreet.neural.senses import Knots, finer, finer_width


@dataclass(frozen=True, slots=True)
class Utility:
    """What the receiver loses: a distortion of each group of columns, or what a decoder fails to read of U.

    "none"        nothing is lost but what the sanitiser's own budget allows
    "distortion"  Σ over groups of weight · (|y − x| of a number, or the share of a category that changed)
    "decoder"     −E log p̂(u | y), the decoder a network with these hidden layers
    """

    kind: Literal["none", "distortion", "decoder"] = "none"
    numbers: tuple[float, ...] = ()
    categories: tuple[tuple[int, float], ...] = ()
    hidden: tuple[int, ...] = (64, 64)


@dataclass(frozen=True, slots=True)
class Contest:
    """The rules of a game; its fields are plain, so that equal contests share one compiled program.

    `critics` are the hidden layers of each critic; all are trained on `objective`, a row of `critics.OBJECTIVES`, or
    "numeric_squared" for a secret s[i, 0] that is a standardised number (then `secrets` is 1). The sanitiser makes
    small the mean of their objectives, or with `sharpened` how often a guess from the posterior to the power
    knobs["power"] is right, which is the MAP adversary's share as the power grows. "kernel_mmd" needs no critic.
    `alpha` is that of "alpha_loss". `limits` are the least and the largest number of each first column that may be
    released: what lies beyond is moved to them, in training as when it is applied. `knots` are those of the tents that
    critics see beside these columns. `shrink` times the squares of the critics' first layers is taken from what critics
    make large: few records then keep them near straight ones, which learn less of the records by heart.
    """

    sanitiser: Sanitiser
    objective: str = "log_loss"
    alpha: float = 2.0
    critics: tuple[tuple[int, ...], ...] = ((64, 64),)
    activation: Activation = "elu"
    sharpened: bool = False
    utility: Utility = Utility()
    aim: Literal["leak", "loss"] = "leak"
    constraint: Constraint = "penalty"
    critic_steps: int = 3
    rates: tuple[float, float] = (3e-3, 1e-3)
    dual_rate: float = 0.02
    limits: tuple[tuple[float, float], ...] = ()
    knots: Knots = ()
    shrink: float = 0.0

    def start(self, width: int, secrets: int, useful: int = 0, *, rng: np.random.Generator) -> dict[str, Any]:
        """The players of one run before training: `width` features released, so many secrets and useful values."""
        players: dict[str, Any] = {"sanitiser": self.sanitiser.start(rng), "decoder": {}}
        players["critic"] = self.fresh(width, secrets, rng=rng)
        if self.utility.kind == "decoder":
            players["decoder"] = initial_mlp((width, *self.utility.hidden, useful), rng=rng)
        players["duals"] = np.zeros(1, dtype=np.float32)
        return players

    def fresh(self, width: int, secrets: int, *, rng: np.random.Generator) -> dict[str, Any]:
        """Critics before training."""
        inside = finer_width(width, self.knots)
        made: dict[str, Any] = {}
        for which, hidden in enumerate(self.critics):
            made |= named(initial_mlp((inside, *hidden, secrets), rng=rng), f"c{which}")
        return made

    def scores(self, xp: Any, critics: Any, y: Any) -> list[Any]:
        """Each critic's scores of what was released."""
        y = standardised(xp, finer(xp, y, self.knots))
        return [mlp(xp, part(critics, f"c{which}"), y, self.activation) for which in range(len(self.critics))]

    def game(self) -> Game:
        """The moves, the score and the multipliers."""
        return _game(self)


@cache
def _game(contest: Contest) -> Game:
    learners: tuple[str, ...] = ("critic",) if contest.objective != "kernel_mmd" else ()
    learners += ("decoder",) if contest.utility.kind == "decoder" else ()
    taught = Move(learners, _critic_loss(contest), contest.critic_steps, contest.rates[0])
    moves = [taught] if learners else []
    moves.append(Move(("sanitiser",), _sanitiser_loss(contest), 1, contest.rates[1]))
    lagrangian = contest.constraint == "lagrangian"
    return Game(
        tuple(moves),
        _score(contest),
        _over(contest) if lagrangian else None,
        contest.dual_rate if lagrangian else 0.0,
    )


def _released(contest: Contest, own: Any, rows: Any, key: Any, knobs: Any) -> Any:
    jax, _ = framework()
    of_normals, of_uniforms = jax.random.split(key)
    wanted, n = contest.sanitiser.noise, len(rows[0])
    drawn = (
        jax.random.normal(of_normals, (n, wanted.normals)),
        jax.random.uniform(of_uniforms, (n, wanted.uniforms)),
    )
    y, mean = contest.sanitiser.release(jax.numpy, own, rows[0], rows[1], drawn, knobs)
    return _within(jax.numpy, contest, y), _within(jax.numpy, contest, mean)


def _within(xp: Any, contest: Contest, y: Any) -> Any:
    if not contest.limits:
        return y
    low, high = np.array(contest.limits, dtype=np.float32).T
    return xp.concatenate([xp.clip(y[:, : len(low)], low, high), y[:, len(low) :]], axis=1)


def _bounds(contest: Contest, critics: Any, y: Any, s: Any, knobs: Any) -> list[Any]:
    """The objective of each critic."""
    xp, found = framework().jax.numpy, {**OBJECTIVES, "numeric_squared": numeric_squared}[contest.objective]
    given = {"alpha": contest.alpha} if contest.objective == "alpha_loss" else {}
    return [found(xp, g, s, knobs["p_s"], **given) for g in contest.scores(xp, critics, y)]


def _leak(contest: Contest, critics: Any, y: Any, s: Any, knobs: Any) -> Any:
    """What the sanitiser makes small, the mean over the critics."""
    xp = framework().jax.numpy
    if contest.objective == "kernel_mmd":
        return kernel_mmd(xp, standardised(xp, y), s, knobs["p_s"])
    if not contest.sharpened:
        return sum(_bounds(contest, critics, y, s, knobs)) / len(contest.critics)
    scores = contest.scores(xp, critics, y)
    sharp = [log_posterior(xp, knobs["power"] * log_posterior(xp, g)) for g in scores]
    return sum(xp.mean(xp.exp(xp.sum(s * one, axis=-1))) for one in sharp) / len(scores)


def _lost(contest: Contest, decoder: Any, rows: Any, y: Any, mean: Any) -> Any:
    """The loss of utility; a distortion is counted on the mean over the draws of categories."""
    xp, rule = framework().jax.numpy, contest.utility
    if rule.kind == "none":
        return xp.zeros(())
    if rule.kind == "decoder":
        read = log_posterior(xp, mlp(xp, decoder, standardised(xp, y), "elu"))
        return -xp.mean(xp.sum(rows[2] * read, axis=-1))
    count = len(rule.numbers)
    lost = xp.abs(mean[:, :count] - rows[0][:, :count]) @ xp.asarray(rule.numbers, dtype=np.float32)
    at = count
    for size, weight in rule.categories:
        kept = xp.sum(mean[:, at : at + size] * rows[0][:, at : at + size], axis=1)
        lost, at = lost + weight * (1 - kept), at + size
    return xp.mean(lost)


def _told(contest: Contest, critics: Any, y: Any, s: Any, knobs: Any) -> Any:
    """What the critics make large."""
    xp, told = framework().jax.numpy, sum(_bounds(contest, critics, y, s, knobs))
    if not contest.shrink:
        return told
    first = [held for name, held in critics.items() if name.endswith(".w0")]
    return told - contest.shrink * sum(xp.sum(held**2) for held in first)


def _critic_loss(contest: Contest) -> Any:
    def loss(own: Any, others: Any, rows: Any, key: Any, knobs: Any) -> Any:
        y, mean = _released(contest, others["sanitiser"], rows, key, knobs)
        told = _told(contest, own["critic"], y, rows[1], knobs) if "critic" in own else 0.0
        return (_lost(contest, own["decoder"], rows, y, mean) if "decoder" in own else 0.0) - told

    return loss


def _figures(contest: Contest, own: Any, others: Any, rows: Any, key: Any, knobs: Any) -> tuple[Any, Any]:
    """The leak and the loss of a sanitiser against critics and decoder as they stand."""
    y, mean = _released(contest, own, rows, key, knobs)
    leak = _leak(contest, others["critic"], y, rows[1], knobs)
    return leak, _lost(contest, others["decoder"], rows, y, mean)


def _sanitiser_loss(contest: Contest) -> Any:
    def loss(own: Any, others: Any, rows: Any, key: Any, knobs: Any) -> Any:
        xp = framework().jax.numpy
        leak, lost = _figures(contest, own["sanitiser"], others, rows, key, knobs)
        if contest.utility.kind == "none":
            return leak
        aim, other = (leak, lost) if contest.aim == "leak" else (lost, leak)
        over = other - knobs["budget"]
        return aim + added(xp, contest.constraint, over, others["duals"][0], knobs["weight"])

    return loss


def _score(contest: Contest) -> Any:
    whole = _sanitiser_loss(contest)

    def score(players: Any, rows: Any, key: Any, knobs: Any) -> Any:
        return whole(players, {**players, "duals": 0 * players["duals"]}, rows, key, knobs)

    return score


def _over(contest: Contest) -> Any:
    """How far the budget is exceeded, in budgets, bent to ±1: a multiplier that rose while much was told comes down as
    fast, before everything is lost.
    """

    def over(players: Any, rows: Any, key: Any, knobs: Any) -> Any:
        leak, lost = _figures(contest, players["sanitiser"], players, rows, key, knobs)
        other = lost if contest.aim == "leak" else leak
        return framework().jax.numpy.tanh(other / knobs["budget"] - 1)[None]

    return over


def against(contest: Contest, critics: tuple[tuple[int, ...], ...] = ((64, 64),)) -> Contest:
    """The contest of critics of log-loss with the sanitiser as it stands."""
    return Contest(
        contest.sanitiser,
        critics=critics,
        activation=contest.activation,
        limits=contest.limits,
        knots=contest.knots,
        shrink=contest.shrink,
    )


@cache
def attack(judging: Contest) -> Game:
    """A game whose critics alone are trained, on fresh noise.

    Its score is −(E log p̂(s | y) + H(S)) on held-out rows: minus a lower bound of what is told, up to sampling.
    """

    def score(players: Any, rows: Any, key: Any, knobs: Any) -> Any:
        leak, _ = _figures(judging, players["sanitiser"], players, rows, key, knobs)
        return -leak

    return Game((Move(("critic",), _critic_loss(judging), 1, 3e-3),), score)
