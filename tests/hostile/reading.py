"""Read every file of a folder as an audit would, in a process of its own; print what came of each, one JSON a line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from discreet.core.errors import DiscreetError
from discreet.tables.collect import Counted, Sampled, collect
from discreet.tables.guess import guess_schema
from discreet.tables.source import open_source


def peak() -> int:
    """The most memory that this process has held, in MB."""
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024


def read(path: Path) -> str:
    """Guess, show, count, sample: all that touches rows."""
    source = open_source(path)
    str(guess_schema(source))
    names = source.schema.names[:2]
    plain = [n for n in names if not str(source.schema.field(n).type).startswith(("list", "struct", "map"))]
    rows = sum(batch.num_rows for batch in source.batches(names, encoded=True))
    if plain:
        found = collect(source, {"counts": Counted((tuple(plain),)), "sample": Sampled(tuple(plain), 100, 0)})
        assert found["counts"][tuple(plain)].total == rows
    return f"{rows} rows"


if __name__ == "__main__":
    for given in sys.stdin.read().split("\n"):
        if given:
            print(json.dumps({"begun": given}), flush=True)
            try:
                said, what = read(Path(given)), "read"
            except DiscreetError as error:
                said, what = str(error), "refused"
            except Exception as error:
                said, what = f"{type(error).__name__}: {error}", "broken"
            print(json.dumps({"path": given, "what": what, "said": said[:2000], "peak": peak()}), flush=True)
