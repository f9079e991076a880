"""Mechanisms that are learned from records, when X is too large for a law.

gap                        mixed records within a distortion
gap_mixture  gap_discrete  the same for numbers by shift and noise, and for finite records
chi_squared_sanitiser  mutual_information_sanitiser  budgeted_obfuscation      keep what is useful within a leak
linear_erasure             the honest baseline: nothing linear is left
ordering                   which designs of a frontier are worth using, and why the others are not
Training                   how long a design trains, who is told, where it goes on from
LearnedChannel  ErasureChannel  Layout                   what is applied, in NumPy
weights_of  from_weights   a channel as arrays and plain values, and back
to_onnx                    a channel as a model for other programs

Names load when they are first asked for. To learn needs the extra `learn`; to store, load and apply does not.
"""

from __future__ import annotations

from discreet.core.doors import opened

NAMES = {
    "ErasureChannel": "erasure",
    "Layout": "layout",
    "LearnedChannel": "channel",
    "Training": "rounds",
    "budgeted_obfuscation": "presets",
    "chi_squared_sanitiser": "presets",
    "from_weights": "weights",
    "gap": "presets",
    "gap_discrete": "discrete",
    "gap_mixture": "mixture",
    "linear_erasure": "erasure",
    "mutual_information_sanitiser": "presets",
    "ordering": "in_order",
    "to_onnx": "exchange",
    "weights_of": "weights",
}

__all__ = [*NAMES]  # noqa: PLE0604

__getattr__, __dir__ = opened(__name__, NAMES)
