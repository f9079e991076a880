"""How often learned lower bounds hold, and how often "leaks" is said where nothing does.

    python bench/coverage_learned.py bounds [repetitions [part of a name …]]
    python bench/coverage_learned.py verdict [repetitions [records]]

Bounds: eight laws whose lift is known, n = 500, 2,000 and 10,000, half of the records to learn and half to judge; each
bound against the truth for people of the composition drawn, at 95 %. The validity of the bounds does not depend on the
learner, so a lean one is taken, and one that was learned judges ten draws. Verdict: the default stack on columns that
tell nothing.
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discreet import estimators
from discreet.core.samples import Samples
from discreet.datasets.known_lifts import Problem, problem
from discreet.estimators.families.logistic import LogisticFamily
from discreet.estimators.fitted import Fitted
from discreet.estimators.learning import learn
from discreet.estimators.readings import known_to_leak

CONFIDENCE, GAMMA, EPS, SEED = 0.95, 2.0, 0.7, 20_240_104
ROWS = (500, 2000, 10_000)
NAMES = (
    "one normal number",
    "four secrets in the plane",
    "one secret in a hundred",
    "exclusive or of three flags",
    "heavy tails",
    "mixed columns",
    "thresholds",
    "nothing",
)
SHORT = {
    "mutual_information": "I",
    "guessing_probability": "V",
    "total_variation": "TV",
    f"e_gamma at {GAMMA:g}": f"E at {GAMMA:g}",
    "chi_squared": "χ²",
    f"information_privacy at {EPS:g}": f"tail at {EPS:g}",
}
MEASURES = tuple(SHORT)
POINTS, DRAWS = 30_000, 10
LEAST, MOST_ALARMS, SLACK = 0.94, 0.06, 1e-9


@dataclass(frozen=True)
class Lean:
    """Logistic regressions alone."""

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        families = (LogisticFamily("linear", (10.0,)), LogisticFamily("products", (10.0,)))
        return learn(samples, families, method="lean", rng=rng, folds=2)


def truths(log_lift: np.ndarray, p_s: np.ndarray, pi: np.ndarray) -> dict[str, float]:
    """The measures of people of this composition, from the true lift of records drawn from the population."""
    l = np.exp(log_lift)
    mass = pi @ l
    ratio = l / mass
    with np.errstate(divide="ignore", invalid="ignore"):
        told = np.where(ratio > 0, ratio * np.log(ratio), 0.0)
        outside = np.abs(np.log(ratio)) > EPS
    return {
        "mutual_information": float(((pi @ told) * mass).mean()),
        "guessing_probability": float((p_s[:, None] * l).max(axis=0).mean()),
        "total_variation": float(((pi @ np.abs(ratio - 1)) * mass).mean() / 2),
        f"e_gamma at {GAMMA:g}": float(((pi @ np.maximum(ratio - GAMMA, 0)) * mass).mean()),
        "chi_squared": float(((pi @ (ratio - 1) ** 2) * mass).mean()),
        f"information_privacy at {EPS:g}": float(((pi @ (ratio * outside)) * mass).mean()),
    }


class Covered(NamedTuple):
    """By measure: the share of repetitions in which the bound held, its mean, and the truth in the population."""

    share: dict[str, float]
    mean: dict[str, float]
    truth: dict[str, float]


def cover(task: Problem, n: int, repetitions: int) -> Covered:
    rng = np.random.default_rng(SEED)
    _, true = task.draw(POINTS, rng)
    _, _, p_s = task.law(10, rng)
    share, mean = dict.fromkeys(MEASURES, 0.0), dict.fromkeys(MEASURES, 0.0)
    for repetition in range(repetitions):
        first, second = estimators.split(task.draw(n, rng)[0], rng=rng)
        if repetition % DRAWS == 0:
            model = Lean().fit(first, rng=rng)
        bound = known_to_leak(model, second, confidence=CONFIDENCE, eps=EPS, gamma=GAMMA)
        here = truths(true, p_s, second.shares)
        for name in MEASURES:
            share[name] += (bound[name].value <= here[name] + SLACK) / repetitions
            mean[name] += bound[name].value / repetitions
    return Covered(share, mean, truths(true, p_s, p_s))


def bounds(repetitions: int, wanted: list[str]) -> bool:
    """The table, and whether every bound held often enough."""
    print(f"share of {repetitions} repetitions in which the bound held, in %, (mean bound / truth)")
    print(f"{'':30}{'n':>7}" + "".join(f"{short:>20}" for short in SHORT.values()), flush=True)
    least = 1.0
    for name in NAMES:
        if wanted and not any(w in name for w in wanted):
            continue
        for n in ROWS:
            share, mean, truth = cover(problem(name), n, repetitions)
            cells = "".join(f"{100 * share[m]:6.1f} ({mean[m]:.3f}/{truth[m]:.3f})" for m in MEASURES)
            print(f"{name:30}{n:7,}{cells}", flush=True)
            least = min(least, *share.values())
    print(f"the least share is {100 * least:.1f} %; {100 * LEAST:g} % are wanted")
    return least >= LEAST


def verdict(repetitions: int, n: int) -> bool:
    """How often "leaks" is said of columns that tell nothing; whether that is seldom enough."""
    rng, task = np.random.default_rng(SEED), problem("nothing")
    alarms, start = 0, time.time()
    for _ in range(repetitions):
        samples, _ = task.draw(n, rng)
        first, second = estimators.split(samples, rng=rng)
        alarms += estimators.leaks(estimators.Stack().fit(first, rng=rng), second, rng=rng).leaks
    share = alarms / repetitions
    error = math.sqrt(share * (1 - share) / repetitions)
    print(f'n = {n:,}: "leaks" in {alarms} of {repetitions} tables without a leak,')
    print(f"{100 * share:.1f} % ± {100 * error:.1f}; {time.time() - start:.0f} s")
    return share <= MOST_ALARMS


if __name__ == "__main__":
    kind, *rest = sys.argv[1:] or ["bounds"]
    times = int(rest[0]) if rest else 400
    records = int(rest[1]) if kind == "verdict" and len(rest) > 1 else 500
    good = bounds(times, rest[1:]) if kind == "bounds" else verdict(times, records)
    sys.exit(0 if good else 1)
