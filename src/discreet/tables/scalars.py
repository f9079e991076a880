"""Levels as Arrow holds them, and as JSON and TOML can: text, whole numbers, numbers, truth; all else as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.errors import SchemaError
from discreet.tables.arrow_types import nature

if TYPE_CHECKING:
    import pyarrow as pa

Level = str | int | float | bool


def as_levels(values: pa.Array) -> tuple[Level, ...]:
    """Values without missing ones as plain scalars; spans of time in their unit.

    >>> import pyarrow as pa
    >>> as_levels(pa.array([True, False]))
    (True, False)
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = values.type
    if pa.types.is_duration(kind):
        return tuple(values.view(pa.int64()).to_pylist())
    plain = pa.types.is_integer(kind) or pa.types.is_floating(kind) or nature(kind) in {"boolean", "text"}
    return tuple(values.to_pylist() if plain else pc.cast(values, pa.string()).to_pylist())


def level_array(levels: Sequence[Level], kind: pa.DataType) -> pa.Array:
    """Plain scalars as values of this type, which is no dictionary."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        if not levels or nature(kind) in {"text", "boolean"} or pa.types.is_integer(kind):
            return pa.array(list(levels), kind)
        if pa.types.is_floating(kind):
            return pa.array(np.array(levels, dtype=kind.to_pandas_dtype()), kind)
        if pa.types.is_duration(kind):
            return pa.array([int(level) for level in levels], pa.int64()).cast(kind)
        if pa.types.is_time(kind):
            return pa.array([_clock(str(level), kind.unit) for level in levels], f"int{kind.bit_width}").cast(
                kind
            )
        return pc.cast(pa.array([str(level) for level in levels], pa.string()), kind)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        raise SchemaError(
            f"levels of a column of type {kind}",
            f"{len(levels)} levels, of which one at least is none",
            "write the levels as the column holds them",
        ) from None


def _clock(text: str, unit: str) -> int:
    """12:30:00.5 in this unit."""
    hours, minutes, seconds = text.split(":")
    whole, _, part = seconds.partition(".")
    digits = {"s": 0, "ms": 3, "us": 6, "ns": 9}[unit]
    seconds_in_all = int(hours) * 3600 + int(minutes) * 60 + int(whole)
    return int(f"{seconds_in_all}{part.ljust(digits, '0')[:digits]}")


def alike(values: pa.Array, levels: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Values and levels in one type, so that equal ones are found equal; what is not a number is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    one, other = values.type, levels.type
    if pa.types.is_null(one):
        return pa.nulls(len(values), other), levels
    if nature(one) != nature(other):
        raise SchemaError(
            f"values of type {other}, as when the codec was made",
            f"type {one}",
            "give records of the same kind, or design again",
        )
    if pa.types.is_floating(one) or pa.types.is_floating(other):
        values, levels = pc.cast(values, pa.float64(), safe=False), pc.cast(levels, pa.float64(), safe=False)
        return pc.if_else(pc.is_nan(values), pa.scalar(None, pa.float64()), pc.add(values, 0.0)), levels
    if one == other and not pa.types.is_string_view(one):
        return values, levels
    shared = (
        pa.string()
        if nature(one) == "text"
        else pa.decimal128(38, 9)
        if pa.types.is_decimal(other)
        else other
    )
    if pa.types.is_integer(one) and pa.types.is_integer(other):
        shared = pa.uint64() if pa.types.is_uint64(one) and pa.types.is_uint64(other) else pa.int64()
    try:
        return pc.cast(values, shared), pc.cast(levels, shared)
    except pa.ArrowException:
        raise SchemaError(
            f"values of type {other}", f"type {one}, with values beyond it", "design again"
        ) from None
