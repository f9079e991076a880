"""Upper bounds of what a guesser attains, and of what the release adds to his guess."""

from __future__ import annotations

import math

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.errors import AxisError, ParameterError
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.estimators.bounds import binomial, known, trivial
from discreet.estimators.bounds.held_out import (
    HeldOut,
    Table,
    Target,
    beta_of,
    counts_of,
    target,
)
from discreet.measures.decision import guessing_probability as plug_in


def guessing_probability(
    counts: Table,
    confidence: float = 0.95,
    *,
    channel: MatrixChannel | None = None,
    of: Target = "population",
) -> Reading:
    """No attacker, whatever his method, guesses the secret right more often than this.

    V(S | Y) ≤ Beta⁻¹(1 − β; K + 1, n − K),    K = Σ_y max_s N(s, y)

    Exact: the best rule is unknown but fixed, and K is at least its hits. With of="composition" it is about people
    composed like these; at K = n − 1 the limit is then 1 − β/n. With a known channel K/n is a mean over its noise: the
    hinge for the population, Ṽ + τ √(L/2) for the composition.

    >>> guessing_probability([[300, 100], [150, 450]])
    V(S|Y) = 0.7725 (upper, of the population, 0.5 to 0.7725 at 95 %, n = 1,000)
    """
    held, beta = HeldOut.of(counts, channel), beta_of(confidence)
    value, method = most_guessed(held, beta, target(of))
    floor = 1 / held.shape[0] if of == "population" else float(held.composition.max())
    return held.bound(
        "guessing_probability", value, confidence, of, method, trivial=(floor, _ceiling(held, of))
    )


def gain(
    counts: Table,
    confidence: float = 0.95,
    *,
    channel: MatrixChannel | None = None,
    design: Table | None = None,
    of: Target = "composition",
) -> Reading:
    """The release adds at most so much to anyone's best guess.

    V(S | Y) − max p(s)   ≤   the smaller of two bounds, each at half of β:
    (a) the bound of V, less max π (composition) or less a lower limit of the commonest secret's share (population);
    (b) Δ̂ + √(2a ln(2/β)/n) + ln(2/β)/(3n), Δ̂ = V(P̂) − P̂(s₀), a an upper limit of the share of those releases on which
    some secret may beat s₀ at all: much smaller for a weak leak through common symbols.

    s₀ is the commonest secret: of these people for the composition, of the `design` table for the population, which
    cannot do without one. For the composition the sign test behind (b) was checked by enumeration, not proved. With a
    known channel (a) alone, at all of β.

    >>> gain([[300, 100], [150, 450]])
    ΔC [cost=zero_one] = 0.1766 (upper, of people of this composition, 0 to 0.1766 at 95 %, n = 1,000)
    """
    held, beta = HeldOut.of(counts, channel), beta_of(confidence)
    common = _commonest(held, design, target(of))
    both = held.channel is None and held.shape[0] > 1
    share = beta / 2 if both else beta
    value, method = _less_blind(held, share, common, of)
    if both:
        other = _where_beaten(held, share, common)
        value, method = min((value, method), (other, "Bernstein where the commonest may be beaten"))
    most = (0.0, trivial.gain(held, target(of)))
    return held.bound("inference_gain", value, confidence, of, method, trivial=most, cost="zero_one")


def most_guessed(held: HeldOut, beta: float, of: Target) -> tuple[float, str]:
    """The bound of the guessing probability, and how it was found."""
    if held.channel is None:
        hits = int(held.cells.max(axis=0).sum())
        if of == "population":
            return float(binomial.upper(hits, held.n, beta)), "Clopper–Pearson"
        return binomial.upper_unlike(hits, held.n, beta), "Clopper–Pearson, people not alike"
    mean = plug_in(held.lift).value
    if of == "population":
        return binomial.upper_of_mean(mean, held.n, beta), "hinge, channel known"
    width = known.hoeffding(held.rate(beta), known.tau(held.channel))
    return mean + width, "Hoeffding, channel known"


def _ceiling(held: HeldOut, of: Target) -> float:
    """1; for people of this composition, what is left where the channel ignores its input."""
    if held.channel is None or of == "population":
        return trivial.guess()
    ignored = known.alpha(held.channel)
    return ignored * float(held.composition.max()) + 1 - ignored


def _commonest(held: HeldOut, design: Table | None, of: Target) -> int:
    if of == "composition":
        return int(held.by_s.argmax())
    if design is None:
        raise ParameterError(
            "the gain of the population",
            "no design table",
            "pass design=…, counts of the rows that the release was designed on: they fix the blind guess",
        )
    by_s = counts_of(design).n.sum(axis=1)
    if by_s.size != held.shape[0]:
        raise AxisError(
            f"a design table over the same {held.shape[0]} secrets",
            f"{by_s.size} secrets",
            "count both parts with the same alphabet of the secret",
        )
    return int(by_s.argmax())


def _less_blind(held: HeldOut, beta: float, common: int, of: Target) -> tuple[float, str]:
    """(a): what may be guessed, less what is guessed blind."""
    if of == "composition":
        value, method = most_guessed(held, beta, of)
        return value - float(held.composition.max()), method
    value, method = most_guessed(held, beta / 2, of)
    return value - float(binomial.lower(held.by_s[common], held.n, beta / 2)), f"{method}, both terms"


def _where_beaten(held: HeldOut, beta: float, common: int) -> float:
    """(b): Bernstein, with a variance that is at most the share of people whose release may speak against s₀.

    Half of β for Bernstein, a quarter for the sign tests, a quarter for the share.
    """
    open_to = may_beat(held.cells, common, beta / (4 * held.shape[1]))
    share = float(binomial.upper(int(held.cells[:, open_to].sum()), held.n, beta / 4))
    found = (int(held.cells.max(axis=0).sum()) - int(held.by_s[common])) / held.n
    log = math.log(2 / beta)
    return found + math.sqrt(2 * share * log / held.n) + log / (3 * held.n)


def may_beat(n: Array | np.ndarray, common: int, level: float) -> np.ndarray:
    """The releases on which a sign test at this level leaves it open that some secret is likelier than the commonest.

    P(Bin(N(s, y) + N(s₀, y), ½) ≥ N(s₀, y)) > level   for some s
    """
    from scipy.special import betainc

    ahead = n[common].astype(np.float64)
    others = np.delete(n, common, axis=0).max(axis=0).astype(np.float64)
    tail = betainc(np.maximum(ahead, 1), others + 1, 0.5)
    return np.asarray((ahead == 0) | (tail > level))
