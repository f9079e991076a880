"""Channels as arrays and plain values, and back: what a policy file stores. No code and no pickle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from discreet.core.channel import MatrixChannel
from discreet.core.errors import ParameterError
from discreet.core.gaussian_channel import GaussianChannel
from discreet.mechanisms.learned.channel import LearnedChannel
from discreet.mechanisms.learned.erasure import ErasureChannel

Weights = tuple[dict[str, NDArray[Any]], dict[str, Any]]

MAKERS: dict[str, Callable[[Mapping[str, NDArray[Any]], Mapping[str, Any]], Any]] = {
    "additive_noise": LearnedChannel.of,
    "generator": LearnedChannel.of,
    "linear_erasure": ErasureChannel.of,
    "gaussian": lambda arrays, _: GaussianChannel(arrays["a"], arrays["cov"], arrays["shift"]),
    "matrix": lambda arrays, _: MatrixChannel(arrays["p"]),
}
"""The registry: what can be stored, by kind."""


def weights_of(channel: Any) -> Weights:
    """The arrays of a channel, and a description of plain values with its kind.

    >>> weights_of(MatrixChannel([[.9, .1], [.1, .9]]))[1]
    {'kind': 'matrix'}
    """
    if isinstance(channel, MatrixChannel):
        return {"p": channel.p}, {"kind": "matrix"}
    if isinstance(channel, GaussianChannel):
        return {"a": channel.a, "cov": channel.cov, "shift": channel.shift}, {"kind": "gaussian"}
    if isinstance(channel, (LearnedChannel, ErasureChannel)):
        return channel.to_weights()
    raise ParameterError("a channel that can be stored", repr(channel), f"one of {', '.join(MAKERS)}")


def from_weights(arrays: Mapping[str, NDArray[Any]], description: Mapping[str, Any]) -> Any:
    """The channel again. A kind or a field that is not known is an error.

    >>> from_weights({"p": [[.9, .1], [.1, .9]]}, {"kind": "matrix"})
    MatrixChannel from x, 2 × 2
    """
    kind = description.get("kind")
    if kind not in MAKERS:
        raise ParameterError("a kind of channel that is known", f"{kind!r}", f"one of {', '.join(MAKERS)}")
    try:
        return MAKERS[str(kind)](arrays, description)
    except (KeyError, TypeError, IndexError) as broken:
        raise ParameterError(
            f"arrays and fields of a channel of kind {kind!r}", f"{broken}", "store it again with weights_of"
        ) from broken
