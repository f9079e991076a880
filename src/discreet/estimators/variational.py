"""The papers' own estimators: a network's scores pushed up against a variational bound, cross-fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import ParameterError
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Origin
from discreet.core.samples import Columns, Samples
from discreet.estimators.fitted import Fitted, Score, lift_of
from discreet.estimators.learning import MOST_ROWS, check, nothing_to_tell
from discreet.estimators.matrices.views import Seen, Views
from discreet.estimators.parts import folds_of, some_of
from discreet.estimators.weights import log_loss, normalised

if TYPE_CHECKING:
    from discreet.neural.fit import Critic

FOLDS = 3
FURTHEST = 10.0
"""A feature is not taken further than so many deviations from its mean."""

TRIM = 3.0
"""Where TIDE trims, unless it is told: lifts from 1/20 to 20."""

Bound = Literal["donsker_varadhan", "nwj", "chi_squared"]


@dataclass(frozen=True, slots=True)
class DonskerVaradhan:
    """The critic of paper 001: E_joint g − log E_product e^g, less the constant that it leaves open.

    The best critic is the log-lift up to a constant (E18), so log E_product e^g, on rows set aside, is subtracted. The
    product expectation is exact over secrets. Stopped early on those rows; the extra `learn` is needed.
    """

    hidden: Sequence[int] = (64, 64)
    folds: int = FOLDS

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        return _critics(
            samples, _Asked("donsker_varadhan", None, "donsker_varadhan", self.hidden, self.folds), rng
        )


@dataclass(frozen=True, slots=True)
class Tide:
    """The trimmed critic of paper 003 as printed: Donsker and Varadhan's with |g| ≤ M, then normalised.

    Its best critic is clip(i + c), not clip(i) (E35): within the box it is off by a constant, which normalising moves
    but does not remove. Nwj has the same box without that fault.
    """

    trim: float = TRIM
    hidden: Sequence[int] = (64, 64)
    folds: int = FOLDS

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        return _critics(samples, _Asked("donsker_varadhan", self.trim, "tide", self.hidden, self.folds), rng)


@dataclass(frozen=True, slots=True)
class Nwj:
    """The trimmed critic by E_joint g − E_product e^g + 1, |g| ≤ M; its best critic is exactly the clipped log-lift."""

    trim: float | None = TRIM
    hidden: Sequence[int] = (64, 64)
    folds: int = FOLDS

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        return _critics(samples, _Asked("nwj", self.trim, "nwj", self.hidden, self.folds), rng)


@dataclass(frozen=True, slots=True)
class ChiSquared:
    """The critic of paper 000, centred: (E_joint g − E_product g)² / Var_product g (T9).

    g is the lift up to scale and offset, which rows set aside decide; a lift below 1/1000 is taken to be that.
    """

    hidden: Sequence[int] = (64, 64)
    folds: int = FOLDS

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        return _critics(samples, _Asked("chi_squared", None, "chi_squared", self.hidden, self.folds), rng)


class _Asked(NamedTuple):
    """A variational bound, the box that its critics stay in, what the method is called, and how it is fitted."""

    bound: Bound
    trim: float | None
    method: str
    hidden: Sequence[int]
    folds: int


def _critics(samples: Samples, asked: _Asked, rng: np.random.Generator) -> Fitted:
    check(samples)
    trim = asked.trim
    if trim is not None and not trim > 0:
        raise ParameterError("a trim above 0", f"trim = {trim}", "give M in nats")
    rows = some_of(samples.n, MOST_ROWS, rng)
    taken = samples.take(rows)
    if np.count_nonzero(taken.counts) < 2:
        return nothing_to_tell(taken, asked.method, rows)
    found = _crossfit(taken, asked, rng)
    if found is None:
        return nothing_to_tell(taken, asked.method, rows, "no column has two values")
    sampled = "" if rows.size == samples.n else f"; from a random {rows.size:,} of {samples.n:,} records"
    box = "" if trim is None else f", trimmed at {trim:g}"
    return _assembled(
        taken, asked, *found, rows, f"a critic of {asked.bound}, {asked.folds} folds{box}{sampled}"
    )


Machines = list[tuple["_Read", "Critic"]]


def _crossfit(samples: Samples, asked: _Asked, rng: np.random.Generator) -> tuple[Machines, Array] | None:
    """A critic for each fold, and each record's log-lift by the one that has not seen it; None without a feature."""
    from discreet.neural import fit_critic

    fold = folds_of(samples, asked.folds, rng)
    machines: Machines = []
    apart = np.zeros((samples.n, samples.size))
    for k in range(asked.folds):
        rest, here = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        views, seen = Views.fit(samples.take(rest), rng)
        read = _Read.of(views, seen)
        if not read.varies.any():
            return None
        critic = fit_critic(
            read.features(seen),
            samples.s[rest],
            samples.size,
            asked.bound,
            clip=asked.trim,
            hidden=asked.hidden,
            rng=rng,
        )
        machines.append((read, critic))
        apart[here] = critic.log_lift(read(samples.x.take(here)))
    return machines, apart


def _assembled(
    samples: Samples, asked: _Asked, machines: Machines, apart: Array, rows: Codes, choice: str
) -> Fitted:
    p_s = samples.shares
    with np.errstate(divide="ignore"):
        log_p = np.log(p_s)

    def log_posterior(x: Columns) -> Array:
        log_lift: Array = np.mean([critic.log_lift(read(x)) for read, critic in machines], axis=0)
        return log_lift + log_p

    how = f"{asked.method}, {asked.folds} folds"
    origin = Origin("learned", "the population", n=samples.n, clip=asked.trim, method=how)
    held = lift_of(apart + log_p, p_s, samples.axes, origin)
    origin = replace(origin, defect=held.defect)
    return Fitted(
        axes=samples.axes,
        p_s=p_s,
        origin=origin,
        held_out=Lift(held.log_lift, p_s, held.p_y, samples.axes, origin),
        scores=(Score(asked.method, log_loss(normalised(apart + log_p), samples.s), 1.0),),
        choice=choice,
        rows=rows,
        names=samples.x.names,
        read=log_posterior,
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """Records as a critic reads them: numbers of one size, and no feature that it has only seen at one value."""

    views: Views
    varies: NDArray[np.bool_]

    @classmethod
    def of(cls, views: Views, seen: Seen) -> _Read:
        return cls(views, np.ptp(seen.linear, axis=0) > 0)

    def features(self, seen: Seen) -> Array:
        made: Array = np.clip(seen.linear[:, self.varies], -FURTHEST, FURTHEST)
        return made

    def __call__(self, x: Columns) -> Array:
        return self.features(self.views.see(x))
