"""What a learned release tells, by critics trained after it on fresh draws, on rows that the design never saw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.core.reading import Origin, Reading, unit_of
from discreet.neural.networks import stacked

if TYPE_CHECKING:
    from discreet.neural.contest import Contest


class Rows(NamedTuple):
    """Records as the networks see them, secrets one-hot, and what else the game needs, row by row."""

    x: Any
    s: Any
    rest: tuple[Any, ...] = ()

    def take(self, which: Any) -> Rows:
        """Some of the rows."""
        return Rows(self.x[which], self.s[which], tuple(one[which] for one in self.rest))

    @property
    def all(self) -> tuple[Any, ...]:
        """As the loop takes them."""
        return (self.x, self.s, *self.rest)


class Told(NamedTuple):
    """What a run's release tells on held-out rows: nats, and how often the best guess is right."""

    information: Reading
    guess: Reading
    settled: bool


CRITICS = ((64, 64), (24,))
"""The networks that judge a release: one of two layers and one of a single narrow one, averaged in the posterior."""


def judged(
    contest: Contest,
    sanitisers: Mapping[str, Array],
    rows: Rows,
    knobs: Mapping[str, Array],
    released: Sequence[Callable[[np.random.Generator], Array]],
    secrets: Codes,
    *,
    rounds: int,
    seed: int,
    critics: tuple[tuple[int, ...], ...] = CRITICS,
) -> list[Told]:
    """Attack every run of a frontier side by side, and judge each attack on `released`, fresh held-out releases.

    `rows` are training rows; a tenth of them stops the attack. The information is E log p̂(s | y) / p(s), below I(S;
    Y) for any critic, up to the sampling of the rows.
    """
    from discreet.neural.contest import against, attack
    from discreet.neural.loop import Schedule, train

    rng = np.random.default_rng(seed)
    order = rng.permutation(len(rows.x))
    aside = max(1, len(order) // 10)
    runs = len(released)
    width = released[0](np.random.default_rng(0)).shape[1]
    judging = against(contest, critics)
    start = {
        "sanitiser": sanitisers,
        "critic": stacked([judging.fresh(width, rows.s.shape[1], rng=rng) for _ in range(runs)]),
        "decoder": {},
        "duals": np.zeros((runs, 1), dtype=np.float32),
    }
    trained = train(
        attack(judging),
        start,
        rows.take(order[aside:]).all[:2],
        rows.take(order[:aside]).all[:2],
        knobs=knobs,
        schedule=Schedule(rounds, 8, 512, keep="best", patience=3),
        seed=int(rng.integers(2**31)),
    )
    prior = rows.s.mean(axis=0)
    found = []
    for run in range(runs):
        own = {name: held[run] for name, held in trained.players["critic"].items()}
        y = released[run](rng)
        found.append(_told(judging, own, y, secrets, prior, seed))
    return found


def _told(judging: Contest, own: dict[str, Any], y: Array, s: Codes, prior: Array, seed: int) -> Told:
    from discreet.neural.critics import log_posterior

    each = [log_posterior(np, one) for one in judging.scores(np, own, y)]
    posterior = np.mean(np.exp(each), axis=0)
    weight = composition(s, prior)
    with np.errstate(divide="ignore"):
        nats = np.log(posterior[np.arange(len(s)), s]) - np.log(prior[s])
    right = posterior.argmax(axis=1) == s
    origin = Origin("learned", "people of this composition", n=len(s), method="critics retrained", seed=seed)
    return Told(
        estimated("mutual_information", max(float(nats @ weight), 0.0), origin),
        estimated("guessing_probability", max(float(right @ weight), float(prior.max())), origin),
        bool(np.isfinite(nats).all()),
    )


def composition(s: Codes, prior: Array) -> Array:
    """Weights of held-out rows that give every secret its share among the training rows."""
    seen = np.bincount(s, minlength=prior.size)
    weight: Array = (prior / np.maximum(seen, 1))[s]
    share: Array = weight / weight.sum()
    return share


def estimated(measure: str, value: float, origin: Origin) -> Reading:
    """A held-out estimate, never a guarantee."""
    return Reading(value + 0.0, unit_of(measure), measure, "estimate", origin=origin)
