"""944 voters of the American National Election Study of 1996: a public-domain survey with a secret worth keeping.

Source: American National Election Studies, 1996, the subset that is distributed for teaching with the remark "This is
public domain." `anes96.csv` holds it as whole numbers, one row a voter, without names or places.
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from discreet.core.axis import Axis
from discreet.core.counts import Counts
from discreet.core.errors import AxisError
from discreet.core.protocols import Codes

SCALE = (
    "extremely liberal",
    "liberal",
    "slightly liberal",
    "moderate",
    "slightly conservative",
    "conservative",
    "extremely conservative",
)

AGES = (30, 45, 65)
"""Where one age group ends and the next begins."""

AXES = {
    "vote": Axis("vote", ("Clinton", "Dole")),
    "party": Axis(
        "party",
        (
            "strong Democrat",
            "weak Democrat",
            "independent, leaning Democrat",
            "independent",
            "independent, leaning Republican",
            "weak Republican",
            "strong Republican",
        ),
    ),
    "ideology": Axis("ideology", SCALE),
    "education": Axis(
        "education",
        (
            "up to 8 grades",
            "some high school",
            "high school",
            "some college",
            "college",
            "master",
            "doctorate",
        ),
    ),
    "age": Axis("age", ("18–29", "30–44", "45–64", "65 and over")),
    "tv_news": Axis("tv_news", ("never", *(f"{n} days a week" for n in range(1, 8)))),
}

FIRST = {"ideology": 1, "education": 1}
"""The number that a column's first level is written as, where it is not 0."""


def votes(*columns: str) -> Counts:
    """How many voters there are of each combination of these columns.

    >>> votes("vote", "party")
    Counts over (vote: 2, party: 7) of 944 rows
    """
    unknown = [c for c in columns if c not in AXES]
    if unknown or not columns:
        raise AxisError(
            f"columns of the survey: {', '.join(AXES)}",
            f"{', '.join(unknown) or 'none'}",
            "choose from these names",
        )
    axes = [AXES[c] for c in columns]
    codes = np.stack([_codes(c) for c in columns], axis=1)
    return Counts.of_codes(codes, tuple(len(a.labels or ()) for a in axes), axes)


def answers() -> dict[str, list[str]]:
    """Every voter's answers in words, column by column, in the order of the survey.

    >>> answers()["vote"][:3]
    ['Dole', 'Clinton', 'Clinton']
    """
    return {name: [str((axis.labels or ())[code]) for code in _codes(name)] for name, axis in AXES.items()}


def _codes(column: str) -> Codes:
    text = files("discreet.datasets").joinpath("anes96.csv").read_text(encoding="utf-8").splitlines()
    place = text[0].split(",").index(column)
    values = np.array([int(row.split(",")[place]) for row in text[1:]])
    if column == "age":
        return np.searchsorted(AGES, values, side="right").astype(np.int64)
    return values - FIRST.get(column, 0)
