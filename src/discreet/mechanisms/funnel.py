"""The privacy funnel: the least that must be told about S when so much is told about X."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design, Status
from discreet.core.errors import ParameterError
from discreet.core.frontier import Frontier, side_by_side
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.measures.arguments import not_negative
from discreet.mechanisms.cheap import CheapBound
from discreet.mechanisms.finished import NOTHING, constant_channel, finished, pair_of, within
from discreet.mechanisms.merging import merge_pairs
from discreet.mechanisms.perfect import add_silent
from discreet.mechanisms.posteriors import Mixture, Pool, Prices, coupled, spread
from discreet.mechanisms.search import Effort, Found, search
from discreet.mechanisms.split import split_law
from discreet.mechanisms.vertices import add_corners

COLUMNS, COLUMNS_A_SYMBOL = 20_000, 40
"""How many columns may be looked for by default: so many, or so many for each symbol if that is more."""

GREEDY_AT = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

LITTLE = 0.02
"""Below this share of what X tells about S, columns that leak nothing are looked for first."""


def funnel(
    joint: Joint,
    *,
    rate: float | None = None,
    leak: float | None = None,
    columns: int | None = None,
    seconds: float | None = None,
    rng: np.random.Generator | None = None,
) -> Design:
    """Tell at least `rate` nats about X and as little as possible about S; or as much about X as `leak` about S allows.

    G(R) = min I(S;Y)   over all p(y|x) with   I(X;Y) ≥ R

    Written over the posteriors p(x|y) it is a linear program with infinitely many columns, which are generated as
    they are needed, within each value of what S and X have in common. Where no such value leaves more than two
    secrets (|S| = 2; or a secret of two values beside a function of X) every column is searched, and the bound of
    the design is sound and closes: the leak is the least possible. Otherwise columns are found by descent, which may
    miss some, and the bound is a cheap one, still sound, as the status says. What it finds is never worse than the
    greedy maps that it starts from.

    `rate` is from 0 to H(X), `leak` 0 or more. `columns` bounds the work, so that the same call gives the same design;
    `seconds` stops earlier. Each round costs a linear program with |X| + 1 rows and a search over |X|² pairs.

    >>> design = funnel(Joint([[.3, .05, .05], [.1, .1, .4]]), rate=0.6)
    >>> design.leakage
    I(S;Y) = 0.05968 nats (exact, of this law)

    References: paper 002, equation (3); Note 1 (corrected).
    """
    if (rate is None) == (leak is None):
        raise ParameterError(
            "one budget: rate=… or leak=…", "both" if rate is not None else "none", "give one of them"
        )
    return _Funnel(joint, columns, seconds, rng).design(rate, leak)


def funnel_frontier(
    joint: Joint,
    rates: Iterable[float],
    *,
    columns: int | None = None,
    seconds: float | None = None,
    rng: np.random.Generator | None = None,
) -> Frontier:
    """The funnel at many rates; the columns found for one rate serve the others.

    `columns` and `seconds` are for each rate.

    >>> frontier = funnel_frontier(Joint([[.3, .05, .05], [.1, .1, .4]]), [0.3, 0.6, 0.9])
    >>> round(frontier.at(leak=0.1).utility.value, 3)
    0.6

    References: paper 002, equation (3).
    """
    solver = _Funnel(joint, columns, seconds, rng)
    return Frontier([solver.design(rate, None) for rate in rates])


class _Funnel:
    """A law, the pool of columns found for it, and how to make a design of them."""

    def __init__(
        self, joint: Joint, columns: int | None, seconds: float | None, rng: np.random.Generator | None
    ) -> None:
        self.lift, self.information, self.entropy = pair_of(joint)
        self.joint, self.seconds = joint, seconds
        self.rng = np.random.default_rng(0) if rng is None else rng
        self.split = split_law(joint)
        self.size = joint.p.shape[-1]
        least = max(COLUMNS, COLUMNS_A_SYMBOL * self.split.p_x.size)
        self.columns = least if columns is None else columns
        self.cheap = CheapBound(self.split, self.columns)
        self.pool: Pool | None = None
        self.greedy_added = self.silent_added = False

    def design(self, rate: float | None, leak: float | None) -> Design:
        """The design for one budget."""
        if rate is not None:
            rate = within("rate", rate, self.entropy, "H(X)")
            if rate <= NOTHING:
                return self._finished(constant_channel(self.size), 0.0)
        elif leak is not None:
            leak = min(not_negative("leak", leak), self.information)
            if leak >= self.information - NOTHING:
                return self._beyond(self.entropy)
        beyond = self._rate_beyond(rate, leak)
        return self._within(rate, leak) if beyond is None else self._beyond(beyond)

    def _rate_beyond(self, rate: float | None, leak: float | None) -> float | None:
        """The rate, if it is one at which every further nat costs a nat."""
        split = self.split
        if rate is not None:
            return rate if rate >= split.entropy_x - NOTHING else None
        over = (leak or 0.0) - split.most_leak
        return split.entropy_x + over if over >= -NOTHING else None

    def _beyond(self, rate: float) -> Design:
        """X itself some of the time, and otherwise X but for what it has in common with S."""
        split = self.split
        itself = MatrixChannel(np.eye(split.p_x.size))
        share = (rate - split.entropy_x) / split.entropy_a if split.entropy_a > NOTHING else 1.0
        channel = itself
        if share < 1 - NOTHING:
            points = Mixture(np.arange(split.p_x.size), split.p_x, 0.0, 0.0, Prices(split.p_x, 1.0))
            hiding = coupled(Pool(split), points)
            channel = side_by_side(itself, hiding, share) if share > NOTHING else hiding
        return self._finished(spread(channel, split, self.size), rate - split.hidden)

    def _within(self, rate: float | None, leak: float | None) -> Design:
        effort = Effort(self.columns, self.seconds, self.rng)
        if self.pool is None:
            self.pool = Pool(self.split)
            add_corners(self.pool, effort.rng)
        pool = self.pool
        enough = 0.0 if self.split.binary or rate is None else LITTLE * self.split.most_leak
        found = search(pool, effort, rate=rate, leak=leak, enough=enough)
        if found is not None and not self.split.binary:
            found = self._improved(pool, found, effort, rate, leak)
        if found is None:
            return self._fallback(rate, leak)
        bound = found.bound if self.split.binary else self.cheap.at(found.mixture.rate, self.seconds)
        channel = spread(coupled(pool, found.mixture), self.split, self.size)
        most = math.inf if leak is None else max(leak, NOTHING)
        if found.mixture.leak > most:
            channel = side_by_side(channel, constant_channel(self.size), most / found.mixture.leak)
        return self._finished(channel, bound, found)

    def _improved(
        self, pool: Pool, found: Found, effort: Effort, rate: float | None, leak: float | None
    ) -> Found:
        """Search on with the greedy maps' columns, and where little is leaked with more that leak nothing."""
        after: Mixture | None = found.mixture
        size = len(pool)
        if not self.silent_added and NOTHING < found.mixture.leak < LITTLE * self.split.most_leak:
            self.silent_added, after = True, None
            add_silent(pool, self.rng, effort.seconds)
        self._add_greedy(pool, rate)
        better = search(pool, effort, rate=rate, leak=leak, after=after, new=len(pool) - size)
        return better or found

    def _add_greedy(self, pool: Pool, rate: float | None) -> None:
        """Add the columns of greedy maps, so that what is found is no worse; earlier they would hold the search up."""
        if not self.greedy_added:
            self.greedy_added = True
            for share in GREEDY_AT:
                pool.add_dense(self._greedy(share * self.entropy))
        if rate is not None:
            pool.add_dense(self._greedy(rate))

    def _greedy(self, rate: float) -> Array:
        """The masses p(x, y) of the greedy map at this rate."""
        p = self.split.given_x * self.split.p_x
        merges = merge_pairs(p, "s", self.entropy - rate + NOTHING)
        blocks = merges.blocks(len(merges), p.shape[1], 0)
        made: Array = np.eye(int(blocks.max()) + 1)[blocks] * self.split.p_x[:, None]
        return made

    def _finished(self, channel: MatrixChannel, bound: float, found: Found | None = None) -> Design:
        trace = {} if found is None else {"rounds": found.rounds, "columns": len(self.pool or ())}
        return finished(
            self.joint,
            channel,
            max(bound, 0.0),
            sharp=self.split.binary,
            spent=found is not None and found.spent,
            trace=trace,
        )

    def _fallback(self, rate: float | None, leak: float | None) -> Design:
        """X itself some of the time and silence otherwise: always possible, and said to be inaccurate."""
        share = (rate or 0.0) / self.entropy if leak is None else leak / self.information
        channel = side_by_side(MatrixChannel(np.eye(self.size)), constant_channel(self.size), share)
        made = self._finished(channel, (rate or 0.0) - self.split.hidden)
        return Design(
            made.channel, Status.INACCURATE, made.leakage, made.utility, made.bound, {"solver": "failed"}
        )
