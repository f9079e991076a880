"""A finite secret seen through one real number: normal laws, one for each secret, as a lift over cells of the line."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.axis import Axis
from discreet.core.errors import AxisError, LawError
from discreet.core.lift import Lift
from discreet.core.masses import as_numbers, check_masses
from discreet.core.protocols import Array
from discreet.core.reading import Origin
from discreet.measures.fdiv import chi_squared, mutual_information

FEWEST_CELLS, MOST_CELLS = 1_350_000, 5_400_000
"""The line is cut so that no cell holds more than about a millionth, which is the error at the jump of a tail."""

AGREEMENT = 1e-9
"""Smooth measures must agree so closely between the cells and their pairs."""

REACH = 35.0
"""Cells go so many deviations out on either side; beyond stand the limits at infinity."""

STEP = 1e-3
"""No cell is wider, in deviations of any of the laws that reach it."""

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
            np.atleast_1d(as_numbers("a mixture", given)) for given in (prior, means, variances)
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
        """Quantiles of every component, and equal steps, which are the finer ones in the tails."""
        from scipy.special import ndtri

        steps = np.concatenate([ndtri(np.arange(1, cells) / cells), np.arange(-REACH, REACH, STEP)])
        deviations = np.sqrt(self.variances)
        edges: Array = np.unique(self.means[:, None] + deviations[:, None] * steps)
        return edges

    def _over(self, edges: Array) -> Lift:
        deviations = np.sqrt(self.variances)
        log = np.array([_log_masses(edges, *law) for law in zip(self.means, deviations, strict=True)])
        p = self.prior[:, None] * np.exp(log)
        p_y = p.sum(axis=0)
        some = p_y > NO_MASS
        (first, log_first), (last, log_last) = self._limit(-1), self._limit(+1)
        p = np.concatenate([first, p[:, some], last], axis=1)
        log = np.concatenate([log_first, log[:, some] - np.log(p_y[some]), log_last], axis=1)
        log[self.prior == 0] = 0
        p /= p.sum()
        origin = Origin(kind="exact", method=f"{p.shape[1]:,} cells of the line")
        return Lift.of_line(p, log, (0, p.shape[1] - 1), (Axis("s"), Axis("y")), origin)

    def _limit(self, side: int) -> tuple[Array, Array]:
        """A cell without weight at −∞ or +∞, where the widest law rules, and of equals the one on that side."""
        width = np.where(self.prior > 0, self.variances, 0)
        lead = side * np.where(width == width.max(), self.means, -side * np.inf)
        rules = (lead == lead.max()) & (width == width.max())
        cell: Array = (self.prior * rules * (1e3 * NO_MASS))[:, None]
        log: Array = np.where(rules, -np.log(self.prior @ rules), -np.inf)[:, None]
        return cell, log


def _log_masses(edges: Array, mean: float, deviation: float) -> Array:
    """The logarithm of a normal law's mass in each cell, also far out, where the masses themselves are no numbers.

    In units of the deviation, a cell of width w that begins at a holds a share 1 − Q(a + w)/Q(a) of what lies beyond a.
    """
    from scipy.special import erfcx, log_ndtr

    z, width = (edges - mean) / deviation, np.diff(edges) / deviation
    near = np.where(z[:-1] + z[1:] > 0, z[:-1], -z[1:])
    scaled = [erfcx(at / np.sqrt(2)) for at in (near, near + width)]
    fall = width * (near + width / 2) + np.log(scaled[0] / scaled[1])
    with np.errstate(divide="ignore"):
        log: Array = log_ndtr(-near) + np.log(-np.expm1(-fall))
    return log


def _merged(lift: Lift) -> Lift:
    """The same law over pairs of cells."""
    p = np.add.reduceat(lift.p, np.arange(0, lift.p_y.size, 2), axis=1)
    return Lift.of_law(p, lift.p_s, p.sum(axis=0), lift.axes, lift.origin)
