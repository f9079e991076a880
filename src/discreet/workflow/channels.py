"""The channels that a policy can hold: what they are, how they stand in its file, and the kernel that applies them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.core.errors import DiscreetError, PolicyError
from discreet.core.gaussian_channel import GaussianChannel
from discreet.core.protocols import Array
from discreet.tables.alias import AliasTable, whole_units
from discreet.tables.codec import Codec
from discreet.tables.kernels import FinitePart, Kernel, LabelPart, Part
from discreet.tables.noisy import NoisyPart
from discreet.tables.schema import Schema
from discreet.workflow.networked import Networked
from discreet.workflow.policy_file import ChannelFile, GaussianFile, MatrixFile, misfit

Weights: TypeAlias = dict[str, Any]

SAME = 1e-12
"""Masses that differ by no more are the same."""

MOST_CELLS = 1 << 26
"""A channel of more masses (half a gigabyte) is refused."""


@dataclass(frozen=True, eq=False)
class Finite:
    """A block of columns through a finite channel on its own alphabet, or to labels: labels[column][y].

    The masses are whole multiples of 2^-52, as they are drawn: the channel that is measured is the one that runs.
    """

    block: int
    channel: MatrixChannel
    mechanism: str
    labels: tuple[tuple[str, ...], ...] | None = None

    @classmethod
    def drawn(
        cls,
        block: int,
        channel: MatrixChannel,
        mechanism: str,
        labels: tuple[tuple[str, ...], ...] | None = None,
    ) -> Finite:
        """The channel with its masses as they will be drawn."""
        p = channel.p.reshape(-1, channel.p.shape[-1])
        exact = (whole_units(p) / 2.0**52).reshape(channel.p.shape)
        return cls(block, MatrixChannel(exact, channel.output), mechanism, labels)

    @property
    def constant(self) -> bool:
        """Whether it releases the same, whatever it reads."""
        rows = self.channel.p.reshape(-1, self.channel.p.shape[-1])
        return bool(np.abs(rows - rows[0]).max() < SAME)

    def columns(self, codec: Codec) -> tuple[str, ...]:
        """The columns that it releases."""
        return codec.public[self.block].names

    def part(self, schema: Schema, codec: Codec) -> Part:  # noqa: ARG002
        """The kernel that applies it."""
        block, sees = codec.public[self.block], self.channel.inputs == "sx"
        table = AliasTable.of(self.channel.p.reshape(-1, self.channel.p.shape[-1]))
        if self.labels is not None:
            return LabelPart(block, table, self.labels, sees)
        return FinitePart(block, table, sees)

    def types(self, schema: Schema, codec: Codec) -> list[Any]:
        """What its columns are released as."""
        from discreet.tables.arrow_types import type_of

        if self.labels is not None:
            return [type_of("string") for _ in self.labels]
        return [schema[name].arrow for name in self.columns(codec)]

    def file(self, name: str) -> tuple[MatrixFile, Weights]:
        """For the policy file."""
        labels = None if self.labels is None else [list(column) for column in self.labels]
        said = MatrixFile(
            kind="matrix", mechanism=self.mechanism, block=self.block, weights=name, labels=labels
        )
        return said, {name: np.ascontiguousarray(self.channel.p)}

    @classmethod
    def of_file(cls, said: MatrixFile, weights: Weights, schema: Schema, codec: Codec) -> Finite:  # noqa: ARG003
        """From the policy file."""
        p = _taken(weights, said.weights, 2, 3)
        if said.block >= len(codec.public):
            raise misfit("a channel for one of its blocks", f"block {said.block} of {len(codec.public)}")
        block = codec.public[said.block]
        rows = (block.size,) if p.ndim == 2 else (codec.secret.size, block.size)
        if p.shape[:-1] != rows or p.size > MOST_CELLS or (said.labels is None and p.shape[-1] != block.size):
            raise misfit(f"a channel on the {block.size} symbols of block {said.block}", f"shape {p.shape}")
        labels = None if said.labels is None else tuple(tuple(column) for column in said.labels)
        if labels is not None and [len(c) for c in labels] != [p.shape[-1]] * len(block.names):
            raise misfit(f"a label for each of {p.shape[-1]} symbols and each column", "other labels")
        made = cls.drawn(said.block, MatrixChannel(p), said.mechanism, labels)
        if not np.array_equal(made.channel.p, p):
            raise misfit("masses that are whole multiples of 2^-52", "others")
        return made


@dataclass(frozen=True, eq=False)
class Noisy:
    """Columns of numbers through a Gaussian channel: see `tables.noisy` for what keeps it safe in floating point."""

    names: tuple[str, ...]
    channel: GaussianChannel
    low: Array
    high: Array
    step: Array
    mechanism: str

    @property
    def constant(self) -> bool:
        """Whether it releases the same law, whatever it reads."""
        return not self.channel.a.any()

    def columns(self, codec: Codec) -> tuple[str, ...]:  # noqa: ARG002
        """The columns that it releases."""
        return self.names

    def part(self, schema: Schema, codec: Codec) -> Part:
        """The kernel that applies it."""
        types = tuple(self.types(schema, codec))
        return NoisyPart(self.names, types, self.channel, self.low, self.high, self.step)

    def types(self, schema: Schema, codec: Codec) -> list[Any]:  # noqa: ARG002
        """What its columns are released as."""
        return [schema[name].arrow for name in self.names]

    def file(self, name: str) -> tuple[GaussianFile, Weights]:
        """For the policy file."""
        held = {
            "a": self.channel.a, "cov": self.channel.cov, "shift": self.channel.shift,
            "low": self.low, "high": self.high, "step": self.step,
        }  # fmt: skip
        said = GaussianFile(kind="gaussian", mechanism=self.mechanism, columns=list(self.names), weights=name)
        return said, {f"{name}.{key}": np.ascontiguousarray(value) for key, value in held.items()}

    @classmethod
    def of_file(cls, said: GaussianFile, weights: Weights, schema: Schema, codec: Codec) -> Noisy:
        """From the policy file."""
        n = len(said.columns)
        for name in said.columns:
            if name not in schema.public or not schema[name].kind.binned:
                raise misfit("noise on released columns of numbers", "another column")
        a, cov = (_taken(weights, f"{said.weights}.{key}", 2, 3) for key in ("a", "cov"))
        shift = _taken(weights, f"{said.weights}.shift", 1, 2)
        low, high, step = (_taken(weights, f"{said.weights}.{key}", 1, 1) for key in ("low", "high", "step"))
        sizes = [array.shape == (n,) for array in (low, high, step)]
        leads = {array.shape[:-2] for array in (a, cov)} | {shift.shape[:-1]}
        sound = all(sizes) and (low <= high).all() and (step > 0).all() and (np.frexp(step)[0] == 0.5).all()
        if not sound or a.shape[-2:] != (n, n) or leads not in ({()}, {(codec.secret.size,)}):
            raise misfit(
                f"noise on {n} columns, with limits and steps that are powers of two", "other numbers"
            )
        return cls(tuple(said.columns), GaussianChannel(a, cov, shift), low, high, step, said.mechanism)


Released: TypeAlias = Finite | Noisy | Networked


def kernel_of(schema: Schema, codec: Codec, channels: Sequence[Released]) -> Kernel:
    """What applies these channels to rows; the columns come out in the order of the schema."""
    types = {
        name: kind
        for one in channels
        for name, kind in zip(one.columns(codec), one.types(schema, codec), strict=True)
    }
    order = tuple(name for name in schema.public if name in types)
    parts = tuple(one.part(schema, codec) for one in channels)
    return Kernel(parts, order, tuple(types[n] for n in order), codec.secret)


def channel_of(said: ChannelFile, weights: Weights, schema: Schema, codec: Codec) -> Released:
    """The channel that a policy file describes."""
    try:
        if isinstance(said, MatrixFile):
            return Finite.of_file(said, weights, schema, codec)
        if isinstance(said, GaussianFile):
            return Noisy.of_file(said, weights, schema, codec)
        return Networked.of_file(said, weights, schema, codec)
    except DiscreetError as error:
        if isinstance(error, PolicyError):
            raise
        raise PolicyError(
            "channels in the policy that are ones", error.found, "get the file again from whoever made it"
        ) from error


def _taken(weights: Mapping[str, Any], name: str, least: int, most: int) -> Array:
    if name not in weights:
        raise misfit(f"the weights {name!r}", f"{len(weights)} others")
    held = np.asarray(weights[name])
    if (
        held.dtype != np.float64
        or not least <= held.ndim <= most
        or not held.size
        or not np.isfinite(held).all()
    ):
        raise misfit(
            f"finite numbers of double precision in {name!r}", f"type {held.dtype}, shape {held.shape}"
        )
    return held
