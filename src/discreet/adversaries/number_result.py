"""What an attack on a number found: how much of it is explained, beside the same from the data untouched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet.adversaries.result import Attack, written
from discreet.adversaries.verdict import Verdict
from discreet.core.reading import Reading

SCHEMA = "discreet/attack-number/1"


@dataclass(frozen=True, slots=True)
class NumberTrial:
    """One table under attack: the variance that each attacker explains on held-out rows, and who was chosen."""

    best_attacker: str
    attackers: Mapping[str, Reading]
    mmse: Reading
    chance: float

    @property
    def best(self) -> Reading:
        """What the chosen attacker explains."""
        return self.attackers[self.best_attacker]


@dataclass(frozen=True, slots=True, repr=False)
class NumberAttack:
    """The result of an attack on a number.

    `best` is the share of variance that the chosen attacker explains, a lower bound on what the release tells; `mmse`
    his mean square error, an upper bound on the best one's, beside `baseline`, that of the mean. `control` is the best
    share from the data untouched. `binned` is the attack on the number's interval, one of equally frequent ones.
    """

    secret: str
    release: NumberTrial
    untouched: NumberTrial | None
    baseline: Reading
    binned: Attack
    verdicts: tuple[Verdict, ...]

    @property
    def best(self) -> Reading:
        """The share of variance explained from the release."""
        return self.release.best

    @property
    def mmse(self) -> Reading:
        """The mean square error of the best attacker."""
        return self.release.mmse

    @property
    def control(self) -> Reading | None:
        """The share explained from the data untouched."""
        return None if self.untouched is None else self.untouched.best

    @property
    def attackers(self) -> Mapping[str, Reading]:
        """The share that each attacker explains."""
        return self.release.attackers

    @property
    def verdict(self) -> Verdict:
        """The worst that can be said."""
        return self.verdicts[0]

    @property
    def passed(self) -> bool:
        """Whether the release neither collapsed nor made things worse."""
        return all(v.passed for v in self.verdicts)

    @property
    def sentence(self) -> str:
        """The result in words."""
        low, high, confidence = self.best.interval or (0.0, 1.0, 0.95)
        before = "" if self.control is None else f"; from the data untouched {100 * self.control.value:.1f} %"
        return (
            f"From the release an attacker explains {100 * self.best.value:.1f} % of the variance of {self.secret} "
            f"(interval {100 * low:.1f} to {100 * high:.1f} at {100 * confidence:g} %{before}). {self.verdict}"
        )

    def to_json(self) -> dict[str, Any]:
        """The whole result, for a file; the form is versioned."""
        untouched = self.untouched
        return {
            "schema": SCHEMA,
            "secret": self.secret,
            "rows": {"learnt": self.binned.learnt, "judged": self.binned.judged},
            "best": self.best.to_json(),
            "best_attacker": self.release.best_attacker,
            "mmse": self.mmse.to_json(),
            "baseline": self.baseline.to_json(),
            "control": None if self.control is None else self.control.to_json(),
            "control_attacker": None if untouched is None else untouched.best_attacker,
            "attackers": written(self.attackers),
            "controls": {} if untouched is None else written(untouched.attackers),
            "chance": self.release.chance,
            "binned": self.binned.to_json(),
            "verdict": self.verdict.name.lower(),
            "verdicts": [v.name.lower() for v in self.verdicts],
            "passed": self.passed,
            "sentence": self.sentence,
        }

    def __repr__(self) -> str:
        return f"NumberAttack: {self.sentence}"
