"""What many tests need: the real data sets, where they lie beside the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Tests run side by side, one on each core: threads of one that wait for those of another cost a hundredfold.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

DATA = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def adult() -> Path:
    """The census extract of 1994, 48,842 rows."""
    return _present("adult/adult.csv.gz")


@pytest.fixture(scope="session")
def compas() -> Path:
    """The COMPAS scores of two years, 5,278 prepared rows."""
    return _present("compas/compas_prepared.csv.gz")


def _present(name: str) -> Path:
    found = DATA / name
    if not found.exists():
        pytest.skip(f"the data set {name} does not lie beside the repository, in ../shared/data")
    return found
