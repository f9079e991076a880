"""What a measure may be asked at, and functions whose limits decide."""

import math

import numpy as np
import pytest

import discreet as dc
from discreet import measures as m
from discreet.core.errors import AxisError, LawError, ParameterError

LIFT = dc.Joint([[0.3, 0.1], [0.15, 0.45]]).lift()
ZERO = dc.Joint([[0.25, 0, 0.05], [0.1, 0.3, 0.05], [0.05, 0.05, 0.15]]).lift()


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: m.sibson(LIFT, 0), "alpha = 0"),
        (lambda: m.renyi(LIFT, -1), "alpha = -1"),
        (lambda: m.arimoto(LIFT, math.nan), "alpha = nan"),
        (lambda: m.e_gamma(LIFT, -0.5), "gamma = -0.5"),
        (lambda: m.information_privacy(LIFT, -1), "eps = -1"),
        (lambda: m.differential_privacy(LIFT, math.nan), "eps = nan"),
        (lambda: m.information_privacy_eps(LIFT, 1.5), "delta = 1.5"),
        (lambda: m.chi_squared(LIFT, direction="up"), "direction = 'up'"),
        (lambda: m.chi_squared(LIFT, over="best"), "over = 'best'"),
        (lambda: m.inference_gain(LIFT, "money"), "cost = 'money'"),
        (lambda: m.f_information(LIFT, np.exp), "f(1) = 2.7"),
        (lambda: m.mmse(LIFT), "without values"),
    ],
)
def test_what_cannot_be_asked(ask, says):
    with pytest.raises(ParameterError) as error:
        ask()
    assert says in str(error.value)
    assert "to do:" in str(error.value)


def test_tables_of_the_wrong_shape():
    with pytest.raises(AxisError, match="2 rows"):
        m.inference_gain(LIFT, np.eye(3))
    with pytest.raises(LawError, match="infinite or NaN"):
        m.inference_gain(LIFT, [[0, math.inf], [1, 0]])
    with pytest.raises(AxisError, match="2 finite values"):
        m.mmse(LIFT, [1, 2, 3])


def test_values_of_the_secret_come_from_its_axis():
    axis = dc.Axis("s", labels=("no", "yes"), values=(0, 1))
    lift = dc.Joint([[0.3, 0.1], [0.15, 0.45]], axes=(axis, "x")).lift()
    assert float(m.mmse(lift)) == float(m.mmse(LIFT, [0, 1]))


NAMED = {
    "mutual_information": lambda t: t * np.log(t),
    "total_variation": lambda t: np.abs(t - 1) / 2,
    "chi_squared": lambda t: (t - 1) ** 2,
    "hellinger": lambda t: (np.sqrt(t) - 1) ** 2 / 2,
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("lift", [LIFT, ZERO], ids=["all cells occur", "one cannot"])
@pytest.mark.parametrize("direction", ["release", "prior"])
@pytest.mark.parametrize("over", ["mean", "worst"])
@pytest.mark.parametrize("name", NAMED)
def test_any_convex_function_agrees_with_its_name(name, over, direction, lift):
    f = NAMED[name]
    expected = getattr(m, name)(lift, direction=direction, over=over)
    found = m.f_information(lift, f, direction=direction, over=over)
    assert float(found) == pytest.approx(float(expected), abs=1e-12)
    assert found.by_s == pytest.approx(expected.by_s, abs=1e-12)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_directions_are_divergences_of_the_rows():
    p = np.array([[0.3, 0.1], [0.15, 0.45]])
    rows, p_y = p / p.sum(axis=1, keepdims=True), p.sum(axis=0)
    to_prior = (rows * np.log(rows / p_y)).sum(axis=1)
    from_prior = (p_y * np.log(p_y / rows)).sum(axis=1)
    assert m.mutual_information(LIFT).by_s == pytest.approx(to_prior)
    assert m.mutual_information(LIFT, direction="prior").by_s == pytest.approx(from_prior)
    assert float(m.mutual_information(LIFT, over="worst")) == pytest.approx(to_prior.max())
    assert repr(m.mutual_information(LIFT, over="worst")).startswith("I(S;Y) [over=worst]")


def test_what_reaches_infinity_at_a_cell_that_cannot_occur():
    assert float(m.mutual_information(ZERO)) < math.inf
    assert float(m.mutual_information(ZERO, direction="prior")) == math.inf
    assert float(m.f_information(ZERO, lambda t: -np.log(np.maximum(t, 0)))) == math.inf
    assert float(m.hellinger(ZERO, direction="prior")) < math.inf
