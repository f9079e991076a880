"""Arrow's own files and streams. What they hold is checked before it is used: a hostile one could point anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from discreet.core.errors import SourceError
from discreet.tables.naming import printable, shown
from discreet.tables.protocols import BATCH
from discreet.tables.schema import chosen, repeated
from discreet.tables.text import once, parts, stamp, unreadable

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class ArrowFile:
    """An Arrow IPC file ("arrow") or a stream that was saved ("stream")."""

    path: Path
    form: str = "arrow"

    again = True
    ordered = True

    @property
    def name(self) -> str:
        """Its path."""
        return printable(str(self.path))

    @property
    def files(self) -> tuple[Path, ...]:
        """Itself."""
        return (self.path,)

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns as they are stored."""
        with self._open() as reader:
            return checked(reader.schema, self.name)

    @cached_property
    def rows(self) -> int | None:
        """Not stated by the format."""
        return None

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        size: int = BATCH,
        encoded: bool = False,  # noqa: ARG002
    ) -> Iterator[pa.RecordBatch]:
        """The rows, in order; dictionaries stay dictionaries."""
        schema = self.schema
        with self._open() as reader:
            whole = (
                (reader.get_batch(i) for i in range(reader.num_record_batches))
                if self.form == "arrow"
                else iter(reader)
            )
            yield from cut(whole, schema, columns, size, self.name)

    def fingerprint(self) -> str:
        """Size and time of change."""
        return stamp(self.path)

    def _open(self) -> Any:
        import pyarrow as pa

        try:
            opened = pa.memory_map(str(self.path)) if self.path.stat().st_size else pa.OSFile(str(self.path))
            return pa.ipc.open_file(opened) if self.form == "arrow" else pa.ipc.open_stream(opened)
        except (FileNotFoundError, PermissionError) as wrong:
            raise unreadable(self.name, wrong) from None
        except (pa.ArrowException, OSError) as wrong:
            raise damaged(self.name, wrong) from None


@dataclass(frozen=True)
class BatchStream:
    """Record batches that arrive once: an Arrow stream on standard input, a reader, anything with
    `__arrow_c_stream__`.
    """

    stream: Any
    name: str = "an Arrow stream"
    _taken: list[bool] = field(default_factory=list)

    form = "stream"
    again = False
    ordered = True
    rows = None
    files = ()

    @classmethod
    def of_bytes(cls, stream: BinaryIO, name: str) -> BatchStream:
        """The Arrow IPC stream that these bytes hold."""
        import pyarrow as pa

        try:
            return cls(pa.ipc.open_stream(stream), name)
        except (pa.ArrowException, OSError) as wrong:
            raise damaged(name, wrong) from None

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns as the stream states them."""
        return checked(self.stream.schema, self.name)

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        size: int = BATCH,
        encoded: bool = False,  # noqa: ARG002
    ) -> Iterator[pa.RecordBatch]:
        """The rows, in order, once."""
        once(self._taken, self.name)
        yield from cut(self.stream, self.schema, columns, size, self.name)

    def fingerprint(self) -> str:
        """Nothing: it cannot be read again."""
        return ""


def checked(schema: pa.Schema, name: str) -> pa.Schema:
    """The schema without metadata, if its names are different."""
    twice = repeated(schema.names)
    if twice:
        raise SourceError(
            f"columns with different names from {name}",
            f"{shown(twice)} more than once",
            "rename what comes twice",
        )
    return schema.remove_metadata()


def cut(
    batches: Any, schema: pa.Schema, columns: Sequence[str] | None, size: int, name: str
) -> Iterator[pa.RecordBatch]:
    """These columns of the batches, checked, at most `size` rows at a time."""
    import pyarrow as pa

    at = {name: place for place, name in enumerate(schema.names)}
    places = [at[name] for name in chosen(columns, schema.names)]
    try:
        for batch in batches:
            for part in parts(batch.select(places).replace_schema_metadata(None), size):
                part.validate(full=True)
                yield part
    except (pa.ArrowException, OSError) as wrong:
        raise damaged(name, wrong) from None


def damaged(name: str, wrong: Exception) -> SourceError:
    """The error for Arrow data that is none."""
    return SourceError(
        f"Arrow batches from {name}",
        f"damaged or unusual data ({type(wrong).__name__})",
        "make or fetch it again",
    )
