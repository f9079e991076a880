"""A bound as a sentence for people who must sign it. Upper limits are rounded up and lower ones down."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from discreet.core.errors import ParameterError
from discreet.core.protocols import Array
from discreet.core.reading import Reading

DIGITS = 3
SLACK = 1e-12
"""A number this near (relatively) to a rounded one is that one."""


class Said(NamedTuple):
    """A bound, what the secret is called, and the shares of its values among the held-out people."""

    reading: Reading
    name: str
    composition: Array | None

    @property
    def value(self) -> float:
        """The bound itself."""
        return self.reading.value

    @property
    def population(self) -> bool:
        """Whether it is about the population, or about people of this composition."""
        return self.reading.origin.law == "the population"

    @property
    def sure(self) -> str:
        """The confidence."""
        interval = self.reading.interval
        return f"{100 * (interval.confidence if interval else 1):.4g} % confidence"

    @property
    def drawn(self) -> str:
        """What the confidence is over."""
        return f"With {self.sure} over the drawing of these {self.reading.origin.n:,} people"

    def about(self, text: str) -> str:
        """The text with the law it is about."""
        if self.population:
            return f"{self.drawn}, {text}."
        return f"For people composed like these {self.reading.origin.n:,}, {text}; {self.sure}."


def assumption(n: int) -> str:
    """What has to be true for the bounds of a certificate to hold."""
    return (
        f"The {n:,} held-out people are independent draws from the population the statement is about and took no "
        "part in designing the release; the attacker sees one released record per person and knows the law, the "
        "mechanism and nothing else about the person."
    )


def sentence(reading: Reading, name: str = "the secret", composition: Array | None = None) -> str:
    """What a bound says, in words, with its confidence and the people it is about.

    `name` is what the secret is called; `composition` are the shares of its values among the held-out people, for the
    comparison that some sentences make.

    >>> from discreet.estimators.bounds import upper
    >>> print(sentence(upper.gain([[300, 100], [150, 450]]), "income"))
    With 95 % confidence ..., the release adds at most 17.7 percentage points to anyone's best guess of income, ...
    """
    if reading.origin.law == "the channel":
        return f"By construction of the mechanism, without statistics: {_by_construction(reading)}."
    if math.isinf(reading.value):
        return _nothing_known(reading)
    reached = reading.side == "lower" and reading.measure != "conditional_entropy"
    sayings = REACHED if reached else MOST
    if reading.measure not in sayings or reading.interval is None:
        raise ParameterError(
            "a sentence for a bound of a certificate", f"{reading!r}", f"take one of {', '.join(sayings)}"
        )
    return sayings[reading.measure](Said(reading, name, composition))


# ------------------------------------------------------------------------------------------------------- numbers


def _up(value: float) -> str:
    return _rounded(value, math.ceil, 1 - SLACK)


def _down(value: float) -> str:
    return _rounded(value, math.floor, 1 + SLACK)


def _rounded(value: float, whole: Callable[[float], int], slack: float) -> str:
    if value <= 0:
        return "0"
    scale = 10.0 ** (DIGITS - 1 - math.floor(math.log10(value)))
    return f"{whole(value * scale * slack) / scale:.{DIGITS}g}"


def _percent_up(value: float) -> str:
    return f"{math.ceil(1e4 * value * (1 - SLACK)) / 100:g} %"


def _percent_down(value: float) -> str:
    return f"{math.floor(1e4 * value * (1 + SLACK)) / 100:g} %"


def _factor(said: Said) -> str:
    return f"e^{said.reading.parameters['eps']:.4g}"


# ---------------------------------------------------------------------------------------------- what none exceeds


def _guess(said: Said) -> str:
    text = (
        f"no attacker, whatever his method, guesses {said.name} right from the release more often than "
        f"{_percent_up(said.value)}"
    )
    if said.composition is None:
        return said.about(text)
    commonest = "commoner" if np.count_nonzero(said.composition) == 2 else "commonest"
    share = 100 * said.composition.max()
    blind = (
        f"without the release always naming the {commonest} value is right for {share:.1f} % of these people"
    )
    return said.about(f"{text}; {blind}" if said.population else f"{text} ({blind})")


def _gain(said: Said) -> str:
    where = "in the population" if said.population else "among people composed like these"
    return (
        f"{said.drawn}, the release adds at most {_up(100 * said.value)} percentage points to anyone's best guess of "
        f"{said.name}, {where}."
    )


def _information(said: Said) -> str:
    part = ""
    if said.composition is not None and not said.population:
        occurs = said.composition[said.composition > 0]
        whole = -float(occurs @ np.log(occurs))
        part = f" ({_percent_up(said.value / whole)} of what there is to know)" if whole > 0 else ""
    return said.about(f"the release tells at most {_up(said.value)} nats{part} about {said.name}")


def _event(said: Said) -> str:
    return said.about(
        f"whatever combination of {said.name} and release one looks for, it occurs at most "
        f"{said.reading.parameters['gamma']:.4g} times as often as if the two had nothing to do with each other, plus "
        f"{_up(said.value)}"
    )


def _pairs(said: Said) -> str:
    return said.about(
        f"no set of releases is more than {_factor(said)} times as likely under one value of {said.name} as under "
        f"another, plus {_up(said.value)}"
    )


def _beliefs(said: Said) -> str:
    whose = "some value" if said.reading.parameters.get("strong") else "a person's own value"
    return said.about(
        f"the release moves the probability of {whose} of {said.name} by more than a factor {_factor(said)} with "
        f"probability at most {_up(said.value)}"
    )


MOST: dict[str, Callable[[Said], str]] = {
    "guessing_probability": _guess,
    "inference_gain": _gain,
    "mutual_information": _information,
    "conditional_entropy": lambda said: said.about(
        f"at least {_down(said.value)} nats of {said.name} stay in the dark after the release"
    ),
    "total_variation": lambda said: said.about(
        f"at most {_percent_up(said.value)} of probability separates {said.name} and release from independence"
    ),
    "e_gamma": _event,
    "chi_squared": lambda said: said.about(f"χ² of {said.name} and release is at most {_up(said.value)}"),
    "maximal_correlation": lambda said: said.about(
        f"no function of the release correlates by more than {_up(said.value)} with one of {said.name}"
    ),
    "differential_privacy": _pairs,
    "maximal_leakage": lambda said: said.about(
        f"no function of {said.name}, whichever, is guessed more than {_up(math.exp(said.value))} times as well with "
        "the release as without"
    ),
    "information_privacy": _beliefs,
    "lift_privacy": lambda said: said.about(
        f"no release moves the probability of a value of {said.name} by more than a factor {_up(math.exp(said.value))}"
    ),
    "local_privacy": lambda said: said.about(
        f"no release shifts the odds between two values of {said.name} by more than a factor "
        f"{_up(math.exp(said.value))}"
    ),
}


def _by_construction(reading: Reading) -> str:
    if math.isinf(reading.value):
        return "some release rules some input out, so that no ε can be given"
    times, eps = _up(math.exp(reading.value)), _up(reading.value)
    return f"no release shifts the odds between two people by more than a factor {times} (ε = {eps})"


def _nothing_known(reading: Reading) -> str:
    unseen = 0 if reading.by_y is None else int(np.isinf(reading.by_y).sum())
    were = "symbol was" if unseen == 1 else "symbols were"
    return (
        f"No bound can be given: {unseen:,} {were} never seen with some secret. "
        "Merge them in the release or publish δ."
    )


# ------------------------------------------------------------------------------- what an attacker is known to reach


def _event_reached(said: Said) -> str:
    return said.about(
        f"a combination of {said.name} and release is known that occurs at least "
        f"{said.reading.parameters['gamma']:.4g} times as often as if the two had nothing to do with each other, plus "
        f"{_down(said.value)}"
    )


REACHED: dict[str, Callable[[Said], str]] = {
    "guessing_probability": lambda said: said.about(
        f"an attacker is known who guesses {said.name} right from the release {_percent_down(said.value)} of the time "
        "or more"
    ),
    "mutual_information": lambda said: said.about(
        f"the release is known to tell {_down(said.value)} nats or more about {said.name}"
    ),
    "total_variation": lambda said: said.about(
        f"{_percent_down(said.value)} of probability or more is known to separate {said.name} and release from "
        "independence"
    ),
    "e_gamma": _event_reached,
}
