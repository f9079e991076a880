"""Records as an audit and an attack see them: one even sample of rows, its public columns and each secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.axis import Axis
from discreet.core.errors import SchemaError, SourceError
from discreet.core.protocols import Codes
from discreet.core.samples import Column, Columns, Samples
from discreet.tables.guess import FEW
from discreet.tables.schema import Kind, Role, Schema

if TYPE_CHECKING:
    from discreet.tables.protocols import Source

MOST = 60_000
"""So many rows are learned from and judged by; beyond, they are drawn evenly."""

LEAST = 50
"""Records: three fifths of them learn, and nothing is learned from fewer than thirty."""
NUMBERS = ("int", "uint", "float", "double", "decimal", "half")

Names = str | Sequence[str]


@dataclass(frozen=True, eq=False)
class Facts:
    """The file that was read, as results state it."""

    name: str
    rows: int
    columns: int
    fingerprint: str | None = None

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {
            "name": self.name,
            "rows": self.rows,
            "columns": self.columns,
            "fingerprint": self.fingerprint,
        }


@dataclass(frozen=True, eq=False)
class Intake:
    """A sample of some records: the public columns, and the same rows with each private column as the secret."""

    facts: Facts
    schema: Schema
    table: Any
    positions: Codes
    x: Columns
    secrets: tuple[Samples, ...]

    @property
    def n(self) -> int:
        """How many rows the sample has."""
        return self.positions.size

    @property
    def secret(self) -> Samples:
        """The secret: the private column, or all of them as one."""
        from discreet.adversaries import together

        return self.secrets[0] if len(self.secrets) == 1 else together(self.secrets)

    @property
    def notices(self) -> tuple[str, ...]:
        """What its reader should know of the columns and rows."""
        dropped = [f for f in self.schema if f.role is Role.DROP and f.kind is Kind.TEXT]
        found = [f"`{f.name}` is left out ({f.why})." for f in dropped if f.why not in {"", "not named"}]
        found += [
            f"`{f.name}` tells the records apart and is left out." for f in self.schema if f.role is Role.ID
        ]
        if self.n < self.facts.rows:
            found.append(
                f"{self.n:,} of {self.facts.rows:,} rows were drawn evenly; the numbers are read off these."
            )
        missing = [f for f in self.schema if f.role in (Role.PRIVATE, Role.PUBLIC) and f.missing]
        found += [
            f"`{f.name}` is missing in {f.missing:,} of {f.rows:,} rows; missing counts as a value."
            for f in missing
        ]
        return tuple(found)


def intake(
    records: Any,
    *,
    private: Names = (),
    public: Names | None = None,
    utility: Names = (),
    id: Names = (),  # noqa: A002
    drop: Names = (),
    schema: Schema | str | Path | None = None,
    most: int = MOST,
    rng: np.random.Generator,
) -> Intake:
    """Open the records, guess or read their schema, and draw the sample."""
    from discreet.estimators import columns_of
    from discreet.tables.guess import guess_schema
    from discreet.tables.pairing import sampled
    from discreet.tables.source import open_source

    source = open_source(records)
    if schema is None:
        held = guess_schema(source, private=private, public=public, utility=utility, id=id, drop=drop)
    else:
        held = schema_from(schema)
        held.check(source.schema, held.names)
    held.require()
    sample = sampled(source, (*held.private, *held.public), most, rng=rng)
    if sample.table.num_rows < LEAST:
        raise SourceError(
            f"{LEAST} rows at least in {facts_of(source, 0).name}, to learn from some and be judged by others",
            f"{sample.rows}",
            "give the whole file; what so few rows tell of themselves is exact by counting: "
            "discreet.Counts(n).joint().lift()",
        )
    x = columns_of(sample.table.select(list(held.public)))
    secrets = tuple(secret_of_table(sample.table, name, x) for name in held.private)
    return Intake(facts_of(source, sample.rows), held, sample.table, sample.positions, x, secrets)


def facts_of(source: Source, rows: int) -> Facts:
    """What is said of a source: a file by its name, never by its folder."""
    name = Path(source.name).name if source.files else source.name
    return Facts(name, rows, len(source.schema.names))


def schema_from(schema: Schema | str | Path) -> Schema:
    """A schema, or the one in a TOML file."""
    if isinstance(schema, Schema):
        return schema
    from discreet.tables.schema_text import schema_of_toml

    try:
        return schema_of_toml(Path(schema).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SchemaError(
            f"the schema in {schema}", type(error).__name__, "give the path of a TOML file"
        ) from None


def secret_of_table(table: Any, name: str, x: Columns) -> Samples:
    """A column of a table as the secret of these records; a number with many values is cut into ranges."""
    from discreet.estimators import quantile_bins, samples_of

    held = table.column(name)
    if str(held.type).startswith(NUMBERS) and len(held.unique()) > FEW:
        codes, axis = quantile_bins(held.cast("float64").to_numpy())
        return Samples(x, codes, Axis(name, axis.labels, axis.values))
    made: Samples = samples_of(x, held.to_pylist() if _by_value(held) else held, name=name)
    labels = made.axes[0].labels or ()
    if len(labels) > made.n // 2 and made.n > 2 * LEAST:
        raise SchemaError(
            f"a secret that people share: `{name}`",
            f"{len(labels):,} values in {made.n:,} rows",
            "group its values first, or choose another column",
        )
    return made


def _by_value(held: Any) -> bool:
    """Whether values have to be taken one by one: dates are secrets by their day, as they are written."""
    return str(held.type).startswith(("date", "timestamp", "time"))


def taken(samples: Samples, names: Sequence[str]) -> Samples:
    """The same records with these columns, or with a constant where there are none."""
    if names:
        return samples.select(names)
    return Samples(
        Columns([Column("nothing", np.zeros(samples.n))]), samples.s, samples.axes[0], samples.size
    )
