"""An even sample of rows with their positions, and the same rows of another file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from discreet.core.errors import SourceError
from discreet.core.protocols import Codes
from discreet.tables.naming import shown
from discreet.tables.protocols import Source
from discreet.tables.sampling import SamplePart
from discreet.tables.schema import known

if TYPE_CHECKING:
    import pyarrow as pa


class Sample(NamedTuple):
    """Some rows in their order, their positions, and how many rows there are in all."""

    table: pa.Table
    positions: Codes
    rows: int


def sampled(source: Source, columns: Sequence[str], most: int, *, rng: np.random.Generator) -> Sample:
    """At most so many rows, every set of them equally likely, in one read; all rows where there are no more.

    O(rows) time, and memory for twice as many rows as are asked for.
    """
    part = SamplePart(columns, most, int(rng.integers(2**63)), source.schema)
    rows = 0
    for batch in source.batches(list(columns)):
        part.add(batch)
        rows += batch.num_rows
    return Sample(*part.placed(), rows)


def rows_kept(source: Source) -> pa.Table:
    """All rows, in memory: of a stream, which can be read only once."""
    import pyarrow as pa

    return pa.Table.from_batches(list(source.batches()), source.schema)


def rows_at(source: Source, columns: Sequence[str], positions: Codes) -> Sample:
    """The rows at these positions, which rise. One read."""
    import pyarrow as pa

    kept: list[pa.RecordBatch] = []
    rows = 0
    for batch in source.batches(list(columns)):
        low, high = np.searchsorted(positions, [rows, rows + batch.num_rows])
        if high > low:
            kept.append(batch.take(pa.array(positions[low:high] - rows)))
        rows += batch.num_rows
    schema = pa.schema([source.schema.field(name) for name in columns])
    return Sample(pa.Table.from_batches(kept, schema), positions[positions < rows], rows)


def matched(release: Source, truth: Source, id: str) -> tuple[Codes, Codes]:  # noqa: A002
    """Where the people stand whom both have: (in the release, in the truth), in the order of the release."""
    import pyarrow.compute as pc

    here, there = _ids(release, id), _ids(truth, id)
    if here.type != there.type:
        here, there = pc.cast(here, "string"), pc.cast(there, "string")
    found = pc.index_in(here, there)
    return np.flatnonzero(np.asarray(found.is_valid())), np.asarray(found.drop_null()).astype(np.int64)


def _ids(source: Source, id: str) -> pa.Array:  # noqa: A002
    """The ids of a source, each of them different."""
    import pyarrow as pa
    import pyarrow.compute as pc

    name = known(id, source.schema.names)
    chunks = [batch.column(0) for batch in source.batches([name])]
    ids = pa.chunked_array(chunks, source.schema.field(name).type).combine_chunks()
    different = pc.count_distinct(ids, mode="all").as_py()
    if different != len(ids):
        raise SourceError(
            f"a column {shown([id])} that tells the people of {source.name} apart",
            f"{different:,} values in {len(ids):,} rows",
            "name a column with one value for each person",
        )
    return ids
