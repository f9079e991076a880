"""Lower bounds from two tables: the design rows fix the attacker, the held-out rows show what he reaches."""

from __future__ import annotations

import math

import numpy as np

from discreet.core.errors import AxisError
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Reading
from discreet.estimators.bounds import known, trivial
from discreet.estimators.bounds.held_out import HeldOut, Table, beta_of, counts_of
from discreet.estimators.bounds.lower.rows import least, least_distance, of_count, shortfall
from discreet.measures.arguments import not_negative
from discreet.measures.decision import guessing_probability as plug_in


def guessing_probability(held_out: Table, design: Table, confidence: float = 0.95) -> Reading:
    """An attacker who learned his rule on the design rows is right at least this often.

    V(S | Y) ≥ a lower limit of the share of hits of h(y) = argmax_s N_design(s, y)

    Exact, of the population. A release that the design never saw is answered by its commonest secret.

    >>> guessing_probability([[300, 100], [150, 450]], [[30, 10], [15, 45]])
    V(S|Y) = 0.7264 (lower, of the population, 0.7264 to 1 at 95 %, n = 1,000)
    """
    held, learned = _pair(held_out, design)
    rule = np.where(learned.sum(axis=0) > 0, learned.argmax(axis=0), learned.sum(axis=1).argmax())
    hits = int(held.cells[rule, np.arange(rule.size)].sum())
    return of_count(hits, held.n, confidence)


def plug_in_guessing(counts: Table, confidence: float = 0.95) -> Reading:
    """The best attacker is right at least this often, from one table and without a design: for few symbols only.

    V ≥ V(P̂) − √((m ln k + ln(1/β)) / (2n))

    >>> plug_in_guessing([[300, 100], [150, 450]])
    V(S|Y) = 0.7032 (lower, of the population, 0.7032 to 1 at 95 %, n = 1,000)
    """
    held, beta = HeldOut.of(counts), beta_of(confidence)
    k, m = held.shape
    value = plug_in(held.lift).value - math.sqrt((m * math.log(k) - math.log(beta)) / (2 * held.n))
    return least(
        "guessing_probability", value, confidence, "population", held.n, "plug-in less a union over rules"
    )


def mutual_information(held_out: Table, design: Table, confidence: float = 0.95) -> Reading:
    """The release tells at least so many nats: the mean log-lift of the design's posterior.

    q(s | y) = (N_design(s, y) + k π(s)) / (N_design(y) + k);   the bound is `of_log_lift`, of the table's cells

    About people composed like the held-out ones; π are their shares.

    >>> mutual_information([[300, 100], [150, 450]], [[300, 100], [150, 450]])
    I(S;Y) = 0.07457 nats (lower, of people of this composition, 0.07457 to 0.673 at 95 %, n = 1,000)
    """
    held, learned = _pair(held_out, design)
    occurs = held.by_s > 0
    told = np.log(_posterior(learned, held.composition)[occurs] / held.composition[occurs, None])
    n, weight, value = held.n, held.cells[occurs] / held.n, 0.0
    if n > 1:
        mean = float((weight * told).sum())
        variance = float((weight * (told - mean) ** 2).sum()) * n / (n - 1)
        value = mean - shortfall(variance, float(np.ptp(told)), n, confidence)
    most = trivial.information(held, "composition")
    return least("mutual_information", value, confidence, "composition", n, "empirical Bernstein", most)


def total_variation(held_out: Table, design: Table, confidence: float = 0.95) -> Reading:
    """An event, chosen on the design rows, that shows at least so much total variation: E_γ at γ = 1.

    >>> total_variation([[300, 100], [150, 450]], [[30, 10], [15, 45]])
    TV = 0.2021 (lower, of people of this composition, 0.2021 to 1 at 95 %, n = 1,000)
    """
    return e_gamma(held_out, design, 1.0, confidence)


def e_gamma(held_out: Table, design: Table, gamma: float, confidence: float = 0.95) -> Reading:
    """An event, chosen on the design rows, that holds at least so much beyond γ times what independence gives it.

    E_γ ≥ P̂(B) − γ (π × P̂_Y)(B) − √(L/2) √(Σ π r²),   r(s) the range over y of 1_B(s, y) − γ π(B_y)

    B is where the design's smoothed lift exceeds γ. About people composed like the held-out ones.

    >>> e_gamma([[300, 100], [150, 450]], [[30, 10], [15, 45]], 1.5)
    E_γ [gamma=1.5, over=mean] = 0.009521 (lower, of people of this composition, 0.009521 to 1 at 95 %, n = 1,000)
    """
    held, learned = _pair(held_out, design)
    not_negative("gamma", gamma)
    pi = held.composition
    inside = _posterior(learned, pi) > gamma * pi[:, None]
    expected = pi @ inside
    found = float((held.cells * inside).sum() - gamma * (held.cells @ expected).sum()) / held.n
    told = inside - gamma * expected
    spread = math.sqrt(float(pi @ np.ptp(told, axis=1) ** 2))
    return least_distance(found, min(spread, known.spread(pi, gamma)), held.n, gamma, confidence)


def _posterior(learned: Codes, composition: Array) -> Array:
    """The design's posterior with the held-out composition for a prior, worth |S| rows."""
    k = composition.size
    return np.asarray((learned + k * composition[:, None]) / (learned.sum(axis=0) + k))


def _pair(held_out: Table, design: Table) -> tuple[HeldOut, Codes]:
    held, learned = HeldOut.of(held_out), counts_of(design).n
    if held.shape != learned.shape:
        raise AxisError(
            "design and held-out rows counted over the same symbols",
            f"tables of shape {learned.shape} and {held.shape}",
            "count both with the same alphabets",
        )
    return held, learned
