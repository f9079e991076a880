"""The policy: what is released of which columns, and how; saved, shipped and applied. There is no code in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from discreet import measures as _symbols  # noqa: F401  what readings are shown with
from discreet.core.errors import DiscreetError, PolicyError
from discreet.core.protocols import Channel
from discreet.tables.codec import Codec
from discreet.tables.kernels import Kernel
from discreet.tables.keystream import Key
from discreet.tables.schema import Schema
from discreet.workflow import archive
from discreet.workflow.channels import Released, channel_of, kernel_of
from discreet.workflow.made import Made, Threat
from discreet.workflow.policy_file import PREFIX, VERSION, ChannelFile, PolicyFile, parsed
from discreet.workflow.rare import rare_values


@dataclass(frozen=True, eq=False)
class Policy:
    """Schema, codec, channels, threat model and the readings of its design. Its digest stands for all of it."""

    schema: Schema
    codec: Codec
    channels: tuple[Released, ...]
    design: Made
    threat: Threat = field(default_factory=lambda: Threat(()))

    @cached_property
    def _parts(self) -> archive.Parts:
        from safetensors.numpy import save

        from discreet.tables.schema_text import json_of

        said: list[ChannelFile] = []
        weights: dict[str, Any] = {}
        for i, one in enumerate(self.channels):
            file, arrays = one.file(f"channel{i}")
            said.append(file)
            weights |= arrays
        whole = PolicyFile(
            format=f"{PREFIX}{VERSION}",  # type: ignore[arg-type]
            columns=json_of(self.schema),
            codec=self.codec.to_json(),
            channels=said,
            design=self.design.file(),
            threat=self.threat.file(),
        )
        policy, held = archive.canonical(whole.model_dump(mode="json")), save(weights)
        return archive.Parts(policy, held, archive.digest_of(policy, held))

    @property
    def digest(self) -> str:
        """SHA-256 of the manifest of its file: it says which policy this is."""
        return self._parts.digest

    @property
    def channel(self) -> Channel:
        """The channel, where there is only one."""
        if len(self.channels) != 1:
            raise PolicyError(
                "the one channel of this policy", f"{len(self.channels)}, one for each block", "use .channels"
            )
        return self.channels[0].channel

    @cached_property
    def kernel(self) -> Kernel:
        """What applies it to rows."""
        return kernel_of(self.schema, self.codec, self.channels)

    @property
    def collapsed(self) -> bool:
        """Whether the release is constant, and so of no use."""
        return all(one.constant for one in self.channels)

    @cached_property
    def rare(self) -> tuple[str, ...]:
        """Warnings about values and combinations that few records had and that stand in the policy file."""
        blocks = (self.codec.secret, *self.codec.public)
        return tuple(warning for block in blocks for warning in rare_values(block))

    def to_json(self, schema: str = "discreet/policy/1") -> dict[str, Any]:
        """What can be said about it, for programs; the weights stay in its file."""
        said = self.design.file().model_dump(mode="json")
        return {
            "schema": schema,
            "digest": self.digest,
            "releases": list(self.kernel.columns),
            "hides": list(self.threat.secret),
            "threat": self.threat.to_json(),
            "channels": [
                {
                    "columns": list(one.columns(self.codec)),
                    "mechanism": one.mechanism,
                    "channel": repr(one.channel),
                }
                for one in self.channels
            ],
            "collapsed": self.collapsed,
            "warnings": [*self.design.warnings, *self.rare],
            **{name: value for name, value in said.items() if name != "warnings"},
        }

    def to_bytes(self) -> bytes:
        """The policy file; the same bytes for the same policy."""
        return archive.packed(self._parts.policy, self._parts.weights)

    @classmethod
    def of_bytes(cls, held: bytes, name: str = "the policy") -> Policy:
        """The policy in a file that was read."""
        return _of_parts(archive.unpacked(held, name))

    def save(self, path: str | Path) -> Path:
        """Write it under this name, whole or not at all."""
        from discreet.tables.safe import write_whole

        return write_whole(Path(path), self.to_bytes())

    def apply(
        self,
        records: Any,
        out: str | Path | None = None,
        *,
        key: str | Path | Key | None = None,
        id: str | None = None,  # noqa: A002
        resume: bool = False,
    ) -> Any:
        """Release the records: to a file, or as a frame of the kind that came in.

        The words that decide are drawn from a secret key (`key`: a file; without it the policy's own, in the user's
        state folder), addressed by the position of a record, or by the column `id`. The same record under the same key
        is released the same, however often. `resume` goes on with a file that was broken off.
        """
        from discreet.workflow.apply import applied

        return applied(self, records, out, key=key, id=id, resume=resume, warn=True).out

    def __repr__(self) -> str:
        columns = ", ".join(self.kernel.columns[:6]) + (" …" if len(self.kernel.columns) > 6 else "")
        secret = ", ".join(self.threat.secret)
        return f"Policy {self.digest[:12]}: releases {columns}; hides {secret}. {self.design.limit.sentence}"


def load(path: str | Path) -> Policy:
    """The policy in this file. Nothing of it is run, and a file with a changed byte is refused."""
    return _of_parts(archive.read(Path(path)))


def _of_parts(parts: archive.Parts) -> Policy:
    from safetensors import SafetensorError
    from safetensors.numpy import load as load_weights

    from discreet.tables.codec_json import codec_of
    from discreet.tables.schema_text import schema_of

    said = parsed(parts.policy)
    try:
        weights = load_weights(parts.weights)
        schema, codec = schema_of(said.columns), codec_of(said.codec)
    except (
        SafetensorError,
        DiscreetError,
        ValueError,
        TypeError,
        KeyError,
        RecursionError,
        MemoryError,
    ) as error:
        found = error.found if isinstance(error, DiscreetError) else type(error).__name__
        raise PolicyError(
            "a policy whose columns, codec and weights can be read",
            found,
            "get the file again from whoever made it",
        ) from error
    channels = tuple(channel_of(one, weights, schema, codec) for one in said.channels)
    _check_together(schema, codec, channels)
    made = Policy(schema, codec, channels, Made.of_file(said.design), Threat.of_file(said.threat))
    if made._parts.policy != parts.policy and said.format == f"{PREFIX}{VERSION}":
        raise PolicyError(
            "policy.json in its one form", "another spelling", "get the file again from whoever made it"
        )
    object.__setattr__(made, "_parts", parts)
    return made


def _check_together(schema: Schema, codec: Codec, channels: tuple[Released, ...]) -> None:
    """Every released column exactly once, all of them public."""
    released = [name for one in channels for name in one.columns(codec)]
    if len(set(released)) != len(released) or set(released) != set(schema.public):
        raise PolicyError(
            "channels that release every public column once",
            f"{len(released)} columns released, {len(schema.public)} public",
            "get the file again from whoever made it",
        )
