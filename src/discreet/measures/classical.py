"""The classical notions of anonymity, read off the lift of a table whose releases are its classes.

A class holds the records that share the values of some columns. That is a release like any other, so each notion is a
statement about the lift: k about p(y) alone, l about the posterior of the worst class, t, δ and β about l itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from discreet.core.errors import LawError
from discreet.core.lift import Lift
from discreet.core.protocols import Array
from discreet.core.reading import QUANTITIES, Quantity, Reading
from discreet.measures.arguments import choice
from discreet.measures.pointwise import lift_privacy
from discreet.measures.reducers import extremes, log_mass, mean

Distance = Literal["equal", "ordered"]


class Classical(NamedTuple):
    """A notion: what it is called, where the lift shows it, and the function that reads it."""

    name: str
    of_lift: str
    function: Callable[[Lift], Reading]


def k_anonymity(lift: Lift) -> Reading:
    """How many records the smallest class has.

    k = n min_y p(y)

    Large: whoever knows these columns of somebody cannot tell his record from many others. One: somebody is alone. It
    does not look at the secret: all records of a class may share it. Only a table has it, for a law has no records.

    >>> from discreet.core.counts import Counts
    >>> k_anonymity(Counts([[30, 10], [15, 45]]).joint().lift())
    k = 45 (exact, of this table, n = 100)

    References: Sweeney 2002.
    """
    n = lift.origin.n
    if n is None or lift.origin.kind != "counted":
        raise LawError(
            "the k of k-anonymity, a number of records",
            f"a lift that is {lift.origin.kind}, of {lift.origin.law}",
            "count the rows of a table: Counts(n).joint().lift()",
        )
    by_y = np.round(lift.p_y * n)
    return lift.reading("k_anonymity", by_y[by_y > 0].min(), by_y=by_y)


def distinct_diversity(lift: Lift) -> Reading:
    """How many values of the secret occur in the class that has fewest.

    l = min_y #{s : l(s, y) > 0}

    Large: no class rules out many values. One: some class has a single value, which is thereby known. A value that is
    very unlikely counts as much as any other, so a large l promises little.

    >>> from discreet.core.joint import Joint
    >>> distinct_diversity(Joint([[.3, .1, .2], [.15, .25, 0]]).lift())
    distinct l = 1 (exact, of this law)

    References: Machanavajjhala et al. 2007, Section 4.
    """
    by_y = np.zeros(lift.p_y.size)
    for rows, columns, l in lift.tiles():
        by_y[columns] += np.count_nonzero(l[lift.p_s[rows] > 0], axis=0)
    return lift.reading("distinct_diversity", _over_classes(lift, by_y).min(), by_y=by_y)


def entropy_diversity(lift: Lift) -> Reading:
    """How many equally likely values of the secret would leave as much to guess as the worst class.

    l = min_y exp H(S | Y = y)

    Large: every class leaves much to guess. One: some class leaves nothing. Zero cells count as nothing. It bounds what
    is told: I(S; Y) ≤ H(S) − log l.

    >>> from discreet.core.joint import Joint
    >>> entropy_diversity(Joint([[.3, .1], [.15, .45]]).lift())
    entropy l = 1.607 (exact, of this law)

    References: Machanavajjhala et al. 2007, Definition 4.1.
    """
    log_p = log_mass(lift.p_s)
    by_y = np.zeros(lift.p_y.size)
    for rows, columns, l in lift.tiles():
        with np.errstate(divide="ignore", invalid="ignore"):
            surprise = l * (np.log(l) + log_p[rows, None])
        by_y[columns] -= lift.p_s[rows] @ np.where((l > 0) & (lift.p_s[rows, None] > 0), surprise, 0)
    by_y = np.exp(np.maximum(by_y, 0))
    return lift.reading("entropy_diversity", _over_classes(lift, by_y).min(), by_y=by_y)


def t_closeness(lift: Lift, distance: Distance = "equal") -> Reading:
    """How far the secret of the worst class is distributed from the secret of the whole table.

    t = max_y ½ Σ_s p(s) |l − 1|, the total variation of the worst class. With distance="ordered" it is the earth
    mover's distance along the order of the secrets, max_y Σ_i |Σ_{s≤i} p(s) (l − 1)| / (|S| − 1).

    Large: some class tells much. Zero: independence. Between 0 and 1. No guess from a class is right more often than
    max p(s) + t (equal), and TV ≤ t.

    >>> from discreet.core.joint import Joint
    >>> t_closeness(Joint([[.3, .1], [.15, .45]]).lift())
    t = 0.2667 (exact, of this law)

    References: Li, Li and Venkatasubramanian 2007, Sections 3 and 4.
    """
    if choice("distance", distance, ("equal", "ordered")) == "ordered":
        by_y = _moved_in_order(lift)
    else:
        by_y = mean(lift, lambda l: 0.5 * np.abs(l - 1)).by_y
    return lift.reading("t_closeness", _over_classes(lift, by_y).max(), by_y=by_y)


def delta_disclosure(lift: Lift) -> Reading:
    """How far any class moves the probability of a secret, as a logarithm: the bound on |log l| by another name.

    δ = sup_s sup_y |log l(s, y)|

    Large: some class nearly settles some secret. Zero: independence. Infinite when a class rules a value out.

    >>> from discreet.core.joint import Joint
    >>> delta_disclosure(Joint([[.3, .1], [.15, .45]]).lift())
    δ = 0.7885 nats (exact, of this law)

    References: Brickell and Shmatikov 2008, Definition 1.
    """
    found = lift_privacy(lift)
    return lift.reading("delta_disclosure", found.value, by_y=found.by_y)


def beta_likeness(lift: Lift) -> Reading:
    """By what share the most telling class raises the probability of a secret: the bound on l − 1.

    β = sup_s sup_y l(s, y) − 1

    Large: some value becomes far more likely in some class. Zero: independence. What becomes less likely does not
    count. It bounds what anybody gains: maximal leakage ≤ log(1 + β).

    >>> from discreet.core.joint import Joint
    >>> beta_likeness(Joint([[.3, .1], [.15, .45]]).lift())
    β = 0.6667 (exact, of this law)

    References: Cao and Karras 2012, Definition 2.
    """
    by_y = np.maximum(extremes(lift).high - 1, 0)
    return lift.reading("beta_likeness", _over_classes(lift, by_y).max(), by_y=by_y)


CLASSICAL = (
    Classical("k-anonymity", "n · min p(y): not about the lift at all", k_anonymity),
    Classical("l-diversity, distinct", "how many cells of the worst class have l > 0", distinct_diversity),
    Classical("l-diversity, entropy", "exp of the entropy of p(s) l in the worst class", entropy_diversity),
    Classical("t-closeness", "half the mean of |l − 1| in the worst class", t_closeness),
    Classical("δ-disclosure", "the largest |log l|", delta_disclosure),
    Classical("β-likeness", "the largest l − 1", beta_likeness),
)
"""The notions in the order in which they were proposed, each of which mends the one before."""

QUANTITIES.update(
    k_anonymity=Quantity("k", ""),
    distinct_diversity=Quantity("distinct l", ""),
    entropy_diversity=Quantity("entropy l", ""),
    t_closeness=Quantity("t", ""),
    delta_disclosure=Quantity("δ", "nats"),
    beta_likeness=Quantity("β", ""),
)


def _over_classes(lift: Lift, by_y: Array) -> Array:
    """The classes that have a record."""
    return by_y[lift.p_y > 0]


def _moved_in_order(lift: Lift) -> Array:
    """The earth mover's distance of each class, with the secrets evenly along a line of length one."""
    n_s = lift.p_s.size
    by_y, moved = np.zeros(lift.p_y.size), np.zeros(lift.p_y.size)
    for rows, columns, l in lift.tiles():  # the rows of a block of columns come one after the other
        carried = moved[columns] + np.cumsum(lift.p_s[rows, None] * (l - 1), axis=0)
        moved[columns] = carried[-1]
        by_y[columns] += np.abs(carried).sum(axis=0)
    return by_y / max(n_s - 1, 1)
