"""Releases of the same people by different tools, re-measured from their files, on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from discreet.core.reading import Origin, Reading
from discreet.workflow.attack import Attack, Effort, attack
from discreet.workflow.intake import MOST, Names
from discreet.workflow.release import Told
from discreet.workflow.result import (
    ONE_RECORD,
    ROWS_ARE_DRAWS,
    Outcome,
    Result,
    in_hundred,
    made,
    secret_json,
)
from discreet.workflow.told import quick


@dataclass(frozen=True, eq=False)
class Compared:
    """One release of several: what it tells, what it keeps, and how its attack ended."""

    name: str
    words: str
    told: Told
    verdict: Outcome

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {
            "name": self.name,
            "words": self.words,
            **self.told.to_json(),
            "verdict": self.verdict.to_json(),
        }


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Several releases beside the data untouched, all attacked alike."""

    attacks: Mapping[str, Attack]
    before: Compared
    releases: tuple[Compared, ...]
    command: str | None = None

    @property
    def verdict(self) -> Outcome:
        """The worst of them: a release that collapsed or got worse is named."""
        bad = next((one for one in self.releases if one.verdict.exit), None)
        return (
            Outcome("fine", "None collapsed or got worse.")
            if bad is None
            else Outcome(bad.verdict.status, f"`{bad.name}`: {bad.verdict.words}")
        )

    @property
    def headline(self) -> str:
        """Which release tells least, and which must not be used."""
        usable = [one for one in self.releases if not one.verdict.exit]
        bad = len(self.releases) - len(usable)
        rest = f" {bad} must not be used: {self.verdict.words}" if bad else ""
        if not usable:
            return f"None of {len(self.releases)} releases can be used.{rest}"
        least = min(usable, key=lambda one: (one.told.guess.value, one.told.information.value))
        right = in_hundred(least.told.guess.value)
        before = in_hundred(self.before.told.guess.value)
        return (
            f"Of {len(self.releases)} releases `{least.name}` tells least: the best attacker is right {right} times in "
            f"100 ({before} from the data untouched, {in_hundred(least.told.baseline)} without any).{rest}"
        )

    def to_json(self) -> dict[str, Any]:
        """discreet/compare/1."""
        first = next(iter(self.attacks.values()))
        told = first.to_json()
        return {
            "schema": "discreet/compare/1",
            "headline": self.headline,
            "verdict": self.verdict.to_json(),
            "made": made(self.command),
            "secret": secret_json(first.samples.axes[0], first.samples.shares, first.samples.n),
            "warnings": [
                f"`{name}`: {text}" for name, a in self.attacks.items() for text in a.to_json()["warnings"]
            ],
            "assumptions": [ROWS_ARE_DRAWS, ONE_RECORD],
            "source": told["source"],
            "before": self.before.to_json(),
            "releases": [one.to_json() for one in self.releases],
            "method": told["method"],
        }

    def __repr__(self) -> str:
        return f"Comparison: {self.headline}"


def compare(
    releases: Sequence[Any] | Mapping[str, Any],
    *,
    truth: Any,
    private: Names,
    id: str | None = None,  # noqa: A002
    effort: Effort = "quick",
    most: int = MOST,
    rng: np.random.Generator | None = None,
    command: str | None = None,
) -> Comparison:
    """Attack each release with the same attackers, and measure what each keeps of the columns.

    All are attacked on the same people with the same chance; `truth` are the records that they were made from.
    """
    seed = int((np.random.default_rng(0) if rng is None else rng).integers(2**63))
    named = releases if isinstance(releases, Mapping) else {_name(r, i): r for i, r in enumerate(releases)}
    attacks = {
        name: attack(
            one,
            truth=truth,
            private=private,
            id=id,
            effort=effort,
            most=most,
            rng=np.random.default_rng(seed),
        )
        for name, one in named.items()
    }
    own = tuple(_compared(name, a, seed) for name, a in attacks.items())
    return Comparison(attacks, _before(next(iter(attacks.values())), seed), own, command)


def _compared(name: str, found: Attack, seed: int) -> Compared:
    kept = found.found.collapse.kept
    origin = Origin("counted", "this table", found.samples.n)
    utility = (
        None if kept is None else Reading(kept, "", "share kept of the columns", "estimate", origin=origin)
    )
    told = quick(found.both[1], rng=np.random.default_rng(seed))[0]
    return Compared(
        name,
        f"{len(found.both[1].x)} columns; {found.found.best_attacker} guesses best",
        Told(found.best, found.baseline.value, told, utility),
        found.verdict,
    )


def _before(found: Attack, seed: int) -> Compared:
    whole = Reading(
        1.0, "", "share kept of the columns", origin=Origin("counted", "this table", found.samples.n)
    )
    told = quick(found.both[0], rng=np.random.default_rng(seed))[0]
    guess = found.control or found.best
    return Compared(
        "before",
        "the data untouched",
        Told(guess, found.baseline.value, told, whole),
        Outcome("fine", "Not released."),
    )


def _name(release: Any, place: int) -> str:
    return Path(release).name if isinstance(release, str | Path) else f"release {place + 1}"
