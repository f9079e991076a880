"""How the programs of this folder measure: the least of several runs, and memory as the allocator saw it."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any


def seconds(task: Callable[[], Any], runs: int = 7) -> float:
    """The least wall time of a task over some runs, after one to warm up."""
    task()
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - start)
    return best


def peak_bytes(task: Callable[[], Any]) -> int:
    """The most memory a task holds at once, beyond what was there before."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        task()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
