"""The default: a log-linear stack of unlike predictors, weighted by how well they explain unseen records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.core.samples import Samples
from discreet.estimators.fitted import Fitted


@dataclass(frozen=True, slots=True)
class Stack:
    """Logistic regressions of degree 1 and 2 and of curves, boosted trees, networks, and counts where they suffice.

    log q(s | x) = log p(s) + Σ_k w_k z_k(s, x) + b_s + const,   w ≥ 0 least in log-loss on unseen records

    It needs no tuning and is right where one of its members is; it is at its weakest with few records in many
    dimensions, where nobody is good and its weights draw it towards "tells nothing". Time and memory are linear in the
    records, of which `most_rows` at most are used: about 10 CPU seconds for 50,000 records of 12 columns.
    """

    folds: int | None = None
    most_rows: int = 60_000

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        from discreet.estimators.families.counting import CountFamily
        from discreet.estimators.families.logistic import LogisticFamily
        from discreet.estimators.families.network import NetworkFamily
        from discreet.estimators.families.trees import TreeFamily
        from discreet.estimators.learning import learn

        families = (
            LogisticFamily("linear"),
            LogisticFamily("additive"),
            LogisticFamily("products"),
            TreeFamily(15),
            TreeFamily(5),
            NetworkFamily(),
            CountFamily(),
        )
        return learn(samples, families, method="stack", rng=rng, folds=self.folds, most_rows=self.most_rows)
