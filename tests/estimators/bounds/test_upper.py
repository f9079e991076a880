"""What is true of every upper bound: above the plug-in, below the ceiling, tighter with rows, wider with confidence."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from bench.coverage import ROWS, Drawn, adult_bounds, adult_tables, gain, randomised
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet import measures as m
from discreet.core.channel import MatrixChannel
from discreet.core.counts import Counts
from discreet.core.errors import AxisError, EvidenceError, LawError, ParameterError
from discreet.estimators.bounds import known, lower, upper
from discreet.estimators.bounds.held_out import HeldOut
from discreet.estimators.bounds.trivial import ceiling
from discreet.estimators.bounds.upper.guess import may_beat

UPPER = [row for row in ROWS if "≥" not in row.name]
TABLE = np.array([[300, 100, 20], [150, 450, 80]])


@st.composite
def tables(draw, secrets=(1, 4), releases=(1, 5)):
    shape = draw(st.integers(*secrets)), draw(st.integers(*releases))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    most = draw(st.sampled_from([2, 30, 1000]))
    n = rng.integers(0, most, size=shape) * (rng.random(shape) >= draw(st.sampled_from([0.0, 0.4])))
    n[0, 0] += 1
    return n


def asked(row, n, channel=None):
    try:
        return row.bound(Drawn(n, n, channel))
    except EvidenceError:
        return None


@settings(max_examples=60, deadline=None)
@given(n=tables(), noisy=st.booleans())
def test_bounds_lie_between_the_plug_in_and_the_ceiling(n, noisy):
    channel = randomised(n.shape[1], 1.5) if noisy and n.shape[1] > 1 else None
    held = HeldOut.of(n, channel)
    for row in UPPER:
        if channel is not None and not row.behind_channel:
            continue
        reading = asked(row, n, channel)
        if reading is None:
            continue
        found = row.truth(held.lift).value
        assert not math.isnan(reading.value)
        assert reading.interval.confidence == 0.95
        assert reading.origin.law in ("the population", "people of this composition")
        assert reading.origin.n == n.sum()
        of = "population" if reading.origin.law == "the population" else "composition"
        most = ceiling(held, reading.measure, of, reading.parameters.get("gamma", 1.0))
        if reading.side == "lower":
            assert reading.value <= found + 1e-9
            assert reading.interval.high == pytest.approx(most)
        else:
            # the population may have other commonest secrets, and rare cells that the table lacks
            if row.name != "gain pop":
                assert reading.value >= found - 1e-9, row.name
            assert reading.value <= most + 1e-12, row.name
            assert reading.interval.low <= reading.value == reading.interval.high


@pytest.mark.parametrize("row", UPPER, ids=lambda row: row.name)
@pytest.mark.parametrize("channel", [None, randomised(3, 2.0)], ids=["sampled", "channel known"])
def test_rows_tighten_and_confidence_widens(row, channel):
    if channel is not None and not row.behind_channel:
        assert row.name in ("IP δ at .5", "IP strong δ", "lift", "LDP")
        return
    side = 1 if row.name != "H(S|Y)" else -1
    ladder = [side * asked(row, scale * TABLE, channel).value for scale in (1, 3, 10, 100, 10_000)]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(ladder))
    found = row.truth(HeldOut.of(TABLE, channel).lift).value
    if not row.name.startswith("IP"):
        assert abs(side * ladder[-1] - found) < 0.05 * max(found, 0.1)


ARGUMENTS = {"e_gamma": (1.5,), "differential_privacy": (0.5,), "information_privacy": (0.5,)}


@pytest.mark.parametrize("name", upper.__all__)
def test_confidence_widens_and_the_guarantee_is_read_off(name):
    bound, arguments = getattr(upper, name), ARGUMENTS.get(name, ())
    values = [bound(20 * TABLE, *arguments, confidence).value for confidence in (0.5, 0.9, 0.95, 0.999)]
    if name == "conditional_entropy":
        values.reverse()
    assert values == sorted(values)
    assert values[0] < values[-1]
    reading = bound(20 * TABLE, *arguments)
    assert (
        reading.unit
        == m.__dict__.get(reading.measure, m.inference_gain)(
            HeldOut.of(TABLE).lift, *({"inference_gain": ("zero_one",)}.get(reading.measure, arguments))
        ).unit
    )
    if name not in ("conditional_entropy", "information_privacy"):
        promise = dc.guarantees.of(reading)
        assert promise.confidence == 0.95
        assert promise.law == reading.origin.law
    with pytest.raises(ParameterError):
        bound(TABLE, *arguments, 1.0)


def test_the_guess_is_the_exact_limit_of_a_count():
    from scipy.stats import binomtest

    expected = binomtest(830, 1100).proportion_ci(0.90, method="exact").high
    assert upper.guessing_probability(TABLE).value == pytest.approx(expected)
    assert upper.guessing_probability(Counts(TABLE, ("income", "y"))).value == pytest.approx(expected)
    assert upper.guessing_probability(np.diag([5, 4]), of="composition").value == 1
    assert upper.guessing_probability([[9, 1], [0, 10]], of="composition").value == pytest.approx(
        1 - 0.05 / 20
    )


def test_a_map_is_counted_and_a_noisy_channel_averaged():
    merge = MatrixChannel([[1, 0], [1, 0], [0, 1]])
    for name in ("guessing_probability", "mutual_information", "chi_squared", "maximal_leakage"):
        bound = getattr(upper, name)
        merged = TABLE @ merge.p.astype(int)
        assert bound(TABLE, channel=merge).value == bound(merged).value
    noisy = randomised(3, 1.0)
    for name in ("mutual_information", "total_variation", "maximal_leakage", "guessing_probability"):
        assert getattr(upper, name)(TABLE, channel=noisy).value < getattr(upper, name)(TABLE).value
    assert upper.maximal_leakage(TABLE, channel=noisy).value <= m.channel.maximal_leakage(noisy).value
    square = upper.maximal_correlation(TABLE, channel=noisy).value ** 2
    assert square <= m.channel.contraction(noisy).value + 1e-9
    silent = MatrixChannel(np.full((3, 4), 0.25))
    assert upper.mutual_information(TABLE, channel=silent).value == pytest.approx(0, abs=1e-9)
    assert upper.total_variation(TABLE, channel=silent).value == pytest.approx(0, abs=1e-9)
    assert upper.differential_privacy(TABLE, 0.0, channel=silent).value == pytest.approx(0, abs=1e-9)


def test_the_gain_takes_the_better_of_two():
    weak = np.array([[6000, 3000], [900, 600]])
    assert upper.gain(weak).origin.method.startswith("Bernstein")
    assert upper.gain(weak).value < 0.01
    assert upper.gain(TABLE).origin.method.startswith("Clopper")
    with pytest.raises(ParameterError, match="design"):
        upper.gain(weak, of="population")
    about = upper.gain(weak, of="population", design=weak // 3)
    assert about.origin.law == "the population"
    assert upper.gain(weak).value <= about.value + 1e-12
    with pytest.raises(AxisError):
        upper.gain(weak, of="population", design=np.ones((3, 2), int))


@pytest.mark.parametrize("level", [0.0125 / 4, 0.0125 / 56])
def test_the_sign_test_opens_every_release_where_the_commonest_is_beaten(level):
    """Exactly for people alike: P(a beaten release is taken for closed) is at most the level."""
    from scipy.stats import binom

    for both in range(1, 60):
        ahead = np.arange(both + 1)
        tables_of = np.stack([ahead, both - ahead])
        closed = ~may_beat(tables_of, 0, level)
        for share in (0.5, 0.4, 0.1):
            assert binom.pmf(ahead, both, share)[closed].sum() <= level * (1 + 1e-9)


def test_rare_secrets_are_refused_unless_the_channel_hides_them():
    rare = np.array([[5000, 5000], [5, 5]])
    for bound in (upper.chi_squared, upper.maximal_correlation):
        with pytest.raises(EvidenceError, match="rare"):
            bound(rare)
        assert bound(rare, channel=randomised(2, 1.0)).value < 0.7
    assert upper.chi_squared(rare, channel=randomised(2, 1.0)).value < 0.1


def test_what_was_never_seen_has_no_bound():
    unseen = np.array([[30, 10, 0], [15, 45, 8]])
    for bound in (upper.local_privacy, upper.lift_privacy):
        reading = bound(unseen)
        assert reading.value == math.inf
        assert np.isinf(reading.by_y).tolist()[:2] == [False, False]
    assert upper.local_privacy(unseen + 1).value < math.inf


def test_information_privacy_by_cells_and_by_distance():
    many = 1000 * TABLE
    exact = m.lift_privacy(HeldOut.of(many).lift).value
    assert upper.information_privacy(many, exact + 0.1).value < 1e-4
    assert upper.information_privacy(many, exact + 0.1, strong=True).parameters["strong"] is True
    weak = upper.information_privacy(many, 1.0, of="composition").value
    assert weak == pytest.approx(upper.total_variation(many).value / math.tanh(0.5))
    assert upper.information_privacy(many, 0.0, of="composition").value == 1
    with pytest.raises(ParameterError):
        upper.information_privacy(many, 1.0, channel=randomised(3, 1.0))


@pytest.mark.parametrize("name", upper.__all__)
def test_hostile_tables(name):
    bound, arguments = getattr(upper, name), ARGUMENTS.get(name, ())
    for broken, error in (
        ([[0, 0], [0, 0]], EvidenceError),
        (np.zeros((0, 3)), EvidenceError),
        ([1, 2, 3], AxisError),
        ([[1.5, 2], [3, 4]], LawError),
        ([[-1, 2], [3, 4]], LawError),
        ([[math.nan, 2], [3, 4]], LawError),
        ([[2**62, 2**62], [3, 4]], LawError),
        (Counts(np.ones((2, 2, 2), int), ("s", "a", "y")), AxisError),
    ):
        with pytest.raises(error):
            bound(broken, *arguments)
    for strange in ([[7]], [[3, 4, 5]], [[3], [4]], [[5, 6], [0, 0]], [[0, 6], [0, 7]], [[1, 0], [0, 1]]):
        try:
            value = bound(strange, *arguments).value
        except EvidenceError:
            continue
        assert value >= 0
        assert not math.isnan(value)
    huge = bound(10**12 * np.array([[3, 1], [1, 2]]), *arguments)
    assert huge.value < 3
    row = next(r for r in UPPER if asked(r, TABLE).measure == huge.measure)
    if name != "information_privacy":
        truth = row.truth(HeldOut.of([[3, 1], [1, 2]]).lift).value
        if name not in ARGUMENTS:
            assert huge.value == pytest.approx(truth, abs=1e-4)


def test_sparse_and_one_sided_tables():
    rng = np.random.default_rng(4)
    sparse = rng.multinomial(2000, rng.dirichlet(np.full(14 * 500, 0.3))).reshape(14, 500)
    for row in UPPER:
        reading = asked(row, sparse)
        assert reading is None or not math.isnan(reading.value)
    alone = np.array([[12, 30]])
    assert (
        upper.mutual_information(alone).value == upper.mutual_information(alone, of="population").value == 0
    )
    assert upper.gain(alone).value == upper.maximal_leakage(alone).value == 0
    assert upper.differential_privacy(alone, 0.0).value == upper.local_privacy(alone).value == 0
    unseen = np.array([[12, 30], [0, 0]])
    assert upper.differential_privacy(unseen, 3.0).value == 1
    assert upper.maximal_leakage(unseen).value == pytest.approx(math.log(2))
    assert upper.mutual_information(unseen).value == 0
    assert upper.mutual_information(unseen, of="population").value == pytest.approx(math.log(2))


def test_channels_that_do_not_fit():
    with pytest.raises(AxisError, match="columns"):
        upper.mutual_information(TABLE, channel=randomised(4, 1.0))
    with pytest.raises(ParameterError, match="sees the secret"):
        upper.mutual_information(TABLE, channel=MatrixChannel(np.full((2, 3, 2), 0.5)))
    with pytest.raises(ParameterError):
        upper.guessing_probability(TABLE, of="everybody")


def test_a_large_channel_is_bounded_by_coarser_coefficients(monkeypatch):
    exact, coarse = randomised(3, 2.0), randomised(3, 2.0)
    values = {}
    for name in (
        "mutual_information",
        "total_variation",
        "maximal_correlation",
        "guessing_probability",
        "maximal_leakage",
    ):
        values[name] = getattr(upper, name)(TABLE, channel=exact).value
    delta = upper.differential_privacy(TABLE, 0.5, channel=exact).value
    monkeypatch.setattr(known, "MOST_COMPARED", 1)
    assert known.tau(exact) <= known.tau(coarse) <= math.tanh(1) + 1e-9
    assert known.eta(exact) <= known.eta(coarse) < known.tau(coarse)
    for name, value in values.items():
        assert getattr(upper, name)(TABLE, channel=coarse).value >= value - 1e-9
    assert upper.differential_privacy(TABLE, 0.5, channel=coarse).value >= delta - 1e-9


def test_numbers_without_end():
    assert upper.e_gamma(TABLE, math.inf).value == 0
    assert upper.differential_privacy(100 * TABLE, math.inf).value == 1
    assert (
        upper.information_privacy(TABLE, math.inf, of="composition").value
        <= upper.total_variation(TABLE).value
    )
    for broken in (-1.0, math.nan):
        with pytest.raises(ParameterError):
            upper.e_gamma(TABLE, broken)


def test_the_census_is_bounded_as_tightly_as_theory_allows(adult):
    for name, (reading, found, most) in adult_bounds().items():
        assert found <= reading.value <= most, name
    design, held = adult_tables()
    assert held.sum() == 16_281
    reached = lower.guessing_probability(held, design)
    assert 0.79 < reached.value < m.guessing_probability(HeldOut.of(held).lift).value
    assert lower.mutual_information(held, design).value > 0.10
    assert upper.gain(held, design=design, of="population").value < 0.055
    assert gain(HeldOut.of(held).lift).value > 0.03
