"""What a measure costs, beside one reading of the law, beside a small law, and beside other packages in the same run.

    python bench/measures.py            (the last part needs the extra `bench`: qif and dit)

The unit is the read pass: the time of p.sum() on the same law in the same run. Memory is in copies of the law.
"""

from __future__ import annotations

import math

import numpy as np

import discreet as dc
from discreet import measures as m
from timing import peak_bytes, seconds

LARGE, SMALL, FOR_DIT = (200, 20_000), (14, 56), (100, 400)

MEASURES = {
    # name: (function, read passes allowed on the large law)
    "total_variation": (m.total_variation, 4),
    "chi_squared": (m.chi_squared, 4),
    "hellinger": (m.hellinger, None),
    "e_gamma at 1.5": (lambda l: m.e_gamma(l, 1.5), 4),
    "lift_privacy": (m.lift_privacy, 4),
    "local_privacy": (m.local_privacy, 4),
    "information_privacy": (lambda l: m.information_privacy(l, 0.5), 4),
    "… strong": (lambda l: m.information_privacy(l, 0.5, strong=True), 4),
    "information_privacy_eps": (lambda l: m.information_privacy_eps(l, 0.1), None),
    "… strong ": (lambda l: m.information_privacy_eps(l, 0.1, strong=True), 4),
    "maximal_leakage": (m.maximal_leakage, 4),
    "min_entropy_leakage": (m.min_entropy_leakage, 4),
    "guessing_probability": (m.guessing_probability, 4),
    "mutual_information": (m.mutual_information, 8),
    "sibson at 2": (lambda l: m.sibson(l, 2), 8),
    "sibson at 0.5": (lambda l: m.sibson(l, 0.5), 8),
    "arimoto at 2": (lambda l: m.arimoto(l, 2), None),
    "renyi at 2": (lambda l: m.renyi(l, 2), None),
    "mmse": (lambda l: m.mmse(l, np.arange(l.p_s.size)), None),
    "inference_gain, brier": (lambda l: m.inference_gain(l, "brier"), None),
    "conditional_entropy": (m.conditional_entropy, None),
    "maximal_correlation": (m.maximal_correlation, 20),
    "differential_privacy": (lambda l: m.differential_privacy(l, 0.5), None),
}


def law(shape: tuple[int, int]) -> np.ndarray:
    """A random law of this shape, the same every time."""
    return np.random.default_rng(0).dirichlet(np.ones(shape[0] * shape[1])).reshape(shape)


def on_a_large_law() -> None:
    p = law(LARGE)
    joint = dc.Joint(p)
    read = seconds(p.sum, 15)
    print(f"\nOn {LARGE[0]} × {LARGE[1]:,}; one read pass = {1e3 * read:.2f} ms")
    print(f"{'':28}{'passes':>8}{'allowed':>9}{'copies':>8}")

    def row(name: str, task, allowed, runs: int = 5) -> None:
        passes, copies = seconds(task, runs) / read, peak_bytes(task) / p.nbytes
        print(f"{name:28}{passes:8.1f}{allowed or '–':>9}{copies:8.2f}")

    row("making log_lift", lambda: joint.lift().log_lift, 15)
    lift = joint.lift()
    _ = lift.log_lift
    for name, (measure, allowed) in MEASURES.items():
        slow = name == "differential_privacy"
        row(name, lambda measure=measure: measure(lift), allowed, 1 if slow else 5)


def on_a_small_law() -> None:
    lift = dc.Joint(law(SMALL)).lift()
    _ = lift.log_lift
    print(f"\nOn {SMALL[0]} × {SMALL[1]}, microseconds with the Reading (allowed: 30)")
    for name, (measure, _) in MEASURES.items():
        cost = seconds(lambda measure=measure: [measure(lift) for _ in range(100)]) / 100
        print(f"{name:28}{1e6 * cost:8.1f}")


def beside_others() -> None:
    try:
        import dit
        import qif
    except ImportError as missing:
        print(f"\nBeside other packages: not run, {missing}")
        return
    p = law(LARGE)
    prior, channel = p.sum(axis=1), p / p.sum(axis=1, keepdims=True)
    joint, read = dc.Joint(p), seconds(p.sum, 15)
    pairs = {
        "mutual_information": (m.mutual_information, lambda: qif.measure.shannon.add_leakage(prior, channel)),
        "min_entropy_leakage": (
            m.min_entropy_leakage,
            lambda: qif.measure.bayes_vuln.min_entropy_leakage(prior, channel),
        ),
        "maximal_leakage": (
            m.maximal_leakage,
            lambda: math.log(qif.measure.bayes_vuln.mult_capacity(channel)),
        ),
    }
    print(f"\nFrom the joint, beside qif {qif.__version__}, on {LARGE[0]} × {LARGE[1]:,}, read passes")
    print(f"{'':28}{'discreet':>9}{'qif':>8}{'ratio':>8}")
    for name, (ours, theirs) in pairs.items():
        a, b = seconds(lambda ours=ours: ours(joint.lift())) / read, seconds(theirs) / read
        print(f"{name:28}{a:9.1f}{b:8.1f}{b / a:7.1f}×")

    p = law(FOR_DIT)
    joint, cells = dc.Joint(p), [(s, y) for s in range(FOR_DIT[0]) for y in range(FOR_DIT[1])]

    def distribution() -> dit.Distribution:
        return dit.Distribution(cells, p.ravel().tolist())

    pairs = {
        "mutual_information": (m.mutual_information, lambda d: dit.shannon.mutual_information(d, [0], [1])),
        "entropy": (m.entropy, lambda d: dit.shannon.entropy(d, [0])),
        "maximal_correlation": (
            m.maximal_correlation,
            lambda d: dit.divergences.maximum_correlation(d, [[0], [1]]),
        ),
    }
    made = distribution()
    print(f"\nBeside dit {dit.__version__}, on {FOR_DIT[0]} × {FOR_DIT[1]}, microseconds")
    print("the law made in the run, then with the law made before")
    print(f"{'':28}{'discreet':>9}{'dit':>12}{'ratio':>8}{'law made':>12}{'ratio':>8}")
    for name, (ours, other) in pairs.items():
        whole = seconds(lambda ours=ours: ours(dc.Joint(p).lift()))
        read = seconds(lambda ours=ours: ours(joint.lift()))
        theirs = seconds(lambda other=other: other(distribution()), 1)
        theirs_read = seconds(lambda other=other: other(made), 3)
        print(
            f"{name:28}{1e6 * whole:9.0f}{1e6 * theirs:12,.0f}{theirs / whole:7.0f}×"
            f"{1e6 * theirs_read:12,.0f}{theirs_read / read:7.0f}×"
        )


if __name__ == "__main__":
    on_a_large_law()
    on_a_small_law()
    beside_others()
