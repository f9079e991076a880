"""From counts of held-out people to bounds at a confidence, whatever the law: no model, no asymptotics.

upper        what no attacker exceeds
lower        what an attacker is known to reach
certificate  several bounds at once at one confidence, with their sentences: certificate  Certified
planning     how many rows a bound needs: learning_curve  rows_needed  Curve
words        a bound as a sentence: sentence  assumption
binomial     limits for a share

Upper and lower close in on the truth as rows are added. An upper bound is about the population or about people of the
held-out composition; each Reading says which.
"""

from discreet.estimators.bounds import binomial, lower, upper
from discreet.estimators.bounds.certificate import Certified, certificate
from discreet.estimators.bounds.planning import Curve, learning_curve, rows_needed
from discreet.estimators.bounds.words import assumption, sentence

__all__ = [
    "Certified",
    "Curve",
    "assumption",
    "binomial",
    "certificate",
    "learning_curve",
    "lower",
    "rows_needed",
    "sentence",
    "upper",
]
