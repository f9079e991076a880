"""What no attacker exceeds: upper confidence bounds of a leak from counts of held-out people, whatever the law.

Each measure is a supremum over witnesses, such as the best guesser; the best one is unknown but fixed, so a bound for
the mean of one function is a bound for the measure: no union over rules, sets, cells or pairs.

guesses       guessing_probability  gain
information   mutual_information  conditional_entropy
distances     total_variation  e_gamma
directions    chi_squared  maximal_correlation
prior-free    differential_privacy  maximal_leakage
cells         information_privacy  lift_privacy  local_privacy
"""

from discreet.estimators.bounds.upper.cells import information_privacy, lift_privacy, local_privacy
from discreet.estimators.bounds.upper.distance import e_gamma, total_variation
from discreet.estimators.bounds.upper.guess import gain, guessing_probability
from discreet.estimators.bounds.upper.information import conditional_entropy, mutual_information
from discreet.estimators.bounds.upper.likelihood import differential_privacy, maximal_leakage
from discreet.estimators.bounds.upper.spectral import chi_squared, maximal_correlation

__all__ = [
    "chi_squared",
    "conditional_entropy",
    "differential_privacy",
    "e_gamma",
    "gain",
    "guessing_probability",
    "information_privacy",
    "lift_privacy",
    "local_privacy",
    "maximal_correlation",
    "maximal_leakage",
    "mutual_information",
    "total_variation",
]
