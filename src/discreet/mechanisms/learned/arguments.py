"""What the learned presets take, checked in one place."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.errors import ParameterError
from discreet.core.protocols import Array


def distortions(given: ArrayLike) -> Array:
    """One budget of distortion or more, above 0."""
    return _positive("distortions", given, "0 is the record as it is")


def leaks(given: ArrayLike) -> Array:
    """One budget of leak or more, above 0."""
    return _positive("leaks", given, "a leak of 0 is a constant release")


def _positive(name: str, given: ArrayLike, why: str) -> Array:
    held = np.atleast_1d(np.asarray(given, dtype=np.float64))
    if held.ndim != 1 or not held.size or not (np.isfinite(held) & (held > 0)).all():
        raise ParameterError(f"{name} above 0, finite", f"{given!r}", f"give one or more; {why}")
    return held
