"""Gradient-boosted trees on histograms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.core.protocols import Array, Codes
from discreet.estimators.families.family import Predictor, log_shares
from discreet.estimators.matrices.views import Seen

MOST_SECRETS = 30
TREES = 600
"""So many trees at most, over all secrets and rounds."""

WORK = 8e6
"""Rows × secrets at most a round; beyond, a random part of the rows is used."""


@dataclass(frozen=True, slots=True)
class TreeFamily:
    """A sum of small trees, grown by the gradient of log-loss and stopped on rows set aside."""

    leaves: int = 15
    rate: float = 0.1

    def suits(self, seen: Seen, size: int) -> bool:
        """A column to split at, and not too many secrets, each of which costs a tree a round."""
        return size <= MOST_SECRETS and seen.trees.shape[1] > 0

    def fit(self, seen: Seen, s: Codes, size: int, rng: np.random.Generator) -> dict[str, Predictor]:
        """One member."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        present, codes = np.unique(s, return_inverse=True)
        if present.size < 2:
            return {self.name: _Trees(None, present, log_shares(s, size))}
        own = 1 if present.size == 2 else present.size
        rounds = int(np.clip(TREES / own, 25, 150))
        most = int(WORK / own)
        rows = rng.choice(s.size, most, replace=False) if s.size > most else np.arange(s.size)
        least = np.bincount(codes[rows], minlength=present.size).min()
        model = HistGradientBoostingClassifier(
            max_iter=rounds,
            learning_rate=self.rate if rounds > 60 else 2 * self.rate,
            max_leaf_nodes=self.leaves,
            min_samples_leaf=max(5, min(20, rows.size // 50)),
            l2_regularization=3.0,
            categorical_features=seen.named if seen.named.any() else None,
            early_stopping=bool(least >= 10),
            validation_fraction=0.15,
            n_iter_no_change=8,
            random_state=int(rng.integers(2**31)),
        )
        model.fit(seen.trees[rows], codes[rows])
        return {self.name: _Trees(model, present, log_shares(s, size))}

    @property
    def name(self) -> str:
        """How it is called in the scores."""
        return f"boosted trees of {self.leaves} leaves"


@dataclass(frozen=True, slots=True)
class _Trees:
    model: Any
    present: Codes
    base: Array

    def log_ratio(self, seen: Seen) -> Array:
        found = np.full((len(seen), self.base.size), -2.0)
        if self.model is None:
            return np.zeros_like(found)
        raw = self.model.decision_function(seen.trees)
        if raw.ndim == 1:
            raw = np.column_stack([-raw / 2, raw / 2])
        found[:, self.present] = raw - self.base[self.present]
        return found
