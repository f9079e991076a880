"""One half of the records learns what symbols tell, the other judges it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.core.samples import Samples
from discreet.estimators.conditional.bins import Binned
from discreet.estimators.families.family import log_shares
from discreet.estimators.matrices.told import by_counts
from discreet.estimators.parts import folds_of


class Told(NamedTuple):
    """log p(s | symbol) / p(s)[secret, symbol] as one half has it, and the symbols of the other half."""

    table: Array
    codes: Codes


@dataclass(frozen=True, slots=True)
class Halves:
    """Symbols and secrets of both halves; copies of a record are on one side."""

    learn: Codes
    judge: Codes
    s_learn: Codes
    s_judge: Codes
    size: int
    widths: tuple[int, ...]

    @classmethod
    def of(cls, samples: Samples, columns: Sequence[Binned], rng: np.random.Generator) -> Halves:
        """Deal the records."""
        fold = folds_of(samples, 2, rng)
        codes = np.column_stack([c.codes for c in columns])
        widths = tuple(max(len(c.labels), 1) for c in columns)
        first, second = fold == 0, fold == 1
        return cls(codes[first], codes[second], samples.s[first], samples.s[second], samples.size, widths)

    @property
    def shares(self) -> Array:
        """The shares of the secret among the records that judge."""
        return np.bincount(self.s_judge, minlength=self.size) / self.s_judge.size

    @property
    def learnt(self) -> Array:
        """The shares among those that learn, shrunk by half a record."""
        found: Array = np.exp(log_shares(self.s_learn, self.size))
        return found

    def told(self, *which: int) -> Told:
        """What each combination of these columns' symbols tells."""
        width = [self.widths[j] for j in which]
        learn, judge = (
            np.ravel_multi_index(tuple(half[:, j] for j in which), width) for half in (self.learn, self.judge)
        )
        return Told(by_counts(learn, int(np.prod(width)), self.s_learn, self.size).T, judge)

    def own(self, told: Told) -> Array:
        """log p(s_i | symbol_i) / p(s_i) of each judge."""
        found: Array = told.table[self.s_judge, told.codes]
        return found
