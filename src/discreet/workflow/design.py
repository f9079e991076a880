"""`design`: from records and a limit to a policy. Designed on some rows, held against others, and it says by which number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.core.errors import ParameterError
from discreet.tables.schema import Schema
from discreet.workflow.coded import split
from discreet.workflow.designer import Designer
from discreet.workflow.families import FAMILIES
from discreet.workflow.policy import Knob, Policy

MOST_SYMBOLS = 128
"""Symbols of a block, unless asked otherwise: the funnel's time grows with the square."""


def design(
    records: Any,
    *,
    private: str | Sequence[str] = (),
    public: str | Sequence[str] | None = None,
    utility: str | Sequence[str] = (),
    mechanism: str = "funnel",
    leak: float | None = None,
    keep: float | None = None,
    attacker_at_most: float | None = None,
    id: str | Sequence[str] = (),  # noqa: A002
    drop: str | Sequence[str] = (),
    schema: Schema | None = None,
    held_out: Any = None,
    labels: bool = False,
    symbols: int = MOST_SYMBOLS,
    share: float = 0.5,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
) -> Policy:
    """Design a release that tells little about the private columns, for one limit.

    leak              at most so many nats of I(S;Y)
    attacker_at_most  the best guess of the secret right at most so often, 0 to 1
    keep              at least this share, 0 to 1, of H(X), or of I(U;X) with `utility`

    A `share` of the rows makes codec and channels, the rest holds them against the limit: by an upper bound at this
    confidence, divided among the candidates that are tried, where the release has few enough symbols for one, else
    by an estimate; `policy.design.limit` says by which. `held_out` are other records to hold it against. Columns are
    coded in blocks of at most so many `symbols`, each released by itself. With `labels` the release holds generalised
    labels, else values of the columns' own types. `mechanism` is a row of `families.FAMILIES`.
    """
    from discreet.tables.guess import guess_schema
    from discreet.tables.source import open_source

    knob, asked = _knob(leak, keep, attacker_at_most)
    if mechanism not in FAMILIES:
        raise ParameterError(
            f"a mechanism among {', '.join(FAMILIES)}", repr(mechanism), "choose one of them"
        )
    rng = np.random.default_rng() if rng is None else rng
    source = open_source(records)
    if schema is None:
        schema = guess_schema(source, private=private, public=public, utility=utility, id=id, drop=drop)
    against = None if held_out is None else open_source(held_out)
    found = split(source, schema.require(), share=share, most=symbols, rng=rng, held_out=against)
    return Designer(found, mechanism, confidence=confidence, labels=labels, rng=rng).policy(knob, asked)


def _knob(leak: float | None, keep: float | None, attacker_at_most: float | None) -> tuple[Knob, float]:
    """The one limit that was given."""
    given: dict[Knob, float | None] = {"leak": leak, "keep": keep, "attacker_at_most": attacker_at_most}
    named = [(knob, value) for knob, value in given.items() if value is not None]
    if len(named) != 1:
        raise ParameterError(
            "one limit: leak=…, keep=… or attacker_at_most=…",
            " and ".join(knob for knob, _ in named) or "none",
            "give one of them",
        )
    knob, value = named[0]
    most = float("inf") if knob == "leak" else 1.0
    if not 0 <= value <= most:
        raise ParameterError(
            f"{knob} from 0 to {most:g}", f"{value:g}", "nats for a leak, a share from 0 to 1 for the others"
        )
    return knob, float(value)
