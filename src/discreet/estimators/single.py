"""One way to learn at a time, cross-fitted and calibrated like the stack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.core.samples import Samples
from discreet.estimators.fitted import Fitted

MOST_COUNTED = 2_000_000
"""Counting is cheap: only beyond so many records is a random sample taken."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """Counts of every combination of values, shrunk towards the shares; numbers are cut into eight bins.

    Right when records are many more than combinations, n ≫ |S| |X|. Linear time.
    """

    folds: int | None = None

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        from discreet.estimators.families.counting import CountFamily
        from discreet.estimators.learning import learn

        families = (CountFamily(bin_numbers=True),)
        return learn(samples, families, method="plugin", rng=rng, folds=self.folds, most_rows=MOST_COUNTED)


@dataclass(frozen=True, slots=True)
class Logistic:
    """Logistic regressions of degree 1 and 2 at several penalties.

    log p(s | x) = w_s · f(x) + b_s + const. Exact for normal laws, whatever their covariances; blind to rings and to
    what only three columns tell together.
    """

    folds: int | None = None

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        from discreet.estimators.families.logistic import LogisticFamily
        from discreet.estimators.learning import learn

        families = (LogisticFamily("linear"), LogisticFamily("products"))
        return learn(samples, families, method="logistic", rng=rng, folds=self.folds)


@dataclass(frozen=True, slots=True)
class Boosting:
    """Gradient-boosted trees of two sizes: good on mixed columns and thresholds, rough on smooth laws."""

    folds: int | None = None

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        from discreet.estimators.families.trees import TreeFamily
        from discreet.estimators.learning import learn

        families = (TreeFamily(15), TreeFamily(5))
        return learn(samples, families, method="boosting", rng=rng, folds=self.folds)


@dataclass(frozen=True, slots=True)
class Network:
    """Two small networks, of corners and of bends, stopped early: good on smooth laws in few dimensions."""

    folds: int | None = None

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        from discreet.estimators.families.network import NetworkFamily
        from discreet.estimators.learning import learn

        return learn(samples, (NetworkFamily(),), method="network", rng=rng, folds=self.folds)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Shares of the secret among the 10, 40 and 160 nearest records; poor in more than a few dimensions."""

    folds: int | None = None

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        from discreet.estimators.families.neighbours import NeighbourFamily
        from discreet.estimators.learning import learn

        return learn(samples, (NeighbourFamily(),), method="neighbours", rng=rng, folds=self.folds)
