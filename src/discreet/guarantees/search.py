"""The search for the best chain of theorems, from what is asked back to what is known."""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from discreet.guarantees.derived import Derived, Known, Numbers, best_of, clipped, served
from discreet.guarantees.implication import SUFFIXES, Form, Implication, arguments, call
from discreet.guarantees.routes import Place, Route, Routes
from discreet.guarantees.statement import Kind, numbers

DEPTH = 5
"""The longest chain of theorems that is looked for."""

LARGEST = 700.0
"""e to a larger power is beyond what floats hold."""

GRIDS: dict[str, Sequence[float]] = {
    "eps": (0.0, *np.geomspace(1e-3, 20, 11).tolist()),
    "gamma": (1.0, *np.exp(np.geomspace(1e-3, 20, 11)).tolist()),
    "alpha": (*(1 + np.geomspace(1e-2, 1e3, 11)).tolist(), math.inf),
}
"""Where a number that no one chose is tried, before the best place is closed in on."""


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
        self._telling = _telling([numbers(one.statement)[0] for one in known])
        self._facts = facts
        self._routes = Routes(self._given, facts)
        self._found: dict[Any, dict[int, Derived | None]] = {}

    def best(self, place: Place, free: Numbers, depth: int = DEPTH, freely: bool = True) -> Derived | None:
        """The best bound here, at these chosen numbers, that rests on something known; None if there is none.

        `freely` lets a row try its open numbers everywhere and not only where something is known.
        """
        if place not in self._routes.to:
            return None
        earlier = self._found.setdefault((place, tuple(free.values()), freely), {})
        for searched, found in earlier.items():
            if searched == depth or (searched > depth and (found is None or found.height <= depth)):
                return found
        ceiling = self._ceiling(place, free)
        best = best_of(clipped(one, ceiling) for one in self._all(place, free, depth, freely))
        earlier[depth] = best
        return best

    def _all(self, place: Place, free: Numbers, depth: int, freely: bool) -> Iterator[Derived | None]:
        for start in self._given.get(place, ()):
            yield served(start, place.kind, free)
        if depth > 0:
            for route in self._routes.to[place]:
                yield from self._follow(route, place, free, depth - 1, freely)

    # ------------------------------------------------------------------------------------------------------ ceilings

    def _ceiling(self, place: Place, free: Numbers) -> Derived | None:
        """The best bound that holds here for every law."""
        seen = {**free, **self._facts}
        made = ((form.row, _value(form, seen)) for form in self._routes.ceilings.get(place, ()))
        return best_of(
            Derived(place.kind, free, value, row=row, stated=bool(row.facts))
            for row, value in made
            if value is not None
        )

    # -------------------------------------------------------------------------------------------------- one row back

    def _follow(
        self, route: Route, place: Place, free: Numbers, depth: int, freely: bool
    ) -> Iterator[Derived | None]:
        """What this row gives, at every place where its open numbers are tried."""
        seen = {**free, **{f"{name}_asked": value for name, value in free.items()}, **self._facts}
        if not route.open:
            yield self._apply(route, place, free, seen, depth, freely)
            return
        for chosen in self._near_what_is_known(route):
            yield self._apply(route, place, free, {**seen, **chosen}, depth, freely)
        if freely and len(route.open) == 1 and route.open[0] in GRIDS:
            name = route.open[0]
            yield self._closing_in(
                lambda at: self._apply(route, place, free, {**seen, name: at}, depth, False), GRIDS[name]
            )

    def _near_what_is_known(self, route: Route) -> Iterator[Numbers]:
        """The numbers at which something is known, where a bound is most likely to be at its best."""
        if len(route.open) == 1 and route.open[0] in self._telling:
            yield from ({route.open[0]: number} for number in self._telling[route.open[0]])
            return
        for source in route.sources:
            for start in self._given.get(source, ()):
                if all(name in start.free for name in route.open):
                    yield {name: start.free[name] for name in route.open}

    def _closing_in(self, at: Callable[[float], Derived | None], grid: Sequence[float]) -> Derived | None:
        """The best over a grid, and then over finer ones around the best place."""
        best: Derived | None = None
        low = high = 0.0
        for _ in range(3):
            for i, number in enumerate(grid):
                one = at(number)
                if one is not None and one.better_than(best):
                    best, low, high = one, grid[max(i - 1, 0)], grid[min(i + 1, len(grid) - 1)]
            if best is None or math.isinf(high):
                break
            grid = np.linspace(low, high, 7)[1:-1].tolist()
        return best

    def _apply(
        self, route: Route, place: Place, free: Numbers, seen: dict[str, Any], depth: int, freely: bool
    ) -> Derived | None:
        """What the row gives with the numbers seen so far; its sources are looked for first."""
        row = route.form.row
        if not _may_hold(row, seen):
            return None
        at = _source_numbers(row, seen)
        if at is None:
            return None
        sources: list[Derived] = []
        for source, suffix in zip(route.sources, SUFFIXES, strict=False):
            needed = {name: at.get(name + suffix, at.get(name)) for name in source.kind.free}
            found = self.best(source, needed, depth, freely)
            if found is None and len(route.sources) > 1:
                found = self._ceiling(source, needed)
            if found is None:
                return None
            sources.append(found)
            for name, value in needed.items():
                seen[name + suffix] = value
            seen[source.kind.notion.bound + suffix] = found.value
        used = frozenset[int]().union(*(one.used for one in sources))
        if not used:
            return None
        endless = any(math.isinf(one.value) for one in sources)
        value = _nothing(place.kind) if endless else _value(route.form, seen)
        if value is None:
            return None
        return Derived(
            place.kind,
            free,
            value,
            used,
            row,
            tuple(sources),
            length=1 + sum(one.length for one in sources),
            height=1 + max(one.height for one in sources),
            stated=bool(row.facts) or any(one.stated for one in sources),
        )


def _telling(known: Sequence[Numbers]) -> dict[str, list[float]]:
    """The numbers at which something is known, as exponents ε and as factors γ = e^ε, and as orders."""
    exponents = {float(free[name]) for free in known for name in ("eps", "t") if name in free}
    factors = {float(free["gamma"]) for free in known if "gamma" in free}
    return {
        "eps": [*exponents, *(math.log(gamma) for gamma in factors if gamma >= 1)],
        "gamma": [*factors, *(math.exp(eps) for eps in exponents if eps < LARGEST)],
        "alpha": [float(free["alpha"]) for free in known if "alpha" in free],
    }


def _source_numbers(row: Implication, seen: dict[str, Any]) -> Numbers | None:
    """At which numbers the row needs its sources."""
    if row.at is None:
        return seen
    chosen = call(row.at, seen)
    return None if chosen is None else ChainMap(chosen, seen)


def _may_hold(row: Implication, seen: Numbers) -> bool:
    """Whether the numbers that are there already lie in the row's domain."""
    if row.holds is None or any(name not in seen for name in arguments(row.holds)):
        return True
    return bool(call(row.holds, seen))


def _value(form: Form, seen: Numbers) -> float | None:
    """The bound that the row gives, if the numbers lie in its domain; none where floats cannot hold what it takes."""
    if form.row.holds is not None and not call(form.row.holds, seen):
        return None
    value = call(form.row.map, seen)
    return _nothing(form.target) if value is None or math.isnan(value) else max(float(value), 0.0)


def _nothing(kind: Kind) -> float:
    """The bound that says nothing."""
    return 0.0 if kind.notion.at_least else math.inf
