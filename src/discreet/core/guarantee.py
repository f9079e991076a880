"""A statement that holds, with the reasons why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from discreet.core.errors import EvidenceError
from discreet.core.protocols import Notion

Basis = Literal["exact", "theorem", "confidence", "supposed"]


class Step(NamedTuple):
    """One link of a chain: what was known, what follows, and by which theorem."""

    known: tuple[Notion, ...]
    follows: Notion
    cite: str


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A notion of privacy that holds for a law.

    `basis` says how it is known: "exact" (computed on the law), "theorem" (follows, see `chain`), "confidence" (holds
    with `confidence` over the drawing of the rows) or "supposed" (if this held). `confidence` is None when certain.
    """

    notion: Notion
    law: str = "this law"
    confidence: float | None = None
    basis: Basis = "supposed"
    chain: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        if self.basis == "confidence" and self.confidence is None:
            raise EvidenceError(
                f"a guarantee that {self.notion.words}",
                "an estimate without a stated confidence",
                "bound it on held-out rows at a confidence, or compute it on an exact law",
            )
        if self.confidence is not None and not 0 < self.confidence < 1:
            raise EvidenceError(
                f"a guarantee that {self.notion.words}",
                f"a confidence of {self.confidence}",
                "state a confidence between 0 and 1, or None for a certain statement",
            )

    def __str__(self) -> str:
        lines = [self._headline()]
        for step in self.chain:
            lines.append(f"  because {' and '.join(n.words for n in step.known)}")
            lines.append(f"     then {step.follows.words}   [{step.cite}]")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self._headline()

    def _headline(self) -> str:
        how = {
            "exact": "computed",
            "theorem": "by theorem",
            "confidence": "measured",
            "supposed": "supposed",
        }[self.basis]
        sure = "" if self.confidence is None else f", at {100 * self.confidence:g} % confidence"
        return f"{self.notion.words} ({how}, of {self.law}{sure})"
