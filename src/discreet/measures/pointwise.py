"""The worst cell: bounds that hold for every secret and every release."""

from __future__ import annotations

import numpy as np

from discreet.core.lift import Lift
from discreet.core.reading import Reading
from discreet.measures.reducers import extremes


def lift_privacy(lift: Lift) -> Reading:
    """How far the most telling release moves the probability of a secret, up or down, as a logarithm.

    ε = sup_s sup_y |log l(s, y)|

    Large: some release nearly settles some secret. Zero: independence. Infinite when a cell cannot occur.

    >>> from discreet.core.joint import Joint
    >>> lift_privacy(Joint([[.3, .1], [.15, .45]]).lift())
    sup|log l| = 0.7885 nats (exact, of this law)

    References: paper 001, Definition 1; paper 000, equation (1).
    """
    by_y = extremes(lift).spread()
    return lift.reading("lift_privacy", by_y.max(), by_y=by_y)


def local_privacy(lift: Lift) -> Reading:
    """How far one release can shift the odds between two secrets.

    ε = sup_y (max_s log l(s, y) − min_s log l(s, y)) = sup log p(y | s) / p(y | s′)

    Large: two secrets are told apart. Zero: independence. Infinite when a release can occur under one secret and not
    under another; the prior does not matter.

    >>> from discreet.core.joint import Joint
    >>> local_privacy(Joint([[.3, .1], [.15, .45]]).lift())
    local ε = 1.099 nats (exact, of this law)

    References: paper 001, Lemma 1, with the factor 2 that the print lacks.
    """
    low, high = extremes(lift)
    with np.errstate(divide="ignore"):
        by_y = np.log(high) - np.log(low)
    return lift.reading("local_privacy", by_y.max(), by_y=by_y)
