"""What an attack found: the best attacker, beside what is guessed without the data and from the data untouched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet.adversaries.remains import Collapse
from discreet.adversaries.verdict import Verdict
from discreet.core.reading import Reading

SCHEMA = "discreet/attack/1"


@dataclass(frozen=True, slots=True)
class Trial:
    """One table under attack: every attacker's hit rate on held-out rows, and who was chosen beforehand.

    `figures` are "gain", "auc" and "balanced_guess", each of the attacker that was chosen for it. `chance` says how
    often secrets dealt out anew would be told so well.
    """

    best_attacker: str
    attackers: Mapping[str, Reading]
    figures: Mapping[str, Reading]
    chosen: Mapping[str, str]
    chance: float

    @property
    def best(self) -> Reading:
        """The hit rate of the attacker that was chosen."""
        return self.attackers[self.best_attacker]


@dataclass(frozen=True, slots=True, repr=False)
class Attack:
    """The result of an attack on a release. Every Reading is a lower bound on what the release tells.

    The attacker behind `best` was chosen on rows to learn from, and judged once on held-out ones, so that its interval
    needs no correction for the number of attackers. `baseline` is the commonest secret, guessed without any data, and
    `control` the best attack on the data untouched, None without it. `verdicts` holds all that apply, the worst first.
    """

    secret: str
    learnt: int
    judged: int
    release: Trial
    untouched: Trial | None
    baseline: Reading
    collapse: Collapse
    verdicts: tuple[Verdict, ...]
    confidence: float

    @property
    def best(self) -> Reading:
        """How often the best attacker guesses the secret right from the release."""
        return self.release.best

    @property
    def best_attacker(self) -> str:
        """Who that is."""
        return self.release.best_attacker

    @property
    def control(self) -> Reading | None:
        """How often the secret is guessed right from the data untouched."""
        return None if self.untouched is None else self.untouched.best

    @property
    def attackers(self) -> Mapping[str, Reading]:
        """Each attacker's hit rate on the release; each interval stands for itself alone."""
        return self.release.attackers

    @property
    def controls(self) -> Mapping[str, Reading]:
        """Each attacker's hit rate on the data untouched."""
        return {} if self.untouched is None else self.untouched.attackers

    @property
    def figures(self) -> Mapping[str, Reading]:
        """Beside the hit rate: the gain over the blind guess, the area under the curve, and the balanced guess."""
        return self.release.figures

    @property
    def verdict(self) -> Verdict:
        """The worst that can be said."""
        return self.verdicts[0]

    @property
    def passed(self) -> bool:
        """Whether the release neither collapsed nor made things worse. A leak within limits passes."""
        return all(v.passed for v in self.verdicts)

    @property
    def sentence(self) -> str:
        """The result in words."""
        low, high, confidence = self.best.interval or (0.0, 1.0, self.confidence)
        before = "" if self.control is None else f"; from the data untouched {_hundred(self.control.value)}"
        return (
            f"From the release an attacker guesses {self.secret} right {_hundred(self.best.value)} times in 100 "
            f"({_hundred(self.baseline.value)} without it; interval {_hundred(low)} to {_hundred(high)} at "
            f"{100 * confidence:g} %{before}). {self.verdict}"
        )

    def to_json(self) -> dict[str, Any]:
        """The whole result, for a file; the form is versioned."""
        untouched = self.untouched
        return {
            "schema": SCHEMA,
            "secret": self.secret,
            "rows": {"learnt": self.learnt, "judged": self.judged},
            "best": self.best.to_json(),
            "best_attacker": self.best_attacker,
            "baseline": self.baseline.to_json(),
            "control": None if self.control is None else self.control.to_json(),
            "control_attacker": None if untouched is None else untouched.best_attacker,
            "attackers": written(self.attackers),
            "controls": written(self.controls),
            "figures": written(self.figures),
            "control_figures": {} if untouched is None else written(untouched.figures),
            "chosen": dict(self.release.chosen),
            "chance": self.release.chance,
            "collapse": self.collapse.to_json(),
            "verdict": self.verdict.name.lower(),
            "verdicts": [v.name.lower() for v in self.verdicts],
            "passed": self.passed,
            "sentence": self.sentence,
        }

    def __repr__(self) -> str:
        return f"Attack: {self.sentence}"


def written(readings: Mapping[str, Reading]) -> dict[str, Any]:
    """Readings by name, for a file."""
    return {name: reading.to_json() for name, reading in readings.items()}


def _hundred(share: float) -> str:
    return f"{100 * share:.1f}"
