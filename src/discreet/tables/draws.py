"""Draws from 64-bit words, so that a generator and a key stream drive the same code."""

from __future__ import annotations

import numpy as np

from discreet.core.protocols import Array, Codes, Words


def uniforms(words: Words) -> Array:
    """A number in [0, 1) from the upper 53 bits of each word.

    >>> import numpy as np
    >>> uniforms(np.array([0, 2**63], dtype=np.uint64))
    array([0. , 0.5])
    """
    upper: Array = (np.asarray(words, dtype=np.uint64) >> np.uint64(11)).astype(np.float64)
    return upper * 2.0**-53


def picked(weights: Array, words: Words) -> Codes:
    """A place for each word, drawn with these weights.

    >>> import numpy as np
    >>> picked(np.array([1., 3.]), np.array([2**61, 2**63], dtype=np.uint64))
    array([0, 1])
    """
    return placed(weights, uniforms(words))


def placed(weights: Array, uniform: Array) -> Codes:
    """The place at which the cumulative weights pass each number in [0, 1); never one without weight."""
    cumulative = np.cumsum(np.asarray(weights, dtype=np.float64))
    found = np.searchsorted(cumulative, uniform * cumulative[-1], side="right")
    last = int(np.flatnonzero(weights)[-1])
    made: Codes = np.minimum(found, last).astype(np.int64)
    return made
