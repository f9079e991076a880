"""How much of a record is left: the share of its values that are as they were, numbers by how far they moved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.core.protocols import Array
from discreet.mechanisms.learned.layout import Layout


@dataclass(frozen=True, slots=True)
class Likeness:
    """The mean over columns of 1 − d(x, y): 1 for a record untouched.

    d is whether they differ for categories, and |x − y| / E |x − x′| for numbers as the layout sees them, x′ that of
    somebody else. A column that says the same of everybody counts for nothing. `numbers` and `categories` are the usual
    distances between two people.
    """

    layout: Layout
    numbers: Array
    categories: Array

    @classmethod
    def of(cls, layout: Layout, matrix: Array) -> Likeness:
        """The usual distances between records of these rows."""
        wide = layout.wide(matrix)
        count = len(layout.numbers)
        numbers = [_mean_difference(wide[:, j]) for j in range(count)]
        categories, at = [], count
        for _, size in layout.categories:
            share = wide[:, at : at + size].mean(axis=0)
            categories.append(1 - float(share @ share))
            at += size
        return cls(layout, np.array(numbers), np.array(categories))

    @property
    def weights(self) -> tuple[tuple[float, ...], tuple[tuple[int, float], ...]]:
        """What a unit of each number, and a change of each category, costs."""
        usual = np.concatenate([self.numbers, self.categories])
        count, held = len(self.numbers), usual > 1e-9
        unit = np.concatenate([self.numbers, np.ones(len(self.categories))])
        each = np.where(held, 1 / np.where(held, unit, 1), 0.0) / max(1, int(held.sum()))
        sizes = [size for _, size in self.layout.categories]
        return tuple(each[:count].tolist()), tuple(zip(sizes, each[count:].tolist(), strict=True))

    def utility(self, x: Array, y: Array) -> float:
        """What is left of records x in their releases y, both in the columns' own units."""
        return self.kept(self.layout.wide(x), self.layout.wide(y))

    def kept(self, seen: Array, given: Array) -> float:
        """The same for records as a network sees them; a release may lie between two levels."""
        numbers, categories = self.weights
        count = len(numbers)
        lost = (
            float((np.abs(seen[:, :count] - given[:, :count]) @ np.array(numbers)).mean()) if count else 0.0
        )
        at = count
        for size, weight in categories:
            same = (seen[:, at : at + size] * given[:, at : at + size]).sum(axis=1)
            lost, at = lost + weight * float(1 - same.mean()), at + size
        return 1 - lost

    def spread(self, x: Array, y: Array) -> float:
        """How much of the columns' spread the release keeps, the most of any column: near 0 for a constant release."""
        before, after = Likeness.of(self.layout, x), Likeness.of(self.layout, y)
        usual = np.concatenate([before.numbers, before.categories])
        now = np.concatenate([after.numbers, after.categories])
        held = usual > 1e-9
        return float((now[held] / usual[held]).max()) if held.any() else 1.0


def _mean_difference(x: Array) -> float:
    """E |X − X′| of two records drawn apart: Gini's mean difference, from the sorted values."""
    order = np.sort(x)
    n = len(order)
    weight = 2 * np.arange(1, n + 1) - n - 1
    return float(2 * (weight @ order) / (n * n))
