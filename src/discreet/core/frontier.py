"""Designs for one law from the most private to the most useful, and what lies between two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.channel import MatrixChannel
from discreet.core.design import Design, Status
from discreet.core.errors import AxisError, ParameterError
from discreet.core.protocols import Array, Channel, Codes
from discreet.core.reading import Reading

ZERO_WHEN_SILENT = frozenset(
    {"mutual_information", "total_variation", "chi_squared", "hellinger", "f_information", "inference_gain"}
)
"""Averages over the release that are zero when nothing is said."""

AVERAGES = ZERO_WHEN_SILENT | {"guessing_probability"}
"""Measures that are averages over the release, so that a coin between two channels has the average of their values."""

SLACK = 1e-12
"""A budget is met when it is missed by no more than this: the last digits of a sum."""


class Frontier:
    """Designs of one mechanism at different budgets, and a choice among them.

    `points` may be any sequence of designs; one that makes its designs when they are asked for says in `leak` and
    `utility` what they are worth, so that choosing makes only what is chosen.
    """

    __slots__ = ("leak", "points", "shared", "utility")

    def __init__(
        self,
        points: Sequence[Design],
        *,
        leak: ArrayLike | None = None,
        utility: ArrayLike | None = None,
        shared: bool = False,
    ) -> None:
        if len(points) == 0:
            raise ParameterError("a frontier of one design or more", "none", "design for one budget at least")
        self.points = points
        self.leak: Array = np.array([float(d.leakage) for d in points] if leak is None else leak, dtype=float)
        self.utility: Array = np.array(
            [float(d.utility) for d in points] if utility is None else utility, dtype=float
        )
        self.shared = shared

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Design]:
        return iter(self.points)

    def at(self, *, leak: float | None = None, utility: float | None = None) -> Design:
        """The most useful design that leaks no more, or the least leaking one that is no less useful.

        On a convex frontier, the two neighbours share the time so that the budget is met exactly.
        """
        if (leak is None) == (utility is None):
            raise ParameterError(
                "one budget: leak=… or utility=…", "both" if leak is not None else "none", "give one of them"
            )
        kept = self.leak <= leak + SLACK if leak is not None else self.utility >= (utility or 0.0) - SLACK
        if not kept.any():
            self._refuse(leak, utility)
        found = np.flatnonzero(kept)
        keys = (self.leak, -self.utility) if leak is not None else (-self.utility, self.leak)
        best = int(found[np.lexsort((keys[0][found], keys[1][found]))[0]])
        return self._between(best, leak, utility) if self.shared else self.points[best]

    def convex(self) -> Frontier:
        """The frontier with everything that time sharing reaches: the release says which of two channels was used.

        The leak and the utility of such a release are the averages of the two, if both measures are averages over what
        is released; otherwise it is refused. Where silence is worth zero it belongs to the frontier.

        References: paper 002, Note 1 (corrected).
        """
        sample = self.points[-1]
        for reading in (sample.leakage, sample.utility):
            _check_average(reading)
        _matrix(sample.channel)
        points, leak, utility = self.points, self.leak, self.utility
        if {sample.leakage.measure, sample.utility.measure} <= ZERO_WHEN_SILENT:
            points = _Chosen(points, np.arange(-1, len(points)), _silent(sample))
            leak, utility = np.append(0.0, leak), np.append(0.0, utility)
        kept = corners(leak, utility)
        return Frontier(_Chosen(points, kept), leak=leak[kept], utility=utility[kept], shared=True)

    def _between(self, i: int, leak: float | None, utility: float | None) -> Design:
        """The mixture of corner i with its neighbour beyond the budget that meets the budget exactly."""
        values, budget, step = (self.leak, leak, 1) if leak is not None else (self.utility, utility, -1)
        j = i + step
        if budget is None or not 0 <= j < len(self) or values[i] == values[j]:
            return self.points[i]
        weight = float(np.clip((values[j] - budget) / (values[j] - values[i]), 0, 1))
        return self.points[i] if weight >= 1 - SLACK else share_time(self.points[i], self.points[j], weight)

    def _refuse(self, leak: float | None, utility: float | None) -> None:
        if leak is not None:
            asked = f"a leak of at most {leak:.6g}"
            found, remedy = f"the least leak here is {self.leak.min():.6g}", "allow more"
        else:
            asked = f"a utility of {utility:.6g}"
            found, remedy = f"the largest here is {self.utility.max():.6g}", "ask for less"
        raise ParameterError(f"a design with {asked}", found, f"{remedy}, or design for this budget")

    def __repr__(self) -> str:
        ends = f"leak {self.leak.min():.4g} to {self.leak.max():.4g}"
        kind = ", with time sharing" if self.shared else ""
        return f"Frontier of {len(self)} designs, {ends}, utility up to {self.utility.max():.4g}{kind}"


def side_by_side(first: Channel, second: Channel, weight: float) -> MatrixChannel:
    """Either channel, the first with this probability; the release says which one it was."""
    a, b = _matrix(first), _matrix(second)
    if a.p.shape[:-1] != b.p.shape[:-1]:
        raise AxisError(
            "two channels that read the same alphabet",
            f"inputs of shape {a.p.shape[:-1]} and {b.p.shape[:-1]}",
            "share time between channels that were designed for one law",
        )
    return MatrixChannel(np.concatenate([weight * a.p, (1 - weight) * b.p], axis=-1))


def share_time(first: Design, second: Design, weight: float) -> Design:
    """The design that uses the first with this probability and the second otherwise, and says which.

    Its leak and its utility are the averages, so both measures must be averages over the release. A design that is more
    useful than another can leak no less, at best, so the smaller bound of the two is a bound for the mixture.
    """
    leakage, utility = (
        _average(getattr(first, name), getattr(second, name), weight) for name in ("leakage", "utility")
    )
    less = min(first, second, key=lambda d: float(d.utility))
    status = Status.CONSTRUCTED if less.bound is None else Status.NEAR
    channel = side_by_side(first.channel, second.channel, weight)
    trace = {"shared": (weight, 1 - weight)}
    return Design(channel, status, leakage, utility, less.bound, trace)


def _average(first: Reading, second: Reading, weight: float) -> Reading:
    for reading in (first, second):
        _check_average(reading)
    if (first.measure, first.parameters) != (second.measure, second.parameters):
        raise ParameterError(
            "one measure for both designs",
            f"{first.measure} and {second.measure}",
            "share time between designs that were made for the same measure",
        )
    value = weight * first.value + (1 - weight) * second.value
    return replace(first, value=value, interval=None, by_s=None, by_y=None)


def _check_average(reading: Reading) -> None:
    if reading.measure not in AVERAGES or reading.parameters.get("over") == "worst":
        raise ParameterError(
            "time sharing between designs",
            f"{reading.measure}, which is no average over what is released",
            f"share time for averages only: {', '.join(sorted(AVERAGES))}; or take .at(…) without it",
        )


def _matrix(channel: Channel) -> MatrixChannel:
    if not isinstance(channel, MatrixChannel):
        raise ParameterError(
            "time sharing between finite channels",
            f"a {type(channel).__name__}",
            "take .at(…) without time sharing",
        )
    return channel


def _silent(like: Design) -> Design:
    """The design that always releases the same symbol."""
    nothing = [
        replace(r, value=0.0, interval=None, by_s=None, by_y=None) for r in (like.leakage, like.utility)
    ]
    channel = MatrixChannel(np.ones((*_matrix(like.channel).p.shape[:-1], 1)))
    return Design(channel, Status.OPTIMAL, nothing[0], nothing[1], replace(nothing[0], side="lower"))


def corners(leak: Array, utility: Array) -> Codes:
    """The corners of the region under the least concave curve of utility over leak, as far as it rises."""
    kept: list[int] = []
    for i in np.lexsort((-utility, leak)):
        if kept and utility[i] <= utility[kept[-1]]:
            continue
        while len(kept) > 1 and _below(leak, utility, kept[-2], kept[-1], i):
            kept.pop()
        kept.append(int(i))
    return np.array(kept, dtype=np.int64)


def _below(x: Array, y: Array, a: int, b: int, c: int) -> bool:
    """Whether corner b lies on or below the line from a to c."""
    return bool((y[b] - y[a]) * (x[c] - x[a]) <= (y[c] - y[a]) * (x[b] - x[a]))


class _Chosen(Sequence[Design]):
    """Some of the designs of a sequence, made when they are asked for; place −1 is another design."""

    def __init__(self, points: Sequence[Design], places: Codes, other: Design | None = None) -> None:
        self._points, self._places, self._other = points, places, other

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, i: int) -> Design: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[Design]: ...
    def __getitem__(self, i: int | slice) -> Design | Sequence[Design]:
        if isinstance(i, slice):
            return _Chosen(self._points, self._places[i], self._other)
        place = int(self._places[i])
        return self._other if place < 0 and self._other is not None else self._points[place]
