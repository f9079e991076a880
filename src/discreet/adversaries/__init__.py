"""Attackers that the design never saw: what they guess of a secret from a release, as lower bounds.

attack          on a finite secret -> Attack, with its verdicts, its control and its baseline
attack_number   on a secret that is a number -> NumberAttack
together        the joint secret of several
MapAdversary    the best attacker there is, where the law is known
MixtureAdversary  GaussianAdversary              the same for releases that are real numbers
Attacker  Guesser  Student  Bettor  CriticAttacker  QUICK  FULL  NUMBER_ZOO      who is sent, and how to send others

Names load when they are first asked for: scikit-learn is needed to attack, not to name things.
"""

from __future__ import annotations

from discreet.core.doors import opened

NAMES = {
    "FULL": "zoo",
    "GaussianAdversary": "normal",
    "QUICK": "zoo",
    "Attack": "result",
    "Attacker": "attacker",
    "Bettor": "attacker",
    "Collapse": "remains",
    "CriticAttacker": "learned",
    "Guesser": "attacker",
    "MapAdversary": "map",
    "MixtureAdversary": "normal",
    "NUMBER_ZOO": "regressors",
    "NumberAttack": "number_result",
    "Student": "attacker",
    "Trial": "result",
    "Verdict": "verdict",
    "attack": "campaign",
    "attack_number": "numbers",
    "collapse": "remains",
    "together": "stacking",
}

__all__ = [*NAMES]  # noqa: PLE0604

__getattr__, __dir__ = opened(__name__, NAMES)
