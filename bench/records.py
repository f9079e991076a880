"""What counting records costs, beside reading them: ratios of CPU in one run, and peak memory in a process of its own.

    python bench/records.py                 # 10⁷ rows × 8 category columns, and streams of 10⁶ to 10⁸ rows
    python bench/records.py --rows 1000000  # the same, shorter

The unit is the dictionary-preserving read: pyarrow's ParquetFile.iter_batches with read_dictionary, of the same
columns in the same run.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

SIZES = (2, 5, 4, 16, 9, 7, 12, 42)
"""How many levels the columns have; nobody tells the code."""

NAMES = tuple(f"c{j}" for j in range(len(SIZES)))
PAIRS = tuple((NAMES[s], NAMES[x]) for s in (0, 1, 2) for x in range(3, 8))
AT_ONCE = 1_000_000
COUNTING, COUNTING_MB = 4.0, 400


def batches(rows: int, size: int = 1 << 17) -> Iterator[object]:
    """A generated stream of rows, as dictionaries."""
    import pyarrow as pa

    rng = np.random.default_rng(0)
    shares = [rng.dirichlet(np.full(k, 2.0)) for k in SIZES]
    dictionaries = [pa.array([f"level {j}" for j in range(k)]) for k in SIZES]
    drawn = [rng.choice(k, 1 << 20, p=p).astype(np.int32) for k, p in zip(SIZES, shares, strict=True)]
    for start in range(0, rows, size):
        n = min(size, rows - start)
        columns = []
        for codes, dictionary in zip(drawn, dictionaries, strict=True):
            at = int(rng.integers(len(codes) - n + 1))
            columns.append(pa.DictionaryArray.from_arrays(pa.array(codes[at : at + n]), dictionary))
        yield pa.RecordBatch.from_arrays(columns, list(NAMES))


def write(path: Path, rows: int) -> None:
    """The stream as a Parquet file of text columns."""
    import pyarrow.parquet as pq

    writer = None
    for batch in batches(rows, AT_ONCE):
        writer = writer or pq.ParquetWriter(path, batch.schema, store_schema=False)
        writer.write_batch(batch)
    writer.close()


def read(path: Path) -> None:
    """The unit."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path, read_dictionary=list(NAMES)) as held:
        for _ in held.iter_batches(1 << 17, columns=list(NAMES), use_threads=False):
            pass


def count(path: Path) -> None:
    """All 15 private–public pair tables from one read, cardinalities discovered."""
    from discreet.tables.collect import Counted, collect

    found = collect(path, {"pairs": Counted(PAIRS)})["pairs"]
    assert len(found) == len(PAIRS)


def count_stream(rows: int) -> None:
    """The same from a stream that was never a file."""
    import pyarrow as pa

    from discreet.tables.collect import Counted, collect

    made = batches(rows)
    schema = next(batches(1)).schema
    found = collect(pa.RecordBatchReader.from_batches(schema, made), {"pairs": Counted(PAIRS)})["pairs"]
    assert found[PAIRS[0]].total == rows


def cpu(task: Callable[[], None], runs: int = 3) -> float:
    """The least CPU seconds of a task, after one to warm up."""
    task()
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best


def peak_of(*task: str) -> int:
    """The most memory, in MB, that a process of its own holds while it does a task of this file."""
    done = subprocess.run(
        [sys.executable, __file__, "--only", *task], capture_output=True, text=True, check=True
    )
    return int(done.stdout.split()[-1])


def only(task: list[str]) -> None:
    """Do one task, and print the peak."""
    if task[0] == "stream":
        count_stream(int(task[1]))
    else:
        {"read": read, "count": count}[task[0]](Path(task[1]))
    print(peak())


def peak() -> int:
    """The most memory this process has held, in MB. (Linux counts the parent's into `ru_maxrss`.)"""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
        return int(line.split()[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def counting(path: Path, rows: int) -> None:
    unit = cpu(lambda: read(path))
    took = cpu(lambda: count(path))
    print(f"\n{rows:,} rows × {len(SIZES)} category columns; one read = {unit:.2f} s of CPU")
    print(f"{'':44}{'ratio':>8}{'allowed':>9}{'peak MB':>9}{'allowed':>9}")
    print(f"{'read, dictionaries kept':44}{1:8.2f}{'':9}{peak_of('read', str(path)):9}")
    print(
        f"{'15 pair tables, cardinalities discovered':44}{took / unit:8.2f}{COUNTING:9.2f}"
        f"{peak_of('count', str(path)):9}{COUNTING_MB:9}"
    )


def streams(rows: int) -> None:
    print(f"\n15 pair tables of a generated stream\n{'rows':>14}{'peak MB':>9}")
    for n in (rows // 10, rows, rows * 10):
        print(f"{n:14,}{peak_of('stream', str(n)):9}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--only", nargs="+")
    asked = parser.parse_args()
    if asked.only:
        only(asked.only)
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "records.parquet"
            write(file, asked.rows)
            counting(file, asked.rows)
        streams(asked.rows)
