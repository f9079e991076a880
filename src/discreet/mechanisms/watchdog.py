"""The watchdog: release what tells little as it is, and draw the rest from a law that does not depend on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design, Status
from discreet.core.errors import LawError, ParameterError
from discreet.core.frontier import Frontier
from discreet.core.joint import Joint
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes
from discreet.guarantees import LiftPrivacy, imply
from discreet.guarantees import Watchdog as Rule
from discreet.measures.arguments import not_negative
from discreet.measures.fdiv import mutual_information
from discreet.measures.pointwise import lift_privacy
from discreet.measures.reducers import extremes
from discreet.measures.tail import bounds
from discreet.mechanisms.finished import check_cells

NEARLY_ALL = float(np.nextafter(1.0, 0.0))
"""A share from which something, however rare, is flagged."""

Mask: TypeAlias = NDArray[np.bool_]


def watchdog(lift: Lift, eps: float, replacement: ArrayLike | None = None) -> Design:
    """Release x where no secret's log-lift exceeds ε, and otherwise a draw from a law on the flagged symbols.

    p(y | x) = 1{y = x} where max_s |i(s, x)| ≤ ε, else R(y),
    γ = max( max_{s, kept x} |i(s, x)|,  max_s |log (1 − P(kept | s)) / (1 − P(kept))| )

    `leakage` is the sup |log l| of what it releases, which is γ whatever R is, and often above ε: that a symbol was
    flagged tells something by itself. `trace` has γ, the share that is kept, the bound that ε and that share alone give
    (infinite from a share of e^−ε on), and which symbols are kept. `replacement[x]` is R, on flagged symbols only;
    without it their own law. A budget of 0 keeps the symbols that tell nothing. O(|S| |X| + |X|²).

    >>> design = watchdog(Joint([[.10, .05, .15, .02], [.08, .20, .10, .30]]).lift(), .5)
    >>> design.leakage, design.trace["kept"].tolist()
    (sup|log l| = 0.47 nats (exact, of this law), [False, True, False, False])

    References: paper 001, Definition 2 and Proposition 2, whose γ is loose and not always defined; equation (11).
    """
    not_negative("eps", eps)
    found, (low, high) = extremes(lift), bounds(eps)
    kept = (found.low >= low) & (found.high <= high)
    return _design(lift, eps, kept, _replacement(lift, kept, replacement))


def watchdog_frontier(lift: Lift) -> Frontier:
    """The watchdog at every ε that makes a difference, from keeping nothing to keeping all.

    γ and I(X; Y) of all of them take one sort and running sums, O(|S| |X| + |X| log |X|); a design is made when it is
    asked for.
    """
    every = _prefixes(lift)
    return Frontier(_Prefixes(lift, every), leak=every.gamma, utility=every.utility)


def watchdog_for(lift: Lift, gamma: float) -> Design:
    """The watchdog that keeps most of X among those whose release stays within γ, flags included.

    ε is chosen so that γ(ε) ≤ gamma; γ(ε) need not rise with ε, so every ε is looked at.

    >>> design = watchdog_for(Joint([[.10, .05, .15, .02], [.08, .20, .10, .30]]).lift(), .6)
    >>> float(design.leakage) <= .6, int(design.trace["kept"].sum())
    (True, 2)

    References: paper 001, Proposition 2, solved for ε.
    """
    return watchdog_frontier(lift).at(leak=not_negative("gamma", gamma))


def _replacement(lift: Lift, kept: Mask, given: ArrayLike | None) -> Array:
    flagged = ~kept
    if given is None:
        law = np.where(flagged, lift.p_y, 0.0)
        total = law.sum()
        return law / total if total > 0 else flagged / max(int(flagged.sum()), 1)
    law = np.asarray(given, dtype=np.float64)
    sums_to_one = law.shape == kept.shape and (law >= 0).all() and abs(law.sum() - 1) <= 1e-9
    if not sums_to_one or law[kept].any():
        raise LawError(
            "a replacement law on the flagged symbols",
            f"shape {law.shape}, a sum of {law.sum():.6g}, {int(np.count_nonzero(law[kept]))} kept symbols with mass"
            if law.shape == kept.shape
            else f"shape {law.shape} for {kept.size} symbols",
            "give one mass for each symbol, 0 for those that are kept, or leave it out",
        )
    return law


def _design(lift: Lift, eps: float, kept: Mask, law: Array) -> Design:
    check_cells(kept.size, kept.size)
    channel = MatrixChannel(np.where(kept[:, None], np.eye(kept.size), law), lift.axes[1])
    leakage = lift_privacy(lift.through(channel))
    utility = mutual_information(Joint(lift.p_y[:, None] * channel.p, origin=lift.origin).lift())
    share = min(float(lift.p_y[kept].sum()), 1.0 if not lift.p_y[~kept].any() else NEARLY_ALL)
    from_share = imply(Rule(eps=eps), LiftPrivacy, p_kept=share) if math.isfinite(eps) else None
    trace = {
        "eps": eps,
        "kept": kept,
        "share": share,
        "gamma": exact_gamma(lift, kept),
        "gamma_of_eps_and_share": math.inf if from_share is None else from_share.notion.eps,  # type: ignore[attr-defined]
    }
    return Design(channel, Status.CONSTRUCTED, leakage, utility, None, trace)


def exact_gamma(lift: Lift, kept: Mask) -> float:
    """γ of the watchdog that keeps these symbols, whatever the flagged ones are replaced by."""
    if not lift.p_y[kept].sum() > 0:
        return 0.0
    score = float(extremes(lift).spread()[kept].max())
    flagged = ~kept & (lift.p_y > 0)
    if not flagged.any():
        return score
    p_s = lift.p_s[lift.p_s > 0]
    of_secret = (lift.p[:, flagged].sum(axis=1))[lift.p_s > 0] / p_s
    return max(score, _flag_score(of_secret, float(lift.p_y[flagged].sum())))


def _flag_score(flagged_of_secret: Array, flagged: float) -> float:
    """max_s |log P(flagged | s) / P(flagged)|."""
    with np.errstate(divide="ignore"):
        return float(np.abs(np.log(flagged_of_secret / flagged)).max())


class _Every(NamedTuple):
    """The watchdog at every ε: the symbols in the order in which they are kept, and how many are at each ε."""

    order: Codes
    counts: Codes
    eps: Array
    gamma: Array
    utility: Array


def _prefixes(lift: Lift) -> _Every:
    if lift.origin.kind == "learned":
        raise ParameterError(
            "the watchdog at every ε",
            "a learned lift, whose columns are records",
            "choose eps: watchdog(lift, eps)",
        )
    score = extremes(lift).spread()
    order = np.argsort(score, kind="stable")
    ordered = score[order]
    last = np.flatnonzero(np.append(ordered[1:] > ordered[:-1], True))
    counts = np.concatenate([[0], last + 1])
    with_mass = lift.p_s > 0
    flagged = np.cumsum(lift.p[with_mass][:, order[::-1]], axis=1)[:, ::-1] / lift.p_s[with_mass, None]
    share = np.cumsum(lift.p_y[order[::-1]])[::-1]
    told = np.concatenate([[0.0], np.cumsum(_surprise(lift.p_y[order]))])[counts]
    eps = np.concatenate([[0.0], ordered[counts[1:] - 1]])
    gamma, utility = eps.copy(), told.copy()
    some = (counts > 0) & (counts < score.size)
    some[some] = share[counts[some]] > 0
    with np.errstate(divide="ignore"):
        by_flag = np.abs(np.log(flagged[:, counts[some]] / share[counts[some]])).max(axis=0)
    gamma[some] = np.maximum(gamma[some], by_flag)
    utility[some] += _surprise(share[counts[some]])
    return _Every(order, counts, eps, gamma, utility)


def _surprise(mass: Array) -> Array:
    """−p log p."""
    return -mass * np.log(np.where(mass > 0, mass, 1))


class _Prefixes(Sequence[Design]):
    """The designs of the frontier, made when they are asked for."""

    def __init__(self, lift: Lift, every: _Every) -> None:
        self._lift, self._every = lift, every

    def __len__(self) -> int:
        return len(self._every.counts)

    @overload
    def __getitem__(self, i: int) -> Design: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[Design]: ...
    def __getitem__(self, i: int | slice) -> Design | Sequence[Design]:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        if not -len(self) <= i < len(self):
            raise IndexError(i)
        kept = np.zeros(self._every.order.size, dtype=bool)
        kept[self._every.order[: self._every.counts[i]]] = True
        return _design(self._lift, float(self._every.eps[i]), kept, _replacement(self._lift, kept, None))
