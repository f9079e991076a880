"""The predictors that attackers of a number train."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from discreet.adversaries.attacker import Side
from discreet.adversaries.coordinates import Look, as_released, digits, ranked
from discreet.adversaries.desk import Desk, some_rows
from discreet.adversaries.learners import Filled, Making, boosted_how
from discreet.core.protocols import Array
from discreet.core.samples import Columns

RegressorMaker: TypeAlias = Callable[[Making], Any]
Predictor: TypeAlias = Callable[[Columns], Array]

SLOW_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class NumberStudent:
    """Looks at the columns in some coordinates, reads them as a matrix, and trains a regression on it."""

    name: str
    make: RegressorMaker
    look: Look = as_released
    side: Side = "linear"
    rows: int = 60_000

    def learn(self, desk: Desk, numbers: Array, *, rng: np.random.Generator) -> Predictor:
        """Learn these numbers from the records of the desk."""
        rows = some_rows(numbers.size, self.rows, rng)
        seen = desk.view(self.look).learnt
        x = getattr(seen, self.side)[rows]
        mean = float(numbers.mean())
        if not x.shape[1] or np.ptp(numbers[rows]) == 0:
            return lambda columns: np.full(columns.n, mean)
        levels = seen.named if self.side == "trees" else np.zeros(x.shape[1], dtype=np.bool_)
        deviation = float(numbers[rows].std())
        model = self.make(Making(rows.size, 1, levels, int(rng.integers(2**31))))
        model.fit(x, (numbers[rows] - mean) / deviation)

        def predict(columns: Columns) -> Array:
            read = getattr(desk.see(self.look, columns), self.side)
            return mean + deviation * np.asarray(model.predict(read), dtype=np.float64)

        return predict


def ridge(penalty: float = 1.0) -> RegressorMaker:
    """Linear in the columns."""

    def make(_: Making) -> Any:
        from sklearn.linear_model import Ridge

        return Ridge(alpha=penalty)

    return make


def boosting(leaves: int = 31, rate: float = 0.08, rounds: int = 150) -> RegressorMaker:
    """Gradient-boosted trees on squared error."""

    def make(task: Making) -> Any:
        from sklearn.ensemble import HistGradientBoostingRegressor

        return HistGradientBoostingRegressor(**boosted_how(task, leaves, rate, rounds, 20))

    return make


def forest(trees: int = 100, smallest: int = 5) -> RegressorMaker:
    """Trees on resampled records, a third of the columns at each split."""

    def make(task: Making) -> Any:
        from sklearn.ensemble import RandomForestRegressor

        model = RandomForestRegressor(
            trees, min_samples_leaf=smallest, max_features=1 / 3, random_state=task.seed
        )
        return Filled(model)

    return make


def neighbours(most: int = 40) -> RegressorMaker:
    """The mean among the nearest records."""

    def make(task: Making) -> Any:
        from sklearn.neighbors import KNeighborsRegressor

        return KNeighborsRegressor(max(1, min(most, int(np.sqrt(task.n)))), algorithm="brute")

    return make


def network(hidden: tuple[int, ...] = (64, 64)) -> RegressorMaker:
    """A multilayer perceptron on squared error; a tenth of the records says when to stop, where there are enough."""

    def make(task: Making) -> Any:
        from sklearn.neural_network import MLPRegressor

        rounds = max(20, min(200, 600_000 // task.n))
        return MLPRegressor(
            hidden_layer_sizes=hidden,
            batch_size=min(200, task.n),
            max_iter=rounds,
            early_stopping=task.n >= 100,
            n_iter_no_change=4,
            random_state=task.seed,
        )

    return make


NUMBER_ZOO: tuple[NumberStudent, ...] = (
    NumberStudent("linear", ridge()),
    NumberStudent("curves", ridge(3.0), side="additive"),
    NumberStudent("boosting", boosting(), side="trees"),
    NumberStudent("boosting, small trees", boosting(6, 0.1, 200), side="trees"),
    NumberStudent("boosting, digits", boosting(rounds=80), look=digits, side="trees"),
    NumberStudent("random forest", forest(), side="trees", rows=SLOW_ROWS),
    NumberStudent("nearest neighbours", neighbours(), rows=SLOW_ROWS),
    NumberStudent("network, 64-64", network()),
    NumberStudent("network, 64-64, ranks", network(), look=ranked),
)
"""Nine attackers of a number, of six kinds."""
