"""A mechanism alone, against closed forms."""

import math

import numpy as np
import pytest

import discreet as dc
from discreet import measures as m


@pytest.mark.parametrize("flip", [0.0, 0.1, 0.37, 0.5])
def test_binary_symmetric(flip):
    w = dc.MatrixChannel([[1 - flip, flip], [flip, 1 - flip]])
    assert float(m.channel.contraction(w)) == pytest.approx((1 - 2 * flip) ** 2, abs=1e-12)
    assert float(m.channel.dobrushin(w)) == pytest.approx(1 - 2 * flip, abs=1e-12)
    assert float(m.channel.doeblin(w)) == pytest.approx(2 * flip, abs=1e-12)
    assert float(m.channel.maximal_leakage(w)) == pytest.approx(math.log(2 - 2 * flip), abs=1e-12)
    local = math.log((1 - flip) / flip) if flip else math.inf
    assert float(m.channel.local_privacy(w)) == pytest.approx(local, abs=1e-12)


@pytest.mark.parametrize("erased", [0.0, 0.3, 1.0])
def test_erasure(erased):
    n = 4
    w = dc.MatrixChannel(np.column_stack([(1 - erased) * np.eye(n), np.full(n, erased)]))
    assert float(m.channel.contraction(w)) == pytest.approx(1 - erased, abs=1e-9)
    assert float(m.channel.dobrushin(w)) == pytest.approx(1 - erased, abs=1e-12)
    assert float(m.channel.doeblin(w)) == pytest.approx(erased, abs=1e-12)


def test_contraction_is_reached_by_some_law():
    """η is a supremum over laws of I(S; Y) / I(S; X), χ²-ratios of weak dependence included: search comes close."""
    rng = np.random.default_rng(2)
    w = dc.MatrixChannel(rng.dirichlet(np.ones(3), size=4))
    eta, best = float(m.channel.contraction(w)), 0.0
    for i in range(4):
        for j in range(i):
            for b in np.linspace(0.01, 0.99, 99):
                p_x, tilt = np.zeros(4), np.zeros(4)
                p_x[[i, j]], tilt[[i, j]] = [b, 1 - b], [1e-4, -1e-4]
                joint = dc.Joint([(p_x + tilt) / 2, (p_x - tilt) / 2])
                before, after = joint.lift(), joint.through(w).lift()
                best = max(best, float(m.chi_squared(after)) / float(m.chi_squared(before)))
    assert best <= eta + 1e-7
    assert best == pytest.approx(eta, rel=1e-3)


def test_one_input_and_equal_inputs_tell_nothing():
    for w in (dc.MatrixChannel([[0.2, 0.8]]), dc.MatrixChannel([[0.2, 0.8], [0.2, 0.8]])):
        assert float(m.channel.contraction(w)) == 0
        assert float(m.channel.dobrushin(w)) == 0
        assert float(m.channel.doeblin(w)) == 1
        assert float(m.channel.local_privacy(w)) == 0
        assert float(m.channel.maximal_leakage(w)) == pytest.approx(0, abs=1e-15)


def test_outputs_that_never_occur_are_not_seen():
    w = dc.MatrixChannel([[0.75, 0.25, 0], [0.25, 0.75, 0]])
    assert float(m.channel.local_privacy(w)) == pytest.approx(math.log(3))
    assert float(m.channel.contraction(w)) == pytest.approx(0.25)


def test_a_mechanism_that_sees_the_secret_is_one_on_pairs():
    w = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 4))
    sees, flat = dc.MatrixChannel(w), dc.MatrixChannel(w.reshape(8, 3))
    for measure in (
        m.channel.contraction,
        m.channel.dobrushin,
        m.channel.doeblin,
        m.channel.local_privacy,
        m.channel.maximal_leakage,
    ):
        assert float(measure(sees)) == float(measure(flat))
        assert measure(sees).origin.law == "the channel"


def test_rows_are_a_channel_as_well():
    rows = [[0.75, 0.25], [0.25, 0.75]]
    for measure in (m.channel.contraction, m.channel.dobrushin, m.channel.local_privacy):
        assert float(measure(rows)) == float(measure(dc.MatrixChannel(rows)))
    with pytest.raises(dc.DiscreetError, match="rows each sum to one"):
        m.channel.doeblin([[0.75, 0.2], [0.25, 0.75]])
