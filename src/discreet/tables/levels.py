"""Categories ↔ symbols: one symbol for each level that is frequent enough, one for all others, one for missing."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.protocols import Codes, Words
from discreet.tables.arrow_types import is_text, type_of
from discreet.tables.draws import picked
from discreet.tables.scalars import Level, alike, level_array

if TYPE_CHECKING:
    import pyarrow as pa

MISSING = "(missing)"
OTHER = "(other)"


@dataclass(frozen=True)
class Levels:
    """How one column of levels is coded.

    `levels` are named; `other` says whether there is a symbol for levels that were too rare to be named, `missing`
    whether there is one for missing values: both follow the named ones, in this order. `weights` are the shares of
    the symbols.

    A level that was never seen is coded as an other one; where there is no such symbol, as the most frequent symbol;
    and it is counted. An other one is released as "(other)" where the column is text, else as a draw among the named
    levels.
    """

    name: str
    type: str
    levels: tuple[Level, ...]
    weights: tuple[float, ...]
    other: bool
    missing: bool

    @property
    def size(self) -> int:
        """How many symbols."""
        return len(self.levels) + self.other + self.missing

    @property
    def labels(self) -> tuple[str, ...]:
        """What the symbols are called."""
        named = [str(v).lower() if isinstance(v, bool) else str(v) for v in self.levels]
        extra = [OTHER] * self.other + [MISSING] * self.missing
        return tuple(named + [_unlike(label, named) for label in extra])

    @property
    def words(self) -> int:
        """How many random words a row takes to be decoded."""
        return int(self.other and not is_text(self._kind))

    def encode(self, column: pa.Array) -> tuple[Codes, int]:
        """The symbols, and how many rows had a level, or a missing value, never seen before."""
        import pyarrow as pa

        if not isinstance(column, pa.DictionaryArray):
            return self._known(self._symbols(column))
        table = np.append(self._symbols(column.dictionary), self._place_of_missing)
        indices = column.indices.fill_null(len(table) - 1) if column.indices.null_count else column.indices
        symbols: Codes = table.astype(self._narrow).take(indices.to_numpy())
        return self._known(symbols) if table.min() < 0 else (symbols, 0)

    def _known(self, symbols: Codes) -> tuple[Codes, int]:
        """The symbols with those of levels never seen replaced, and how many these were."""
        strange = symbols < 0
        found = int(np.count_nonzero(strange))
        return (np.where(strange, self._place_of_strange, symbols) if found else symbols), found

    @property
    def _narrow(self) -> Any:
        """The smallest type that holds every symbol, and −1."""
        return np.min_scalar_type(-self.size - 1)

    def decode(self, symbols: Codes, words: Words, *, encoded: bool = False) -> pa.Array:
        """A value of the column's own type for each symbol; text as a dictionary if `encoded`."""
        import pyarrow as pa

        chosen = np.asarray(symbols)
        if self.words:
            chosen = np.where(chosen == len(self.levels), self._drawn(words[:, 0]), chosen)
        absent = chosen >= len(self._spoken) if self.size > len(self._spoken) else None
        named = chosen if absent is None else np.where(absent, 0, chosen)
        places = pa.array(named.astype(np.int32), mask=absent)
        if pa.types.is_dictionary(self._kind):
            return pa.DictionaryArray.from_arrays(places, self._spoken).cast(self._kind)
        if encoded and is_text(self._kind):
            return pa.DictionaryArray.from_arrays(places, self._spoken)
        plain = self._spoken.take(places)
        return plain if plain.type == self._kind else plain.cast(self._kind)

    def _drawn(self, words: Words) -> Codes:
        """One of the named levels by weight; none, which is a missing value, where no level is named."""
        weights = np.array(self.weights[: len(self.levels)])
        if not weights.sum() > 0:
            return np.full(len(words), self.size, dtype=np.int64)
        return picked(weights, words)

    def _symbols(self, values: pa.Array) -> Codes:
        """The symbol of each value; −1 for what was never seen."""
        import pyarrow.compute as pc

        clean, levels = alike(values, self._named)
        symbols = _whole(pc.index_in(clean, value_set=levels), len(self.levels) if self.other else -1)
        if clean.null_count:
            symbols[np.asarray(clean.is_null())] = self._place_of_missing
        return symbols

    @property
    def _place_of_missing(self) -> int:
        return self.size - 1 if self.missing else -1

    @property
    def _place_of_strange(self) -> int:
        return len(self.levels) if self.other else int(np.argmax(self.weights))

    @cached_property
    def _kind(self) -> pa.DataType:
        return type_of(self.type)

    @cached_property
    def _named(self) -> pa.Array:
        """The named levels as Arrow values."""
        import pyarrow as pa

        kind = self._kind.value_type if pa.types.is_dictionary(self._kind) else self._kind
        return level_array(self.levels, pa.string() if pa.types.is_string_view(kind) else kind)

    @cached_property
    def _spoken(self) -> pa.Array:
        """The values that can be released, by symbol: the named levels, and the word for others where the column is
        text.
        """
        import pyarrow as pa

        if not (self.other and is_text(self._kind)):
            return self._named
        return pa.concat_arrays([self._named, pa.array([OTHER], self._named.type)])

    def to_json(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {"coding": "levels"} | {
            f.name: list(held) if isinstance(held := getattr(self, f.name), tuple) else held
            for f in fields(self)
        }


def _whole(indices: pa.Array, absent: int) -> Codes:
    found: Codes = np.asarray(indices.cast("int64").fill_null(absent).to_numpy(zero_copy_only=False)).copy()
    return found


def _unlike(label: str, named: list[str]) -> str:
    return label if label not in named else _unlike(label + "′", named)
