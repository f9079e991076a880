"""The directions in which secret and release are correlated."""

from __future__ import annotations

import math

import numpy as np

from discreet.core.lift import Lift
from discreet.core.protocols import Array
from discreet.core.reading import Reading


def principal_inertias(lift: Lift) -> Array:
    """The squared singular values of √p(s) (l − 1) √p(y), largest first: how well each direction is estimated.

    Their sum is χ², the root of the first is the maximal correlation. min(|S|, |Y|) − 1 of them, each in [0, 1].
    The trivial direction is taken out before squaring, so that independence gives zeros. O(|S| |Y| min(|S|, |Y|)), one
    copy of the law.

    >>> from discreet.core.joint import Joint
    >>> principal_inertias(Joint([[.3, .1], [.15, .45]]).lift()).round(4)
    array([0.2424])

    References: paper 000, Lemma 5.
    """
    n_s, n_y = lift.shape
    if min(n_s, n_y) == 1:
        return np.empty(0)
    root_s, root_y = np.sqrt(lift.p_s), np.sqrt(lift.p_y)
    centred = np.empty(lift.shape)
    for rows, columns, l in lift.tiles():
        tile = np.subtract(l, 1, out=centred[rows, columns])
        tile *= root_s[rows, None]
        tile *= root_y[columns]
    square = centred @ centred.T if n_s <= n_y else centred.T @ centred
    most = np.inf if lift.origin.kind == "learned" else 1.0
    found: Array = np.clip(np.linalg.eigvalsh(square)[:0:-1], 0.0, most).astype(np.float64)
    return found


def maximal_correlation(lift: Lift) -> Reading:
    """The largest correlation that any function of the secret has with any function of the release.

    ρ_m = max corr(f(S), g(Y)) = the second singular value of √p(s) l √p(y)

    Large: some function of the secret is almost read off. Zero: independence. One: some event of the secret is known.

    >>> from discreet.core.joint import Joint
    >>> maximal_correlation(Joint([[.3, .1], [.15, .45]]).lift())
    ρ_m = 0.4924 (exact, of this law)

    References: paper 000, Definition 5.
    """
    inertias = principal_inertias(lift)
    return lift.reading("maximal_correlation", math.sqrt(inertias[0]) if inertias.size else 0.0)
