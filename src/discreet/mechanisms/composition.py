"""Two releases of one record: what they tell together."""

from __future__ import annotations

import numpy as np

from discreet.core.channel import MatrixChannel, alphabet_rows
from discreet.core.errors import AxisError
from discreet.core.joint import Joint
from discreet.mechanisms.finished import check_cells


def both(joint: Joint, first: MatrixChannel, second: MatrixChannel) -> Joint:
    """The law of the secret and of the pair (y1, y2) that two channels release from one record, drawn independently.

    p(s, y1, y2) = Σ_x p(s, x) p1(y1 | x) p2(y2 | x)

    Two releases can tell what neither tells alone, so the leak of the pair is read off this law and not added up. The
    second axis holds the pairs, y2 running fastest. O(|S| |X| |Y1| |Y2|).

    >>> from discreet.measures import mutual_information
    >>> xor = Joint([[.25, 0, 0, .25], [0, .25, .25, 0]])
    >>> one, two = MatrixChannel([[1, 0], [1, 0], [0, 1], [0, 1]]), MatrixChannel([[1, 0], [0, 1], [1, 0], [0, 1]])
    >>> [mutual_information(xor.through(w).lift()).value for w in (one, two)]
    [0.0, 0.0]
    >>> mutual_information(both(xor, one, two).lift())
    I(S;Y) = 0.6931 nats (exact, of this law)
    """
    if joint.p.ndim != 2 or first.inputs != "x" or second.inputs != "x":
        raise AxisError(
            "a law p[s, x] and two channels that read x",
            f"axes {', '.join(joint.names)}; channels {first!r} and {second!r}",
            "take .marginal of the law; a mechanism that sees the secret goes through joint.through",
        )
    n_x = joint.p.shape[1]
    w1, w2 = alphabet_rows(first, n_x), alphabet_rows(second, n_x)
    check_cells(n_x, w1.shape[1] * w2.shape[1])
    pairs = MatrixChannel(np.einsum("xa,xb->xab", w1, w2).reshape(n_x, -1))
    return joint.through(pairs)
