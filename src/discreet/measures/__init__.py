"""From a Lift to a Reading: every measure of what a release tells about a secret.

f-kinds      mutual_information  total_variation  chi_squared  hellinger  f_information  e_gamma
orders       sibson  arimoto  renyi  maximal_leakage  min_entropy_leakage  entropy  conditional_entropy  alpha_loss
directions   maximal_correlation  principal_inertias
worst cell   lift_privacy  local_privacy
tails        information_privacy  information_privacy_eps  differential_privacy  differential_privacy_eps
decisions    guessing_probability  inference_gain  mmse
columns      conditional_density
classes      classical (k-anonymity, l-diversity, t-closeness, δ-disclosure, β-likeness of a table)
other laws   channel (a mechanism alone)  gaussian (closed forms)  shift (two normal laws)
"""

from discreet.measures import channel, classical, gaussian, shift
from discreet.measures.arimoto import alpha_loss, arimoto, conditional_entropy, entropy, min_entropy_leakage
from discreet.measures.catalogue import CATALOGUE
from discreet.measures.conditional import conditional_density
from discreet.measures.decision import guessing_probability, inference_gain, mmse
from discreet.measures.dp import differential_privacy, differential_privacy_eps
from discreet.measures.fdiv import (
    chi_squared,
    e_gamma,
    f_information,
    hellinger,
    mutual_information,
    total_variation,
)
from discreet.measures.pointwise import lift_privacy, local_privacy
from discreet.measures.sibson import maximal_leakage, renyi, sibson
from discreet.measures.spectral import maximal_correlation, principal_inertias
from discreet.measures.tail import information_privacy, information_privacy_eps

__all__ = [
    "CATALOGUE",
    "alpha_loss",
    "arimoto",
    "channel",
    "chi_squared",
    "classical",
    "conditional_density",
    "conditional_entropy",
    "differential_privacy",
    "differential_privacy_eps",
    "e_gamma",
    "entropy",
    "f_information",
    "gaussian",
    "guessing_probability",
    "hellinger",
    "inference_gain",
    "information_privacy",
    "information_privacy_eps",
    "lift_privacy",
    "local_privacy",
    "maximal_correlation",
    "maximal_leakage",
    "min_entropy_leakage",
    "mmse",
    "mutual_information",
    "principal_inertias",
    "renyi",
    "shift",
    "sibson",
    "total_variation",
]
