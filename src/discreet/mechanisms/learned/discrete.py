"""GAP for finite records: a table of flips, learned against a table of beliefs."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design, Status
from discreet.core.errors import AxisError
from discreet.core.frontier import Frontier
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.measures.arguments import choice
from discreet.measures.decision import guessing_probability
from discreet.measures.fdiv import mutual_information
from discreet.mechanisms.learned.arguments import distortions
from discreet.mechanisms.learned.in_order import by_distortion
from discreet.mechanisms.learned.rounds import DEFAULT, Training

POWER = 8.0
"""The MAP preset scores the belief to this power."""

WEIGHT = 2.0
"""The price of a distortion beyond the budget, above what any leak can save: one guess for each record changed."""


def gap_discrete(
    joint: Joint,
    distortion: ArrayLike,
    budgets: ArrayLike,
    *,
    leakage: Literal["guessing_probability", "mutual_information"] = "guessing_probability",
    sees: Literal["x", "sx"] = "x",
    training: Training = DEFAULT,
    rng: np.random.Generator,
) -> Frontier:
    """Learn p(y | x) or p(y | s, x) with E d(X, Y) ≤ budget by playing against a table of beliefs.

    min over p of max over g of   Σ p(s, x) p(y | s, x) log p̂(s | y) + 2 max(0, E d − budget)

    For bits and Hamming distortion these are the networks of two and of four parameters of the paper. With
    leakage="guessing_probability" the sanitiser scores the belief to the power 8. `joint` has axes (s, x); a table of
    counts gives it by `counts.joint()`, and the figures are then exact for this table. `least_leakage` solves the
    same problem to the optimum: this preset is the paper's way, within .004 of it in its figures.

    >>> import numpy as np
    >>> law = Joint([[.375, .125], [.125, .375]])
    >>> found = gap_discrete(law, 1 - np.eye(2), [.1], rng=np.random.default_rng(0))
    >>> abs(float(found.points[0].leakage) - .7) < .005
    True

    References: paper 004, Section III and Figs. 4 and 5, with (33) and (35) as corrected (E41).
    """
    from discreet.neural.finite import Finite, masses, start
    from discreet.neural.loop import train
    from discreet.neural.networks import stacked

    choice("leakage", leakage, ("guessing_probability", "mutual_information"))
    choice("sees", sees, ("x", "sx"))
    allowed, cost = distortions(budgets), _cost(joint, distortion)
    runs = len(allowed)
    one = start(cost, joint.p.shape[0], sees == "sx", rng=rng)
    players: dict[str, Any] = {name: stacked([one[name]] * runs) for name in ("sanitiser", "critic")}
    rows = (joint.p.astype(np.float32),)
    trained = train(
        Finite(sharpened=leakage == "guessing_probability").game(),
        {**players, "duals": np.zeros((runs, 1), dtype=np.float32)},
        rows,
        rows,
        knobs={
            "budget": allowed,
            "distortion": np.tile(cost, (runs, 1, 1)),
            "power": np.full(runs, POWER),
            "weight": np.full(runs, WEIGHT),
        },
        schedule=training.schedule(1000, joint.p.shape[0]),
        seed=int(rng.integers(2**31)),
        progress=training.progress,
        resume=training.resume,
    )
    designs = []
    for table, settled in zip(trained.players["sanitiser"]["table"], trained.settled, strict=True):
        p = masses(np, table.astype(np.float64), cost)
        channel = MatrixChannel(p if sees == "sx" else p[0])
        designs.append(_design(joint, channel, cost, leakage, bool(settled)))
    return by_distortion(designs)


def _design(joint: Joint, channel: MatrixChannel, cost: Array, leakage: str, settled: bool) -> Design:
    lift = joint.through(channel).lift()
    read = {"guessing_probability": guessing_probability, "mutual_information": mutual_information}
    trace = {name: measure(lift) for name, measure in read.items()}
    p = channel.p if channel.p.ndim == 3 else channel.p[None]
    spent = float((joint.p[:, :, None] * p * cost).sum())
    status = Status.CONSTRUCTED if settled else Status.UNSETTLED
    utility = Reading(spent, "", "distortion", origin=lift.origin)
    return Design(channel, status, trace[leakage], utility, None, trace)


def _cost(joint: Joint, distortion: ArrayLike) -> Array:
    cost = np.asarray(distortion, dtype=np.float64)
    if joint.p.ndim != 2 or cost.ndim != 2 or cost.shape[0] != joint.p.shape[1] or cost.shape[1] < 2:
        raise AxisError(
            "a law over (s, x) and distortion[x, y] for two released symbols or more",
            f"shapes {joint.p.shape} and {cost.shape}",
            "one row for each x, one column for each symbol that may be released",
        )
    if not (np.isfinite(cost) & (cost >= 0)).all():
        raise AxisError("a distortion of 0 or more, finite", "other numbers", "give a large number to forbid")
    return cost
