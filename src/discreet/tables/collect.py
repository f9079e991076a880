"""One read of some records, many statistics: each adds up over parts, on one machine and on many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from discreet.core.counts import Counts
from discreet.core.errors import SourceError
from discreet.core.protocols import Codes
from discreet.tables import duck
from discreet.tables.codec import Codec
from discreet.tables.moments import HistogramPart, MomentPart
from discreet.tables.protocols import Source
from discreet.tables.sampling import SamplePart
from discreet.tables.source import open_source
from discreet.tables.spark_collect import collect_spark
from discreet.tables.spark_frames import SparkFrame
from discreet.tables.tally import Cells, Tally

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 1 << 17
"""Rows of one batch when counting."""


class Part(Protocol):
    """A statistic of the rows that it has seen."""

    def add(self, batch: pa.RecordBatch) -> None:
        """See these rows too."""
        ...

    def parts(self) -> list[pa.Table]:
        """What it knows, as tables that can travel."""
        ...

    def take(self, parts: Iterable[pa.Table]) -> None:
        """Add what another of its kind knows."""
        ...

    def result(self) -> Any:
        """The statistic."""
        ...


class Statistic(Protocol):
    """What is asked of the rows: the description of a statistic, which makes a part for each shard of the rows."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that have to be read."""
        ...

    def begin(self, schema: pa.Schema, shard: int = 0) -> Part:
        """A part that has seen nothing yet."""
        ...


@dataclass(frozen=True)
class Counted:
    """How often each combination of values occurs, for several sets of columns: a dictionary from a set to its
    Counts.
    """

    sets: tuple[tuple[str, ...], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of the sets."""
        return tuple(dict.fromkeys(name for one in self.sets for name in one))

    def begin(self, schema: pa.Schema, shard: int = 0) -> Tally:  # noqa: ARG002
        """Nothing counted yet."""
        return Tally(self.sets, schema)


@dataclass(frozen=True)
class Moments:
    """Count, missing, mean, variance and extremes of columns of numbers or dates."""

    columns: tuple[str, ...]

    def begin(self, schema: pa.Schema, shard: int = 0) -> MomentPart:  # noqa: ARG002
        """Nothing summed up yet."""
        return MomentPart(self.columns)


@dataclass(frozen=True)
class Histogram:
    """How many values of a column lie between borders; missing ones come last."""

    column: str
    borders: tuple[float, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def begin(self, schema: pa.Schema, shard: int = 0) -> HistogramPart:  # noqa: ARG002
        """Nothing counted yet."""
        return HistogramPart(self.column, self.borders)


@dataclass(frozen=True)
class Sampled:
    """A random sample of at most so many rows; experiments give a seed."""

    columns: tuple[str, ...]
    most: int
    seed: int

    def begin(self, schema: pa.Schema, shard: int = 0) -> SamplePart:
        """Nothing sampled yet."""
        return SamplePart(self.columns, self.most, self.seed, schema, shard)


@dataclass(frozen=True)
class CodedCounts:
    """Counts of a codec's symbols: n[s, x] for every public block, and of columns that are coded, all in one read."""

    codec: Codec

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are coded."""
        blocks = (self.codec.secret, *self.codec.public)
        return tuple(dict.fromkeys(name for block in blocks for name in block.names))

    def begin(self, schema: pa.Schema, shard: int = 0) -> CodedPart:  # noqa: ARG002
        """Nothing counted yet."""
        return CodedPart(self.codec)


class CodedPart:
    """Counts of the secret's symbol with each public block's symbol."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self._cells = [Cells() for _ in codec.public]

    def add(self, batch: pa.RecordBatch) -> None:
        """Count these rows."""
        coded = self.codec.encode(batch, utility=False)
        assert coded.s is not None  # noqa: S101 — asked for above
        for cells, block, x in zip(self._cells, self.codec.public, coded.x.T, strict=True):
            cells.add(*np.unique(coded.s * block.size + x, return_counts=True))

    def parts(self) -> list[pa.Table]:
        """The cells that occur, block by block."""
        import pyarrow as pa

        return [pa.table(dict(zip(("cell", "n"), cells.merged(), strict=True))) for cells in self._cells]

    def take(self, parts: Iterable[pa.Table]) -> None:
        """Add what was counted elsewhere."""
        for cells, part in zip(self._cells, parts, strict=True):
            cells.add(np.asarray(part.column("cell")), np.asarray(part.column("n")))

    def result(self) -> list[Counts]:
        """n[s, x] of every block."""
        secret = self.codec.secret.axis
        made = []
        for cells, block in zip(self._cells, self.codec.public, strict=True):
            flat, n = cells.merged()
            codes: Codes = np.stack(np.divmod(flat, block.size), axis=1)
            made.append(
                Counts.of_codes(codes, (self.codec.secret.size, block.size), (secret, block.axis), n=n)
            )
        return made


def collect(
    records: Any, statistics: Mapping[str, Statistic], *, engine: Literal["duckdb", "stream"] | None = None
) -> dict[str, Any]:
    """The results of all these statistics, from one read of the records.

    Counts are made by DuckDB where it is the faster one, else from the stream of batches; `engine` decides otherwise.
    A Spark frame is counted where it lies: each partition sums up its rows, and only the sums travel.

    >>> import pyarrow as pa
    >>> people = pa.table({"age": [31, 45, 31], "vote": ["yes", "no", "no"]})
    >>> found = collect(people, {"pairs": Counted((("vote", "age"),)), "ages": Moments(("age",))})
    >>> found["pairs"]["vote", "age"].n
    array([[1, 1],
           [1, 0]])
    >>> found["ages"]["age"].high
    45.0
    """
    source = open_source(records)
    if isinstance(source, SparkFrame):
        return collect_spark(source, statistics)
    begun = {name: one.begin(source.schema) for name, one in statistics.items()}
    done = {
        name
        for name, one in statistics.items()
        if _by_duck(begun[name], one, source, engine, len(statistics))
    }
    columns = tuple(
        dict.fromkeys(c for name, one in statistics.items() if name not in done for c in one.columns)
    )
    for batch in source.batches(columns, size=BATCH, encoded=True) if columns else ():
        for name in begun.keys() - done:
            begun[name].add(batch)
    return {name: part.result() for name, part in begun.items()}


def _by_duck(part: Part, asked: Statistic, source: Source, engine: str | None, statistics: int) -> bool:
    """Whether DuckDB has counted: asked to, or because it is faster; where it was not asked it may fail, and is not
    missed.
    """
    if not isinstance(asked, Counted) or engine == "stream":
        return False
    if engine is None and (statistics > 1 or not duck.suits(source, asked.sets)):
        return False
    try:
        part.take(duck.counted(source, asked.sets))
    except SourceError:
        if engine is not None:
            raise
        return False
    return True


def counts_of(records: Any, *columns: str) -> Counts:
    """How often each combination of values of these columns occurs; the secret first, by convention.

    >>> import pyarrow as pa
    >>> counts_of(pa.table({"vote": ["yes", "no", "no"], "age": [31, 45, 31]}), "vote", "age")
    Counts over (vote: 2, age: 2) of 3 rows
    """
    found: Counts = collect(records, {"counts": Counted((columns,))})["counts"][columns]
    return found


def sample_of(records: Any, most: int, *, columns: Sequence[str] | None = None, seed: int) -> pa.Table:
    """A random sample of at most so many rows, in their order."""
    source = open_source(records)
    names = tuple(source.schema.names if columns is None else columns)
    found: pa.Table = collect(source, {"sample": Sampled(names, most, seed)})["sample"]
    return found
