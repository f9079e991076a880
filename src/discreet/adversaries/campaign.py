"""An attack on any released table, whoever made it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from discreet.adversaries import figures
from discreet.adversaries.attacker import Attacker
from discreet.adversaries.figures import Hits
from discreet.adversaries.remains import Collapse, collapse
from discreet.adversaries.result import Attack, Trial
from discreet.adversaries.rows import Division, divided
from discreet.adversaries.stacking import stacked
from discreet.adversaries.trial import judged, sent
from discreet.adversaries.verdict import Verdict
from discreet.adversaries.zoo import Effort, attackers
from discreet.core.errors import AxisError, ParameterError
from discreet.core.protocols import Codes
from discreet.core.reading import Origin, Reading
from discreet.core.samples import Columns, Samples

Redraw: TypeAlias = Callable[[Columns, np.random.Generator], Columns]
"""Releases all the records again, with fresh randomness."""

REDRAWN = {"quick": 1, "full": 3}
"""How many fresh releases of the rows to learn from an attacker sees beside the one that is out."""

ENOUGH = 30
"""With fewer rows on either side, the absence of a leak says nothing."""


def attack(
    release: Samples,
    *,
    untouched: Columns | Samples | None = None,
    redraw: Redraw | None = None,
    held_out: float | ArrayLike = 0.3,
    effort: Effort | Sequence[str | Attacker] = "quick",
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> Attack:
    """How well the secret is guessed from a release, by attackers whom its design never saw.

    V(S | Y) ≥ P(ŝ(Y) = S),   ŝ learnt from released rows, P measured on others

    Each attacker learns from released rows with their secrets, the best is chosen on such rows, and the held-out ones
    judge him once: give in `held_out` the rows that the design never saw, or a share to be drawn. Release, secrets and
    untouched data are in one order. With `untouched`, the same attackers attack the data as it was: the control. With
    `redraw(untouched, rng)`, which runs the mechanism again on all the records, they also learn from fresh releases.

    Only ever a lower bound: what no attacker exceeds is another theorem. The baseline is the commonest secret. Time and
    memory are linear in the rows up to 80,000 learnt from and 50,000 that judge; beyond, rows are drawn evenly.

    >>> rng = np.random.default_rng(0)
    >>> s = rng.integers(0, 2, 400)
    >>> found = attack(Samples(Columns.of_array(s + .1), s), effort=["logistic"], rng=rng)
    >>> found.best.value, found.verdict.name
    (1.0, 'LEAKS')
    """
    zoo = attackers(effort)
    if not 0 < confidence < 1:
        raise ParameterError("a confidence between 0 and 1", f"{confidence}", "give confidence=.95")
    before = untouched.x if isinstance(untouched, Samples) else untouched
    _same_rows(release, before)
    rng_rows, rng_fresh, rng_release, rng_control, rng_chance = rng.spawn(5)
    division = divided(release, held_out, rng=rng_rows)
    fresh = releases(redraw, before, effort, rng_fresh)
    trial, hit = tried(zoo, release, fresh, division, confidence, rng_release, rng_chance)
    control, worse = None, False
    if before is not None:
        plain = Samples(before, release.s, release.axes[0], release.size)
        control, hit_before = tried(zoo, plain, [], division, confidence, rng_control, rng_chance)
        worse = _worse(hit[trial.best_attacker], hit_before, trial, control, 1 - confidence)
    fallen = collapse(release.x, before)
    return Attack(
        secret=release.axes[0].name,
        learnt=division.learnt.size,
        judged=division.judging.size,
        release=trial,
        untouched=control,
        baseline=_baseline(release, division, confidence),
        collapse=fallen,
        verdicts=_verdicts(trial, fallen, worse, division, 1 - confidence),
        confidence=confidence,
    )


def releases(
    redraw: Redraw | None,
    before: Columns | None,
    effort: Effort | Sequence[str | Attacker],
    rng: np.random.Generator,
) -> list[Columns]:
    """Fresh releases of all the records, as many as the effort allows; none without a mechanism to run."""
    if redraw is None:
        return []
    if before is None:
        raise ParameterError(
            "records to release again",
            "redraw without untouched",
            "give untouched=…, from which redraw makes releases",
        )
    return [redraw(before, rng) for _ in range(REDRAWN.get(str(effort), 1))]


def tried(
    zoo: Sequence[Attacker],
    samples: Samples,
    fresh: Sequence[Columns],
    division: Division,
    confidence: float,
    rng: np.random.Generator,
    rng_chance: np.random.Generator,
) -> tuple[Trial, dict[str, Hits]]:
    """Send attackers at a table and its fresh releases: the trial, and each one's hits on the rows that judge."""

    def learnt(rows: Codes) -> Samples:
        parts = [samples.x.take(rows), *(columns.take(rows) for columns in fresh)]
        return Samples(stacked(parts), np.tile(samples.s[rows], len(parts)), samples.axes[0], samples.size)

    heard = sent(zoo, samples, learnt, division, rng=rng)
    return judged(heard, samples, division, confidence, rng=rng_chance)


def _baseline(samples: Samples, division: Division, confidence: float) -> Reading:
    """The secret that is commonest where one learns, guessed of everybody."""
    blind = samples.take(division.learnt).counts.argmax()
    origin = Origin(
        "learned", "the population", n=division.judging.size, method="the commonest secret, no data"
    )
    return figures.hit_rate(samples.s[division.judging] == blind, origin, confidence)


def _worse(hit: Hits, before: dict[str, Hits], trial: Trial, control: Trial, level: float) -> bool:
    """Whether the release is beyond doubt attacked better than the untouched data, by any attacker of the two.

    Its best attacker must beat every one of the control by the sign test on the same rows, at half the level; or the
    balanced guess must lie above the control's, interval from interval.
    """
    by_hits = all(figures.overtakes(hit, other) <= level / 2 for other in before.values())
    here, there = trial.figures["balanced_guess"].interval, control.figures["balanced_guess"].interval
    return by_hits or (here is not None and there is not None and here.low > there.high)


def _verdicts(
    trial: Trial, fallen: Collapse, worse: bool, division: Division, level: float
) -> tuple[Verdict, ...]:
    leaks = trial.chance <= level
    few = min(division.learnt.size, division.judging.size) < ENOUGH
    applies = {
        Verdict.COLLAPSED: fallen.collapsed,
        Verdict.WORSE: worse,
        Verdict.USELESS: fallen.useless,
        Verdict.LEAKS: leaks,
        Verdict.TOO_FEW: few and not leaks,
        Verdict.QUIET: not leaks and not few,
    }
    return tuple(verdict for verdict, holds in applies.items() if holds)


def _same_rows(release: Samples, before: Columns | None) -> None:
    if before is not None and before.n != release.n:
        raise AxisError(
            "the untouched records of the release, row by row",
            f"{before.n:,} untouched records, {release.n:,} released",
            "give both in the same order, without rows that only one of them has",
        )
