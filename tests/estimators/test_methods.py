"""One suite over every estimator: the same promises, whatever learns."""

import math

import numpy as np
import pytest

import discreet as dc
from discreet.core.axis import Axis
from discreet.core.errors import AxisError, EvidenceError, LawError, ParameterError
from discreet.core.samples import Column, Columns, Samples
from discreet.datasets.known_lifts import problem
from discreet.estimators import METHODS, estimate, samples_of
from discreet.estimators.fitted import Fitted

CRITICS = ("donsker_varadhan", "tide", "nwj", "chi_squared")
QUICK = tuple(name for name in METHODS if name not in CRITICS)
ALL = [pytest.param(name, marks=[pytest.mark.slow] if name in CRITICS else []) for name in METHODS]


def learned(method, samples, seed=0) -> Fitted:
    if method in CRITICS:
        pytest.importorskip("jax")
    return estimate(samples, None, method, rng=np.random.default_rng(seed))


def roughly(method, samples) -> Fitted:
    """The same method; critics are small, since it is only asked whether they hold out."""
    if method not in CRITICS:
        return learned(method, samples)
    pytest.importorskip("jax")
    return METHODS[method](hidden=(8,), folds=2).fit(samples, rng=np.random.default_rng(0))


def rmse(log_lift, true, trim=3.0):
    return float(np.sqrt(np.mean((np.clip(log_lift, -trim, trim) - np.clip(true, -trim, trim)) ** 2)))


@pytest.fixture(scope="module")
def normal():
    rng = np.random.default_rng(0)
    task = problem("one normal number")
    return task.draw(1200, rng)[0], *task.draw(2000, rng)


@pytest.mark.parametrize("method", ALL)
def test_every_method_learns_the_lift(method, normal):
    samples, fresh, true = normal
    model = learned(method, samples)
    lift = model.lift(fresh.x)
    assert lift.log_lift.shape == true.shape
    assert np.isfinite(lift.log_lift).all()
    spread = rmse(np.zeros_like(true), true)
    assert rmse(lift.log_lift, true) < 0.5 * spread
    reading = dc.measures.mutual_information(lift)
    assert reading.side == "estimate"
    assert reading.value == pytest.approx(0.097, abs=0.04)  # by 200,000 draws of the true law
    assert (model.origin.kind, model.origin.n) == ("learned", 1200)
    assert model.origin.method.startswith(method)
    assert "folds" in model.origin.method
    assert model.axes[0].labels == (0, 1)
    assert model.held_out.shape == (2, 1200)
    told = model.held_out.log_lift[samples.s[model.rows], np.arange(1200)]
    assert 0.04 < told.mean() < 0.13
    # the law of every lift, exact but for critics, which say how far they miss it
    gauge = model.p_s @ np.exp(lift.log_lift)
    assert np.abs(gauge - 1).max() < (0.5 if method in CRITICS else 1e-9)
    assert model.origin.defect is not None


@pytest.mark.parametrize("method", QUICK)
def test_the_same_generator_gives_the_same_lift(method):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2))
    samples = samples_of(x, x[:, 0] > 0)
    first, again = (learned(method, samples, seed=3).lift(x).log_lift for _ in range(2))
    np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize("method", ALL)
def test_nothing_to_tell(method):
    rng = np.random.default_rng(0)
    one = Samples(Columns.of_array(rng.normal(size=60)), np.ones(60, int), Axis("s", labels=("no", "yes")))
    assert not learned(method, one).lift(one.x).log_lift.any()
    blank = samples_of(np.column_stack([np.ones(60), np.full(60, np.nan)]), rng.integers(0, 2, 60))
    assert np.abs(learned(method, blank).lift(blank.x).log_lift).max() < 0.1


@pytest.mark.parametrize("method", [*QUICK, pytest.param("donsker_varadhan", marks=pytest.mark.slow)])
def test_three_records_of_a_secret_and_holes_everywhere(method):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(150, 3))
    s = (x[:, 0] > 0).astype(int)
    s[:3] = 2
    x[rng.random(x.shape) < 0.1] = np.nan
    x[5, 0], x[6, 1], x[7, 2] = np.inf, -np.inf, 1e300
    model = roughly(method, samples_of(x, s))
    assert np.isfinite(model.lift(x).log_lift).all()
    assert dc.measures.mutual_information(model.lift(x)).value >= 0


@pytest.mark.parametrize("method", QUICK)
def test_perfect_leaks_are_seen(method):
    s = np.arange(200) % 2
    level = Column("a", s, levels=("u", "v"))
    model = learned(method, Samples(Columns([level]), s, Axis("s", labels=("no", "yes"))))
    assert dc.measures.guessing_probability(model.lift(Columns([level]))).value > 0.97
    assert (model.guess(Columns([level])) == s).all()
    assert 0.62 < model.held_out.log_lift[s, np.arange(200)].mean() <= math.log(2)


def test_what_is_learned_from_is_asked_for_again():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.normal(size=200),
            "place": rng.choice(list("abc"), 200),
            "when": pd.date_range("2024-01-01", periods=200, freq="7h"),
        }
    )
    model = dc.estimate(frame, np.where(frame.age > 0, "y", "n"), method="logistic", rng=rng)
    assert model.axes[0].labels == ("n", "y")
    whole = model.lift(frame).log_lift
    np.testing.assert_allclose(model.lift(frame[["when", "place", "age"]]).log_lift, whole)
    np.testing.assert_allclose(
        model.lift(frame.iloc[:1]).log_lift, whole[:, :1]
    )  # one midnight is a date with hours
    odd = frame.assign(place="nowhere", when=pd.Timestamp("2030-01-01"), age=np.nan)
    assert np.isfinite(model.lift(odd).log_lift).all()
    with pytest.raises(AxisError, match="no age"):
        model.lift(frame[["place", "when"]])
    with pytest.raises(LawError, match="as numbers"):
        model.lift(frame.assign(age="old"))
    with pytest.raises(EvidenceError, match="none"):
        model.lift(frame.iloc[:0])


def test_a_number_of_few_values_is_read_as_what_predicts_better():
    rng = np.random.default_rng(0)
    samples, _ = problem("codes that look like numbers").draw(3000, rng)
    fresh, true = problem("codes that look like numbers").draw(2000, rng)
    assert rmse(learned("logistic", samples).lift(fresh.x).log_lift, true) < 0.35 * rmse(0 * true, true)
    from discreet.estimators.matrices.few import read_as_levels

    assert read_as_levels(samples, rng) == {"code"}


def test_the_choice_is_shown():
    samples, _ = problem("thresholds").draw(600, np.random.default_rng(0))
    model = learned("boosting", samples)
    assert [s.log_loss for s in model.scores] == sorted(s.log_loss for s in model.scores)
    assert {s.name for s in model.scores} == {"boosted trees of 15 leaves", "boosted trees of 5 leaves"}
    assert "weights by log-loss on unseen records, 5 folds" in repr(model)


def test_beyond_a_stated_size_a_sample_is_learned_from():
    samples, _ = problem("one normal number").draw(900, np.random.default_rng(0))
    model = dc.estimators.Stack(folds=2, most_rows=200).fit(samples, rng=np.random.default_rng(0))
    assert model.rows.size == model.origin.n == 200
    assert "a random 200 of 900 records" in model.choice


@pytest.mark.parametrize(
    ("x", "s", "error", "words"),
    [
        (np.zeros((20, 1)), np.arange(20) % 2, EvidenceError, "not enough data"),
        (np.zeros((400, 1)), [f"p{i}" for i in range(400)], EvidenceError, "at most 300 values"),
        (np.zeros((40, 0)), np.arange(40) % 2, LawError, "columns of records"),
        (np.zeros((40, 1)), np.arange(39) % 2, AxisError, "one secret for each record"),
        (np.zeros((40, 1, 1)), np.arange(40) % 2, AxisError, "row, column"),
        (np.zeros((40, 1), complex), np.arange(40) % 2, LawError, "complex"),
        (np.zeros((40, 1)), None, ParameterError, "x alone"),
    ],
)
def test_what_is_refused(x, s, error, words):
    with pytest.raises(error, match=words):
        dc.estimate(x, s, rng=np.random.default_rng(0))
    with pytest.raises(ParameterError, match="a method among"):
        dc.estimate(np.zeros((40, 1)), np.arange(40) % 2, method="magic")


def test_ten_thousand_categories():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 10_000, 20_000)
    place = Column("place", codes, levels=tuple(f"p{i}" for i in range(10_000)))
    odds = 2 * rng.normal(size=10_000)
    for tells in (False, True):
        p = 1 / (1 + np.exp(-odds[codes])) if tells else np.full(20_000, 0.5)
        samples = Samples(Columns([place]), (rng.random(20_000) < p).astype(int))
        held = learned("plugin", samples).held_out.log_lift[samples.s, np.arange(20_000)].mean()
        assert (0.06 < held < 0.3) if tells else abs(held) < 0.003
