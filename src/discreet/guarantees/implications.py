"""The map of theorems: every implication between privacy notions, as one table.

Rows that a paper prints and that the search does not use are marked `printed`, the false ones `wrong` as well.
"""

from __future__ import annotations

from discreet.guarantees.implication import Form, Implication
from discreet.guarantees.statement import Kind
from discreet.guarantees.table import (
    adversary,
    ceilings,
    channel,
    disparity,
    divergences,
    lift,
    means,
    orders,
    secrets,
    tails,
    worth,
)

TABLE: tuple[Implication, ...] = (
    *disparity.ROWS,
    *worth.ROWS,
    *lift.ROWS,
    *secrets.ROWS,
    *adversary.ROWS,
    *tails.ROWS,
    *divergences.ROWS,
    *means.ROWS,
    *orders.ROWS,
    *channel.ROWS,
    *ceilings.ROWS,
)
"""The rows, each a theorem with its formula, its domain and where it comes from."""


def _leading_to() -> dict[Kind, tuple[Form, ...]]:
    found: dict[Kind, dict[Form, None]] = {}
    for row in TABLE:
        if not row.printed:
            for form in row.forms():
                found.setdefault(form.target, {})[form] = None
    return {target: tuple(forms) for target, forms in found.items()}


LEADING_TO: dict[Kind, tuple[Form, ...]] = _leading_to()
"""For each kind of notion, the rows that conclude it, with all qualifiers fixed."""


def named(name: str) -> Implication:
    """The row of this name."""
    for row in TABLE:
        if row.name == name:
            return row
    raise KeyError(name)
