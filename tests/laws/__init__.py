"""Laws that every measure, mechanism or theorem must obey, tried on random and on extreme ones."""

import numpy as np
from hypothesis import strategies as st

import discreet as dc


@st.composite
def joints(draw, secrets=(1, 5), releases=(1, 5), axes=("s", "x")):
    """A law p[s, x] of any kind: concentrated or even, with cells that cannot occur and atoms without mass."""
    n = draw(st.integers(*secrets)), draw(st.integers(*releases))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    p = rng.dirichlet(np.full(n[0] * n[1], draw(st.sampled_from([0.05, 0.5, 1.0, 20.0])))).reshape(n)
    p *= rng.random(n) >= draw(st.sampled_from([0.0, 0.0, 0.3]))
    if p.sum() == 0:
        p[0, 0] = 1
    return dc.Joint(p / p.sum(), axes=axes)


@st.composite
def channels(draw, inputs, outputs=(1, 5)):
    """A channel for so many inputs: a random one, or a deterministic map."""
    n = draw(st.integers(*outputs))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if draw(st.booleans()):
        return dc.MatrixChannel(np.eye(n)[rng.integers(0, n, size=inputs)])
    return dc.MatrixChannel(rng.dirichlet(np.full(n, draw(st.sampled_from([0.1, 1.0, 10.0]))), size=inputs))
