"""What is known, and the bounds derived from it, each with the row and the bounds it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from discreet.core.guarantee import Step
from discreet.guarantees.implication import Implication
from discreet.guarantees.routes import Place
from discreet.guarantees.statement import Kind, Statement, kind_of, of_channel

Numbers = Mapping[str, Any]

SAME = 1e-12
"""Numbers this close, relatively, are one: γ = e^ε is rounded."""


@dataclass(frozen=True, slots=True)
class Known:
    """One of the statements to start from."""

    index: int
    statement: Statement
    about_channel: bool

    def places(self, staged: bool) -> Iterator[Place]:
        """As what and where it may be used.

        Once a channel is among what is known, a statement about a law is about what goes into the channel. It holds
        for the release as well if it obeys data processing. What holds for a channel holds for every release of it.
        """
        ours = kind_of(self.statement)
        if self.about_channel:
            yield Place(ours if ours.channel else of_channel(type(self.statement)), "channel")
        if staged and not self.about_channel:
            yield Place(ours, "before")
        if not ours.channel and (self.about_channel or not staged or self.statement.processing):
            yield Place(ours, "after")


@dataclass(frozen=True, slots=True)
class Derived:
    """A bound that was found, with the row and the bounds it rests on.

    `used` are the statements it starts from, `length` and `height` how many rows lie behind it, all told and on the
    longest way, `stated` whether it needs what the asker states about the law.
    """

    kind: Kind
    free: Numbers
    value: float
    used: frozenset[int] = frozenset()
    row: Implication | None = None
    rests_on: tuple[Derived, ...] = ()
    length: int = 0
    height: int = 0
    stated: bool = False

    @property
    def statement(self) -> Statement:
        """The bound as a notion."""
        return self.kind.make(self.free, self.value)

    def steps(self) -> Iterator[Step]:
        """The links of the chain, what is known first."""
        for one in self.rests_on:
            yield from one.steps()
        if self.rests_on:
            cite = "it only becomes weaker" if self.row is None else self.row.cite
            yield Step(tuple(one.statement for one in self.rests_on), self.statement, cite)

    def says_more_than(self, other: Derived) -> bool:
        """Whether its bound is better, by more than rounding."""
        better = self.value > other.value if self.kind.notion.at_least else self.value < other.value
        return better and not math.isclose(self.value, other.value, rel_tol=SAME)

    def better_than(self, other: Derived | None) -> bool:
        """Whether it says more, or as much in fewer steps."""
        if other is None or self.says_more_than(other):
            return True
        return self.length < other.length and not other.says_more_than(self)


def best_of(found: Iterable[Derived | None]) -> Derived | None:
    """The one that says most, and among equals the shortest."""
    best: Derived | None = None
    for one in found:
        if one is not None and one.better_than(best):
            best = one
    return best


def clipped(found: Derived | None, ceiling: Derived | None) -> Derived | None:
    """The bound, or the ceiling where that says more; a bound without end says nothing."""
    if found is not None and ceiling is not None:
        if not found.rests_on and ceiling.says_more_than(found):
            return replace(ceiling, used=found.used, rests_on=(found,), length=1)
        best = max if found.kind.notion.at_least else min
        if found.rests_on and best(found.value, ceiling.value) != found.value:
            found = replace(found, value=ceiling.value, stated=found.stated or ceiling.stated)
    return None if found is None or (found.rests_on and math.isinf(found.value)) else found


def served(start: Derived, kind: Kind, free: Numbers) -> Derived | None:
    """What is known, at the numbers that are asked: as it is, or weaker."""
    given = start.free
    if all(_equal(given[name], free[name]) for name in kind.free):
        return start
    if all(_reaches(sense, given[name], free[name]) for name, sense in kind.free.items()):
        return Derived(kind, free, start.value, start.used, None, (start,), 1)
    return None


def _reaches(sense: int, given: Any, asked: Any) -> bool:
    """Whether a statement at the given number also holds at the one that is asked."""
    return _equal(given, asked) or bool(sense and (asked - given) * sense > 0)


def _equal(a: Any, b: Any) -> bool:
    if a == b:
        return True
    return isinstance(a, float | int) and isinstance(b, float | int) and math.isclose(a, b, rel_tol=SAME)
