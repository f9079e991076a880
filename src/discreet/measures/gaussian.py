"""Jointly Gaussian secret and release: the same names in closed form. The secret has no finite alphabet here."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.errors import AxisError, LawError
from discreet.core.masses import as_numbers
from discreet.core.protocols import Array
from discreet.core.reading import Reading


class Gaussian:
    """The covariances of a jointly Gaussian (S, X): cov_s, cov_x and cov_sx[s, x]; a scalar is 1 × 1.

    >>> mutual_information(Gaussian(1, 1, .6))
    I(S;Y) = 0.2231 nats (exact, of this law)
    """

    __slots__ = ("cov_s", "cov_sx", "cov_x")

    def __init__(self, cov_s: ArrayLike, cov_x: ArrayLike, cov_sx: ArrayLike) -> None:
        self.cov_s, self.cov_x = _covariance("cov_s", cov_s), _covariance("cov_x", cov_x)
        cross = np.atleast_2d(as_numbers("cov_sx", cov_sx))
        shape = (len(self.cov_s), len(self.cov_x))
        if cross.shape != shape or not np.isfinite(cross).all():
            raise AxisError(
                f"finite cov_sx[s, x] of shape {shape}",
                f"shape {cross.shape}",
                "secrets are rows; transpose if need be",
            )
        self.cov_sx = cross
        top = float(self.correlations.max(initial=0.0))
        if not top <= 1 + 1e-9:
            raise LawError(
                "covariances of one law",
                f"a correlation of {top:.6g} between a direction of S and one of X",
                "estimate the three covariances from the same records",
            )

    @property
    def correlations(self) -> Array:
        """The canonical correlations between S and X, largest first."""
        whitened = _whiten(self.cov_s) @ self.cov_sx @ _whiten(self.cov_x).T
        found: Array = np.linalg.svd(whitened, compute_uv=False).astype(np.float64)
        return found


def _covariance(name: str, given: ArrayLike) -> Array:
    held = np.atleast_2d(as_numbers(name, given))
    square = held.ndim == 2 and held.shape[0] == held.shape[1]
    if not square or not np.isfinite(held).all() or not np.allclose(held, held.T, rtol=1e-9, atol=0):
        raise AxisError(
            f"{name} as a finite symmetric matrix",
            f"shape {held.shape}",
            "give a covariance matrix, or one variance",
        )
    least = float(np.linalg.eigvalsh(held)[0])
    if not least > 0:
        raise LawError(
            f"{name} positive definite", f"an eigenvalue of {least:.6g}", "drop columns that others determine"
        )
    return held


def _whiten(cov: Array) -> Array:
    value, vector = np.linalg.eigh(cov)
    whitening: Array = (vector / np.sqrt(value)).T
    return whitening


def _unexplained(law: Gaussian) -> Array:
    """1 − ρ² for each canonical correlation."""
    unexplained: Array = np.clip(1 - np.minimum(law.correlations, 1) ** 2, 0, 1)
    return unexplained


def mutual_information(law: Gaussian) -> Reading:
    """How many nats X tells about S: −½ Σ log(1 − ρ²) over the canonical correlations ρ.

    >>> mutual_information(Gaussian(1, 1, .9))
    I(S;Y) = 0.8304 nats (exact, of this law)
    """
    with np.errstate(divide="ignore"):
        return Reading.of("mutual_information", max(-0.5 * float(np.log(_unexplained(law)).sum()), 0.0))


def chi_squared(law: Gaussian) -> Reading:
    """χ²(S; X) = Π 1/(1 − ρ²) − 1 over the canonical correlations ρ.

    >>> chi_squared(Gaussian(1, 1, .6))
    χ² = 0.5625 (exact, of this law)
    """
    with np.errstate(divide="ignore"):
        lost = -np.log(_unexplained(law)).sum()
    with np.errstate(over="ignore"):
        return Reading.of("chi_squared", float(np.expm1(lost)))


def maximal_correlation(law: Gaussian) -> Reading:
    """The largest correlation of any function of S with any function of X: the first canonical correlation.

    >>> maximal_correlation(Gaussian(4, 1, .6))
    ρ_m = 0.3 (exact, of this law)
    """
    return Reading.of("maximal_correlation", min(float(law.correlations.max()), 1.0))


def mmse(law: Gaussian) -> Reading:
    """The least mean square error of S from X, summed over its parts: tr(Σ_s − Σ_sx Σ_x⁻¹ Σ_xs).

    >>> mmse(Gaussian(1, 1, .6))
    mmse = 0.64 (exact, of this law)
    """
    explained = law.cov_sx @ np.linalg.solve(law.cov_x, law.cov_sx.T)
    return Reading.of("mmse", max(float(np.trace(law.cov_s - explained)), 0.0))
