"""A design with all that was tried for it: several mechanisms on one scale, the one that was chosen, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from discreet import measures
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.workflow.channels import Finite
from discreet.workflow.coded import Split
from discreet.workflow.intake import Facts
from discreet.workflow.made import WORDS, Knob, Tried
from discreet.workflow.policy import Policy
from discreet.workflow.proven import as_json, proven
from discreet.workflow.result import (
    ONE_RECORD,
    ROWS_ARE_DRAWS,
    Outcome,
    Result,
    in_hundred,
    made,
    secret_json,
)

RULE = "Of all designs that meet the limit on rows that they never saw, the one that keeps most."
NONE_FITS = "No design meets the limit on rows that it never saw; the constant release is what is left."

SAME, GONE = 0.999, 0.001


@dataclass(frozen=True, eq=False)
class Point:
    """One design on the common scale: measured on rows that it never saw."""

    mechanism: str
    leakage: Reading
    utility: Reading
    guess: Reading
    status: str
    fits: bool
    bound: Reading | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {
            "mechanism": self.mechanism,
            "parameters": dict(self.parameters),
            "leakage": self.leakage.to_json(),
            "utility": self.utility.to_json(),
            "guessing_probability": self.guess.to_json(),
            "bound": None if self.bound is None else self.bound.to_json(),
            "status": self.status,
            "fits": self.fits,
        }


@dataclass(frozen=True, eq=False)
class Designed(Result):
    """The chosen policy, every design that was tried, the rule and the reason."""

    facts: Facts
    split: Split
    knob: Knob
    asked: float
    policies: tuple[Policy, ...]
    points: tuple[Point, ...]
    before: Point
    chosen: int | None
    skipped: Mapping[str, str]
    command: str | None = None

    @cached_property
    def policy(self) -> Policy:
        """The one that was chosen, which knows what else was tried; where none fits, the one that is left."""
        held = self.policies[self.place]
        tried = tuple(
            Tried(p.mechanism, p.leakage, p.guess, p.utility, p.fits)
            for p in self.points[: len(self.policies)]
        )
        return replace(held, design=replace(held.design, tried=tried, why=f"{RULE} {self.why}"))

    @property
    def place(self) -> int:
        """Where the design stands among the points."""
        return 0 if self.chosen is None else self.chosen

    @property
    def secret(self) -> str:
        """The name of what must stay hidden."""
        return " and ".join(self.split.schema.private)

    @property
    def verdict(self) -> Outcome:
        """Whether a design meets the limit, and is of any use."""
        if self.policy.collapsed:
            return Outcome("collapsed", "The release is constant: it tells nothing and keeps nothing.")
        if self.chosen is None:
            return Outcome("over the limit", NONE_FITS)
        return Outcome("fine", self.policy.design.limit.sentence)

    @property
    def why(self) -> str:
        """The choice, explained."""
        if self.chosen is None:
            return NONE_FITS
        fitting = [p for p in self.points[: len(self.policies)] if p.fits]
        best = self.points[self.chosen]
        told = (
            f"{len(fitting)} of {len(self.policies)} mechanisms meet the limit. "
            f"`{best.mechanism}` keeps {best.utility.value:.0%}"
        )
        others = sorted((p for p in fitting if p is not best), key=lambda p: -p.utility.value)
        return (
            f"{told}, the next best, `{others[0].mechanism}`, {others[0].utility.value:.0%}."
            if others
            else f"{told}."
        )

    @property
    def headline(self) -> str:
        """What is told and kept, in a sentence."""
        point = self.points[self.place]
        told = (
            f"`{point.mechanism}` tells {point.leakage.value:.3g} nats about `{self.secret}` "
            f"({self.before.leakage.value:.3g} before) and keeps {point.utility.value:.0%}; an attacker guesses right "
            f"{in_hundred(point.guess.value)} times in 100 ({in_hundred(self.before.guess.value)} before, "
            f"{in_hundred(self.blind)} without any data)."
        )
        outcome = self.verdict
        return f"{outcome.words} {told}" if outcome.exit else told

    @cached_property
    def shares(self) -> Array:
        """The shares of the secret among the rows of the design."""
        counts = np.bincount(self.split.design.s, minlength=self.split.codec.secret.size)
        return np.asarray(counts / counts.sum())

    @property
    def blind(self) -> float:
        """How often the commonest secret is right."""
        return float(self.shares.max())

    def to_json(self) -> dict[str, Any]:
        """discreet/design/1."""
        utility = "what is told about the utility" if self.split.schema.utility else "H(X)"
        limit = self.policy.design.limit
        return {
            "schema": "discreet/design/1",
            "headline": self.headline,
            "verdict": self.verdict.to_json(),
            "made": made(self.command),
            "secret": secret_json(self.split.codec.secret.axis, self.shares),
            "warnings": [
                *self.policy.design.warnings,
                *self.policy.rare,
                *(f"`{name}` was not tried: {why}" for name, why in self.skipped.items()),
            ],
            "assumptions": [ROWS_ARE_DRAWS, ONE_RECORD],
            "source": self.facts.to_json(),
            "asked": {
                "knob": self.knob,
                "limit": self.asked,
                "words": WORDS[self.knob].format(asked=self.asked),
            },
            "frontier": {
                "leakage": "I(S;Y)",
                "utility": f"the share of {utility} that is kept",
                "points": [p.to_json() for p in self.points],
                "before": self.before.to_json(),
                "chosen": self.chosen,
                "limit": self.asked if self.knob == "leak" else None,
            },
            "policy": self.policy.digest,
            "rule": RULE,
            "why": f"{self.why} {limit.sentence}",
            "changes": [
                {"column": name, "words": _change(share), "kept": share}
                for name, share in self.kept_of_columns().items()
            ],
            "proven": [as_json(one) for one in proven(self.policy, self.shares)],
            "method": {
                "estimator": "counts",
                "candidates": [],
                "records": self.split.design.n,
                "held_out": self.split.held_out.n,
                "folds": None,
                "shuffles": None,
                "notes": ["Codec and channels were made on some rows; every number here is read off others."],
            },
        }

    def kept_of_columns(self) -> dict[str, float]:
        """What each column of the release still tells of itself, as a share of its entropy."""
        found: dict[str, float] = {}
        for one in self.policy.channels:
            if isinstance(one, Finite) and one.labels is None:
                found |= _kept(self.split, one)
        return {name: found[name] for name in self.policy.kernel.columns if name in found}

    def __repr__(self) -> str:
        return f"Design: {self.headline}"


def _kept(found: Split, one: Finite) -> dict[str, float]:
    """For each column of a block what the released symbol tells of the column's own part, over all there is to tell."""
    block = found.codec.public[one.block]
    joint = found.held_out.of_block(one.block).joint()
    p = joint.through(one.channel, keep="x").p
    shares = {}
    for j, name in enumerate(block.names):
        parts = np.asarray(block.parts)[:, j]
        size = int(parts.max()) + 1
        table = np.zeros((size, size))
        np.add.at(table, (parts[:, None], parts[None, :]), p)
        lift = Joint(table / table.sum()).lift()
        most = measures.entropy(lift).value
        shares[name] = measures.mutual_information(lift).value / most if most > 0 else 1.0
    return shares


def _change(share: float) -> str:
    if share >= SAME:
        return "unchanged, as far as its ranges and levels go"
    if share <= GONE:
        return "drawn anew, without regard to what it was"
    return f"redrawn within what the release still says of it: {share:.0%} is kept"
