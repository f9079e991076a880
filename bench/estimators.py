"""How far the learned lift is from the true one, beside a normalised, early-stopped Donsker–Varadhan network.

    python bench/estimators.py [part of a name …]         (needs the extra `learn`)

RMSE of the log-lift trimmed at ±3 over fresh records and all secrets; CPU seconds, and the peak of memory that NumPy
and Python saw while the stack was fitted.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from discreet import estimators
from discreet.core.samples import Samples
from discreet.datasets.known_lifts import PROBLEMS, Problem
from timing import peak_bytes

TRIM, FRESH, SEED = 3.0, 5000, 20_240_104


def error(log_lift: np.ndarray, true: np.ndarray) -> float:
    """The root of the mean square error of the trimmed log-lift."""
    return float(np.sqrt(np.mean((np.clip(log_lift, -TRIM, TRIM) - np.clip(true, -TRIM, TRIM)) ** 2)))


def fitted(samples: Samples, method: str, seed: int):
    start = time.process_time()
    model = estimators.estimate(samples, None, method, rng=np.random.default_rng(seed))
    return model, time.process_time() - start


def row(problem: Problem, with_memory: bool = False) -> tuple[float, float]:
    rng = np.random.default_rng(SEED)
    samples, _ = problem.draw(problem.n, rng)
    fresh, true = problem.draw(FRESH, rng)
    stack, cost = fitted(samples, "stack", 1)
    dv, dv_cost = fitted(samples, "donsker_varadhan", 1)
    ours, theirs = (error(model.lift(fresh.x).log_lift, true) for model in (stack, dv))
    spread = float(np.sqrt(np.mean(np.clip(true, -TRIM, TRIM) ** 2)))
    memory = peak_bytes(lambda: fitted(samples, "stack", 1)) / 1e6 if with_memory else float("nan")
    print(
        f"{problem.name:30}{problem.n:8,}{spread:8.3f}{ours:8.3f}{theirs:8.3f}{ours / theirs:7.2f}×"
        f"{cost:8.1f}{dv_cost:8.1f}{memory:9.0f}",
        flush=True,
    )
    return ours, theirs


def main(wanted: list[str]) -> None:
    chosen = [p for p in PROBLEMS if not wanted or any(w in p.name for w in wanted)]
    print(
        f"{'problem':30}{'n':>8}{'spread':>8}{'stack':>8}{'DV':>8}{'ratio':>8}{'CPU s':>8}{'DV s':>8}{'MB':>9}"
    )
    found = [row(p, with_memory=True) for p in chosen]
    ratios = np.array([a / b for a, b in found])
    print(f"at most 0.8 × in {int((ratios <= 0.8).sum())} of {ratios.size}; at worst {ratios.max():.2f} ×")


if __name__ == "__main__":
    main(sys.argv[1:])
