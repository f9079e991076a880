"""What people do without a theory: randomised response, generalisation, suppression; on the same scale as the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design
from discreet.core.errors import AxisError, ParameterError
from discreet.core.joint import Joint
from discreet.measures.arguments import share
from discreet.mechanisms.finished import check_cells, partition_channel
from discreet.mechanisms.measured import Leakage, designed


def randomised_response(joint: Joint, keep: float, leakage: Leakage = "mutual_information") -> Design:
    """Release the symbol itself with probability `keep`, and otherwise any symbol, evenly.

    p(y | x) = keep 1{y = x} + (1 − keep) / |X|

    It is log(1 + |X| keep / (1 − keep)) locally private, whatever the law, and constant at keep = 0.

    >>> randomised_response(Joint([[.3, .1], [.15, .45]]), .6).channel.p.round(2)
    array([[0.8, 0.2],
           [0.2, 0.8]])
    """
    n = joint.p.shape[-1]
    share("keep", keep)
    check_cells(n, n)
    return designed(joint, MatrixChannel(keep * np.eye(n) + (1 - keep) / n), leakage, trace={"keep": keep})


def generalisation(joint: Joint, groups: ArrayLike, leakage: Leakage = "mutual_information") -> Design:
    """Release the group that a symbol belongs to: `groups[x]` is its number, 0 and up.

    >>> generalisation(Joint([[.3, .05, .05], [.1, .1, .4]]), [0, 1, 1]).leakage
    I(S;Y) = 0.1777 nats (exact, of this law)
    """
    group = np.asarray(groups)
    n = joint.p.shape[-1]
    if group.shape != (n,) or group.dtype.kind not in "iu" or (n and group.min() < 0):
        raise AxisError(
            f"the number of a group, 0 and up, for each of {n} symbols",
            f"shape {group.shape}, type {group.dtype}",
            "give one whole number for each symbol of x",
        )
    _, numbers = np.unique(group, return_inverse=True)
    return designed(joint, partition_channel(numbers), leakage, trace={"groups": group})


def suppression(
    joint: Joint, symbols: Sequence[int] | ArrayLike, leakage: Leakage = "mutual_information"
) -> Design:
    """Release a symbol as it is unless it is among `symbols`; those become one blank, the last symbol of the release.

    >>> suppression(Joint([[.3, .05, .05], [.1, .1, .4]]), [0]).channel.p[0]
    array([0., 0., 1.])
    """
    n = joint.p.shape[-1]
    blank = np.asarray(symbols, dtype=np.int64)
    if blank.ndim != 1 or (blank.size and (blank.min() < 0 or blank.max() >= n)):
        raise ParameterError(
            f"symbols to suppress, from 0 to {n - 1}",
            f"{blank.tolist()}",
            "give positions of the last axis of the law",
        )
    hidden = np.zeros(n, dtype=bool)
    hidden[blank] = True
    group = np.where(hidden, n, np.cumsum(~hidden) - 1)
    _, numbers = np.unique(group, return_inverse=True)
    return designed(joint, partition_channel(numbers), leakage, trace={"suppressed": np.flatnonzero(hidden)})
