"""The first look at records: what each column seems to be, and what it seems to be for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from discreet.core.errors import SchemaError
from discreet.tables.arrow_types import name_of, nature
from discreet.tables.naming import shown
from discreet.tables.schema import Field, Kind, Role, Schema, known
from discreet.tables.source import open_source
from discreet.tables.spark_frames import SparkFrame

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 100_000
"""So many rows are looked at."""

FEW = 20
"""A number with so few different values is a scale."""

LONG = 40
"""Texts longer than this on average are written, not chosen."""

NAMED_ID = re.compile(
    r"(^|[_\W])(id|uuid|guid|key|nr|no|ssn|email|iban)$|^(index|rownames?|__index_level_\d+__)$",
    re.IGNORECASE,
)


class Seen(NamedTuple):
    """What the first rows show of a column."""

    name: str
    type: pa.DataType
    rows: int
    missing: int
    distinct: int
    length: float
    rising: bool


def guess_schema(
    records: Any,
    *,
    private: str | Sequence[str] = (),
    public: str | Sequence[str] | None = None,
    utility: str | Sequence[str] = (),
    id: str | Sequence[str] = (),  # noqa: A002
    drop: str | Sequence[str] = (),
    rows: int = ROWS,
) -> Schema:
    """The schema that the first rows suggest; columns that are named have the role they are named for.

    Without `public` every column is public that is not private, an id or dropped.

    >>> import pyarrow as pa
    >>> print(guess_schema(pa.table({"age": [31, 45], "income": ["low", "high"]}), private="income"))
    age     public   ordered          2 distinct         0 missing  a number with few values
    income  private  category         2 distinct         0 missing  text with few values
    """
    source = open_source(records)
    names = source.schema.names
    asked = _asked(names, private, public, utility, id, drop)
    fields = []
    for seen in look(source, rows):
        kind, why = kind_of(seen)
        role = asked.get(seen.name) or _role(seen, kind, public is not None)
        if role is Role.DROP and seen.name not in asked:
            why = "not named" if public is not None else why
        fields.append(
            Field(
                seen.name,
                role,
                kind,
                name_of(seen.type),
                bins=4 if role is Role.PRIVATE and kind.binned else 8,
                kept=role is Role.PUBLIC and seen.name in _listed(utility),
                distinct=seen.distinct,
                missing=seen.missing,
                rows=seen.rows,
                why=why,
            )
        )
    return Schema(tuple(fields))


def look(source: Any, rows: int = ROWS) -> list[Seen]:
    """What the first rows show of every column."""
    import pyarrow as pa

    held, n = [], 0
    looked_at = source.head(rows) if isinstance(source, SparkFrame) else source
    for batch in looked_at.batches(encoded=True):
        held.append(batch)
        n += batch.num_rows
        if n >= rows:
            break
    found = []
    for place, field in enumerate(source.schema):
        chunks = [batch.column(place) for batch in held]
        column = pa.chunked_array(chunks, chunks[0].type) if chunks else pa.chunked_array([], field.type)
        found.append(_seen(field, column))
    return found


def _seen(field: pa.Field, column: pa.ChunkedArray) -> Seen:
    import pyarrow as pa
    import pyarrow.compute as pc

    if nature(field.type) in {"other", "nothing"}:
        return Seen(field.name, field.type, len(column), column.null_count, 0, 0.0, False)
    if pa.types.is_floating(field.type):
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, field.type), column)
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    values = pc.unique(column).drop_null()
    plain = values.dictionary_decode() if isinstance(values, pa.DictionaryArray) else values
    text = nature(field.type) == "text"
    length = float(pc.mean(pc.utf8_length(plain)).as_py() or 0) if text else 0.0
    rising = (
        pa.types.is_integer(field.type)
        and len(column) > 1
        and bool(pc.all(pc.greater(column[1:], column[:-1])).as_py())
    )
    return Seen(field.name, field.type, len(column), column.null_count, len(plain), length, rising)


def kind_of(seen: Seen) -> tuple[Kind, str]:
    """What the column is, and why."""
    what, few = nature(seen.type), seen.distinct <= FEW
    if what == "boolean":
        return Kind.BOOLEAN, "true or false"
    if what == "date":
        return Kind.DATE, "dates"
    if what == "number":
        return (Kind.ORDERED, "a number with few values") if few else (Kind.NUMBER, "a number")
    if what == "other":
        return Kind.TEXT, f"values of type {str(seen.type)[:40]}, which cannot be coded"
    if "dictionary" in str(seen.type):
        ordered = bool(seen.type.ordered)
        return (Kind.ORDERED, "ordered categories") if ordered else (Kind.CATEGORY, "categories")
    if seen.length > LONG or (seen.distinct > FEW and seen.distinct > 0.5 * (seen.rows - seen.missing)):
        return Kind.TEXT, "text with many values"
    if what == "nothing" or not seen.distinct:
        return Kind.CATEGORY, "nothing but missing values"
    return Kind.CATEGORY, "text with few values" if few else "text whose values come again"


def _role(seen: Seen, kind: Kind, named: bool) -> Role:
    """The role of a column that nobody named."""
    whole = nature(seen.type) == "text" or seen.rising or (kind is Kind.NUMBER and "int" in str(seen.type))
    unlike = seen.distinct == seen.rows - seen.missing and seen.distinct > FEW
    if (
        unlike
        and whole
        and seen.length <= LONG
        and (seen.rising or kind is Kind.TEXT or NAMED_ID.search(seen.name))
    ):
        return Role.ID
    return Role.DROP if named or kind is Kind.TEXT else Role.PUBLIC


def _asked(names: Sequence[str], *given: str | Sequence[str] | None) -> dict[str, Role]:
    """The roles that were asked for, each column in one of them; a utility column may be public too."""
    private, public, utility, ids, dropped = (_listed(one) for one in given)
    asked: dict[str, Role] = {}
    roles = ((Role.PRIVATE, private), (Role.ID, ids), (Role.DROP, dropped), (Role.PUBLIC, public))
    for name, role in chain.from_iterable(
        [(known(n, names), role) for n in chosen] for role, chosen in roles
    ):
        if asked.setdefault(name, role) is not role:
            raise SchemaError(
                f"the column {shown([name])} as {role}",
                f"it is {asked[name]} already",
                "name it for one purpose",
            )
    released = given[1] is None
    for name in (known(n, names) for n in utility):
        if asked.setdefault(name, Role.PUBLIC if released else Role.UTILITY) not in {
            Role.PUBLIC,
            Role.UTILITY,
        }:
            raise SchemaError(
                f"the column {shown([name])} as utility",
                f"it is {asked[name]} already",
                "name it for one purpose",
            )
    return asked


def _listed(names: str | Sequence[str] | None) -> list[str]:
    if names is None:
        return []
    return list(dict.fromkeys([names] if isinstance(names, str) else names))
