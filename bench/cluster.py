"""How large a cluster has to be: what a row costs on Spark, in CPU of the JVM and its Python workers; a table of it.

    python bench/cluster.py   # 4 · 10⁶ rows × 8 category columns on one local core; prints the table of the guide

What is measured is the slope between a short and a long run, so that starting Spark does not count. The table supposes
that rows are spread evenly, that storage keeps up, and that a cluster does useful work four fifths of the time.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from apply import policy
from records import NAMES, PAIRS, write

USEFUL = 0.8
CORES = (1, 16, 64, 256)
ROWS = (10**8, 10**9, 10**10, 10**11)
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of_all() -> float:
    """CPU seconds of this process and of all that came from it: the JVM and the Python workers."""
    spent: dict[int, tuple[int, float]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            spent[int(entry.name)] = (int(fields[1]), sum(map(int, fields[11:15])) / TICKS)
    ours = {os.getpid()}
    while more := {pid for pid, (parent, _) in spent.items() if parent in ours} - ours:
        ours |= more
    return sum(spent[pid][1] for pid in ours)


def session(cores: int):
    """Spark on this machine."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = (
        SparkSession.builder.master(f"local[{cores}]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", str(1 << 16))
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("ERROR")
    return made


def spent(task: Callable[[], object]) -> float:
    before = cpu_of_all()
    task()
    return cpu_of_all() - before


def slope(task: Callable[[Path], object], short: tuple[Path, int], long: tuple[Path, int]) -> float:
    """CPU seconds of a million rows more."""
    task(short[0])
    few, many = (min(spent(lambda path=path: task(path)) for _ in range(2)) for path, _ in (short, long))
    return (many - few) / (long[1] - short[1]) * 1e6


def costs(rows: int, here: Path) -> dict[str, float]:
    """CPU seconds of a million rows: read, counted, released."""
    from discreet.tables.collect import Counted, collect
    from discreet.tables.keystream import Key

    short, long = (here / "short.parquet", rows // 8), (here / "long.parquet", rows)
    for path, n in (short, long):
        write(path, n)
    spark = session(1)
    made = policy(short[0], NAMES[1:])

    def frame(path: Path):
        return spark.read.parquet(str(path))

    def away(released) -> None:
        released.write.format("noop").mode("overwrite").save()

    def release(path: Path) -> None:
        named = frame(path).selectExpr("*", "monotonically_increasing_id() AS id")
        away(made.apply(named, key=Key.of_seed(1), id="id"))

    try:
        return {
            "read": slope(lambda path: away(frame(path)), short, long),
            "count 15 pair tables": slope(
                lambda path: collect(frame(path), {"pairs": Counted(PAIRS)}), short, long
            ),
            "release seven columns": slope(release, short, long),
        }
    finally:
        spark.stop()


def table(each: dict[str, float]) -> str:
    """Hours and minutes, in Markdown."""
    lines = [
        f"| task | rows | core-hours | {' | '.join(f'{c} core' + 's' * (c > 1) for c in CORES)} |",
        f"|---|---:|---:|{'---:|' * len(CORES)}",
    ]
    for task, seconds in each.items():
        for rows in ROWS:
            hours = seconds * rows / 1e6 / 3600
            times = " | ".join(said(hours / cores / USEFUL) for cores in CORES)
            lines.append(f"| {task} | {rows:.0e} | {hours:.3g} | {times} |".replace("e+", "e"))
    return "\n".join(lines)


def said(hours: float) -> str:
    """A time that a person can read."""
    if hours < 1 / 60:
        return f"{max(hours * 3600, 1):.0f} s"
    return f"{hours * 60:.0f} min" if hours < 2 else f"{hours:.0f} h"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=4_000_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = costs(asked.rows, Path(folder))
    for task, seconds in found.items():
        print(
            f"{task:24} {seconds:.3f} s of CPU for a million rows, {1 / seconds:.2f} million rows a second and core"
        )
    print()
    print(table({task: found[task] for task in list(found)[1:]}))
