"""Rows as Samples: what audit, design and attack learn from, on one machine and in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.axis import Axis
from discreet.core.errors import SchemaError
from discreet.core.protocols import Array, Codes
from discreet.core.samples import Column, Columns, Samples
from discreet.tables.arrow_types import nature
from discreet.tables.block import column_of
from discreet.tables.coding import coding_of, levels_of
from discreet.tables.collect import sample_of
from discreet.tables.fit import block_of
from discreet.tables.guess import guess_schema
from discreet.tables.naming import shown
from discreet.tables.scale import as_floats
from discreet.tables.schema import Field, Kind, Schema
from discreet.tables.source import open_source

if TYPE_CHECKING:
    import pyarrow as pa

MOST = 100_000
"""So many rows are drawn, unless asked otherwise."""

A_DAY = {"s": 86_400.0, "ms": 86_400e3, "us": 86_400e6, "ns": 86_400e9}


def samples_of(
    records: Any,
    private: str | Sequence[str],
    public: str | Sequence[str] | None = None,
    *,
    schema: Schema | None = None,
    most: int = MOST,
    rng: np.random.Generator,
) -> Samples:
    """At most `most` records, drawn at random: numbers and dates (in days) as numbers, all else as levels, missing
    among them.

    Several private columns are one secret with their combinations as values; a private number is binned as the schema
    says. Without `public` it is the columns that the schema calls public, guessed where there is none.

    >>> import pyarrow as pa
    >>> people = pa.table({"age": [31, 45, 31], "vote": ["yes", "no", None]})
    >>> samples_of(people, "vote", "age", rng=np.random.default_rng(0))
    Samples of 3 records: vote (3) and age
    """
    source = open_source(records)
    found = schema or guess_schema(source, private=private, public=public)
    secret = [private] if isinstance(private, str) else list(private)
    given = list(found.public) if public is None else [public] if isinstance(public, str) else list(public)
    both = sorted(set(secret) & set(given))
    if both or not secret or not given:
        raise SchemaError(
            "private columns, and other ones that are public",
            f"{shown(both)} in both" if both else "none of one kind",
            "name each column for one purpose",
        )
    names = tuple(dict.fromkeys((*secret, *given)))
    found.check(source.schema, names)
    table = sample_of(source, most, columns=names, seed=int(rng.integers(2**63)))
    if not table.num_rows:
        raise SchemaError("samples of some records", f"no rows in {source.name}", "give records with rows")
    return Samples(columns_of(table, found, given), *secret_of(table, found, secret))


def secret_of(table: pa.Table, schema: Schema, private: Sequence[str]) -> tuple[Codes, Axis]:
    """The secret of each row as one number, and what the numbers are called."""
    codings = [coding_of(schema[n], column_of(table, n), 1) for n in private]
    codes = [c.encode(column_of(table, n))[0] for c, n in zip(codings, private, strict=True)]
    block, symbols, _ = block_of(codings, codes, 1)
    return symbols, block.axis


def columns_of(table: pa.Table, schema: Schema, names: Sequence[str] | None = None) -> Columns:
    """These columns of a table as NumPy columns, in the words of the schema; the public ones unless named."""
    chosen = schema.public if names is None else names
    return Columns([_column(schema[n], column_of(table, n)) for n in chosen])


def _column(field: Field, values: pa.Array) -> Column:
    if field.kind.binned or (
        field.kind is Kind.ORDERED and nature(field.arrow) == "number" and field.levels is None
    ):
        return Column(field.name, _numbers(values))
    coding = levels_of(field, values, 1)
    return Column(field.name, coding.encode(values)[0], coding.labels)


def _numbers(values: pa.Array) -> Array:
    """Numbers as they are, dates in days, times in seconds."""
    return as_floats(values) / _unit(values.type)


def _unit(kind: pa.DataType) -> float:
    """How many units of the type make one of ours: a day for moments, a second for spans, else one."""
    import pyarrow.types as is_

    if is_.is_timestamp(kind):
        return A_DAY[kind.unit]
    if is_.is_date64(kind):
        return A_DAY["ms"]
    return A_DAY[kind.unit] / A_DAY["s"] if is_.is_time(kind) or is_.is_duration(kind) else 1.0
