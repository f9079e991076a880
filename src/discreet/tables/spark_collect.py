"""The same statistics on a Spark frame: each partition sums up its rows, and only the sums travel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from discreet.tables.spark_frames import SparkFrame, packed, unpacked

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.tables.collect import Statistic

PARTIAL = "statistic string, shard int, place int, partial binary"


def collect_spark(source: SparkFrame, statistics: Mapping[str, Statistic]) -> dict[str, Any]:
    """The results of all these statistics, from one pass over a Spark batch frame.

    A sample draws its tags by partition: the same partitions give the same sample.
    """
    source.refuse_stream("statistics")
    columns = list(dict.fromkeys(c for one in statistics.values() for c in one.columns))
    schema = source.schema
    rows = source.placed(columns).mapInArrow(_partial(statistics, columns, schema), PARTIAL).collect()
    begun = {name: one.begin(schema) for name, one in statistics.items()}
    ordered = sorted(rows, key=_place)
    for (name, _), some in groupby(ordered, key=lambda row: _place(row)[:2]):
        begun[name].take([unpacked(bytes(row["partial"])) for row in some])
    return {name: part.result() for name, part in begun.items()}


def _place(row: Any) -> tuple[str, int, int]:
    return row["statistic"], row["shard"], row["place"]


def _partial(
    statistics: Mapping[str, Statistic], columns: list[str], schema: pa.Schema
) -> Callable[[Any], Iterator[pa.RecordBatch]]:
    """What runs on a worker: the statistics of one partition."""
    words = schema.serialize().to_pybytes()

    def partial(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        from pyspark import TaskContext

        there = pa.ipc.read_schema(pa.py_buffer(words))
        context = TaskContext.get()
        shard = 0 if context is None else int(context.partitionId())
        parts = {name: one.begin(there, shard) for name, one in statistics.items()}
        for batch in batches:
            named = batch.rename_columns(columns)
            for part in parts.values():
                part.add(named)
        tables = [
            (name, k, packed(table)) for name, part in parts.items() for k, table in enumerate(part.parts())
        ]
        names, places, partials = zip(*tables, strict=True) if tables else ((), (), ())
        made = {
            "statistic": pa.array(names, pa.string()),
            "shard": pa.array([shard] * len(tables), pa.int32()),
            "place": pa.array(places, pa.int32()),
            "partial": pa.array(partials, pa.binary()),
        }
        yield pa.RecordBatch.from_arrays(list(made.values()), list(made))

    return partial
