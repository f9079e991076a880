"""Ways to look: huge noise, and secrets in the small places of numbers."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.adversaries.coordinates import clipped, digits, ranked, robust, small_places
from discreet.adversaries.lattice import period
from discreet.core.samples import Column, Columns


def one(values, look):
    columns = Columns([Column("a", np.asarray(values, float))])
    return look(columns)(columns)


def test_ranks_do_not_see_size(rng):
    x = rng.normal(size=300)
    np.testing.assert_allclose(one(x, ranked)["a"].values, one(np.sinh(9 * x), ranked)["a"].values)
    assert one([*x, 1e300, np.nan], ranked)["a"].values[-2] < 4


def test_missing_numbers_stay_missing():
    for look in (ranked, clipped, digits):
        assert np.isnan(one([1.5, np.nan, 2.5, 3.25], look)["a"].values[1])


def test_clipping_keeps_the_middle(rng):
    x = np.concatenate([rng.normal(size=300), [1e12, -1e12]])
    seen = one(x, clipped)["a"].values
    assert seen[-2:].tolist() == [3, -3]
    assert np.corrcoef(seen[:-2], x[:-2])[0, 1] > 0.99


def test_a_constant_has_a_deviation_to_divide_by():
    assert robust(np.full(9, 4.0)) == (4.0, 1.0)
    assert robust(np.array([np.nan])) == (0.0, 1.0)


@pytest.mark.parametrize("unit", [1.0, 1 / 13.7, 250.0])
def test_the_lattice_of_shifted_whole_numbers_is_found(rng, unit):
    whole = rng.integers(0, 80, 2000)
    shift = 0.1234 * rng.integers(0, 2, 2000)
    assert period((whole - shift) * unit) == pytest.approx(unit, rel=1e-6)


def test_noise_has_no_lattice(rng):
    assert period(rng.normal(size=3000)) is None
    assert period(np.ones(10)) is None


def test_phases_tell_what_a_subtraction_wrote(rng):
    s = rng.integers(0, 2, 1000)
    seen = one(rng.integers(17, 90, 1000) - 0.3217 * s, digits)
    phase = seen["phase of a"].values
    assert {len(np.unique(phase[s == k])) for k in (0, 1)} == {1}
    assert phase[s == 0][0] != phase[s == 1][0]


def test_the_last_digit_and_the_last_bits_are_read(rng):
    s = rng.integers(0, 2, 500)
    cents = (rng.integers(100, 9999, 500) * 2 + s) / 100
    assert np.array_equal(one(cents, digits)["parity of a"].values, s)
    x = rng.normal(size=500)
    bits = (x.view(np.uint64) & ~np.uint64(1)) | s.astype(np.uint64)
    assert np.array_equal(one(bits.view(np.float64), digits)["last bits of a"].values % 2, s)


def test_levels_and_whole_tables_pass_unchanged():
    columns = Columns([Column("a", [0, 1], levels=("x", "y"))])
    for look in (ranked, clipped, digits):
        assert look(columns)(columns).names == ("a",)
    assert small_places(np.array([np.nan])) == []
