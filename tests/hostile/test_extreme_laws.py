"""Independent, deterministic, with cells that cannot occur, of one symbol, and with masses of 1e-300."""

import math

import numpy as np
import pytest

import discreet as dc
from discreet import measures as m
from discreet.measures.catalogue import CATALOGUE

TINY = 1e-300


def everything(lift):
    """Every measure of the catalogue, at every argument it is tried at."""
    for row in CATALOGUE:
        if row.about == "lift":
            for at in row.at:
                args = (np.arange(lift.p_s.size),) if row.name == "mmse" else at
                yield row, at, float(row.function(lift, *args))


@pytest.mark.parametrize(
    "p",
    [
        [[1.0]],
        [[0.2, 0.8]],
        [[0.4], [0.6]],
        [[0.5, 0], [0, 0.5]],
        [[1.0, 0], [0, 0]],
        [[TINY, 0], [0, 1.0]],
        [[TINY, TINY], [0.5, 0.5]],
        [[1 - 2e-16, TINY], [TINY, TINY]],
        np.eye(5) / 5,
        np.full((3, 4), 1 / 12),
        [[0.25, 0, 0.05], [0.1, 0.3, 0.05], [0.05, 0.05, 0.15]],
        [[5e-324, 5e-324], [0.5, 0.5]],
        [[0.3, 5e-324], [0.2, 5e-324], [0.5, 0]],
    ],
    ids=str,
)
def test_every_measure_gives_a_number_in_its_range(p):
    lift = dc.Joint(p).lift()
    for row, at, value in everything(lift):
        assert not math.isnan(value), (row.name, at)
        assert value >= 0, (row.name, at)
        if row.high == "1":
            assert value <= 1, (row.name, at)


@pytest.mark.parametrize("n", [2, 3, 7])
def test_a_release_that_is_the_secret(n):
    lift = dc.Joint(np.eye(n) / n).lift()
    assert float(m.mutual_information(lift)) == pytest.approx(math.log(n), rel=1e-14)
    assert float(m.chi_squared(lift)) == pytest.approx(n - 1, rel=1e-14)
    assert float(m.total_variation(lift)) == pytest.approx(1 - 1 / n, rel=1e-14)
    assert float(m.maximal_correlation(lift)) == pytest.approx(1, rel=1e-14)
    assert float(m.maximal_leakage(lift)) == pytest.approx(math.log(n), rel=1e-14)
    assert float(m.guessing_probability(lift)) == pytest.approx(1, rel=1e-14)
    assert float(m.mmse(lift, np.arange(n))) == pytest.approx(0, abs=1e-15)
    assert float(m.conditional_entropy(lift)) == pytest.approx(0, abs=1e-15)
    assert float(m.lift_privacy(lift)) == math.inf
    assert float(m.local_privacy(lift)) == math.inf
    assert float(m.differential_privacy(lift, 5)) == pytest.approx(1)
    assert float(m.differential_privacy_eps(lift, 0.5)) == math.inf
    assert float(m.information_privacy(lift, math.log(n) - 1e-6)) == pytest.approx(1)
    assert float(m.information_privacy(lift, math.log(n))) == 0
    assert float(m.information_privacy(lift, math.log(n), strong=True)) == pytest.approx(1)
    assert float(m.mutual_information(lift, direction="prior")) == math.inf
    assert float(m.chi_squared(lift, direction="prior")) == math.inf
    for alpha in (0.3, 0.999, 1, 1.001, 4, 700, math.inf):
        assert float(m.sibson(lift, alpha)) == pytest.approx(math.log(n), rel=1e-12)
        assert float(m.arimoto(lift, alpha)) == pytest.approx(math.log(n), rel=1e-12)
        assert float(m.renyi(lift, alpha)) == pytest.approx(math.log(n), rel=1e-12)


def test_a_secret_so_rare_that_its_lift_is_astronomic():
    """S is Y, and one of two secrets has mass 1e-300: the exact values are known."""
    lift = dc.Joint([[TINY, 0], [0, 1.0]]).lift()
    assert lift.ratio[0, 0] == pytest.approx(1 / TINY)
    assert float(m.mutual_information(lift)) == pytest.approx(-TINY * math.log(TINY), rel=1e-2)
    assert float(m.chi_squared(lift)) == pytest.approx(1, rel=1e-12)
    assert float(m.maximal_correlation(lift)) == pytest.approx(1, rel=1e-12)
    assert float(m.maximal_leakage(lift)) == pytest.approx(math.log(2), rel=1e-12)
    assert float(m.sibson(lift, 2)) == pytest.approx(2 * math.log(1 + math.sqrt(TINY)), abs=1e-15)
    assert float(m.renyi(lift, 2)) == pytest.approx(math.log(2), rel=1e-12)
    assert float(m.renyi(lift, 3)) == pytest.approx(-math.log(TINY) / 2, rel=1e-12)
    assert float(m.renyi(lift, math.inf)) == pytest.approx(-math.log(TINY), rel=1e-12)
    assert float(m.e_gamma(lift, 2.0)) == pytest.approx(1, rel=1e-12)


def test_a_lift_beyond_all_numbers_is_refused():
    with pytest.raises(dc.DiscreetError, match="both rarer than 1e-305"):
        dc.Joint([[5e-324, 0], [0, 1.0]]).lift()
    lift = dc.Joint([[1e-305, 0], [0, 1.0]]).lift()
    assert float(m.chi_squared(lift)) == pytest.approx(1, rel=1e-12)
    assert float(m.lift_privacy(lift.reversed)) == math.inf


def test_a_law_of_independence_as_rounding_leaves_it():
    p = np.outer([0.1, 0.2, 0.7], [0.3, 0.3, 0.4])
    lift = dc.Joint(p / p.sum()).lift()
    assert float(m.mutual_information(lift)) < 1e-30
    assert float(m.chi_squared(lift)) < 1e-30
    assert float(m.maximal_correlation(lift)) < 1e-15
    assert float(m.information_privacy(lift, 0.0)) == 0
    assert float(m.information_privacy(lift, 0.0, strong=True)) == 0


def test_a_leak_far_below_the_last_digit_of_the_masses():
    """The bits are summed where they are, not as a difference of entropies: χ² = 4e-20 and I = 2e-20."""
    d = 1e-10
    lift = dc.Joint([[0.25 + d / 2, 0.25 - d / 2], [0.25 - d / 2, 0.25 + d / 2]]).lift()
    assert float(m.chi_squared(lift)) == pytest.approx(4 * d**2, rel=1e-4)
    assert float(m.mutual_information(lift)) == pytest.approx(2 * d**2, rel=1e-4)


def test_atoms_without_mass_change_nothing():
    p = np.array([[0.3, 0.1], [0.15, 0.45]])
    padded = np.zeros((4, 5))
    padded[np.ix_([0, 2], [1, 3])] = p
    lift, wide = dc.Joint(p).lift(), dc.Joint(padded).lift()
    assert wide.log_lift[1].tolist() == [0] * 5
    assert wide.log_lift[:, 0].tolist() == [0] * 4
    for row in CATALOGUE:
        if row.about == "lift":
            for at in row.at:
                args = wide_args = at
                if row.name == "mmse":
                    args, wide_args = ([0, 1],), ([0, 5, 1, 7],)
                expected = float(row.function(lift, *args))
                assert float(row.function(wide, *wide_args)) == pytest.approx(expected, abs=1e-12), row.name
    assert m.principal_inertias(wide)[1:] == pytest.approx([0, 0], abs=1e-15)


@pytest.mark.parametrize("eps", [0.0, 1e-12, 1.0, 709.0, 1e6, math.inf])
def test_tails_at_any_budget(eps):
    lift = dc.Joint([[0.25, 0, 0.05], [0.1, 0.3, 0.05], [0.05, 0.05, 0.15]]).lift()
    weak, strong = (float(m.information_privacy(lift, eps, strong=s)) for s in (False, True))
    assert 0 <= weak <= strong <= 1
    if eps >= 1e6:
        assert weak == 0
        assert strong == (0.0 if eps == math.inf else pytest.approx(0.35))
    assert 0 <= float(m.differential_privacy(lift, eps)) <= 1


def test_an_infinite_factor_leaves_what_cannot_occur():
    lift = dc.Joint([[0.25, 0, 0.05], [0.1, 0.3, 0.05], [0.05, 0.05, 0.15]]).lift()
    for gamma in (1e6, 1e300, math.inf):
        assert float(m.e_gamma(lift, gamma)) == 0
        assert float(m.e_gamma(lift, gamma, "prior")) == pytest.approx(0.35)


def test_a_lift_at_the_very_edge_is_inside():
    """Lifts of 2 and ½ exactly: δ at ε = log 2 is zero, whatever the rounding."""
    for n in (3, 6, 12):
        block = np.kron(np.array([[4, 1, 1], [1, 4, 1], [1, 1, 4]]), np.ones((n // 3, n // 3)))
        lift = dc.Joint(block / block.sum()).lift()
        assert float(m.information_privacy(lift, math.log(2))) == 0
        assert float(m.information_privacy(lift, math.log(2), strong=True)) == 0
        assert float(m.information_privacy(lift, math.log(2) - 1e-9)) > 0.1


def test_many_secrets_and_few_releases_are_walked_in_blocks():
    rng = np.random.default_rng(5)
    p = rng.dirichlet(np.ones(3 * 70_000)).reshape(70_000, 3)
    tall, wide = dc.Joint(p).lift(), dc.Joint(p.T).lift()
    for measure in (
        m.mutual_information,
        m.chi_squared,
        m.total_variation,
        m.lift_privacy,
        m.maximal_correlation,
    ):
        assert float(measure(tall)) == pytest.approx(float(measure(wide)), rel=1e-10)
    assert float(m.information_privacy_eps(wide, 0.2)) == pytest.approx(
        float(m.information_privacy_eps(tall, 0.2)), rel=1e-12
    )
    for strong in (False, True):
        eps = float(m.information_privacy_eps(wide, 0.2, strong=strong))
        assert float(m.information_privacy(wide, eps, strong=strong)) <= 0.2 + 1e-12
        assert float(m.information_privacy(wide, eps * (1 - 1e-9), strong=strong)) > 0.2


def test_orders_next_to_one_do_not_cancel():
    """Figures computed apart with 60 digits."""
    lift = dc.Joint([[0.03, 0.01, 0.3], [0.15, 0.0001, 0.5099]]).lift()
    for alpha, expected in (
        (1 - 1e-7, 0.0255061812680218999),
        (1 + 1e-7, 0.0255061843560699173),
        (0.999, 0.0254907320694769932),
    ):
        assert float(m.arimoto(lift, alpha)) == pytest.approx(expected, rel=1e-13)


def test_an_f_that_leaves_the_number_range_on_its_way():
    """(t − 1)² / (t + 1) is infinite by infinite for large lifts; its slope is one all the same."""

    def triangular(t):
        return (t - 1) ** 2 / (t + 1)

    even, rare = dc.Joint(np.eye(3) / 3).lift(), dc.Joint([[TINY, 0], [0, 1.0]]).lift()
    for direction in ("release", "prior"):
        assert float(m.f_information(even, triangular, direction)) == pytest.approx(1, rel=1e-14)
        assert float(m.f_information(rare, triangular, direction, "worst")) == pytest.approx(2, rel=1e-14)
    assert float(m.f_information(even, lambda t: np.exp(t) - math.e, "prior")) == math.inf


def test_a_loss_beyond_all_numbers():
    assert float(m.alpha_loss(dc.Joint([[0.2], [0.3], [0.5]]).lift(), 1e-4)) == math.inf
