"""What an attacker is known to reach: lower confidence bounds of a leak, by a witness that other rows have fixed.

two tables   guessing_probability  mutual_information  total_variation  e_gamma
one table    plug_in_guessing
one number a person   of_hits  of_log_lift  of_sets  floored  shortfall
"""

from discreet.estimators.bounds.lower.rows import Floored, floored, of_hits, of_log_lift, of_sets, shortfall
from discreet.estimators.bounds.lower.tables import (
    e_gamma,
    guessing_probability,
    mutual_information,
    plug_in_guessing,
    total_variation,
)

__all__ = [
    "Floored",
    "e_gamma",
    "floored",
    "guessing_probability",
    "mutual_information",
    "of_hits",
    "of_log_lift",
    "of_sets",
    "plug_in_guessing",
    "shortfall",
    "total_variation",
]
