"""The counts of the 1994 census that the mechanisms are measured on, for the tests and the programs of this folder."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

COUNTS = Path(__file__).parents[2] / "shared" / "data" / "adult" / "adult_sx_counts.csv.gz"


def census(path: Path = COUNTS) -> tuple[Array, Array, Array]:
    """Counts of ((age, income), (age, sex, education)) in the training and in the test table, 14 × 55.

    The third array [income, (age, income)] sums the secrets to income alone.
    """
    with gzip.open(path, "rt") as file:
        rows = list(csv.DictReader(file))
    secrets = sorted({(r["s_age"], r["s_income"]) for r in rows})
    symbols = sorted({(r["x_age"], r["x_sex"], r["x_edu"]) for r in rows})
    n = {name: np.zeros((len(secrets), len(symbols))) for name in ("train", "all")}
    for r in rows:
        s, x = (r["s_age"], r["s_income"]), (r["x_age"], r["x_sex"], r["x_edu"])
        n[r["rows"]][secrets.index(s), symbols.index(x)] += int(r["count"])
    income = np.array([[s[1] == name for s in secrets] for name in ("<=50K", ">50K")], dtype=float)
    return n["train"], n["all"] - n["train"], income
