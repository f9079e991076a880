"""Tables of the same columns, one below the other; levels are known by their names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.core.errors import AxisError
from discreet.core.samples import Column, Columns, Samples


def stacked(parts: Sequence[Columns]) -> Columns:
    """The rows of all parts in order, in the columns of the first.

    >>> two = [Columns([Column("x", [0], levels=("a",))]), Columns([Column("x", [0, 1], levels=("b", "a"))])]
    >>> stacked(two)["x"].values
    array([0, 1, 0])
    """
    if len(parts) == 1:
        return parts[0]
    for part in parts[1:]:
        if set(part.names) != set(parts[0].names):
            raise AxisError(
                f"the columns {', '.join(parts[0].names)} again",
                f"{', '.join(part.names)}",
                "a fresh release has the columns of the one that is out",
            )
    return Columns([_below([part[name] for part in parts]) for name in parts[0].names])


def _below(columns: Sequence[Column]) -> Column:
    name = columns[0].name
    if len({c.is_number for c in columns}) > 1:
        raise AxisError(
            f"column {name!r} as numbers, or as levels, in every part",
            "numbers in one, levels in another",
            "release it in the same way each time",
        )
    if columns[0].levels is None:
        return Column(name, np.concatenate([c.values for c in columns]))
    place: dict[object, int] = {}
    for column in columns:
        for level in column.levels or ():
            place.setdefault(level, len(place))
    codes = [np.array([place[v] for v in c.levels or ()], dtype=np.int64)[c.values] for c in columns]
    return Column(name, np.concatenate(codes), tuple(place))


def together(secrets: Sequence[Samples]) -> Samples:
    """The joint secret: one secret for each combination that occurs, of samples over the same records.

    Whoever guesses it right has guessed every part of it.

    >>> x = Columns.of_array([1., 2., 3.])
    >>> together([Samples(x, [0, 1, 1], "a"), Samples(x, [1, 0, 0], "b")]).s
    array([0, 1, 1])
    """
    first = secrets[0]
    if any(other.n != first.n for other in secrets):
        raise AxisError(
            "secrets of the same records",
            f"{[other.n for other in secrets]} records",
            "give the same rows each time",
        )
    names = [list(other.axes[0].labels or range(other.size)) for other in secrets]
    rows = np.stack([other.s for other in secrets], axis=1)
    known, codes = np.unique(rows, axis=0, return_inverse=True)
    labels = tuple(tuple(names[j][k] for j, k in enumerate(row)) for row in known)
    from discreet.core.axis import Axis

    axis = Axis(", ".join(other.axes[0].name for other in secrets), labels)
    return Samples(first.x, codes.reshape(-1), axis)
