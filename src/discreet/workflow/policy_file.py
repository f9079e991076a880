"""What `policy.json` may say: every field is known, and an unknown one is an error. Older versions are brought forward.

Mechanisms are of the kinds below and of no other: a policy names no code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from discreet.core.errors import PolicyError
from discreet.core.reading import Interval, Origin, Reading, Side

VERSION = 1
PREFIX = "discreet/policy/"

MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""`MIGRATIONS[n]` makes version n + 1 of version n. A version that was ever released keeps its step for good."""

Name = Annotated[str, Field(max_length=4096)]
Number = float | Literal["inf", "-inf"] | None


class Part(BaseModel):
    """A frozen record without unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ReadingFile(Part):
    """A reading as it stands in a policy."""

    measure: Name
    value: Number
    unit: Name
    side: Side
    law: Name
    n: int | None
    method: Name | None
    interval: Annotated[list[Number], Field(min_length=3, max_length=3)] | None
    parameters: dict[Name, float]

    @classmethod
    def of(cls, reading: Reading) -> ReadingFile:
        """For the file."""
        told = reading.to_json()
        return cls(
            measure=reading.measure,
            n=reading.origin.n,
            method=reading.origin.method,
            parameters={k: float(v) for k, v in reading.parameters.items() if isinstance(v, int | float)},
            **{name: told[name] for name in ("value", "unit", "side", "law", "interval")},
        )

    def reading(self) -> Reading:
        """From the file."""
        kind: Literal["exact", "counted"] = "exact" if self.n is None else "counted"
        origin = Origin(kind=kind, law=self.law, n=self.n, method=self.method)
        interval = None if self.interval is None else Interval(*(_number(v) for v in self.interval))
        return Reading(
            _number(self.value), self.unit, self.measure, self.side, interval,
            origin=origin, parameters=dict(self.parameters),
        )  # fmt: skip


class LimitFile(Part):
    """What was asked for, and by which number it is held."""

    knob: Literal["leak", "attacker_at_most", "keep"]
    asked: float
    held: ReadingFile
    met: bool


class TriedFile(Part):
    """One mechanism as it was held against the limit."""

    mechanism: Name
    leakage: ReadingFile
    guess: ReadingFile
    utility: ReadingFile
    fits: bool


class DesignFile(Part):
    """How the policy was made, what was read off it then, and what else was tried."""

    mechanism: Name
    status: Name
    limit: LimitFile
    leakage: dict[Name, ReadingFile]
    utility: dict[Name, ReadingFile]
    rows: Annotated[list[int], Field(min_length=2, max_length=2)]
    warnings: list[Name]
    tried: Annotated[list[TriedFile], Field(max_length=1000)]
    why: Name


class ThreatFile(Part):
    """Whom the policy is made against, in words."""

    secret: list[Name]
    sees: Name
    knows: Name
    beyond: Name


class MatrixFile(Part):
    """A block of columns through a finite channel; its masses lie among the weights under this name."""

    kind: Literal["matrix"]
    mechanism: Name
    block: Annotated[int, Field(ge=0, lt=10_000)]
    weights: Annotated[str, Field(pattern=r"^channel\d{1,5}$")]
    labels: list[list[Name]] | None


class GaussianFile(Part):
    """Columns of numbers through a Gaussian channel, between limits and on a grid."""

    kind: Literal["gaussian"]
    mechanism: Name
    columns: Annotated[list[Name], Field(min_length=1, max_length=10_000)]
    weights: Annotated[str, Field(pattern=r"^channel\d{1,5}$")]


class LearnedFile(Part):
    """Columns through a learned sanitiser; `description` says of which kind it is, and its room checks it."""

    kind: Literal["learned"]
    mechanism: Name
    columns: Annotated[list[Name], Field(min_length=1, max_length=10_000)]
    weights: Annotated[str, Field(pattern=r"^channel\d{1,5}$")]
    description: dict[str, Any]


ChannelFile = Annotated[MatrixFile | GaussianFile | LearnedFile, Field(discriminator="kind")]


class PolicyFile(Part):
    """The whole of policy.json. `columns` and `codec` are checked by the room of tables."""

    format: Literal["discreet/policy/1"]
    columns: dict[str, Any]
    codec: dict[str, Any]
    channels: Annotated[list[ChannelFile], Field(min_length=1, max_length=10_000)]
    design: DesignFile
    threat: ThreatFile


def parsed(held: bytes) -> PolicyFile:
    """The policy in these bytes, brought forward to this version."""
    try:
        found = json.loads(held.decode(), parse_constant=_refuse_constant)
        return PolicyFile.model_validate(_forward(found))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))[:200]
        raise PolicyError(
            "policy.json with the fields that this version knows",
            f"{error.error_count()} faults, the first at {place!r}: {first['msg']}",
            "get the file again from whoever made it, or a newer discreet",
        ) from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, PolicyError):
            raise
        raise PolicyError(
            "policy.json as JSON", f"text that is none ({type(error).__name__})", "get the file again"
        ) from None


def _forward(found: Any) -> Mapping[str, Any]:
    """The same policy as this version writes it."""
    version = _version(found)
    while version < VERSION:
        if version not in MIGRATIONS:
            raise PolicyError(
                f"a policy of format {VERSION}, or an older one that can be brought forward",
                f"format {version}",
                "design it again with this version",
            )
        found = MIGRATIONS[version](found)
        version += 1
    return dict(found)


def _version(found: Any) -> int:
    said = found.get("format") if isinstance(found, dict) else None
    number = said.removeprefix(PREFIX) if isinstance(said, str) and said.startswith(PREFIX) else ""
    if not (number.isdigit() and len(number) < 6):
        raise PolicyError("a policy that states its format", repr(said)[:80], "give a file that design made")
    if int(number) > VERSION:
        raise PolicyError(
            f"a policy of format {VERSION} or older",
            f"format {int(number)}",
            "install a newer discreet to read it",
        )
    return int(number)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _number(given: Number) -> float:
    return float("nan") if given is None else float(given)


def misfit(asked: str, found: str) -> PolicyError:
    """A policy whose parts do not fit together."""
    return PolicyError(f"a policy with {asked}", found, "get the file again from whoever made it")
