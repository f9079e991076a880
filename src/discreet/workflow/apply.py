"""Apply a policy: any records in, the same kind out, drawn from a secret key."""

from __future__ import annotations

import shutil
import sys
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from discreet.core.errors import ParameterError
from discreet.tables.keys import KeyFile
from discreet.tables.keystream import Key
from discreet.tables.releasing import Progress, Release, Told

if TYPE_CHECKING:
    from discreet.tables.protocols import Source
    from discreet.tables.spark_frames import SparkFrame
    from discreet.workflow.policy import Policy


@dataclass(frozen=True)
class Applied:
    """A release: what came out, how many rows, how they were addressed, and what had to be replaced.

    `rows` is None for a lazy frame, whose rows nobody has counted yet; Spark's workers do not report what they
    replaced, and `surprises` is None there.
    """

    out: Any
    rows: int | None
    address: str
    key: str
    digest: str
    resumed: int = 0
    surprises: Mapping[str, int] | None = field(default_factory=dict)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What its reader should know."""
        return tuple(
            f"{name}: {n:,} of {self.rows:,} values were new or too rare for the policy, and were read as the nearest "
            "that it knows"
            for name, n in (self.surprises or {}).items()
        )

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {
            "schema": "discreet/apply/1",
            "policy": self.digest,
            "rows": self.rows,
            "resumed": self.resumed,
            "address": self.address,
            "key": self.key,
            "unseen": None if self.surprises is None else dict(self.surprises),
            "warnings": list(self.warnings),
        }


class UnseenValues(UserWarning):
    """Records held values that the design had not seen."""


def applied(
    policy: Policy,
    records: Any,
    out: str | Path | None = None,
    *,
    key: str | Path | Key | None = None,
    id: str | None = None,  # noqa: A002
    resume: bool = False,
    progress: Progress | None = None,
    warn: bool = False,
) -> Applied:
    """Release the records under the policy."""
    from discreet.tables.source import open_source

    source = open_source(records)
    policy.schema.check(source.schema, policy.kernel.needed)
    release, held = release_of(policy, key, _id(policy, source, id))
    address = "position" if release.id is None else f"id {release.id}"
    if source.form == "spark":
        from discreet.tables.spark import mapped_frame

        frame, rows = mapped_frame(release, cast("SparkFrame", source), out)
        return Applied(frame, rows, address, held, policy.digest, surprises=None)
    made, told = _to(release, source, out, resume=resume, progress=progress)
    done = Applied(made, told.rows, address, held, policy.digest, told.resumed, told.surprises)
    if warn:
        for one in done.warnings:
            warnings.warn(one, UnseenValues, stacklevel=3)
    return done


def checked(policy: Policy, source: Source, out: str, *, key: Path | None, policy_file: Path | None) -> None:
    """Refuse what cannot go well before anything is read: wrong columns, a name that says no kind, a file in use."""
    from discreet.tables.parts import form_of
    from discreet.tables.safe import check_place, refuse_own_input

    policy.schema.check(source.schema, policy.kernel.needed)
    if out == "-" or "::" in out:
        return
    target = Path(out)
    form_of(target, policy.kernel.schema)
    check_place(target)
    refuse_own_input(target, source.files)
    for other, what in ((policy_file, "the policy"), (key, "the secret key")):
        if other is not None:
            refuse_own_input(target, (other,), what)


def release_of(policy: Policy, key: str | Path | Key | None, id: str | None) -> tuple[Release, str]:  # noqa: A002
    """The release that a policy and a key make, and which key it was: a kind, never the key."""
    if isinstance(key, Key):
        said = "for experiments, not for release" if key.experimental else "given"
        return Release(policy.kernel, policy.digest, key, None, id), said
    file = KeyFile.of_policy(policy.digest) if key is None else KeyFile.at(Path(key))
    return Release(
        policy.kernel, policy.digest, file.key, file, id
    ), "the policy's own" if key is None else "a file"


def _id(policy: Policy, source: Source, asked: str | None) -> str | None:
    from discreet.tables.schema import known

    if asked is not None:
        return known(asked, source.schema.names)
    own = policy.schema.id
    return own[0] if not source.ordered and len(own) == 1 else None


def _to(
    release: Release, source: Source, out: str | Path | None, *, resume: bool, progress: Progress | None
) -> tuple[Any, Told]:
    from discreet.tables.sink import database_sink, frame_sink

    if out is None:
        return release.to_sink(source, frame_sink(source, release.kernel.schema), progress=progress)
    if str(out) == "-":
        return None, _to_standard_output(release, source, progress)
    if isinstance(out, str) and "::" in out:
        return release.to_sink(source, database_sink(out, release.kernel.schema), progress=progress)
    if resume and not source.again:
        raise ParameterError(
            "to go on with a release that was broken off",
            f"{source.name}, which cannot be read again",
            "start anew",
        )
    target = Path(out)
    return target, release.to_file(source, target, resume=resume, progress=progress)


def _to_standard_output(release: Release, source: Source, progress: Progress | None) -> Told:
    """Whole or not at all here too: the rows are shown when it is known that the key may serve them."""
    suffix = ".arrows" if source.form in {"arrow", "stream", "parquet"} else ".csv"
    with tempfile.TemporaryDirectory(prefix="discreet-") as folder:
        target = Path(folder) / f"release{suffix}"
        told = release.to_file(source, target, progress=progress)
        with target.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    return told
