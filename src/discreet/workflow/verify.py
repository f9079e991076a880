"""Recompute what a certificate says, from the files alone, and more where the records are at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from discreet.core.errors import DiscreetError
from discreet.core.reading import Interval, Origin, Reading
from discreet.report.shapes import checked
from discreet.workflow.archive import canonical
from discreet.workflow.certificate import GAIN, file_digest, names_of, read_certificate
from discreet.workflow.policy import Policy, load
from discreet.workflow.proven import as_json, follows, proven
from discreet.workflow.result import Outcome, Result, made


class Check(NamedTuple):
    """One thing that was looked at: whether it agrees, or None where the files alone cannot say."""

    what: str
    ok: bool | None
    words: str


@dataclass(frozen=True, eq=False)
class Verified(Result):
    """What of a certificate was recomputed, and whether it agrees."""

    name: str
    checks: tuple[Check, ...]
    command: str | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing disagrees."""
        return all(check.ok is not False for check in self.checks)

    @property
    def verdict(self) -> Outcome:
        """Fine, or failed with the first thing that disagrees."""
        wrong = next((check for check in self.checks if check.ok is False), None)
        if wrong is not None:
            return Outcome("failed", f"{wrong.what}: {wrong.words}")
        return Outcome("fine", "Everything that can be recomputed agrees.")

    @property
    def headline(self) -> str:
        """The result in a sentence."""
        agreed = sum(check.ok is True for check in self.checks)
        left = sum(check.ok is None for check in self.checks)
        rest = f"; {left} cannot be recomputed from these files" if left else ""
        return f"{self.name}: {self.verdict.words.rstrip('.')}. {agreed} of {len(self.checks)} statements agree{rest}."

    def to_json(self) -> dict[str, Any]:
        """discreet/verify/1."""
        return {
            "schema": "discreet/verify/1",
            "headline": self.headline,
            "verdict": self.verdict.to_json(),
            "made": made(self.command),
            "checks": [check._asdict() for check in self.checks],
        }

    def __repr__(self) -> str:
        return f"Verified: {self.headline}"


def verify(
    certificate: str | Path,
    release: str | Path | None = None,
    *,
    policy: str | Path | None = None,
    command: str | None = None,
) -> Verified:
    """Check a certificate against its release and its policy, byte by byte, and recompute what follows from them.

    The release and the policy are looked for beside the certificate where they are not named. What rests on the
    original records, bounds and attacks, can be checked by whoever has them, with `release` and `attack`.
    """
    path = Path(certificate)
    name = path.name
    try:
        said = checked(read_certificate(path))
    except DiscreetError as error:
        return Verified(name, (Check("the certificate", False, error.found),), command)
    checks = [Check("the certificate", True, "in its one form, with its own digest")]
    files = {
        "release": Path(release) if release is not None else _beside(path, said, "release"),
        "policy": Path(policy) if policy is not None else _beside(path, said, "policy"),
    }
    for role, file in files.items():
        checks.append(_digest(said, role, file))
    if all(check.ok for check in checks) and files["policy"] and files["release"]:
        checks += _of_itself(said)
        if all(check.ok for check in checks):
            checks += _recomputed(said, files["policy"], files["release"])
    else:
        checks.append(
            Check("what follows from the files", None, "not looked at: they are not those certified")
        )
    checks += [
        Check("what no attacker exceeds", None, "rests on the original records"),
        Check("what attackers reached", None, "rests on the original records"),
    ]
    return Verified(name, tuple(checks), command)


def _of_itself(said: Mapping[str, Any]) -> Iterator[Check]:
    """What its own numbers imply: all there is to know about the secret, its sentences, what follows from bounds."""
    import numpy as np

    from discreet.core.axis import Axis
    from discreet.estimators.bounds import sentence
    from discreet.workflow.result import secret_json

    name = said["secret"]["name"]
    shares = np.array([one["share"] for one in said["secret"]["labels"]])
    if abs(shares.sum() - 1) > 1e-9:
        yield Check("the shares of the secret", False, "they do not sum to one")
        return
    again = secret_json(Axis(name), shares)["entropy"]
    same = canonical(again) == canonical(said["secret"]["entropy"])
    yield Check(
        "all there is to know", same, f"{again['value']:.4g} nats" if same else "other shares of the secret"
    )
    rows = {row["measure"]: row for row in said["bounded"]}
    called = "the secret" if name == "s" else name
    same = all(sentence(_reading(row), called, shares) == row["words"] for row in rows.values())
    yield Check("the bounds in words", same, f"{len(rows)} sentences" if same else "they say other numbers")
    stated = [one for one in said["proven"] if one["basis"] == "confidence"]
    bound = rows.get("total_variation")
    found = [] if bound is None else [as_json(one) for one in follows(_reading(bound), shares)]
    same = canonical(found) == canonical(stated)
    words = f"{len(found)} follow again" if same else "other statements follow from the bounds"
    yield Check("what follows from the bounds", same, words)


def _reading(row: Mapping[str, Any]) -> Reading:
    """A bound of a certificate as a Reading."""
    held = row["reading"]
    origin = Origin("counted", held["law"], row["n"])
    limits = None if held["interval"] is None else Interval(*map(float, held["interval"]))
    measure = "inference_gain" if row["measure"] == GAIN else row["measure"]
    return Reading(float(held["value"]), held["unit"], measure, held["side"], limits, origin=origin)


def _beside(path: Path, said: Mapping[str, Any], role: str) -> Path | None:
    name = names_of(said["files"], role)
    # a name with a folder in it would lead away from the certificate
    return path.parent / name if name is not None and Path(name).name == name else None


def _digest(said: Mapping[str, Any], role: str, file: Path | None) -> Check:
    """The file with this role, byte by byte."""
    what = f"the {role}"
    stated = next((one for one in said["files"] if one["role"] == role), None)
    if stated is None:
        return Check(what, False, "the certificate names none")
    if file is None or not file.is_file():
        return Check(what, False, f"there is no file {file.name if file else stated['name']!r}")
    found = file_digest(file, role)
    if (found["sha256"], found["size"]) != (stated["sha256"], stated["size"]):
        return Check(what, False, f"{file.name} is not the file that was certified: its bytes differ")
    return Check(what, True, f"{file.name}, {found['size']:,} bytes, SHA-256 {found['sha256'][:16]}…")


def _recomputed(said: Mapping[str, Any], policy: Path, release: Path) -> Iterator[Check]:
    try:
        held = load(policy)
    except DiscreetError as error:
        yield Check("the policy's parts", False, error.found)
        return
    same = held.digest == said["policy"]["digest"]
    yield Check("the policy's digest", same, held.digest[:16] + "…" if same else "another policy")
    yield _theorems(said, held)
    yield _columns(held, release)


def _theorems(said: Mapping[str, Any], policy: Policy) -> Check:
    """What holds by theorem follows from the policy's channels again, to the last digit."""
    import numpy as np

    shares = np.array([one["share"] for one in said["secret"]["labels"]])
    again = [as_json(one) for one in proven(policy, shares if _about_whole(policy, shares) else None)]
    stated = [one for one in said["proven"] if one["basis"] != "confidence"]
    same = canonical(again) == canonical(stated)
    words = f"{len(again)} follow again from the policy" if same else "other theorems follow from the policy"
    return Check("what is proven of the channel", same, words)


def _about_whole(policy: Policy, shares: Any) -> bool:
    return policy.codec.secret.size == len(shares)


def _columns(policy: Policy, release: Path) -> Check:
    """The release has the columns and types that the policy releases."""
    from discreet.tables.source import open_source

    try:
        found = open_source(release).schema
    except DiscreetError as error:
        return Check("the released columns", False, error.found)
    same = list(found.names) == list(policy.kernel.columns)
    words = f"{len(found.names)} columns, as the policy releases them"
    return Check("the released columns", same, words if same else "not those that the policy releases")
