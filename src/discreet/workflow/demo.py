"""The way through the house at this stage, on a law that comes with the package: measure, cut, and say what follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from discreet import guarantees, measures, mechanisms
from discreet.core.channel import MatrixChannel
from discreet.core.design import Design
from discreet.core.guarantee import Guarantee
from discreet.core.joint import Joint
from discreet.core.lift import Lift
from discreet.core.protocols import Array
from discreet.core.reading import Reading
from discreet.datasets import survey

SCHEMA = "discreet/demo/1"
SECRET, COLUMNS = "vote", ("party", "ideology", "education", "age", "tv_news")
KEPT = 0.5
"""How often the coarsened release tells the truth; otherwise it names any level, evenly."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one column, or one release, tells about the secret."""

    name: str
    information: Reading
    guess: Reading
    worst: Reading

    @classmethod
    def by(cls, name: str, lift: Lift) -> Told:
        """Read off a lift."""
        return cls(
            name,
            measures.mutual_information(lift),
            measures.guessing_probability(lift),
            measures.lift_privacy(lift),
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """A release of the worst column: what it tells about the secret, and what it keeps of the column."""

    told: Told
    kept: Reading

    @classmethod
    def by(cls, name: str, joint: Joint, design: Design) -> Cut:
        """Measured on the channel of a design."""
        return cls(Told.by(name, joint.through(design.channel).lift()), design.utility)


@dataclass(frozen=True, slots=True)
class Demo:
    """What the survey's columns tell about the vote, and what is left when the worst is released coarsely."""

    records: int
    secret: str
    blind: float
    uncertainty: Reading
    columns: tuple[Told, ...]
    added: tuple[tuple[str, Reading], ...]
    levels: tuple[str, ...]
    secrets: tuple[str, ...]
    ratio: Array
    told: tuple[Reading, ...]
    cuts: tuple[Cut, ...]
    follows: tuple[Guarantee, ...]

    @property
    def headline(self) -> str:
        """The worst column in one sentence."""
        worst = self.columns[0]
        return (
            f"From `{worst.name}` alone an attacker guesses `{self.secret}` right {100 * worst.guess.value:.0f} times "
            f"in 100 ({100 * self.blind:.0f} without it). Exact, for this table of {self.records} voters."
        )

    def to_json(self) -> dict[str, Any]:
        """The whole result for a file."""
        return {
            "schema": SCHEMA,
            "headline": self.headline,
            "records": self.records,
            "secret": self.secret,
            "guess": {"value": self.columns[0].guess.value, "baseline": self.blind},
            "columns": {c.name: _told_json(c) for c in self.columns},
            "added_to_party": {name: reading.to_json() for name, reading in self.added},
            "lift": {level: dict(zip(self.secrets, row, strict=True)) for level, row in self._rows()},
            "measures": {r.measure: r.to_json() for r in self.told},
            "releases": {
                cut.told.name: {**_told_json(cut.told), "kept": cut.kept.to_json()} for cut in self.cuts
            },
            "guarantees": [str(g) for g in self.follows],
        }

    def _rows(self) -> list[tuple[str, list[float]]]:
        return list(zip(self.levels, self.ratio.T.tolist(), strict=True))


def _told_json(told: Told) -> dict[str, Any]:
    return {
        "mutual_information": told.information.to_json(),
        "guessing_probability": told.guess.to_json(),
        "lift_privacy": told.worst.to_json(),
    }


def demo() -> Demo:
    """Audit the survey's law, column by column, then release its most telling column coarsely.

    >>> demo().columns[0].name
    'party'
    """
    told = [Told.by(c, survey.votes(SECRET, c).joint().lift()) for c in COLUMNS]
    told.sort(key=lambda t: -t.information.value)
    worst = told[0].name
    joint = survey.votes(SECRET, worst).joint()
    lift = joint.lift()
    coarse = mechanisms.randomised_response(joint, KEPT)
    return Demo(
        records=survey.votes(SECRET).total,
        secret=SECRET,
        blind=float(lift.p_s.max()),
        uncertainty=measures.entropy(lift),
        columns=tuple(told),
        added=tuple((c.name, _added(c.name, worst)) for c in told[1:]),
        levels=tuple(map(str, joint.axes[1].labels or ())),
        secrets=tuple(map(str, joint.axes[0].labels or ())),
        ratio=lift.ratio,
        told=_measured(lift),
        cuts=(
            Cut(told[0], measures.entropy(lift.reversed)),
            Cut.by(f"told truly {100 * KEPT:.0f} times in 100", joint, coarse),
            Cut.by(
                "funnel, three quarters kept",
                joint,
                mechanisms.funnel(joint, rate=0.75 * measures.entropy(lift.reversed).value),
            ),
            Cut.by("the most that tells nothing", joint, mechanisms.perfect_privacy(joint)),
        ),
        follows=_follows(joint, coarse),
    )


def _added(column: str, known: str) -> Reading:
    return survey.votes(SECRET, known, column).joint().given(known).average(measures.mutual_information)


def _measured(lift: Lift) -> tuple[Reading, ...]:
    m = measures
    return (
        m.mutual_information(lift),
        m.total_variation(lift),
        m.chi_squared(lift),
        m.maximal_correlation(lift),
        m.maximal_leakage(lift),
        m.guessing_probability(lift),
        m.lift_privacy(lift),
        m.information_privacy(lift, 1.0),
    )


def _follows(joint: Joint, coarse: Design) -> tuple[Guarantee, ...]:
    """What holds by theorem: for any secret from the channel alone, and for this table from its χ²."""
    channel = guarantees.of(measures.channel.local_privacy(cast(MatrixChannel, coarse.channel)))
    table = guarantees.of(measures.chi_squared(joint.through(coarse.channel).lift()))
    asked = (
        guarantees.imply(channel, guarantees.LiftPrivacy),
        guarantees.imply(channel, guarantees.GuessingProbability, p_s=joint.lift().p_s),
        guarantees.imply(table, guarantees.InformationPrivacy, eps=1.0),
    )
    return tuple(g for g in asked if g is not None)
