"""The information bottleneck: keep so much about S, and say as little else about X as can be."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design
from discreet.core.errors import ParameterError
from discreet.core.frontier import Frontier, side_by_side
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.mechanisms.annealing import TINY, Runs, as_laws, cooled, iterate, melted, stacked, told
from discreet.mechanisms.finished import finished, pair_of, within
from discreet.mechanisms.merging import merge_pairs

HOTTEST, LEVELS = 300.0, 28
"""Cooling begins at this β and ends at 1, below which silence is best; hotter, in more steps, where X tells little."""

LITTLE, MOST_HEAT = 10.0, 1e9
"""X tells little about S when H(X) is more than so many times I(S;X); and β is not raised by more than that."""

CELLS_OF_A_RUN = 1 << 18
"""A run tells at most so many symbols apart that symbols of X times symbols of Y stay near this; a few at least."""

MOST_SYMBOLS = 4_000
CLOSE = 2e-8
"""The search for β ends when time sharing between two neighbours loses no more than this, in nats."""

ROUNDS = (60, 60, 80, 100, 150, 200, 300)
"""Steps of the iteration each time that β is narrowed down."""

SETTLED = 1e-10
"""A run has come to rest when its objective falls by no more, in nats."""

NEAR, FAR = 0.12, 0.5
"""β is looked for on either side of where it should be, so far off as a share of the interval left; far where an end of
the interval stayed the last time, since the curve bends sharply where symbols part."""

ALIKE = 1e-9
"""Points that keep so nearly the same, in nats, are one where β is narrowed down."""

TOGETHER = 1 << 15
"""Runs are led together up to so many numbers, which fit the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """An encoder on the curve, with its β (NaN: it ends the curve)."""

    encoder: Array
    beta: float
    about_s: float
    about_x: float


@dataclass(frozen=True, slots=True, eq=False)
class _Between:
    """A relevance between two points of the curve, the higher of which reaches it."""

    low: _Point
    high: _Point
    relevance: float
    ends: tuple[float, float]
    stayed: bool = False

    @property
    def share(self) -> float:
        """How often the higher point is used when the two share the time."""
        gap = self.high.about_s - self.low.about_s
        return min(max((self.relevance - self.low.about_s) / gap, 0.0), 1.0) if gap > 0 else 1.0

    @property
    def worth_narrowing(self) -> bool:
        """Whether a curve between the two could lie noticeably below the line between them."""
        span = self.ends[1] - self.ends[0]
        return span * (self.high.about_s - self.low.about_s) > 4 * CLOSE

    def after(self, last: _Between) -> _Between:
        """The same, which knows whether an end is where it was."""
        stayed = (
            self.low.about_s <= last.low.about_s + ALIKE or self.high.about_s >= last.high.about_s - ALIKE
        )
        return replace(self, stayed=stayed)

    def betas(self) -> tuple[float, float]:
        """Two β on either side of where the relevance should be, from the β of the two ends."""
        ends, share = np.log(self.ends), self.share
        reach = FAR if self.stayed else NEAR
        sides = max(share - reach, share / 2), min(share + reach, (1 + share) / 2)
        first, second = np.exp(ends[0] + np.array(sides) * (ends[1] - ends[0]))
        return float(first), float(second)


def bottleneck(
    joint: Joint, relevance: float, *, starts: int = 2, rng: np.random.Generator | None = None
) -> Design:
    """Keep at least `relevance` nats about S in the release, and as little about X as alternating iteration finds.

    min I(X;Y)   over all p(y|x) with   I(S;Y) ≥ relevance

    The Lagrangian I(X;Y) − β I(S;Y) is lowered by alternating iteration while β cools down, from several starts at
    once; β is then narrowed down to the relevance asked for, and where the curve jumps over it two releases share
    the time. It is a stationary point, usually a very good one; no bound is claimed. `leakage` is I(S;Y), here the
    quantity that is kept, and `utility` is I(X;Y), here the one that is made small.

    `relevance` is from 0 to I(S;X); `starts` are told apart by `rng`. O(steps |X||Y||S|) for each start.

    >>> design = bottleneck(Joint([[.3, .05, .05], [.1, .1, .4]]), 0.1)
    >>> round(design.leakage.value, 6), round(design.utility.value, 4)
    (0.1, 0.3028)

    References: paper 002, equation (4) and its reference [2].
    """
    return _Curve(joint, starts, rng).designs([relevance])[0]


def bottleneck_frontier(
    joint: Joint, relevances: Iterable[float], *, starts: int = 2, rng: np.random.Generator | None = None
) -> Frontier:
    """The bottleneck at many relevances; the law is cooled down once, and all are narrowed down together.

    References: paper 002, equation (4) and its reference [2].
    """
    return Frontier(_Curve(joint, starts, rng).designs(relevances))


class _Curve:
    """A law cooled down once: points on the lower edge of what is said about X, over what is kept about S."""

    def __init__(self, joint: Joint, starts: int, rng: np.random.Generator | None) -> None:
        lift, self.information, entropy = pair_of(joint)
        self.joint, self.symbols = joint, np.flatnonzero(lift.p_y)
        if self.symbols.size > MOST_SYMBOLS:
            raise ParameterError(
                f"a bottleneck over up to {MOST_SYMBOLS:,} symbols of X",
                f"{self.symbols.size:,} symbols with mass",
                "group rare symbols first, or use greedy_bottleneck, which takes more",
            )
        self.p = joint.p[np.ix_(np.flatnonzero(lift.p_s), self.symbols)]
        rng = np.random.default_rng(0) if rng is None else rng
        heat = min(max(entropy / max(LITTLE * self.information, TINY), 1.0), MOST_HEAT)
        self.hottest = HOTTEST * heat
        count = math.ceil(LEVELS * math.log(self.hottest) / math.log(HOTTEST))
        betas = np.geomspace(self.hottest, 1.0, count)
        levels = cooled(self.p, self._starts(starts, rng), betas, 100, 1e-8)
        self.points: list[_Point] = []
        self.betas, self.about_s, self.about_x = np.empty((3, 0))
        self._end(np.ones((self.symbols.size, 1)))
        self._end(self._sufficient())
        for runs in levels:
            self._keep(runs)

    def designs(self, relevances: Iterable[float]) -> list[Design]:
        """The designs at these relevances."""
        wanted = [within("relevance", relevance, self.information, "I(S;X)") for relevance in relevances]
        places = [self._between(relevance) for relevance in wanted]
        for steps in ROUNDS:
            wide = [k for k, place in enumerate(places) if place.worth_narrowing]
            if not wide:
                break
            self._narrow([places[k] for k in wide], steps)
            for k in wide:
                places[k] = self._between(wanted[k]).after(places[k])
        return [self._finished(place) for place in places]

    def _narrow(self, places: list[_Between], steps: int) -> None:
        """Add two points for each place, at β on either side of where its relevance should be."""
        together = max(TOGETHER // max(place.high.encoder.size for place in places), 1)
        for k in range(0, len(places), together):
            group = places[k : k + together]
            start = melted(self.p, stacked([place.high.encoder for place in group]))
            betas = np.array([place.betas() for place in group])
            self._keep(iterate(self.p, np.repeat(start, 2, axis=0), betas.ravel(), steps, SETTLED))

    def _finished(self, place: _Between) -> Design:
        """The higher neighbour as often as it takes, otherwise the lower; spread over the whole axis of X."""
        low, high, share = place.low, place.high, place.share
        channel = MatrixChannel(_tidy(self.p, high.encoder))
        if share < 1 - 1e-12:
            other = MatrixChannel(_tidy(self.p, low.encoder))
            channel = side_by_side(channel, other, share) if share > 1e-12 else other
        whole = np.tile(self.p.sum(axis=0) @ channel.p, (self.joint.p.shape[-1], 1))
        whole[self.symbols] = channel.p
        trace = {"beta": (high.beta, low.beta), "shared": (share, 1 - share)}
        whole = MatrixChannel(whole / whole.sum(axis=1, keepdims=True)).p
        return finished(self.joint, MatrixChannel(whole), None, trace=trace)

    def _starts(self, starts: int, rng: np.random.Generator) -> Array:
        """Every symbol told apart, or as many blocks as a run can hold; and the same with noise."""
        n = self.symbols.size
        blocks = np.arange(n)
        most = max(CELLS_OF_A_RUN // n, 64)
        if n > most:
            merges = merge_pairs(self.p, "relevance", np.inf)
            blocks = merges.blocks(n - most, n, 0)
        plain = np.eye(int(blocks.max()) + 1)[blocks]
        noisy = [
            0.6 * plain + 0.4 * rng.dirichlet(np.full(plain.shape[1], 0.5), size=n) for _ in range(starts - 1)
        ]
        return np.stack([plain, *noisy])

    def _sufficient(self) -> Array:
        """The coarsest map that keeps all of I(S;X): symbols with one law of S are one."""
        merges = merge_pairs(self.p, "x", 1e-13)
        blocks = merges.blocks(len(merges), self.symbols.size, 0)
        made: Array = np.eye(int(blocks.max()) + 1)[blocks]
        return made

    def _end(self, encoder: Array) -> None:
        """Add a point that ends the curve."""
        about_s, about_x = told(self.p, encoder[None])
        self._keep(Runs(encoder[None], np.array([math.nan]), about_s, about_x))

    def _keep(self, runs: Runs) -> None:
        """Add the points where these runs have ended."""
        columns = (runs.encoders, runs.beta, runs.about_s, runs.about_x)
        self.points += [_Point(w, float(b), float(s), float(x)) for w, b, s, x in zip(*columns, strict=True)]
        self.betas = np.append(self.betas, runs.beta)
        self.about_s = np.append(self.about_s, runs.about_s)
        self.about_x = np.append(self.about_x, runs.about_x)

    def _between(self, relevance: float) -> _Between:
        """The corners of the lower edge on either side of the relevance; the higher one reaches it."""
        about_s, about_x = self.about_s, self.about_x
        above = np.flatnonzero(about_s >= relevance - 1e-12)
        below = np.flatnonzero(about_s < relevance - 1e-12)
        if above.size == 0:
            above = np.array([int(about_s.argmax())])
        if below.size == 0:
            best = self.points[above[about_x[above].argmin()]]
            return _Between(best, best, relevance, (1.0, 1.0))
        width = about_s[above, None] - about_s[below]
        share = np.clip((relevance - about_s[below]) / np.maximum(width, 1e-300), 0, 1)
        mixed = share * about_x[above, None] + (1 - share) * about_x[below]
        k, l = np.unravel_index(int(mixed.argmin()), mixed.shape)
        low, high = self.points[below[l]], self.points[above[k]]
        return _Between(low, high, relevance, self._ends(low, high))

    def _ends(self, low: _Point, high: _Point) -> tuple[float, float]:
        """The largest β that says no more than the lower point, and the smallest that says no less than the higher."""
        beta, about_s = self.betas, self.about_s
        least = 1.0 if math.isnan(low.beta) else low.beta
        most = self.hottest if math.isnan(high.beta) else high.beta
        as_low = beta[(about_s <= low.about_s + ALIKE) & (beta < most)]
        as_high = beta[(about_s >= high.about_s - ALIKE) & (beta > least)]
        return float(as_low.max(initial=least)), float(as_high.min(initial=most))


def _tidy(p: Array, encoder: Array) -> Array:
    """The encoder with outputs put together that say the same about X, and without those hardly used."""
    joint = p.sum(axis=0)[:, None] * encoder
    mass = joint.sum(axis=0)
    alike = np.unique((joint / np.maximum(mass, 1e-300)).round(9), axis=1, return_inverse=True)[1].reshape(-1)
    made = np.zeros((len(encoder), int(alike.max()) + 1))
    np.add.at(made.T, alike, encoder.T)
    kept = made[:, (p.sum(axis=0) @ made) > 1e-13]
    return as_laws(kept, p.sum(axis=0))
