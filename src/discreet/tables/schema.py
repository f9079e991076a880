"""What the columns of some records are for, and what they are: guessed, shown, and corrected by their owner."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from discreet.core.errors import SchemaError
from discreet.tables.arrow_types import nature, type_of
from discreet.tables.naming import shown

if TYPE_CHECKING:
    import pyarrow as pa

Binning = Literal["quantile", "width"]


class Role(StrEnum):
    """What a column is for. Public columns go out; all others stay."""

    PRIVATE = "private"
    PUBLIC = "public"
    UTILITY = "utility"
    ID = "id"
    DROP = "drop"


class Kind(StrEnum):
    """What the values of a column are."""

    CATEGORY = "category"
    ORDERED = "ordered"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"
    TEXT = "text"

    @property
    def binned(self) -> bool:
        """Whether its values are put into bins; the values of all other kinds are levels."""
        return self in {Kind.NUMBER, Kind.DATE}


@dataclass(frozen=True, slots=True)
class Field:
    """One column: its role, its kind, and how its values become symbols.

    `cuts` are the inner borders of its bins where the user set them, as numbers or as dates in ISO form; else there
    are `bins`, of equal share (quantile) or of equal width. `levels` is the order of an ordered column. `kept` says
    that the release has to keep what the column tells, or what is told about it. `distinct` and `missing` are what
    was seen among `rows`.
    """

    name: str
    role: Role
    kind: Kind
    type: str
    bins: int = 8
    binning: Binning = "quantile"
    cuts: tuple[float | str, ...] | None = None
    levels: tuple[str | int | float | bool, ...] | None = None
    kept: bool = False
    distinct: int = field(default=0, compare=False)
    missing: int = field(default=0, compare=False)
    rows: int = field(default=0, compare=False)
    why: str = field(default="", compare=False)

    @property
    def arrow(self) -> pa.DataType:
        """Its Arrow type."""
        return type_of(self.type)


@dataclass(frozen=True)
class Schema:
    """The columns of some records, in their order."""

    fields: tuple[Field, ...]

    def __post_init__(self) -> None:
        twice = repeated([f.name for f in self.fields])
        if twice:
            raise SchemaError(
                "columns with different names", shown(twice) + " more than once", "rename what comes twice"
            )

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns, in order."""
        return tuple(f.name for f in self.fields)

    @cached_property
    def _by_name(self) -> dict[str, Field]:
        return {f.name: f for f in self.fields}

    def __getitem__(self, name: str) -> Field:
        found = self._by_name.get(name)
        return found if found is not None else self[known(name, self.names)]

    def named(self, role: Role) -> tuple[str, ...]:
        """The columns of this role, in order."""
        return tuple(f.name for f in self.fields if f.role is role)

    @property
    def private(self) -> tuple[str, ...]:
        """What must stay hidden."""
        return self.named(Role.PRIVATE)

    @property
    def public(self) -> tuple[str, ...]:
        """What is released, in the order of the records: the same columns, under the same names."""
        return self.named(Role.PUBLIC)

    @property
    def utility(self) -> tuple[str, ...]:
        """What the release has to keep, released itself or not; empty where it is all the public columns."""
        return tuple(f.name for f in self.fields if f.kept or f.role is Role.UTILITY)

    @property
    def id(self) -> tuple[str, ...]:
        """What tells one record from the other."""
        return self.named(Role.ID)

    def with_fields(self, changed: Iterable[Field]) -> Schema:
        """The same columns, some of them described otherwise."""
        by_name = {f.name: f for f in changed}
        for name in by_name:
            known(name, self.names)
        return Schema(tuple(by_name.get(f.name, f) for f in self.fields))

    def with_roles(self, **roles: Sequence[str]) -> Schema:
        """The same columns with other roles: `schema.with_roles(private=["income"], drop=["notes"])`."""
        changed = {name: Role(role) for role, names in roles.items() for name in names}
        return self.with_fields([replace(self[n], role=r, why="as asked") for n, r in changed.items()])

    def require(self) -> Schema:
        """Itself, if there is something to hide and something to give."""
        for names, missing in ((self.private, "private"), (self.public, "public")):
            if not names:
                raise SchemaError(
                    f"a {missing} column at least",
                    f"none among {len(self)} columns: {shown(self.names)}",
                    f"name one: {missing}=… or --{missing}",
                )
        return self

    def check(self, found: pa.Schema, names: Sequence[str]) -> None:
        """Refuse records that lack one of these columns, or have it with values of another nature."""
        there = dict(zip(found.names, found.types, strict=True))
        for name in names:
            f = self[name]
            now = there[known(name, tuple(there))] if name not in there else there[name]
            if "nothing" not in (nature(now), nature(f.arrow)) and nature(now) != nature(f.arrow):
                raise SchemaError(
                    f"column {shown([f.name])} with values of type {f.type}, as when the schema was made",
                    f"type {now}",
                    "give records of the same kind, or make the schema again",
                )

    def __str__(self) -> str:
        wide = max((len(f.name) for f in self.fields), default=4)
        lines = [
            f"{f.name[:40]:{min(wide, 40)}}  {f.role:8} {f.kind:9} {f.distinct:>8,} distinct"
            f"  {f.missing:>8,} missing  {f.why}"
            for f in self.fields
        ]
        return "\n".join(lines)


def repeated(names: Sequence[str]) -> list[str]:
    """The names that come more than once."""
    return sorted(name for name, n in Counter(names).items() if n > 1)


def chosen(columns: Sequence[str] | None, names: Sequence[str]) -> list[str]:
    """The columns that were asked for, if there are such; all of them if none were named."""
    if columns is None:
        return list(names)
    there = set(names)
    return [name if name in there else known(name, names) for name in columns]


def known(name: str, names: Sequence[str]) -> str:
    """The name, if there is such a column; else an error that says which was probably meant."""
    if name in names:
        return name
    folded = {n.casefold().strip(): n for n in names}
    near = difflib.get_close_matches(name.casefold().strip()[:200], list(folded)[:5000], n=1, cutoff=0.6)
    raise SchemaError(
        f"the column {shown([name])}",
        f"{len(names)} columns: {shown(names)}",
        f"did you mean {shown([folded[near[0]]])}?" if near else "use one of these names",
    )
