"""How a notion is said in plain words: its own sentence, with its numbers and its qualifiers put in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

PHRASES: dict[str, dict[Any, str]] = {
    "over": {"mean": "in the mean over s", "worst": "for every s"},
    "strong": {False: "of the true secret", True: "of every secret"},
    "side": {"upper": "exceeds ", "lower": "falls below −"},
    "cost": {
        "any": "costs within the stated range",
        "log": "the log-loss",
        "zero_one": "one for a wrong guess",
        "brier": "the Brier score",
        "table": "the given table of costs",
    },
}
"""What a qualifier says in a sentence."""

PLAIN = {"direction": "release", "over": "mean"}
"""The usual divergence, of the joint law from the product, is written without its two laws."""

LAWS = {"release": "p(y|s) from p(y)", "prior": "p(y) from p(y|s)"}


def say(sentence: str, symbol: str, held: Mapping[str, Any]) -> str:
    """The sentence with what it asks for in braces."""
    told = {name: _number(value) for name, value in held.items()}
    told |= {name: PHRASES[name][value] for name, value in held.items() if name in PHRASES}
    if "delta" in held:
        told["surely"] = _surely(held["delta"])
    if "eta" in held:
        told["times"] = _number(math.exp(held["eta"]) if held["eta"] < 700 else math.inf)
    if "direction" in held:
        told["law"] = "p(y|s)" if held["direction"] == "release" else "p(y)"
        usual = all(held[name] == value for name, value in PLAIN.items())
        name = symbol.format(**told)
        told["divergence"] = f"{name}(S;Y)" if usual else f"{name} of {LAWS[held['direction']]}"
        told["whom"] = "" if usual else f" {told['over']}"
    return sentence.format(**told)


def _surely(delta: float) -> str:
    """1 − δ, not rounded up to certainty."""
    return f"1 − {delta:.3g}" if 0 < delta < 1e-3 else _number(1 - delta)


def _number(value: Any) -> str:
    return f"{value + 0.0:.4g}" if isinstance(value, int | float) else str(value)
