"""What convex functions are at 0 and towards infinity."""

import math

import numpy as np
import pytest

from discreet.measures.convex import limit_at_zero, slope_at_infinity


def jensen_shannon(t):
    return t * np.log(2 * t / (t + 1)) + np.log(2 / (t + 1))


@pytest.mark.parametrize(
    ("f", "at_zero", "slope"),
    [
        (lambda t: t * np.log(t), 0, math.inf),
        (lambda t: -np.log(t), math.inf, 0),
        (lambda t: (t - 1) * np.log(t), math.inf, math.inf),
        (lambda t: (t - 1) ** 2, 1, math.inf),
        (lambda t: (t - 1) ** 2 / t, math.inf, 1),
        (lambda t: (t - 1) ** 2 / (t + 1), 1, 1),
        (lambda t: (t - 1) ** 8 / (t**7 + 1), 1, 1),
        (lambda t: np.abs(t - 1) / 2, 0.5, 0.5),
        (lambda t: (np.sqrt(t) - 1) ** 2, 1, 1),
        (lambda t: np.maximum(t - 1.5, 0), 0, 1),
        (lambda t: 1 - t**0.3, 1, 0),
        (lambda t: t**1.1 - 1, -1, math.inf),
        (lambda t: 1 / t - 1, math.inf, 0),
        (jensen_shannon, math.log(2), math.log(2)),
        (lambda t: np.exp(t) - math.e, 1 - math.e, math.inf),
    ],
)
def test_the_ends_of_a_convex_function(f, at_zero, slope):
    assert limit_at_zero(f) == pytest.approx(at_zero, abs=1e-12)
    assert slope_at_infinity(f) == pytest.approx(slope, abs=1e-12)
