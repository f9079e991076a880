"""A bounded random sample of rows, drawn while they pass by; parts of a table give samples that merge into one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.protocols import Codes, Words
from discreet.tables.parquet import spoken

if TYPE_CHECKING:
    import pyarrow as pa

TAG, PLACE = "(tag)", "(place)"


class SamplePart:
    """The rows with the smallest of independent random tags: every set of n rows is equally likely to be the sample.

    The tag of a row depends on the seed, on the shard and on the row's place, never on how rows were cut into batches.
    """

    def __init__(
        self, columns: Sequence[str], most: int, seed: int, schema: pa.Schema, shard: int = 0
    ) -> None:
        import pyarrow as pa

        self.columns, self.most, self.shard = tuple(columns), most, shard
        self._tag = len(self.columns)
        self.schema = pa.schema([schema.field(c) for c in columns])
        self._tags = np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, shard])))
        self._held: list[pa.Table] = []
        self._kept, self._limit, self._seen = 0, np.uint64(2**64 - 1), 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Keep those of these rows that may be in the sample."""
        import pyarrow as pa

        n = batch.num_rows
        tags: Words = self._tags.integers(0, 2**64, size=n, dtype=np.uint64)
        places = (np.uint64(self.shard) << np.uint64(44)) + np.arange(
            self._seen, self._seen + n, dtype=np.uint64
        )
        self._seen += n
        chosen = np.flatnonzero(tags <= self._limit)
        if not chosen.size:
            return
        rows = spoken(batch.select(list(self.columns)).take(pa.array(chosen)), self.schema, "a sample")
        self._keep(
            pa.Table.from_arrays(
                [*rows.columns, pa.array(tags[chosen]), pa.array(places[chosen])], [*self.columns, TAG, PLACE]
            )
        )

    def _keep(self, rows: pa.Table) -> None:
        self._held.append(rows)
        self._kept += rows.num_rows
        if self._kept > 2 * self.most:
            self._held = [self._smallest()]
            self._kept = self._held[0].num_rows
            self._limit = np.uint64(np.asarray(self._held[0].column(self._tag)).max())

    def _smallest(self) -> pa.Table:
        """The `most` rows with the smallest tags."""
        import pyarrow as pa

        rows = pa.concat_tables(self._held)
        if rows.num_rows <= self.most:
            return rows
        tags = np.asarray(rows.column(self._tag))
        return rows.take(pa.array(np.sort(np.argpartition(tags, self.most - 1)[: self.most])))

    def parts(self) -> list[pa.Table]:
        """The sampled rows with their tags."""
        return [self._smallest()] if self._held else []

    def take(self, parts: Iterable[pa.Table]) -> None:
        """Join with what was sampled elsewhere."""
        for part in parts:
            self._keep(part)

    def placed(self) -> tuple[pa.Table, Codes]:
        """The sample in the order of the rows, and the places of these rows."""
        import pyarrow as pa

        if not self._held:
            return self.schema.empty_table(), np.empty(0, dtype=np.int64)
        rows = self._smallest()
        places = np.asarray(rows.column(self._tag + 1))
        order = np.argsort(places)
        ordered = rows.select(range(self._tag)).take(pa.array(order))
        return ordered, places[order].astype(np.int64)

    def result(self) -> pa.Table:
        """The sample, in the order of the rows."""
        return self.placed()[0]
