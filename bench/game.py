"""What the one game costs, and how near it comes to optima that are known.

    python bench/game.py [frontier] [tables] [figure5] [figure4] [--seeds N] [--rounds N] [--torch PYTHON]

frontier   nine budgets of GAP beside one, each from cold (a process of its own, an empty cache), and beside an eager
           reading of the same algorithm in PyTorch, by the Python given in --torch, which has torch 2.13.0. The game
           compiles for some six seconds whatever it plays, so what it saves grows with --rounds (2,000 here, 450 in
           the preset); its own figures also include the critics that judge afterwards, the other's do not
tables     the 36 rows of tables 2 to 5 of paper 004, from 20,000 records, both presets, from cold; judged by the law
figure5    figures 5a to 5d of paper 004, flips of a bit learned from 10,000 records; judged by the law
figure4    figure 4 of paper 000, judged by attackers trained afterwards on fresh draws; minutes

All figures are of one thread. CPU seconds are of the process and all that it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from discreet import measures
from discreet.adversaries import attack
from discreet.core.joint import Joint
from discreet.core.samples import Columns, Samples
from discreet.datasets.hypotheses import two_hypotheses
from discreet.mechanisms import gaussian_mixture, least_leakage
from discreet.mechanisms.learned.discrete import gap_discrete
from discreet.mechanisms.learned.mixture import gap_mixture
from discreet.mechanisms.learned.presets import budgeted_obfuscation
from discreet.mechanisms.learned.rounds import Training
from discreet.mechanisms.two_normals import Prior, exact_information, guess

BUDGETS = tuple(range(1, 10))
PRESETS = ("guessing_probability", "mutual_information")
HERE = Path(__file__).parent


class Law(NamedTuple):
    """A table of paper 004: S = 1 with probability p, X normal around −3 or 3."""

    p: float
    variances: tuple[float, float]

    def draw(self, n: int, rng: np.random.Generator) -> Samples:
        s = (rng.random(n) < self.p).astype(int)
        x = np.where(s == 1, 3.0, -3.0) + np.sqrt(np.array(self.variances))[s] * rng.normal(size=n)
        return Samples(Columns.of_array(x[:, None]), s)

    def told(self, shift: Any, variance: Any, leakage: str) -> float:
        """The exact leak of a release with these shifts and noise."""
        means = np.array([-3.0, 3.0]) + np.ravel(shift)
        v0, v1 = np.array(self.variances) + np.ravel(variance)
        prior, apart = Prior(1 - self.p, self.p), abs(float(means[1] - means[0]))
        if leakage == "mutual_information":
            return exact_information(prior, apart, v0, v1)
        return float(guess(prior, np.array(apart), np.array(v0), np.array(v1)))

    def optimum(self, budget: float, leakage: Any) -> float:
        law = [1 - self.p, self.p], [-3, 3], self.variances
        return float(gaussian_mixture(*law, budget, leakage=leakage).leakage)


TABLES = {2: Law(0.5, (1, 1)), 3: Law(0.75, (1, 1)), 4: Law(0.5, (4, 1)), 5: Law(0.75, (4, 1))}


class Cost(NamedTuple):
    cpu: float
    wall: float


def timed(command: list[str], **environment: str) -> tuple[Cost, str]:
    """What a process prints, and what it and all that it starts cost, on one thread."""
    one = {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    }
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **one, **environment}
    )
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, wall), done.stdout


def alone(what: str, cache: str) -> tuple[Cost, Any]:
    """One of the tasks below in a process of its own, with compiled programs kept in `cache`."""
    cost, said = timed([sys.executable, __file__, "--alone", what], DISCREET_CACHE=cache)
    return cost, json.loads(said)


def task(what: str) -> Any:
    """Designs as plain numbers: "one R" or "nine R" budgets of table 2 in R rounds, "tables S" all rows, seed S."""
    name, _, seed = what.partition(" ")
    if name == "tables":
        return {f"{t} {preset}": _plain(t, BUDGETS, preset, int(seed)) for t in TABLES for preset in PRESETS}
    return _plain(2, (5,) if name == "one" else BUDGETS, PRESETS[0], 0, int(seed))


def _plain(
    table: int, budgets: Any, leakage: Any, seed: int, rounds: int | None = None
) -> list[dict[str, list[float]]]:
    samples = TABLES[table].draw(20_000, np.random.default_rng([seed, table]))
    found = gap_mixture(
        samples,
        budgets,
        leakage=leakage,
        training=Training(rounds),
        rng=np.random.default_rng([seed, table, 1]),
    )
    channels: list[Any] = [design.channel for design in found]
    return [
        {"shift": np.ravel(one.shift).tolist(), "variance": np.ravel(one.cov).tolist()} for one in channels
    ]


def frontier(asked: argparse.Namespace) -> None:
    law = TABLES[2]
    with tempfile.TemporaryDirectory() as folder:
        one, _ = alone(f"one {asked.rounds}", f"{folder}/one")
        nine, designs = alone(f"nine {asked.rounds}", f"{folder}/nine")
        again, _ = alone(f"nine {asked.rounds}", f"{folder}/nine")
        for name, cost in (("one budget, cold", one), ("nine budgets, cold", nine), ("nine, cached", again)):
            print(f"{name:20} {cost.cpu:6.1f} CPU s {cost.wall:6.1f} s")
        print(f"nine are {nine.cpu / one.cpu:.2f} × one (at most 2 wanted)")
        samples = law.draw(20_000, np.random.default_rng([0, 2]))
        records = f"{folder}/records.npz"
        np.savez(records, x=samples.x[0].values, s=samples.s)
        command = [asked.torch, str(HERE / "game_torch.py"), records, str(asked.rounds), *map(str, BUDGETS)]
        try:
            eager, said = timed(command)
        except (subprocess.CalledProcessError, OSError) as broken:
            last = (getattr(broken, "stderr", None) or str(broken)).strip().splitlines()[-1]
            print(f"PyTorch: not measured ({last}); give --torch a Python that has torch 2.13.0")
            return
    print(f"{'eager PyTorch':20} {eager.cpu:6.1f} CPU s {eager.wall:6.1f} s: {eager.cpu / nine.cpu:.1f} × cold, "
          f"{eager.cpu / again.cpu:.1f} × cached (5 wanted)")  # fmt: skip
    print("exact guess above the optimum at each budget:")
    for name, held in (("discreet", designs), ("PyTorch", json.loads(said))):
        above = [
            law.told(h["shift"], h["variance"], PRESETS[0]) - law.optimum(d, PRESETS[0])
            for d, h in zip(BUDGETS, held, strict=True)
        ]
        print(f"  {name:10}", *(f"{gap:8.4f}" for gap in above), f"  mean {np.mean(above):.4f}")


def tables(asked: argparse.Namespace) -> None:
    for seed in range(asked.seeds):
        with tempfile.TemporaryDirectory() as folder:
            cost, found = alone(f"tables {seed}", folder)
        print(f"seed {seed}: 36 rows, both presets, cold: {cost.cpu:.1f} CPU s, {cost.wall:.1f} s")
        for preset in PRESETS:
            gaps, kept = [], []
            for table, law in TABLES.items():
                for budget, held in zip(BUDGETS, found[f"{table} {preset}"], strict=True):
                    told = law.told(held["shift"], held["variance"], preset)
                    gaps.append(told - law.optimum(budget, preset))
                    spent = np.square(held["shift"]) + held["variance"]
                    kept.append(float(spent @ [1 - law.p, law.p]) / budget - 1)
            print(f"  {preset:22} above the optimum by {max(gaps):.4f} at most, {np.mean(gaps):+.4f} in the mean; "
                  f"distortion over the budget by {max(kept):.2%} at most")  # fmt: skip


FLIPS = ("prior, q", "sees", "measure", "worst distance from the optimum over twelve budgets")


def figure5(asked: argparse.Namespace) -> None:
    budgets = np.linspace(0.02, 0.5, 12)
    cost = 1 - np.eye(2)
    print("{:14} {:4} {:22} {}".format(*FLIPS))
    for p, q in ((0.5, 0.25), (0.75, 0.25)):
        # Y = X ⊕ N: the secret is Y, with X = 1 with probability p
        law = Joint([[(1 - p) * (1 - q), p * q], [(1 - p) * q, p * (1 - q)]])
        for sees in ("x", "sx"):
            for leakage in PRESETS:
                best = [least_leakage(law, cost, d, leakage=leakage, sees=sees) for d in budgets]
                worst = [
                    _apart(
                        law, dict(zip(budgets, best, strict=True)), leakage, sees, np.random.default_rng(seed)
                    )
                    for seed in range(asked.seeds)
                ]
                print(f"{p}, {q}     {sees:4} {leakage:22} {max(worst):.4f}")


def _apart(law: Joint, best: dict[float, Any], leakage: Any, sees: Any, rng: np.random.Generator) -> float:
    """The largest distance, over the budgets, of what is learned from 10,000 records from the optimum."""
    table = Joint(rng.multinomial(10_000, law.p.ravel()).reshape(2, 2) / 10_000)
    found = gap_discrete(table, 1 - np.eye(2), list(best), leakage=leakage, sees=sees, rng=rng)
    measure = getattr(measures, leakage)
    told = [float(measure(law.through(one.channel).lift())) for one in found]
    return max(abs(one - float(other.leakage)) for one, other in zip(told, best.values(), strict=True))


class Case(NamedTuple):
    """One setting of figure 4: the rows learned from, the family, how often S = U, and the budgets tried."""

    name: str
    rows: int
    family: Any
    same: float
    budgets: tuple[float, ...]


CASES = (
    Case("independent, g(X, N)", 20_000, "generator", 0.5, (1e-4, 3e-4, 1e-3)),
    Case("independent, g(X, N)", 4_000, "generator", 0.5, (1e-4, 3e-4, 1e-3)),
    Case("independent, X + h(N)", 20_000, "additive_noise", 0.5, (1e-3, 1e-2, 1e-1)),
    Case("correlated, g(X, N)", 20_000, "generator", 0.8, (0.003, 0.01, 0.03, 0.06, 0.1, 0.16)),
)


def figure4(asked: argparse.Namespace) -> None:
    print("attackers learn from 14,000 fresh records released afresh, and are judged on 6,000")
    for case in CASES:
        for seed in range(asked.seeds):
            began = time.process_time()
            samples, useful = two_hypotheses(case.rows, same=case.same, rng=np.random.default_rng(seed))
            rng = np.random.default_rng([seed, 1])
            found = budgeted_obfuscation(samples, useful, case.budgets, family=case.family, rng=rng)
            cpu = time.process_time() - began
            # where S must stay hidden whole, the budget is chosen by what held-out rows say of S and U
            chosen = [chosen_on_held_out(found)] if case.same == 0.5 else list(found)
            for design in chosen:
                best_s, best_u = (_attacked(design, case.same, which, seed) for which in ("s", "u"))
                print(
                    f"{case.name:22} n = {case.rows:6,} seed {seed}: S {best_s:.4f} U {best_u:.4f}; held-out "
                    f"I(S;Y) {design.leakage.value:.4f}; {cpu:.0f} CPU s; {design.status.name}",
                    flush=True,
                )


def chosen_on_held_out(found: Any) -> Any:
    """The design that keeps U best among those with the leak of S near the least, by the held-out estimates."""
    told = np.array([design.trace["guessing_probability"].value for design in found])
    kept = [design for design, one in zip(found, told, strict=True) if one <= told.min() + 0.01]
    return max(kept, key=lambda design: design.trace["useful_information"].value)


def _attacked(design: Any, same: float, which: str, seed: int) -> float:
    fresh = two_hypotheses(20_000, same=same, rng=np.random.default_rng([seed, 2]))
    wanted = fresh.samples.s if which == "s" else fresh.useful
    released = Samples(design.channel.release(fresh.samples.x, rng=np.random.default_rng([seed, 3])), wanted)
    return attack(released, rng=np.random.default_rng([seed, 4])).best.value


PARTS = {"frontier": frontier, "tables": tables, "figure5": figure5, "figure4": figure4}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", default=["frontier", "tables", "figure5"])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--torch", default=sys.executable)
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.alone:
        json.dump(task(asked.alone), sys.stdout)
        return
    for part in asked.parts:
        print(f"{part}:")
        PARTS[part](asked)


if __name__ == "__main__":
    main()
