"""What a notion must say of itself so that the table of implications can use it, and the kinds the table is about."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from itertools import product
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from discreet.core.errors import ParameterError
from discreet.core.protocols import Notion
from discreet.guarantees.wording import say

Direction = Literal["release", "prior"]
Over = Literal["mean", "worst"]

CHOICES: dict[str, tuple[Any, ...]] = {
    "direction": ("release", "prior"),
    "over": ("mean", "worst"),
    "strong": (False, True),
    "side": ("upper", "lower"),
    "cost": ("any", "log", "zero_one", "brier", "table"),
}
"""What the qualifiers of a notion may be."""

ROUNDING = 1e-9
"""A measured share may exceed one by so much."""

ABOVE_ZERO = frozenset({"gamma", "alpha", "deviation", "diameter"})
SHARES = frozenset({"delta"})


@runtime_checkable
class Statement(Notion, Protocol):
    """A notion with one number that is bounded, others that the asker chooses, and qualifiers with a default.

    `noun` is what it is called, `says` its sentence, `symbol` that of a divergence. `bound` names the bounded number,
    which is at most (or, with `at_least`, at least) what it says, and never above `most`. `free` names the chosen ones:
    +1 where the statement also holds at a larger value, −1 at a smaller one, 0 only there. `processing` says that what
    holds for X holds for everything made from X, `channel` that it speaks of a mechanism alone, `symmetric` that both
    directions are one.
    """

    noun: ClassVar[str]
    says: ClassVar[str]
    symbol: ClassVar[str] = ""
    bound: ClassVar[str] = "eta"
    at_least: ClassVar[bool] = False
    most: ClassVar[float] = math.inf
    free: ClassVar[Mapping[str, int]] = {}
    processing: ClassVar[bool] = True
    channel: ClassVar[bool] = False
    symmetric: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """The statement as a sentence."""
        return say(self.says, self.symbol, parameters(self))

    def __post_init__(self) -> None:
        for name, value in parameters(self).items():
            if name in CHOICES:
                _choice(type(self).__name__, name, value)
            elif name != "f":
                _number(type(self), name, value)


def parameters(notion: Notion) -> dict[str, Any]:
    """The numbers and qualifiers of a notion, by name."""
    held: Any = notion
    return {field.name: getattr(held, field.name) for field in fields(held)}


def _choice(notion: str, name: str, value: object) -> None:
    if value not in CHOICES[name]:
        raise ParameterError(
            f"{notion} with {name} one of {', '.join(map(repr, CHOICES[name]))}",
            f"{name} = {value!r}",
            "choose one of them, or leave it out",
        )


def _number(notion: type[Statement], name: str, value: float) -> None:
    top = notion.most if name == notion.bound else 1.0 if name in SHARES else math.inf
    low = "above 0" if name in ABOVE_ZERO else "of 0 or more"
    fits = isinstance(value, (int, float)) or hasattr(value, "__float__")
    if not (fits and 0 <= value <= top * (1 + ROUNDING) and (value > 0 or name not in ABOVE_ZERO)):
        high = "" if top == math.inf else f" and at most {top:g}"
        raise ParameterError(
            f"{notion.__name__} with {name} {low}{high}",
            f"{name} = {value!r}",
            f"give {name} as a number in that range",
        )


@dataclass(frozen=True, slots=True)
class Kind:
    """A notion with its qualifiers, before any number: what a row of the table leads from or to.

    A qualifier that is not `fixed` may be any, the same one on every side of the row. `of_channel` marks a notion of
    releases that is said of a mechanism alone.
    """

    notion: type[Statement]
    fixed: tuple[tuple[str, Any], ...] = ()
    of_channel: bool = False

    @property
    def channel(self) -> bool:
        """Whether it speaks of a mechanism and not of a law."""
        return self.of_channel or self.notion.channel

    @property
    def free(self) -> Mapping[str, int]:
        """The numbers that the asker chooses."""
        return self.notion.free

    @property
    def open(self) -> tuple[str, ...]:
        """The qualifiers that may be any."""
        return tuple(name for name in defaults(self.notion) if name not in dict(self.fixed))

    @property
    def name(self) -> str:
        """The notion's name, with what differs from its defaults."""
        return self.notion.__name__ + self._told()

    @property
    def words(self) -> str:
        """What it is called in a sentence."""
        return self.notion.noun + self._told()

    def _told(self) -> str:
        usual = defaults(self.notion)
        said = [str(v) if isinstance(v, str) else k for k, v in self.fixed if v != usual[k]]
        said += [f"any {name}" for name in self.open]
        said += ["of the channel"] if self.of_channel else []
        return f" ({', '.join(said)})" if said else ""

    def where(self, **chosen: Any) -> Kind:
        """The same kind with these of its open qualifiers fixed."""
        ours = {k: v for k, v in chosen.items() if k in self.open}
        return _plain(self.notion, dict(self.fixed) | ours, self.of_channel)

    def make(self, free: Mapping[str, Any], value: float) -> Statement:
        """The notion of this kind with these numbers."""
        given = {**free, **dict(self.fixed), self.notion.bound: value}
        return self.notion(**given)


def defaults(notion: type[Statement]) -> dict[str, Any]:
    """The qualifiers of a notion and what they are unless said."""
    held: Any = notion
    return {field.name: field.default for field in fields(held) if field.default is not MISSING}


def _plain(notion: type[Statement], fixed: Mapping[str, Any], of_channel: bool) -> Kind:
    if notion.symmetric and "direction" in fixed:
        fixed = {**fixed, "direction": "release"}
    ordered = tuple((name, fixed[name]) for name in defaults(notion) if name in fixed)
    return _one(notion, ordered, of_channel and not notion.channel)


@cache
def _one(notion: type[Statement], fixed: tuple[tuple[str, Any], ...], of_channel: bool) -> Kind:
    """The only object of this kind, so that comparing kinds costs nothing."""
    return Kind(notion, fixed, of_channel)


def kind(notion: type[Statement], **fixed: Any) -> Kind:
    """The kind with these qualifiers, and the defaults for the others."""
    return _plain(notion, defaults(notion) | fixed, False)


def alike(notion: type[Statement], **fixed: Any) -> Kind:
    """The kind with these qualifiers, and any for the others, the same on every side of the row."""
    return _plain(notion, fixed, False)


def of_channel(notion: type[Statement]) -> Kind:
    """A notion of releases said of a mechanism alone: it holds whatever the data."""
    return _plain(notion, defaults(notion), True)


def kind_of(notion: Statement) -> Kind:
    """The kind of this notion."""
    return kind(type(notion), **{k: v for k, v in parameters(notion).items() if k in defaults(type(notion))})


def numbers(notion: Statement) -> tuple[dict[str, Any], float]:
    """The chosen numbers of a notion, and the bounded one."""
    held = parameters(notion)
    return {name: held[name] for name in notion.free}, float(held[notion.bound])


def settings(kinds: tuple[Kind, ...]) -> Iterator[dict[str, Any]]:
    """Every way to fix the qualifiers that these kinds leave open."""
    names = list(dict.fromkeys(name for one in kinds for name in one.open))
    for values in product(*(CHOICES[name] for name in names)):
        yield dict(zip(names, values, strict=True))
