"""What every result is besides its own content: JSON of a versioned shape, a page, a notebook's view."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from discreet.core.axis import Axis
from discreet.core.errors import ParameterError
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.core.reading import Origin

Status = Literal["fine", "leaks", "over the limit", "collapsed", "worse than before", "failed"]

FEWEST = 20
"""A positive count below it is not shown."""

ROWS_ARE_DRAWS = "The rows are independent draws from the population that the numbers are about."
ONE_RECORD = (
    "The attacker sees one record a person, knows the law of the data and nothing else about the person."
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended: a status, whether that stops a release, and a sentence."""

    status: Status
    words: str

    @property
    def exit(self) -> int:
        """0 where the result may be used, 1 where a limit is broken or the release is worthless."""
        return 0 if self.status in ("fine", "leaks") else 1

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {"status": self.status, "exit": self.exit, "words": self.words}


class Result(ABC):
    """A finished piece of work: immutable, and all of it in `to_json()`."""

    __slots__ = ()

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The whole result; the shape is versioned."""

    def to_html(self) -> str:
        """One self-contained page."""
        from discreet.report import page

        return page(self.to_json())

    def save(self, path: str | Path) -> Path:
        """Write it, whole or not at all: a page where the name ends in .html, else JSON."""
        from discreet.tables.safe import write_whole

        target = Path(path)
        text = self.to_html() if check_page(target) else written(self.to_json())
        return write_whole(target, text.encode())

    def _repr_html_(self) -> str:
        from discreet.report import fragment

        return fragment(self.to_json())


def check_page(path: Path) -> bool:
    """Whether the name asks for a page; it asks for JSON, or for nothing that a result can be written as."""
    ending = path.suffix.lower()
    if ending not in (".html", ".htm", ".json"):
        raise ParameterError(
            "a result to write as .html or .json", repr(path.name), "end its name with one of them"
        )
    return ending != ".json"


def written(result: Mapping[str, Any]) -> str:
    """JSON as every command writes it."""
    return json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def made(command: str | None, at: str | None = None) -> dict[str, Any]:
    """Which version made it, and how."""
    return {"version": version("discreet"), "command": command or "", "at": at}


def secret_json(axis: Axis, shares: Array, n: int | None = None) -> dict[str, Any]:
    """What must stay hidden: its values, their shares, and all there is to know about it.

    Of `n` records a value that fewer than 20 have is not named: those values stand together, as one line.
    """
    from discreet.measures import entropy

    labels = axis.labels if axis.labels is not None else tuple(range(len(shares)))
    told = entropy(Joint(shares[:, None], (axis, "x"), Origin("counted", "this table")).lift())
    named = [(spelled(v), float(p)) for v, p in zip(labels, shares, strict=True) if not rare(p, n)]
    together = [float(p) for p in shares if rare(p, n)]
    if together:
        named.append((f"({len(together)} rare)", sum(together)))
    return {
        "name": axis.name,
        "labels": [{"label": label, "share": share} for label, share in named],
        "entropy": told.to_json(),
    }


def rare(share: float, n: int | None) -> bool:
    """Whether a value with this share of `n` records is too rare to be named."""
    return n is not None and bool(0 <= round(share * n) < FEWEST)


def spelled(value: Any) -> str:
    """A value as a reader sees it: a missing one is said to be missing, a whole number has no point.

    >>> spelled(("yes", None, 3.0))
    'yes, (missing), 3'
    """
    if isinstance(value, tuple):
        return ", ".join(spelled(part) for part in value)
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    return "(missing)" if value is None else str(value)


def hidden(count: int) -> int | None:
    """A count that may be shown: none where there are some, but too few."""
    return None if 0 < count < FEWEST else count


def in_hundred(share: float) -> str:
    """A share as times in 100: whole numbers, or one digit near the ends."""
    times = 100 * share
    return f"{times:.0f}" if 1 <= times <= 99 else f"{times:.1f}"


def at_most(share: float) -> str:
    """A limit as times in 100, never rounded below itself.

    >>> at_most(0.7801), at_most(0.78)
    ('78.1', '78')
    """
    return f"{math.ceil(1000 * share * (1 - 1e-12)) / 10:g}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names as a sentence has them, each between backticks."""
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"
