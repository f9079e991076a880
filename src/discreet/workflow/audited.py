"""The result of an audit: what a release would tell in all, by columns, pairs and values, and for how many people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.reading import Reading
from discreet.core.samples import Samples
from discreet.workflow.anonymity import Anonymity
from discreet.workflow.intake import Facts
from discreet.workflow.result import (
    FEWEST,
    ONE_RECORD,
    ROWS_ARE_DRAWS,
    Outcome,
    Result,
    in_hundred,
    listed,
    made,
    secret_json,
    spelled,
)
from discreet.workflow.risk import Risk
from discreet.workflow.told import Overall

if TYPE_CHECKING:
    from discreet.estimators.conditional.columns import ColumnTold
    from discreet.estimators.conditional.pairs import PairTold
    from discreet.estimators.conditional.values import ValueTold
    from discreet.tables.schema import Schema

VALUES = 12
PAIRS = 6
"""So many of the most telling values and pairs are shown."""

REVEALS = 0.98
"""A column reveals the secret where its guess is right so often, and much oftener than without it."""


@dataclass(frozen=True, eq=False)
class Remain:
    """What is still told without these columns."""

    without: tuple[str, ...]
    information: Reading
    guess: Reading


@dataclass(frozen=True, eq=False)
class Audit(Result):
    """What some columns tell about a secret, measured on records that the estimator had not seen."""

    facts: Facts
    schema: Schema
    samples: Samples
    told: Overall
    columns_told: tuple[ColumnTold, ...]
    pairs_told: tuple[PairTold, ...]
    values_told: tuple[ValueTold, ...]
    risk: Risk
    remains: tuple[Remain, ...]
    secrets: Mapping[str, Overall]
    anonymity: Anonymity | None
    notices: tuple[str, ...]
    max_leak: float | None = None
    command: str | None = None

    @property
    def measures(self) -> Mapping[str, Reading]:
        """Every measure by its name: estimates, with their lower bounds in `told.lower`."""
        return self.told.measures

    @property
    def guess(self) -> Reading:
        """How often the best attacker guesses the secret right, with its interval."""
        return self.told.guess

    @property
    def columns(self) -> Mapping[str, ColumnTold]:
        """What each column tells, the most telling first."""
        return {c.name: c for c in self.columns_told}

    @property
    def pairs(self) -> tuple[PairTold, ...]:
        """The pairs that tell only together."""
        return tuple(p for p in self.pairs_told if p.only_together)

    @property
    def records(self) -> Risk:
        """How far the release moves the odds of each record's own secret."""
        return self.risk

    @property
    def warnings(self) -> tuple[str, ...]:
        """What has to be known before the numbers are used."""
        ruled = [
            f"`{c.name}` reveals the secret." for c in self.columns_told if self._finding(c) == "reveals"
        ]
        return (*ruled, *self.notices, *self.told.cautions)

    @property
    def verdict(self) -> Outcome:
        """Whether anything leaks, and whether more than allowed."""
        found = self.told.information
        if self.max_leak is not None and found.value > self.max_leak:
            words = (
                f"{found.value:.4g} nats are told about `{self.secret}`, over the limit of {self.max_leak:g} "
                "(held against an estimate)."
            )
            return Outcome("over the limit", words)
        if self.told.verdict.leaks:
            return Outcome("leaks", f"The columns tell about `{self.secret}`.")
        return Outcome(
            "fine", f"No leak about `{self.secret}` was seen; that is no proof that there is none."
        )

    @property
    def secret(self) -> str:
        """The name of what must stay hidden."""
        return self.samples.axes[0].name

    @property
    def headline(self) -> str:
        """The result as a sentence, with direction, baseline and interval."""
        low, high, _ = self.guess.interval or (self.guess.value, self.guess.value, 0.0)
        opening = (
            f"From the columns you want to release an attacker guesses `{self.secret}` right "
            f"{in_hundred(self.guess.value)} times in 100 ({in_hundred(self.told.baseline)} without the data; "
            f"interval {100 * low:.1f}–{100 * high:.1f})."
        )
        parts = [opening]
        if not self.told.verdict.leaks:
            parts.append("No leak was seen in the held-out records.")
        else:
            parts += [self._through(), self.risk.headline]
        outcome = self.verdict
        return " ".join([outcome.words, *parts] if outcome.exit else parts)

    def _through(self) -> str:
        leaking = [c for c in self.columns_told if c.leaks]
        if self.pairs and (not leaking or self.pairs[0].together.value > leaking[0].estimate.value):
            return f"{listed(self.pairs[0].names)} tell only together."
        if not leaking:
            return "No column tells it alone."
        beside = [c for c in leaking[1:] if c.added is not None and c.added.value > 0]
        second = max(beside, key=lambda c: c.added.value if c.added else 0.0, default=None)
        with_second = f" with `{second.name}`" if second is not None else ""
        return f"Most of it comes through `{leaking[0].name}`{with_second}."

    def _finding(self, column: ColumnTold) -> str:
        low = column.guess.value
        if low > REVEALS and low > self.told.baseline + (1 - self.told.baseline) / 2:
            return "reveals"
        if column.leaks:
            return "tells"
        together = any(column.name in p.names for p in self.pairs)
        return "only together" if together else "nothing found"

    def save_scores(self, path: str | Path) -> Path:
        """A row for each audited record, readable by its owner only."""
        return self.risk.save(path)

    def to_json(self) -> dict[str, Any]:
        """discreet/audit/1."""
        low, high, _ = self.guess.interval or (None, None, None)
        return {
            "schema": "discreet/audit/1",
            "headline": self.headline,
            "verdict": self.verdict.to_json(),
            "made": made(self.command),
            "secret": secret_json(self.samples.axes[0], self.samples.shares, self.samples.n),
            "warnings": list(self.warnings),
            "assumptions": [ROWS_ARE_DRAWS, ONE_RECORD],
            "source": self.facts.to_json(),
            "guess": {"value": self.guess.value, "lower": low, "upper": high, "baseline": self.told.baseline},
            "measures": self.told.measures_json(),
            "columns": {c.name: self._column(c) for c in self.columns_told},
            "pairs": [self._pair(p) for p in self.pairs[:PAIRS]],
            "values": self._values(),
            "records": self.risk.to_json(),
            "remains": [
                {
                    "without": list(r.without),
                    "mutual_information": r.information.to_json(),
                    "guessing_probability": r.guess.to_json(),
                }
                for r in self.remains
            ],
            "secrets": self._secrets(),
            "anonymity": None if self.anonymity is None else self.anonymity.to_json(),
            "method": self.told.method_json(),
        }

    def _column(self, told: ColumnTold) -> dict[str, Any]:
        return {
            "kind": kind_in_words(self.samples, told.columns),
            "mutual_information": told.estimate.to_json(),
            "lower": told.alone.to_json(),
            "guessing_probability": told.guess.to_json(),
            "added": None if told.added is None else told.added.to_json(),
            "null": None,
            "verdict": self._finding(told),
        }

    def _pair(self, pair: PairTold) -> dict[str, Any]:
        alone = [self.columns[n].estimate.value if n in self.columns else None for n in pair.names]
        return {
            "columns": list(pair.names),
            "mutual_information": pair.together.to_json(),
            "alone": alone,
            "extra": pair.synergy.to_json(),
            "null": None,
        }

    def _values(self) -> dict[str, Any]:
        counts = dict(zip(self._secret_labels, self.samples.counts.tolist(), strict=True))
        telling = [v for v in self.values_told if v.telling and counts[v.secret] >= FEWEST]
        rows = []
        for v in telling[:VALUES]:
            factor = as_factor(v.log_lift)
            rows.append(
                {
                    "column": v.column,
                    "value": v.value,
                    "secret": spelled(v.secret),
                    "lift": factor,
                    "records": v.count,
                }
            )
        shown = sum(v.count >= FEWEST for v in self.values_told)
        return {"rows": rows, "suppressed": self._distinct() - shown, "fewest": FEWEST}

    @property
    def _secret_labels(self) -> tuple[object, ...]:
        return self.samples.axes[0].labels or tuple(range(self.samples.size))

    def _distinct(self) -> int:
        from discreet.estimators.conditional.bins import binned
        from discreet.estimators.conditional.values import SYMBOLS

        return sum(len(binned(c, SYMBOLS)) for c in self.samples.x)

    def _secrets(self) -> dict[str, Any] | None:
        if not self.secrets:
            return None
        each = [_one(name, told) for name, told in self.secrets.items()]
        worst = max(self.secrets, key=lambda name: self.secrets[name].share)
        return {"each": each, "together": _one(self.secret, self.told), "worst": worst}

    def __repr__(self) -> str:
        return f"Audit: {self.headline}"


def kind_in_words(samples: Samples, names: tuple[str, ...]) -> str:
    """What a column is: numbers, or how many levels."""
    column = samples.x[names[0]]
    if len(names) > 1:
        return "dates"
    return "numbers" if column.levels is None else f"{len(column.levels):,} levels"


def as_factor(log_lift: Reading) -> dict[str, Any]:
    """A log-lift as the factor by which a secret becomes likelier."""
    low, high, confidence = log_lift.interval or (log_lift.value, log_lift.value, 0.95)
    factor = Reading(float(np.exp(log_lift.value)), "×", "lift", log_lift.side, origin=log_lift.origin)
    return factor.with_interval(float(np.exp(low)), float(np.exp(high)), confidence).to_json()


def _one(name: str, told: Overall) -> dict[str, Any]:
    low, high, _ = told.guess.interval or (None, None, None)
    guess = {"value": told.guess.value, "lower": low, "upper": high, "baseline": told.baseline}
    return {"name": name, "guess": guess, "mutual_information": told.information.to_json()}
