"""The footer of a Parquet file, read and written as plain trees, so that row groups made alone can be put together.

A Parquet file is row groups one after the other, and a footer that says where they lie. The footer is a Thrift
structure in the compact protocol; here a structure is a dict from field number to (type, value), a list is (type,
values), and nothing has to know what the fields mean, save those that hold a place in the file.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from discreet.core.errors import SourceError

Struct: TypeAlias = dict[int, tuple[int, Any]]

MAGIC: Final = b"PAR1"
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
WHOLE = (I16, I32, I64)

ROWS, GROUPS, ORDINAL = 3, 4, 7
PLACES_OF_GROUP, PLACES_OF_CHUNK, PLACES_OF_DATA = (5,), (2, 4, 6), (9, 10, 11, 14)
CHUNKS, DATA = 1, 3
MOST_ORDINALS = 1 << 15


def split(file: bytes) -> tuple[bytes, bytes]:
    """The row groups and the footer of a file in memory."""
    size = int.from_bytes(file[-8:-4], "little")
    if file[:4] != MAGIC or file[-4:] != MAGIC or size > len(file) - 12:
        raise SourceError("a whole Parquet file", "something else", "write it again")
    return file[4 : -8 - size], file[-8 - size : -8]


def joined(empty: bytes, footers: Sequence[bytes], starts: Sequence[int]) -> bytes:
    """What ends a file whose row groups were made alone and lie at these places; `empty` is the footer without any."""
    whole = _read_struct(_Cursor(empty))
    groups: list[Struct] = []
    rows = 0
    for footer, start in zip(footers, starts, strict=True):
        part = _read_struct(_Cursor(footer))
        rows += part[ROWS][1]
        for group in part[GROUPS][1][1]:
            groups.append(_moved(group, start - len(MAGIC), len(groups)))
    whole[ROWS] = (I64, rows)
    whole[GROUPS] = (LIST, (STRUCT, groups))
    out = bytearray()
    _write_struct(out, whole)
    return bytes(out) + len(out).to_bytes(4, "little") + MAGIC


def _moved(group: Struct, by: int, ordinal: int) -> Struct:
    """The row group, so many bytes further on."""
    _shift(group, PLACES_OF_GROUP, by)
    for chunk in group[CHUNKS][1][1]:
        _shift(chunk, PLACES_OF_CHUNK, by)
        if DATA in chunk:
            _shift(chunk[DATA][1], PLACES_OF_DATA, by)
    group.pop(ORDINAL, None)
    if ordinal < MOST_ORDINALS:
        group[ORDINAL] = (I16, ordinal)
    return group


def _shift(fields: Struct, places: Sequence[int], by: int) -> None:
    for place in places:
        if place in fields and fields[place][1] > 0:
            kind, value = fields[place]
            fields[place] = (kind, value + by)


class _Cursor:
    """A place in some bytes."""

    __slots__ = ("at", "held")

    def __init__(self, held: bytes) -> None:
        self.held, self.at = held, 0

    def byte(self) -> int:
        self.at += 1
        return self.held[self.at - 1]

    def take(self, n: int) -> bytes:
        self.at += n
        return self.held[self.at - n : self.at]

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def zigzag(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)


def _read_struct(at: _Cursor) -> Struct:
    fields: Struct = {}
    number = 0
    while (header := at.byte()) != 0:
        kind = header & 0x0F
        number = number + (header >> 4) if header >> 4 else at.zigzag()
        fields[number] = (kind, kind == TRUE if kind in (TRUE, FALSE) else _read(at, kind))
    return fields


def _read(at: _Cursor, kind: int) -> Any:
    if kind in WHOLE:
        return at.zigzag()
    if kind == BINARY:
        return at.take(at.varint())
    if kind == STRUCT:
        return _read_struct(at)
    if kind in (LIST, SET):
        header = at.byte()
        size = header >> 4 if header >> 4 != 15 else at.varint()
        return header & 0x0F, [_read(at, header & 0x0F) for _ in range(size)]
    if kind in (TRUE, FALSE, BYTE):
        return at.byte()
    if kind == DOUBLE:
        return struct.unpack("<d", at.take(8))[0]
    raise SourceError("a Parquet footer", f"a field of type {kind}", "write the file with another program")


def _write_struct(out: bytearray, fields: Struct) -> None:
    last = 0
    for number in sorted(fields):
        kind, value = fields[number]
        if kind in (TRUE, FALSE):
            kind = TRUE if value else FALSE
        if 0 < number - last < 16:
            out.append((number - last) << 4 | kind)
        else:
            out.append(kind)
            _write_varint(out, number << 1)
        if kind not in (TRUE, FALSE):
            _write(out, kind, value)
        last = number
    out.append(0)


def _write(out: bytearray, kind: int, value: Any) -> None:
    if kind in WHOLE:
        _write_varint(out, (value << 1) ^ (value >> 63))
    elif kind == BINARY:
        _write_varint(out, len(value))
        out += value
    elif kind == STRUCT:
        _write_struct(out, value)
    elif kind in (LIST, SET):
        inner, values = value
        out.append((len(values) << 4 if len(values) < 15 else 0xF0) | inner)
        if len(values) >= 15:
            _write_varint(out, len(values))
        for one in values:
            _write(out, inner, one)
    elif kind == DOUBLE:
        out += struct.pack("<d", value)
    else:
        out.append(value)


def _write_varint(out: bytearray, value: int) -> None:
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
