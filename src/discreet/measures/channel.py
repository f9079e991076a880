"""What a mechanism p(y | x) can tell, whatever the data: prior-free, without sampling error.

Every value holds for each secret S with S – X – Y. One that also sees the secret is read as one on pairs. Rows p[x, y]
serve as the channel they make.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.channel import MatrixChannel
from discreet.core.lift import TILE_CELLS
from discreet.core.protocols import Array
from discreet.core.reading import Origin, Reading

CHANNEL = Origin(kind="exact", law="the channel")


def _read(measure: str, value: float) -> Reading:
    return Reading.of(measure, value, CHANNEL)


def _rows(channel: MatrixChannel | ArrayLike) -> Array:
    """One row for each input, or pair of secret and input; an array of rows is a channel as well."""
    p = channel.p if isinstance(channel, MatrixChannel) else MatrixChannel(channel).p
    return p.reshape(-1, p.shape[-1])


def _inputs(channel: MatrixChannel | ArrayLike) -> Array:
    """The rows that differ; equal rows tell nothing apart."""
    return np.unique(_rows(channel), axis=0)


def local_privacy(channel: MatrixChannel | ArrayLike) -> Reading:
    """How far one release can shift the odds between two inputs, and so between any two secrets.

    ε = log max_y max_x p(y | x) / min_x p(y | x)

    Large: inputs are told apart. Zero: the output ignores the input. Infinite when a release can occur for one
    input and not for another.

    >>> local_privacy(MatrixChannel([[.75, .25], [.25, .75]]))
    local ε = 1.099 nats (exact, of the channel)
    """
    rows = _rows(channel)
    rows = rows[:, rows.max(axis=0) > 0]
    with np.errstate(divide="ignore"):
        return _read("local_privacy", (np.log(rows.max(axis=0)) - np.log(rows.min(axis=0))).max())


def maximal_leakage(channel: MatrixChannel | ArrayLike) -> Reading:
    """How many times better any function of the input can be guessed, for any prior.

    L = log Σ_y max_x p(y | x)

    Large: some function of the input is betrayed. Zero: the output ignores the input.

    >>> maximal_leakage(MatrixChannel([[.75, .25], [.25, .75]]))
    L = 0.4055 nats (exact, of the channel)

    References: paper 001, equation (8).
    """
    rows = _rows(channel)
    return _read("maximal_leakage", max(math.log(rows.max(axis=0).sum()), 0.0))


def dobrushin(channel: MatrixChannel | ArrayLike) -> Reading:
    """The largest total variation between two rows: TV(S; Y) ≤ τ · TV(S; X).

    τ = max_{x, x′} ½ Σ_y |p(y | x) − p(y | x′)|

    Large: two inputs are told apart. One for a deterministic map, about which it says nothing. O(|X|² |Y|).

    >>> dobrushin(MatrixChannel([[.75, .25], [.25, .75]]))
    τ = 0.5 (exact, of the channel)
    """
    rows = _inputs(channel)
    return _read(
        "dobrushin", max((float(np.abs(rows - row).sum(axis=1).max()) / 2 for row in rows), default=0.0)
    )


def doeblin(channel: MatrixChannel | ArrayLike) -> Reading:
    """The share of the output that ignores the input altogether; larger is more private.

    α = Σ_y min_x p(y | x)

    One: the output ignores the input. Zero for a deterministic map. V(S; Y) ≤ α max p(s) + (1 − α) V(S; X).

    >>> doeblin(MatrixChannel([[.75, .25], [.25, .75]]))
    α = 0.5 (exact, of the channel)
    """
    rows = _rows(channel)
    return _read("doeblin", min(float(rows.min(axis=0).sum()), 1.0))


def contraction(channel: MatrixChannel | ArrayLike) -> Reading:
    """The largest share of any information about a secret that survives the channel: I(S; Y) ≤ η I(S; X).

    η = max_{x, x′} max_{0<b<1} 1 − Σ_y p(y | x) p(y | x′) / (b p(y | x) + (1 − b) p(y | x′))

    It holds for mutual information, χ² and squared maximal correlation alike. Large: little is lost. One for a
    deterministic map. Two inputs suffice, and the inner function is concave in b. O(|X|² |Y|).

    >>> contraction(MatrixChannel([[.75, .25], [.25, .75]]))
    η = 0.25 (exact, of the channel)
    """
    rows = _inputs(channel)
    height = max(1, TILE_CELLS // rows.shape[1])
    worst = 0.0
    for i, row in enumerate(rows[:-1]):
        for start in range(i + 1, len(rows), height):
            worst = max(worst, float(_surviving(row, rows[start : start + height]).max()))
    return _read("contraction", min(worst, 1.0))


def _surviving(row: Array, others: Array) -> Array:
    """1 − Σ pq / (b p + (1 − b) q) at its best b, for one row against others: bisection on the slope."""
    low, high = np.zeros(len(others)), np.ones(len(others))
    product, difference = row * others, row - others
    for _ in range(54):
        middle = (low + high) / 2
        mixed = middle[:, None] * row + (1 - middle[:, None]) * others
        mixed[mixed == 0] = 1
        # d/db of −Σ pq / m is Σ pq (p − q) / m², and the function is concave
        rising = (product * difference / mixed**2).sum(axis=1) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    middle = (low + high) / 2
    mixed = middle[:, None] * row + (1 - middle[:, None]) * others
    mixed[mixed == 0] = 1
    surviving: Array = 1 - (product / mixed).sum(axis=1)
    return surviving
