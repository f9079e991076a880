"""What the shapes share: a number with its provenance, a guess, a verdict, where a result comes from."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

Number = float | Literal["inf", "-inf"] | None
Side = Literal["exact", "estimate", "lower", "upper"]
Status = Literal["fine", "leaks", "over the limit", "collapsed", "worse than before", "failed"]


class Reading(TypedDict):
    """A number with its provenance; `interval` is low, high, confidence."""

    value: Number
    unit: str
    side: Side
    law: str
    interval: list[Number] | None


class Guess(TypedDict):
    """How often an attacker guesses the secret right: the estimate, what brackets it, and the best guess blind."""

    value: Number
    lower: Number
    upper: Number
    baseline: Number


class Measured(Reading):
    """A row of the catalogue: `null` is what the same measurement reads when the secrets are shuffled.

    `lower` is what is certain from held-out rows, beside an estimate that may err both ways; null if unknown.
    """

    symbol: str
    meaning: str
    better: Literal["lower", "higher"]
    parameters: dict[str, Any]
    null: Number
    lower: Reading | None


class Verdict(TypedDict):
    """The exit code and the reason."""

    status: Status
    exit: int
    words: str


class Made(TypedDict):
    """Which version made the result, by which command line, and when; `at` is null where it should not matter."""

    version: str
    command: str
    at: str | None


class Source(TypedDict):
    """The file that was read."""

    name: str
    rows: int
    columns: int
    fingerprint: str | None


class Label(TypedDict):
    """One value of the secret and its share of the records."""

    label: str
    share: float


class Secret(TypedDict):
    """What must stay hidden: `entropy` is all there is to know about it."""

    name: str
    labels: list[Label]
    entropy: Reading


class Candidate(TypedDict):
    """An estimator that was tried: its held-out log-loss, and its weight in what was used."""

    name: str
    log_loss: Number
    weight: Number


class Method(TypedDict):
    """How the numbers were made."""

    estimator: str
    candidates: list[Candidate]
    records: int
    held_out: int
    folds: int | None
    shuffles: int | None
    notes: list[str]


class Result(TypedDict):
    """What every result begins with."""

    schema: str
    headline: str
    verdict: Verdict
    made: Made
    secret: Secret
    warnings: list[str]
    assumptions: list[str]
