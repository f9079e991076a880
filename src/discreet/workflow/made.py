"""How a policy was made: the limit that was asked for, what was read off it, what else was tried, and against whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from discreet.core.reading import Reading
from discreet.workflow.policy_file import DesignFile, LimitFile, ReadingFile, ThreatFile, TriedFile

Knob: TypeAlias = Literal["leak", "attacker_at_most", "keep"]

SIDES = {
    "upper": "an upper bound",
    "exact": "an exact value",
    "estimate": "an estimate",
    "lower": "a lower bound",
}

WORDS: Mapping[Knob, str] = {
    "leak": "at most {asked:g} nats told about the secret",
    "attacker_at_most": "an attacker right at most {asked:.4g} of the time",
    "keep": "at least {asked:.4g} of what there is to keep",
}


@dataclass(frozen=True)
class Limit:
    """What was asked for, the number that it is held against, and whether that number meets it."""

    knob: Knob
    asked: float
    held: Reading
    met: bool

    @property
    def sentence(self) -> str:
        """It in words, with the side of the number."""
        verdict = "met" if self.met else "NOT met"
        asked = WORDS[self.knob].format(asked=self.asked)
        bare = self.held.side == "estimate" and self.held.interval is None
        caution = (
            " The estimate has no interval: it is the likeliest figure, and no guarantee." if bare else ""
        )
        return f"Asked: {asked}; {verdict}, held against {SIDES[self.held.side]}: {self.held!r}.{caution}"


@dataclass(frozen=True)
class Tried:
    """One mechanism as it was held against the limit, on rows that it never saw."""

    mechanism: str
    leakage: Reading
    guess: Reading
    utility: Reading
    fits: bool


@dataclass(frozen=True)
class Made:
    """How a policy was made, and what was read off it then: on the rows it was designed on, and on rows it never saw.

    `leakage` is about the secret, `utility` about what the release keeps. Names say on which rows. `tried` are all the
    mechanisms on one scale, itself among them, and `why` says why it was chosen.
    """

    mechanism: str
    status: str
    limit: Limit
    leakage: Mapping[str, Reading]
    utility: Mapping[str, Reading]
    rows: tuple[int, int]
    warnings: tuple[str, ...] = ()
    tried: tuple[Tried, ...] = ()
    why: str = ""

    def file(self) -> DesignFile:
        """For the policy file."""
        return DesignFile(
            mechanism=self.mechanism,
            status=self.status,
            limit=LimitFile(
                knob=self.limit.knob,
                asked=self.limit.asked,
                held=ReadingFile.of(self.limit.held),
                met=self.limit.met,
            ),
            leakage={name: ReadingFile.of(r) for name, r in self.leakage.items()},
            utility={name: ReadingFile.of(r) for name, r in self.utility.items()},
            rows=list(self.rows),
            warnings=list(self.warnings),
            tried=[_tried_file(one) for one in self.tried],
            why=self.why,
        )

    @classmethod
    def of_file(cls, said: DesignFile) -> Made:
        """From the policy file."""
        limit = Limit(said.limit.knob, said.limit.asked, said.limit.held.reading(), said.limit.met)
        leakage, utility = (
            {name: r.reading() for name, r in readings.items()} for readings in (said.leakage, said.utility)
        )
        tried = tuple(
            Tried(t.mechanism, t.leakage.reading(), t.guess.reading(), t.utility.reading(), t.fits)
            for t in said.tried
        )
        rows = (said.rows[0], said.rows[1])
        warnings = tuple(said.warnings)
        return cls(said.mechanism, said.status, limit, leakage, utility, rows, warnings, tried, said.why)


def _tried_file(one: Tried) -> TriedFile:
    leakage, guess, utility = (ReadingFile.of(r) for r in (one.leakage, one.guess, one.utility))
    return TriedFile(mechanism=one.mechanism, leakage=leakage, guess=guess, utility=utility, fits=one.fits)


@dataclass(frozen=True)
class Threat:
    """Whom the policy is made against, in words."""

    secret: tuple[str, ...]
    sees: str = "one released record for each person"
    knows: str = "the law of the data, the policy, and how it was made; not the secret key"
    beyond: str = "what else is known about the person, or a second release of the person under another key"

    def file(self) -> ThreatFile:
        """For the policy file."""
        return ThreatFile(secret=list(self.secret), sees=self.sees, knows=self.knows, beyond=self.beyond)

    @classmethod
    def of_file(cls, said: ThreatFile) -> Threat:
        """From the policy file."""
        return cls(tuple(said.secret), said.sees, said.knows, said.beyond)

    def to_json(self) -> dict[str, Any]:
        """For a program."""
        return self.file().model_dump(mode="json")
