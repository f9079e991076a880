"""What the mechanisms reach, and what they cost beside plain algorithms and other packages in the same run.

    python bench/mechanisms.py [greedy] [large] [guesses] [bottleneck] [census] [funnel] [descent]

Without a name all parts run, some minutes on one core; OMP_NUM_THREADS=1 makes the times those of one core. A peer that
is not installed (qif, embo, dit) is named and left out, as is the census where its table does not lie beside the
repository. Times are CPU seconds, with those of processes that embo starts. Exits with 1 when a figure is missed.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import resource
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import discreet as dc
from census import COUNTS, census
from discreet import measures as m
from discreet import mechanisms as mech
from rivals import least_at, mirror_descent, rescanned

NATS = math.log(2)
FAST, LARGE = 500, 10_000
SYMBOLS_OF_GUESSES = (100, 200, 400)

CURVES = ((4, 20, 0.3, 5), (4, 50, 0.3, 5), (14, 56, 0.3, 5), (5, 100, 0.5, 5), (4, 50, 0.3, 30))
"""Laws and the largest β: secrets, symbols, concentration, β."""

missed: list[str] = []
absent: list[str] = []


def row(name: str, figure: float, allowed: float, *, at_least: bool = False, note: str = "") -> None:
    """One line: the figure, what is allowed, and whether it is met."""
    met = figure >= allowed if at_least else figure <= allowed
    sign = "≥" if at_least else "≤"
    print(f"  {name:58}{figure:12.4g}  {sign} {allowed:<10.4g}{'' if met else 'MISSED  '}{note}", flush=True)
    if not met:
        missed.append(name)


def cpu() -> float:
    """CPU seconds of this process and of those that it has started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def seconds(task: Callable[[], Any], runs: int = 3) -> tuple[float, Any]:
    """The least CPU time of a task over some runs, and what it made last."""
    best, made = math.inf, None
    for _ in range(runs):
        np.random.seed(0)  # noqa: NPY002  embo and dit draw from the global generator
        start = cpu()
        made = task()
        best = min(best, cpu() - start)
    return best, made


def peer(name: str) -> Any:
    """Another package, or None where it is not installed."""
    try:
        return __import__(name, fromlist=["__version__"])
    except ImportError:
        print(f"  {name}: not installed, so not compared")
        absent.append(name)
        return None


def law(n_s: int, n_x: int, concentration: float, seed: int) -> np.ndarray:
    """A random law, the same every time."""
    return np.random.default_rng(seed).dirichlet(np.full(n_s * n_x, concentration)).reshape(n_s, n_x)


def entropy(p: np.ndarray) -> float:
    """H(X) of p[s, x]."""
    return m.entropy(dc.Joint(p).lift().reversed).value


# ------------------------------------------------------------------------------------------- greedy merging


def greedy() -> None:
    p = law(14, FAST, 1.0, 3)
    joint, rate = dc.Joint(p), 0.5 * entropy(p)
    print(f"\nGreedy funnel, 14 × {FAST}, rate half of H(X), beside a vectorised re-scan of all pairs")
    mech.greedy_funnel(joint, rate)
    ours, design = seconds(lambda: mech.greedy_funnel(joint, rate), 7)
    theirs, blocks = seconds(lambda: rescanned(p, rate), 1)
    of = design.trace["blocks"]
    same = {frozenset(np.flatnonzero(of == k).tolist()) for k in range(of.max() + 1)} == set(
        map(frozenset, blocks)
    )
    row("blocks that differ", 0 if same else 1, 0)
    row("times faster", theirs / ours, 50, at_least=True, note=f"{ours:.4f} s against {theirs:.2f} s")


def _large(pipe: Any) -> None:
    p = law(14, LARGE, 1.0, 3)
    taken, design = seconds(lambda: mech.greedy_funnel(dc.Joint(p), 0.5 * entropy(p)), 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    pipe.send((taken, peak / 2**20, design.trace["symbols"]))


def large() -> None:
    print(f"\nGreedy funnel, 14 × {LARGE:,}, rate half of H(X), in a process of its own")
    here, there = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=_large, args=(there,))
    child.start()
    taken, peak, symbols = here.recv()
    child.join()
    row("CPU seconds", taken, 120, note=f"{symbols} symbols left")
    row("peak memory of the process, GB", peak, 1.0)


# ---------------------------------------------------------------------------------- guesses under a distortion


def guesses() -> None:
    print("\nLeast guessing probability under Hamming loss 0.3, beside qif on the same prior")
    qif = peer("qif")
    if qif is None:
        return
    print(f"  qif {qif.__version__}")
    for n in SYMBOLS_OF_GUESSES:
        for name, prior in (
            ("even", np.full(n, 1 / n)),
            ("uneven", np.random.default_rng(n).dirichlet(np.ones(n))),
        ):
            solve, loss = (
                qif.mechanism.bayes_vuln.min_vuln_given_max_loss,
                lambda x, y: float(x != y),
            )
            theirs, channel = seconds(lambda p=prior, s=solve, d=loss: s(p, p.size, 0.3, d), 1)
            told = qif.measure.bayes_vuln.posterior(prior, channel)
            joint, hamming = dc.Joint(np.diag(prior)), 1 - np.eye(n)
            ours, design = seconds(
                lambda j=joint, d=hamming: mech.least_leakage(j, d, 0.3, "guessing_probability"), 3
            )
            row(f"{n} symbols, {name}: difference of the optima", abs(design.leakage.value - told), 1e-9)
            row(
                f"{n} symbols, {name}: share of qif's time",
                ours / theirs,
                1.0,
                note=f"{ours:.3f} s, {theirs:.2f} s",
            )


# ----------------------------------------------------------------------------------------------- bottleneck


def bottleneck() -> None:
    _beside_embo()
    _beside_dit()


def _beside_embo() -> None:
    print("\nBottleneck beside embo's curve of 30 values of β, up to 5 (its default) or 30")
    embo = peer("embo")
    if embo is None:
        return
    print(f"  embo {embo.__version__}; at each of its points: our I(X;Y) at the same I(S;Y), so any β")
    for n_s, n_x, concentration, most in CURVES:
        p = law(n_s, n_x, concentration, 1)
        joint, what = dc.Joint(p), f"{n_s} × {n_x}, β up to {most}"
        theirs, (about_x, about_s, _, _) = seconds(
            lambda q=p, b=most: embo.InformationBottleneck(pxy=q.T.copy(), maxbeta=b).get_bottleneck()
        )
        some = np.flatnonzero(about_s > 1e-6)
        about_x, about_s = about_x[some] * NATS, about_s[some] * NATS
        quick, path = seconds(lambda j=joint: mech.greedy_bottleneck_path(j))
        wanted = np.minimum(about_s, m.mutual_information(joint.lift()).value)
        ours, frontier = seconds(lambda j=joint, r=wanted: mech.bottleneck_frontier(j, r))
        row(f"{what}: greedy path, times faster", theirs / quick, 20, at_least=True, note=f"{len(path)} maps")
        row(f"{what}: curve, share of embo's time", ours / theirs, 1.0, note=f"{ours:.2f} s, {theirs:.2f} s")
        alone, _ = seconds(lambda j=joint, r=wanted[wanted.size // 2]: mech.bottleneck(j, r))
        row(f"{what}: one design, share of embo's time", alone / theirs, 1.0, note=f"{alone:.2f} s")
        row(f"{what}: curve, largest excess of I(X;Y)", float((frontier.utility - about_x).max()), 1e-8)


def _beside_dit() -> None:
    print("\nBottleneck beside dit's optimiser, one β at a time")
    dit = peer("dit")
    if dit is None:
        return
    from dit.rate_distortion.information_bottleneck import InformationBottleneck

    print(f"  dit {dit.__version__}")
    for n_s, n_x, beta in ((2, 4, 3.0), (3, 5, 5.0), (3, 6, 8.0)):
        p = law(n_s, n_x, 0.5, 5)
        cells = [(x, s) for x in range(n_x) for s in range(n_s)]
        both = dit.Distribution(cells, p.T.ravel().tolist())
        theirs, (about_x, about_s) = seconds(
            lambda d=both, b=beta: InformationBottleneck.functional()(d, b), 1
        )
        about_x, about_s = float(about_x) * NATS, float(about_s) * NATS
        joint = dc.Joint(p)
        most = m.mutual_information(joint.lift()).value
        relevance = min(max(about_s, 0.0), most)
        ours, design = seconds(lambda j=joint, r=relevance: mech.bottleneck(j, r))
        what = f"{n_s} × {n_x}, β = {beta:g}"
        excess = (design.utility.value - beta * design.leakage.value) - (about_x - beta * about_s)
        row(f"{what}: excess of the Lagrangian", excess, 1e-8)
        row(f"{what}: share of dit's time", ours / theirs, 1.0, note=f"{ours:.2f} s, {theirs:.2f} s")


# ------------------------------------------------------------------------------------------------- the funnel


def _on_others(channel: Any, counts: np.ndarray) -> float:
    return m.mutual_information(dc.Joint(counts / counts.sum()).through(channel).lift()).value


def census_figures() -> None:
    print("\nThe census of 1994, training table, with the leak in the test table beside each")
    if not COUNTS.exists():
        print("  not there, so not measured")
        absent.append("adult")
        return
    train, test, income = census()
    joint = dc.Joint(train / train.sum())
    most = entropy(joint.p)
    print(f"  {joint.p.shape[1]} symbols, H(X) = {most:.4f}; S = (age, income)")
    for share, leak, gap in (
        (0.4, 0.0005, 1e-4),
        (0.5, 0.0376, 1e-4),
        (0.6, 0.3248, 1e-6),
        (0.7, 0.6868, 1e-6),
    ):
        taken, design = seconds(lambda r=share * most: mech.funnel(joint, rate=r), 1)
        plain = mech.greedy_funnel(joint, share * most).leakage.value
        held = f"held-out {_on_others(design.channel, test):.6f}, greedy {plain:.4f}, {taken:.1f} s"
        row(f"at {share:.0%} of H(X): leak", design.leakage.value, leak, note=held)
        row(f"at {share:.0%} of H(X): above the bound", design.gap, gap)
    joint = dc.Joint(income @ train / train.sum())
    print("  S = income")
    mech.perfect_privacy(joint)
    taken, silent = seconds(lambda: mech.perfect_privacy(joint))
    held = f"held-out leak {_on_others(silent.channel, income @ test):.6f}"
    row("share of H(X) at zero leak", silent.utility.value / most, 0.845, at_least=True, note=held)
    row("leak there", silent.leakage.value, 1e-12)
    row("CPU seconds for it", taken, 0.1)
    for share in (0.9, 0.95):
        taken, design = seconds(lambda r=share * most: mech.funnel(joint, rate=r), 1)
        others = _on_others(design.channel, income @ test)
        held = f"leak {design.leakage.value:.5f}, held-out {others:.5f}, {taken:.1f} s"
        row(f"at {share:.0%} of H(X): above the bound", design.gap, 1e-4, note=held)


def funnel() -> None:
    print("\nThe funnel on random laws")
    for concentration, share in ((0.1, 0.9), (0.5, 0.7), (2.0, 0.5)):
        p = law(2, 200, concentration, 11)
        taken, design = seconds(lambda q=p, s=share: mech.funnel(dc.Joint(q), rate=s * entropy(q)), 1)
        what = f"2 × 200, concentration {concentration}, {share:.0%} of H(X)"
        row(f"{what}: gap", design.gap, 1e-4, note=f"leak {design.leakage.value:.6f}")
        row(f"{what}: CPU s", taken, 10)
    for concentration, share in ((0.3, 0.6), (1.0, 0.7)):
        p = law(14, 200, concentration, 12)
        rate = share * entropy(p)
        taken, design = seconds(lambda q=p, r=rate: mech.funnel(dc.Joint(q), rate=r), 1)
        plain = mech.greedy_funnel(dc.Joint(p), rate).leakage.value
        what = f"14 × 200, concentration {concentration}, {share:.0%} of H(X)"
        row(f"{what}: of greedy's leak", design.leakage.value / plain, 0.5)
        row(f"{what}: CPU s", taken, 60)


def descent() -> None:
    print("\nThe funnel beside greedy merging, its time-sharing, and the best of 30 mirror descents, by leak")
    rng = np.random.default_rng(13)
    for n_s, n_x, share in ((2, 40, 0.5), (3, 40, 0.8), (5, 30, 0.6), (8, 60, 0.7)):
        p = law(n_s, n_x, float(rng.choice([0.1, 0.5, 1.0])), int(rng.integers(1 << 30)))
        joint, rate = dc.Joint(p), share * entropy(p)
        design = mech.funnel(joint, rate=rate)
        path = mech.greedy_funnel_path(joint)
        points = np.vstack(
            [
                np.column_stack([path.leak, path.utility]),
                mirror_descent(p, [0.05, 0.1, 0.2, 0.4, 0.8], rng, starts=30, steps=200),
            ]
        )
        best = min(least_at(points, rate), mech.greedy_funnel(joint, rate).leakage.value)
        row(
            f"{n_s} × {n_x} at {share:.0%} of H(X): excess of leak",
            design.leakage.value - best,
            1e-8,
            note=f"{design.leakage.value:.5f}, best of them {best:.5f}",
        )


PARTS = {
    "greedy": greedy,
    "large": large,
    "guesses": guesses,
    "bottleneck": bottleneck,
    "census": census_figures,
    "funnel": funnel,
    "descent": descent,
}


def main() -> int:
    wanted = sys.argv[1:] or list(PARTS)
    if not set(wanted) <= set(PARTS):
        print(f"unknown part; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    threads = os.environ.get("OMP_NUM_THREADS", "not set")
    print(
        f"discreet {dc.__version__}, numpy {np.__version__}, {os.cpu_count()} cores, OMP_NUM_THREADS {threads}"
    )
    for name in wanted:
        PARTS[name]()
    print(f"\n{len(missed)} figures missed{': ' + '; '.join(missed) if missed else ''}")
    if absent:
        print(f"not compared: {', '.join(absent)}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
