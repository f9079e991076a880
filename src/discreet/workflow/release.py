"""The whole way from records to a release that may be shown: design, apply, attack, certify, each on its own rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.errors import SourceError
from discreet.core.protocols import Codes
from discreet.core.reading import Reading
from discreet.workflow.attack import Attack, Effort, attack
from discreet.workflow.certificate import Certificate, file_digest, judged
from discreet.workflow.choice import Designed
from discreet.workflow.designed import designed
from discreet.workflow.intake import Names, facts_of, schema_from
from discreet.workflow.policy import Policy
from discreet.workflow.result import (
    ONE_RECORD,
    ROWS_ARE_DRAWS,
    Outcome,
    Result,
    in_hundred,
    made,
    secret_json,
)
from discreet.workflow.told import quick

if TYPE_CHECKING:
    from discreet.tables.keystream import Key
    from discreet.tables.protocols import Source
    from discreet.tables.schema import Schema

DESIGN, CHOOSE = 0.5, 0.2
"""Shares of the rows that make the designs and that choose among them; all others judge."""

MOST = 200_000
"""So many rows are designed on, chosen by and judged by at most; all rows are released."""

LEAST = 60

NAMES = {
    "policy": "public.policy",
    "certificate": "certificate.json",
    "page": "certificate.html",
    "report": "report.html",
}


@dataclass(frozen=True, eq=False)
class Told:
    """What a table tells: the guess, an estimate of the information, and what is kept."""

    guess: Reading
    baseline: float
    information: Reading
    kept: Reading | None

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        low, high, _ = self.guess.interval or (None, None, None)
        guess = {"value": self.guess.value, "lower": low, "upper": high, "baseline": self.baseline}
        return {
            "guess": guess,
            "mutual_information": self.information.to_json(),
            "utility": None if self.kept is None else self.kept.to_json(),
        }


@dataclass(frozen=True, eq=False)
class Release(Result):
    """What was released, how it was designed, what attackers reached, and the certificate."""

    folder: Path
    designed: Designed
    attack: Attack
    certificate: Certificate
    before: Told
    after: Told
    split: tuple[int, int]
    files: tuple[Mapping[str, Any], ...]
    command: str | None = None

    @property
    def policy(self) -> Policy:
        """The policy that made the release."""
        return self.designed.policy

    @property
    def verdict(self) -> Outcome:
        """Collapsed, worse than before, over the limit, or fine."""
        for outcome in (self.designed.verdict, self.certificate.verdict):
            if outcome.exit:
                return outcome
        return self.certificate.verdict

    @property
    def ranges(self) -> tuple[str, ...]:
        """That attackers guessed a finer range of a number than the design and the bounds are about, where they did."""
        coarse, fine = self.designed.split.codec.secret.size, self.attack.samples.size
        if self.attack.figures is None or not self.attack.figures or coarse == fine:
            return ()
        words = (
            f"`{self.designed.secret}` is a number: the design and the bounds are about which of {coarse} ranges it "
            f"lies in, the attackers guessed which of {fine}; compare each with its own baseline."
        )
        return (words,)

    @property
    def headline(self) -> str:
        """Before and after, in a sentence; a verdict that stops the release comes first."""
        kept = (
            ""
            if self.after.kept is None
            else f"; {self.after.kept.value:.0%} of what the columns say is kept"
        )
        told = (
            f"From the released file the best attacker guesses `{self.designed.secret}` right "
            f"{in_hundred(self.after.guess.value)} times in 100 ({in_hundred(self.before.guess.value)} before, "
            f"{in_hundred(self.after.baseline)} without any data){kept}."
        )
        outcome = self.verdict
        return f"{outcome.words} {told}" if outcome.exit else told

    def to_json(self) -> dict[str, Any]:
        """discreet/release/1."""
        certificate = self.certificate.to_json()
        return {
            "schema": "discreet/release/1",
            "headline": self.headline,
            "verdict": self.verdict.to_json(),
            "made": made(self.command),
            "secret": secret_json(self.designed.split.codec.secret.axis, self.designed.shares),
            "warnings": [*self.ranges, *certificate["warnings"]],
            "assumptions": [ROWS_ARE_DRAWS, ONE_RECORD],
            "source": self.designed.facts.to_json(),
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "split": {"design": self.split[0], "held_out": self.split[1]},
            "files": [dict(one) for one in self.files],
            "design": self.designed.to_json(),
            "attack": self.attack.to_json(),
            "certificate": certificate,
        }

    def __repr__(self) -> str:
        return f"Release: {self.headline}"


def release(
    records: Any,
    folder: str | Path,
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
    labels: bool = False,
    form: str | None = None,
    key: str | Path | Key | None = None,
    effort: Effort = "quick",
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    stage: Callable[[str], None] | None = None,
    command: str | None = None,
) -> Release:
    """Design, apply, attack and certify; write release, policy, certificate and report into a folder.

    Half of the rows make the designs, a fifth chooses among them, and the rest judges: attackers and bounds count only
    rows that took no part in the design. All rows are released, from a secret key that never comes near the folder.
    `form` is the kind of the released file, that of the records where it is not given.
    """
    from discreet.tables.guess import guess_schema
    from discreet.tables.pairing import sampled
    from discreet.tables.source import open_source
    from discreet.workflow.apply import applied

    rng = np.random.default_rng(0) if rng is None else rng
    say = stage or (lambda _: None)
    out, source = _folder(folder), open_source(records)
    _again(source)
    held = (
        guess_schema(source, private=private, public=public, utility=utility, id=id, drop=drop)
        if schema is None
        else schema_from(schema)
    ).require()
    columns = [*dict.fromkeys((*held.private, *held.public, *held.utility))]
    say("reading")
    sample = sampled(source, columns, MOST, rng=rng)
    parts = _parts(sample.table.num_rows, rng)
    say("designing")
    plan = designed(
        sample.table.take(parts[0]), held_out=sample.table.take(parts[1]), schema=held, mechanism=mechanism,
        leak=leak, keep=keep, attacker_at_most=attacker_at_most, labels=labels, confidence=confidence, rng=rng,
    )  # fmt: skip
    plan = replace(plan, facts=facts_of(source, sample.rows))
    say("releasing")
    path = out / f"public{_suffix(source, form)}"
    policy_path = plan.policy.save(out / NAMES["policy"])
    done = applied(plan.policy, source, path, key=key)
    say("attacking")
    hidden = sample.positions[parts[2]]
    found = attack(
        path, truth=source, private=held.private, policy=plan.policy, held_out=hidden, effort=effort,
        limit=attacker_at_most, confidence=confidence, rng=rng,
    )  # fmt: skip
    say("certifying")
    files = (file_digest(path, "release"), file_digest(policy_path, "policy"))
    table = _table(plan.policy, source, path, hidden, sample.table.take(parts[0]))
    certificate = Certificate(plan.policy, done.key != EXPERIMENT, files, table, found, confidence, command)
    return _written(
        out, plan, found, certificate, files, (parts[0].size + parts[1].size, parts[2].size), rng, command
    )


EXPERIMENT = "for experiments, not for release"


def _parts(n: int, rng: np.random.Generator) -> tuple[Codes, Codes, Codes]:
    """The places, each rising, of the rows that design, that choose and that judge."""
    if n < LEAST:
        raise SourceError(
            f"{LEAST} rows at least: some to design on, some to choose by, some to judge",
            f"{n}",
            "give more records, or use design and apply",
        )
    order = rng.permutation(n)
    cuts = [int(DESIGN * n), int((DESIGN + CHOOSE) * n)]
    first, second, third = (np.sort(part) for part in np.split(order, cuts))
    return first, second, third


def _table(policy: Policy, source: Source, path: Path, positions: Codes, design: Any) -> Any:
    """The judging rows with their release."""
    from discreet.tables.pairing import rows_at
    from discreet.tables.source import open_source

    needed = [*dict.fromkeys((*policy.schema.private, *policy.kernel.needed, *policy.codec.columns))]
    truth = rows_at(source, needed, positions).table
    given = open_source(path)
    return judged(policy, truth, rows_at(given, given.schema.names, positions).table, design)


def _written(
    out: Path,
    plan: Designed,
    found: Attack,
    certificate: Certificate,
    files: tuple[Mapping[str, Any], ...],
    split: tuple[int, int],
    rng: np.random.Generator,
    command: str | None,
) -> Release:
    """Certificate and report, the certificate last: it vouches for what is there already."""
    from discreet.tables.safe import write_whole

    before, after = _told(found, plan, rng)
    path = out / NAMES["certificate"]
    write_whole(path, certificate.to_bytes())
    certificate.save(out / NAMES["page"])
    files = (*files, file_digest(path, "certificate"))
    done = Release(out, plan, found, certificate, before, after, split, files, command)
    done.save(out / NAMES["report"])
    return done


def _told(found: Attack, plan: Designed, rng: np.random.Generator) -> tuple[Told, Told]:
    point = plan.points[0 if plan.chosen is None else plan.chosen]
    before = found.control or found.best
    whole = Reading(1.0, "", "share kept", origin=point.utility.origin)
    told = [quick(samples, rng=rng)[0] for samples in found.both]
    blind = found.baseline.value
    return Told(before, blind, told[0], whole), Told(found.best, blind, told[1], point.utility)


def _folder(folder: str | Path) -> Path:
    out = Path(folder)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(
            f"a folder to write into: {out}", f"{error.strerror}", "name another folder"
        ) from error
    return out


def _again(source: Source) -> None:
    if not source.again:
        raise SourceError(
            "records that can be read more than once",
            source.name,
            "save them to a file first, and give its path",
        )


SUFFIXES = {"csv": ".csv", "parquet": ".parquet", "arrow": ".arrow", "stream": ".arrows"}


def _suffix(source: Source, form: str | None) -> str:
    """The ending of the released file: that of the records, or Parquet for what is no file."""
    if form is not None:
        return form if form.startswith(".") else f".{form}"
    if source.form == "csv" and source.files:
        return "".join(s for s in source.files[0].suffixes[-2:] if s in (".csv", ".gz", ".zst")) or ".csv"
    return SUFFIXES.get(source.form, ".parquet")
