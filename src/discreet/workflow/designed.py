"""Try mechanisms for one limit, all on the same rows, and choose among them."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from discreet import measures
from discreet.core.channel import MatrixChannel
from discreet.core.errors import DiscreetError, ParameterError
from discreet.core.reading import Reading
from discreet.tables.schema import Schema
from discreet.workflow.channels import Finite
from discreet.workflow.choice import Designed, Point
from discreet.workflow.coded import Split, split
from discreet.workflow.designer import MECHANISMS, Designer
from discreet.workflow.holding import kept
from discreet.workflow.intake import Names, facts_of, schema_from
from discreet.workflow.made import Knob
from discreet.workflow.plans import MEASURES, Plan
from discreet.workflow.policy import Policy

CURVE = (0.2, 0.4, 0.6, 0.8)
"""Where else on its family each mechanism is shown, so that its curve is seen beside the point that was asked for."""

MOST_SYMBOLS = 128
"""Symbols of a block, unless asked otherwise: the funnel's time grows with the square."""

Stage = Callable[[str], None]


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
    made_of, skipped = _tried(
        found,
        names,
        (knob, asked),
        confidence=1 - (1 - confidence) / len(names),
        labels=labels,
        rng=rng,
        say=say,
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


def _tried(
    found: Split,
    names: Sequence[str],
    limit: tuple[Knob, float],
    *,
    confidence: float,
    labels: bool,
    rng: np.random.Generator,
    say: Stage,
) -> tuple[list[tuple[Designer, Policy]], dict[str, str]]:
    """The mechanisms that fit, each with its policy for the limit; and why the others do not."""
    made_of: list[tuple[Designer, Policy]] = []
    skipped: dict[str, str] = {}
    for name in names:
        say(f"trying {name}")
        try:
            designer = Designer(found, name, confidence=confidence, labels=labels, rng=rng)
            made_of.append((designer, designer.policy(*limit)))
        except DiscreetError as error:
            if len(names) == 1 or (isinstance(error, ParameterError) and _asked_wrongly(error)):
                raise
            skipped[name] = f"{error.asked}: {error.found}"
    if not made_of:
        raise ParameterError(
            "a mechanism that suits these columns", f"{skipped}", "release fewer columns, or coarser ones"
        )
    return made_of, skipped


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
    if not 0 <= value <= (sys.float_info.max if knob == "leak" else 1.0):
        raise ParameterError(
            f"{knob} from 0 " + ("on" if knob == "leak" else "to 1"),
            f"{value:g}",
            "nats for a leak, a share from 0 to 1 for the others",
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
