"""A critic trained on records as they are: the game with its sanitiser frozen at the identity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.errors import LawError, ParameterError
from discreet.core.protocols import Array
from discreet.neural.critics import OBJECTIVES, chi_squared_parts, log_posterior, logsumexp
from discreet.neural.framework import framework
from discreet.neural.loop import Game, Move, Schedule, train
from discreet.neural.networks import initial_mlp, mlp, squared_norm, stacked

ObjectiveName = Literal["log_loss", "squared", "donsker_varadhan", "nwj", "chi_squared"]

FLOOR = 1e-3
"""A ratio that a squared critic sees below this is taken to be this: such critics do not resolve rare cells."""


@dataclass(frozen=True, slots=True, eq=False)
class Critic:
    """A trained critic: scores of any record against every secret, in NumPy.

    `runs` are the networks' arrays, one network for each seed. `held_out` is the objective on rows that were not
    trained on: a lower bound of what it is a bound of, up to the sampling of these rows. `settled` says whether all
    scores stayed finite.
    """

    objective: str
    p_s: Array
    centre: Array
    scale: Array
    runs: tuple[dict[str, Array], ...]
    clip: float | None
    slope: Array
    offset: Array
    held_out: float
    settled: bool

    def scores(self, x: ArrayLike) -> Array:
        """The raw g[i, s] that the objective was trained on, the mean of the networks, for centred secrets."""
        return np.mean(self._each(x), axis=0)  # type: ignore[no-any-return]

    def log_lift(self, x: ArrayLike) -> Array:
        """log l(s, x_i)[i, s] as the objective sees it, averaged over the networks.

        log_loss          log p̂(s | x) − log p(s)
        donsker_varadhan  g − log E_product[e^g] on held-out rows (E18)
        nwj               g
        squared           log(1 + g / p(s))
        chi_squared       log(1 + a (g − E_product g)), a = (E_joint − E_product) g / Var_product g on held-out rows

        The last two are floored at a ratio of 1/1000.
        """
        made = [
            self._to_lift(g, a, b) for g, a, b in zip(self._each(x), self.slope, self.offset, strict=True)
        ]
        return np.mean(made, axis=0)  # type: ignore[no-any-return]

    def _to_lift(self, g: Array, slope: float, offset: float) -> Array:
        if self.objective == "log_loss":
            return log_posterior(np, g) - np.log(self.p_s)  # type: ignore[no-any-return]
        if self.objective == "squared":
            return np.log(np.maximum(1 + g / self.p_s, FLOOR))
        if self.objective == "chi_squared":
            return np.log(np.maximum(1 + slope * (g - offset), FLOOR))
        return g - offset

    def _each(self, x: ArrayLike) -> list[Array]:
        held = (_records(x, self.centre.size) - self.centre) / self.scale
        return [scored(np, run, held, self.clip) for run in self.runs]


def scored(xp: Any, network: Any, x: Any, clip: float | None) -> Any:
    """g, or g squeezed smoothly into ±clip."""
    g = mlp(xp, network, x, "elu")
    return g if clip is None else clip * xp.tanh(g / clip)


def fit_critic(
    x: ArrayLike,
    s: ArrayLike,
    n_s: int,
    objective: ObjectiveName = "log_loss",
    *,
    clip: float | None = None,
    hidden: Sequence[int] = (64, 64),
    steps: int = 1500,
    batch: int = 512,
    rate: float = 3e-3,
    penalty: float = 1e-4,
    seeds: int = 1,
    held_out: tuple[ArrayLike, ArrayLike] | None = None,
    rng: np.random.Generator,
) -> Critic:
    """Train scores g[i, s] of records against every secret to make the objective large, stopping on held-out rows.

    x[i, feature] are finite numbers, standardised inside; s[i] the secrets 0 … n_s − 1. `objective` names a row of
    `critics.OBJECTIVES`; `clip` keeps |g| below it; `penalty` shrinks the weights; `seeds` networks are trained side
    by side and averaged. Without `held_out` a tenth of the rows is set aside.

    References: papers 000 (21), 001 (12), 003 (19), 004 (11), each as corrected.
    """
    if objective not in get_args(ObjectiveName):
        raise ParameterError(
            "an objective of a critic", repr(objective), f"one of {', '.join(get_args(ObjectiveName))}"
        )
    own, kept = _split(x, s, held_out, n_s, rng)
    p_s = np.bincount(own[1], minlength=n_s) / len(own[1])
    present = p_s > 0
    centre, scale = own[0].mean(axis=0), np.maximum(own[0].std(axis=0), 1e-12)
    masses = np.where(present, p_s, 1e-12).astype(np.float32)

    ready = [((one - centre) / scale).astype(np.float32) for one in (own[0], kept[0])]
    chosen = [np.eye(n_s, dtype=np.float32)[codes] for codes in (own[1], kept[1])]
    start = [initial_mlp((own[0].shape[1], *hidden, n_s), rng=rng) for _ in range(seeds)]
    trained = train(
        _game(objective, clip, rate),
        {"critic": stacked(start)},
        (ready[0], chosen[0]),
        (ready[1], chosen[1]),
        knobs={"penalty": np.full(seeds, penalty), "p_s": np.tile(masses, (seeds, 1))},
        schedule=Schedule(steps, 15, batch, keep="best", patience=5),
        seed=int(rng.integers(2**31)),
    )
    runs = tuple({name: held[i] for name, held in trained.players["critic"].items()} for i in range(seeds))
    fixed = [_fixed(objective, scored(np, run, ready[1], clip), chosen[1], masses) for run in runs]
    slope, offset = np.array(fixed, dtype=np.float64).T
    settled = bool(np.isfinite(trained.history).all())
    told = -float(np.mean(trained.score))
    return Critic(objective, p_s, centre, scale, runs, clip, slope, offset, told, settled)


@cache
def _game(objective: str, clip: float | None, rate: float) -> Game:
    """The critic's moves alone."""
    fits = OBJECTIVES[objective]

    def loss(player: Any, others: Any, rows: Any, key: Any, knobs: Any) -> Any:
        del others, key
        xp = framework().jax.numpy
        told = fits(xp, scored(xp, player["critic"], rows[0], clip), rows[1], knobs["p_s"])
        return knobs["penalty"] * squared_norm(xp, player["critic"]) - told

    def score(players: Any, rows: Any, key: Any, knobs: Any) -> Any:
        del key
        xp = framework().jax.numpy
        return -fits(xp, scored(xp, players["critic"], rows[0], clip), rows[1], knobs["p_s"])

    return Game((Move(("critic",), loss, 1, rate),), score)


def _fixed(objective: str, g: Any, s: Any, p_s: Any) -> tuple[float, float]:
    """The scale and the offset that the objective leaves open, from held-out rows."""
    if objective == "chi_squared":
        gain, variance = chi_squared_parts(np, g, s, p_s)
        return float(gain / max(variance, 1e-12)), float(np.mean(g @ p_s))
    if objective == "donsker_varadhan":
        return 1.0, float(logsumexp(np, g + np.log(p_s), axis=None) - np.log(len(g)))
    return 1.0, 0.0


def _split(
    x: ArrayLike, s: ArrayLike, held_out: Any, n_s: int, rng: np.random.Generator
) -> tuple[tuple[Array, Any], tuple[Array, Any]]:
    """Training rows and held-out rows."""
    records = _records(x, None)
    codes = _codes(s, len(records), n_s)
    if held_out is not None:
        kept = _records(held_out[0], records.shape[1])
        return (records, codes), (kept, _codes(held_out[1], len(kept), n_s))
    if len(records) < 2:
        raise LawError("two records or more", f"{len(records)}", "give more records, or held_out=(x, s)")
    order = rng.permutation(len(records))
    aside = max(1, len(records) // 10)
    out, inside = order[:aside], order[aside:]
    return (records[inside], codes[inside]), (records[out], codes[out])


def _records(x: ArrayLike, width: int | None) -> Array:
    held = np.asarray(x, dtype=np.float64)
    held = held[:, None] if held.ndim == 1 else held
    if held.ndim != 2 or (width is not None and held.shape[1] != width) or not np.isfinite(held).all():
        raise LawError(
            "records as finite numbers x[i, feature]" + ("" if width is None else f", {width} features"),
            f"an array of shape {held.shape}" + ("" if np.isfinite(held).all() else " with NaN or infinity"),
            "encode categories and impute what is missing first",
        )
    return held


def _codes(s: ArrayLike, n: int, n_s: int) -> Any:
    codes = np.asarray(s)
    if (
        codes.shape != (n,)
        or codes.dtype.kind not in "iub"
        or (n and not 0 <= codes.min() <= codes.max() < n_s)
    ):
        raise LawError(
            f"secrets 0 … {n_s - 1}, one for each of {n} records",
            f"an array of shape {codes.shape} and type {codes.dtype}",
            "encode the secrets as numbers from 0",
        )
    return codes.astype(np.int64)
