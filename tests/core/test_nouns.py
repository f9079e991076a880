"""What the nouns accept, what they refuse, and what they keep."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import channels, joints

import discreet as dc
from discreet.core.errors import AxisError, EvidenceError, LawError, ParameterError


def three_parts(error):
    """The error says what was asked, what was found, and what to do."""
    asked, found, remedy = str(error.value).split("\n")
    return asked and found.startswith("  found: ") and remedy.startswith("  to do: ")


@pytest.mark.parametrize(
    ("p", "kind", "says"),
    [
        ([[0.5, 0.6]], LawError, "1.1"),
        ([[-0.5, 1.5]], LawError, "(0, 0)"),
        ([[np.nan, 1]], LawError, "nan"),
        ([[np.inf, 0]], LawError, "inf"),
        (np.empty((0, 2)), LawError, "none"),
        (0.5, LawError, "single number"),
        ([["a", "b"]], LawError, "numbers"),
        ([[0.5], [0.25, 0.25]], LawError, "rows of equal length"),
        ([[0.5 + 0j, 0.5]], LawError, "complex"),
        (np.full((2, 2, 2), 1 / 8), AxisError, "3 dimensions"),
    ],
)
def test_a_law_that_is_none_is_refused(p, kind, says):
    with pytest.raises(kind) as error:
        dc.Joint(p)
    assert three_parts(error)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("axes", "says"),
    [
        (("s",), "1 axes"),
        (("s", "s"), "s, s"),
        ((dc.Axis("s", labels=("a",)), "x"), "1 labels"),
    ],
)
def test_axes_that_do_not_fit_are_refused(axes, says):
    with pytest.raises(AxisError, match=says) as error:
        dc.Joint([[0.5, 0], [0, 0.5]], axes=axes)
    assert three_parts(error)


def test_an_axis_tells_its_positions_apart():
    with pytest.raises(AxisError, match="more than once"):
        dc.Axis("s", labels=("a", "a"))
    with pytest.raises(AxisError, match="2 labels and 1 values"):
        dc.Axis("s", labels=("a", "b"), values=(1.0,))


def test_a_law_cannot_be_changed_behind_its_back():
    p = np.array([[0.5, 0.0], [0.0, 0.5]])
    joint = dc.Joint(p)
    p[0, 0] = 7
    assert joint.p[0, 0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        joint.p[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        joint.lift().log_lift[0, 0] = 1


def test_only_two_axes_have_a_lift():
    joint = dc.Joint(np.full((2, 2, 2), 1 / 8), axes=("s", "a", "x"))
    with pytest.raises(AxisError, match="marginal") as error:
        joint.lift()
    assert three_parts(error)
    assert joint.marginal("x", "s").names == ("x", "s")
    with pytest.raises(AxisError, match="the axis 'y'"):
        joint.marginal("y")
    with pytest.raises(AxisError, match="different axes"):
        joint.marginal("s", "s")
    with pytest.raises(AxisError, match="no name"):
        joint.marginal()


def test_a_marginal_keeps_order_labels_and_origin():
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(24)).reshape(2, 3, 4)
    joint = dc.Joint(p, axes=("s", dc.Axis("a", labels=("u", "v", "w")), "x"))
    turned = joint.marginal("x", "a")
    assert turned.p == pytest.approx(p.sum(axis=0).T)
    assert turned.axes[1].labels == ("u", "v", "w")


@pytest.mark.parametrize(
    ("w", "kind", "says"),
    [
        ([[0.5, 0.6]], LawError, "1.1"),
        ([[-0.5, 1.5]], LawError, "negative"),
        ([[np.nan, 1]], LawError, "NaN"),
        ("identity", LawError, "array of numbers"),
        ([0.5, 0.5], AxisError, "shape"),
        (np.empty((2, 0)), AxisError, "shape"),
    ],
)
def test_a_channel_that_is_none_is_refused(w, kind, says):
    with pytest.raises(kind, match=says) as error:
        dc.MatrixChannel(w)
    assert three_parts(error)


def test_a_channel_needs_a_row_for_every_symbol():
    with pytest.raises(AxisError, match="one row for each symbol") as error:
        dc.Joint([[0.5, 0.5]]).through(dc.MatrixChannel(np.eye(3)))
    assert three_parts(error)
    with pytest.raises(AxisError, match="one row for each symbol"):
        dc.Joint([[0.5, 0.5]]).lift().through(dc.MatrixChannel(np.eye(3)))


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_what_through_keeps(data):
    joint = data.draw(joints())
    n_s, n_x = joint.p.shape
    sees = data.draw(st.booleans())
    flat = data.draw(channels(n_s * n_x if sees else n_x)).p
    w = flat.reshape(n_s, n_x, -1) if sees else flat
    channel = dc.MatrixChannel(w)
    by_hand = joint.p[..., None] * (w if sees else w[None])
    assert joint.through(channel, keep=("s", "x")).p == pytest.approx(by_hand, abs=1e-15)
    assert joint.through(channel, keep=("x", "s")).p == pytest.approx(by_hand.swapaxes(0, 1), abs=1e-15)
    assert joint.through(channel).p == pytest.approx(by_hand.sum(axis=1), abs=1e-15)
    assert joint.through(channel, keep="x").p == pytest.approx(by_hand.sum(axis=0), abs=1e-15)
    assert joint.through(channel, keep="x").names == ("x", "y")


def test_through_with_a_known_axis_between():
    rng = np.random.default_rng(1)
    joint = dc.Joint(rng.dirichlet(np.ones(12)).reshape(2, 2, 3), axes=("s", "a", "x"))
    w = rng.dirichlet(np.ones(4), size=(2, 3))
    out = joint.through(dc.MatrixChannel(w), keep=("s", "a"))
    assert out.names == ("s", "a", "y")
    assert out.p == pytest.approx(np.einsum("sax,sxy->say", joint.p, w))


def test_through_knows_the_roles_as_well_as_the_names():
    joint = dc.Joint([[0.3, 0.1], [0.15, 0.45]], axes=("vote", "party"))
    flip = dc.MatrixChannel([[0.8, 0.2], [0.2, 0.8]])
    assert joint.through(flip) == joint.through(flip, keep="vote")
    assert joint.through(flip, keep="x") == joint.through(flip, keep="party")
    assert joint.through(flip).names == ("vote", "y")
    with pytest.raises(AxisError, match="'shoe'"):
        joint.through(flip, keep="shoe")


def test_a_lift_does_not_average_over_what_sees_the_secret():
    with pytest.raises(LawError, match="joint law"):
        dc.Joint([[0.5, 0.5]]).lift().through(dc.MatrixChannel(np.ones((1, 2, 1))))


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_channel_releases_what_its_rows_say(data):
    channel = data.draw(channels(3))
    x = np.repeat([0, 1, 2], 4000)
    y = channel.apply(x, rng=np.random.default_rng(1))
    shares = np.array([np.bincount(y[x == i], minlength=channel.p.shape[1]) for i in range(3)]) / 4000
    assert shares == pytest.approx(channel.p, abs=0.05)
    assert not shares[channel.p == 0].any()


def test_a_channel_is_a_pure_function_of_record_and_word():
    channel = dc.MatrixChannel(np.random.default_rng(0).dirichlet(np.ones(5), size=(2, 3)))
    rng = np.random.default_rng(7)
    x, s = rng.integers(0, 3, 100), rng.integers(0, 2, 100)
    words = rng.integers(0, 2**64, size=(100, 1), dtype=np.uint64)
    y = channel.push(x, words, s)
    order = rng.permutation(100)
    assert channel.push(x[order], words[order], s[order]).tolist() == y[order].tolist()
    ends = np.array([[0], [2**64 - 1]], dtype=np.uint64)
    assert dc.MatrixChannel([[0, 0.5, 0.5, 0]]).push(np.array([0, 0]), ends).tolist() == [1, 2]
    assert (
        channel.push(np.empty(0, dtype=int), np.empty((0, 1), dtype=np.uint64), np.empty(0, dtype=int)).size
        == 0
    )


def test_records_outside_the_alphabet_are_refused():
    channel = dc.MatrixChannel(np.eye(2))
    rng = np.random.default_rng(0)
    with pytest.raises(ParameterError, match="0 … 1"):
        channel.apply([0, 2], rng=rng)
    with pytest.raises(ParameterError, match="float64"):
        channel.rows(np.array([0.5]))
    with pytest.raises(ParameterError, match="pass the secrets"):
        dc.MatrixChannel(np.ones((2, 2, 1))).apply([0], rng=rng)


def test_channels_follow_one_another():
    rng = np.random.default_rng(0)
    a, b = (
        dc.MatrixChannel(rng.dirichlet(np.ones(3), size=4)),
        dc.MatrixChannel(rng.dirichlet(np.ones(2), size=3)),
    )
    joint = dc.Joint(rng.dirichlet(np.ones(8)).reshape(2, 4))
    assert joint.through(a >> b).p == pytest.approx(dc.Joint(joint.through(a).p).through(b).p)
    with pytest.raises(AxisError, match="second channel"):
        _ = b >> b


def test_a_lift_refuses_what_is_none():
    with pytest.raises(AxisError, match="shape"):
        dc.Lift([[0, 0]], [1.0], [1.0])
    with pytest.raises(LawError, match="NaN or"):
        dc.Lift([[np.nan]], [1.0], [1.0])
    with pytest.raises(LawError, match="sum"):
        dc.Lift([[0.0]], [0.9], [1.0])


def test_a_learned_lift_gives_estimates():
    log = np.log([[1.5, 0.5], [0.5, 1.5]])
    lift = dc.Lift(
        log, [0.5, 0.5], [0.5, 0.5], origin=dc.Origin(kind="learned", law="the population", n=1000)
    )
    reading = dc.measures.chi_squared(lift)
    assert reading.side == "estimate"
    assert "estimate, of the population, n = 1,000" in repr(reading)
    with pytest.raises(EvidenceError, match="confidence"):
        dc.guarantees.of(reading)


@settings(max_examples=50, deadline=None)
@given(joint=joints())
def test_posterior_and_reversal(joint):
    lift = joint.lift()
    mass = lift.p_y > 0
    assert lift.posterior.sum(axis=0) == pytest.approx(np.ones(lift.p_y.size), abs=1e-12)
    assert lift.posterior[:, mass] == pytest.approx(joint.p[:, mass] / lift.p_y[mass], abs=1e-12)
    back = lift.reversed.reversed
    assert back.log_lift == pytest.approx(lift.log_lift, abs=1e-12)
    assert lift.reversed.axes == lift.axes[::-1]


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_counts_add_up_as_their_rows_do(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    big = data.draw(st.booleans())
    shape = (3000, 5000) if big else (3, 5)
    rows = [rng.integers(0, shape, size=(data.draw(st.integers(0, 30)), 2)) for _ in range(3)]
    a, b, c = (dc.Counts.of_codes(r, shape) for r in rows)
    nothing = dc.Counts.empty(shape)
    assert (a + b) + c == a + (b + c) == dc.Counts.of_codes(np.concatenate(rows), shape)
    assert a + b == b + a
    assert a + nothing == a
    assert (a + b + c).total == sum(map(len, rows))
    if (a + b).total:
        law = (a + b).joint()
        assert law.p.sum() == pytest.approx(1)
        assert law.origin == dc.Origin(kind="counted", law="this table", n=(a + b).total)


def test_counts_of_a_large_table_keep_what_occurs():
    counts = dc.Counts.of_codes([[7, 10**6], [7, 3], [2, 3]], (10**5, 10**7), axes=("s", "x"))
    law = counts.joint()
    assert law.axes[0].labels == (2, 7)
    assert law.axes[1].labels == (3, 10**6)
    assert law.p == pytest.approx(np.array([[1, 0], [1, 1]]) / 3)
    with pytest.raises(LawError, match="occur"):
        _ = counts.n


@pytest.mark.parametrize("n", [[[1.5, 1]], [[-1, 2]], [[np.nan, 1]], [["a", "b"]]])
def test_counts_that_are_none_are_refused(n):
    with pytest.raises(LawError) as error:
        dc.Counts(n)
    assert three_parts(error)


def test_counts_of_other_alphabets_do_not_add():
    with pytest.raises(AxisError, match="same axes"):
        _ = dc.Counts([[1]]) + dc.Counts([[1, 2]])
    with pytest.raises(LawError, match="no rows"):
        dc.Counts.empty((2, 2)).joint()
    with pytest.raises(LawError, match="below"):
        dc.Counts.of_codes([[0, 5]], (2, 2))


def test_a_reading_is_one_honest_line():
    lift = dc.Counts([[30, 10], [15, 45]]).joint().lift()
    reading = dc.measures.mutual_information(lift)
    assert repr(dc.measures.sibson(dc.Joint([[1.0]]).lift(), 0.5)).startswith(
        "Sibson I_α [alpha=0.5] = 0 nats"
    )
    assert repr(reading) == "I(S;Y) = 0.1258 nats (exact, of this table, n = 100)"
    assert reading.bits == pytest.approx(0.1258 / np.log(2), abs=1e-4)
    with pytest.raises(ParameterError, match="bits"):
        _ = dc.measures.chi_squared(lift).bits
    assert "0.1 to 0.2 at 95 %" in repr(reading.with_interval(0.1, 0.2, 0.95))


def test_errors_survive_a_process_boundary():
    error = LawError("a", "b", "c")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert isinstance(again, ValueError)


def test_worst_and_average_are_not_mistaken_for_the_measure():
    joint = dc.Joint(np.full((2, 2, 2), 1 / 8), axes=("s", "a", "x"))
    reading = joint.given("a").worst(dc.measures.total_variation)
    assert repr(reading) == "TV given a, worst = 0 (exact, of this law)"
    with pytest.raises(dc.DiscreetError, match="given a, worst"):
        dc.guarantees.of(reading)
    with pytest.raises(AxisError, match="secret first"):
        joint.given("s")
