"""An attack on a secret that is a number: how closely it is estimated, and how often its interval is guessed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from discreet.adversaries import explained
from discreet.adversaries.attacker import Attacker
from discreet.adversaries.campaign import Redraw, attack, releases
from discreet.adversaries.desk import Desk
from discreet.adversaries.number_result import NumberAttack, NumberTrial
from discreet.adversaries.regressors import NUMBER_ZOO, NumberStudent
from discreet.adversaries.result import Attack
from discreet.adversaries.rows import Division, choosing_rows, divided
from discreet.adversaries.stacking import stacked
from discreet.adversaries.trial import COMMITTEE, origin_of, quiet
from discreet.adversaries.verdict import Verdict
from discreet.adversaries.zoo import Effort
from discreet.core.axis import Axis
from discreet.core.errors import AxisError, EvidenceError
from discreet.core.protocols import Array, Codes
from discreet.core.samples import Columns, Samples
from discreet.estimators.secrets import quantile_bins
from discreet.estimators.threads import alone

TAIL = 0.005
"""Numbers beyond this share of those learnt from, on either side, count as the last within."""


def attack_number(
    release: Columns,
    numbers: ArrayLike,
    *,
    name: str = "s",
    untouched: Columns | None = None,
    redraw: Redraw | None = None,
    held_out: float | ArrayLike = 0.3,
    bins: int = 4,
    effort: Effort | Sequence[str | Attacker] = "quick",
    students: Sequence[NumberStudent] = NUMBER_ZOO,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> NumberAttack:
    """How closely a number is estimated from a release, by attackers whom its design never saw.

    R²(S | Y) ≥ 1 − E (S − v̂(Y))² / Var S,   v̂ learnt from released rows, E over others

    Rows without the number are left out. Numbers beyond the half per cent of either end count as the last within, so
    that the interval holds for any law. `students` estimate the number; `effort` is that of the attack on its interval,
    one of `bins` equally frequent ones; the rest as in attack.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(600, 2))
    >>> found = attack_number(
    ...     Columns.of_array(x), x @ [1, 1], effort=["logistic"], students=NUMBER_ZOO[:1], rng=rng
    ... )
    >>> found.best.value > .99, found.verdict.name
    (True, 'LEAKS')
    """
    values = np.asarray(numbers, dtype=np.float64)
    known = _known(release, values)
    release, values = release.take(known), values[known]
    rng_rows, rng_fresh, rng_own, rng_control, rng_binned = rng.spawn(5)
    fresh = [columns.take(known) for columns in releases(redraw, untouched, effort, rng_fresh)]
    before = None if untouched is None else untouched.take(known)
    codes, axis = quantile_bins(values, bins)
    secret = Samples(release, codes, Axis(name, axis.labels, axis.values))
    division = divided(secret, _among(held_out, known), rng=rng_rows)
    low, high = np.quantile(values[division.learnt], [TAIL, 1 - TAIL])
    held = np.clip(values, low, high)
    trial = _tried(students, [release, *fresh], secret, held, division, confidence, rng_own)
    control = (
        None
        if before is None
        else _tried(students, [before], secret, held, division, confidence, rng_control)
    )
    binned = attack(
        secret,
        untouched=before,
        redraw=None if redraw is None else lambda *_: fresh.pop(),
        held_out=division.judging,
        effort=effort,
        confidence=confidence,
        rng=rng_binned,
    )
    blind = (held[division.judging] - held[division.learnt].mean()) ** 2
    baseline = explained.mean_error(
        blind, np.ptp(held) ** 2, origin_of("the mean, no data", division), confidence
    )
    return NumberAttack(
        name, trial, control, baseline, binned, _verdicts(trial, control, binned, 1 - confidence)
    )


def _tried(
    students: Sequence[NumberStudent],
    tables: Sequence[Columns],
    secret: Samples,
    numbers: Array,
    division: Division,
    confidence: float,
    rng: np.random.Generator,
) -> NumberTrial:
    """Send the attackers at the first table; the others are fresh releases of the same rows."""
    heard = _heard(students, tables, secret, numbers, division, rng)
    own = numbers[choosing_rows(division)]
    lost = {name: float(((parts[0] - own) ** 2).mean()) for name, parts in heard.items()}
    three = sorted(lost, key=lost.__getitem__)[:3]
    heard[COMMITTEE] = [np.mean([heard[name][k] for name in three], axis=0) for k in (0, 1)]
    lost[COMMITTEE] = float(((heard[COMMITTEE][0] - own) ** 2).mean())
    best = min(lost, key=lost.__getitem__)
    judging, spread = numbers[division.judging], float(np.ptp(numbers)) ** 2
    blind = (judging - numbers[division.learnt].mean()) ** 2
    errors = {name: (parts[1] - judging) ** 2 for name, parts in heard.items()}
    found = {
        name: explained.r_squared(own, blind, spread, origin_of(name, division), confidence)
        for name, own in errors.items()
    }
    mmse = explained.mean_error(errors[best], spread, origin_of(best, division), confidence)
    return NumberTrial(best, found, mmse, explained.chance(heard[best][1], judging, rng=rng))


def _heard(
    students: Sequence[NumberStudent],
    tables: Sequence[Columns],
    secret: Samples,
    numbers: Array,
    division: Division,
    rng: np.random.Generator,
) -> dict[str, list[Array]]:
    """What each attacker estimates: of the rows to choose on, and of those that judge."""
    turns = [*division.turns, (division.learnt, division.judging)]
    low, high = float(numbers.min()), float(numbers.max())
    found: dict[str, list[Array]] = {student.name: [] for student in students}
    with quiet(), alone():
        for (fit, asked), stream in zip(turns, rng.spawn(len(turns)), strict=True):
            x = stacked([table.take(fit) for table in tables])
            columns = tables[0].take(asked)
            known = Samples(x, np.tile(secret.s[fit], len(tables)), secret.axes[0])
            desk = Desk(known, stream, columns)
            targets = np.tile(numbers[fit], len(tables))
            for student in students:
                told = student.learn(desk, targets, rng=stream.spawn(1)[0])(columns)
                found[student.name].append(np.clip(np.nan_to_num(told), low, high))
    return {name: [np.concatenate(parts[:-1]), parts[-1]] for name, parts in found.items()}


def _verdicts(
    trial: NumberTrial, control: NumberTrial | None, binned: Attack, level: float
) -> tuple[Verdict, ...]:
    """Those of the attack on the interval, and what the estimates add; each test at half the level."""
    leaks = min(trial.chance, binned.release.chance) <= level / 2
    here, there = trial.best.interval, None if control is None else control.best.interval
    worse = here is not None and there is not None and here.low > there.high
    found = set(binned.verdicts) - {Verdict.LEAKS, Verdict.QUIET}
    if worse:
        found.add(Verdict.WORSE)
    if leaks:
        found = {*found, Verdict.LEAKS} - {Verdict.TOO_FEW}
    elif Verdict.TOO_FEW not in found:
        found.add(Verdict.QUIET)
    return tuple(v for v in Verdict if v in found)


def _known(release: Columns, values: Array) -> Codes:
    if values.shape != (release.n,):
        raise AxisError(
            "a number for each released record",
            f"{values.size} numbers, {release.n} records",
            "give both in the same order",
        )
    known = np.flatnonzero(np.isfinite(values))
    if not known.size:
        raise EvidenceError("a secret with numbers in it", "only missing ones", "choose another column")
    return known


def _among(held_out: float | ArrayLike, known: Codes) -> float | Codes:
    """The rows that judge, counted among those with a number."""
    given = np.asarray(held_out)
    if given.ndim == 0:
        return float(given)
    rows = np.flatnonzero(given) if given.dtype == bool else given
    return np.flatnonzero(np.isin(known, rows))
