"""What a release costs, beside a copy of the same columns: ratio of CPU in one run, and peak memory in a process of
its own.

    python bench/apply.py                  # 10⁷ rows × 8 category columns, and streams of 10⁶ to 10⁸ rows
    python bench/apply.py --rows 1000000   # the same, shorter

The unit is a dictionary-preserving Parquet copy: ParquetFile.iter_batches with read_dictionary into a ParquetWriter,
of the columns that are released. The release reads, codes, draws from a secret key, decodes, fingerprints and writes
through a journal; its columns are one block of 42 symbols, or all seven public ones in blocks.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from records import NAMES, batches, cpu, peak, write

ALLOWED, ALLOWED_MB = 1.35, 500
CASES = {"one column": (NAMES[7],), "seven columns": NAMES[1:]}


def copy(path: Path, target: Path, names: tuple[str, ...]) -> None:
    """The unit."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path, read_dictionary=list(names)) as held:
        writer = None
        for batch in held.iter_batches(1 << 18, columns=list(names), use_threads=False):
            writer = writer or pq.ParquetWriter(target, batch.schema)
            writer.write_batch(batch)
        writer.close()


def policy(path: Path, names: tuple[str, ...]):
    """A policy on these columns."""
    import numpy as np

    from discreet.workflow.design import design

    return design(
        path,
        private=NAMES[0],
        public=names,
        keep=0.5,
        mechanism="randomised_response",
        rng=np.random.default_rng(0),
    )


def release(path: Path, target: Path, made) -> None:
    """What is measured: under a fresh key each time, since a key serves one input."""
    key = target.with_suffix(".key")
    key.unlink(missing_ok=True)
    made.apply(path, target, key=key)


def peak_of(*task: str) -> int:
    """The most memory, in MB, that a process of its own holds while it does a task of this file."""
    done = subprocess.run(
        [sys.executable, __file__, "--only", *task], capture_output=True, text=True, check=True
    )
    return int(done.stdout.split()[-1])


def only(task: list[str]) -> None:
    """Do one task, and print the peak."""
    from discreet.workflow.policy import load

    what, saved, given, target = task
    if what == "copy":
        copy(Path(given), Path(target), CASES["seven columns"])
    elif what == "release":
        release(Path(given), Path(target), load(saved))
    else:
        import pyarrow as pa

        rows = int(given)
        stream = pa.RecordBatchReader.from_batches(next(batches(1)).schema, batches(rows))
        release(stream, Path(target), load(saved))
    print(peak())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--only", nargs="+")
    asked = parser.parse_args()
    if asked.only:
        only(asked.only)
        return
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        os.environ["DISCREET_HOME"] = str(here / "state")
        write(here / "in.parquet", asked.rows)
        write(here / "sample.parquet", min(asked.rows, 200_000))
        for case, names in CASES.items():
            made = policy(here / "sample.parquet", names)
            made.save(here / "a.policy")
            unit = cpu(lambda names=names: copy(here / "in.parquet", here / "copy.parquet", names))
            spent = cpu(lambda made=made: release(here / "in.parquet", here / "out.parquet", made))
            blocks = " + ".join(str(block.size) for block in made.codec.public)
            print(f"{case}, {asked.rows:,} rows, blocks of {blocks} symbols")
            print(f"  copy    {unit:.2f} s CPU")
            print(
                f"  release {spent:.2f} s CPU = {spent / unit:.2f} × (allowed {ALLOWED}); "
                f"{asked.rows / spent / 1e6:.1f} million rows a second"
            )
            if case == "seven columns":
                memory(here, asked.rows)


def memory(here: Path, most: int) -> None:
    """Peak memory, of files and of generated streams."""
    saved, target = str(here / "a.policy"), str(here / "peak.parquet")
    of_copy, of_file = (
        peak_of(what, saved, str(here / "in.parquet"), target) for what in ("copy", "release")
    )
    print(f"  peak of the file: copy {of_copy} MB, release {of_file} MB (allowed {ALLOWED_MB})")
    for rows in (most // 10, most, most * 10):
        print(f"  peak of a stream of {rows:,} rows: {peak_of('stream', saved, str(rows), target)} MB")


if __name__ == "__main__":
    main()
