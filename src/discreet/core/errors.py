"""What can go wrong, said in three parts: what was asked, what was found, what to do.

DiscreetError (a ValueError)
├── LawError         something given as a law, a channel or counts is none
├── AxisError        names or sizes of axes do not fit together
├── ParameterError   a number or a choice lies outside its range
├── EvidenceError    a number is asked to carry more than it can: an estimate as a guarantee
├── SourceError      rows cannot be read, or not be written
├── SchemaError      the columns of records are not what was said of them
├── PolicyError      a policy file is broken, changed, or asks for what is not known
└── SecretKeyError   a secret key cannot be used: it is no key, open to others, or belongs to other rows
"""

from __future__ import annotations


class DiscreetError(ValueError):
    """An error whose text tells the user what was asked, what was found, and what to do about it."""

    def __init__(self, asked: str, found: str, remedy: str) -> None:
        super().__init__(f"{asked}\n  found: {found}\n  to do: {remedy}")
        self.asked, self.found, self.remedy = asked, found, remedy

    def __reduce__(self) -> tuple[type[DiscreetError], tuple[str, str, str]]:
        return type(self), (self.asked, self.found, self.remedy)


class LawError(DiscreetError):
    """Something given as a law, a channel or counts is none."""


class AxisError(DiscreetError):
    """Names or sizes of axes do not fit together."""


class ParameterError(DiscreetError):
    """A number or a choice lies outside its range."""


class EvidenceError(DiscreetError):
    """A number is asked to carry more than it can, such as an estimate shown as a guarantee."""


class SourceError(DiscreetError):
    """Rows cannot be read, or not be written."""


class SchemaError(DiscreetError):
    """The columns of records are not what was said of them."""


class PolicyError(DiscreetError):
    """A policy file is broken, changed, or asks for what is not known."""


class SecretKeyError(DiscreetError):
    """A secret key cannot be used: it is no key, open to others, or belongs to other rows."""
