"""DuckDB relations: queries that are run again whenever their rows are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from discreet.core.errors import SourceError
from discreet.tables.arrow import checked, cut
from discreet.tables.protocols import BATCH
from discreet.tables.schema import chosen

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Relation:
    """A DuckDB relation. A query promises no order, so its rows have no position."""

    relation: Any
    name: str = "a DuckDB relation"

    form = "duckdb"
    again = True
    ordered = False
    rows = None
    files = ()

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns with their Arrow types."""
        return checked(_reader(self.relation.limit(0), 1).schema, self.name)

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        size: int = BATCH,
        encoded: bool = False,  # noqa: ARG002
    ) -> Iterator[pa.RecordBatch]:
        """The rows, as the query gives them."""
        import duckdb
        import pyarrow as pa

        names = chosen(columns, self.schema.names)
        schema = pa.schema([self.schema.field(n) for n in names])
        wanted = self.relation.project(", ".join(quoted(n) for n in names))
        try:
            yield from cut(_reader(wanted, size), schema, names, size, self.name)
        except duckdb.Error as wrong:
            raise SourceError(
                f"rows from {self.name}", f"{type(wrong).__name__}", "run the query by itself and repair it"
            ) from None

    def fingerprint(self) -> str:
        """Nothing that a query could promise."""
        return ""


def quoted(name: str) -> str:
    """A name as SQL writes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def _reader(relation: Any, size: int) -> Any:
    """Its Arrow reader, under the name that this version of DuckDB has for it."""
    return (getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader)(size)
