"""Which rows of the table can be of use, given what is known and which facts are stated, whatever the numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from discreet.guarantees.facts import OF_THE_RELEASE
from discreet.guarantees.implication import Form, arguments
from discreet.guarantees.implications import LEADING_TO
from discreet.guarantees.statement import Kind

Stage = Literal["channel", "before", "after"]
"""Of a mechanism alone; of S and what goes into it; of S and the release. Without a mechanism all is "after"."""

STAGES: tuple[Stage, ...] = ("channel", "before", "after")


class Place(NamedTuple):
    """A kind of notion, and what it is said of."""

    kind: Kind
    stage: Stage


class Route(NamedTuple):
    """A row on the way to a place: where its sources are, and the numbers at which they may be tried freely."""

    form: Form
    sources: tuple[Place, ...]
    open: tuple[str, ...]


@dataclass
class Routes:
    """For every place that something known leads to, the rows that end there; for every place, its ceilings."""

    known: Collection[Place]
    facts: Collection[str]
    to: dict[Place, tuple[Route, ...]] = field(init=False)
    ceilings: dict[Place, tuple[Form, ...]] = field(init=False)

    def __post_init__(self) -> None:
        every = {Place(kind, stage) for kind in LEADING_TO for stage in STAGES}
        usable = {
            place: [f for f in LEADING_TO[place.kind] if self._usable(f, place.stage)] for place in every
        }
        self.ceilings = {place: tuple(f for f in forms if not f.source) for place, forms in usable.items()}
        routes = {place: [route_to(f, place) for f in forms if f.source] for place, forms in usable.items()}
        within = self._spread(routes)
        self.to = {
            place: tuple(route for route in routes.get(place, ()) if self._open(route, within))
            for place in within
        }

    def _usable(self, form: Form, stage: Stage) -> bool:
        """Whether the facts are there, and the row may be read at this stage: a channel is passed once."""
        if form.target.channel:
            fits = stage == "channel"
        elif any(one.channel for one in form.source):
            fits = stage == "after"
        else:
            fits = stage != "channel"
        there = set(self.facts) - OF_THE_RELEASE if stage == "before" else set(self.facts)
        return fits and there.issuperset(form.row.facts)

    def _spread(self, routes: dict[Place, list[Route]]) -> set[Place]:
        """Every place that some chain leads to."""
        within, grown = set(self.known), True
        while grown:
            new = {
                place
                for place, ways in routes.items()
                if place not in within and any(self._open(route, within) for route in ways)
            }
            within |= new
            grown = bool(new)
        return within

    def _open(self, route: Route, within: Iterable[Place]) -> bool:
        """Whether something known leads to a source, and a ceiling stands for the other if nothing does."""
        there = [place in within for place in route.sources]
        return any(there) and all(
            known or self.ceilings.get(place) for known, place in zip(there, route.sources, strict=True)
        )


def route_to(form: Form, target: Place) -> Route:
    """The row as a way to this place."""
    return Route(
        form,
        tuple(Place(one, _stage(form, one, target.stage)) for one in form.source),
        _open_numbers(form),
    )


def _stage(form: Form, source: Kind, stage: Stage) -> Stage:
    if source.channel:
        return "channel"
    return "before" if form.row.contracts else stage


def _open_numbers(form: Form) -> tuple[str, ...]:
    """The numbers of a source that neither the asker nor the row chooses."""
    row = form.row
    if row.scan is not None:
        return (row.scan,)
    chosen = set(form.target.free)
    of_sources = dict.fromkeys(name for one in form.source for name in one.free)
    if row.at is None:
        return tuple(name for name in of_sources if name not in chosen)
    return tuple(name for name in arguments(row.at) if name in of_sources and name not in chosen)
