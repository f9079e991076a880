"""What is said of a release: attacked, designed, certified, compared, and all of it in one."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from discreet.report.shapes.audit import Audit
from discreet.report.shapes.parts import Guess, Method, Number, Reading, Result, Source, Verdict


class Attack(Result):
    """discreet/attack/1: how often the best of several attackers is right; always a lower bound.

    `controls` are the same attackers on the data untouched, `figures` further numbers of the strongest, by name.
    """

    source: Source
    best: Reading
    baseline: Reading
    control: Reading | None
    attackers: dict[str, Reading]
    controls: dict[str, Reading]
    figures: dict[str, Reading]
    strongest: str
    held_out: int
    method: Method


class Asked(TypedDict):
    """The knob: its option, its limit, and the sentence."""

    knob: Literal["leak", "keep", "attacker_at_most"]
    limit: float
    words: str


class Point(TypedDict):
    """One design: what it leaks, keeps and lets guess, and the least that any mechanism could leak."""

    mechanism: str
    parameters: dict[str, Any]
    leakage: Reading
    utility: Reading
    guessing_probability: Reading
    bound: Reading | None
    status: str
    fits: bool


class Frontier(TypedDict):
    """Every design tried, on one scale; `chosen` is the place of the chosen one, null where none fits."""

    leakage: str
    utility: str
    points: list[Point]
    before: Point
    chosen: int | None
    limit: Number


class Change(TypedDict):
    """What happens to one column, and what is kept of it, between 0 and 1."""

    column: str
    words: str
    kept: Number


class Step(TypedDict):
    """One theorem of a chain."""

    known: list[str]
    follows: str
    cite: str


class Proven(TypedDict):
    """A guarantee and the theorems that lead to it."""

    words: str
    notion: str
    law: str
    basis: Literal["exact", "theorem", "confidence", "supposed"]
    confidence: float | None
    chain: list[Step]


class Design(Result):
    """discreet/design/1: the frontier, the chosen point, why, and the digest of its policy."""

    source: Source
    asked: Asked
    frontier: Frontier
    policy: NotRequired[str]
    rule: str
    why: str
    changes: list[Change]
    proven: list[Proven]
    method: Method


class Bounded(TypedDict):
    """What no attacker exceeds: an upper Reading, its sentence, the blind value, and the rows behind it."""

    measure: str
    symbol: str
    reading: Reading
    words: str
    baseline: Number
    n: int | None


class Digest(TypedDict):
    """A file of the release and its SHA-256."""

    role: str
    name: str
    sha256: str
    size: int | None


class PolicyWords(TypedDict):
    """What the policy does, in words, and its digest."""

    digest: str
    mechanism: str
    words: str


class Certificate(Result):
    """discreet/certificate/1: proven, bounded, measured, assumed; never merged."""

    for_release: bool
    policy: PolicyWords
    files: list[Digest]
    threat: list[str]
    proven: list[Proven]
    bounded: list[Bounded]
    measured: Attack
    limits: list[str]
    digest: str


class Told(TypedDict):
    """What a file tells: used for before and after."""

    guess: Guess
    mutual_information: Reading
    utility: Reading | None


class Split(TypedDict):
    """How many records made the design, and how many were held out from it."""

    design: int
    held_out: int


class Release(Result):
    """discreet/release/1: design, release, attack and certificate in one."""

    source: Source
    before: Told
    after: Told
    split: Split
    files: list[Digest]
    design: Design
    attack: Attack
    certificate: Certificate


class Compared(TypedDict):
    """One release of several, re-measured from its file."""

    name: str
    words: str
    guess: Guess
    mutual_information: Reading
    utility: Reading | None
    verdict: Verdict


class Compare(Result):
    """discreet/compare/1: releases of the same people by different tools, on one scale."""

    source: Source
    before: Compared
    releases: list[Compared]
    method: Method


class Demo(Result):
    """discreet/demo/2: the survey that comes inside, audited, released and attacked."""

    audit: Audit
    release: Release
