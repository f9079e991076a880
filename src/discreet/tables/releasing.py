"""Reader, kernel, writer: a release on one machine, to a file, a frame or a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.errors import SourceError
from discreet.tables.folder import Folder
from discreet.tables.kernels import Kernel
from discreet.tables.keys import Fingerprint, KeyFile
from discreet.tables.keystream import ById, ByPosition, Key
from discreet.tables.mapping import Address, Block, blocks, rows_of_block
from discreet.tables.parts import form_of
from discreet.tables.safe import Draft, refuse_own_input

if TYPE_CHECKING:
    from discreet.tables.protocols import Sink, Source

Progress = Callable[[int], None]


@dataclass(slots=True)
class Told:
    """What a release says about itself: how many rows, how many of them anew, and which values had to be replaced."""

    rows: int = 0
    resumed: int = 0
    surprises: dict[str, int] = field(default_factory=dict)
    fingerprints: list[str] = field(default_factory=list)

    def add(self, block: Block, fingerprint: str) -> None:
        """One more block."""
        self.rows += block.rows
        self.fingerprints.append(fingerprint)
        for name, n in block.surprises.items():
            self.surprises[name] = self.surprises.get(name, 0) + n


@dataclass(frozen=True, slots=True)
class Release:
    """A kernel, the digest of its policy, and the key of its words; `id` addresses records by a column."""

    kernel: Kernel
    digest: str
    key: Key
    file: KeyFile | None = None
    id: str | None = None

    @property
    def address(self) -> Address:
        """Where a record's words lie."""
        if self.id is None:
            return Address(ByPosition(self.key, self.digest))
        return Address(ById(self.key, self.digest), self.id)

    def to_file(
        self, source: Source, target: Path, *, resume: bool = False, progress: Progress | None = None
    ) -> Told:
        """Write the release of these rows under this name, whole or not at all."""
        refuse_own_input(target, source.files)
        _refuse_own_folder(target, source)
        form = form_of(target, self.kernel.schema)
        draft = Draft.begun(target, form.head(), self._identity(), resume=resume)
        told = Told(resumed=sum(entry.rows for entry in draft.entries))
        known = list(draft.entries)
        try:
            for block, fingerprint in self._blocks(source):
                if block.number < len(known):
                    _same(known[block.number].fingerprint, fingerprint, source)
                else:
                    part, note = form.part(block.released(self.kernel, self.address))
                    draft.add(part, block.rows, fingerprint, note)
                told.add(block, fingerprint)
                if progress is not None:
                    progress(told.rows)
            if len(told.fingerprints) < len(draft.entries):
                _same("", "more rows", source)
            self._bind(told)
            tail = form.tail([entry.note for entry in draft.entries], draft.starts)
        except KeyboardInterrupt:
            draft.keep()
            raise
        except BaseException:
            draft.discard()
            raise
        draft.publish(tail)
        return told

    def to_sink(self, source: Source, sink: Sink, *, progress: Progress | None = None) -> tuple[Any, Told]:
        """Hand the release to a frame or a database; it is closed when all is well, and discarded otherwise."""
        told = Told()
        try:
            for block, fingerprint in self._blocks(source):
                sink.write(block.released(self.kernel, self.address))
                told.add(block, fingerprint)
                if progress is not None:
                    progress(told.rows)
            self._bind(told)
        except BaseException:
            sink.discard()
            raise
        return sink.close(), told

    def _blocks(self, source: Source) -> Iterator[tuple[Block, str]]:
        """The blocks of the source with their fingerprints; refused if the source has changed when it was read."""
        if self.id is None and not source.ordered:
            raise SourceError(
                f"rows whose place stays, to address them by position: {source.name}",
                "rows in no order",
                "name the column that tells records apart: id=… or --id",
            )
        before = source.fingerprint()
        prints = Fingerprint(self.key, self.digest)
        columns = list(dict.fromkeys((*self.kernel.needed, *([self.id] if self.id else []))))
        batches = source.batches(columns, size=rows_of_block(self.kernel), encoded=True)
        for block in blocks(batches, self.kernel, self.address):
            yield block, prints.of_block(block.read)
        if source.fingerprint() != before:
            raise SourceError(
                f"rows that stay as they are while they are read: {source.name}",
                "they have changed meanwhile",
                "apply again when nobody writes to them",
            )

    def _bind(self, told: Told) -> None:
        if self.id is None and self.file is not None:
            whole = Fingerprint(self.key, self.digest).of_all(told.fingerprints)
            self.file.bind(self.digest, whole, told.rows)

    def _identity(self) -> dict[str, str]:
        return {
            "policy": self.digest,
            "key": self.key.derived("journal", self.digest).hex(),
            "address": "position" if self.id is None else f"id {self.id}",
            "schema": str(self.kernel.schema),
        }


def _refuse_own_folder(target: Path, source: Source) -> None:
    """Refuse to write into the folder that is being read: the release would be among the records next time."""
    if isinstance(source, Folder) and source.path.absolute() == target.absolute().parent:
        raise SourceError(
            "a file to write that is not among the records",
            f"{target} in {source.name}",
            "write into another folder",
        )


def _same(known: str, found: str, source: Source) -> None:
    if known != found:
        raise SourceError(
            f"the same rows as when the release was broken off: {source.name}",
            "other rows",
            "start again without --resume",
        )
