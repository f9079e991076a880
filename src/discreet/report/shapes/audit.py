"""What an audit says: by columns, pairs, values, records, and in the classical notions."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from discreet.report.shapes.parts import Guess, Measured, Method, Number, Reading, Result, Source

Finding = Literal["reveals", "tells", "only together", "nothing found"]


class ColumnRow(TypedDict):
    """What one column tells alone, and in `added` what it still tells beside all others; `null` is in nats.

    `lower` is what it surely tells alone, from held-out rows.
    """

    kind: str
    mutual_information: Reading
    lower: NotRequired[Reading]
    guessing_probability: Reading | None
    added: Reading | None
    null: Number
    verdict: Finding


class Pair(TypedDict):
    """Two columns: what they tell together, each alone, and `extra`, what neither tells alone."""

    columns: list[str]
    mutual_information: Reading
    alone: list[Number]
    extra: Reading
    null: Number


class ValueRow(TypedDict):
    """A value (or a range) of a column that changes the chance of a secret by the factor `lift`."""

    column: str
    value: str
    secret: str
    lift: Reading
    records: int


class Values(TypedDict):
    """The most telling values. Those with fewer than `fewest` records are not shown, only counted."""

    rows: list[ValueRow]
    suppressed: int
    fewest: int


class Histogram(TypedDict):
    """How many records between two neighbouring edges; null where there are some, but fewer than may be shown."""

    edges: list[Number]
    counts: list[int | None]


class Reason(TypedDict):
    """Columns that move the odds most, and for how many of the records at risk."""

    columns: list[str]
    records: int | None


class Records(TypedDict):
    """Who is at risk, as counts only. The factor is the odds of the true secret after, over before."""

    n: int
    doubled: int | None
    halved: int | None
    largest: Number
    histogram: Histogram
    reasons: list[Reason]
    fewest: int
    scores: str | None


class Remains(TypedDict):
    """What is still told when these columns are dropped as well."""

    without: list[str]
    mutual_information: Reading
    guessing_probability: Reading


class OneSecret(TypedDict):
    """One secret of several."""

    name: str
    guess: Guess
    mutual_information: Reading


class Secrets(TypedDict):
    """Several secrets: each, all together, the worst."""

    each: list[OneSecret]
    together: OneSecret | None
    worst: str


class AnonymityRow(TypedDict):
    """A classical notion: the value this file attains, what it is in terms of the lift, and what follows from it."""

    name: str
    reading: Reading
    lift: str
    means: str


class Anonymity(TypedDict):
    """The classical notions, of the classes of records that share the values of `columns`."""

    columns: list[str]
    records: int
    classes: int
    alone: int
    rows: list[AnonymityRow]


class Audit(Result):
    """discreet/audit/1: what leaks, through which columns, pairs, values, and for how many records."""

    source: Source
    guess: Guess
    measures: dict[str, Measured]
    columns: dict[str, ColumnRow]
    pairs: list[Pair]
    values: Values
    records: Records
    remains: list[Remains]
    secrets: Secrets | None
    anonymity: Anonymity | None
    method: Method
