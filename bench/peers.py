"""Agreement with qif and dit where they measure the same thing: the largest difference over random laws, to 1e-10.

    python bench/peers.py               (needs the extra `bench`: qif and dit)

Exits with 1 when a difference is larger.
"""

from __future__ import annotations

import math
import sys

import dit
import numpy as np
import qif

import discreet as dc
from discreet import measures as m

ALLOWED = 1e-10
NATS = math.log(2)
LAWS = 200


def laws():
    """Random laws of different sizes and concentrations, some with cells that cannot occur."""
    rng = np.random.default_rng(7)
    for i in range(LAWS):
        shape = tuple(rng.integers(2, 7, size=2))
        p = rng.dirichlet(np.full(shape[0] * shape[1], rng.choice([0.3, 1.0, 5.0]))).reshape(shape)
        if i % 3 == 0:
            p *= rng.random(shape) > 0.2
        p += 1e-6 * (p.sum(axis=1, keepdims=True) == 0)
        yield p / p.sum()


def with_qif(p: np.ndarray) -> dict[str, float]:
    """Differences from qif, measure by measure; qif takes the prior and the channel, and counts in bits."""
    lift, prior = dc.Joint(p).lift(), p.sum(axis=1)
    channel = p / prior[:, None]
    cost = np.abs(np.subtract.outer(np.arange(3), np.arange(len(p)))) + 0.5  # [decision, secret]
    positive = (channel > 0).all()
    found = {
        "mutual_information": float(m.mutual_information(lift))
        - NATS * qif.measure.shannon.add_leakage(prior, channel),
        "entropy": float(m.entropy(lift)) - NATS * qif.measure.shannon.prior(prior),
        "conditional_entropy": float(m.conditional_entropy(lift))
        - NATS * qif.measure.shannon.posterior(prior, channel),
        "guessing_probability": float(m.guessing_probability(lift))
        - qif.measure.bayes_vuln.posterior(prior, channel),
        "min_entropy_leakage": float(m.min_entropy_leakage(lift))
        - NATS * qif.measure.bayes_vuln.min_entropy_leakage(prior, channel),
        "maximal_leakage": float(m.maximal_leakage(lift))
        - math.log(qif.measure.bayes_vuln.mult_capacity(channel)),
        "inference_gain": float(m.inference_gain(lift, cost.T))
        - qif.measure.l_risk.add_leakage(cost, prior, channel),
    }
    if positive:
        found["local_privacy"] = float(m.local_privacy(lift)) - qif.measure.d_privacy.smallest_epsilon(
            channel, lambda s, t: float(s != t)
        )
    return found


def with_dit(p: np.ndarray) -> dict[str, float]:
    """Differences from dit, which takes lists of outcomes, and counts in bits."""
    lift = dc.Joint(p).lift()
    cells = [(s, y) for s in range(p.shape[0]) for y in range(p.shape[1])]
    product = np.outer(lift.p_s, lift.p_y)
    joint, apart = (dit.Distribution(cells, q.ravel().tolist()) for q in (p, product))
    d = dit.divergences
    found = {
        "mutual_information": float(m.mutual_information(lift))
        - NATS * dit.shannon.mutual_information(joint, [0], [1]),
        "mutual_information, as a divergence": float(m.mutual_information(lift))
        - NATS * d.kullback_leibler_divergence(joint, apart),
        "total_variation": float(m.total_variation(lift)) - d.variational_distance(joint, apart),
        "hellinger": float(m.hellinger(lift)) - d.hellinger_distance(joint, apart) ** 2,
        "renyi at 2": float(m.renyi(lift, 2)) - NATS * d.renyi_divergence(joint, apart, 2),
        "renyi at 0.5": float(m.renyi(lift, 0.5)) - NATS * d.renyi_divergence(joint, apart, 0.5),
        "maximal_correlation": float(m.maximal_correlation(lift)) - d.maximum_correlation(joint, [[0], [1]]),
        "entropy": float(m.entropy(lift)) - NATS * dit.shannon.entropy(joint, [0]),
        "conditional_entropy": float(m.conditional_entropy(lift))
        - NATS * dit.shannon.conditional_entropy(joint, [0], [1]),
    }
    if (p > 0).all():
        # dit leaves out the cells that cannot occur, which count with q f(0)
        found["f_information"] = float(m.chi_squared(lift)) - d.f_divergence(
            joint, apart, lambda t: (t - 1) ** 2
        )
    return found


def main() -> int:
    worst: dict[tuple[str, str], float] = {}
    for p in laws():
        for peer, differences in (("qif", with_qif(p)), ("dit", with_dit(p))):
            for name, difference in differences.items():
                key = (peer, name)
                worst[key] = max(worst.get(key, 0.0), abs(difference))
    print(f"Largest difference over {LAWS} random laws (allowed: {ALLOWED:g})")
    for (peer, name), difference in sorted(worst.items()):
        print(f"{peer:5}{name:40}{difference:12.1e}{'' if difference <= ALLOWED else '   too large'}")
    return int(any(difference > ALLOWED for difference in worst.values()))


if __name__ == "__main__":
    sys.exit(main())
