"""The adversary who knows everything but the secret: the law, the mechanism, and what was released."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.errors import AxisError, ParameterError
from discreet.core.joint import Joint
from discreet.core.lift import Lift
from discreet.core.protocols import Array, Channel, Codes
from discreet.core.reading import Reading
from discreet.measures import decision


class MapAdversary:
    """The best there is: he guesses the likeliest secret, and estimates a number by its mean, given the release.

    ŝ(y) = argmax_s p(s | y),   v̂(y) = E[v(S) | Y = y]

    Nobody is right more often, and nobody's estimate is closer in the mean square. Without a channel the release is x
    itself; a channel that sees the secret is read as such. A release that never occurs is guessed as if nothing had
    been seen. O(|S| |X| |Y|) to make.

    >>> from discreet.core.channel import MatrixChannel
    >>> adversary = MapAdversary(Joint([[.3, .1], [.15, .45]]), MatrixChannel([[.9, .1], [.1, .9]]))
    >>> adversary.guess([0, 1, 1])
    array([0, 1, 1])
    >>> adversary.guessing_probability
    V(S|Y) = 0.7 (exact, of this law)

    References: paper 004, equation (5), with the sum over releases that the print lacks; paper 002, Section II.
    """

    def __init__(self, joint: Joint, channel: Channel | None = None) -> None:
        released = joint if channel is None else joint.through(channel)
        if len(released.axes) != 2:
            raise AxisError(
                "a law of the secret and of what is released",
                f"{len(released.axes)} axes: {', '.join(released.names)}",
                'choose two with .marginal("s", "x"), or give a channel',
            )
        self.lift: Lift = released.lift()

    @cached_property
    def posterior(self) -> Array:
        """p(s | y), one column for each release; the prior where a release never occurs."""
        return self.lift.posterior

    @cached_property
    def best(self) -> Codes:
        """The likeliest secret for each release; the first of those that are equally likely."""
        found: Codes = self.posterior.argmax(axis=0).astype(np.int64)
        return found

    def guess(self, y: ArrayLike) -> Codes:
        """The likeliest secret of each record."""
        found: Codes = self.best[self._symbols(y)]
        return found

    def estimate(self, y: ArrayLike, values: ArrayLike | None = None) -> Array:
        """The mean of the secret's number, given what was released, for each record.

        >>> MapAdversary(Joint([[.3, .1], [.15, .45]])).estimate([0, 1], values=[0, 1]).round(4)
        array([0.3333, 0.8182])
        """
        means = self._values(values) @ self.posterior
        found: Array = means[self._symbols(y)]
        return found

    @property
    def guessing_probability(self) -> Reading:
        """How often he is right: no attacker is right more often."""
        return decision.guessing_probability(self.lift)

    def mmse(self, values: ArrayLike | None = None) -> Reading:
        """His mean square error: no attacker's is smaller."""
        return decision.mmse(self.lift, self._values(values))

    def _values(self, values: ArrayLike | None) -> Array:
        given = self.lift.axes[0].values if values is None else values
        numbers = np.asarray([] if given is None else given, dtype=np.float64)
        if numbers.shape != self.lift.p_s.shape:
            raise ParameterError(
                f"a number for each of {self.lift.p_s.size} secrets",
                "none" if given is None else f"shape {numbers.shape}",
                'pass values=…, or make the law with Axis("s", values=…)',
            )
        return numbers

    def _symbols(self, y: ArrayLike) -> Codes:
        codes = np.asarray(y)
        n_y = self.lift.p_y.size
        if codes.dtype.kind not in "iu" or (codes.size and (codes.min() < 0 or codes.max() >= n_y)):
            raise ParameterError(
                f"releases as symbol numbers 0 … {n_y - 1}",
                f"values of type {codes.dtype}"
                + (f" from {codes.min()} to {codes.max()}" if codes.size else ""),
                "encode the released symbols with the alphabet of the law",
            )
        return codes.astype(np.int64)
