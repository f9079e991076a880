"""Where a leak comes from: columns, groups, pairs that tell only together, values, and what a release left to tell."""

import math

import numpy as np
import pytest

from discreet.core.axis import Axis
from discreet.core.errors import AxisError, EvidenceError, ParameterError
from discreet.core.samples import Column, Columns, Samples
from discreet.estimators import (
    Logistic,
    Plugin,
    columns_of,
    columns_told,
    conditional_density,
    pairs_told,
    samples_of,
    values_told,
)


def flags(n, d, rng):
    return rng.integers(0, 2, (n, d))


def test_the_exclusive_or_of_two_columns_is_found():
    rng = np.random.default_rng(0)
    x = flags(2000, 4, rng)
    s = x[:, 1] ^ x[:, 3] ^ (rng.random(2000) < 0.1)
    samples = Samples(Columns.of_array(x), s)
    assert not any(c.leaks for c in columns_told(samples, history="nothing", rng=rng))
    found = pairs_told(samples, rng=rng)
    assert found[0].names == ("x1", "x3")
    assert [p.names for p in found if p.only_together] == [("x1", "x3")]
    flip = 0.1 * math.log(0.2) + 0.9 * math.log(1.8)
    assert found[0].together.value == pytest.approx(flip, abs=0.06)
    assert found[0].synergy.value == pytest.approx(flip, abs=0.06)
    assert found[0].p_value < 0.01
    beside = {c.name: c.added.value for c in columns_told(samples, rng=rng)}
    assert min(beside["x1"], beside["x3"]) > 0.25
    assert max(beside["x0"], beside["x2"]) < 0.02


def test_the_exclusive_or_of_numbers_and_words():
    rng = np.random.default_rng(1)
    z, word = rng.normal(size=3000), rng.integers(0, 3, 3000)
    x = Columns(
        [Column("z", z), Column("word", word, levels=("a", "b", "c")), Column("w", rng.normal(size=3000))]
    )
    samples = Samples(x, ((z > 0) ^ (word == 0)).astype(int))
    top = pairs_told(samples, rng=rng)[0]
    assert set(top.names) == {"z", "word"}
    assert top.synergy.value > 0.1


def test_pairs_are_not_blamed_for_what_one_column_tells():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(1500, 3))
    samples = samples_of(x, x[:, 0] + 0.3 * rng.normal(size=1500) > 0)
    assert not any(p.only_together for p in pairs_told(samples, rng=rng))
    assert pairs_told(samples.select(["x0"]), rng=rng) == ()


def test_false_alarms_over_all_columns_and_pairs_are_rare():
    rng = np.random.default_rng(3)
    columns = pairs = 0
    for _ in range(60):
        samples = Samples(Columns.of_array(rng.normal(size=(120, 4))), rng.integers(0, 2, 120))
        columns += any(c.leaks for c in columns_told(samples, history="nothing", level=0.1, rng=rng))
        pairs += any(p.p_value <= 0.1 for p in pairs_told(samples, level=0.1, rng=rng))
    assert columns <= 13
    assert pairs <= 13


def test_columns_stand_in_the_order_of_what_they_tell():
    rng = np.random.default_rng(4)
    s = rng.integers(0, 2, 3000)
    x = np.column_stack([rng.normal(size=3000), s + rng.normal(size=3000), 3 * s + rng.normal(size=3000)])
    found = columns_told(Samples(Columns.of_array(x), s), history="nothing", rng=rng)
    assert [c.name for c in found] == ["x2", "x1", "x0"]
    assert [c.leaks for c in found] == [True, True, False]
    strong = found[0]
    assert strong.alone.side == "lower"
    assert 0.3 < strong.alone.value < strong.estimate.value < math.log(2)
    assert 0.85 < strong.guess.value < 0.94
    assert strong.added is None


def test_a_group_is_one():
    rng = np.random.default_rng(5)
    x = flags(1500, 3, rng)
    samples = Samples(Columns.of_array(x), x[:, 0] ^ x[:, 1])
    both = columns_told(samples, groups={"both": ("x0", "x1"), "last": ("x2",)}, history="nothing", rng=rng)
    assert (both[0].name, both[0].columns, both[0].leaks) == ("both", ("x0", "x1"), True)
    assert both[0].estimate.value > 0.6
    when = columns_of(np.array(["2024-01-01", "2024-01-06"] * 200, "M8[D]"))
    dates = columns_told(Samples(when, np.arange(400) % 2), history="nothing", rng=rng)
    assert dates[0].columns == ("x0", "x0 (weekday)", "x0 (month)")


def test_a_repeated_column_adds_nothing_to_itself_but_all_to_what_was_released():
    """Errata E33: judged by the raw history a copy of a hidden column looks harmless."""
    rng = np.random.default_rng(6)
    s = rng.integers(0, 4, 1600)
    samples = Samples(Columns.of_array(np.column_stack([s, s])), s)
    raw = conditional_density(samples, "x1", ["x0"], learner=Plugin(), rng=rng)
    assert raw.information.value < 0.05
    hidden = Columns.of_array(np.where(rng.random(1600) < 0.02, s, 0).astype(float))
    released = conditional_density(samples, "x1", hidden, learner=Plugin(), rng=rng)
    assert released.information.value > 1.2
    assert released.information.side == "estimate"
    assert "given x0" in released.information.measure
    by_column = columns_told(samples, history=hidden, rng=rng)
    assert all(c.added.value > 1.1 for c in by_column)


def test_the_chain_rule_is_not_clipped_away():
    """Errata E35: two digits of a number tell log 10 each, which differences of terms clipped at 2.3 do not show."""
    rng = np.random.default_rng(7)
    s = rng.integers(0, 100, 20_000)
    digits = Columns([Column(f"d{k}", s // 10**k % 10, levels=tuple("0123456789")) for k in (0, 1)])
    samples = Samples(digits, s, Axis("s", labels=tuple(range(100))))
    second = conditional_density(samples, "d1", ["d0"], learner=Plugin(), rng=rng)
    assert second.information.value == pytest.approx(math.log(10), abs=0.05)
    first = conditional_density(samples, "d0", learner=Plugin(), rng=rng)
    assert first.information.value == pytest.approx(math.log(10), abs=0.05)
    assert second.log_lift.shape == (100, second.rows.size)


def test_values_that_give_a_secret_away():
    rng = np.random.default_rng(8)
    place = rng.choice(4, 4000, p=[0.4, 0.3, 0.25, 0.05])
    s = (rng.random(4000) < np.where(place == 3, 0.95, 0.2)).astype(int)
    column = Column("place", place, levels=("a", "b", "c", "d"))
    number = Column("z", rng.normal(size=4000))
    found = values_told(Samples(Columns([column, number]), s, Axis("s", labels=("no", "yes"))))
    top = found[0]
    assert (top.column, top.value) == ("place", "d")
    assert top.telling
    assert top.log_lift.interval.low <= top.log_lift.value <= top.log_lift.interval.high
    # about 760 of 4,000 people say yes on average, and 19 of 20 at d
    share = 0.95 * 0.05 + 0.2 * 0.95
    true = math.log(0.95 / share) if top.secret == "yes" else math.log(0.05 / (1 - share))
    assert top.log_lift.interval.low <= true <= top.log_lift.interval.high
    assert not any(v.telling for v in found if v.column == "z")


def test_values_are_covered_all_at_once():
    rng = np.random.default_rng(9)
    missed = 0
    for _ in range(60):
        codes = rng.integers(0, 5, 400)
        samples = Samples(Columns([Column("c", codes, levels=tuple("abcde"))]), rng.integers(0, 2, 400))
        missed += any(
            not v.log_lift.interval.low <= 0 <= v.log_lift.interval.high for v in values_told(samples)
        )
    assert missed <= 6


def test_what_is_refused():
    rng = np.random.default_rng(0)
    samples = Samples(Columns.of_array(rng.normal(size=(100, 2))), np.arange(100) % 2)
    with pytest.raises(ParameterError, match="a history"):
        columns_told(samples, history="all", rng=rng)
    with pytest.raises(EvidenceError, match="not enough data"):
        columns_told(samples.take(np.arange(20)), rng=rng)
    with pytest.raises(AxisError, match="one row a record"):
        conditional_density(samples, "x0", Columns.of_array([1.0]), rng=rng)
    with pytest.raises(AxisError, match="x9"):
        conditional_density(samples, "x9", learner=Logistic(), rng=rng)
