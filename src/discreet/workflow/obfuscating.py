"""Gaussian obfuscation of columns of numbers: noise on every record, and a bound that no law of the data exceeds."""

from __future__ import annotations

import math

import numpy as np

from discreet import mechanisms
from discreet.core.errors import ParameterError
from discreet.core.gaussian_channel import GaussianChannel
from discreet.core.reading import Reading
from discreet.measures.channel import CHANNEL
from discreet.tables.block import column_of
from discreet.tables.fit import RARE
from discreet.tables.noisy import steps
from discreet.tables.scale import as_floats, is_whole
from discreet.workflow.channels import Noisy
from discreet.workflow.coded import Split
from discreet.workflow.networked import limits
from discreet.workflow.plans import Plan

EPS = 1.0
"""The guarantee of the noise is told at e^ε with this ε."""


class Obfuscation:
    """Every number of a record between the limits of its column, with noise of one size relative to them.

    I(S; Y) ≤ I(X; Y) ≤ Σ_j ½ log(1 + (D_j / 2λ_j)²)

    for columns of width D_j and noise of deviation λ_j: a variable between limits D apart has a variance of D²/4 at
    most, and of all laws with a variance the normal one tells most through normal noise. A guess gains no more than the
    total variation, and that is √(I/2) at most (Pinsker). The limit is held against these, with certainty and whatever
    the data, so they are often far above what is told.
    """

    def __init__(self, found: Split) -> None:
        schema = found.schema
        others = [name for name in schema.public if not schema[name].kind.binned]
        if others:
            raise ParameterError(
                "columns of numbers or dates only, to put noise on",
                f"{len(others)} of {len(schema.public)} are neither",
                "release them apart, or use another mechanism",
            )
        self.split, self.names = found, schema.public
        held = [as_floats(column_of(found.design.table, n), schema[n].arrow) for n in self.names]
        self.low, self.high = np.array([limits(values, RARE) for values in held]).T
        counts = np.bincount(found.design.s, minlength=found.codec.secret.size)
        self.p_s = counts / counts.sum()

    def plan(self, strength: float) -> Plan:
        """Noise of 1/(2 r) of the width of each column, r = strength / (1 − strength)."""
        part = max(strength, 1e-9)
        relative = (1 - part) / (2 * part)
        whole = [is_whole(self.split.schema[name].arrow) for name in self.names]
        width = self.high - self.low
        step = steps(relative * width, self.low, self.high, whole)
        deviation = relative * (width + step)
        channel = GaussianChannel(np.eye(len(width)), np.diag(deviation**2))
        noisy = Noisy(self.names, channel, self.low, self.high, step, "obfuscation")
        bounds = self._bounds(relative)
        aims = {name: bounds[name].value for name in ("mutual_information", "guessing_probability")}
        return Plan((noisy,), "Noise of the same law on every record, by a rule.", aims, bounds)  # type: ignore[arg-type]

    def _bounds(self, relative: float) -> dict[str, Reading]:
        """What no law of the data exceeds, the grid among it: widths are one step larger."""
        most = float(-(self.p_s[self.p_s > 0] * np.log(self.p_s[self.p_s > 0])).sum())
        size = len(self.names)
        told = size * 0.5 * math.log1p(1 / (2 * relative) ** 2) if relative > 0 else math.inf
        nats = Reading(min(told, most), "nats", "mutual_information", "upper", origin=CHANNEL)
        right = min(float(self.p_s.max()) + math.sqrt(nats.value / 2), 1.0)
        found = {
            "mutual_information": nats,
            "guessing_probability": Reading(right, "", "guessing_probability", "upper", origin=CHANNEL),
        }
        if relative > 0:
            shift = math.sqrt(size) / relative
            found["e_gamma"] = mechanisms.gaussian_obfuscation(EPS, shift, deviation=1.0).leakage
        return found
