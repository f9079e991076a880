"""Cross-fitting: every record is judged by predictors that have not seen it, and all of them predict together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import EvidenceError
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Origin
from discreet.core.samples import Columns, Samples
from discreet.estimators.families.family import Family, Predictor, centred
from discreet.estimators.fitted import Fitted, Score, lift_of, shared
from discreet.estimators.matrices.few import read_as_levels
from discreet.estimators.matrices.views import Seen, Views
from discreet.estimators.parts import folds_of, some_of
from discreet.estimators.threads import alone
from discreet.estimators.weights import Mixture, log_loss

LEAST = 30
"""Fewer records than this teach nothing that could be judged."""

MOST_SECRETS = 300
MOST_ROWS = 60_000
"""Beyond so many records, a random sample of them is learned from."""

FOLDS, FOLDS_OF_MANY, MANY = 5, 3, 8000
SCARCE, PLENTY = 500, 30_000
"""More folds also for more records, up to PLENTY, where the rarest secret has fewer than SCARCE of them."""


@dataclass(frozen=True, slots=True)
class _Machine:
    """What was learned from all folds but one."""

    views: Views
    members: dict[str, Predictor]

    def read(self, seen: Seen, which: NDArray[np.bool_] | None = None) -> Array:
        """Log-ratios of these members, or of all."""
        chosen = [m for k, m in enumerate(self.members.values()) if which is None or which[k]]
        return np.stack([centred(member.log_ratio(seen)) for member in chosen])


def learn(
    samples: Samples,
    families: Sequence[Family],
    *,
    method: str,
    rng: np.random.Generator,
    folds: int | None = None,
    most_rows: int = MOST_ROWS,
) -> Fitted:
    """A calibrated mixture of these families, cross-fitted on these records."""
    check(samples)
    rows = some_of(samples.n, most_rows, rng)
    taken = samples.take(rows)
    occurs = np.flatnonzero(taken.counts)
    if occurs.size == 1:
        return nothing_to_tell(taken, method, rows)
    own = Samples(taken.x, np.searchsorted(occurs, taken.s), "s", occurs.size)
    with alone():
        found = _crossfit(own, families, folds or _folds(own), rng)
        made = _assembled(taken, own, occurs, found, method, rows, rng)
    if rows.size == samples.n:
        return made
    return replace(made, choice=f"{made.choice}; from a random {rows.size:,} of {samples.n:,} records")


def _folds(own: Samples) -> int:
    scarce = own.counts.min() < SCARCE and own.n <= PLENTY
    return FOLDS if own.n <= MANY or scarce else FOLDS_OF_MANY


@dataclass(frozen=True, slots=True)
class _Found:
    machines: list[_Machine]
    z: Array
    fold: Codes


def _crossfit(own: Samples, families: Sequence[Family], folds: int, rng: np.random.Generator) -> _Found:
    fold = folds_of(own, folds, rng)
    as_levels = read_as_levels(own, rng)
    suited: list[Family] | None = None
    machines: list[_Machine] = []
    z = np.zeros((0, 0, 0))
    for k in range(folds):
        rest, here = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        training = own.take(rest)
        views, seen = Views.fit(training, rng, as_levels)
        if suited is None:
            suited = [family for family in families if family.suits(seen, own.size)]
        members: dict[str, Predictor] = {}
        for family in suited:
            members |= family.fit(seen, training.s, own.size, rng)
        machines.append(_Machine(views, members))
        if not z.size:
            z = np.zeros((len(members), own.n, own.size))
        if members and here.size:
            z[:, here] = machines[k].read(views.see(own.x.take(here)))
    return _Found(machines, z, fold)


def _assembled(
    taken: Samples,
    own: Samples,
    occurs: Codes,
    found: _Found,
    method: str,
    rows: Codes,
    rng: np.random.Generator,
) -> Fitted:
    """Weights for the predictors, and for each fold's records weights that the fold had no part in."""
    p_s, floor = taken.shares, 1 / (own.n + 1)
    base = np.log(own.shares)
    whole = Mixture.fit(found.z, own.s, rng)
    apart = np.empty((own.n, own.size))
    for k in range(len(found.machines)):
        here = found.fold == k
        part = Mixture.fit(found.z[:, ~here], own.s[~here], rng)
        apart[here] = part.log_posterior(found.z[:, here], base)
    held = _widened(shared(apart, own.shares, floor), occurs, p_s.size)
    machines, counts = found.machines, whole.weight > 0
    kept = Mixture(whole.weight[counts], whole.shift)

    def read(x: Columns) -> Array:
        z = np.zeros((0, x.n, own.size))
        if counts.any():
            z = np.mean([machine.read(machine.views.see(x), counts) for machine in machines], axis=0)
        return _widened(shared(kept.log_posterior(z, base), own.shares, floor), occurs, p_s.size)

    scores = _scores(found, whole, own)
    how = f"{method}, {len(found.machines)} folds"
    origin = Origin("learned", "the population", n=own.n, clip=None, method=how)
    out = lift_of(held, p_s, taken.axes, origin)
    origin = replace(origin, defect=out.defect)
    return Fitted(
        axes=taken.axes,
        p_s=p_s,
        origin=origin,
        held_out=Lift(out.log_lift, p_s, out.p_y, taken.axes, origin),
        scores=scores,
        choice=_choice(scores, len(machines), log_loss(held, taken.s), _entropy(p_s)),
        rows=rows,
        names=own.x.names,
        read=read,
    )


def _scores(found: _Found, whole: Mixture, own: Samples) -> tuple[Score, ...]:
    base = np.log(own.shares)
    made = []
    for k, name in enumerate(found.machines[0].members):
        alone = Mixture(np.ones(1), np.zeros(own.size)).log_posterior(found.z[[k]], base)
        made.append(Score(name, log_loss(alone, own.s), float(whole.weight[k])))
    return tuple(sorted(made, key=lambda score: score.log_loss))


def _choice(scores: tuple[Score, ...], folds: int, reached: float, blind: float) -> str:
    heavy = [s for s in sorted(scores, key=lambda s: -s.weight) if s.weight > 0.02]
    members = ", ".join(f"{s.weight:.2f} of {s.name}" for s in heavy[:4]) or "nothing but the shares"
    more = f" and {len(heavy) - 4} more" if len(heavy) > 4 else ""
    return (
        f"{members}{more}; weights by log-loss on unseen records, {folds} folds; "
        f"{reached:.4f} nats are left of {blind:.4f}"
    )


def _entropy(p_s: Array) -> float:
    return -float(np.sum(p_s * np.log(np.where(p_s > 0, p_s, 1))))


def _widened(log_posterior: Array, occurs: Codes, size: int) -> Array:
    if occurs.size == size:
        return log_posterior
    wide = np.full((len(log_posterior), size), -np.inf)
    wide[:, occurs] = log_posterior
    return wide


CERTAIN = "every record has the same secret, so that there is nothing to tell"


def nothing_to_tell(taken: Samples, method: str, rows: Codes, why: str = CERTAIN) -> Fitted:
    """Whatever the record, the secret has its shares; where there is one secret only, it is certain all the time."""
    p_s = taken.shares
    origin = Origin("learned", "the population", n=taken.n, defect=0.0, method=method)
    with np.errstate(divide="ignore"):
        certain = np.log(p_s)
    read: Callable[[Columns], Array] = lambda x: np.tile(certain, (x.n, 1))  # noqa: E731
    held = lift_of(np.tile(certain, (taken.n, 1)), p_s, taken.axes, origin)
    return Fitted(taken.axes, p_s, origin, held, (), why, rows, taken.x.names, read)


def check(samples: Samples) -> None:
    """Refuse what nothing can be learned from."""
    if samples.n < LEAST:
        raise EvidenceError(
            f"a lift learned from {LEAST} records or more",
            f"{samples.n} records: not enough data to learn from and to judge by",
            "bring more records; for a small table the counts are exact: Counts(n).joint().lift()",
        )
    occurring = int(np.count_nonzero(samples.counts))
    if occurring > MOST_SECRETS:
        raise EvidenceError(
            f"a secret of at most {MOST_SECRETS} values",
            f"{occurring:,} values among {samples.n:,} records",
            "group the values: places by region, days by year, rare ones as one; a number is cut into ranges",
        )
