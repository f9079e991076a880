"""Attack a released file, whoever made it, with adversaries that its maker never saw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from discreet.adversaries.result import Attack as Found
from discreet.adversaries.verdict import Verdict
from discreet.core.protocols import Codes
from discreet.core.reading import Reading
from discreet.core.samples import Columns, Samples
from discreet.estimators.secrets import BINS
from discreet.workflow.intake import MOST, Facts, Names, facts_of
from discreet.workflow.pairing import Pair, paired
from discreet.workflow.result import (
    ONE_RECORD,
    ROWS_ARE_DRAWS,
    Outcome,
    Result,
    Status,
    at_most,
    in_hundred,
    made,
    secret_json,
)

if TYPE_CHECKING:
    from discreet.workflow.policy import Policy

CODE = 0.98
"""So often right, and most of the way from the baseline, an attacker has found a code for the secret."""

Effort = Literal["quick", "full"] | Sequence[str]

STATUS: dict[Verdict, Status] = {
    Verdict.COLLAPSED: "collapsed",
    Verdict.USELESS: "collapsed",
    Verdict.WORSE: "worse than before",
    Verdict.LEAKS: "leaks",
    Verdict.TOO_FEW: "fine",
    Verdict.QUIET: "fine",
}

HOW = (
    "Each attacker learned from released records; the best was chosen on such records and judged once on held-out "
    "ones. Intervals are exact (Clopper–Pearson)."
)

LOWER_BOUND = (
    "An attack is a lower bound: an attacker of another kind, or with more records, may guess better."
)


@dataclass(frozen=True, eq=False)
class Attack(Result):
    """What attackers reached: `best` beside `baseline` (no data) and `control` (the data untouched), all Readings."""

    facts: Facts
    pair: Pair
    found: Found
    limit: float | None = None
    figures: Mapping[str, Reading] | None = None
    notices: tuple[str, ...] = ()
    command: str | None = None

    @property
    def samples(self) -> Samples:
        """The released records with their secret."""
        return self.pair.secret

    @property
    def both(self) -> tuple[Samples, Samples]:
        """The records untouched, as far as the release has their columns, and as released, with their secret."""
        return tuple(
            Samples(x, self.samples.s, self.samples.axes[0], self.samples.size)
            for x in (self.pair.untouched or self.pair.release, self.pair.release)
        )  # type: ignore[return-value]

    @property
    def best(self) -> Reading:
        """How often the secret is guessed right by whoever has the release: never less than without it.

        The attacker who was chosen beforehand, or naming the commonest secret, which needs no release, where that was
        right more often.
        """
        return self.baseline if self.blind else self.found.best

    @property
    def blind(self) -> bool:
        """Whether to name the commonest secret, without the release, was right more often than the best attacker."""
        return self.baseline.value > self.found.best.value

    @property
    def baseline(self) -> Reading:
        """How often the commonest secret is right, without any data."""
        return self.found.baseline

    @property
    def control(self) -> Reading | None:
        """How often the secret is guessed right from the data untouched; None without them."""
        return self.found.control

    @property
    def attackers(self) -> Mapping[str, Reading]:
        """Each attacker's hit rate."""
        return self.found.attackers

    @property
    def verdict(self) -> Outcome:
        """How it ended: over the limit, collapsed, worse than before, a leak, or fine."""
        worst = self.found.verdict
        if worst.passed and self.limit is not None and self.high > self.limit:
            reached, limit = at_most(self.high), at_most(self.limit)
            words = f"The best attacker is right up to {reached} times in 100, over the limit of {limit}."
            return Outcome("over the limit", words)
        return Outcome(STATUS[worst], str(worst))

    @property
    def high(self) -> float:
        """The upper end of the best attacker's interval: what a limit is held against."""
        return self.best.value if self.best.interval is None else self.best.interval.high

    @property
    def code(self) -> tuple[str, ...]:
        """That the release holds a code for the secret, where it does: what tools that only cut correlations leave."""
        low = self.best.value if self.best.interval is None else self.best.interval.low
        if low < CODE or low < (1 + self.baseline.value) / 2:
            return ()
        words = (
            f"The release holds a code for `{self.found.secret}`: {self.found.best_attacker} reads it off almost "
            "without error. Columns from which only correlation was removed keep such a code in their residuals."
        )
        return (words,)

    @property
    def headline(self) -> str:
        """The result in a sentence; a verdict that stops a release comes first."""
        low, high, confidence = self.best.interval or (
            self.best.value,
            self.best.value,
            self.found.confidence,
        )
        interval = f"interval {100 * low:.1f}–{100 * high:.1f} at {100 * confidence:g} %"
        told = f"{self._told()}; {interval})."
        outcome = self.verdict
        return f"{outcome.words} {told}" if outcome.exit else f"{told} {outcome.words}"

    def _told(self) -> str:
        """Who guesses how well; what it is without the release and from the data untouched stands in brackets."""
        name, times, many = self.found.secret, in_hundred(self.best.value), len(self.attackers)
        before = "" if self.control is None else f"{in_hundred(self.control.value)} from the data untouched"
        if self.blind:
            return (
                f"None of {many} attackers guesses `{name}` better from the release than by naming its commonest "
                f"value, which is right {times} times in 100 ({before or 'without any data'}"
            )
        without = f"{in_hundred(self.baseline.value)} without it"
        return (
            f"The best of {many} attackers guesses `{name}` right {times} times in 100 from the release "
            f"({', '.join(filter(None, (without, before)))}"
        )

    def to_json(self) -> dict[str, Any]:
        """discreet/attack/1."""
        readings = {"best": self.best, "baseline": self.baseline, "control": self.control}
        return {
            "schema": "discreet/attack/1",
            "headline": self.headline,
            "verdict": self.verdict.to_json(),
            "made": made(self.command),
            "secret": secret_json(self.samples.axes[0], self.samples.shares, self.samples.n),
            "warnings": [*self.code, *self.notices, *(str(v) for v in self.found.verdicts[1:])],
            "assumptions": [ROWS_ARE_DRAWS, ONE_RECORD, LOWER_BOUND],
            "source": self.facts.to_json(),
            **{name: None if r is None else r.to_json() for name, r in readings.items()},
            "attackers": _written(self.attackers),
            "controls": _written(self.found.controls),
            "figures": _written({**self.found.figures, **(self.figures or {})}),
            "strongest": self.found.best_attacker,
            "held_out": self.found.judged,
            "method": {
                "estimator": "attackers",
                "candidates": [],
                "records": self.found.learnt,
                "held_out": self.found.judged,
                "folds": None,
                "shuffles": None,
                "notes": [HOW],
            },
        }

    def __repr__(self) -> str:
        return f"Attack: {self.headline}"


def attack(
    release: Any,
    *,
    truth: Any,
    private: Names,
    id: str | None = None,  # noqa: A002
    policy: Policy | str | Path | None = None,
    held_out: Codes | float = 0.3,
    effort: Effort = "quick",
    limit: float | None = None,
    most: int = MOST,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    command: str | None = None,
) -> Attack:
    """Attack any released table: what its columns tell about a private column of the records that it was made from.

    `truth` are those records, with the private column; rows are in the same order, or a column `id` of both says which
    belong together. With the `policy` the attackers also release the records again, as often as they like (white box).
    `held_out` are positions of rows that the design never saw, or a share. `limit` is the most that the best guess may
    be right; it is held against the upper end of its interval. Several private columns are attacked as one.
    """
    from discreet.tables.source import open_source

    rng = np.random.default_rng(0) if rng is None else rng
    given, known = open_source(release), open_source(truth)
    pair = paired(given, known, private=private, id=id, most=most, rng=rng)
    how = {
        "untouched": pair.untouched,
        "redraw": None if policy is None else redrawing(policy, pair),
        "held_out": held_out if isinstance(held_out, float) else pair.among(held_out),
        "effort": effort,
        "confidence": confidence,
        "rng": rng,
    }
    found, figures = _on_number(pair, how) if pair.numbers is not None else (_on_labels(pair, how), {})
    return Attack(facts_of(given, pair.rows), pair, found, limit, figures, pair.notices, command)


def _on_labels(pair: Pair, how: dict[str, Any]) -> Found:
    from discreet.adversaries import attack as attacked

    secret = pair.secret
    return cast(Found, attacked(Samples(pair.release, secret.s, secret.axes[0], secret.size), **how))


def _on_number(pair: Pair, how: dict[str, Any]) -> tuple[Found, dict[str, Reading]]:
    """A secret that is a number: its range is guessed, and how closely it is estimated is told beside."""
    from discreet.adversaries import attack_number

    name = pair.secret.axes[0].name
    found = attack_number(pair.release, pair.numbers, name=name, bins=BINS, **how)
    return found.binned, {"r_squared": found.best, "mmse": found.mmse}


def redrawing(policy: Policy | str | Path, pair: Pair) -> Callable[[Columns, np.random.Generator], Columns]:
    """The mechanism itself, run again on the sampled records under a key for experiments."""
    from discreet.estimators import columns_of
    from discreet.tables.keystream import Key
    from discreet.workflow.apply import applied
    from discreet.workflow.policy import Policy, load

    held = policy if isinstance(policy, Policy) else load(policy)

    def again(_: Columns, rng: np.random.Generator) -> Columns:
        key = Key.of_seed(int(rng.integers(2**62)))
        return cast(Columns, columns_of(applied(held, pair.table, key=key).out))

    return again


def _written(readings: Mapping[str, Reading]) -> dict[str, Any]:
    return {name: reading.to_json() for name, reading in readings.items()}
