"""From what is known to any other notion, by the best chain of theorems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.core.errors import ParameterError
from discreet.core.guarantee import Guarantee
from discreet.guarantees.derived import Derived, Known
from discreet.guarantees.facts import FACTS, checked
from discreet.guarantees.notions import NOTIONS
from discreet.guarantees.routes import Place
from discreet.guarantees.search import Search
from discreet.guarantees.standing import (
    CHANNEL,
    SUPPOSED,
    as_guarantee,
    law_of,
    one_law,
    standing,
    statement_of,
)
from discreet.guarantees.statement import Statement, defaults, kind


def imply(
    known: Guarantee | Statement | Sequence[Guarantee | Statement], notion: type[Statement], **params: Any
) -> Guarantee | None:
    """The best guarantee of this notion that follows from what is known, with its chain of theorems; None if none does.

    `known` is a Guarantee, or a notion that is supposed, or several of them at once. `params` are the numbers at which
    the notion is asked, all but the one that is bounded, its qualifiers, and facts of the law by name: `p_s=[.3, .7]`,
    `n_s=2`, `var_s=…`. A theorem that needs a fact which is not given is not used.

    Where a statement about a channel p(y | x) is among what is known, those about a law are about S and X, and the
    result about S and the release Y of that channel: `imply([Contraction(.25), MutualInformation(.1)],
    MutualInformation)`. Information privacy before the channel says nothing about the release, so it is not used.

    A certain statement and one at a confidence make one at that confidence; two at 95 % each make one at 90 %.

    >>> from discreet.guarantees import ChiSquared, GuessingProbability, MutualInformation
    >>> print(imply(ChiSquared(eta=.01), MutualInformation))
    I(S;Y) is at most 0.00995 nats (supposed, of this law)
      because χ²(S;Y) is at most 0.01
         then I(S;Y) is at most 0.00995 nats   [paper 000, Section III]
    >>> imply(ChiSquared(eta=.01), GuessingProbability, p_s=[.7, .3])
    no adversary guesses the secret right with probability above 0.7458 (supposed, of this law)
    >>> imply(ChiSquared(eta=.01), GuessingProbability) is None  # how often a blind guess is right must be known
    True
    """
    guarantees = [as_guarantee(one) for one in (known if isinstance(known, Sequence) else [known])]
    if not guarantees:
        raise ParameterError(
            "something known", "an empty list", "give a guarantee, or a notion to be supposed"
        )
    free, qualifiers, facts = _sorted_out(notion, params)
    statements = tuple(
        Known(i, one, guarantee.law == CHANNEL)
        for i, (guarantee, one) in enumerate((g, statement_of(g)) for g in guarantees)
    )
    one_law(guarantees)
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        found = Search(statements, checked(facts)).best(_asked(notion, qualifiers), free)
    return None if found is None else _concluded(found, guarantees, qualifiers)


def _sorted_out(
    notion: type[Statement], params: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The chosen numbers, the qualifiers and the facts among what was given by name."""
    if notion not in NOTIONS:
        raise ParameterError(
            "a notion", repr(notion), "take one of " + ", ".join(n.__name__ for n in NOTIONS)
        )
    usual, name = defaults(notion), notion.__name__
    missing = [one for one in notion.free if one not in params]
    if missing:
        raise ParameterError(
            f"{name} at a chosen {' and '.join(notion.free)}",
            f"no {' and no '.join(missing)}",
            f"say at which: imply(known, {name}, {', '.join(f'{one}=…' for one in missing)})",
        )
    unknown = [one for one in params if one not in notion.free and one not in usual and one not in FACTS]
    if unknown:
        found = (
            f"{notion.bound}, which is what is solved for" if notion.bound in unknown else ", ".join(unknown)
        )
        raise ParameterError(
            f"{name} with {', '.join((*notion.free, *usual)) or 'no numbers'}, and facts of the law",
            found,
            "the facts are " + ", ".join(FACTS),
        )
    free = {one: params[one] for one in notion.free}
    qualifiers = {one: params[one] for one in usual if one in params}
    notion(**free, **qualifiers, **{notion.bound: 0.5})
    return free, qualifiers, {one: value for one, value in params.items() if one in FACTS}


def _asked(notion: type[Statement], qualifiers: dict[str, Any]) -> Place:
    asked = kind(notion, **qualifiers)
    return Place(asked, "channel" if asked.channel else "after")


def _concluded(found: Derived, guarantees: Sequence[Guarantee], qualifiers: dict[str, Any]) -> Guarantee:
    used = [guarantees[i] for i in sorted(found.used)]
    if not found.rests_on and len(used) == 1 and used[0].law != SUPPOSED:
        return used[0]
    statement = type(found.statement)(**{**vars(found.statement), **qualifiers})
    chain = dict.fromkeys((*(step for one in used for step in one.chain), *found.steps()))
    return Guarantee(statement, law_of(used, found.stated), *standing(used), tuple(chain))
