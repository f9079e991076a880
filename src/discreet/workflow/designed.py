"""A design with all that was tried for it: several mechanisms on one scale, the one that was chosen, and why."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from discreet import measures
from discreet.core.channel import MatrixChannel
from discreet.core.errors import DiscreetError, ParameterError
from discreet.core.joint import Joint
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.tables.schema import Schema
from discreet.workflow.channels import Finite
from discreet.workflow.coded import Split, split
from discreet.workflow.designer import MECHANISMS, Designer
from discreet.workflow.holding import kept
from discreet.workflow.intake import Facts, Names, facts_of, schema_from
from discreet.workflow.made import WORDS, Knob, Tried
from discreet.workflow.plans import MEASURES, Plan
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
CURVE = (0.2, 0.4, 0.6, 0.8)
"""Where else on its family each mechanism is shown, so that its curve is seen beside the point that was asked for."""

SAME, GONE = 0.999, 0.001

MOST_SYMBOLS = 128
"""Symbols of a block, unless asked otherwise: the funnel's time grows with the square."""

Stage = Callable[[str], None]


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


def designed(
    records: Any,
    *,
    private: Names = (),
    public: Names | None = None,
    utility: Names = (),
    id: Names = (),  # noqa: A002
    drop: Names = (),
    schema: Schema | str | Path | None = None,
    mechanism: str | Sequence[str] = "best",
    leak: float | None = None,
    keep: float | None = None,
    attacker_at_most: float | None = None,
    held_out: Any = None,
    labels: bool = False,
    symbols: int = MOST_SYMBOLS,
    share: float = 0.5,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    stage: Stage | None = None,
    command: str | None = None,
) -> Designed:
    """Try mechanisms for one limit and choose among them: "best" tries all that fit, a name or several try those.

    All are made on the same rows and held against the same others, and the doubt is divided among them. The rest is as
    in `design`, which returns the policy alone.
    """
    from discreet.tables.guess import guess_schema
    from discreet.tables.source import open_source

    knob, asked = _knob(leak, keep, attacker_at_most)
    names = _named(mechanism)
    rng = np.random.default_rng() if rng is None else rng
    say = stage or (lambda _: None)
    say("reading")
    source = open_source(records)
    held = (
        guess_schema(source, private=private, public=public, utility=utility, id=id, drop=drop)
        if schema is None
        else schema_from(schema)
    )
    against = None if held_out is None else open_source(held_out)
    found = split(source, held.require(), share=share, most=symbols, rng=rng, held_out=against)
    each = 1 - (1 - confidence) / len(names)
    made_of: list[tuple[Designer, Policy]] = []
    skipped: dict[str, str] = {}
    for name in names:
        say(f"trying {name}")
        try:
            designer = Designer(found, name, confidence=each, labels=labels, rng=rng)
            made_of.append((designer, designer.policy(knob, asked)))
        except DiscreetError as error:
            if len(names) == 1 or (isinstance(error, ParameterError) and _asked_wrongly(error)):
                raise
            skipped[name] = f"{error.asked}: {error.found}"
    if not made_of:
        raise ParameterError(
            "a mechanism that suits these columns", f"{skipped}", "release fewer columns, or coarser ones"
        )
    if mechanism == "best":
        skipped["learned"] = "it takes minutes; ask for it by name"
    points = [_point(designer, policy) for designer, policy in made_of]
    return Designed(
        facts_of(source, found.design.n + found.held_out.n), found, knob, asked,
        tuple(policy for _, policy in made_of),
        (*points, *(p for designer, _ in made_of for p in _curve(designer))),
        _before(made_of[0][0]), _chosen(points, [policy for _, policy in made_of]), skipped, command,
    )  # fmt: skip


def _knob(leak: float | None, keep: float | None, attacker_at_most: float | None) -> tuple[Knob, float]:
    """The one limit that was given."""
    given: dict[Knob, float | None] = {"leak": leak, "keep": keep, "attacker_at_most": attacker_at_most}
    named = [(knob, value) for knob, value in given.items() if value is not None]
    if len(named) != 1:
        raise ParameterError(
            "one limit: leak=…, keep=… or attacker_at_most=…",
            " and ".join(knob for knob, _ in named) or "none",
            "give one of them",
        )
    knob, value = named[0]
    most = float("inf") if knob == "leak" else 1.0
    if not 0 <= value <= most:
        raise ParameterError(
            f"{knob} from 0 to {most:g}", f"{value:g}", "nats for a leak, a share from 0 to 1 for the others"
        )
    return knob, float(value)


def _named(mechanism: str | Sequence[str]) -> list[str]:
    """The mechanisms to try."""
    if mechanism == "best":
        return [name for name in MECHANISMS if name != "learned"]
    names = [mechanism] if isinstance(mechanism, str) else list(mechanism)
    unknown = [name for name in names if name not in MECHANISMS]
    if unknown or not names:
        near = difflib.get_close_matches(unknown[0], MECHANISMS, 1) if unknown else []
        raise ParameterError(
            f'"best", or mechanisms among {", ".join(MECHANISMS)}',
            ", ".join(unknown) or "none",
            f"did you mean {near[0]!r}?" if near else "choose among them",
        )
    return list(dict.fromkeys(names))


def _asked_wrongly(error: ParameterError) -> bool:
    """Whether the limit itself cannot be met by anything."""
    return error.asked.startswith("an attacker")


def _chosen(points: Sequence[Point], policies: Sequence[Policy]) -> int | None:
    fitting = [i for i, p in enumerate(points) if p.fits and not policies[i].collapsed]
    fitting = fitting or [i for i, p in enumerate(points) if p.fits]
    return max(fitting, key=lambda i: points[i].utility.value, default=None)


def _point(designer: Designer, policy: Policy) -> Point:
    """The design that was made for the limit, as it was held against it."""
    made_of = policy.design
    leak = made_of.leakage["mutual_information, rows it never saw"]
    guess = made_of.leakage["guessing_probability, rows it never saw"]
    name = next(n for n in reversed(list(made_of.utility)) if n.endswith("rows it never saw"))
    return Point(designer.name, leak, made_of.utility[name], guess, made_of.status, made_of.limit.met)


def _curve(designer: Designer) -> list[Point]:
    """Other strengths of the mechanism, where a bound is cheap: so that its curve is seen beside the chosen point."""
    made_of = []
    utility = bool(designer.split.schema.utility)
    for strength in CURVE:
        plan = designer.mechanism.plan(strength)
        held = designer.held(plan)
        if not (held.bounded or plan.bounds):
            return []
        told, share = kept(designer.split, plan, designer.split.held_out, designer.rng, utility=utility)
        use = Reading(share, "", told.measure, told.side, origin=told.origin)
        leak, guess = (held.against(measure) for measure in MEASURES)
        made_of.append(
            Point(designer.name, leak, use, guess, plan.status, False, parameters={"strength": strength})
        )
    return made_of


def _before(designer: Designer) -> Point:
    """The columns as they are, through channels that change nothing."""
    found = designer.split
    sizes = [block.size for block in found.codec.public]
    same = tuple(Finite(b, MatrixChannel(np.eye(size)), "none") for b, size in enumerate(sizes))
    plan = Plan(same, "The columns as they are.", {})
    held = designer.held(plan)
    told = measures.entropy(found.held_out.of_block(0).joint().lift().reversed)
    use = Reading(1.0, "", "share kept", origin=told.origin)
    leak, guess = (held.against(measure) for measure in MEASURES)
    return Point("the data untouched", leak, use, guess, plan.status, False)


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
