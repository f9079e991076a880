"""Reference figures, computed apart from the product."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent


def cases(seed: str, *keys: str) -> list[Any]:
    """The cases of an oracle file whose key begins with one of these."""
    rows = json.loads((HERE / f"oracle_{seed}.json").read_text())["cases"]
    found = [row for row in rows if row["key"].split(":")[0] in keys]
    assert found, f"no case {keys} in oracle_{seed}"
    return found


def number(expected: Any) -> float:
    """A figure as it is written in the files: "inf" is infinity."""
    return math.inf if expected == "inf" else float(expected)


def law(counts: Any) -> np.ndarray:
    """Counts as a law."""
    held = np.array(counts, dtype=float)
    return held / held.sum()
