"""The certificate of a release: what is proven, what no attacker exceeds, what was measured, what is assumed.

It is a JSON file in one canonical form that ends in the digest of itself; the files that it is about stand in it with
theirs. A digest says that nothing was changed since, not who made it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.axis import Axis
from discreet.core.channel import MatrixChannel
from discreet.core.counts import Counts
from discreet.core.errors import SourceError
from discreet.core.protocols import Array, Codes
from discreet.estimators.bounds.certificate import Certified
from discreet.workflow.archive import canonical
from discreet.workflow.policy import Policy
from discreet.workflow.proven import as_json, follows, proven
from discreet.workflow.result import Outcome, Result, at_most, in_hundred, made, secret_json

if TYPE_CHECKING:
    from discreet.workflow.attack import Attack

MEASURES = ("guessing_probability", "mutual_information", "total_variation")
GAIN = "gain"
MOST_SYMBOLS = 1 << 40

VACUOUS = 0.9
"""A bound that leaves so much of what lies between nothing and everything says next to nothing."""

NO_SIGNATURE = "A digest shows that a file was changed; it is no signature and does not say who made it."
SECOND_RELEASE = "A second release of the same people under another policy or key adds to this one."


@dataclass(frozen=True, eq=False)
class Judged:
    """The rows that neither the design nor the choice among designs saw: a table of their secret and their release.

    Where one channel alone makes the release, the table is of the secret and the channel's input, which tells more.
    """

    table: Counts
    channel: MatrixChannel | None
    design: Counts | None = None

    @property
    def shares(self) -> Array:
        """The composition of these people."""
        counts = self.table.joint().p.sum(axis=1)
        return np.asarray(counts)

    def bounds(self, confidence: float) -> Certified:
        """What no attacker exceeds, all at once at this confidence."""
        from discreet.estimators.bounds import certificate

        asked = (*MEASURES, GAIN) if self.design is not None else MEASURES
        return certificate(
            self.table, design=self.design, channel=self.channel, confidence=confidence, measures=asked
        )


def judged(policy: Policy, truth: Any, released: Any, design: Any | None = None) -> Judged | None:
    """The table of these rows, given as Arrow tables in one order; none where the release has no finite alphabet.

    `design` are rows of the design with their release, which say what the commonest secret is.
    """
    channels = [one.channel for one in policy.channels]
    if not all(isinstance(c, MatrixChannel) for c in channels):
        return None
    coded = policy.codec.encode(truth)
    secret = policy.codec.secret
    if coded.s is None:
        raise SourceError("the secret of each row", "none", "give the records with the private column")
    one = channels[0]
    if len(channels) == 1 and isinstance(one, MatrixChannel) and one.inputs == "x":
        size = policy.codec.public[0].size
        return Judged(_counts(coded.s, coded.x[:, 0], secret.axis, size), one, _like(policy, design, size))
    y, size = _symbols(released)
    return Judged(_counts(coded.s, y, secret.axis, size), None)


def _like(policy: Policy, design: Any | None, size: int) -> Counts | None:
    if design is None:
        return None
    coded = policy.codec.encode(design)
    assert coded.s is not None  # noqa: S101  the private column is there as in the rows that judge
    return _counts(coded.s, coded.x[:, 0], policy.codec.secret.axis, size)


def _counts(s: Codes, y: Codes, secret: Axis, symbols: int) -> Counts:
    return Counts.of_codes(np.stack([s, y], axis=1), (secret.size or 1, symbols), (secret, "y"))


def _symbols(released: Any) -> tuple[Any, int]:
    """A number for each released record, the same for the same record, whatever its columns are."""
    from discreet.estimators import columns_of
    from discreet.workflow.anonymity import classes_of

    classes = classes_of(columns_of(released))
    return classes, int(classes.max()) + 1


@dataclass(frozen=True, eq=False)
class Certificate(Result):
    """Proven, bounded, measured, assumed; never merged."""

    policy: Policy
    for_release: bool
    files: tuple[Mapping[str, Any], ...]
    table: Judged | None
    attack: Attack
    confidence: float
    command: str | None = None

    @cached_property
    def bounds(self) -> Certified | None:
        """What no attacker exceeds; none where the release has no finite alphabet."""
        return None if self.table is None else self.table.bounds(self.confidence)

    @property
    def vacuous(self) -> tuple[str, ...]:
        """That the bound on the guess says next to nothing, where it does, and why."""
        if self.bounds is None or self.table is None:
            return ()
        blind, most = float(self.shares.max()), self.bounds["guessing_probability"].value
        if most < blind + VACUOUS * (1 - blind):
            return ()
        seen, n = int((self.table.table.joint().p.sum(axis=0) > 0).sum()), self.table.table.total
        words = (
            f"The bounds say next to nothing: {n:,} people show {seen:,} different released records. Release fewer "
            "columns or coarser ones, or give more rows."
        )
        return (words,)

    @property
    def shares(self) -> Array:
        """The composition of the people that the certificate is about."""
        return self.attack.samples.shares if self.table is None else self.table.shares

    @property
    def verdict(self) -> Outcome:
        """The attack's, where it stops a release; else whether the limit that was asked for is held."""
        outcome, limit = self.attack.verdict, self.policy.design.limit
        if outcome.exit:
            return outcome
        if not limit.met:
            return Outcome("over the limit", limit.sentence)
        return Outcome("fine", limit.sentence)

    @property
    def headline(self) -> str:
        """What no attacker exceeds, or, failing that, what attackers reached."""
        bounds, secret = self.bounds, " and ".join(self.policy.threat.secret)
        if bounds is None or self.vacuous:
            return self.attack.headline
        most = at_most(bounds["guessing_probability"].value)
        told = (
            f"With {100 * self.confidence:g} % confidence no attacker, whatever his method, guesses `{secret}` right "
            f"from this release more often than {most} times in 100 "
            f"({in_hundred(self.attack.baseline.value)} without it)."
        )
        outcome = self.verdict
        return f"{outcome.words} {told}" if outcome.exit else told

    def to_json(self) -> dict[str, Any]:
        """discreet/certificate/1, with the digest of itself."""
        made_of = self._content()
        return {**made_of, "digest": digest_of(made_of)}

    def to_bytes(self) -> bytes:
        """The file: canonical JSON."""
        return canonical(self.to_json())

    def _content(self) -> dict[str, Any]:
        axis = self.policy.codec.secret.axis
        whole = [as_json(one) for one in proven(self.policy, self.shares)]
        bounds = self.bounds
        if bounds is not None:
            whole += [as_json(one) for one in follows(bounds["total_variation"], self.shares)]
        shares = self.shares if axis.size == self.shares.size else self.attack.samples.shares
        secret = axis if axis.size == shares.size else self.attack.samples.axes[0]
        return {
            "schema": "discreet/certificate/1",
            "headline": self.headline,
            "verdict": self.verdict.to_json(),
            "made": made(self.command),
            "secret": secret_json(secret, shares),
            "warnings": [*self.policy.design.warnings, *self.vacuous, *self.attack.code],
            "assumptions": self._assumptions(bounds),
            "for_release": self.for_release,
            "policy": {
                "digest": self.policy.digest,
                "mechanism": self.policy.design.mechanism,
                "words": self.policy.design.status,
            },
            "files": [dict(one) for one in self.files],
            "threat": self._threat(),
            "proven": whole,
            "bounded": [] if bounds is None else self._bounded(bounds),
            "measured": self.attack.to_json(),
            "limits": self._limits(),
        }

    def _assumptions(self, bounds: Certified | None) -> list[str]:
        own = [] if bounds is None else [bounds.assumption, self._together(len(bounds))]
        return [*own, *self.attack.to_json()["assumptions"]]

    def _together(self, how_many: int) -> str:
        """For how many bounds the confidence is shared."""
        return (
            f"The {how_many} bounds hold together at {100 * self.confidence:g} % confidence; the doubt is shared out "
            "among them, so that each by itself holds at more."
        )

    def _threat(self) -> list[str]:
        threat = self.policy.threat
        return [
            f"The attacker sees {threat.sees}.",
            f"He knows {threat.knows}.",
            f"Beyond that: {threat.beyond}.",
        ]

    def _bounded(self, bounds: Certified) -> list[dict[str, Any]]:
        from discreet.core.reading import QUANTITIES

        blind = float(self.shares.max())
        rows = []
        for name, reading in bounds.items():
            rows.append(
                {
                    "measure": name,
                    "symbol": QUANTITIES[reading.measure].symbol if reading.measure in QUANTITIES else name,
                    "reading": reading.to_json(),
                    "words": bounds.sentences[name],
                    "baseline": blind if reading.measure == "guessing_probability" else 0.0,
                    "n": reading.origin.n,
                }
            )
        return rows

    def _limits(self) -> list[str]:
        secret = " and ".join(f"`{name}`" for name in self.policy.threat.secret)
        found = [f"Nothing is claimed about secrets other than {secret}.", SECOND_RELEASE, NO_SIGNATURE]
        if self.table is None:
            found.append(
                "The release has columns of real numbers: no bound for finite releases can be given."
            )
        if not self.for_release:
            found.append("Made with a key for experiments: not for release.")
        return found


def digest_of(content: Mapping[str, Any]) -> str:
    """The digest of a certificate's content: all of it but the digest itself."""
    return hashlib.sha256(canonical({k: v for k, v in content.items() if k != "digest"})).hexdigest()


def file_digest(path: Path, role: str) -> dict[str, Any]:
    """A file by its name, size and SHA-256."""
    held = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            held.update(chunk)
    return {"role": role, "name": path.name, "sha256": held.hexdigest(), "size": path.stat().st_size}


def read_certificate(path: str | Path) -> dict[str, Any]:
    """The certificate in a file, if it is in its one form and its digest is its own."""
    target = Path(path)
    asked = f"a certificate: {target.name}"
    try:
        held = target.read_bytes()
        found = json.loads(held)
    except OSError as error:
        raise SourceError(asked, error.strerror or "it cannot be read", "check the path") from error
    except (ValueError, RecursionError) as error:
        raise _changed(asked, "no JSON any more") from error
    if not isinstance(found, dict) or found.get("schema") != "discreet/certificate/1":
        raise _changed(asked, "another kind of file")
    try:
        same = canonical(found) == held and found.get("digest") == digest_of(found)
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise _changed(asked, "bytes that its digest does not stand for")
    return found


def _changed(asked: str, found: str) -> SourceError:
    return SourceError(asked, found, "it was changed; get it again from whoever made it")


def names_of(files: Sequence[Mapping[str, Any]], role: str) -> str | None:
    """The name of the file with this role."""
    return next((str(one["name"]) for one in files if one["role"] == role), None)
