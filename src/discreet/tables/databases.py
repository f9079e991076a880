"""Tables of PostgreSQL and SQLite through ADBC: `postgresql://host/db::schema.table`, `people.db::table`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.errors import SourceError
from discreet.tables.arrow import checked, cut
from discreet.tables.naming import printable
from discreet.tables.parquet import spoken
from discreet.tables.protocols import BATCH
from discreet.tables.relations import quoted
from discreet.tables.schema import chosen

if TYPE_CHECKING:
    import pyarrow as pa

ADDRESS = re.compile(r"(?P<where>.+)::(?P<table>[^:/\\]+)", re.DOTALL)
SERVERS = ("postgresql://", "postgres://")


@dataclass(frozen=True)
class Address:
    """A table of a database. `where` may hold a password: messages show `name`."""

    where: str
    table: str

    @classmethod
    def of(cls, text: str) -> Address | None:
        """The address that this text is; None for anything else."""
        found = ADDRESS.fullmatch(text)
        if found is None:
            if text.startswith(SERVERS):
                raise SourceError(
                    "a table of a PostgreSQL database",
                    "an address without a table",
                    "add it: postgresql://host/db::table",
                )
            return None
        return cls(found["where"].removeprefix("sqlite:///").removeprefix("sqlite:"), found["table"])

    @property
    def form(self) -> str:
        """postgresql or sqlite."""
        return "postgresql" if self.where.startswith(SERVERS) else "sqlite"

    @property
    def name(self) -> str:
        """The address without user and password."""
        where = re.sub(r"//[^/@]*@", "//", self.where).split("?")[0]
        return printable(f"{where}::{self.table}")

    @property
    def sql(self) -> str:
        """The table as SQL writes it."""
        return ".".join(quoted(part) for part in self.parts)

    @property
    def parts(self) -> list[str]:
        """Schema, if any, and table."""
        return self.table.split(".", 1) if self.form == "postgresql" else [self.table]

    def connect(self) -> Any:
        """A connection, through the driver of the extra `postgres`."""
        try:
            if self.form == "postgresql":
                from adbc_driver_postgresql import dbapi
            else:
                from adbc_driver_sqlite import dbapi
        except ImportError:
            raise SourceError(
                f"the table {self.name}",
                "no ADBC driver",
                "pip install 'discreet[postgres]', which brings both drivers",
            ) from None
        try:
            return dbapi.connect(self.where)
        except dbapi.Error as wrong:
            raise refused(self.name, wrong) from None


@dataclass(frozen=True)
class DatabaseTable:
    """A table or a view. Rows of a database have no position."""

    address: Address

    again = True
    ordered = False
    rows = None

    @property
    def name(self) -> str:
        """Its address without user and password."""
        return self.address.name

    @property
    def form(self) -> str:
        """postgresql or sqlite."""
        return self.address.form

    @property
    def files(self) -> tuple[Path, ...]:
        """The file of an SQLite database."""
        return (Path(self.address.where),) if self.form == "sqlite" else ()

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns with the Arrow types that the driver gives."""
        if self.form == "sqlite" and not Path(self.address.where).is_file():
            raise SourceError(f"the table {self.name}", "no such file", "check the path")
        import pyarrow as pa

        with closing(self.address.connect()) as connection, closing(connection.cursor()) as cursor:
            looked_at = 1000 if self.form == "sqlite" else 0
            _run(cursor, f"SELECT * FROM {self.address.sql} LIMIT {looked_at}", self.name)  # noqa: S608
            found = checked(cursor.fetch_record_batch().schema, self.name)
        return pa.schema([_held(field) for field in found])

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        size: int = BATCH,
        encoded: bool = False,  # noqa: ARG002
    ) -> Iterator[pa.RecordBatch]:
        """The rows, as the database gives them, in one transaction."""
        import pyarrow as pa

        names = chosen(columns, self.schema.names)
        schema = pa.schema([self.schema.field(n) for n in names])
        with closing(self.address.connect()) as connection, closing(connection.cursor()) as cursor:
            _run(cursor, f"SELECT {', '.join(map(quoted, names))} FROM {self.address.sql}", self.name)  # noqa: S608
            reader = cursor.fetch_record_batch()
            for batch in cut(reader, reader.schema, names, size, self.name):
                arrays = [_storage(column) for column in batch.columns]
                yield spoken(pa.RecordBatch.from_arrays(arrays, names=names), schema, self.name)

    def fingerprint(self) -> str:
        """Nothing that a database could promise."""
        return ""


@dataclass
class DatabaseSink:
    """A new table, filled in one transaction: it is there whole, or not at all."""

    address: Address
    schema: pa.Schema

    def __post_init__(self) -> None:
        self._connection = self.address.connect()
        self._cursor = self._connection.cursor()
        self._begun = False

    def write(self, batch: pa.RecordBatch) -> None:
        """Add these rows."""
        import pyarrow as pa

        plain = pa.schema(
            [(f.name, f.type.value_type if pa.types.is_dictionary(f.type) else f.type) for f in self.schema]
        )
        parts = self.address.parts
        try:
            self._cursor.adbc_ingest(
                parts[-1],
                spoken(batch, plain, self.address.name),
                mode="append" if self._begun else "create",
                db_schema_name=parts[0] if len(parts) > 1 else None,
            )
        except Exception as wrong:
            self.discard()
            raise refused(self.address.name, wrong) from None
        self._begun = True

    def close(self) -> str:
        """Commit, and return the address."""
        import pyarrow as pa

        if not self._begun:
            self.write(pa.RecordBatch.from_pylist([], schema=self.schema))
        self._connection.commit()
        self._end()
        return self.address.name

    def discard(self) -> None:
        """Roll back: no table is left."""
        self._connection.rollback()
        self._end()

    def _end(self) -> None:
        self._cursor.close()
        self._connection.close()


def refused(name: str, wrong: Exception) -> SourceError:
    """The error for what a database does not give; its own words may quote the address, so only their kind is shown."""
    return SourceError(
        f"the table {name}",
        f"refused by the database ({type(wrong).__name__}{_state(wrong)})",
        "check address, user, rights and the name of the table",
    )


def _state(wrong: Exception) -> str:
    state = getattr(wrong, "sqlstate", None)
    return f", SQLSTATE {state}" if state else ""


def _run(cursor: Any, query: str, name: str) -> None:
    try:
        cursor.execute(query)
    except Exception as wrong:
        raise refused(name, wrong) from None


def _held(field: pa.Field) -> pa.Field:
    """The field as we hold it: a type of the database without one of Arrow arrives as its text."""
    import pyarrow as pa

    return pa.field(
        field.name, field.type.storage_type if isinstance(field.type, pa.BaseExtensionType) else field.type
    )


def _storage(column: pa.Array) -> pa.Array:
    import pyarrow as pa

    return column.storage if isinstance(column, pa.ExtensionArray) else column
