"""Arrow types as plain words and back, for schemas and policies: `timestamp[us, tz=Europe/Berlin]`, `decimal128(9,
2)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from discreet.core.errors import SchemaError

if TYPE_CHECKING:
    import pyarrow as pa

Nature = Literal["boolean", "number", "date", "text", "nothing", "other"]
"""What the values of a type are, whatever their width."""

PLAIN = frozenset(
    [
        *("null", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *(
            "halffloat",
            "float",
            "double",
            "string",
            "large_string",
            "string_view",
            "date32[day]",
            "date64[ms]",
        ),
        *("time32[s]", "time32[ms]", "time64[us]", "time64[ns]"),
        *("duration[s]", "duration[ms]", "duration[us]", "duration[ns]"),
    ]
)

STAMP = re.compile(r"timestamp\[(s|ms|us|ns)(?:, tz=([\w/+:\-]{1,64}))?\]")
DECIMAL = re.compile(r"decimal(32|64|128|256)\((\d{1,2}), (-?\d{1,2})\)")
DICTIONARY = re.compile(r"dictionary<values=(.+), indices=(u?int(?:8|16|32|64)), ordered=([01])>")


def name_of(kind: pa.DataType) -> str:
    """The type in words.

    >>> import pyarrow as pa
    >>> name_of(pa.timestamp("us", tz="UTC")), name_of(pa.dictionary(pa.int8(), pa.string()))
    ('timestamp[us, tz=UTC]', 'dictionary<values=string, indices=int8, ordered=0>')
    """
    return str(kind)


def type_of(words: str) -> pa.DataType:
    """The type of these words; only types that a released column can have.

    >>> str(type_of("decimal128(9, 2)"))
    'decimal128(9, 2)'
    """
    import pyarrow as pa

    if words in PLAIN:
        return pa.type_for_alias(words)
    if stamp := STAMP.fullmatch(words):
        return pa.timestamp(stamp[1], tz=stamp[2])
    if decimal := DECIMAL.fullmatch(words):
        made: pa.DataType = getattr(pa, f"decimal{decimal[1]}")(int(decimal[2]), int(decimal[3]))
        return made
    found = DICTIONARY.fullmatch(words) if len(words) < 200 else None
    if found and not found[1].startswith("dictionary"):
        return pa.dictionary(type_of(found[2]), type_of(found[1]), ordered=found[3] == "1")
    raise SchemaError(
        "a type that a released column can have",
        repr(words[:80]),
        "use numbers, text, dates, booleans or categories of these",
    )


def nature(kind: pa.DataType) -> Nature:
    """What the values are: a dictionary is what its values are."""
    import pyarrow.types as is_

    if is_.is_dictionary(kind):
        return nature(kind.value_type)
    if is_.is_boolean(kind):
        return "boolean"
    if is_.is_integer(kind) or is_.is_floating(kind) or is_.is_decimal(kind) or is_.is_duration(kind):
        return "number"
    if is_.is_date(kind) or is_.is_timestamp(kind) or is_.is_time(kind):
        return "date"
    if is_.is_string(kind) or is_.is_large_string(kind) or is_.is_string_view(kind):
        return "text"
    return "nothing" if is_.is_null(kind) else "other"


def is_text(kind: pa.DataType) -> bool:
    """Whether the column itself is text, not a dictionary of texts."""
    import pyarrow.types as is_

    return bool(is_.is_string(kind) or is_.is_large_string(kind) or is_.is_string_view(kind))
