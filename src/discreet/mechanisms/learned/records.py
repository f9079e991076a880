"""A game on mixed records, from the rows to the designs: split, play a frontier at once, and judge it afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.design import Design, Status
from discreet.core.errors import LawError
from discreet.core.frontier import Frontier
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Origin, Reading
from discreet.core.samples import Samples
from discreet.mechanisms.learned.channel import LearnedChannel
from discreet.mechanisms.learned.judged import Rows, Told, estimated, judged
from discreet.mechanisms.learned.layout import Layout
from discreet.mechanisms.learned.likeness import Likeness
from discreet.mechanisms.learned.rounds import Training
from discreet.neural.senses import Knots, knots_of

if TYPE_CHECKING:
    from discreet.neural.contest import Contest

CONSTANT = 0.02
"""A release whose columns all keep less than this share of their spread is called constant."""


@dataclass(frozen=True, slots=True)
class Records:
    """Mixed records with a secret, perhaps with what the receiver needs from them, and the rows that are set aside."""

    samples: Samples
    useful: Codes | None
    layout: Layout
    matrix: Array
    wide: NDArray[np.float32]
    own: Codes
    kept: Codes

    @classmethod
    def of(cls, samples: Samples, useful: Any, held_out: float, rng: np.random.Generator) -> Records:
        """Split the rows and lay the columns out as they are among the rows that train."""
        aside = int(held_out * samples.n)
        if not 0 < aside < samples.n - 1:
            raise LawError(
                f"rows to learn from and a share of {held_out} to judge by",
                f"{samples.n} rows",
                "give more rows, or another share",
            )
        codes = None if useful is None else np.asarray(useful)
        if codes is not None and (codes.shape != (samples.n,) or codes.dtype.kind not in "iub"):
            raise LawError(
                f"what is useful as whole numbers from 0, one for each of {samples.n} rows",
                f"shape {codes.shape}, type {codes.dtype}",
                "np.unique(…, return_inverse=True) makes them",
            )
        order = rng.permutation(samples.n)
        kept, own = np.sort(order[:aside]), np.sort(order[aside:])
        layout = Layout.of(samples.x)
        matrix = layout.matrix(samples.x)
        wide = layout.wide(matrix).astype(np.float32)
        held = None if codes is None else codes.astype(np.int64)
        return cls(samples, held, layout, matrix, wide, own, kept)

    @property
    def rows(self) -> Rows:
        """All records as the networks see them."""
        rest = () if self.useful is None else (_one_hot(self.useful),)
        return Rows(self.wide, np.eye(self.samples.size, dtype=np.float32)[self.samples.s], rest)

    @property
    def knots(self) -> Knots:
        """Where networks look closer at each number."""
        own = self.wide[self.own]
        return tuple(knots_of(own[:, j]) for j in range(len(self.layout.numbers)))

    @property
    def p_s(self) -> Array:
        """The composition of the rows that train; no secret is without mass."""
        return np.maximum(np.bincount(self.samples.s[self.own], minlength=self.samples.size), 1e-6) / len(
            self.own
        )


def played(
    records: Records,
    contest: Contest,
    budgets: Array,
    weight: float,
    schedule: tuple[int, int],
    training: Training,
    rng: np.random.Generator,
) -> Frontier:
    """One design for each budget, learned side by side from one start and on the same noise."""
    from discreet.neural.loop import train

    runs = len(budgets)
    useful = 0 if records.useful is None else int(records.useful.max()) + 1
    one = contest.start(records.layout.width, records.samples.size, useful, rng=rng)
    knobs = {
        "budget": budgets,
        "weight": np.full(runs, weight),
        "p_s": np.tile(records.p_s, (runs, 1)),
        "power": np.full(runs, 8.0),
    }
    trained = train(
        contest.game(),
        repeated(one, runs),
        records.rows.take(records.own).all,
        records.rows.take(records.kept).all,
        knobs=knobs,
        schedule=training.schedule(*schedule),
        seed=int(rng.integers(2**31)),
        progress=training.progress,
        resume=training.resume,
    )
    return Frontier(_designs(records, contest, trained, knobs, int(rng.integers(2**31))))


def repeated(players: dict[str, Any], runs: int) -> dict[str, Any]:
    """The same players for every run."""
    return {
        name: {key: np.repeat(value[None], runs, axis=0) for key, value in held.items()}
        if isinstance(held, dict)
        else np.repeat(held[None], runs, axis=0)
        for name, held in players.items()
    }


def _designs(records: Records, contest: Contest, trained: Any, knobs: Any, seed: int) -> list[Design]:
    found = trained.players["sanitiser"]
    family: Any = contest.sanitiser
    runs = len(knobs["budget"])
    channels = [
        LearnedChannel(family, {name: held[run] for name, held in found.items()}, records.layout)
        for run in range(runs)
    ]
    own = records.rows.take(records.own)
    ways = [_released(records, channel) for channel in channels]
    told = judged(contest, found, own, knobs, ways, records.samples.s[records.kept], rounds=800, seed=seed)
    read: list[Told | None] = [None] * runs
    if records.useful is not None:
        swapped = Rows(own.x, own.rest[0])
        p_u = np.tile(own.rest[0].mean(axis=0), (runs, 1))
        read = list(
            judged(
                contest, found, swapped, {**knobs, "p_s": p_u}, ways, records.useful[records.kept],
                rounds=800, seed=seed,
            )
        )  # fmt: skip
    likeness = Likeness.of(records.layout, records.matrix[records.own])
    return [
        _design(records, channel, likeness, leak, use, bool(rest), seed)
        for channel, leak, use, rest in zip(channels, told, read, trained.settled, strict=True)
    ]


def _released(records: Records, channel: LearnedChannel) -> Callable[[np.random.Generator], Array]:
    """A fresh release of the held-out rows, as a network sees it."""
    s = records.samples.s[records.kept] if channel.inputs == "sx" else None

    def release(rng: np.random.Generator) -> Array:
        return records.layout.wide(channel.apply(records.matrix[records.kept], s=s, rng=rng))

    return release


def _design(
    records: Records,
    channel: LearnedChannel,
    likeness: Likeness,
    told: Told,
    read: Told | None,
    settled: bool,
    seed: int,
) -> Design:
    kept = records.matrix[records.kept]
    s = records.samples.s[records.kept] if channel.inputs == "sx" else None
    released = channel.apply(kept, s=s, rng=np.random.default_rng(seed))
    origin = Origin("learned", "the population", n=len(kept), method="held-out rows", seed=seed)
    like = estimated("utility", likeness.utility(kept, released), origin)
    status = Status.LEARNED if settled and told.settled else Status.UNSETTLED
    if likeness.spread(kept, released) < CONSTANT:
        status = Status.COLLAPSED
    trace: dict[str, Reading | None] = {
        "mutual_information": told.information,
        "guessing_probability": told.guess,
        "utility": like,
        "useful_information": None if read is None else read.information,
        "useful_guess": None if read is None else read.guess,
    }
    return Design(channel, status, told.information, like if read is None else read.guess, None, trace)


def _one_hot(codes: Codes) -> Any:
    return np.eye(int(codes.max()) + 1, dtype=np.float32)[codes]
