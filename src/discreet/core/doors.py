"""A room's door: its names are there from the start, and what stands behind them is loaded when it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def opened(
    room: str, names: Mapping[str, str], rooms: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a room: `names` says in which of its modules each stands, `rooms` are within.

    >>> find, names = opened("discreet.core", {"Reading": "reading"})
    >>> find("Reading").__name__, names()
    ('Reading', ['Reading'])
    """

    def find(name: str) -> Any:
        if name in rooms:
            return import_module(f"{room}.{name}")
        if name in names:
            found = getattr(import_module(f"{room}.{names[name]}"), name)
            setattr(sys.modules[room], name, found)
            return found
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return find, lambda: sorted({*names, *rooms, *getattr(sys.modules[room], "__all__", ())})
