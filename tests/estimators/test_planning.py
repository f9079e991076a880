"""What more records would show, and floors that are fixed before the records that judge are seen."""

import itertools

import numpy as np
import pytest

from discreet.core.axis import Axis
from discreet.core.errors import EvidenceError, ParameterError
from discreet.core.lift import Lift
from discreet.core.reading import Origin
from discreet.core.samples import Columns, Samples
from discreet.estimators import Logistic, learning_curve, measured, rows_needed, samples_of, split
from discreet.estimators.floors import anticipated, floor_of


def normal(n, noise, rng):
    x = rng.normal(size=(n, 1))
    return samples_of(x, x[:, 0] + noise * rng.normal(size=n) > 0)


def beliefs(p):
    """A lift whose columns believe in secret 1 with these probabilities, of two even ones."""
    p = np.asarray(p, float)
    return Lift(
        np.log(2 * np.stack([1 - p, p])),
        np.array([0.5, 0.5]),
        np.full(p.size, 1 / p.size),
        (Axis("s"), Axis("x")),
        Origin("learned", "the population"),
    )


def test_more_records_show_more_until_all_is_seen():
    rng = np.random.default_rng(0)
    curve = learning_curve(normal(6000, 0.5, rng), learner=Logistic(folds=2), rng=rng)
    assert np.abs(curve.rows - [375, 750, 1500, 3000]).max() <= 1
    told = [float(one) for one in curve.information]
    assert all(abs(b - a) < 0.02 for a, b in itertools.pairwise(told))
    assert curve.climb == pytest.approx(told[-1] - told[-2])
    assert all(low.side == "lower" and low.value < one for low, one in zip(curve.lower, told, strict=True))
    assert "75 records: 0.3" in repr(curve)
    for broken in ([10], [], [4000]):
        with pytest.raises(ParameterError, match="numbers of records"):
            learning_curve(normal(6000, 0.5, rng), broken, rng=rng)


def test_so_many_records_bring_the_bound_so_near():
    rng = np.random.default_rng(1)
    model = Logistic().fit(normal(3000, 1.0, rng), rng=rng)
    width = 0.03
    n = rows_needed(model, normal(2000, 1.0, rng), width)
    judge = measured(model, normal(n, 1.0, rng), rng=rng)
    truth = 0.1931  # by quadrature
    assert truth - judge.lower["mutual_information"].value == pytest.approx(width, rel=0.4)
    assert rows_needed(model, normal(2000, 1.0, rng), width / 2) > 2 * n
    with pytest.raises(ParameterError, match="width"):
        rows_needed(model, normal(100, 1.0, rng), 0)
    with pytest.raises(EvidenceError, match="pilot"):
        rows_needed(model, normal(10, 1.0, rng), 0.1)


def test_the_floor_is_fixed_by_the_records_that_were_learned_from():
    pi = np.array([0.5, 0.5])
    weak = anticipated(beliefs([0.4, 0.6] * 50), pi, 500, 0.95)
    sure = anticipated(beliefs([0.001, 0.999] * 50), pi, 500, 0.95)
    assert weak.floor > 3 * sure.floor
    assert anticipated(beliefs([0.001, 0.999] * 50), pi, 50_000, 0.95).floor < sure.floor
    assert sure.bound < np.log(2)
    rng = np.random.default_rng(2)
    learn, judge = split(normal(800, 1.0, rng), rng=rng)
    model = Logistic(folds=2).fit(learn, rng=rng)
    dealt = Samples(judge.x, rng.permutation(judge.s), judge.axes[0], judge.size)
    assert floor_of(model, judge.shares, judge.n, 0.95) == floor_of(model, dealt.shares, dealt.n, 0.95)
    assert floor_of(object(), pi, 400, 0.95) == 0.05


def test_a_floor_is_worth_having():
    """A weak leak is seen that a floor of 1/√n would hide behind its own range."""
    rng = np.random.default_rng(3)
    learn, judge = split(normal(3000, 2.0, rng), rng=rng)
    model = Logistic().fit(learn, rng=rng)

    class Bare:
        axes = model.axes

        def lift(self, x: Columns) -> Lift:
            return model.lift(x)

    plain, chosen = (
        measured(one, judge, rng=rng).lower["mutual_information"].value for one in (Bare(), model)
    )
    assert plain + 0.005 < chosen < 0.0681  # the truth, by quadrature
