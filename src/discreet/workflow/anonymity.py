"""The classical notions of a file, each with what it says and does not say about the secret."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from discreet.core.counts import Counts
from discreet.core.lift import Lift
from discreet.core.protocols import Codes
from discreet.core.reading import Reading
from discreet.core.samples import Columns, Samples
from discreet.measures.classical import CLASSICAL

ROUNDING = 1e-13
"""A notion below it is zero: shares of counts differ by more, or not at all."""


@dataclass(frozen=True, slots=True)
class Attained:
    """One notion: the number this file attains, where the lift shows it, and what follows from it."""

    name: str
    reading: Reading
    of_lift: str
    means: str


@dataclass(frozen=True, slots=True)
class Anonymity:
    """What the classes of some columns say: how many there are, how many hold one record, and every notion."""

    columns: tuple[str, ...]
    records: int
    classes: int
    alone: int
    attained: tuple[Attained, ...]

    def to_json(self) -> dict[str, Any]:
        """The section of an audit."""
        rows = [
            {"name": a.name, "reading": a.reading.to_json(), "lift": a.of_lift, "means": a.means}
            for a in self.attained
        ]
        return {
            "columns": list(self.columns),
            "records": self.records,
            "classes": self.classes,
            "alone": self.alone,
            "rows": rows,
        }


def anonymity(counts: Counts, columns: Sequence[str]) -> Anonymity:
    """Every classical notion of a table, from n[secret, class]; `columns` are those whose values make a class.

    Exact for these rows. O(secrets · classes).

    >>> found = anonymity(Counts([[30, 10], [15, 45]]), ["age"])
    >>> found.attained[0].reading, found.alone
    (k = 45 (exact, of this table, n = 100), 0)
    """
    lift = counts.joint().lift()
    readings = {row.name: _settled(row.function(lift)) for row in CLASSICAL}
    sizes = readings["k-anonymity"].by_y
    assert sizes is not None  # noqa: S101  k is read off the sizes of the classes
    return Anonymity(
        columns=tuple(columns),
        records=counts.total,
        classes=int(np.count_nonzero(sizes)),
        alone=int(np.count_nonzero(sizes == 1)),
        attained=tuple(
            Attained(row.name, readings[row.name], row.of_lift, MEANINGS[row.name](lift, readings[row.name]))
            for row in CLASSICAL
        ),
    )


def _settled(reading: Reading) -> Reading:
    """The reading, exactly zero where only rounding is left of it."""
    return replace(reading, value=0.0) if abs(reading.value) < ROUNDING else reading


def classes_of(columns: Columns) -> Codes:
    """The number of each record's class: records with the same values in all columns, missing ones alike, share it."""
    number = np.zeros(columns.n, dtype=np.int64)
    for column in columns:
        _, code = np.unique(column.values, return_inverse=True, equal_nan=True)
        size = int(code.max()) + 1 if code.size else 1
        _, number = np.unique(number * size + code, return_inverse=True)
    return number


def counts_of_classes(samples: Samples) -> Counts:
    """n[secret, class] of records whose classes are their exact values."""
    classes = classes_of(samples.x)
    codes = np.column_stack([samples.s, classes])
    size = int(classes.max()) + 1 if classes.size else 1
    return Counts.of_codes(codes, (samples.size, size), (samples.axes[0], "class"))


def _k(_lift: Lift, reading: Reading) -> str:
    k = int(reading.value)
    who = (
        "Somebody is alone in a class: who knows these columns of that person finds the record."
        if k == 1
        else f"Who knows these columns of somebody is left with {k:,} records or more."
    )
    return f"{who} About the secret this says nothing: a whole class may share it."


def _distinct(lift: Lift, reading: Reading) -> str:
    l, by_y = int(reading.value), reading.by_y
    if l > 1 or by_y is None:
        return f"Every class leaves {l} values of the secret possible, however unlikely some of them are."
    known = _count(lift, float(lift.p_y[by_y == 1].sum()))
    return f"{known} are in classes where everybody has the same secret: to know the class is to know it."


def _count(lift: Lift, share: float) -> str:
    """A number of records, not exact where it is small."""
    n = round(share * (lift.origin.n or 0))
    return "Some records, fewer than 20," if n < 20 else f"{n:,} records"


def _entropy(lift: Lift, reading: Reading) -> str:
    p = lift.p_s[lift.p_s > 0]
    before = math.exp(-float(p @ np.log(p)))
    return (
        f"In the worst class as much is left to guess as among {reading.value:.3g} equally likely values; "
        f"without the data it is {before:.3g}."
    )


def _closeness(lift: Lift, reading: Reading) -> str:
    most = float(lift.p_s.max()) + reading.value
    guess = f"; so no guess is right more than {_up(100 * most)} times in 100" if most < 1 else ""
    return (
        f"No statement about the secret becomes more than {_up(100 * reading.value)} points in 100 likelier in any "
        f"class{guess}."
    )


def _disclosure(_lift: Lift, reading: Reading) -> str:
    if math.isinf(reading.value):
        return "In some class a value of the secret never occurs, so it is ruled out."
    return (
        f"No class makes a value of the secret more than {_up(math.exp(reading.value))} times as likely, or as "
        f"unlikely; the odds between two values move by at most a factor {_up(math.exp(2 * reading.value))}."
    )


def _likeness(lift: Lift, reading: Reading) -> str:
    most = (1 + reading.value) * float(lift.p_s.max())
    guess = f", and a guess of it is right at most {_up(100 * most)} times in 100" if most < 1 else ""
    return (
        f"No class makes a value of the secret more than {_up(1 + reading.value)} times as likely{guess}. Whatever "
        f"else somebody wants to guess about the secret, his chances grow by no more than that factor."
    )


def _up(number: float) -> str:
    """Three digits, never less than the number: what is said to be a limit is one."""
    if number <= 0:
        return "0"
    step = 10.0 ** (math.floor(math.log10(number)) - 2)
    return f"{math.ceil(number / step * (1 - 1e-12)) * step:.3g}"


MEANINGS: Mapping[str, Callable[[Lift, Reading], str]] = {
    "k-anonymity": _k,
    "l-diversity, distinct": _distinct,
    "l-diversity, entropy": _entropy,
    "t-closeness": _closeness,
    "δ-disclosure": _disclosure,
    "β-likeness": _likeness,
}
"""What follows from each notion, in words."""
