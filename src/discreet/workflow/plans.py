"""What a mechanism makes of a split at one strength: the channels of the release, and what it is searched by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol, TypeAlias

import numpy as np

from discreet import measures
from discreet.core.channel import MatrixChannel
from discreet.core.design import Design
from discreet.core.joint import Joint
from discreet.core.reading import Reading
from discreet.workflow.channels import Finite, Released
from discreet.workflow.coded import Split
from discreet.workflow.families import Maker, constant, decoded
from discreet.workflow.labels import labels_of

Asked: TypeAlias = Literal["mutual_information", "guessing_probability"]

MEASURES: tuple[Asked, ...] = ("mutual_information", "guessing_probability")


@dataclass(frozen=True, eq=False)
class Plan:
    """The channels of a release, how they came out, and what they tell.

    `aims` are found on the rows of the design, and only to search by. `bounds` hold by theorem, whatever the rows.
    """

    channels: tuple[Released, ...]
    status: str
    aims: Mapping[Asked, float]
    bounds: Mapping[str, Reading] = field(default_factory=dict)

    @cached_property
    def finite(self) -> tuple[MatrixChannel, ...]:
        """Its channels, one for each block, where all of them are finite; else none."""
        held = tuple(one.channel for one in self.channels if isinstance(one, Finite))
        return held if len(held) == len(self.channels) else ()

    @property
    def constant(self) -> bool:
        """Whether it tells nothing and keeps nothing."""
        return all(one.constant for one in self.channels)


class Mechanism(Protocol):
    """A way to release, with one knob: from as little as it can tell, at 0, to as much as it would, at 1."""

    def plan(self, strength: float) -> Plan:
        """The release at this strength."""
        ...


class Blocks:
    """A finite mechanism: a family of channels for each block of columns, all at the same strength."""

    def __init__(
        self, found: Split, name: str, maker: Maker, rng: np.random.Generator, *, labels: bool
    ) -> None:
        self.split, self.name, self.labels = found, name, labels
        blocks = found.codec.public
        self.joints = [found.design.of_block(b).joint() for b in range(len(blocks))]
        self.families = [maker(joint, block, rng) for joint, block in zip(self.joints, blocks, strict=True)]

    def plan(self, strength: float) -> Plan:
        """The release at this strength."""
        return self._of([family(strength) for family in self.families])

    def silent(self) -> Plan:
        """One symbol for everybody."""
        return self._of([constant(joint) for joint in self.joints])

    def _of(self, designs: list[Design]) -> Plan:
        made = tuple(
            self._drawn(b, design, joint)
            for b, (design, joint) in enumerate(zip(designs, self.joints, strict=True))
        )
        status = " ".join(dict.fromkeys(str(one.status) for one in designs))
        return Plan(made, status, self._aims(made))

    def _drawn(self, block: int, design: Design, joint: Joint) -> Finite:
        """What is really drawn: with a step back to symbols of X, unless labels are released."""
        channel = design.channel
        if not self.labels or not isinstance(channel, MatrixChannel):
            return Finite.drawn(block, decoded(design, joint), self.name)
        return Finite.drawn(block, channel, self.name, labels_of(self.split.codec.public[block], channel))

    def _aims(self, made: tuple[Finite, ...]) -> dict[Asked, float]:
        """What the blocks tell: information added up, and the best guess of the best block."""
        lifts = [joint.through(one.channel).lift() for joint, one in zip(self.joints, made, strict=True)]
        return {
            "mutual_information": sum(measures.mutual_information(lift).value for lift in lifts),
            "guessing_probability": max(measures.guessing_probability(lift).value for lift in lifts),
        }
