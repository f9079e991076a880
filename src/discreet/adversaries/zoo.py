"""The attackers that are sent by default, and those that come when there is more time."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal

from discreet.adversaries import learners
from discreet.adversaries.attacker import Attacker, Student
from discreet.adversaries.coordinates import clipped, digits, ranked
from discreet.adversaries.counting import Matcher, ValueReader
from discreet.core.errors import ParameterError

Effort = Literal["quick", "full"]

SLOW_ROWS = 20_000
"""Learners whose work grows faster than the rows, or whose rows are wide, see so many."""

QUICK: tuple[Attacker, ...] = (
    Matcher(),
    ValueReader(),
    Student("logistic", learners.logistic()),
    Student("logistic, curves", learners.logistic(), side="additive"),
    Student("logistic, degree 2", learners.quadratic(), rows=SLOW_ROWS),
    Student("logistic, degree 2, clipped", learners.quadratic(), look=clipped, rows=SLOW_ROWS),
    Student("boosting", learners.boosting(), side="trees"),
    Student("boosting, small trees", learners.boosting(6, 0.1, 150), side="trees"),
    Student("boosting, digits", learners.boosting(rounds=60), look=digits, side="trees"),
    Student(
        "boosting, principal directions", learners.directions(learners.boosting(rounds=60)), rows=SLOW_ROWS
    ),
    Student("random forest", learners.forest(), side="trees"),
    Student("extra trees", learners.forest(extra=True)),
    Student("nearest neighbours", learners.neighbours(), rows=SLOW_ROWS),
    Student("kernel", learners.kernel(), rows=SLOW_ROWS),
    Student("network, 64-64", learners.perceptron()),
    Student("network, 128-64-32, ranks", learners.perceptron((128, 64, 32)), look=ranked),
)
"""Sixteen attackers of nine kinds, in six coordinates."""

FULL: tuple[Attacker, ...] = (
    *QUICK,
    Student("logistic, strong penalty", learners.logistic(100.0)),
    Student("logistic, clipped", learners.logistic(), look=clipped),
    Student("boosting, slow", learners.boosting(31, 0.03, 500), side="trees"),
    Student("boosting, stumps", learners.boosting(2, 0.1, 400), side="trees"),
    Student("boosting, large trees", learners.boosting(127, 0.05, 120, 5), side="trees"),
    Student("random forest, deep", learners.forest(300, 1), side="trees"),
    Student("random forest, shallow", learners.forest(300, 20), side="trees"),
    Student("extra trees, ranks", learners.forest(300, 5, extra=True), look=ranked),
    Student("nearest neighbours, few", learners.neighbours(5), rows=SLOW_ROWS),
    Student("nearest neighbours, ranks", learners.neighbours(), look=ranked, rows=SLOW_ROWS),
    Student("kernel, narrow", learners.kernel(1000, 0.4), rows=SLOW_ROWS),
    Student("kernel, ranks", learners.kernel(500), look=ranked, rows=SLOW_ROWS),
    Student("network, 32", learners.perceptron((32,), 1e-2, 1_500_000)),
    Student("network, 256-256, ranks", learners.perceptron((256, 256), 1e-3, 1_500_000), look=ranked),
    Student("network, 64-64-64-64, clipped", learners.perceptron((64,) * 4, 1e-3, 1_500_000), look=clipped),
)


def attackers(effort: Effort | Sequence[str | Attacker]) -> tuple[Attacker, ...]:
    """The attackers of this effort, or those named, or those given.

    >>> [a.name for a in attackers(["logistic", "kernel"])]
    ['logistic', 'kernel']
    """
    if isinstance(effort, str):
        if effort in ("quick", "full"):
            return _with_critics(FULL) if effort == "full" else QUICK
        raise ParameterError(
            'effort="quick", "full" or a list of attackers',
            f"{effort!r}",
            "for one attacker by name give a list: effort=[name]",
        )
    chosen = tuple(_named(a) if isinstance(a, str) else a for a in effort)
    names = [a.name for a in chosen]
    if not chosen or len(set(names)) != len(names):
        raise ParameterError(
            "one attacker at least, each with a name of its own",
            ", ".join(names) or "none",
            "name what comes twice differently",
        )
    return chosen


def _with_critics(zoo: tuple[Attacker, ...]) -> tuple[Attacker, ...]:
    """The same, and the game's own critics where the extra `learn` is installed."""
    from discreet.adversaries.learned import CriticAttacker, can_learn

    return (*zoo, CriticAttacker()) if can_learn() else zoo


def _named(name: str) -> Attacker:
    known = {a.name: a for a in _with_critics(FULL)}
    if name not in known:
        near = get_close_matches(name, known, 1)
        raise ParameterError(
            "an attacker of the zoo",
            f"{name!r}",
            f"did you mean {near[0]!r}?" if near else f"one of {', '.join(known)}",
        )
    return known[name]
