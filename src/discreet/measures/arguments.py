"""The numbers and choices a measure is asked at, checked at the door."""

from __future__ import annotations

from typing import Literal

from discreet.core.errors import ParameterError

Direction = Literal["release", "prior"]
Over = Literal["mean", "worst"]


def not_negative(name: str, value: float) -> float:
    """A number of 0 or more; infinity is one."""
    if not value >= 0:
        raise ParameterError(f"{name} of 0 or more", f"{name} = {value}", f"give {name} as a number in nats")
    return float(value)


def share(name: str, value: float) -> float:
    """A number from 0 to 1."""
    if not 0 <= value <= 1:
        raise ParameterError(f"{name} between 0 and 1", f"{name} = {value}", "give a probability")
    return float(value)


def order(alpha: float) -> float:
    """An order in (0, ∞]."""
    if not alpha > 0:
        raise ParameterError(
            "an order alpha above 0", f"alpha = {alpha}", "1 and math.inf are taken as limits"
        )
    return float(alpha)


def choice(name: str, value: str, options: tuple[str, ...]) -> str:
    """One of these words."""
    if value not in options:
        raise ParameterError(
            f"{name} as one of {', '.join(options)}", f"{name} = {value!r}", "choose one of them"
        )
    return value
