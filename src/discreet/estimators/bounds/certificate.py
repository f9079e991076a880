"""Several bounds at once, with one confidence for all of them together, and what each says in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from discreet.core.channel import MatrixChannel
from discreet.core.errors import ParameterError
from discreet.core.protocols import Array
from discreet.core.reading import Interval, Reading
from discreet.estimators.bounds import lower, trivial, upper
from discreet.estimators.bounds.held_out import HeldOut, Table, Target, beta_of
from discreet.estimators.bounds.words import assumption, sentence
from discreet.measures import channel as of_channel

DEFAULT = ("guessing_probability", "gain", "mutual_information", "total_variation")


class Asked(NamedTuple):
    """What the bounds of one certificate are made from."""

    table: Table
    design: Table | None
    channel: MatrixChannel | None
    of: Target | None

    def about(self, usual: Target) -> Target:
        """The law that was asked for, or the measure's own."""
        return self.of or usual


@dataclass(frozen=True, eq=False)
class Certified(Mapping[str, Reading]):
    """The bounds of a certificate by the names of their measures; all hold together at `confidence`.

    `ceilings` are what the measures could be at most, whatever the release; `sentences` say what the bounds say.
    """

    readings: Mapping[str, Reading]
    confidence: float
    n: int
    composition: Array
    ceilings: Mapping[str, float]
    sentences: Mapping[str, str]
    assumption: str

    def __getitem__(self, name: str) -> Reading:
        return self.readings[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.readings)

    def __len__(self) -> int:
        return len(self.readings)

    def __repr__(self) -> str:
        how_many = "1 bound" if len(self) == 1 else f"{len(self)} bounds, together"
        lines = [f"{how_many} at {100 * self.confidence:g} % confidence, from {self.n:,} people"]
        return "\n".join([*lines, *(f"  {text}" for text in self.sentences.values()), f"  {self.assumption}"])


def certificate(
    held_out: Table,
    *,
    design: Table | None = None,
    channel: MatrixChannel | None = None,
    confidence: float = 0.95,
    measures: Sequence[str] = DEFAULT,
    gammas: Sequence[float] = (),
    eps: Sequence[float] = (),
    of: Target | None = None,
    both_sides: bool = False,
) -> Certified:
    """What the release tells at most, in several measures, all at once at this confidence.

    β = 1 − confidence is divided by the number of statements; measures, gammas and eps have to be chosen before the
    held-out rows are looked at. "e_gamma" is taken at every γ of `gammas`, "differential_privacy" and
    "information_privacy" at every ε of `eps`. `held_out` counts n[s, y], or n[s, x] where the `channel` is known.
    `of` asks all bounds to be about the population or about this composition; by default each measure chooses.
    With `both_sides` the guessing probability, information, total variation and E_γ get an interval: below, what an
    attacker reaches who learned on the `design` table, counted over the same symbols. It takes a statement of its own.

    >>> bounds = certificate([[300, 100], [150, 450]], measures=["guessing_probability", "mutual_information"])
    >>> bounds["guessing_probability"]
    V(S|Y) = 0.7766 (upper, of the population, 0.5 to 0.7766 at 97.5 %, n = 1,000)
    """
    asked, held = Asked(held_out, design, channel, of), HeldOut.of(held_out, channel)
    statements = _statements(measures, gammas, eps)
    below = [name for name in statements if name.split(" at ")[0] in REACHED] if both_sides else []
    if below:
        _check_sides(asked)
    sure = [name for name in statements if name == "local_privacy" and channel is not None]
    share = beta_of(confidence) / max(len(statements) + len(below) - len(sure), 1)
    readings = {name: bound(asked, 1 - share) for name, bound in statements.items()}
    axis = held.counts.axes[0].name
    called = "the secret" if axis == "s" else axis
    said = {name: sentence(reading, called, held.composition) for name, reading in readings.items()}
    for name in below:
        reached = _reached(asked, name, readings[name], 1 - share)
        readings[name] = _two_sided(readings[name], reached, share)
        said[name] += " " + sentence(reached, called)
    return Certified(
        readings,
        confidence,
        held.n,
        held.composition,
        {name: _ceiling(held, reading) for name, reading in readings.items()},
        said,
        assumption(held.n),
    )


# --------------------------------------------------------------------------------------- the measures by their names

Bound = Callable[[Asked, float], Reading]


def _information_privacy(asked: Asked, eps: float, confidence: float) -> Reading:
    known = HeldOut.of(asked.table, asked.channel).channel is not None
    of = asked.about("composition" if known else "population")
    return upper.information_privacy(asked.table, eps, confidence, channel=asked.channel, of=of)


def _local_privacy(asked: Asked, confidence: float) -> Reading:
    if asked.channel is not None:
        return of_channel.local_privacy(asked.channel)
    return upper.local_privacy(asked.table, confidence)


PLAIN: dict[str, Bound] = {
    "guessing_probability": lambda a, c: upper.guessing_probability(
        a.table, c, channel=a.channel, of=a.about("population")
    ),
    "gain": lambda a, c: upper.gain(
        a.table, c, channel=a.channel, design=a.design, of=a.about("composition")
    ),
    "mutual_information": lambda a, c: upper.mutual_information(
        a.table, c, channel=a.channel, of=a.about("composition")
    ),
    "conditional_entropy": lambda a, c: upper.conditional_entropy(a.table, c, channel=a.channel),
    "total_variation": lambda a, c: upper.total_variation(a.table, c, channel=a.channel),
    "chi_squared": lambda a, c: upper.chi_squared(a.table, c, channel=a.channel),
    "maximal_correlation": lambda a, c: upper.maximal_correlation(a.table, c, channel=a.channel),
    "maximal_leakage": lambda a, c: upper.maximal_leakage(a.table, c, channel=a.channel),
    "local_privacy": _local_privacy,
}

AT_GAMMA: dict[str, Callable[[Asked, float, float], Reading]] = {
    "e_gamma": lambda a, g, c: upper.e_gamma(a.table, g, c, channel=a.channel),
}

AT_EPS: dict[str, Callable[[Asked, float, float], Reading]] = {
    "differential_privacy": lambda a, e, c: upper.differential_privacy(a.table, e, c, channel=a.channel),
    "information_privacy": _information_privacy,
}

REACHED = ("guessing_probability", "mutual_information", "total_variation", "e_gamma")


def _statements(measures: Sequence[str], gammas: Sequence[float], eps: Sequence[float]) -> dict[str, Bound]:
    """Every statement that the certificate makes, by its name."""
    found: dict[str, Bound] = {}
    for name in measures:
        if name in PLAIN:
            found[name] = PLAIN[name]
            continue
        if name not in AT_GAMMA and name not in AT_EPS:
            known = ", ".join([*PLAIN, *AT_GAMMA, *AT_EPS])
            raise ParameterError("a measure that can be certified", f"{name!r}", f"choose from {known}")
        bound, at, which = (
            (AT_GAMMA[name], gammas, "gammas") if name in AT_GAMMA else (AT_EPS[name], eps, "eps")
        )
        if len(at) == 0:
            raise ParameterError(
                f"{name} at one number or more, named beforehand", f"no {which}", f"pass {which}=(…,)"
            )
        for number in at:
            found[f"{name} at {number:g}"] = _at(bound, float(number))
    if not found:
        raise ParameterError(
            "a certificate of one measure or more", "none", f"choose from {', '.join(PLAIN)}"
        )
    return found


def _at(bound: Callable[[Asked, float, float], Reading], number: float) -> Bound:
    return lambda asked, confidence: bound(asked, number, confidence)


def _ceiling(held: HeldOut, reading: Reading) -> float:
    of: Target = "population" if reading.origin.law == "the population" else "composition"
    return trivial.ceiling(held, reading.measure, of, reading.parameters.get("gamma", 1.0))


# --------------------------------------------------------------------------------------------------- the other side


def _check_sides(asked: Asked) -> None:
    if asked.design is None or HeldOut.of(asked.table, asked.channel).channel is not None:
        raise ParameterError(
            "what an attacker reaches, from released symbols and a design table",
            "no design table" if asked.design is None else "counts of what goes into a noisy channel",
            "count the released symbols on both parts of the rows, and pass design=…",
        )
    if asked.of == "composition":
        raise ParameterError(
            "both sides of a guessing probability",
            'of = "composition"',
            "leave `of` out: what a rule hits is known for the population",
        )


def _reached(asked: Asked, name: str, above: Reading, confidence: float) -> Reading:
    design = asked.design if asked.design is not None else asked.table
    if name == "guessing_probability":
        return lower.guessing_probability(asked.table, design, confidence)
    if above.origin.law == "the population":
        raise ParameterError(
            f"both sides of {name} in the population",
            "a lower bound that knows people of this composition only",
            "leave `of` out",
        )
    if name == "mutual_information":
        return lower.mutual_information(asked.table, design, confidence)
    return lower.e_gamma(asked.table, design, above.parameters.get("gamma", 1.0), confidence)


def _two_sided(above: Reading, below: Reading, share: float) -> Reading:
    """One Reading with both limits, each of which costs one share of β."""
    return replace(above, interval=Interval(below.value, above.value, 1 - 2 * share))
