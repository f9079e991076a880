"""A finite secret seen through one real number: normal laws, one for each secret, as a lift over cells of the line."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.axis import Axis
from discreet.core.errors import AxisError, LawError
from discreet.core.lift import Lift, check_masses
from discreet.core.protocols import Array
from discreet.core.reading import Origin
from discreet.measures.fdiv import chi_squared, mutual_information

FEWEST_CELLS, MOST_CELLS = 1_350_000, 5_400_000
"""The line is cut so that no cell holds more than about a millionth, which is the error at the jump of a tail."""

AGREEMENT = 1e-9
"""Smooth measures must agree so closely between the cells and their pairs."""

REACH = 35.0
"""Cells go so many deviations out on either side; beyond stand the limits at infinity."""

NO_MASS = 1e-280


class GaussianMixture:
    """p(s) and the normal law of Y under each s: prior[s], means[s] and variances[s] (never deviations).

    >>> mutual_information(GaussianMixture([.5, .5], [-1, 1], [1, 1]).lift())
    I(S;Y) = 0.3368 nats (exact, of this law)

    References: paper 004, Section IV; paper 000, Section III-A.
    """

    __slots__ = ("means", "prior", "variances")

    def __init__(self, prior: ArrayLike, means: ArrayLike, variances: ArrayLike) -> None:
        self.prior, self.means, self.variances = (
            np.atleast_1d(np.asarray(given, dtype=np.float64)) for given in (prior, means, variances)
        )
        shapes = [a.shape for a in (self.prior, self.means, self.variances)]
        if len(set(shapes)) != 1 or self.prior.ndim != 1:
            raise AxisError(
                "prior[s], means[s] and variances[s] of one length",
                f"shapes {', '.join(map(str, shapes))}",
                "give one mean and one variance for each secret",
            )
        check_masses("the prior of a mixture", self.prior)
        if not (
            np.isfinite(self.means).all() and np.isfinite(self.variances).all() and (self.variances > 0).all()
        ):
            raise LawError(
                "finite means and variances above 0",
                f"means {self.means.tolist()}, variances {self.variances.tolist()}",
                "a secret that fixes the release needs a finite law: Joint(p)",
            )

    def lift(self) -> Lift:
        """The lift over cells of the line with exact masses, refined until two levels agree.

        The outermost two cells hold the limits at infinity, with a mass that no measure of averages sees, so that a
        supremum is found also where it is only approached. O(|S| · 10⁶) time and memory.
        """
        cells = FEWEST_CELLS
        while True:
            lift = self._over(self._edges(cells // len(self.prior)))
            coarse = _merged(lift)
            gaps = (abs(m(lift).value - m(coarse).value) for m in (mutual_information, chi_squared))
            if max(gaps) <= AGREEMENT or cells >= MOST_CELLS:
                return lift
            cells *= 2

    def _edges(self, cells: int) -> Array:
        """Quantiles of every component, and steps into their tails."""
        from scipy.special import ndtri

        body = ndtri(np.arange(1, cells) / cells)
        tail = np.arange(-body[0], REACH, 0.02)[1:]
        steps = np.concatenate([-tail[::-1], body, tail])
        deviations = np.sqrt(self.variances)
        edges: Array = np.unique(self.means[:, None] + deviations[:, None] * steps)
        return edges

    def _over(self, edges: Array) -> Lift:
        from scipy.special import ndtr

        masses = []
        for mean, deviation in zip(self.means, np.sqrt(self.variances), strict=True):
            z = (edges - mean) / deviation
            # each difference is taken in the tail where both terms are small
            masses.append(np.where(z[:-1] > 0, -np.diff(ndtr(-z)), np.diff(ndtr(z))))
        p = np.maximum(np.array(masses), 0) * self.prior[:, None]
        p = p[:, p.sum(axis=0) > NO_MASS]
        p = np.concatenate([self._limit(-1), p, self._limit(+1)], axis=1)
        origin = Origin(kind="exact", method=f"{p.shape[1]:,} cells of the line")
        return Lift.of_law(p, p.sum(axis=1), p.sum(axis=0), (Axis("s"), Axis("y")), origin)

    def _limit(self, side: int) -> Array:
        """A cell without weight at −∞ or +∞, where the widest law rules, and of equals the one on that side."""
        width = np.where(self.prior > 0, self.variances, 0)
        lead = side * np.where(width == width.max(), self.means, -side * np.inf)
        rules = (lead == lead.max()) & (width == width.max())
        cell: Array = (self.prior * rules * (1e3 * NO_MASS))[:, None]
        return cell


def _merged(lift: Lift) -> Lift:
    """The same law over pairs of cells."""
    p = np.add.reduceat(lift.p, np.arange(0, lift.p_y.size, 2), axis=1)
    return Lift.of_law(p, lift.p_s, p.sum(axis=0), lift.axes, lift.origin)
