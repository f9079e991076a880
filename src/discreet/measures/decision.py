"""What an adversary gains who must decide: guesses, estimates, and any other cost."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.errors import AxisError, LawError, ParameterError
from discreet.core.lift import Lift
from discreet.core.masses import as_numbers
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.measures.fdiv import mutual_information
from discreet.measures.reducers import mean_square

NamedCost = Literal["log", "zero_one", "brier"]


def guessing_probability(lift: Lift) -> Reading:
    """How often the best guess of the secret from the release is right.

    V(S | Y) = Σ_y max_s p(s, y)

    Large: the secret is mostly guessed. Without the release the best guess is right with max_s p(s); the Bayes error
    is 1 − V.

    >>> from discreet.core.joint import Joint
    >>> guessing_probability(Joint([[.3, .1], [.15, .45]]).lift())
    V(S|Y) = 0.75 (exact, of this law)

    References: paper 001, Section II-B; paper 004, equation (5), with the sum over releases that the print lacks.
    """
    best = lift.p.max(axis=0)
    return lift.reading("guessing_probability", float(best.sum()), by_y=best)


def inference_gain(lift: Lift, cost: ArrayLike | NamedCost) -> Reading:
    """How much less an adversary's best decision costs him, in the mean, when he sees the release.

    ΔC = min_d Σ_s p(s) C(s, d) − Σ_y min_d Σ_s p(s, y) C(s, d)

    `cost[s, decision]` is any finite table, or a name: "log" (he states a belief; the gain is I(S; Y)), "zero_one" (he
    guesses), "brier" (he states a belief and pays the squared distance). Large: the release helps him. Never negative;
    zero when no release changes his decision. O(|S| |Y| |decisions|).

    >>> from discreet.core.joint import Joint
    >>> inference_gain(Joint([[.3, .1], [.15, .45]]).lift(), "zero_one")
    ΔC [cost=zero_one] = 0.15 (exact, of this law)

    References: paper 002, Section II.
    """
    if not isinstance(cost, str):
        table = _cost_table(lift, cost)
        return lift.reading("inference_gain", max(_saved(lift, table), 0.0), cost="table")
    if cost == "log":
        value = mutual_information(lift).value
    elif cost == "zero_one":
        value = guessing_probability(lift).value - float(lift.p_s.max())
    elif cost == "brier":
        by_s, _ = mean_square(lift, lambda l: l - 1)
        value = float(lift.p_s**2 @ by_s)
    else:
        raise ParameterError(
            'a cost table, or "log", "zero_one" or "brier"',
            f"cost = {cost!r}",
            "choose a name or give cost[s, decision]",
        )
    return lift.reading("inference_gain", max(value, 0.0), cost=cost)


def _cost_table(lift: Lift, cost: ArrayLike) -> Array:
    table = as_numbers("costs", cost)
    if table.ndim != 2 or table.shape[0] != lift.p_s.size or table.shape[1] == 0:
        raise AxisError(
            f"cost[s, decision] with {lift.p_s.size} rows, one a secret",
            f"shape {table.shape}",
            "give the cost of each decision for each secret",
        )
    if not np.isfinite(table).all():
        raise LawError(
            "finite costs",
            f"{int((~np.isfinite(table)).sum())} infinite or NaN",
            'for log-loss use cost="log"',
        )
    return table


def _saved(lift: Lift, table: Array) -> float:
    """The best cost without the release, minus the mean of the best costs with it."""
    best = np.argmin(lift.p_s @ table)
    # measured from the best blind decision, so that a release that changes nothing gives 0
    table = table - table[:, [best]]
    return -float((table.T @ lift.p).min(axis=0).sum())


def mmse(lift: Lift, values: ArrayLike | None = None) -> Reading:
    """The least mean square error with which the secret, as a number, is estimated from the release.

    mmse = Σ_s Σ_y p(s, y) (v(s) − E[v | y])²

    Large: the number stays hidden. Zero: it is known. Never above Var(v(S)), which is its value at independence.
    `values[s]` are the numbers; without them the values of the secret's axis.

    >>> from discreet.core.joint import Joint
    >>> mmse(Joint([[.3, .1], [.15, .45]]).lift(), [0, 1])
    mmse = 0.1818 (exact, of this law)

    References: paper 000, Section II-B.
    """
    given = lift.axes[0].values if values is None else values
    if given is None:
        raise ParameterError(
            "the mean square error of a secret that is a number",
            f"an axis {lift.axes[0].name!r} without values",
            'pass mmse(lift, values), or make the law with Axis("s", values=…)',
        )
    v = as_numbers("the values of the secret", given)
    if v.shape != lift.p_s.shape or not np.isfinite(v).all():
        raise AxisError(
            f"{lift.p_s.size} finite values, one for each secret",
            f"shape {v.shape}, {int((~np.isfinite(v)).sum())} not finite",
            "give one number for each position of the secret",
        )
    v = v - lift.p_s @ v
    expected = np.zeros(lift.p_y.size)
    for rows, columns, l in lift.tiles():
        expected[columns] += (lift.p_s[rows] * v[rows]) @ l
    by_y = np.zeros(lift.p_y.size)
    for rows, columns, l in lift.tiles():
        missed = v[rows, None] - expected[columns]
        missed *= missed
        missed *= l
        by_y[columns] += lift.p_s[rows] @ missed
    return lift.reading("mmse", float(lift.p_y @ by_y), by_y=by_y)
