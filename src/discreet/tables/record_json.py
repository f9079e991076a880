"""JSON read strictly: every field has a type, an unknown one is an error, and sizes are limited."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from discreet.core.errors import SchemaError
from discreet.tables.naming import shown

T = TypeVar("T")
LONGEST_TEXT = 1 << 16
MOST_ITEMS = 1 << 22


def taken(given: Any, what: str, fields: Mapping[str, Callable[[Any, str], Any]]) -> dict[str, Any]:
    """The fields of an object, each read by its reader; all of them and no others."""
    if not isinstance(given, dict):
        wrong(what, f"{type(given).__name__} in place of an object")
    unknown, lacking = set(given) - set(fields), set(fields) - set(given)
    if unknown or lacking:
        wrong(
            what,
            "; ".join(
                f"{word}: {shown(sorted(map(str, names)))}"
                for word, names in (("unknown", unknown), ("lacking", lacking))
                if names
            ),
        )
    return {name: read(given[name], f"{what}.{name}") for name, read in fields.items()}


def text(given: Any, what: str) -> str:
    """A text of ordinary length."""
    if not isinstance(given, str) or len(given) > LONGEST_TEXT:
        wrong(what, "no text of ordinary length")
    try:
        given.encode()
    except UnicodeEncodeError:
        wrong(what, "half a character")
    return given


def truth(given: Any, what: str) -> bool:
    """true or false."""
    if not isinstance(given, bool):
        wrong(what, "neither true nor false")
    return given


def whole(given: Any, what: str) -> int:
    """A whole number from 0 that 64 bits hold."""
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < 2**63:
        wrong(what, "no whole number from 0 to 2⁶³ − 1")
    return given


def number(given: Any, what: str) -> float:
    """A finite number."""
    if (
        isinstance(given, bool)
        or not isinstance(given, int | float)
        or abs(given) > 1e300
        or not math.isfinite(given)
    ):
        wrong(what, "no finite number")
    return float(given)


def scalar(given: Any, what: str) -> str | int | float | bool:
    """A level: text, number, true or false."""
    if isinstance(given, bool):
        return given
    if isinstance(given, str):
        return text(given, what)
    if isinstance(given, int) and -(2**63) <= given < 2**64:
        return given
    return number(given, what)


def items(read: Callable[[Any, str], T]) -> Callable[[Any, str], tuple[T, ...]]:
    """A list of such items."""

    def reader(given: Any, what: str) -> tuple[T, ...]:
        if not isinstance(given, list) or len(given) > MOST_ITEMS:
            wrong(what, "no list of ordinary length")
        return tuple(read(one, f"{what}[…]") for one in given)

    return reader


def maybe(read: Callable[[Any, str], T]) -> Callable[[Any, str], T | None]:
    """Such an item, or null."""
    return lambda given, what: None if given is None else read(given, what)


def wrong(what: str, found: str) -> NoReturn:
    """Refuse."""
    raise SchemaError(
        f"{what[:200]} as it was written", found, "take the file as it was made, or make it again"
    )
