"""Values in a policy that few people had: a policy is shipped, and who reads it sees its levels and its borders."""

from __future__ import annotations

import numpy as np

from discreet.tables.block import Block

FEW = 20
"""A value that fewer records had is rare."""


def rare_values(block: Block) -> tuple[str, ...]:
    """A warning for each column of a block with rare values, and one for its rare combinations. It names no value."""
    counts = np.array(block.counts, dtype=np.int64)
    made = []
    for j, coding in enumerate(block.columns):
        of_value = np.bincount(block.parts[:, j], weights=counts, minlength=coding.size)
        rare = int(np.count_nonzero((of_value > 0) & (of_value < FEW)))
        if rare:
            made.append(
                f"{coding.name}: {rare} of its {coding.size} values or bins stand for fewer than {FEW} records "
                "of the design"
            )
    rare = int(np.count_nonzero((counts > 0) & (counts < FEW)))
    if len(block.columns) > 1 and rare:
        names = " × ".join(block.names)
        made.append(
            f"{names}: {rare} of {block.size} combinations stand for fewer than {FEW} records of the design"
        )
    return tuple(made)
