"""The records as a design sees them: a bounded sample, split into rows to design on and rows to hold it against."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.counts import Counts
from discreet.core.errors import SchemaError
from discreet.core.protocols import Codes
from discreet.tables.codec import Codec
from discreet.tables.schema import Schema

if TYPE_CHECKING:
    from discreet.tables.protocols import Source

MOST_ROWS = 1_000_000
LEAST_ROWS = 2


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows, and their symbols: of the secret, x[row, block] of the public columns, of the utility if asked for."""

    codec: Codec
    s: Codes
    x: Codes
    u: Codes | None
    table: Any

    @property
    def n(self) -> int:
        """How many."""
        return self.s.size

    def some(self, most: int, rng: np.random.Generator) -> Rows:
        """So many of them at most, drawn evenly, in their order."""
        if self.n <= most:
            return self
        chosen = np.sort(rng.choice(self.n, most, replace=False))
        u = None if self.u is None else self.u[chosen]
        return Rows(self.codec, self.s[chosen], self.x[chosen], u, self.table.take(chosen))

    def of_block(self, block: int) -> Counts:
        """The table of the secret and one block."""
        sizes = (self.codec.secret.size, self.codec.public[block].size)
        axes = (self.codec.secret.axis, self.codec.public[block].axis)
        return Counts.of_codes(np.stack([self.s, self.x[:, block]], axis=1), sizes, axes)

    def of_utility(self, block: int) -> Counts:
        """The table of the utility and one block."""
        if self.u is None or self.codec.utility is None:
            raise SchemaError("a utility column", "none", "name one: utility=… or --utility")
        sizes = (self.codec.utility.size, self.codec.public[block].size)
        axes = (replace(self.codec.utility.axis, name="the utility"), self.codec.public[block].axis)
        return Counts.of_codes(np.stack([self.u, self.x[:, block]], axis=1), sizes, axes)


@dataclass(frozen=True, eq=False)
class Split:
    """A codec made on the rows to design on alone, those rows, and the rows that the design never saw."""

    schema: Schema
    codec: Codec
    design: Rows
    held_out: Rows


def split(
    source: Source,
    schema: Schema,
    *,
    share: float,
    most: int,
    rng: np.random.Generator,
    held_out: Source | None = None,
) -> Split:
    """Read a bounded sample of the rows, split it, and code both parts with a codec that one part made."""
    from discreet.tables.collect import sample_of
    from discreet.tables.fit import RARE, fit_codec

    columns = [*schema.private, *schema.public, *(n for n in schema.utility if n not in schema.public)]
    sample = sample_of(source, MOST_ROWS, columns=columns, seed=int(rng.integers(2**31)))
    if held_out is None:
        first = rng.random(sample.num_rows) < share
        parts = sample.filter(first), sample.filter(~first)
    else:
        parts = sample, sample_of(held_out, MOST_ROWS, columns=columns, seed=int(rng.integers(2**31)))
    if min(part.num_rows for part in parts) < LEAST_ROWS:
        raise SchemaError(
            "rows to design on and rows to hold it against",
            f"{parts[0].num_rows} and {parts[1].num_rows}",
            "give more records, or another share of them to the design",
        )
    rare = max(1, min(RARE, parts[0].num_rows // RARE))
    codec = fit_codec(parts[0], schema, rng=rng, most=most, rare=rare)
    design, against = (_rows(codec, part) for part in parts)
    return Split(schema, codec, design, against)


def _rows(codec: Codec, table: Any) -> Rows:
    coded = codec.encode(table)
    if coded.s is None:
        raise SchemaError("the secret of each row", "none", "name the private column")
    return Rows(codec, coded.s, coded.x, coded.u, table)
