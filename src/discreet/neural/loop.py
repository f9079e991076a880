"""One training loop for every game: players move in turn, many runs side by side, in pieces that can be taken up
again.

A round is: every move of the game in turn, each a number of Adam steps with cosine decay on a fresh minibatch, then
the multipliers. Rounds are scanned in pieces, runs (budgets, seeds) are mapped, each piece is one compiled call.
Between pieces the held-out score is looked at, the state is written down, and the caller is told how long it will
take.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from discreet.core.errors import LawError, ParameterError
from discreet.core.protocols import Array
from discreet.neural.framework import compiled, framework

HELD_OUT = 2**32 - 1
"""The noise that held-out rows are scored with: no round has this number."""

Players = Mapping[str, Any]
"""The arrays of every player by the player's name."""


class Move(NamedTuple):
    """Whose turn it is, what they make small, how many steps they take, and how long these are at first.

    loss(own, others, batch, key, knobs) is a number; `others` holds all players, these included, as they stand.
    """

    players: tuple[str, ...]
    loss: Callable[..., Any]
    steps: int = 1
    rate: float = 1e-3


class Game(NamedTuple):
    """Who moves, in order; how far each budget is exceeded (violation); and the score on held-out rows, small is
    good.

    violation(players, batch, key, knobs) is an array, one number a budget: its multipliers λ, in players["duals"], go
    up by `dual_rate` times it and never below zero. score(players, held_out, key, knobs) is a number.
    """

    moves: tuple[Move, ...]
    score: Callable[..., Any]
    violation: Callable[..., Any] | None = None
    dual_rate: float = 0.0


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long to train: rounds in pieces; the best piece by held-out score or the last; patience counts pieces."""

    rounds: int = 1000
    pieces: int = 10
    batch: int = 512
    keep: str = "last"
    patience: int | None = None
    floor: float = 0.02

    def __post_init__(self) -> None:
        if min(self.rounds, self.pieces, self.batch) < 1 or self.keep not in ("last", "best"):
            raise ParameterError(
                "rounds, pieces and a batch of 1 or more, and keep='last' or 'best'",
                f"{self}",
                "correct the schedule",
            )

    @property
    def length(self) -> int:
        """The rounds of a piece."""
        return -(-self.rounds // self.pieces)


class Step(NamedTuple):
    """How far the training is: pieces done and in all, the seconds that are left, and the score of each run."""

    done: int
    total: int
    left: float
    score: Array


class Trained(NamedTuple):
    """The players of each run (axis 0), the score of the kept ones, and every piece's scores, scores[piece, run]."""

    players: dict[str, Any]
    score: Array
    history: Array

    @property
    def settled(self) -> Array:
        """Whether each run's score had come to rest: its last quarter moved by a tenth of its whole range at most."""
        seen = self.history
        tail = seen[-max(2, len(seen) // 4) :]
        span = np.maximum(np.ptp(seen, axis=0), 1e-9)
        rest: Array = np.isfinite(seen).all(axis=0) & (np.ptp(tail, axis=0) <= np.maximum(0.1 * span, 1e-2))
        return rest


def train(
    game: Game,
    start: Players,
    data: tuple[Any, ...],
    held_out: tuple[Any, ...],
    *,
    knobs: Mapping[str, Any],
    schedule: Schedule,
    seed: int,
    progress: Callable[[Step], None] | None = None,
    resume: Path | None = None,
) -> Trained:
    """Play the game from `start`; axis 0 of every array of `start` and `knobs` is the run.

    All runs see the same minibatches and the same noise, which makes neighbours on a frontier comparable. The same
    seed gives the same players on one machine. With `resume`, the state is written there after each piece,
    atomically, and training that was killed goes on from it to the same players; a file of another training is
    refused.
    """
    jax, _ = framework()
    _check(data, held_out)
    rows = tuple(jax.numpy.asarray(part) for part in data)
    kept = tuple(jax.numpy.asarray(part) for part in held_out)
    knobs = {name: jax.numpy.asarray(value, dtype=np.float32) for name, value in knobs.items()}
    piece = _piece(game, schedule, len(data[0]))
    state = jax.vmap(_begun(game, schedule))(jax.tree.map(jax.numpy.asarray, dict(start)))
    mark = _mark(schedule, seed, start, knobs, data)
    state, history = _taken_up(jax, resume, mark, state)
    began, first = time.monotonic(), len(history)
    for number in range(first, schedule.pieces):
        state, score = piece(state, rows, kept, jax.random.key(seed), knobs, number)
        history.append(np.asarray(score, dtype=np.float64))
        if resume is not None:
            _write(jax, resume, mark, state, history)
        if progress is not None:
            pace = (time.monotonic() - began) / (number + 1 - first)
            progress(Step(number + 1, schedule.pieces, pace * (schedule.pieces - number - 1), history[-1]))
        if _still(np.array(history), schedule.patience):
            break
    chosen = state["best"] if schedule.keep == "best" else state["players"]
    seen = np.array(history)
    score = seen.min(axis=0) if schedule.keep == "best" else seen[-1]
    return Trained(jax.tree.map(np.asarray, chosen), score, seen)


def _check(data: tuple[Any, ...], held_out: tuple[Any, ...]) -> None:
    for name, parts in (("training", data), ("held-out", held_out)):
        lengths = {len(part) for part in parts}
        if len(lengths) != 1 or 0 in lengths:
            raise LawError(
                f"{name} records, one row each", f"arrays of {lengths} rows", "give one row at least"
            )
        if not all(np.isfinite(part).all() for part in parts):
            raise LawError(f"{name} records of finite numbers", "NaN or infinity", "impute what is missing")


def _begun(game: Game, schedule: Schedule) -> Callable[[Any], dict[str, Any]]:
    """The state before the first round: players, their optimisers, the best so far."""

    def begin(players: Any) -> dict[str, Any]:
        jax, _ = framework()
        optimisers = [
            _adam(move, schedule).init(_flat({name: players[name] for name in move.players})[0])
            for move in game.moves
        ]
        return {
            "players": players,
            "optimisers": optimisers,
            "best": players,
            "least": jax.numpy.float32(np.inf),
        }

    return begin


def _flat(own: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The players' arrays as one vector, and back: one step of Adam is one small program, not one for each array."""
    from jax.flatten_util import ravel_pytree

    held: tuple[Any, Callable[[Any], Any]] = ravel_pytree(own)
    return held


def _adam(move: Move, schedule: Schedule) -> Any:
    _, optax = framework()
    steps = schedule.length * schedule.pieces * move.steps
    return optax.adam(optax.cosine_decay_schedule(move.rate, steps, alpha=schedule.floor), b2=0.99)


@cache
def _piece(game: Game, schedule: Schedule, n: int) -> Callable[..., Any]:
    """The compiled piece: rounds scanned, runs mapped."""
    jax, _ = framework()

    def one(state: Any, rows: Any, kept: Any, key: Any, knobs: Any, number: Any) -> Any:
        def round_(held: Any, which: Any) -> tuple[Any, None]:
            return _round(game, schedule, n, held, rows, jax.random.fold_in(key, which), knobs), None

        first = number * schedule.length
        players = state["players"], state["optimisers"]
        (now, optimisers), _ = jax.lax.scan(round_, players, first + jax.numpy.arange(schedule.length))
        score = game.score(now, kept, jax.random.fold_in(key, HELD_OUT), knobs)
        better = score < state["least"]
        best = jax.tree.map(lambda new, old: jax.numpy.where(better, new, old), now, state["best"])
        least = jax.numpy.where(better, score, state["least"])
        return {"players": now, "optimisers": optimisers, "best": best, "least": least}, score

    return compiled(jax.vmap(one, in_axes=(0, None, None, None, 0, None)))


def _round(
    game: Game, schedule: Schedule, n: int, held: Any, rows: Any, key: Any, knobs: Any
) -> tuple[Any, Any]:
    """Every move in turn, then the multipliers."""
    jax, optax = framework()
    players, optimisers = held
    made = []
    for turn, (move, memory) in enumerate(zip(game.moves, optimisers, strict=True)):
        adam = _adam(move, schedule)

        own, whole = _flat({name: players[name] for name in move.players})

        def step(now: Any, key: Any, move: Move = move, adam: Any = adam, whole: Any = whole) -> Any:
            own, memory, others = now
            batch, noise = _drawn(jax, rows, n, schedule.batch, key)

            def loss(flat: Any) -> Any:
                held = whole(flat)
                return move.loss(held, {**others, **jax.lax.stop_gradient(held)}, batch, noise, knobs)

            change, memory = adam.update(jax.grad(loss)(own), memory)
            return (optax.apply_updates(own, change), memory, others), None

        keys = jax.random.split(jax.random.fold_in(key, turn), move.steps)
        (own, after, _), _ = jax.lax.scan(step, (own, memory, players), keys)
        players = {**players, **whole(own)}
        made.append(after)
    if game.violation is not None:
        batch, noise = _drawn(jax, rows, n, schedule.batch, jax.random.fold_in(key, len(game.moves)))
        over = game.violation(players, batch, noise, knobs)
        players = {**players, "duals": jax.numpy.maximum(players["duals"] + game.dual_rate * over, 0)}
    return players, made


def _drawn(jax: Any, rows: Any, n: int, batch: int, key: Any) -> tuple[Any, Any]:
    """A minibatch, drawn with replacement (all rows if they are few), and a key for the noise."""
    pick, noise = jax.random.split(key)
    if n <= batch:
        return rows, noise
    chosen = jax.random.randint(pick, (batch,), 0, n)
    return tuple(part[chosen] for part in rows), noise


def _still(history: Array, patience: int | None) -> bool:
    """Whether no run has come to a better score for so many pieces."""
    return patience is not None and len(history) - 1 - int(history.argmin(axis=0).max()) >= patience


def _mark(schedule: Schedule, seed: int, start: Players, knobs: Any, data: tuple[Any, ...]) -> str:
    """What tells one training from another."""
    jax, _ = framework()
    digest = hashlib.sha256(repr((schedule, seed)).encode())
    for leaf in (*jax.tree.leaves(dict(start)), *jax.tree.leaves(knobs), *data):
        digest.update(np.ascontiguousarray(leaf).tobytes())
    return digest.hexdigest()


def _write(jax: Any, path: Path, mark: str, state: Any, history: list[Array]) -> None:
    leaves: dict[str, Any] = {f"leaf{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(state))}
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("wb") as file:
        np.savez(file, mark=np.array(mark), history=np.array(history), **leaves)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def _taken_up(jax: Any, path: Path | None, mark: str, state: Any) -> tuple[Any, list[Array]]:
    """The state that was written down, if there is one."""
    if path is None or not path.exists():
        return state, []
    with np.load(path, allow_pickle=False) as file:
        if str(file["mark"]) != mark:
            raise ParameterError(
                "a training to go on with",
                f"{path} is of another training",
                "give another path, or delete it",
            )
        tree = jax.tree.structure(state)
        leaves = [jax.numpy.asarray(file[f"leaf{i}"]) for i in range(tree.num_leaves)]
        return jax.tree.unflatten(tree, leaves), list(file["history"])
