"""A binary secret seen through one normal number: shift the two laws together, and add noise, within a distortion."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.design import Design, Status
from discreet.core.errors import LawError, ParameterError
from discreet.core.gaussian_channel import GaussianChannel
from discreet.core.protocols import Array
from discreet.core.reading import Origin, Reading, unit_of
from discreet.measures.arguments import choice
from discreet.measures.mixture import GaussianMixture
from discreet.mechanisms import zoom
from discreet.mechanisms.schemes import CLOSE, FAMILIES, Scheme, Task
from discreet.mechanisms.two_normals import Prior, exact_information, guess, saturated

NOTHING = 1e-30
"""A distortion so small beside the variance is none."""

LARGEST = 1e100
"""Means and variances are within this, and variances above its inverse, so that no square of them overflows."""

Family = Literal["noise", "shift", "shift_and_noise", "additive"]
Leakage = Literal["guessing_probability", "mutual_information"]


def gaussian_mixture(
    prior: ArrayLike,
    means: ArrayLike,
    variances: ArrayLike,
    distortion: float,
    *,
    family: Family = "additive",
    leakage: Leakage = "guessing_probability",
) -> Design:
    """Hide a binary secret in a normal number: Y = X + b_s + N(0, g_s) with E(Y − X)² = Σ p_s (b_s² + g_s) ≤ D.

    noise            b = 0, g = D for both: the best of one law of noise for all
    shift            the means β = min(√(D / p0 p1), gap) closer, the rarer one moving more
    shift_and_noise  one g for both; for equal variances v, β = min((D + v) / (gap p0 p1), √(D / p0 p1), gap)
    additive         two shifts, two variances: a search over β and how the rest of D is shared

    Common noise after the fact never tells more, so some best scheme spends all of D, save where both laws become one.
    The search is of grids that close in, on the exact guess or the exact information, both of which come with the
    design: trace["guessing_probability"] and trace["mutual_information"]. A guess no better than the prior may still
    tell much, so among schemes with that guess the one with the least information is taken. `bound` is the guess, or
    information, without any release: sound, and reached only where D is large.

    prior[s], means[s], variances[s] (never deviations). trace["release"] is the law of what is released.

    >>> design = gaussian_mixture([.5, .5], [-3, 3], [1, 1], 5, family="shift_and_noise")
    >>> design.leakage
    V(S|Y) = 0.7602 (exact, of this law)
    >>> gaussian_mixture([.25, .75], [-3, 3], [4, 1], 6).leakage
    V(S|Y) = 0.7606 (exact, of this law)

    References: paper 004, Theorems 2 to 4, the third only up to where the means meet; Proposition 1 fails there.
    """
    law = _binary(GaussianMixture(prior, means, variances))
    choice("family", family, tuple(FAMILIES))
    choice("leakage", leakage, ("guessing_probability", "mutual_information"))
    if not 0 <= distortion < math.inf:
        raise ParameterError(
            "a distortion of 0 or more, finite",
            f"distortion = {distortion}",
            "give the largest mean of (Y − X)²",
        )
    task = _task(law, float(distortion), leakage)
    hidden = min(task.prior) > 0 and distortion > NOTHING * max(task.v0, task.v1)
    scheme = FAMILIES[family](task) if hidden else Scheme(0.0, 0.0, 0.0)
    return _design(law, scheme, family, leakage)


def mixture_saturation(prior: ArrayLike, means: ArrayLike, variances: ArrayLike) -> Reading:
    """The least distortion at which an additive scheme leaves the best guess no better than the prior.

    The likelier law must lie above the other all along the line. With equal priors both must become one.

    >>> mixture_saturation([.5, .5], [-3, 3], [4, 1])
    distortion = 10.5 (exact, of this law)

    References: paper 004, Section IV.
    """
    law = _binary(GaussianMixture(prior, means, variances))
    task = _task(law, 0.0, "guessing_probability")
    if min(task.prior) == 0:
        return Reading(0.0, "", "distortion")
    most = task.alike_at

    def spent(at: Array) -> Array:
        noise0, noise1 = at[..., 0] * most / task.prior.p0, at[..., 1] * most / task.prior.p1
        square = saturated(task.prior, np.array(0.0), task.v0 + noise0, task.v1 + noise1)
        closer = task.gap - np.sqrt(np.clip(square, 0, task.gap**2))
        cost = task.price * closer**2 + task.prior.p0 * noise0 + task.prior.p1 * noise1
        return np.where(square >= 0, cost, np.inf)

    return Reading(min(zoom.least(spent, 2).value, most), "", "distortion")


def _binary(law: GaussianMixture) -> GaussianMixture:
    if law.prior.shape != (2,):
        raise LawError(
            "a secret of two values",
            f"{law.prior.size}",
            "group the values of the secret, or use a finite law",
        )
    largest = max(law.variances.max(), np.abs(law.means).max())
    if largest > LARGEST or law.variances.min() < 1 / LARGEST:
        raise LawError(
            f"means up to {LARGEST:g}, and variances from {1 / LARGEST:g} to {LARGEST:g}",
            f"means {law.means.tolist()}, variances {law.variances.tolist()}",
            "measure X in another unit",
        )
    return law


def _task(law: GaussianMixture, budget: float, leakage: str) -> Task:
    (p0, p1), (v0, v1) = law.prior.tolist(), law.variances.tolist()
    return Task(Prior(p0, p1), abs(float(law.means[1] - law.means[0])), v0, v1, budget, leakage)


def _design(law: GaussianMixture, scheme: Scheme, family: str, leakage: str) -> Design:
    towards = math.copysign(float(scheme.closer), float(law.means[1] - law.means[0]))
    shift = np.array([law.prior[1], -law.prior[0]]) * towards
    noise = np.array([float(scheme.noise0), float(scheme.noise1)])
    blind = family == "noise" or (not shift.any() and noise[0] == noise[1])
    variance = noise[0] if blind else noise[:, None, None]
    channel = GaussianChannel(1, variance, 0.0 if blind else shift[:, None])
    release = GaussianMixture(law.prior, law.means + shift, law.variances + noise)
    readings = _readings(release)
    leak, spent = readings[leakage], float(law.prior @ (shift**2 + noise))
    floor = float(law.prior.max()) if leakage == "guessing_probability" else 0.0
    bound = Reading(min(floor, leak.value), leak.unit, leak.measure, "lower")
    status = Status.OPTIMAL if leak.value - floor <= CLOSE else Status.CHEAP
    trace = {"family": family, "shift": shift, "noise": noise, "release": release, **readings}
    return Design(channel, status, leak, Reading(spent, "", "distortion"), bound, trace)


def _readings(law: GaussianMixture) -> dict[str, Reading]:
    """The guess and the information of two normal laws, without cells."""
    task = _task(law, 0.0, "")
    pair = task.gap, task.v0, task.v1
    values = {"guessing_probability": 1.0, "mutual_information": 0.0}
    if min(task.prior) > 0:
        values["guessing_probability"] = float(guess(task.prior, *(np.array(one) for one in pair)))
        values["mutual_information"] = exact_information(task.prior, *pair)
    how = {"guessing_probability": "roots of the log-ratio", "mutual_information": "quadrature"}
    return {
        name: Reading(value, unit_of(name), name, origin=Origin(method=how[name]))
        for name, value in values.items()
    }
