"""What to be told before a number is believed: too few records, too many cells, copies, columns that say nothing."""

from __future__ import annotations

import numpy as np

from discreet.core.samples import Samples
from discreet.estimators.parts import copies, row_keys

LEAST_CELL = 20
ROWS_A_CELL = 5
ROWS_A_COLUMN = 50
SHARE_OF_COPIES = 0.05


def cautions(samples: Samples) -> tuple[str, ...]:
    """Reasons to read numbers about these records with care, each a sentence; none where there is none.

    >>> from discreet.core.samples import Columns
    >>> cautions(Samples(Columns.of_array(np.arange(80.) % 2), [0, 1] * 40))
    ()
    """
    about = (_about_secrets, _about_columns, _about_cells, _about_copies)
    return tuple(said for one in about for said in one(samples))


def _about_secrets(samples: Samples) -> list[str]:
    counts, said = samples.counts, []
    rare = np.flatnonzero((counts > 0) & (counts < LEAST_CELL))
    if np.count_nonzero(counts) == 1:
        said.append("Every record has the same secret: there is nothing to tell.")
    elif rare.size:
        said.append(
            f"{rare.size} value(s) of the secret have fewer than {LEAST_CELL} records, the rarest "
            f"{int(counts[rare].min())}: what is told about them is a guess."
        )
    return said


def _about_columns(samples: Samples) -> list[str]:
    said = []
    blank = [c.name for c in samples.x if np.unique(c.values[~np.isnan(c.values.astype(float))]).size < 2]
    if blank:
        said.append(f"Columns with one value or none tell nothing: {', '.join(blank[:5])}.")
    if samples.n < ROWS_A_COLUMN * len(samples.x):
        said.append(
            f"{samples.n:,} records are few for {len(samples.x)} column(s): expect a quarter of the flags of single "
            "records to be wrong, and the leak to be underestimated."
        )
    return said


def _about_cells(samples: Samples) -> list[str]:
    if not all(c.levels is not None or np.unique(c.values).size <= LEAST_CELL for c in samples.x):
        return []
    secrets, cells = int(np.count_nonzero(samples.counts)), int(np.unique(row_keys(samples.x)).size)
    said = []
    if cells * secrets * ROWS_A_CELL > samples.n:
        bias = (cells - 1) * (secrets - 1) / (2 * samples.n)
        said.append(
            f"{cells:,} combinations and {secrets} secrets are many for {samples.n:,} records: plain counts would read "
            f"about {bias:.2g} nats that are not there."
        )
    return said


def _about_copies(samples: Samples) -> list[str]:
    repeated = int(copies(samples).sum())
    if repeated <= SHARE_OF_COPIES * samples.n:
        return []
    said = f"{repeated:,} of {samples.n:,} records repeat another one to the last digit"
    return [f"{said}: if they are not different people, every interval is too narrow."]
