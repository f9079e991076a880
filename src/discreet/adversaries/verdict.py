"""What an attack comes to, in a sentence."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """How an attack ended, the worst first. Its members are sentences."""

    COLLAPSED = "The release is constant or nearly so: it is private because it says nothing."
    WORSE = (
        "The release tells an attacker more than the untouched data did; something writes the secret into it."
    )
    USELESS = "The release tells next to nothing of the records that it was made from."
    LEAKS = "The release tells something about the secret: an attacker does better with it than without."
    TOO_FEW = "There are too few rows to tell; the absence of a leak was not shown."
    QUIET = "None of these attackers did better than without the release; another might."

    def __str__(self) -> str:
        return self.value

    @property
    def passed(self) -> bool:
        """Whether the release may be used: not when it collapsed, is worthless, or made things worse."""
        return self not in (Verdict.COLLAPSED, Verdict.WORSE, Verdict.USELESS)
