"""The whole way on a survey that comes inside: audit, design, release, attack, certificate, report."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.workflow.audit import audit
from discreet.workflow.audited import Audit
from discreet.workflow.release import NAMES, Release, release
from discreet.workflow.result import Outcome, Result, made

if TYPE_CHECKING:
    from discreet.tables.keystream import Key

VOTE = "vote"
LEAK = 0.05
"""So many nats about the vote the release may tell."""

RELEASED = ("party", "ideology")
"""The two columns that tell most, and that a reader of the survey would miss most."""

SURVEY = "survey.csv"
FOLDER = "discreet-demo"


@dataclass(frozen=True, eq=False)
class Demo(Result):
    """The survey's audit and its release; the report has both."""

    audit: Audit
    release: Release
    command: str | None = None

    @property
    def folder(self) -> Path:
        """Where everything was written."""
        return self.release.folder

    @property
    def report(self) -> Path:
        """The page of it all."""
        return self.folder / NAMES["report"]

    @property
    def verdict(self) -> Outcome:
        """The release's."""
        return self.release.verdict

    @property
    def headline(self) -> str:
        """The release's: before and after."""
        return self.release.headline

    def to_json(self) -> dict[str, Any]:
        """discreet/demo/2."""
        audited, released = self.audit.to_json(), self.release.to_json()
        return {
            "schema": "discreet/demo/2",
            "headline": self.headline,
            "verdict": self.verdict.to_json(),
            "made": made(self.command),
            "secret": audited["secret"],
            "warnings": list(dict.fromkeys((*audited["warnings"], *released["warnings"]))),
            "assumptions": released["assumptions"],
            "audit": audited,
            "release": released,
        }

    def __repr__(self) -> str:
        return f"Demo: {self.headline}"


def demo(
    folder: str | Path = FOLDER,
    *,
    key: str | Path | Key | None = None,
    rng: np.random.Generator | None = None,
    stage: Callable[[str], None] | None = None,
    command: str | None = None,
) -> Demo:
    """Write the survey into a folder, audit it, and release it there with its policy, certificate and report."""
    say = stage or (lambda _: None)
    rng = np.random.default_rng(0) if rng is None else rng
    out = Path(folder)
    say("writing the survey")
    survey = written_survey(out)
    audited = audit(
        survey, private=VOTE, rng=rng, stage=say, command=f"discreet audit {SURVEY} --private {VOTE}"
    )
    released = release(
        survey, out, private=VOTE, public=RELEASED, leak=LEAK, key=key, rng=rng, stage=say,
        command=f"discreet release {SURVEY} --private {VOTE} --public {','.join(RELEASED)} --leak {LEAK:g} -o .",
    )  # fmt: skip
    done = Demo(audited, released, command)
    say("writing the report")
    done.save(done.report)
    return done


def written_survey(folder: Path) -> Path:
    """The survey as a CSV file, so that every command can be tried on it."""
    from discreet.datasets import survey
    from discreet.tables.safe import write_whole

    folder.mkdir(parents=True, exist_ok=True)
    columns = survey.answers()
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(columns)
    rows.writerows(zip(*columns.values(), strict=True))
    return write_whole(folder / SURVEY, text.getvalue().encode())
