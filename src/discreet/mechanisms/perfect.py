"""Perfect privacy: the most that can be said about X without a word about S."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from discreet.core.design import Design, Status
from discreet.core.joint import Joint
from discreet.mechanisms.finished import constant_channel, finished
from discreet.mechanisms.posteriors import Mixture, Pool, coupled, mix, spread
from discreet.mechanisms.pricing import best_of_each, coin_entropy
from discreet.mechanisms.search import Effort, search
from discreet.mechanisms.split import Split, split_law
from discreet.mechanisms.vertices import add_corners, add_corners_near, listed, straddling_pairs

SILENT = 1e-18
"""A column that leaks less than this, in nats, leaks nothing but rounding: its lifts are 1 to nine digits or more."""

ROUNDS = 60

FAINT = (0.01, 0.01, 0.003, 0.003)
"""Shares of I(S;X) that may be told while columns that can be made silent are looked for."""

COLUMNS = 3_000


def perfect_privacy(joint: Joint, *, rng: np.random.Generator | None = None) -> Design:
    """Tell as much about X as can be told while the release stays independent of S.

    max I(X;Y)   over all p(y|x) with   I(S;Y) = 0

    The posteriors p(x|y) of such a release lie in {q : Σ_x q(x) p(s|x) = p(s)}, the best of them in its corners,
    which a linear program mixes; within each value of what S and X have in common that is a problem of its own.
    Where no such value leaves more than two secrets, or the corners are few, all of them are looked at and no
    mechanism tells more; otherwise the status says that a better one may exist. Independence is exact for this law,
    up to rounding; for a table it is about its rows, so look at the leak on rows that were held out. Silence is the
    answer where nothing more can be told.

    `rng` draws the corners that are tried where they are too many. O(|X|²) pairs of symbols with two secrets.

    >>> design = perfect_privacy(Joint([[.3, .05, .05], [.1, .1, .4]]))
    >>> design.leakage, round(design.utility.value, 4)
    (I(S;Y) = 0 nats (exact, of this law), 0.3663)

    References: paper 002, equation (3) at I(S;Y) = 0.
    """
    split, size = split_law(joint), joint.p.shape[-1]
    pool, rng = Pool(split), np.random.default_rng(0) if rng is None else rng
    add_corners(pool, rng)
    add_silent(pool, rng)
    mixture, rounds = most_told(pool), 0
    while mixture is not None and rounds < ROUNDS and _add_better_pairs(pool, mixture):
        mixture, rounds = most_told(pool) or mixture, rounds + 1
    if mixture is None or mixture.rate <= 0:
        return finished(joint, constant_channel(size), 0.0)
    trace = {"columns": len(pool), "rounds": rounds}
    made = finished(joint, spread(coupled(pool, mixture), split, size), 0.0, trace=trace)
    return made if rounds < ROUNDS and searched(split) else replace(made, status=Status.CHEAP)


def add_silent(pool: Pool, rng: np.random.Generator, seconds: float | None = None) -> None:
    """Add silent columns where not all of them are looked at: the corners beside what a little leak allows."""
    split = pool.split
    if searched(split):
        return
    effort = Effort(0, seconds, rng)
    for share in FAINT:
        effort.columns = COLUMNS
        found = search(pool, effort, leak=share * split.most_leak)
        if found is None:
            break
        for part in split.parts:
            if part.secrets.size > 2 and not listed(part):
                add_corners_near(pool, part, found.mixture)


def searched(split: Split) -> bool:
    """Whether every silent column is listed, or looked at as a pair."""
    return all(part.secrets.size <= 2 or listed(part) for part in split.parts)


def most_told(pool: Pool) -> Mixture | None:
    """The best mixture of the silent columns."""
    return mix(pool, np.flatnonzero(pool.leak <= SILENT))


def _add_better_pairs(pool: Pool, mixture: Mixture) -> bool:
    """Add silent pairs that would improve the mixture; whether there were any."""
    size, prices = len(pool), mixture.prices.symbol
    for part in pool.split.parts:
        if part.secrets.size == 2:
            i, j, share = straddling_pairs(pool.split, part)
            cost = coin_entropy(share) - share * prices[i] - (1 - share) * prices[j]
            chosen = best_of_each(i, j, cost, i.size)
            pool.add_pairs(i[chosen], j[chosen], share[chosen])
    return len(pool) > size
