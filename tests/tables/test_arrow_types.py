"""Types survive their words."""

from __future__ import annotations

import pyarrow as pa
import pytest

from discreet.core.errors import SchemaError
from discreet.tables.arrow_types import name_of, nature, type_of

TYPES = [
    pa.null(), pa.bool_(), pa.int8(), pa.uint64(), pa.float16(), pa.float32(), pa.float64(), pa.string(),
    pa.large_string(), pa.string_view(), pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"),
    pa.time64("us"), pa.time64("ns"), pa.duration("s"), pa.duration("ns"), pa.timestamp("s"),
    pa.timestamp("ns", tz="Europe/Berlin"), pa.timestamp("us", tz="+02:00"), pa.decimal128(9, 2),
    pa.decimal256(50, -3), pa.decimal32(5, 1), pa.dictionary(pa.int8(), pa.string(), ordered=True),
    pa.dictionary(pa.uint32(), pa.timestamp("us", tz="UTC")), pa.dictionary(pa.int64(), pa.decimal128(9, 2)),
]  # fmt: skip


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_a_type_survives_its_words(kind: pa.DataType) -> None:
    assert type_of(name_of(kind)) == kind


@pytest.mark.parametrize(
    "words", ["list<item: int64>", "int63", "", "dictionary<values=x, indices=int8, ordered=0>", "x" * 10**5]
)
def test_no_other_type_is_accepted(words: str) -> None:
    with pytest.raises(SchemaError) as refused:
        type_of(words)
    assert len(str(refused.value)) < 400


def test_nature() -> None:
    assert nature(pa.dictionary(pa.int8(), pa.bool_())) == "boolean"
    assert nature(pa.list_(pa.int8())) == "other"
    assert nature(pa.decimal128(5, 2)) == nature(pa.duration("s")) == "number"
    assert nature(pa.time32("s")) == "date"
