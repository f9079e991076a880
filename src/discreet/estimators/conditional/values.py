"""Single values of single columns that give a secret away, with limits that hold for all of them at once."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from discreet.core.protocols import Array
from discreet.core.reading import Interval, Origin, Reading
from discreet.core.samples import Samples
from discreet.estimators.conditional.bins import Binned, binned
from discreet.estimators.parts import without_copies

SYMBOLS = 16
LEAST = 20
"""A value of fewer records than this is not shown."""


@dataclass(frozen=True, slots=True)
class ValueTold:
    """A value of a column and the secret that it moves furthest: log p(s | value) / p(s), with its limits.

    `telling` says that 0 lies outside the limits, which hold for all values, columns and secrets at once.
    """

    column: str
    value: str
    count: int
    secret: object
    log_lift: Reading
    telling: bool


def values_told(samples: Samples, *, confidence: float = 0.95, least: int = LEAST) -> tuple[ValueTold, ...]:
    """For each value of each column the secret about which it tells most; those that surely tell most first.

    A number is cut into up to 16 intervals of equal shares, and of many levels the 15 commonest stand alone. Limits are
    Clopper and Pearson's for p(s | value) and p(s), shared out over every value and secret (Bonferroni): exact, of the
    population. O(records × columns).

    >>> from discreet.core.samples import Column, Columns
    >>> s = np.array([0] * 100 + [1] * 100)
    >>> colour = Column("colour", s, levels=("red", "blue"))
    >>> values_told(Samples(Columns([colour]), s))[0]
    ValueTold(column='colour', value='red', count=100, secret=1, log_lift=i(s;x) = -inf ..., telling=True)

    References: certificates, 2.8(a).
    """
    once = without_copies(samples)
    columns = [binned(c, SYMBOLS) for c in once.x]
    statements = 2 * samples.size * (1 + sum(len(c.labels) for c in columns))
    beta = (1 - confidence) / statements
    made = [v for c in columns for v in _values(c, once, beta, confidence, least)]
    return tuple(sorted(made, key=lambda v: -_sure(v.log_lift)))


def _values(column: Binned, samples: Samples, beta: float, confidence: float, least: int) -> list[ValueTold]:
    from discreet.estimators.bounds import binomial

    width = max(len(column.labels), 1)
    n = np.bincount(samples.s * width + column.codes, minlength=samples.size * width)
    n = n.reshape(samples.size, width)
    count, whole = n.sum(axis=0), samples.counts[:, None]
    low = _log(binomial.lower(n, count, beta)) - _log(binomial.upper(whole, samples.n, beta))
    high = _log(binomial.upper(n, count, beta)) - _log(binomial.lower(whole, samples.n, beta))
    found = np.where(whole > 0, _log(n / np.maximum(count, 1)) - _log(samples.shares)[:, None], 0.0)
    labels = samples.axes[0].labels or tuple(range(samples.size))
    origin = Origin("counted", "the population", samples.n, method="Clopper–Pearson")
    made = []
    for j in np.flatnonzero(count >= least).tolist():
        sure = np.maximum(np.maximum(low[:, j], -high[:, j]), 0.0)
        s = int(np.lexsort((np.abs(np.nan_to_num(found[:, j], neginf=-99)), sure))[-1])
        limits = Interval(float(low[s, j]), float(high[s, j]), confidence)
        reading = Reading(float(found[s, j]), "nats", "i(s;x)", "estimate", limits, origin=origin)
        made.append(
            ValueTold(column.name, column.labels[j], int(count[j]), labels[s], reading, bool(sure[s] > 0))
        )
    return made


def _sure(reading: Reading) -> float:
    """How far from 0 the log-lift surely is, with the estimate to break ties."""
    if reading.interval is None:
        return 0.0
    sure = max(reading.interval.low, -reading.interval.high, 0.0)
    return sure + 1e-6 * min(abs(reading.value), 99.0) if math.isfinite(sure) else sure


def _log(p: Array) -> Array:
    with np.errstate(divide="ignore"):
        found: Array = np.log(p)
    return found
