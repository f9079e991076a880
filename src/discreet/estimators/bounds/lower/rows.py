"""Lower bounds from one number for each held-out person: what an attacker who was fixed before is known to reach."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.errors import AxisError, EvidenceError, LawError
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Interval, Origin, Reading, unit_of
from discreet.estimators.bounds import binomial, known
from discreet.estimators.bounds.held_out import LAWS, Target, beta_of
from discreet.measures.arguments import not_negative, share


class Floored(NamedTuple):
    """log(q/π)[s, record] that lies between two numbers known beforehand."""

    log_lift: Array
    low: float
    high: float


def of_hits(hits: ArrayLike, confidence: float = 0.95) -> Reading:
    """The best attacker guesses right at least this often: the hits of one rule, counted on people it never saw.

    V(S | Y) ≥ Beta⁻¹(β; hits, n − hits + 1)

    Exact, of the population. `hits` holds for each person whether the guess was right.

    >>> of_hits([True] * 80 + [False] * 20)
    V(S|Y) = 0.7228 (lower, of the population, 0.7228 to 1 at 95 %, n = 100)
    """
    hit = _some(np.asarray(hits))
    if not np.isin(hit, (0, 1)).all():
        raise LawError("whether each guess was right", "values other than 0 and 1", "compare guess and truth")
    return of_count(int(hit.sum()), hit.size, confidence)


def of_count(hits: int, n: int, confidence: float) -> Reading:
    """The same from the number of hits."""
    value = float(binomial.lower(hits, n, beta_of(confidence)))
    return least("guessing_probability", value, confidence, "population", n, "Clopper–Pearson")


def of_log_lift(log_lift: ArrayLike, low: float, high: float, confidence: float = 0.95) -> Reading:
    """The release tells at least so many nats: the mean log-lift of a posterior fixed before these rows were seen.

    I(S; Y) ≥ mean log(q(s | y)/π(s)) − √(2v ln(2/β)/n) − 7 (high − low) ln(2/β) / (3(n − 1))

    Empirical Bernstein, about people of this composition: π are the shares of the secrets among these very rows. `low`
    and `high` hold for every pair that could have occurred, not only for the ones that did: floor the posterior first,
    as `floored` does. A result below zero is no bound, and zero is given.

    >>> of_log_lift([.5, .5, -.5, .5] * 100, -1, 1)
    I(S;Y) = 0.148 nats (lower, of people of this composition, 0.148 to inf at 95 %, n = 400)
    """
    told = _some(np.asarray(log_lift, dtype=np.float64))
    if not (low <= told.min() and told.max() <= high) or not math.isfinite(high - low):
        raise LawError(
            f"log-lifts within the range known beforehand, {low:.4g} to {high:.4g}",
            f"from {told.min():.4g} to {told.max():.4g}",
            "floor the posterior, and give the range that follows from the floor",
        )
    n, value = told.size, 0.0
    if n > 1:
        value = float(told.mean()) - shortfall(float(told.var(ddof=1)), high - low, n, confidence)
    return least("mutual_information", value, confidence, "composition", n, "empirical Bernstein")


def shortfall(variance: float, span: float, n: int, confidence: float) -> float:
    """√(2v ln(2/β)/n) + 7 span ln(2/β) / (3(n − 1)): what a mean of n numbers may lie above its expectation."""
    log = math.log(2 / beta_of(confidence))
    return math.sqrt(2 * variance * log / n) + 7 * span * log / (3 * (n - 1))


def of_sets(inside: ArrayLike, s: ArrayLike, gamma: float = 1.0, confidence: float = 0.95) -> Reading:
    """An event that holds at least so much beyond γ times what independence gives it; at γ = 1, total variation.

    E_γ ≥ P̂(B) − γ (π × P̂_Y)(B) − √(L/2) √(Σ π r²)

    `inside[s, i]` says for each secret whether it would lie in B with the i-th person's record, B fixed before these
    rows were seen, such as where a learned lift exceeds γ; `s[i]` is the secret. About people of this composition.

    >>> of_sets([[True] * 50 + [False] * 50, [False] * 50 + [True] * 50], [0] * 50 + [1] * 50)
    TV = 0.3776 (lower, of people of this composition, 0.3776 to 1 at 95 %, n = 100)
    """
    sets, codes = np.asarray(inside, dtype=bool), _some(np.asarray(s))
    if sets.ndim != 2 or sets.shape[1] != codes.size or codes.min() < 0 or codes.max() >= sets.shape[0]:
        raise AxisError(
            "inside[s, i] with one row a secret and one column a person",
            f"shape {sets.shape} for {codes.size} people with secrets up to {codes.max()}",
            "give the same people in both",
        )
    pi = np.bincount(codes, minlength=sets.shape[0]) / codes.size
    held, expected = sets[codes, np.arange(codes.size)], pi @ sets
    found = float(held.mean() - gamma * expected.mean())
    return least_distance(
        found, known.spread(pi, not_negative("gamma", gamma)), codes.size, gamma, confidence
    )


def floored(posterior: ArrayLike, composition: ArrayLike, floor: float) -> Floored:
    """The log-lift of (1 − floor) q + floor π against π, and the range that it cannot leave.

    log floor ≤ log(q′/π) ≤ log((1 − floor)/π_min + floor)

    `posterior[s, record]` sums to one for each record, `composition` are the shares of the secrets that the rows have.
    A secret that nobody has is left out of the range and has log-lift 0.
    """
    q, pi = np.asarray(posterior, dtype=np.float64), np.asarray(composition, dtype=np.float64)
    if q.ndim != 2 or q.shape[0] != pi.size or not (q >= 0).all() or np.abs(q.sum(axis=0) - 1).max() > 1e-6:
        raise LawError(
            "posterior[s, record], a law for each record",
            f"shape {q.shape} for {pi.size} secrets, columns that are no laws",
            "divide each column by its sum",
        )
    if not 0 < share("floor", floor) < 1:
        raise EvidenceError("a posterior with a floor", f"floor = {floor}", "give a share such as 0.01")
    q = q / q.sum(axis=0)
    occurs = pi > 0
    ratio = np.ones(q.shape)
    ratio[occurs] = (1 - floor) * q[occurs] / pi[occurs, None] + floor
    high = math.log((1 - floor) / pi[occurs].min() + floor)
    return Floored(np.log(ratio), math.log(floor) - 1e-12, high + 1e-12)


def least(
    measure: str, value: float, confidence: float, of: Target, n: int, method: str, high: float | None = None
) -> Reading:
    """A lower bound as a Reading; below zero it says nothing, and is zero."""
    value = max(value, 0.0) + 0.0
    if high is None:
        high = math.inf if unit_of(measure) else 1.0
    origin = Origin("counted", LAWS[of], n, method=method)
    return Reading(
        value, unit_of(measure), measure, "lower", Interval(value, high, confidence), origin=origin
    )


def least_distance(found: float, spread: float, n: int, gamma: float, confidence: float) -> Reading:
    """The bound of E_γ, or of total variation, from what one event holds beyond γ times independence."""
    rate = -math.log(beta_of(confidence)) / n
    value = found - known.hoeffding(rate, spread)
    reading = least("total_variation", value, confidence, "composition", n, "Hoeffding")
    if gamma == 1:
        return reading
    value = max(reading.value, 1 - gamma)
    return Reading(
        value,
        unit_of("e_gamma"),
        "e_gamma",
        "lower",
        Interval(value, 1.0, confidence),
        origin=reading.origin,
        parameters={"gamma": float(gamma), "over": "mean"},
    )


def _some(rows: Array | Codes) -> np.ndarray:
    if rows.ndim != 1:
        raise AxisError(
            "one number for each person", f"shape {rows.shape}", "give the people in one dimension"
        )
    if rows.size == 0:
        raise EvidenceError("a bound from held-out people", "nobody", "hold out some rows")
    return rows
