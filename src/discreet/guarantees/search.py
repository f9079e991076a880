"""The search for the best chain of theorems, from what is asked back to what is known."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from discreet.core.guarantee import Step
from discreet.guarantees.implication import Form, Implication, arguments, call
from discreet.guarantees.routes import Place, Route, Routes
from discreet.guarantees.statement import Kind, Statement, kind_of, numbers, of_channel

Numbers = Mapping[str, Any]

DEPTH = 5
"""The longest chain of theorems that is looked for."""

SAME = 1e-12
"""Numbers this close, relatively, are one: γ = e^ε is rounded."""

GRIDS: dict[str, Sequence[float]] = {
    "eps": (0.0, *np.geomspace(1e-3, 30, 24).tolist()),
    "gamma": (1.0, *np.exp(np.geomspace(1e-3, 30, 24)).tolist()),
    "alpha": (*(1 + np.geomspace(1e-2, 1e3, 24)).tolist(), math.inf),
}
"""Where a number that no one chose is tried, before the best place is closed in on."""


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
    """A bound that was found, with the row and the bounds it rests on."""

    kind: Kind
    free: Numbers
    value: float
    used: frozenset[int] = frozenset()
    row: Implication | None = None
    rests_on: tuple[Derived, ...] = ()
    length: int = 0

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


def _best(found: Iterator[Derived | None]) -> Derived | None:
    best: Derived | None = None
    for one in found:
        if one is not None and one.better_than(best):
            best = one
    return best


class Search:
    """What is known and what the asker states about the law; `best` looks for a bound.

    It goes back from what is asked, row by row, to at most DEPTH rows; every question is answered once.
    """

    def __init__(self, known: Sequence[Known], facts: Numbers) -> None:
        staged = any(one.about_channel for one in known)
        self._given: dict[Place, list[Derived]] = {}
        for one in known:
            free, value = numbers(one.statement)
            for place in one.places(staged):
                start = Derived(place.kind, free, value, frozenset({one.index}))
                self._given.setdefault(place, []).append(start)
        self._facts = facts
        self._routes = Routes(self._given, facts)
        self._found: dict[Any, Derived | None] = {}

    def best(self, place: Place, free: Numbers, depth: int = DEPTH, freely: bool = True) -> Derived | None:
        """The best bound here, at these chosen numbers, that rests on something known; None if there is none.

        `freely` lets a row try its open numbers everywhere and not only where something is known.
        """
        if place not in self._routes.to:
            return None
        key = (place, tuple(free.values()), depth, freely)
        if key not in self._found:
            found = _best(self._all(place, free, depth, freely))
            self._found[key] = None if found is None else self._clipped(found, place)
        return self._found[key]

    def _all(self, place: Place, free: Numbers, depth: int, freely: bool) -> Iterator[Derived | None]:
        for start in self._given.get(place, ()):
            yield _served(start, place.kind, free)
        if depth > 0:
            for route in self._routes.to[place]:
                yield from self._follow(route, place, free, depth - 1, freely)

    # ------------------------------------------------------------------------------------------------------ ceilings

    def _ceiling(self, place: Place, free: Numbers) -> Derived | None:
        """The best bound that holds here for every law."""
        seen = {**free, **self._facts}
        made = ((form.row, _value(form, seen)) for form in self._routes.ceilings.get(place, ()))
        return _best(Derived(place.kind, free, v, row=row) for row, v in made if v is not None)

    def _clipped(self, found: Derived, place: Place) -> Derived | None:
        """The bound, or the ceiling where that says more; a bound without end says nothing."""
        ceiling = self._ceiling(place, found.free)
        if ceiling is not None and found.rests_on:
            best = max if place.kind.notion.at_least else min
            found = replace(found, value=best(found.value, ceiling.value))
        elif ceiling is not None and ceiling.says_more_than(found):
            return replace(ceiling, used=found.used, rests_on=(found,), length=1)
        return found if math.isfinite(found.value) or not found.rests_on else None

    # -------------------------------------------------------------------------------------------------- one row back

    def _follow(
        self, route: Route, place: Place, free: Numbers, depth: int, freely: bool
    ) -> Iterator[Derived | None]:
        """What this row gives, at every place where its open numbers are tried."""
        seen = {**free, **{f"{name}_asked": value for name, value in free.items()}, **self._facts}
        if not route.open:
            yield self._apply(route, place, free, seen, depth, freely)
            return
        for chosen in self._where_known(route):
            yield self._apply(route, place, free, {**seen, **chosen}, depth, freely)
        if freely and len(route.open) == 1 and route.open[0] in GRIDS:
            name = route.open[0]
            yield self._closing_in(
                lambda at: self._apply(route, place, free, {**seen, name: at}, depth, False), GRIDS[name]
            )

    def _where_known(self, route: Route) -> Iterator[Numbers]:
        for source in route.sources:
            for start in self._given.get(source, ()):
                if all(name in start.free for name in route.open):
                    yield {name: start.free[name] for name in route.open}

    def _closing_in(self, at: Any, grid: Sequence[float]) -> Derived | None:
        best: Derived | None = None
        low = high = 0.0
        for _ in range(3):
            for i, number in enumerate(grid):
                one = at(number)
                if one is not None and one.better_than(best):
                    best, low, high = one, grid[max(i - 1, 0)], grid[min(i + 1, len(grid) - 1)]
            if best is None or math.isinf(high):
                break
            grid = np.linspace(low, high, 9).tolist()
        return best

    def _apply(
        self, route: Route, place: Place, free: Numbers, seen: dict[str, Any], depth: int, freely: bool
    ) -> Derived | None:
        """What the row gives with the numbers seen so far; its sources are looked for first."""
        row = route.form.row
        if not _may_hold(row, seen):
            return None
        at = seen if row.at is None else {**seen, **call(row.at, seen)}
        sources: list[Derived] = []
        for i, source in enumerate(route.sources):
            suffix = f"_{i + 1}" if i else ""
            needed = {name: at.get(name + suffix, at.get(name)) for name in source.kind.free}
            found = self.best(source, needed, depth, freely)
            if found is None and len(route.sources) > 1:
                found = self._ceiling(source, needed)
            if found is None:
                return None
            sources.append(found)
            seen.update({name + suffix: value for name, value in needed.items()})
            seen[source.kind.notion.bound + suffix] = found.value
        used = frozenset[int]().union(*(one.used for one in sources))
        if not used:
            return None
        endless = any(math.isinf(one.value) for one in sources)
        value = _nothing(place.kind) if endless else _value(route.form, seen)
        if value is None:
            return None
        return Derived(
            place.kind, free, value, used, row, tuple(sources), 1 + sum(one.length for one in sources)
        )


def _served(start: Derived, kind: Kind, free: Numbers) -> Derived | None:
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


def _may_hold(row: Implication, seen: Numbers) -> bool:
    """Whether the numbers that are there already lie in the row's domain."""
    if row.holds is None or any(name not in seen for name in arguments(row.holds)):
        return True
    return bool(call(row.holds, seen))


def _value(form: Form, seen: Numbers) -> float | None:
    """The bound that the row gives, if the numbers lie in its domain; none where floats cannot hold what it takes."""
    if form.row.holds is not None and not call(form.row.holds, seen):
        return None
    try:
        value = float(call(form.row.map, seen))
    except (OverflowError, ZeroDivisionError):
        return _nothing(form.target)
    return _nothing(form.target) if math.isnan(value) else max(value, 0.0)


def _nothing(kind: Kind) -> float:
    """The bound that says nothing."""
    return 0.0 if kind.notion.at_least else math.inf
