"""Numbers and dates as floats, and floats as numbers and dates of the same type again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import SchemaError
from discreet.core.protocols import Array, Codes
from discreet.tables.arrow_types import nature

if TYPE_CHECKING:
    import pyarrow as pa


def is_whole(kind: pa.DataType) -> bool:
    """Whether values of the type are whole numbers of some unit: integers, dates, times, booleans."""
    import pyarrow.types as is_

    return not (is_.is_floating(kind) or is_.is_decimal(kind))


def as_floats(column: pa.Array, like: pa.DataType | None = None) -> Array:
    """The values as floats, in the unit of their type, or of the type `like`; a missing one is NaN.

    >>> import pyarrow as pa
    >>> as_floats(pa.array([3, None], pa.int8()))
    array([ 3., nan])
    >>> as_floats(pa.array([3], pa.date32()), pa.timestamp("s"))
    array([259200.])
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = column.dictionary_decode() if isinstance(column, pa.DictionaryArray) else column
    if nature(plain.type) not in {"number", "date", "boolean", "nothing"}:
        raise SchemaError("a column of numbers or dates", f"type {plain.type}", "make it a category")
    kind = plain.type
    if nature(kind) == "date" or pa.types.is_duration(kind):
        plain = plain.view(_unit(kind))
    held = pc.cast(plain, pa.float64(), safe=False)
    found: Array = np.asarray(held.to_numpy(zero_copy_only=False), dtype=np.float64)
    return found if like is None or like == kind else found * _times(kind, like)


def _times(kind: pa.DataType, like: pa.DataType) -> float:
    """How many units of the second type make one of the first: days and seconds of the same moments."""
    one, other = _nanoseconds(kind), _nanoseconds(like)
    return one / other if one and other else 1.0


def _nanoseconds(kind: pa.DataType) -> float | None:
    """How long the unit of a type of moments or spans is."""
    import pyarrow as pa

    if pa.types.is_date32(kind):
        return 86_400e9
    if pa.types.is_date64(kind):
        return 1e6
    return {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0}.get(getattr(kind, "unit", ""))


def from_whole(values: Codes, missing: NDArray[np.bool_], kind: pa.DataType) -> pa.Array:
    """Whole numbers of the unit of the type, as values of the type."""
    import pyarrow as pa

    low, high = _range(_unit(kind))
    held = pa.array(np.clip(values, low, high).astype(_unit(kind).to_pandas_dtype()), mask=missing)
    return held if held.type == kind else held.view(kind)


def from_floats(
    values: Array,
    missing: NDArray[np.bool_],
    kind: pa.DataType,
    low: Array | float = -np.inf,
    high: Array | float = np.inf,
) -> pa.Array:
    """Floats as values of a floating or decimal type, none of them rounded out of its [low, high)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_decimal(kind):
        bound = 10.0 ** (kind.precision - kind.scale) * (1 - 1e-15)
        rounded = np.round(np.clip(values, -bound, bound), max(kind.scale, 0))
        return pc.cast(pa.array(rounded, mask=missing), kind, safe=False)
    held = values.astype(kind.to_pandas_dtype())
    held = np.where(held >= high, np.nextafter(held, -np.inf), held)
    return pa.array(np.where(held < low, np.nextafter(held, np.inf), held).astype(held.dtype), mask=missing)


def point(given: Any, kind: pa.DataType) -> float:
    """A border that the user wrote, a number or a date in ISO form, as a float in the unit of the type."""
    import pyarrow as pa

    if nature(kind) != "date" and isinstance(given, int | float):
        return float(given)
    try:
        if pa.types.is_timestamp(kind) and kind.tz:
            held = pa.array([str(given)]).cast(pa.timestamp(kind.unit))
            held = pa.compute.assume_timezone(held, kind.tz)
        else:
            held = pa.array([str(given)]).cast(kind)
    except (pa.ArrowException, ValueError):
        raise SchemaError(
            f"a border between bins of a column of type {kind}",
            repr(str(given)[:60]),
            "write a number, or a date as 2026-01-31",
        ) from None
    return float(as_floats(held)[0])


def worded(value: float, kind: pa.DataType) -> str:
    """A float in the unit of the type, as a person writes it."""
    if nature(kind) == "date":
        text = str(from_whole(np.array([int(value)]), np.array([False]), kind)[0].as_py())
        return text.removesuffix(" 00:00:00")
    return f"{int(value)}" if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


def _unit(kind: pa.DataType) -> pa.DataType:
    """The integers that a type of whole numbers is made of."""
    import pyarrow as pa

    if pa.types.is_integer(kind):
        return kind
    return pa.int32() if kind.bit_width == 32 else pa.int64()


def _range(kind: pa.DataType) -> tuple[int, int]:
    info = np.iinfo(kind.to_pandas_dtype())
    return max(int(info.min), -(2**63)), min(int(info.max), 2**63 - 1)
