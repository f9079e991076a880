"""Values of a column ↔ running numbers, discovered while the rows pass by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.errors import SourceError
from discreet.core.protocols import Codes
from discreet.tables.arrow_types import is_text, nature
from discreet.tables.naming import shown

if TYPE_CHECKING:
    import pyarrow as pa

MOST = 1 << 22
"""A column may have so many different values."""


class Alphabet:
    """The values of one column in the order in which they were met; number 0 is a missing value.

    A value keeps its number, so what was counted before stays right when new values arrive.
    """

    def __init__(self, name: str, kind: pa.DataType) -> None:
        import pyarrow as pa

        self.name = name
        value = kind.value_type if pa.types.is_dictionary(kind) else kind
        self.kind = pa.string() if is_text(value) else value
        self.values: pa.Array = pa.array([], self.kind)
        self._last: Any = None
        self._table: Any = np.zeros(1, dtype=np.int32)
        self._straight = False

    @property
    def size(self) -> int:
        """How many numbers there are, that of missing among them."""
        return len(self.values) + 1

    def numbers(self, column: pa.Array) -> Any:
        """The number of each value."""
        import pyarrow as pa

        held = column if isinstance(column, pa.DictionaryArray) else _encoded(column)
        self._learn(held.dictionary)
        indices = held.indices
        if indices.null_count:
            return self._table[indices.fill_null(len(held.dictionary)).to_numpy(zero_copy_only=False)]
        raw = indices.to_numpy()
        return raw + 1 if self._straight else self._table[raw]

    def _learn(self, dictionary: pa.Array) -> None:
        """Make `_table`, from places in this dictionary to numbers."""
        if self._last is not None and (dictionary is self._last or dictionary.equals(self._last)):
            return
        numbers = self.met(dictionary)
        self._table = np.append(numbers, 0).astype(np.int32)
        self._straight = bool((numbers == np.arange(1, len(numbers) + 1)).all())
        self._last = dictionary

    def met(self, values: pa.Array) -> Codes:
        """The numbers of these values; those not met before get the next ones."""
        import pyarrow.compute as pc

        plain = _clean(values if values.type == self.kind else values.cast(self.kind))
        found = pc.index_in(plain, value_set=self.values)
        fresh = pc.unique(plain.filter(pc.and_(pc.is_null(found), pc.is_valid(plain))))
        if len(fresh):
            self._extend(fresh)
            found = pc.index_in(plain, value_set=self.values)
        return np.asarray(found.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)) + 1

    def named(self, numbers: Codes) -> pa.Array:
        """The values of these numbers."""
        import pyarrow as pa

        return self.values.take(pa.array(np.maximum(numbers - 1, 0), mask=numbers == 0))

    def _extend(self, fresh: pa.Array) -> None:
        import pyarrow as pa

        if len(self.values) + len(fresh) > MOST:
            raise SourceError(
                f"counts of the column {shown([self.name])}, with at most {MOST:,} different values",
                "more than that",
                "bin or group it first, or leave it out: it looks like an id",
            )
        self.values = pa.concat_arrays([self.values, fresh])

    def order(self) -> tuple[Codes, pa.Array]:
        """place[number] when the values stand in their order, missing last; and the values in that order."""
        import pyarrow.compute as pc

        by_value = np.asarray(pc.array_sort_indices(self.values), dtype=np.int64)
        place = np.empty(self.size, dtype=np.int64)
        place[0] = len(self.values)
        place[by_value + 1] = np.arange(len(by_value))
        return place, self.values.take(by_value)


def _encoded(column: pa.Array) -> pa.DictionaryArray:
    import pyarrow as pa

    if nature(column.type) == "nothing":
        return pa.DictionaryArray.from_arrays(pa.nulls(len(column), pa.int32()), pa.array([], column.type))
    return _clean(column).dictionary_encode()


def _clean(values: pa.Array) -> pa.Array:
    """Without what is not a number, and with one zero."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_floating(values.type):
        return values
    return pc.if_else(
        pc.is_nan(values), pa.scalar(None, values.type), pc.add(values, pa.scalar(0, values.type))
    )
