"""A measure walks the law in blocks: none makes more than two temporary copies of it."""

import sys
import tracemalloc

import numpy as np
import pytest

import discreet as dc
from discreet.measures.catalogue import CATALOGUE

LAW = np.random.default_rng(0).dirichlet(np.ones(100 * 20_000)).reshape(100, 20_000)


@pytest.mark.skipif(sys.gettrace() is not None, reason="a tracer allocates on its own")
@pytest.mark.parametrize("row", [r for r in CATALOGUE if r.about == "lift"], ids=lambda r: r.name)
def test_at_most_two_copies(row):
    joint = dc.Joint(LAW)
    args = (np.arange(100.0),) if row.name == "mmse" else row.at[-1]
    tracemalloc.start()
    try:
        row.function(joint.lift(), *args)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 2 * LAW.nbytes
