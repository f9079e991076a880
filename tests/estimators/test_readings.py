"""Bounds below the truth, verdicts at their level, doubts where there are some."""

import math

import numpy as np
import pytest

from discreet.core.axis import Axis
from discreet.core.errors import AxisError, EvidenceError, ParameterError
from discreet.core.lift import Lift
from discreet.core.reading import Origin
from discreet.core.samples import Column, Columns, Samples
from discreet.estimators import (
    Logistic,
    Plugin,
    cautions,
    columns_of,
    leaks,
    measured,
    null_of,
    samples_of,
    split,
)
from discreet.estimators.verdict import permuted
from discreet.measures import lift_privacy


class Believes:
    """A model that was fixed beforehand: p(1 | x) = 1 / (1 + e^{−a x})."""

    def __init__(self, slope, p_s=(0.5, 0.5)):
        self.slope, self.p_s = slope, np.array(p_s)
        self.axes = (Axis("s"), Axis("x"))

    def lift(self, x):
        x = columns_of(x)
        p = 1 / (1 + np.exp(-self.slope * x[0].values))
        log = np.log(np.stack([1 - p, p]) / self.p_s[:, None])
        return Lift(log, self.p_s, np.full(x.n, 1 / x.n), self.axes, Origin("learned", "the population"))


def logit(n, slope, rng):
    x = rng.normal(size=n)
    return Samples(Columns.of_array(x), (rng.random(n) < 1 / (1 + np.exp(-slope * x))).astype(int), size=2)


def test_bounds_stay_below_the_truth_and_near_it():
    rng = np.random.default_rng(0)
    grid = np.linspace(-8, 8, 20001)
    mass = np.exp(-(grid**2) / 2)
    mass /= mass.sum()
    p = 1 / (1 + np.exp(-2 * grid))
    truth = {
        "mutual_information": float(mass @ (p * np.log(2 * p) + (1 - p) * np.log(2 * (1 - p)))),
        "guessing_probability": float(mass @ np.maximum(p, 1 - p)),
        "total_variation": float(mass @ np.abs(p - 0.5)),
        "e_gamma at 1.5": float(mass @ np.maximum(2 * np.maximum(p, 1 - p) - 1.5, 0)) / 2,
        "chi_squared": float(mass @ (2 * p - 1) ** 2),
    }
    told = measured(Believes(2.0), logit(40_000, 2.0, rng), gamma=1.5, rng=rng)
    for name, true in truth.items():
        reading = told.lower[name]
        assert reading.side == "lower"
        assert 0.85 * true < reading.value < true
        assert reading.interval.low == reading.value
        assert told.estimates[name].value == pytest.approx(true, abs=0.02)
        assert told.estimates[name].interval is None
    assert told.lower["mutual_information"].interval.high <= math.log(2)
    assert told.lower["guessing_probability"].origin.law == "the population"
    assert told.lower["mutual_information"].origin.law == "people of this composition"
    assert told.verdict.leaks


@pytest.mark.parametrize("slope", [-3.0, 0.0, 9.0])
def test_a_wrong_model_makes_no_leak(slope):
    rng = np.random.default_rng(1)
    found = [measured(Believes(slope), logit(1000, 0.0, rng), rng=rng) for _ in range(20)]
    for told in found:
        assert told.lower["mutual_information"].value == 0
        assert told.lower["total_variation"].value < 0.02
        assert told.estimates["mutual_information"].value >= 0
    quiet = [told.verdict for told in found if not told.verdict.leaks]
    assert len(quiet) >= 16  # at a level of 0.04, fewer come once in a thousand times
    assert all("no leak seen" in str(verdict) for verdict in quiet)


def test_false_alarms_are_as_rare_as_the_level_says():
    rng = np.random.default_rng(2)
    p_values = np.array(
        [
            leaks(Believes(1.0, (0.3, 0.7)), logit(60, 0.0, rng), level=0.1, rng=rng).p_value
            for _ in range(400)
        ]
    )
    for level in (0.04, 0.1, 0.5):
        assert (p_values <= level).mean() <= level + 3 * math.sqrt(level * (1 - level) / 400)
    assert abs(np.median(p_values) - 0.5) < 0.1


def test_a_model_that_says_nothing_never_alarms():
    told = np.zeros((3, 50))
    assert permuted(told, np.arange(50) % 3, np.random.default_rng(0)) == 1
    told[1] = 2.0  # the same for every record
    assert permuted(told, np.arange(50) % 3, np.random.default_rng(0)) == 1


def test_copies_do_not_make_a_leak():
    rng = np.random.default_rng(3)
    alarms = 0
    for _ in range(60):
        one = logit(60, 0.0, rng)
        many = one.take(np.tile(np.arange(60), 4))
        alarms += leaks(Believes(1.0), many, level=0.1, rng=rng).leaks
    assert alarms <= 14


def test_a_rare_secret_and_one_that_was_not_learnt():
    rng = np.random.default_rng(4)
    x = rng.normal(size=400)
    s = np.where(x > 2.2, 1, 0)
    s[:3] = 2
    samples = Samples(Columns.of_array(x), s, Axis("s", labels=("common", "rare", "rarest")))
    model = Logistic().fit(samples.take(np.flatnonzero(s < 2)), rng=rng)
    told = measured(model, samples, rng=rng)
    assert told.lower["mutual_information"].value >= 0
    assert any("the rarest 3" in c for c in told.cautions)


def test_too_few_records_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(EvidenceError, match="not enough data"):
        measured(Believes(1.0), logit(19, 1.0, rng))
    with pytest.raises(EvidenceError, match="not enough data"):
        leaks(Believes(1.0), logit(10, 1.0, rng))
    for ask in (leaks, measured):
        with pytest.raises(ParameterError, match="level"):
            ask(Believes(1.0), logit(100, 1.0, rng), level=0)
    for broken in ({"eps": -1}, {"gamma": 0}, {"gamma": math.inf}, {"confidence": 1}):
        with pytest.raises(ParameterError):
            measured(Believes(1.0), logit(100, 1.0, rng), **broken)
    three = Samples(Columns.of_array(rng.normal(size=60)), np.arange(60) % 3)
    with pytest.raises(AxisError, match="that were learned"):
        measured(Believes(1.0), three)
    with pytest.raises(ParameterError, match="deal"):
        null_of(lift_privacy, three, repetitions=0, rng=rng)


def test_doubts_are_said():
    rng = np.random.default_rng(0)
    wide = Samples(Columns.of_array(rng.normal(size=(100, 10))), np.arange(100) % 2)
    assert "few for 10 column" in cautions(wide)[0]
    blank = Samples(
        Columns.of_array(np.column_stack([np.ones(200), np.full(200, np.nan)])), np.arange(200) % 2
    )
    assert "x0, x1" in " ".join(cautions(blank))
    levels = Column("place", rng.integers(0, 100, 400), levels=tuple(range(100)))
    assert "plain counts" in " ".join(cautions(Samples(Columns([levels]), np.arange(400) % 2)))
    one = Samples(Columns.of_array(rng.normal(size=100)), np.zeros(100, int))
    assert "nothing to tell" in " ".join(cautions(one))
    twice = wide.take(np.tile(np.arange(100), 6))
    assert "repeat another" in " ".join(cautions(twice))


def test_a_maximum_stands_beside_its_null():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 10, 600)
    samples = samples_of(x, np.where(rng.random(600) < 0.9, x > 4, x <= 4))
    reading = lift_privacy(Plugin().fit(samples, rng=rng).held_out)
    null = null_of(lift_privacy, samples, repetitions=9, rng=rng)
    assert null.values.max() < reading.value
    assert null.p_value(reading) == 0.1
    dealt = Samples(samples.x, rng.permutation(samples.s), size=2)
    assert null.p_value(lift_privacy(Plugin().fit(dealt, rng=rng).held_out)) > 0.1
    assert null.mean > 0


def test_the_text_of_a_result_has_every_number():
    rng = np.random.default_rng(0)
    learn, judge = split(logit(400, 1.0, rng), rng=rng)
    text = repr(measured(Logistic().fit(learn, rng=rng), judge, rng=rng))
    assert text.count("(lower,") == 6
    assert text.count("(estimate,") == 10
