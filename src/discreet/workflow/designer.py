"""The search for the strength at which a family of channels meets a limit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet import measures
from discreet.core.channel import MatrixChannel
from discreet.core.design import Design
from discreet.core.errors import ParameterError
from discreet.core.reading import Reading
from discreet.workflow.channels import Finite
from discreet.workflow.coded import Split
from discreet.workflow.families import FAMILIES, constant, decoded, strengths
from discreet.workflow.holding import Asked, Held, cautions, kept
from discreet.workflow.labels import labels_of
from discreet.workflow.policy import Knob, Limit, Made, Policy, Threat

TRIED = (1.0, 0.9, 0.75, 0.6, 0.4, 0.2, 0.0)
"""Shares of the limit that the candidates are designed for, from the most useful on; the first that holds is taken."""

MEASURES: dict[Knob, Asked] = {"leak": "mutual_information", "attacker_at_most": "guessing_probability"}

ROUNDING = 1e-9
"""A limit on what is kept is met when no more than this is missing."""


class Designer:
    """A split, and a family of channels for each block."""

    def __init__(
        self, found: Split, mechanism: str, *, confidence: float, labels: bool, rng: np.random.Generator
    ) -> None:
        self.split, self.mechanism, self.confidence = found, mechanism, confidence
        self.labels, self.rng = labels, rng
        self.joints = [found.design.of_block(b).joint() for b in range(len(found.codec.public))]
        self.families = [FAMILIES[mechanism](joint, rng) for joint in self.joints]

    def policy(self, knob: Knob, asked: float) -> Policy:
        """The policy for one limit, with all that was read off it."""
        designs, limit = self._keeping(asked) if knob == "keep" else self._within(knob, asked)
        channels = self._channels(designs)
        finite = tuple(
            Finite.drawn(b, channel, self.mechanism, self._labels(b, channel))
            for b, channel in enumerate(channels)
        )
        made = self._read_off(designs, channels, limit)
        return Policy(self.split.schema, self.split.codec, finite, made, Threat(self.split.schema.private))

    def _within(self, knob: Knob, asked: float) -> tuple[list[Design], Limit]:
        """The most useful candidate that holds the limit; failing all, the constant release, which tells nothing.

        The candidates are fixed by the rows of the design, and the confidence is divided among them.
        """
        measure = MEASURES[knob]
        floor = self._floor(measure, asked)
        targets = [floor + part * (asked - floor) for part in TRIED]
        confidence = 1 - (1 - self.confidence) / len(TRIED)
        for strength in dict.fromkeys(strengths(lambda t: self._told(measure, t), targets)):
            designs = [family(strength) for family in self.families]
            held = Held(self.split, tuple(self._channels(designs)), confidence, self.rng).against(measure)
            if held.value <= asked:
                return designs, Limit(knob, asked, held, True)
        designs = [constant(joint) for joint in self.joints]
        told = self._most(measure, self._channels(designs))
        return designs, Limit(knob, asked, told, told.value <= asked)

    def _keeping(self, asked: float) -> tuple[list[Design], Limit]:
        """The weakest channel that keeps the share on the rows it was designed on; the share is read off the others."""
        utility = bool(self.split.schema.utility)

        def lost(strength: float) -> float:
            channels = self._channels([family(1 - strength) for family in self.families])
            return 1 - kept(self.split.design, channels, utility=utility)[1]

        (strength,) = strengths(lost, [1 - asked + ROUNDING])
        designs = [family(1 - strength) for family in self.families]
        reading, share = kept(self.split.held_out, self._channels(designs), utility=utility)
        held = Reading(share, "", reading.measure, "estimate", origin=reading.origin)
        return designs, Limit("keep", asked, held, lost(strength) <= 1 - asked + ROUNDING)

    def _told(self, measure: Asked, strength: float) -> float:
        """What all blocks tell, to find candidates by: information added up, or the best guess of the best block."""
        channels = self._channels([family(strength) for family in self.families])
        told = [
            getattr(measures, measure)(joint.through(channel).lift()).value
            for joint, channel in zip(self.joints, channels, strict=True)
        ]
        return float(sum(told) if measure == "mutual_information" else max(told))

    def _most(self, measure: Asked, channels: Sequence[MatrixChannel]) -> Reading:
        """What the block tells that tells most, exactly, of the rows it was designed on."""
        told: list[Reading] = [
            getattr(measures, measure)(joint.through(channel).lift())
            for joint, channel in zip(self.joints, channels, strict=True)
        ]
        return max(told, key=float)

    def _channels(self, designs: Sequence[Design]) -> list[MatrixChannel]:
        """What is really drawn: with a step back to symbols of X, unless labels are released."""
        made = []
        for design, joint in zip(designs, self.joints, strict=True):
            channel = design.channel
            if not self.labels or not isinstance(channel, MatrixChannel):
                channel = decoded(design, joint)
            made.append(Finite.drawn(0, channel, self.mechanism).channel)
        return made

    def _labels(self, b: int, channel: MatrixChannel) -> tuple[tuple[str, ...], ...] | None:
        return labels_of(self.split.codec.public[b], channel) if self.labels else None

    def _floor(self, measure: Asked, asked: float) -> float:
        """The value without any data, below which nothing can be asked for."""
        if measure == "mutual_information":
            return 0.0
        blind = float(self.joints[0].lift().p_s.max())
        if asked < blind:
            raise ParameterError(
                f"an attacker who is right at most {asked:g} of the time",
                f"who names the commonest value of the secret is right {blind:.4g} of the time without any data",
                f"ask for {blind:.4g} or more",
            )
        return blind

    def _read_off(self, designs: Sequence[Design], channels: list[MatrixChannel], limit: Limit) -> Made:
        """All that a reader of the policy wants to know, on the rows of the design and on the others."""
        held = Held(self.split, tuple(channels), self.confidence, self.rng)
        leakage = {}
        for measure in MEASURES.values():
            what = "" if len(channels) == 1 else ", the block that tells most"
            leakage[f"{measure}, rows of the design{what}"] = self._most(measure, channels)
            leakage[f"{measure}, rows it never saw"] = held.against(measure)
        utility = {}
        for name, rows in (
            ("rows of the design", self.split.design),
            ("rows it never saw", self.split.held_out),
        ):
            for of_utility in (False, True)[: 1 + bool(self.split.schema.utility)]:
                told, share = kept(rows, channels, utility=of_utility)
                utility[f"{told.measure}, {name}"] = Reading(
                    share, "", told.measure, told.side, origin=told.origin
                )
        status = " ".join(dict.fromkeys(str(one.status) for one in designs))
        rows_of = (self.split.design.n, self.split.held_out.n)
        return Made(self.mechanism, status, limit, leakage, utility, rows_of, cautions(self.split, channels))
