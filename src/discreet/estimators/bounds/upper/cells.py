"""Upper bounds cell by cell: information privacy's δ, and the worst cell itself."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.errors import ParameterError
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.estimators.bounds import binomial
from discreet.estimators.bounds.held_out import HeldOut, Table, Target, beta_of, target
from discreet.estimators.bounds.upper.distance import most_distance
from discreet.measures.arguments import not_negative
from discreet.measures.tail import bounds, outside


def information_privacy(
    counts: Table,
    eps: float,
    confidence: float = 0.95,
    *,
    channel: MatrixChannel | None = None,
    strong: bool = False,
    of: Target = "population",
) -> Reading:
    """Beliefs move by more than a factor e^ε with at most this probability.

    population:   every lift within limits at half of β; δ ≤ an upper limit of the share of the cells not certified
    composition:  δ ≤ TV_U · coth(ε/2), strong δ ≤ TV_U / (π_min (1 − e^{−ε})), from the bound of total variation

    The tail is no smooth function of the law, so the first form needs cells that are well filled: a release never seen
    counts as not certified. The second form holds for all ε at once, and is the one for a known channel. E_γ is smooth
    and usually the better statement.

    >>> information_privacy([[3000, 1000], [1500, 4500]], .7)
    δ(ε) [eps=0.7] = 0.106 (upper, of the population, 0 to 0.106 at 95 %, n = 10,000)
    """
    held, beta = HeldOut.of(counts, channel), beta_of(confidence)
    not_negative("eps", eps)
    if target(of) == "composition":
        value, method = _from_distance(held, eps, beta, strong), "total variation"
    elif held.channel is None:
        value, method = _uncertified(held, eps, beta, strong), "cells certified by Clopper–Pearson"
    else:
        raise ParameterError(
            "information privacy of the population behind a known noisy channel",
            "a form through total variation, which is about the composition",
            'pass of="composition", or count the released symbols',
        )
    found = held.bound(
        "information_privacy", value, confidence, of, method, trivial=(0.0, 1.0), eps=float(eps)
    )
    return replace(found, parameters={**found.parameters, "strong": True}) if strong else found


def lift_privacy(counts: Table, confidence: float = 0.95) -> Reading:
    """The most telling release moves the probability of a secret by at most this factor, as a logarithm.

    sup |log l|, each lift within Clopper–Pearson's limits, all limits together at β

    Of the population. Infinite as soon as one pair was not seen: no number of rows excludes that it cannot occur.

    >>> lift_privacy([[300, 100], [150, 450]])
    sup|log l| = 1.145 nats (upper, of the population, 0 to 1.145 at 95 %, n = 1,000)
    """
    held = HeldOut.of(counts)
    low, high = _lift_limits(held, beta_of(confidence))
    with np.errstate(divide="ignore"):
        by_y = np.maximum(np.log(high), -np.log(low)).max(axis=0)
    return held.bound(
        "lift_privacy", by_y.max(), confidence, "population", "Clopper–Pearson, every cell", by_y=by_y
    )


def local_privacy(counts: Table, confidence: float = 0.95) -> Reading:
    """One release shifts the odds between two secrets by at most this factor, as a logarithm.

    ε ≤ log max_y max_s up(s, y) / min_s low(s, y), the limits of p(y | s) all together at β

    Of the population. Infinite as soon as one pair was not seen: merge rare symbols in the release, by a rule fixed on
    the design rows, or publish the known channel's own ε.

    >>> local_privacy([[300, 100], [150, 450]])
    local ε = 1.389 nats (upper, of the population, 0 to 1.389 at 95 %, n = 1,000)
    """
    held = HeldOut.of(counts)
    beta = beta_of(confidence) / (2 * held.cells.size)
    groups = held.by_s[:, None]
    low, high = binomial.lower(held.cells, groups, beta), binomial.upper(held.cells, groups, beta)
    with np.errstate(divide="ignore"):
        by_y = np.log(high.max(axis=0)) - np.log(low.min(axis=0))
    if held.shape[0] == 1:
        by_y = np.zeros(held.shape[1])
    return held.bound(
        "local_privacy", by_y.max(), confidence, "population", "Clopper–Pearson, every cell", by_y=by_y
    )


def _lift_limits(held: HeldOut, beta: float) -> tuple[Array, Array]:
    """Limits of every lift p(s | y)/p(s): β over 2km cells' and 2k priors' one-sided limits."""
    k, m = held.shape
    if k == 1:
        return np.ones((1, m)), np.ones((1, m))
    each = beta / (2 * k * m + 2 * k)
    releases = held.cells.sum(axis=0)
    prior_low, prior_high = binomial.lower(held.by_s, held.n, each), binomial.upper(held.by_s, held.n, each)
    low = binomial.lower(held.cells, releases, each) / prior_high[:, None]
    with np.errstate(divide="ignore"):
        high = binomial.upper(held.cells, releases, each) / prior_low[:, None]
    return low, high


def _uncertified(held: HeldOut, eps: float, beta: float, strong: bool) -> float:
    low, high = _lift_limits(held, beta / 2)
    least, most = bounds(eps)
    open_cells = outside(low, least, most) | outside(high, least, most)
    if strong:
        open_cells = np.broadcast_to(open_cells.any(axis=0), open_cells.shape)
    return float(binomial.upper(int(held.cells[open_cells].sum()), held.n, beta / 2))


def _from_distance(held: HeldOut, eps: float, beta: float, strong: bool) -> float:
    value, _, ceiling = most_distance(held, 1.0, beta)
    distance = min(value, ceiling)
    if distance == 0:
        return 0.0
    if eps == 0:
        return 1.0
    if strong:
        return distance / (held.rarest * -math.expm1(-eps))
    return distance / math.tanh(eps / 2)
