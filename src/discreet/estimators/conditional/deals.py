"""Many statistics at once against chance: secrets dealt anew, and the largest statistic of each deal kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.core.protocols import Array, Codes

DRAWS, LEAST_DRAWS = 299, 59
WORK = 4e8
"""Records × statistics × deals at most."""


def family_wise(told: Sequence[Array], codes: Sequence[Codes], s: Codes, rng: np.random.Generator) -> Array:
    """For each table told[secret, symbol], the chance that luck reads as much from any of them.

    T_j = Σ_i told_j[s_i, c_ij], standardised over the deals; p_j = the share of deals whose largest T is as large.
    Exact at every level for all of them together, where the secret is independent of everything.
    """
    draws = int(np.clip(WORK / (len(told) * max(s.size, 1)), LEAST_DRAWS, DRAWS))
    found = np.empty((draws + 1, len(told)))
    for k in range(draws + 1):
        dealt = s if k == 0 else rng.permutation(s)
        for j, (table, code) in enumerate(zip(told, codes, strict=True)):
            width = table.shape[1]
            found[k, j] = table.reshape(-1) @ np.bincount(dealt * width + code, minlength=table.size)
    spread = found.std(axis=0)
    level = np.where(spread > 1e-12 * (1 + np.abs(found).max(axis=0)), spread, np.inf)
    z = (found - found.mean(axis=0)) / level
    largest = z.max(axis=1)
    p_values: Array = (largest[:, None] >= z[0] - 1e-9).mean(axis=0)
    return p_values
