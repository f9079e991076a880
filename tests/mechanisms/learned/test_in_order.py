"""A frontier in order, one that is not, and why."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design, Status
from discreet.core.frontier import Frontier
from discreet.core.reading import Reading
from discreet.mechanisms.learned.in_order import by_distortion, ordering


def design(leak: float, utility: float, status: Status = Status.LEARNED) -> Design:
    read = [Reading(value, "", "share") for value in (leak, utility)]
    return Design(MatrixChannel(np.eye(2)), status, read[0], read[1])


def test_a_convex_frontier_is_in_order() -> None:
    found = ordering(Frontier([design(u**2, u) for u in (0.1, 0.4, 0.7, 1.0)]))
    assert found.in_order
    assert found.kept == (0, 1, 2, 3)


def test_what_is_kept_rises_and_the_rest_is_explained() -> None:
    rng = np.random.default_rng(0)
    points = [design(float(leak), float(utility)) for leak, utility in rng.random((30, 2))]
    frontier = Frontier(points)
    found = ordering(frontier)
    kept = list(found.kept)
    slopes = np.diff(frontier.leak[kept]) / np.diff(frontier.utility[kept])
    assert (slopes > 0).all()
    assert (np.diff(slopes) > 0).all()
    assert set(found.why) | set(kept) == set(range(30))
    assert not set(found.why) & set(kept)


def test_a_design_that_failed_says_how() -> None:
    found = ordering(Frontier([design(0.1, 0.5), design(0.3, 0.2, Status.COLLAPSED), design(0.4, 0.9)]))
    assert list(found.why) == [1]
    assert str(Status.COLLAPSED) in found.why[1]


def test_noise_of_held_out_rows_is_not_blamed() -> None:
    assert ordering(Frontier([design(0.1, 0.5), design(0.2, 0.5995), design(0.3, 0.7)])).in_order


def test_less_distortion_is_more_useful() -> None:
    frontier = by_distortion([design(0.7, 1.0), design(0.55, 2.0), design(0.5, 3.0)])
    assert frontier.at(leak=0.65).utility.value == 2.0
    assert frontier.at(utility=-2.5).leakage.value == 0.55
    assert ordering(frontier).kept == (2, 1, 0)
    assert float(frontier.points[0].utility) == pytest.approx(1.0)
