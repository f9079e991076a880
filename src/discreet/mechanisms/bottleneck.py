"""The information bottleneck: keep so much about S, and say as little else about X as can be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design
from discreet.core.errors import ParameterError
from discreet.core.frontier import Frontier, side_by_side
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.mechanisms.annealing import Runs, cooled, iterate, melted, told
from discreet.mechanisms.finished import finished, pair_of, within
from discreet.mechanisms.merging import merge_pairs

HOTTEST, LEVELS = 300.0, 28
"""Cooling begins at this β and ends at 1, below which silence is best."""

CELLS_OF_A_RUN = 1 << 18
"""A run tells at most so many symbols apart that symbols of X times symbols of Y stay near this; a few at least."""

MOST_SYMBOLS = 4_000
FINE = 8
CLOSE = 1e-9
"""The search for β ends when time sharing between two neighbours loses no more than this, in nats."""


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """An encoder on the curve, with its β (None: it ends the curve)."""

    encoder: Array
    beta: float | None
    about_s: float
    about_x: float


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
    return _Curve(joint, starts, rng).design(relevance)


def bottleneck_frontier(
    joint: Joint, relevances: Iterable[float], *, starts: int = 2, rng: np.random.Generator | None = None
) -> Frontier:
    """The bottleneck at many relevances; the law is cooled down once.

    References: paper 002, equation (4) and its reference [2].
    """
    curve = _Curve(joint, starts, rng)
    return Frontier([curve.design(relevance) for relevance in relevances])


class _Curve:
    """A law cooled down once: points on the lower edge of what is said about X, over what is kept about S."""

    def __init__(self, joint: Joint, starts: int, rng: np.random.Generator | None) -> None:
        lift, self.information, _ = pair_of(joint)
        self.joint, self.symbols = joint, np.flatnonzero(lift.p_y)
        if self.symbols.size > MOST_SYMBOLS:
            raise ParameterError(
                f"a bottleneck over up to {MOST_SYMBOLS:,} symbols of X",
                f"{self.symbols.size:,} symbols with mass",
                "group rare symbols first, or use greedy_bottleneck, which takes more",
            )
        self.p = joint.p[np.ix_(np.flatnonzero(lift.p_s), self.symbols)]
        rng = np.random.default_rng(0) if rng is None else rng
        levels = cooled(self.p, self._starts(starts, rng), np.geomspace(HOTTEST, 1.0, LEVELS), 100, 1e-8)
        self.points = [self._end(np.ones((self.symbols.size, 1))), self._end(self._sufficient())]
        for runs in levels:
            self._keep(runs)

    def design(self, relevance: float) -> Design:
        """The design at one relevance."""
        relevance = within("relevance", relevance, self.information, "I(S;X)")
        low, high = self._neighbours(relevance)
        for steps in (50, 100, 300, 300):
            if not _worth_narrowing(low, high):
                break
            betas = np.geomspace(high.beta or HOTTEST, low.beta or 1.0, FINE + 2)[1:-1]
            start = np.repeat(melted(self.p, high.encoder[None]), FINE, axis=0)
            self._keep(iterate(self.p, start, betas, steps, 1e-12))
            before, (low, high) = (low, high), self._neighbours(relevance)
            if (low, high) == before:
                break
        gap = high.about_s - low.about_s
        share = min(max((relevance - low.about_s) / gap, 0.0), 1.0) if gap > 0 else 1.0
        return self._finished(low, high, share)

    def _finished(self, low: _Point, high: _Point, share: float) -> Design:
        """The higher neighbour with this probability, otherwise the lower; spread over the whole axis of X."""
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

    def _end(self, encoder: Array) -> _Point:
        about_s, about_x = (float(v[0]) for v in told(self.p, encoder[None]))
        return _Point(encoder, None, about_s, about_x)

    def _keep(self, runs: Runs) -> None:
        columns = (runs.encoders, runs.beta, runs.about_s, runs.about_x)
        self.points += [_Point(w, float(b), float(s), float(x)) for w, b, s, x in zip(*columns, strict=True)]

    def _neighbours(self, relevance: float) -> tuple[_Point, _Point]:
        """The corners of the lower edge on either side of the relevance; the higher one reaches it."""
        about_s = np.array([point.about_s for point in self.points])
        about_x = np.array([point.about_x for point in self.points])
        above = np.flatnonzero(about_s >= relevance - 1e-12)
        below = np.flatnonzero(about_s < relevance - 1e-12)
        if above.size == 0:
            above = np.array([int(about_s.argmax())])
        if below.size == 0:
            best = above[about_x[above].argmin()]
            return self.points[best], self.points[best]
        width = about_s[above, None] - about_s[below]
        share = np.clip((relevance - about_s[below]) / np.maximum(width, 1e-300), 0, 1)
        mixed = share * about_x[above, None] + (1 - share) * about_x[below]
        k, l = np.unravel_index(int(mixed.argmin()), mixed.shape)
        return self.points[below[l]], self.points[above[k]]


def _worth_narrowing(low: _Point, high: _Point) -> bool:
    """Whether a curve between the two could lie noticeably below the line between them."""
    if low is high:
        return False
    span = (high.beta or HOTTEST) - (low.beta or 1.0)
    return span * (high.about_s - low.about_s) > 4 * CLOSE


def _tidy(p: Array, encoder: Array) -> Array:
    """The encoder with outputs put together that say the same about X, and without those hardly used."""
    joint = p.sum(axis=0)[:, None] * encoder
    mass = joint.sum(axis=0)
    alike = np.unique((joint / np.maximum(mass, 1e-300)).round(9), axis=1, return_inverse=True)[1].reshape(-1)
    made = np.zeros((len(encoder), int(alike.max()) + 1))
    np.add.at(made.T, alike, encoder.T)
    kept = made[:, (p.sum(axis=0) @ made) > 1e-13]
    tidy: Array = kept / kept.sum(axis=1, keepdims=True)
    return tidy
