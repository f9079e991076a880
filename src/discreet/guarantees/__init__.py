"""From what is known about a release to what follows from it, by a table of theorems.

Notions      ChiSquared(eta=.01), InformationPrivacy(eps=.5, delta=.04), … : one for each measure, that may hold
Guarantee    of(reading)   imply(known, notion, **params)   compose([g1, g2])
The table    implications.TABLE, row by row; notions.NOTIONS
"""

from discreet.guarantees import implications, notions
from discreet.guarantees.ask import imply
from discreet.guarantees.composition import compose
from discreet.guarantees.evidence import of
from discreet.guarantees.notions import (
    Arimoto,
    ChiSquared,
    Contraction,
    DifferentialPrivacy,
    Dobrushin,
    Doeblin,
    EGamma,
    FInformation,
    FlaggedNoise,
    GaussianNoise,
    GuessingProbability,
    Hellinger,
    InferenceGain,
    InformationPrivacy,
    LiftPrivacy,
    LocalPrivacy,
    MaximalCorrelation,
    MaximalLeakage,
    MinEntropyLeakage,
    Mmse,
    MutualInformation,
    Renyi,
    Sibson,
    Tail,
    TotalVariation,
    Watchdog,
)

__all__ = [
    "Arimoto",
    "ChiSquared",
    "Contraction",
    "DifferentialPrivacy",
    "Dobrushin",
    "Doeblin",
    "EGamma",
    "FInformation",
    "FlaggedNoise",
    "GaussianNoise",
    "GuessingProbability",
    "Hellinger",
    "InferenceGain",
    "InformationPrivacy",
    "LiftPrivacy",
    "LocalPrivacy",
    "MaximalCorrelation",
    "MaximalLeakage",
    "MinEntropyLeakage",
    "Mmse",
    "MutualInformation",
    "Renyi",
    "Sibson",
    "Tail",
    "TotalVariation",
    "Watchdog",
    "compose",
    "implications",
    "imply",
    "notions",
    "of",
]
