"""Adversaries who know the law of a release of real numbers: normal for each secret, or jointly normal with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.errors import AxisError, ParameterError
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Reading
from discreet.measures import decision, gaussian
from discreet.measures.gaussian import Gaussian
from discreet.measures.mixture import GaussianMixture


class MixtureAdversary:
    """The best there is against one real number that is normal under every secret, with a known mean and variance.

    ŝ(y) = argmax_s p(s) N(y; m_s, v_s),   v̂(y) = E[v(S) | Y = y]

    Nobody is right more often, and nobody's estimate is closer in the mean square. O(|S|) for each record.

    >>> adversary = MixtureAdversary(GaussianMixture([.5, .5], [-1, 1], [1, 1]))
    >>> adversary.guess([-2.0, .3])
    array([0, 1])
    >>> adversary.guessing_probability
    V(S|Y) = 0.8413 (exact, of this law)

    References: paper 004, equation (5) and Section IV; the second parameter of its N is the variance.
    """

    def __init__(self, law: GaussianMixture) -> None:
        self.law = law

    def posterior(self, y: ArrayLike) -> Array:
        """p(s | y), one row for each record."""
        held = _numbers(y, 1)[:, 0]
        law = self.law
        with np.errstate(divide="ignore"):
            prior = np.log(law.prior)
        log = prior - 0.5 * np.log(law.variances) - (held[:, None] - law.means) ** 2 / (2 * law.variances)
        weight = np.exp(log - log.max(axis=1, keepdims=True))
        found: Array = weight / weight.sum(axis=1, keepdims=True)
        return found

    def guess(self, y: ArrayLike) -> Codes:
        """The likeliest secret of each record; the first of those that are equally likely."""
        found: Codes = self.posterior(y).argmax(axis=1).astype(np.int64)
        return found

    def estimate(self, y: ArrayLike, values: ArrayLike) -> Array:
        """The mean of the secret's number, given what was released, for each record."""
        found: Array = self.posterior(y) @ self._values(values)
        return found

    @property
    def guessing_probability(self) -> Reading:
        """How often he is right: no attacker is right more often."""
        return decision.guessing_probability(self.law.lift())

    def mmse(self, values: ArrayLike) -> Reading:
        """His mean square error: no attacker's is smaller."""
        return decision.mmse(self.law.lift(), self._values(values))

    def _values(self, values: ArrayLike) -> Array:
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.shape != self.law.prior.shape:
            raise ParameterError(
                f"a number for each of {self.law.prior.size} secrets",
                f"shape {numbers.shape}",
                "pass values=…",
            )
        return numbers


class GaussianAdversary:
    """The best there is against numbers that are jointly normal with the secret ones: the linear estimate.

    ŝ(y) = Σ_sy Σ_y⁻¹ y,   E |S − ŝ|² = tr(Σ_s − Σ_sy Σ_y⁻¹ Σ_ys)

    All means are zero: subtract them first. Nobody's estimate is closer in the mean square, linear or not.

    >>> adversary = GaussianAdversary(Gaussian(1, 1, .6))
    >>> adversary.estimate([2.0])
    array([[1.2]])
    >>> adversary.mmse
    mmse = 0.64 (exact, of this law)
    """

    def __init__(self, law: Gaussian) -> None:
        self.law = law
        self.weights: Array = np.linalg.solve(law.cov_x, law.cov_sx.T).astype(np.float64)

    def estimate(self, y: ArrayLike) -> Array:
        """The secret numbers expected of each record: one row a record, one column a secret."""
        found: Array = _numbers(y, len(self.weights)) @ self.weights
        return found

    @property
    def mmse(self) -> Reading:
        """His mean square error, summed over the secrets: no attacker's is smaller."""
        return gaussian.mmse(self.law)


def _numbers(y: ArrayLike, width: int) -> Array:
    held = np.asarray(y, dtype=np.float64)
    held = held[:, None] if held.ndim == 1 and width == 1 else held
    if held.ndim != 2 or held.shape[1] != width or not np.isfinite(held).all():
        raise AxisError(
            f"releases of {width} finite numbers, one row a record",
            f"shape {held.shape}" + ("" if np.isfinite(held).all() else ", with NaN or infinity"),
            "give y[record, number]",
        )
    return held
