"""Which type the texts of a column spell, and their values. A code such as 007 is text: a number would lose its
zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

WORDS = ("NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "NAN", "#N/A", "-")
"""Words for a missing number or date. Where a column is text they are text: NA is also Namibia."""

TRUTH = ("true", "false", "True", "False", "TRUE", "FALSE")
CODE = r"^[+-]?0[0-9]"
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
MOMENT = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?$"
)
ZONED = r"(Z|[+-][0-9]{2}:?[0-9]{2})$"


@dataclass
class Guess:
    """The narrowest type that all texts seen so far can have: each batch may only rule types out."""

    open: list[str] = field(default_factory=lambda: ["bool", "whole", "number", "day", "moment", "zoned"])
    spelled: bool = False
    some: bool = False
    fraction: int = 0

    def see(self, texts: pa.Array) -> None:
        """Rule out what these texts are not."""
        import pyarrow.compute as pc

        if not self.open:
            return
        held = pc.unique(texts.drop_null())
        missing = pc.is_in(held, value_set=_array(WORDS))
        words = bool(pc.any(missing).as_py())
        values = held.filter(pc.invert(missing))
        if len(values):
            self.some = True
            self.open = [kind for kind in self.open if TESTS[kind](values)]
            if "moment" in self.open or "zoned" in self.open:
                self.fraction = max(self.fraction, _digits(values))
        self.spelled = (self.spelled or words) and bool(self.open)

    @property
    def type(self) -> pa.DataType:
        """The Arrow type; a column without any value is text."""
        import pyarrow as pa

        if not self.some or not self.open:
            return pa.string()
        unit = (
            "s" if not self.fraction else "ms" if self.fraction <= 3 else "us" if self.fraction <= 6 else "ns"
        )
        return {
            "bool": pa.bool_(),
            "whole": pa.int64(),
            "number": pa.float64(),
            "day": pa.date32(),
            "moment": pa.timestamp(unit),
            "zoned": pa.timestamp(unit, tz="UTC"),
        }[self.open[0]]


def parses(kind: pa.DataType) -> bool:
    """Whether the parser of text files makes values of this type itself."""
    import pyarrow as pa

    return not pa.types.is_boolean(kind)


def typed(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """Texts as values of this type; words for a missing value are missing ones."""
    import pyarrow as pa
    import pyarrow.compute as pc

    clean = pc.if_else(pc.is_in(texts, value_set=_array(WORDS)), pa.scalar(None, pa.string()), texts)
    if pa.types.is_timestamp(kind) and kind.tz is None:
        return pc.cast(pc.replace_substring(clean, "T", " "), kind)
    return pc.cast(clean, kind)


def _array(words: tuple[str, ...]) -> pa.Array:
    import pyarrow as pa

    return pa.array(words, pa.string())


def _all(values: pa.Array, pattern: str) -> bool:
    import pyarrow.compute as pc

    return bool(pc.all(pc.match_substring_regex(values, pattern)).as_py())


def _casts(values: pa.Array, kind: str) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        pc.cast(values, kind)
    except pa.ArrowException:
        return False
    return True


def _coded(values: pa.Array) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(values, CODE)).as_py())


def _truth(values: pa.Array) -> bool:
    import pyarrow.compute as pc

    return bool(pc.all(pc.is_in(values, value_set=_array(TRUTH))).as_py())


def _digits(values: pa.Array) -> int:
    """The most digits after the point of a second."""
    import pyarrow.compute as pc

    found = pc.struct_field(pc.extract_regex(values, r":[0-9]{2}\.(?P<f>[0-9]{1,9})"), "f")
    return int(pc.max(pc.utf8_length(found)).as_py() or 0)


TESTS: dict[str, Callable[[pa.Array], bool]] = {
    "bool": _truth,
    "whole": lambda v: not _coded(v) and _all(v, r"^-?[0-9]{1,19}$") and _casts(v, "int64"),
    "number": lambda v: (
        not _coded(v)
        and _all(v, r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?inf$")
        and _casts(v, "float64")
    ),
    "day": lambda v: _all(v, DAY) and _casts(v, "date32[day]"),
    "moment": lambda v: (
        _all(v, MOMENT) and not _any_zone(v) and (_casts(v, "timestamp[us]") or _casts(v, "timestamp[ns]"))
    ),
    "zoned": lambda v: _all(v, MOMENT) and _all(v, ZONED) and _zoned(v),
}


def _any_zone(values: pa.Array) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(values, r":[0-9.]*" + ZONED)).as_py())


def _zoned(values: pa.Array) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        pc.cast(values, pa.timestamp("ns", tz="UTC"))
    except pa.ArrowException:
        return False
    return True
