"""The same people in a release and in the records that it was made from, by the order of their rows or by an id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.errors import SourceError
from discreet.core.protocols import Array, Codes
from discreet.core.samples import Columns, Samples
from discreet.workflow.intake import Names, secret_of_table

if TYPE_CHECKING:
    from discreet.tables.protocols import Source


@dataclass(frozen=True, eq=False)
class Pair:
    """The same people in a release and in the records it was made from; positions are those in the records."""

    release: Columns
    untouched: Columns | None
    secret: Samples
    table: Any
    positions: Codes
    rows: int
    notices: tuple[str, ...]

    @property
    def numbers(self) -> Array | None:
        """The secret as numbers, where it was cut into ranges and is missing nowhere."""
        axis = self.secret.axes[0]
        if axis.values is None or axis.name not in self.table.column_names:
            return None
        return np.asarray(self.table.column(axis.name).to_numpy(), dtype=np.float64)

    def among(self, positions: Codes) -> Codes:
        """The places, in this sample, of those of these positions that it holds."""
        return np.flatnonzero(np.isin(self.positions, positions))


def paired(
    release: Source,
    truth: Source,
    *,
    private: Names,
    id: str | None,  # noqa: A002
    most: int,
    rng: np.random.Generator,
) -> Pair:
    """Draw an even sample of people and take their rows from both files."""
    from discreet.adversaries import together
    from discreet.estimators import columns_of
    from discreet.tables.pairing import rows_at, sampled
    from discreet.tables.schema import known

    hidden = [
        known(name, truth.schema.names) for name in ([private] if isinstance(private, str) else private)
    ]
    if not hidden:
        raise SourceError("a private column", "none", "name one: private=… or --private")
    columns = [name for name in release.schema.names if name != id]
    shared = [name for name in columns if name in truth.schema.names and name not in hidden]
    needed = [*dict.fromkeys((*hidden, *shared, *([id] if id in truth.schema.names else [])))]
    if id is None:
        drawn = sampled(truth, needed, most, rng=rng)
        own = rows_at(release, columns, drawn.positions)
        if own.rows != drawn.rows:
            raise SourceError(
                "a release with a row for each record, in the same order",
                f"{own.rows:,} rows in {release.name}, {drawn.rows:,} in {truth.name}",
                "name a column of both that says which belong together: id=… or --id",
            )
        given, table, positions, rows = own.table, drawn.table, drawn.positions, drawn.rows
    else:
        given, table, positions, rows = _by_id(release, truth, id, columns, needed, most, rng)
    x = columns_of(given)
    samples = [secret_of_table(table, name, x) for name in hidden]
    untouched = columns_of(table.select(shared)) if shared else None
    notices = tuple(
        f"The release holds the private column `{name}` itself." for name in hidden if name in columns
    )
    return Pair(
        x, untouched, samples[0] if len(samples) == 1 else together(samples), table, positions, rows, notices
    )


def _by_id(
    release: Source,
    truth: Source,
    id: str,  # noqa: A002
    columns: list[str],
    needed: list[str],
    most: int,
    rng: np.random.Generator,
) -> tuple[Any, Any, Codes, int]:
    """Both tables in the order of the records, of people whom the id finds in both."""
    from discreet.tables.pairing import matched, rows_at

    here, there = matched(release, truth, id)
    if not here.size:
        raise SourceError(
            f"people of {release.name} in {truth.name}",
            f"no `{id}` in common",
            "check which files belong together",
        )
    chosen = rng.permutation(here.size)[:most]
    chosen = chosen[np.argsort(there[chosen])]
    table = rows_at(truth, needed, there[chosen]).table
    own = np.sort(here[chosen])
    given = rows_at(release, columns, own).table.take(np.searchsorted(own, here[chosen]))
    return given, table, there[chosen], here.size
