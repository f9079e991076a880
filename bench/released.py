"""Whole tables released by a learned mechanism and by older ways, at equal utility, under the best attacker of the zoo.

    python bench/released.py [adult] [compas] [--seeds N] [--first N] [--rows N]
                             [--rounds N] [--at U …] [--attackers NAME …] [--bins N] [--small]

For each seed the rows are divided: 70 % design, and the attackers learn from their releases, one as it is out and one
drawn anew by the mechanism; 30 % judge. Utility is the share of values that are as they were, the mean over columns; a
number counts by how far it moved, in units of the usual distance between two people. The area under the curve is that
of the attacker who was best on rows to learn from.

    learned              the preset `gap`, one network for each budget
    row replacement      a record becomes that of somebody else, whole
    randomised response  a value becomes that of somebody else, column by column
    suppression          columns become one value, the most telling first; between two of them, by chance a record
    linear erasure       nothing linear is left; it has one utility only, and is no mechanism against trees

With --small four columns of few values are released, so that the convex program can be solved as well, and is the
design that `discreet design` chooses there; the game is shown beside it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attack import samples_of
from discreet.adversaries.campaign import tried
from discreet.adversaries.rows import Division, divided
from discreet.adversaries.zoo import attackers
from discreet.core.counts import Counts
from discreet.core.samples import Column, Columns, Samples
from discreet.mechanisms.distortion import least_leakage
from discreet.mechanisms.learned.erasure import linear_erasure
from discreet.mechanisms.learned.layout import Layout
from discreet.mechanisms.learned.likeness import Likeness
from discreet.mechanisms.learned.presets import gap
from discreet.mechanisms.learned.rounds import Training

UTILITIES = (0.95, 0.9, 0.8, 0.7)
SMALL = {
    "adult": ("age7", "edu4", "race", "sex"),
    "compas": ("sex", "age", "priors_count", "c_charge_degree"),
}

Array = NDArray[Any]
Release = Callable[[Columns, np.random.Generator], Columns]


class Point(NamedTuple):
    utility: float
    area: float
    attacker: str


class Arena:
    """One division of one table: releases are attacked and their utility is taken on the rows that judge."""

    def __init__(self, samples: Samples, zoo: Any, seed: int) -> None:
        self.samples, self.zoo, self.seed = samples, zoo, seed
        self.division: Division = divided(samples, 0.3, rng=np.random.default_rng(seed))
        self.own = samples.take(self.division.learnt)
        layout = Layout.of(self.own.x)
        self.likeness = Likeness.of(layout, layout.matrix(self.own.x))

    def point(self, release: Release) -> Point:
        """The utility and the area of a way to release."""
        rng = np.random.default_rng(self.seed + 1)
        out, fresh = release(self.samples.x, rng), release(self.samples.x, rng)
        return Point(self.utility(out), *self.area(out, [fresh]))

    def area(self, out: Columns, fresh: list[Columns]) -> tuple[float, str]:
        released = Samples(out, self.samples.s, self.samples.axes[0], self.samples.size)
        rng = np.random.default_rng(self.seed + 2)
        trial, _ = tried(self.zoo, released, fresh, self.division, 0.95, rng, rng)
        return trial.figures["auc"].value, trial.chosen["auc"]

    def utility(self, out: Columns) -> float:
        layout, rows = self.likeness.layout, self.division.judging
        before = layout.wide(layout.matrix(self.samples.x.take(rows)))
        if out.names == self.samples.x.names:
            after = layout.wide(layout.matrix(out.take(rows)))
        else:
            after = np.column_stack([column.values[rows] for column in out])
        return self.likeness.kept(before, after)


def replaced(own: Columns, share: float, whole: bool) -> Release:
    """Records, or values one by one, exchanged for those of others."""

    def release(x: Columns, rng: np.random.Generator) -> Columns:
        made, rows, which = [], rng.random(x.n) < share, rng.integers(0, own.n, x.n)
        for column in x:
            if not whole:
                rows, which = rng.random(x.n) < share, rng.integers(0, own.n, x.n)
            made.append(_values(column, np.where(rows, own[column.name].values[which], column.values)))
        return Columns(made)

    return release


def suppressed(own: Columns, order: list[str], count: float) -> Release:
    """The first columns of the order as one value each; the next one for a share of the records."""

    def release(x: Columns, rng: np.random.Generator) -> Columns:
        made = list(x)
        for place, name in enumerate(order[: int(np.ceil(count))]):
            j = x.names.index(name)
            rows = rng.random(x.n) < count - place
            made[j] = _values(x[name], np.where(rows, _commonest(own[name]), x[name].values))
        return Columns(made)

    return release


def telling(own: Samples, rows: int = 4000) -> list[str]:
    """Columns in the order in which suppressing them costs trees most, one after the other."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import log_loss

    def loss(names: list[str]) -> float:
        x = np.column_stack([own.x[name].values for name in names])[: 2 * rows]
        named = [
            j for j, name in enumerate(names) if not own.x[name].is_number and len(own.x[name].levels) < 255
        ]
        trees = HistGradientBoostingClassifier(
            max_iter=40, max_leaf_nodes=8, categorical_features=named or None
        )
        trees.fit(x[:rows], own.s[:rows])
        return log_loss(own.s[rows : 2 * rows], trees.predict_proba(x[rows:]), labels=trees.classes_)

    left, order = list(own.x.names), []
    rows = min(rows, own.n // 2)
    while len(left) > 1:
        worst = max(left, key=lambda name: loss([n for n in left if n != name]))
        left.remove(worst)
        order.append(worst)
    return order


def at_utility(arena: Arena, way: Callable[[float], Release], utility: float, most: float) -> Point:
    """The point of a way whose utility is this, by halving its strength; utility falls as strength grows."""
    low, high = 0.0, most
    for _ in range(12):
        middle = (low + high) / 2
        out = way(middle)(arena.samples.x, np.random.default_rng(arena.seed + 1))
        low, high = (middle, high) if arena.utility(out) > utility else (low, middle)
    return arena.point(way(high))


def contest(name: str, asked: Any, seed: int) -> dict[str, list[Point]]:
    rng = np.random.default_rng(seed)
    samples = samples_of(name, asked.rows, rng)
    if asked.bins:
        samples = ranged(samples, asked.bins)
    arena = Arena(samples, attackers(asked.attackers or "quick"), seed)
    own, found = arena.own, {}
    start = time.process_time()
    designs = gap(own, [1 - u for u in asked.at], training=Training(asked.rounds), rng=rng).points
    print(
        f"  learned in {time.process_time() - start:.0f} CPU s; {', '.join(d.status.name for d in designs)}",
        flush=True,
    )
    found["learned"] = [arena.point(lambda x, r, d=design: d.channel.release(x, rng=r)) for design in designs]
    show(found, "learned")
    order = telling(own)
    # a rival is looked at where the learned release came to lie, so that both have the same utility
    ways: dict[str, tuple[Callable[[float], Release], float]] = {
        "row replacement": (lambda share: replaced(own.x, share, whole=True), 1.0),
        "randomised response": (lambda share: replaced(own.x, share, whole=False), 1.0),
        "suppression": (lambda count: suppressed(own.x, order, count), float(len(order))),
    }
    for way, (make, most) in ways.items():
        found[way] = [at_utility(arena, make, p.utility, most) for p in found["learned"]]
        show(found, way)
    erasure = linear_erasure(own)
    out = erasure.release(arena.samples.x, rng=rng)
    found["linear erasure"] = [Point(arena.utility(out), *arena.area(out, []))]
    show(found, "linear erasure")
    found["untouched"] = [Point(1.0, *arena.area(arena.samples.x, []))]
    show(found, "untouched")
    print(
        f"  linear erasure, under a straight logistic regression only: {straight(arena, out):.3f}", flush=True
    )
    return found


def small_contest(name: str, asked: Any, seed: int) -> dict[str, list[Point]]:
    """The convex program and the game on a few columns of few values."""
    rng = np.random.default_rng(seed)
    whole = samples_of(name, asked.rows, rng, SMALL[name])
    samples = ranged(whole, asked.bins or 5)
    arena = Arena(samples, attackers(asked.attackers or "quick"), seed)
    found: dict[str, list[Point]] = {"convex program": []}
    cells, codes = np.unique(_codes(samples.x), axis=0, return_inverse=True)
    codes = codes.reshape(-1)
    seen = np.zeros((samples.size, len(cells)), dtype=np.int64)
    np.add.at(seen, (arena.own.s, codes[arena.division.learnt]), 1)
    _, weights = arena.likeness.weights
    cost = sum(w * (cells[:, None, j] != cells[None, :, j]) for j, (_, w) in enumerate(weights))
    for utility in asked.at:
        design = least_leakage(Counts(seen).joint(), cost, 1 - utility)

        def release(x: Columns, rng: np.random.Generator, design: Any = design) -> Columns:
            y = cells[design.channel.apply(codes, rng=rng)]
            return Columns([_values(c, y[:, j]) for j, c in enumerate(x)])

        found["convex program"].append(arena.point(release))
    show(found, "convex program")
    designs = gap(arena.own, [1 - u for u in asked.at], training=Training(asked.rounds), rng=rng).points
    found["learned"] = [arena.point(lambda x, r, d=d: d.channel.release(x, rng=r)) for d in designs]
    show(found, "learned")
    return found


def ranged(samples: Samples, bins: int) -> Samples:
    """The same records with numbers as ranges."""
    x = Columns([binned(column, bins) for column in samples.x])
    return Samples(x, samples.s, samples.axes[0], samples.size)


def binned(column: Column, bins: int) -> Column:
    """A number as one of a few equally frequent ranges; levels as they are."""
    if not column.is_number:
        return column
    cuts = np.unique(np.quantile(column.values, np.linspace(0, 1, bins + 1)[1:-1]))
    codes = np.searchsorted(cuts, column.values, side="right")
    return Column(column.name, codes, tuple(f"range {k}" for k in range(cuts.size + 1)))


def _codes(x: Columns) -> Array:
    return np.column_stack([c.values for c in x])


def straight(arena: Arena, out: Columns) -> float:
    """The area of log-odds linear in the released numbers as they are; the zoo's logistic regression bends some."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    x, s = np.column_stack([c.values for c in out]), arena.samples.s
    learnt, judging = arena.division.learnt, arena.division.judging
    model = LogisticRegression(max_iter=300).fit(x[learnt], s[learnt])
    return float(roc_auc_score(s[judging], model.predict_proba(x[judging])[:, 1]))


def show(found: dict[str, list[Point]], way: str) -> None:
    points = "   ".join(f"{p.utility:.3f} → {p.area:.3f} ({p.attacker})" for p in found[way])
    print(f"  {way:<20} {points}", flush=True)


def _values(column: Column, values: Array) -> Column:
    return Column(column.name, values if column.is_number else values.astype(np.int64), column.levels)


def _commonest(column: Column) -> float:
    present = column.values[np.isfinite(column.values)]
    return float(np.median(present)) if column.is_number else float(np.bincount(column.values).argmax())


def summary(name: str, asked: Any, all_found: list[dict[str, list[Point]]]) -> None:
    """Means over seeds, with an interval where there are several, and the margins."""
    print(f"{name}, {len(all_found)} seeds: utility, area under the curve of the best attacker")
    for way in all_found[0]:
        for i in range(len(all_found[0][way])):
            utilities, areas = (np.array([f[way][i][k] for f in all_found]) for k in (0, 1))
            print(f"  {way:<20} {utilities.mean():.3f}  {areas.mean():.3f} ± {half_width(areas):.3f}")
    for rival in ("row replacement", "randomised response", "suppression", "convex program"):
        if rival not in all_found[0]:
            continue
        for i, wanted in enumerate(asked.at):
            apart = np.array([f[rival][i].area - f["learned"][i].area for f in all_found])
            print(f"  learned below {rival:<20} at {wanted}: {apart.mean():+.3f} ± {half_width(apart):.3f}")


def half_width(values: Array) -> float:
    """Of Student's interval at 95 %."""
    from scipy.stats import t

    n = len(values)
    return float(t.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=["compas", "adult"])
    parser.add_argument("--rows", type=int, default=10**9)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rounds", type=int, help="of training; the preset's own by default")
    parser.add_argument("--at", type=float, nargs="*", default=UTILITIES, help="utilities")
    parser.add_argument(
        "--attackers", nargs="*", help="these of the zoo only; all of the quick ones by default"
    )
    parser.add_argument("--bins", type=int, help="release numbers as so many ranges")
    parser.add_argument("--small", action="store_true")
    asked = parser.parse_args()
    for name in asked.sets:
        found = []
        for seed in range(asked.first, asked.first + asked.seeds):
            print(f"{name}, seed {seed}", flush=True)
            found.append((small_contest if asked.small else contest)(name, asked, seed))
        summary(name, asked, found)


if __name__ == "__main__":
    main()
