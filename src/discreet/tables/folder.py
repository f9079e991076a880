"""A folder of files with the same columns, read as one: in the order of their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.core.errors import SchemaError, SourceError
from discreet.tables.naming import printable, shown
from discreet.tables.protocols import BATCH, Source
from discreet.tables.schema import chosen

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Folder:
    """The files of a folder, one after the other; names that begin with a dot or an underline are passed by."""

    path: Path
    parts: tuple[Source, ...]

    again = True
    ordered = True

    @classmethod
    def of(cls, path: Path, open_file: Callable[[Path], Source]) -> Folder:
        """All files in it, opened."""
        found = sorted(p for p in path.iterdir() if p.name[:1] not in {".", "_"})
        inner = [p.name for p in found if p.is_dir()]
        if inner:
            raise SourceError(
                f"a folder of files, {printable(str(path))}",
                f"folders in it: {shown(inner)}",
                "give one of them, or move the files up",
            )
        if not found:
            raise SourceError(
                f"rows from the folder {printable(str(path))}",
                "no files in it",
                "give a folder with CSV, Parquet or Arrow files",
            )
        made = cls(path, tuple(open_file(p) for p in found))
        forms = {part.form for part in made.parts}
        if len(forms) > 1:
            raise SourceError(
                f"files of one kind in {printable(str(path))}",
                ", ".join(sorted(forms)),
                "keep one kind of them",
            )
        return made

    @property
    def name(self) -> str:
        """Its path."""
        return printable(str(self.path))

    @property
    def form(self) -> str:
        """What its files are."""
        return self.parts[0].form

    @property
    def files(self) -> tuple[Path, ...]:
        """Its files, in order."""
        return tuple(file for part in self.parts for file in part.files)

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns of every file, in the order of the first."""
        first = self.parts[0].schema
        for part in self.parts[1:]:
            lacking = [n for n in first.names if n not in set(part.schema.names)]
            other = [
                n
                for n, t in zip(first.names, first.types, strict=True)
                if not lacking and part.schema.field(n).type != t
            ]
            if lacking or other or len(part.schema) != len(first):
                raise SchemaError(
                    f"the columns of {self.parts[0].name}, with their types, in every file of the folder",
                    f"{part.name} differs: {shown(lacking or other or part.schema.names)}",
                    "bring the files to the same columns and types; Parquet states them, CSV leaves them to be guessed",
                )
        return first

    @property
    def rows(self) -> int | None:
        """The sum over its files, where they know."""
        known = [part.rows for part in self.parts]
        return None if None in known else sum(n for n in known if n is not None)

    def batches(
        self, columns: Sequence[str] | None = None, *, size: int = BATCH, encoded: bool = False
    ) -> Iterator[pa.RecordBatch]:
        """The rows of all files, in order; a batch does not reach over the end of a file."""
        names = chosen(columns, self.schema.names)
        for part in self.parts:
            yield from part.batches(names, size=size, encoded=encoded)

    def fingerprint(self) -> str:
        """Those of its files, and that there are no others."""
        now = sorted(p.name for p in self.path.iterdir() if p.name[:1] not in {".", "_"})
        return ";".join([*now, *(part.fingerprint() for part in self.parts)])
