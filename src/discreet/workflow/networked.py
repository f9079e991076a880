"""Columns through a learned sanitiser: how it stands in a policy file, and the kernel that runs it, in NumPy alone.

A category is the symbol of its coding, so that a level that few people have is never named; a number lies between the
limits of its column. What the network releases is decoded as a released symbol is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import DiscreetError
from discreet.core.protocols import Codes, Words
from discreet.core.samples import Column, Columns
from discreet.mechanisms.learned.channel import FAMILIES, LearnedChannel
from discreet.tables.block import Coding, column_of
from discreet.tables.codec import Codec
from discreet.tables.levels import Levels
from discreet.tables.noisy import on_grid
from discreet.tables.scale import as_floats, from_floats, from_whole, is_whole
from discreet.tables.schema import Schema
from discreet.workflow.policy_file import LearnedFile, misfit

MOST_NUMBERS = 1 << 25
"""A network of more weights (a quarter of a gigabyte) is refused."""

FINENESS = 4096
"""A released number lies on a grid, so many steps to a deviation of its column: last digits would carry traces."""

MOST_WORDS = 1 << 14
"""And one that draws more words for a record than this."""


def codings_of(codec: Codec) -> dict[str, Coding]:
    """How each public column is coded."""
    return {coding.name: coding for block in codec.public for coding in block.columns}


@dataclass(frozen=True)
class NetworkedPart:
    """The kernel of a learned sanitiser. A coding of levels makes a category of its column, a type alone a number."""

    names: tuple[str, ...]
    types: tuple[Any, ...]
    channel: LearnedChannel
    levels: tuple[Levels | None, ...]

    @property
    def words(self) -> int:
        """Those of the channel, and those that rare levels take to become values again."""
        return self.channel.words + sum(one.words for one in self.levels if one is not None)

    @property
    def secret(self) -> bool:
        """Whether the network sees the secret."""
        return self.channel.inputs == "sx"

    def read(self, batch: Any, s: Codes | None) -> tuple[NDArray[Any], dict[str, int]]:
        """Numbers between their limits, and symbols; last, the secret where it is seen."""
        made, surprises = [], {}
        for name, levels, kind, held in zip(
            self.names, self.levels, self.types, self.channel.layout.columns, strict=True
        ):
            column = column_of(batch, name)
            if levels is not None:
                symbols, strange = levels.encode(column)
                made.append(symbols.astype(np.float64))
            else:
                values = as_floats(column, kind)
                strange = int(np.count_nonzero((values < held.low) | (values > held.high)))
                made.append(np.clip(values, held.low, held.high))
            if strange:
                surprises[name] = strange
        if self.secret and s is not None:
            made.append(s.astype(np.float64))
        return np.stack(made, axis=1), surprises

    def release(self, read: NDArray[Any], words: Words) -> list[Any]:
        """What the network makes of these rows, in the types of the columns."""
        x, s = (read[:, :-1], read[:, -1].astype(np.int64)) if self.secret else (read, None)
        used = self.channel.words
        y = self.channel.push(x, words[:, :used], s)
        made = []
        for j, (levels, kind) in enumerate(zip(self.levels, self.types, strict=True)):
            if levels is None:
                step = 2.0 ** np.floor(np.log2(self.channel.layout.columns[j].scale)) / FINENESS
                made.append(_numbers(on_grid(y[:, j], step), kind))
                continue
            made.append(
                levels.decode(y[:, j].astype(np.int64), words[:, used : used + levels.words], encoded=True)
            )
            used += levels.words
        return made


@dataclass(frozen=True, eq=False)
class Networked:
    """Columns through a learned sanitiser."""

    names: tuple[str, ...]
    channel: LearnedChannel
    mechanism: str
    constant = False

    def columns(self, codec: Codec) -> tuple[str, ...]:  # noqa: ARG002
        """The columns that it releases."""
        return self.names

    def part(self, schema: Schema, codec: Codec) -> NetworkedPart:
        """The kernel that applies it."""
        return part_of(self.names, schema, codec, self.channel)

    def types(self, schema: Schema, codec: Codec) -> list[Any]:  # noqa: ARG002
        """What its columns are released as."""
        return [schema[name].arrow for name in self.names]

    def file(self, name: str) -> tuple[LearnedFile, dict[str, Any]]:
        """For the policy file."""
        arrays, described = self.channel.to_weights()
        said = LearnedFile(
            kind="learned", mechanism=self.mechanism, columns=list(self.names), weights=name, description=described,
        )  # fmt: skip
        return said, {f"{name}.{key}": np.ascontiguousarray(value) for key, value in arrays.items()}

    @classmethod
    def of_file(
        cls, said: LearnedFile, weights: Mapping[str, Any], schema: Schema, codec: Codec
    ) -> Networked:
        """From the policy file. One record of zeros is released, so that what does not fit together shows here."""
        own = {
            key.removeprefix(f"{said.weights}."): held
            for key, held in weights.items()
            if key.startswith(f"{said.weights}.")
        }
        if any(held.dtype != np.float32 or not np.isfinite(held).all() for held in own.values()):
            raise misfit("a network of finite numbers of single precision", "others")
        if sum(held.size for held in own.values()) > MOST_NUMBERS:
            raise misfit(f"a network of {MOST_NUMBERS:,} numbers at most", "more")
        if not set(said.columns) <= set(schema.public):
            raise misfit("a learned sanitiser of released columns", "another column")
        try:
            made = cls(tuple(said.columns), _channel_of(own, said.description), said.mechanism)
            made._tried(schema, codec)
        except (
            DiscreetError, ValueError, TypeError, KeyError, AttributeError, IndexError, ArithmeticError, RecursionError
        ) as error:  # fmt: skip
            found = error.found if isinstance(error, DiscreetError) else type(error).__name__
            raise misfit("a learned sanitiser whose parts fit together", found) from error
        if made.channel.to_weights()[1] != said.description:
            raise misfit("a description in its one form", "another spelling")
        return made

    def _tried(self, schema: Schema, codec: Codec) -> None:
        layout, part = self.channel.layout, self.part(schema, codec)
        if tuple(c.name for c in layout.columns) != self.names or part.words > MOST_WORDS:
            raise misfit("a network of these columns, of few words a record", f"{part.words:,} words")
        for held, levels in zip(layout.columns, part.levels, strict=True):
            if (None if levels is None else levels.labels) != held.levels:
                raise misfit("levels that are those of the codec", "others")
            if levels is None and not (held.low <= held.high and held.scale > 0 and held.step >= 0):
                raise misfit("limits and a scale of each number", "others")
        if self.channel.inputs == "sx" and getattr(self.channel.family, "secrets", 0) != codec.secret.size:
            raise misfit(f"a network for {codec.secret.size} secrets", "another number of them")
        row = np.array([[held.low if held.levels is None else 0.0 for held in layout.columns]])
        words = np.zeros((1, self.channel.words), dtype=np.uint64)
        self.channel.push(row, words, np.zeros(1, dtype=np.int64) if part.secret else None)


def part_of(names: tuple[str, ...], schema: Schema, codec: Codec, channel: LearnedChannel) -> NetworkedPart:
    """The kernel of a learned channel on these columns."""
    codings = codings_of(codec)
    levels = tuple(c if isinstance(c, Levels) else None for c in (codings[name] for name in names))
    return NetworkedPart(names, tuple(schema[name].arrow for name in names), channel, levels)


def columns_for(table: Any, names: tuple[str, ...], schema: Schema, codec: Codec, fewest: int) -> Columns:
    """Rows as a network learns from them; numbers between limits that so many rows at least lie on or beyond."""
    codings, made = codings_of(codec), []
    for name in names:
        coding = codings[name]
        if isinstance(coding, Levels):
            made.append(Column(name, coding.encode(column_of(table, name))[0], coding.labels))
            continue
        values = as_floats(column_of(table, name), schema[name].arrow)
        made.append(Column(name, np.clip(values, *limits(values, fewest))))
    return Columns(made)


def limits(values: NDArray[Any], fewest: int) -> tuple[float, float]:
    """The lowest and the highest number that so many rows reach: the extremes themselves belong to somebody."""
    held = np.sort(values[np.isfinite(values)])
    if not held.size:
        return 0.0, 0.0
    place = min(fewest - 1, (held.size - 1) // 2)
    return float(held[place]), float(held[-1 - place])


def _channel_of(arrays: Mapping[str, Any], description: Mapping[str, Any]) -> LearnedChannel:
    if set(description) != {"kind", "family", "columns"} or description["kind"] not in FAMILIES:
        raise misfit(f"a learned sanitiser among {', '.join(FAMILIES)}", "another")
    return LearnedChannel.of(arrays, description)


def _numbers(values: NDArray[Any], kind: Any) -> Any:
    missing = np.isnan(values)
    whole = np.where(missing, 0.0, values)
    if is_whole(kind):
        return from_whole(np.rint(whole).astype(np.int64), missing, kind)
    return from_floats(whole, missing, kind)
