"""The attackers against a search by hand: is the headline attacker within a hundredth of the best that could be tuned?

    python bench/attack.py [--rows N] [--tries N] [--seeds N] [adult] [compas]

The search draws configurations of boosting, forests, extra trees, logistic regression, networks and kernel machines
with three ways to prepare the columns, compares them by cross-validation on the rows that the attackers learn from as
well, and judges the winner, and the mean of its best three, on the same held-out rows. "best in hindsight" is the best
of all tried on the held-out rows themselves, which no attacker can know; it is too good by the luck of the maximum.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    QuantileTransformer,
    SplineTransformer,
    StandardScaler,
)

from discreet.adversaries import attack
from discreet.core.axis import Axis
from discreet.core.samples import Column, Columns, Samples

DATA = Path(__file__).parents[2] / "shared" / "data"
SETS = {
    "adult": ("adult/adult.csv.gz", "income", ("split", "age7", "edu4")),
    "compas": ("compas/compas_prepared.csv.gz", "s", ("race",)),
}


def samples_of(
    name: str, most: int, rng: np.random.Generator, only: tuple[str, ...] | None = None
) -> Samples:
    path, secret, left_out = SETS[name]
    with gzip.open(DATA / path, "rt") as file:
        rows = list(csv.DictReader(file))
    rows = [rows[i] for i in rng.permutation(len(rows))[:most]]
    names = only or [k for k in rows[0] if k not in (secret, *left_out)]
    columns = [_column(k, [r[k] for r in rows]) for k in names]
    labels, codes = np.unique([r[secret] for r in rows], return_inverse=True)
    return Samples(Columns(columns), codes, Axis(name, labels=tuple(labels)))


def _column(name: str, values: list[str]) -> Column:
    try:
        return Column(name, np.array([float(v) if v else np.nan for v in values]))
    except ValueError:
        levels, codes = np.unique(values, return_inverse=True)
        return Column(name, codes, tuple(levels))


def search(samples: Samples, learnt, judging, tries: int, rng: np.random.Generator):
    """The best by cross-validation, the mean of its best three, and the best in hindsight."""
    x = np.column_stack([c.values for c in samples.x])
    named = [j for j, c in enumerate(samples.x) if not c.is_number]
    numbers = [j for j, c in enumerate(samples.x) if c.is_number]
    s, found = samples.s, []
    for i in range(tries):
        kind, model = draw(named, numbers, learnt.size, rng)
        folds = 5 if learnt.size < 10_000 else 2
        told = cross_val_score(model, x[learnt], s[learnt], cv=folds, error_score="raise").mean()
        model.fit(x[learnt], s[learnt])
        beliefs = model.predict_proba(x[judging])
        found.append((told, kind, beliefs, (beliefs.argmax(1) == s[judging]).mean()))
        print(f"  {i + 1:3d}/{tries} {kind:<60.60} {told:.4f} {found[-1][3]:.4f}", flush=True)
    found.sort(key=lambda f: -f[0])
    three = np.mean([f[2] for f in found[:3]], axis=0).argmax(1)
    return found[0][3], (three == s[judging]).mean(), max(f[3] for f in found), found[0][1]


def draw(named, numbers, n, rng):
    def pick(*values):
        return values[rng.integers(len(values))]

    trees = make_column_transformer(
        (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), named),
        ("passthrough", numbers),
    )
    scale = pick(
        StandardScaler(),
        QuantileTransformer(n_quantiles=200, output_distribution="normal", random_state=0),
        SplineTransformer(n_knots=7, extrapolation="constant"),
    )
    flat = make_column_transformer(
        (OneHotEncoder(min_frequency=10, handle_unknown="ignore", sparse_output=False), named),
        (make_pipeline(SimpleImputer(), scale), numbers),
    )
    kind = pick("boosting", "boosting", "forest", "extra", "logistic", "network", "kernel", "neighbours")
    seed = int(rng.integers(1 << 30))
    if kind == "boosting":
        model = HistGradientBoostingClassifier(
            learning_rate=pick(0.02, 0.05, 0.1), max_iter=pick(80, 150, 300), max_leaf_nodes=pick(4, 8, 16, 31, 63),
            min_samples_leaf=pick(5, 20, 50), l2_regularization=pick(0, 1, 10), random_state=seed,
            categorical_features=list(range(len(named))) or None, max_features=pick(0.3, 0.6, 1.0),
        )  # fmt: skip
        return f"boosting {model.get_params()['learning_rate']}", make_pipeline(trees, model)
    if kind in ("forest", "extra"):
        forest = RandomForestClassifier if kind == "forest" else ExtraTreesClassifier
        model = forest(
            150,
            min_samples_leaf=pick(1, 3, 5, 10, 20),
            max_features=pick("sqrt", 0.3, 0.6),
            random_state=seed,
        )
        return f"{kind} {model.min_samples_leaf}", make_pipeline(trees, SimpleImputer(), model)
    if kind == "logistic":
        last = LogisticRegression(C=pick(0.01, 0.1, 1.0, 10.0), max_iter=400)
        if len(named) < 4 and pick(True, False):
            return "logistic, products", make_pipeline(
                flat, PolynomialFeatures(2, include_bias=False), StandardScaler(), last
            )
        return "logistic", make_pipeline(flat, last)
    if kind == "network":
        hidden = pick((32,), (64, 64), (128, 64), (128, 128, 64))
        model = MLPClassifier(
            hidden_layer_sizes=hidden, alpha=pick(1e-4, 1e-2, 0.3), early_stopping=True, max_iter=60,
            learning_rate_init=pick(1e-3, 3e-3), n_iter_no_change=5, random_state=seed,
        )  # fmt: skip
        return f"network {hidden}", make_pipeline(flat, model)
    if kind == "kernel":
        features = Nystroem(gamma=pick(0.01, 0.03, 0.1), n_components=min(400, n // 3), random_state=seed)
        return "kernel", make_pipeline(flat, features, LogisticRegression(C=pick(0.3, 3.0), max_iter=400))
    return "neighbours", make_pipeline(flat, KNeighborsClassifier(pick(15, 40, 80)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=["compas", "adult"])
    parser.add_argument("--rows", type=int, default=10**9)
    parser.add_argument("--tries", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=1)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in asked.sets:
        apart = []
        for seed in range(asked.seeds):
            rng = np.random.default_rng(seed)
            samples = samples_of(name, asked.rows, rng)
            order = rng.permutation(samples.n)
            judging, learnt = order[: round(0.3 * samples.n)], order[round(0.3 * samples.n) :]
            wall, cpu = time.perf_counter(), time.process_time()
            found = attack(samples, held_out=judging, rng=rng)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            tuned, three, hindsight, which = search(samples, learnt, judging, asked.tries, rng)
            apart.append(found.best.value - max(tuned, three))
            print(
                f"{name}, seed {seed}, {samples.n:,} rows: attack {found.best.value:.4f} ({found.best_attacker}; "
                f"{wall:.0f} s, {cpu:.0f} CPU s); search of {asked.tries}: {tuned:.4f} ({which}), its best three "
                f"{three:.4f}, best in hindsight {hindsight:.4f}; baseline {found.baseline.value:.4f}",
                flush=True,
            )
        print(f"{name}: attack less search {np.mean(apart):+.4f} in the mean of {len(apart)}", flush=True)


if __name__ == "__main__":
    main()
