"""The search for the strength at which a mechanism meets a limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discreet import measures
from discreet.core.errors import ParameterError
from discreet.core.reading import Reading
from discreet.workflow.coded import Split
from discreet.workflow.families import FAMILIES
from discreet.workflow.holding import Held, cautions, kept
from discreet.workflow.made import Knob, Limit, Made, Threat
from discreet.workflow.obfuscating import Obfuscation
from discreet.workflow.plans import MEASURES, Asked, Blocks, Mechanism, Plan
from discreet.workflow.playing import Game
from discreet.workflow.policy import Policy

MECHANISMS = (*FAMILIES, "obfuscation", "learned")
"""All that can be asked for, by name: finite ones, noise on numbers, and the learned game."""

TRIED = (1.0, 0.9, 0.75, 0.6, 0.4, 0.2, 0.0)
"""Shares of the limit that the candidates are designed for, from the most useful on; the first that holds is taken."""

LOST = (1.0, 0.98, 0.95, 0.9, 0.75, 0.5, 0.0)
"""Shares of the loss allowed that are designed for, one after the other, until the rest of the rows keep enough."""

HELD: dict[Knob, Asked] = {"leak": "mutual_information", "attacker_at_most": "guessing_probability"}

ROUNDING = 1e-9
"""A limit on what is kept is met when no more than this is missing: what rounding takes."""

STEPS = 20
"""Halvings in the search for a strength."""


def mechanism_of(name: str, found: Split, rng: np.random.Generator, *, labels: bool) -> Mechanism:
    """The mechanism of this name, ready to be asked for any strength."""
    if name == "obfuscation":
        return Obfuscation(found)
    if name == "learned":
        return Game(found, rng)
    return Blocks(found, name, FAMILIES[name], rng, labels=labels)


class Designer:
    """A split, and a mechanism for it."""

    def __init__(
        self, found: Split, mechanism: str, *, confidence: float, labels: bool, rng: np.random.Generator
    ) -> None:
        self.split, self.name, self.confidence = found, mechanism, confidence
        self.labels, self.rng = labels, rng
        self.mechanism = mechanism_of(mechanism, found, rng, labels=labels)
        self._aims: dict[float, dict[Asked, float]] = {}

    def policy(self, knob: Knob, asked: float) -> Policy:
        """The policy for one limit, with all that was read off it."""
        plan, limit = self._keeping(asked) if knob == "keep" else self._within(knob, asked)
        threat = Threat(self.split.schema.private)
        return Policy(self.split.schema, self.split.codec, plan.channels, self._made(plan, limit), threat)

    def _within(self, knob: Knob, asked: float) -> tuple[Plan, Limit]:
        """The most useful candidate that holds the limit; failing all, the constant release, which tells nothing.

        The candidates are fixed by the rows of the design, and the confidence is divided among them.
        """
        measure = HELD[knob]
        floor = self._floor(measure, asked)
        targets = [floor + part * (asked - floor) for part in TRIED]
        for strength in dict.fromkeys(strengths(lambda t: self._aim(measure, t), targets)):
            plan = self.mechanism.plan(strength)
            held = self.held(plan, len(TRIED)).against(measure)
            if held.value <= asked and not plan.constant:
                return plan, Limit(knob, asked, held, True)
        plan = Blocks(
            self.split, "constant", FAMILIES["randomised_response"], self.rng, labels=self.labels
        ).silent()
        told = self._of_design(measure, plan)
        return plan, Limit(knob, asked, told, told.value <= asked + ROUNDING)

    def _keeping(self, asked: float) -> tuple[Plan, Limit]:
        """The weakest channel that keeps the share, on the rows it was designed on and on the others.

        Where the others keep less, it is designed anew for a smaller loss; the last resort loses nothing.
        """
        utility = bool(self.split.schema.utility)

        def lost(strength: float) -> float:
            plan = self.mechanism.plan(1 - strength)
            return 1 - kept(self.split, plan, self.split.design, self.rng, utility=utility)[1]

        for part in LOST:
            (strength,) = strengths(lost, [part * (1 - asked) + ROUNDING])
            plan = self.mechanism.plan(1 - strength)
            reading, share = kept(self.split, plan, self.split.held_out, self.rng, utility=utility)
            if met := share >= asked - ROUNDING:
                break
        held = Reading(share, "", reading.measure, "estimate", origin=reading.origin)
        return plan, Limit("keep", asked, held, met)

    def _aim(self, measure: Asked, strength: float) -> float:
        """What a strength aims at; found once for each."""
        if strength not in self._aims:
            self._aims[strength] = dict(self.mechanism.plan(strength).aims)
        return self._aims[strength][measure]

    def held(self, plan: Plan, candidates: int = 1) -> Held:
        """A plan against the rows that the design never saw, at its part of the confidence."""
        return Held(self.split, plan, 1 - (1 - self.confidence) / candidates, self.rng)

    def _floor(self, measure: Asked, asked: float) -> float:
        """The value without any data, below which nothing can be asked for."""
        if measure == "mutual_information":
            return 0.0
        blind = float(self.split.design.of_block(0).joint().lift().p_s.max())
        if asked < blind:
            raise ParameterError(
                f"an attacker who is right at most {asked:g} of the time",
                f"who names the commonest value of the secret is right {blind:.4g} of the time without any data",
                f"ask for {blind:.4g} or more",
            )
        return blind

    def _of_design(self, measure: Asked, plan: Plan) -> Reading:
        """What the block of a finite release tells that tells most, exactly, of the rows it was designed on."""
        told: list[Reading] = [
            getattr(measures, measure)(self.split.design.of_block(b).joint().through(channel).lift())
            for b, channel in enumerate(plan.finite)
        ]
        return max(told, key=float)

    def _made(self, plan: Plan, limit: Limit) -> Made:
        """All that a reader of the policy wants to know, on the rows of the design and on the others."""
        held = self.held(plan)
        leakage = {}
        for measure in MEASURES:
            if plan.finite:
                what = "" if len(plan.finite) == 1 else ", the block that tells most"
                leakage[f"{measure}, rows of the design{what}"] = self._of_design(measure, plan)
            leakage[f"{measure}, rows it never saw"] = held.against(measure)
        for name, bound in plan.bounds.items():
            leakage[f"{name}, whatever the data"] = bound
        if not plan.finite and plan.bounds:
            leakage |= {f"{name}, estimated": reading for name, reading in held.estimates.items()}
        rows_of = (self.split.design.n, self.split.held_out.n)
        return Made(
            self.name, plan.status, limit, leakage, self._utility(plan), rows_of, cautions(self.split, plan)
        )

    def _utility(self, plan: Plan) -> dict[str, Reading]:
        found = {}
        for name, rows in (
            ("rows of the design", self.split.design),
            ("rows it never saw", self.split.held_out),
        ):
            for of_utility in (False, True)[: 1 + bool(self.split.schema.utility)]:
                told, share = kept(self.split, plan, rows, self.rng, utility=of_utility)
                found[f"{told.measure}, {name}"] = Reading(
                    share, "", told.measure, told.side, origin=told.origin
                )
        return found


def strengths(value: Callable[[float], float], targets: Sequence[float]) -> list[float]:
    """For each target the largest strength at which the value, which rises with it, stays at or below the target."""
    return [1.0 if value(1.0) <= target else _largest(value, target) for target in targets]


def _largest(value: Callable[[float], float], target: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) <= target else (low, middle)
    return low
