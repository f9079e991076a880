"""What a released symbol is called where labels are released: "30 to 39", "married or widowed", "any"."""

from __future__ import annotations

import numpy as np

from discreet.core.channel import MatrixChannel
from discreet.tables.block import Block

ANY = "any"
MOST_NAMED = 6
"""A label names so many values at most; more than that are "any but …" or "several"."""


def labels_of(block: Block, channel: MatrixChannel) -> tuple[tuple[str, ...], ...]:
    """labels[column][y]: the values of the column that may stand behind the symbol y."""
    p = channel.p if channel.p.ndim == 2 else channel.p.sum(axis=0)
    made = []
    for j, coding in enumerate(block.columns):
        values = block.parts[:, j]
        made.append(tuple(_named(np.unique(values[p[:, y] > 0]), coding.labels) for y in range(p.shape[1])))
    return tuple(made)


def _named(values: np.ndarray, labels: tuple[str, ...]) -> str:
    if values.size in {0, len(labels)}:
        return ANY
    if values.size <= MOST_NAMED:
        return " or ".join(labels[v] for v in values)
    missing = sorted(set(range(len(labels))) - set(values.tolist()))
    if len(missing) <= MOST_NAMED:
        return f"{ANY} but " + ", ".join(labels[v] for v in missing)
    return f"one of {values.size} of {len(labels)}"
