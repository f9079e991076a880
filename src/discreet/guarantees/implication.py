"""A theorem as a row: from one notion, or two, to another."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from discreet.guarantees.statement import Kind, Statement, kind, settings

SUFFIXES = ("", "_2")
"""What the numbers of a first and of a second source end in."""

Map = Callable[..., Any]
Scope = Literal["law", "channel", "before"]


@dataclass(frozen=True, slots=True)
class Implication:
    """If the sources hold, then so does the target, with the bound that `map` gives.

    `map` takes by name the numbers of the source (those of a second one end in `_2`), the chosen numbers of the target
    (ending in `_asked` where a source has one of that name) and `facts`, which the asker states about the law.

    `at` says at which chosen numbers the source is needed, from those of the target and the facts; without it those of
    the same name are passed on. Any others, and `scan`, are searched over. `holds` is the domain, where it depends on
    numbers. `printed` rows are a paper's own form, kept to be compared with; of these some are `wrong`. Neither is
    used by the search.
    """

    name: str
    source: tuple[Kind, ...]
    target: Kind
    map: Map
    formula: str
    cite: str
    domain: str
    holds: Map | None
    at: Map | None
    scan: str | None
    facts: tuple[str, ...]
    tight: bool
    printed: bool
    wrong: bool

    @property
    def contracts(self) -> bool:
        """Whether its second source speaks of the data before the channel of its first."""
        return len(self.source) == 2 and self.source[0].channel and not self.source[1].channel

    def forms(self) -> Iterator[Form]:
        """The row for each choice of the qualifiers that it leaves open."""
        for chosen in settings((*self.source, self.target)):
            yield Form(self, tuple(one.where(**chosen) for one in self.source), self.target.where(**chosen))


class Domain(NamedTuple):
    """Where a theorem holds, in words, and as a check of the numbers where it depends on them."""

    words: str = "any law"
    holds: Map | None = None


ANY_LAW = Domain()
GAMMA = Domain("gamma ≥ 1", lambda gamma: gamma >= 1)
POSITIVE = Domain("eps > 0", lambda eps: eps > 0)


class Form(NamedTuple):
    """A row with all qualifiers fixed."""

    row: Implication
    source: tuple[Kind, ...]
    target: Kind


def row(
    name: str,
    source: type[Statement] | Kind | tuple[type[Statement] | Kind, ...],
    target: type[Statement] | Kind,
    map: Map,  # noqa: A002
    *,
    formula: str,
    cite: str,
    domain: Domain | str = ANY_LAW,
    at: Map | None = None,
    scan: str | None = None,
    tight: bool = False,
    printed: bool = False,
    wrong: bool = False,
) -> Implication:
    """Write a theorem down. A notion stands for its kind with the usual qualifiers."""
    sources = tuple(_kind(one) for one in (source if isinstance(source, tuple) else (source,)))
    goal = _kind(target)
    where = Domain(domain) if isinstance(domain, str) else domain
    return Implication(
        name,
        sources,
        goal,
        map,
        formula,
        cite,
        *where,
        at,
        scan,
        _facts(sources, goal, (map, at, where.holds)),
        tight,
        printed or wrong,
        wrong,
    )


def _kind(given: type[Statement] | Kind) -> Kind:
    return given if isinstance(given, Kind) else kind(given)


def _facts(sources: tuple[Kind, ...], target: Kind, functions: tuple[Map | None, ...]) -> tuple[str, ...]:
    """What the functions of a row take beside the numbers of its notions: the asker must state it about the law."""
    own = {*names_of(sources), *target.free, *(f"{name}_asked" for name in target.free)}
    wanted = dict.fromkeys(name for one in functions if one is not None for name in arguments(one))
    return tuple(name for name in wanted if name not in own)


def names_of(sources: tuple[Kind, ...]) -> Iterator[str]:
    """The names under which a map finds the numbers of its sources."""
    for one, suffix in zip(sources, SUFFIXES, strict=False):
        for name in (*one.free, one.notion.bound):
            yield name + suffix


def arguments(function: Map) -> tuple[str, ...]:
    """The names of what a function must be given."""
    found = _ARGUMENTS.get(function)
    if found is None:
        taken = inspect.signature(function).parameters.values()
        found = _ARGUMENTS[function] = tuple(one.name for one in taken if one.default is one.empty)
    return found


_ARGUMENTS: dict[Map, tuple[str, ...]] = {}


def call(function: Map, given: Mapping[str, Any]) -> Any:
    """What a function makes of what it takes, by name; None where floats cannot hold it."""
    try:
        return function(*[given[name] for name in arguments(function)])
    except ArithmeticError:
        return None
