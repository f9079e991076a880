"""`design`: from records and a limit to a policy, designed on some rows and held against others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from discreet.tables.schema import Schema
from discreet.workflow.designed import MOST_SYMBOLS, designed
from discreet.workflow.policy import Policy


def design(
    records: Any,
    *,
    private: str | Sequence[str] = (),
    public: str | Sequence[str] | None = None,
    utility: str | Sequence[str] = (),
    mechanism: str | Sequence[str] = "best",
    leak: float | None = None,
    keep: float | None = None,
    attacker_at_most: float | None = None,
    id: str | Sequence[str] = (),  # noqa: A002
    drop: str | Sequence[str] = (),
    schema: Schema | str | Path | None = None,
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
    by an estimate; `policy.design.limit` says by which. `held_out` are other records to hold it against.

    `mechanism` is a name among `designer.MECHANISMS`, or several; without it all that fit are tried, save the learned
    game, which takes minutes. Of those that meet the limit the one that keeps most is taken: `policy.design.tried` has
    all of them on one scale, and `policy.design.why` the reason.

    Columns are coded in blocks of at most so many `symbols`, each released by itself. With `labels` the release holds
    generalised labels, else values of the columns' own types. With a seeded `rng` the same call gives the same policy.
    """
    return designed(
        records, private=private, public=public, utility=utility, id=id, drop=drop, schema=schema,
        mechanism=mechanism, leak=leak, keep=keep, attacker_at_most=attacker_at_most, held_out=held_out,
        labels=labels, symbols=symbols, share=share, confidence=confidence, rng=rng,
    ).policy  # fmt: skip
