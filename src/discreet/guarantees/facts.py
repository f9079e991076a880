"""What an asker may state about the law, by name, for the rows of the table that need it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from discreet.core.errors import AxisError, LawError, ParameterError

FACTS = {
    "p_s": "the masses of the secrets",
    "n_s": "how many secrets there are",
    "n_y": "how many releases there are",
    "mean_s": "the mean of the secret, a number",
    "var_s": "the variance of the secret, a number",
    "range_s": "the largest value of the secret minus the smallest",
    "regular": "True where condition (11) of paper 000 is known to hold",
    "cost_range": "the largest cost minus the smallest",
    "cost_top": "the largest size of a cost",
    "p_kept": "how likely a watchdog releases a symbol as it is",
    "flagged": "how likely a record is flagged, for each secret",
}

OF_THE_RELEASE = frozenset({"n_y"})
"""What is said of Y, and not of what was there before a channel."""


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """The facts as the rows use them: secrets without mass left out, and how many there are counted."""
    held = {name: _number(name, value) for name, value in given.items() if name not in {"p_s", "flagged"}}
    if "p_s" in given:
        p_s = _masses(given["p_s"])
        if "flagged" in given:
            held["flagged"] = _flagged(given["flagged"], p_s)[p_s > 0]
        held["p_s"] = p_s[p_s > 0]
        held["n_s"] = int(np.count_nonzero(p_s))
    return held


def _masses(given: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    p_s = np.asarray(given, dtype=np.float64)
    if p_s.ndim != 1 or not (p_s >= 0).all() or not abs(p_s.sum() - 1) <= 1e-9:
        raise LawError(
            "p_s: the masses of the secrets, which sum to one",
            f"shape {p_s.shape}, a sum of {p_s.sum():.12g}",
            "give one mass of 0 or more for each secret, divided by their sum",
        )
    return np.asarray(p_s / p_s.sum())


def _flagged(given: Any, p_s: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    flagged = np.asarray(given, dtype=np.float64)
    if flagged.shape != p_s.shape or not ((flagged >= 0) & (flagged <= 1)).all():
        raise AxisError(
            "flagged: a probability for each secret of p_s",
            f"shape {flagged.shape} for {p_s.size} secrets",
            "give P(flagged | s) in the order of p_s",
        )
    return flagged


def _number(name: str, value: Any) -> Any:
    if name == "regular":
        return bool(value)
    number = float(value)
    low = {"n_s": 1, "n_y": 1, "mean_s": -math.inf}.get(name, 0)
    high = 1 if name == "p_kept" else math.inf
    if not low <= number <= high or math.isinf(number):
        raise ParameterError(
            f"{name}: {FACTS[name]}", f"{name} = {value!r}", f"give a finite number from {low} to {high}"
        )
    return int(number) if name in {"n_s", "n_y"} else number
