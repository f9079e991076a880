"""A release on a Spark cluster: each partition, or each micro-batch of a stream, through the kernel of one machine.

The words of a record are addressed by its id, so it does not matter which worker sees it, when, or how often. What
travels to the workers is the kernel and two keys derived for this policy alone; the secret key stays with the driver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.errors import SourceError
from discreet.tables.arrow_types import nature
from discreet.tables.mapping import mapped
from discreet.tables.parquet import spoken
from discreet.tables.spark_frames import SparkFrame

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.tables.releasing import Release

FORMS = {".parquet": "parquet", ".csv": "csv", ".orc": "orc", ".json": "json"}
"""What Spark writes a folder as, by the end of its name."""


def mapped_frame(
    release: Release, source: SparkFrame, out: str | Path | None = None
) -> tuple[Any, int | None]:
    """The release of a Spark frame: a frame again, lazy as that one, of a batch or of a stream; or the folder `out`.

    And how many rows it has, which is known of a folder that was written, and not of a lazy frame. A column keeps the
    type that it has in the frame; labels in place of numbers are text. Rows keep no order but that of their partitions,
    as everything in Spark.
    """
    run = mapped(release.kernel, release.address)
    names = list(dict.fromkeys((*release.kernel.needed, *([release.id] if release.id else []))))
    types = _types(release, source)
    frame = source.placed(names).mapInArrow(_worker(run, names, types, source.name), _said(types, source))
    return (frame, None) if out is None else _written(frame, out)


def _types(release: Release, source: SparkFrame) -> pa.Schema:
    """What the columns are released as: the types of the frame, where the values are of the same nature."""
    import pyarrow as pa

    made = []
    for name, kind in zip(release.kernel.columns, release.kernel.types, strict=True):
        own = source.schema.field(name).type
        made.append(pa.field(name, own if nature(own) == nature(kind) else pa.string()))
    return pa.schema(made)


def _said(types: pa.Schema, source: SparkFrame) -> Any:
    """The same as Spark says it; any value may be missing."""
    from pyspark.sql.types import StringType, StructField, StructType

    there = {field.name: field.dataType for field in source.frame.schema}
    own = source.schema
    return StructType(
        [
            StructField(f.name, there[f.name] if f.type == own.field(f.name).type else StringType(), True)
            for f in types
        ]
    )


def _worker(
    run: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    names: list[str],
    types: pa.Schema,
    source: str,
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What runs on a worker: the kernel over Arrow batches, in the types of the frame."""
    words = types.serialize().to_pybytes()

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        schema = pa.ipc.read_schema(pa.py_buffer(words))
        for batch in run(batch.rename_columns(names) for batch in batches):
            yield spoken(batch, schema, source)

    return work


def _written(frame: Any, out: str | Path) -> tuple[str, int]:
    """The folder that Spark has written, and its rows; it refuses one that is there already, and marks a whole one with
    _SUCCESS.
    """
    from pyspark.sql import Observation
    from pyspark.sql.functions import count, lit

    target = str(out)
    form = FORMS.get(Path(target).suffix.lower())
    if form is None or frame.isStreaming:
        found = "a stream" if frame.isStreaming else repr(Path(target).name)
        raise SourceError(
            f"a folder to write the release of a Spark frame to, ending with {', '.join(FORMS)}",
            found,
            "leave out= away, and write the released frame: .write for a batch, .writeStream for a stream",
        )
    seen = Observation()
    writer = frame.observe(seen, count(lit(1)).alias("rows")).write
    if form == "csv":
        writer = writer.option("header", True)
    writer.format(form).save(target)
    return target, int(seen.get["rows"])
