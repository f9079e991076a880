"""What an attacker is: he learns from released records whose secret he knows, and believes something about others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from discreet.adversaries.coordinates import Look, as_released
from discreet.adversaries.desk import Desk, some_rows
from discreet.adversaries.learners import Learner, Maker, Making
from discreet.core.protocols import Array, Estimator
from discreet.core.samples import Columns, Samples
from discreet.estimators.matrices.views import Seen

FLOOR = 1e-12
"""Beliefs are kept above it: a learner that is certain of the wrong secret pays a finite price."""

Side = Literal["linear", "additive", "trees"]
"""Which matrix a classifier reads: numbers and indicators, with curves for the numbers, or as trees like them."""


@runtime_checkable
class Guesser(Protocol):
    """An attacker who has learnt."""

    def beliefs(self, release: Columns) -> Array:
        """How likely he holds each secret to be: [record, secret], rows that sum to one."""
        ...


@runtime_checkable
class Attacker(Protocol):
    """A way to learn a guess from released records. The configured object is the configuration."""

    @property
    def name(self) -> str:
        """What he is called in results."""
        ...

    def fit(self, release: Samples, *, rng: np.random.Generator) -> Guesser:
        """Learn from these records, and from nothing else."""
        ...


@dataclass(frozen=True, slots=True)
class Student:
    """Looks at the columns in some coordinates, reads them as a matrix, and trains a classifier on it.

    `rows` bounds how many records he learns from, drawn evenly; his time and memory are linear in them.
    """

    name: str
    make: Maker
    look: Look = as_released
    side: Side = "linear"
    rows: int = 60_000

    def fit(self, release: Samples, *, rng: np.random.Generator) -> Guesser:
        """Learn from these records."""
        return self.learn(Desk(release, rng), rng=rng)

    def learn(self, desk: Desk, *, rng: np.random.Generator) -> Guesser:
        """Learn from records that others read as well."""
        known = desk.samples
        rows = some_rows(known.n, self.rows, rng)
        s = known.s[rows]
        present = np.unique(s)
        seen = desk.view(self.look).learnt
        x = getattr(seen, self.side)[rows]
        if present.size < 2 or not x.shape[1]:
            return Constant(known.shares)
        levels = seen.named if self.side == "trees" else np.zeros(x.shape[1], dtype=np.bool_)
        learner = self.make(Making(rows.size, present.size, levels, int(rng.integers(2**31))))
        learner.fit(x, s)
        return Taught(learner, desk, self.look, self.side)


@dataclass(frozen=True, slots=True)
class Taught:
    """A classifier that has been trained."""

    learner: Learner
    desk: Desk
    look: Look
    side: Side

    def beliefs(self, release: Columns) -> Array:
        """What the classifier holds likely; nothing for a secret that it never saw."""
        seen: Seen = self.desk.see(self.look, release)
        held = np.zeros((release.n, self.desk.samples.size))
        held[:, np.asarray(self.learner.classes_)] = self.learner.predict_proba(getattr(seen, self.side))
        return normal(held)


@dataclass(frozen=True, slots=True)
class Constant:
    """Believes the same of every record."""

    shares: Array

    def beliefs(self, release: Columns) -> Array:
        """The shares, for each record."""
        return normal(np.tile(self.shares, (release.n, 1)))


@dataclass(frozen=True, slots=True)
class Bettor:
    """An estimator of the lift that bets: he believes p(s) l(s, x).

    Any estimator of the house may attack, for example Bettor("the stack", estimators.Stack()).
    """

    name: str
    estimator: Estimator

    def fit(self, release: Samples, *, rng: np.random.Generator) -> Guesser:
        """Fit the lift."""
        return Fitted(self.estimator.fit(release, rng=rng))


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted lift, read as beliefs."""

    model: Any

    def beliefs(self, release: Columns) -> Array:
        """The posterior of each record."""
        return normal(self.model.lift(release).posterior.T)


def normal(beliefs: Array) -> Array:
    """Rows that sum to one, without zeros; what is no number counts for nothing."""
    held = np.clip(np.nan_to_num(beliefs, nan=0.0), FLOOR, None)
    found: Array = held / held.sum(axis=1, keepdims=True)
    return found
