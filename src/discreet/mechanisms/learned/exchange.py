"""A learned sanitiser as an ONNX model, for programs that are not written in Python.

The graph is not written a second time: the sanitiser's own `release` runs over an array namespace whose arrays are
names of a graph, and every operation adds a node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.errors import ParameterError
from discreet.mechanisms.learned.channel import LearnedChannel

if TYPE_CHECKING:
    from onnx import ModelProto

OPSET, FORMAT = 17, 9
"""Of 2022: readable by whatever runs models today."""


def to_onnx(channel: LearnedChannel) -> ModelProto:
    """The network of a channel as an ONNX model in single precision, to be written with `onnx.save`.

    Inputs: `x`, records as `channel.layout.wide` makes them; `s`, their secrets one-hot, if the channel sees them;
    `normals` and `uniforms`, fresh noise for every record, from a source that can be trusted. Output: `y`, what is
    released; `channel.layout.narrow` makes records of it. A model alone draws nothing: with the same noise it gives the
    same release, so the noise must be kept from whoever gets that. Needs onnx.
    """
    try:
        from onnx import checker, helper
    except ImportError as missing:
        raise ParameterError(
            "a learned mechanism as an ONNX model", "onnx is not installed", "pip install 'discreet[onnx]'"
        ) from missing
    family, graph = channel.family, _Graph()
    wanted, secrets = family.noise, getattr(family, "secrets", 0)
    drawn = graph.input("normals", wanted.normals), graph.input("uniforms", wanted.uniforms)
    s = graph.input("s", secrets) if secrets else None
    released, _ = family.release(graph, channel.arrays, graph.input("x", family.width), s, drawn, None)
    graph.node("Identity", released, output="y")
    nodes, constants = graph.behind("y")
    outputs = [graph.described("y", family.width)]
    model = helper.make_model(
        helper.make_graph(nodes, "release", graph.inputs, outputs, constants),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=FORMAT,
        producer_name="discreet",
    )
    checker.check_model(model)
    return model


class _Graph:
    """The namespace: each function adds a node to the graph and gives its result."""

    __name__ = "onnx"

    def __init__(self) -> None:
        from onnx import TensorProto, helper, numpy_helper

        self._helper, self._held, self._float = helper, numpy_helper, TensorProto.FLOAT
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []

    def described(self, name: str, width: int) -> Any:
        """An array of any number of records."""
        return self._helper.make_tensor_value_info(name, self._float, ["records", width])

    def input(self, name: str, width: int) -> _Named:
        """What the model is given; it is not asked for if it has no columns."""
        if width:
            self.inputs.append(self.described(name, width))
        return _Named(self, name, (None, width))

    def node(self, kind: str, *given: Any, output: str | None = None, **how: Any) -> str:
        """Add a node; the name of its result."""
        name = output or f"r{len(self.nodes)}"
        names = [self.name(one) for one in given]
        self.nodes.append(self._helper.make_node(kind, names, [name], **how))
        return name

    def name(self, held: Any) -> str:
        """The name of an array; plain numbers become constants."""
        if isinstance(held, _Named):
            return held.name
        array = np.asarray(held)
        kind = np.int64 if array.dtype.kind in "iu" and array.ndim == 1 else np.float32
        name = f"c{len(self.constants)}"
        self.constants.append(self._held.from_array(array.astype(kind), name))
        return name

    def behind(self, output: str) -> tuple[list[Any], list[Any]]:
        """The nodes and the constants that an output is made of, in their order."""
        wanted, kept = {output}, []
        for node in reversed(self.nodes):
            if not wanted.isdisjoint(node.output):
                kept.append(node)
                wanted.update(node.input)
        return kept[::-1], [one for one in self.constants if one.name in wanted]

    def whole(self, *given: int) -> Any:
        """Places and axes."""
        return np.array(given, dtype=np.int64)

    def made(self, kind: str, *given: Any, shape: tuple[int | None, ...] | None = None, **how: Any) -> _Named:
        """The result of a node as an array; of the shape that its arrays have together."""
        if shape is None:
            shape = _together(*given)
        return _Named(self, self.node(kind, *given, **how), shape)

    def matmul(self, x: Any, w: Any) -> _Named:
        return self.made("MatMul", x, w, shape=(None, w.shape[1]))

    def concatenate(self, parts: list[Any], axis: int) -> _Named:
        held = [part for part in parts if part.shape[axis]]
        width = sum(part.shape[axis] for part in held)
        return self.made("Concat", *held, shape=(None, width), axis=axis)

    def where(self, which: Any, a: Any, b: Any) -> _Named:
        return self.made("Where", which, a, b)

    def exp(self, x: Any) -> Any:
        return self.made("Exp", x) if isinstance(x, _Named) else np.exp(x)

    def tanh(self, x: Any) -> _Named:
        return self.made("Tanh", x)

    def minimum(self, x: Any, y: Any) -> _Named:
        return self.made("Min", x, y)

    def logaddexp(self, x: Any, y: float) -> _Named:
        """log(eˣ + e⁰)."""
        return self.made("Softplus", x - y) + y

    def clip(self, x: Any, low: float, high: float) -> _Named:
        return self.made("Clip", x, np.float32(low), np.float32(high), shape=x.shape)

    def max(self, x: Any, axis: int, keepdims: bool) -> _Named:
        return self.made("ReduceMax", x, shape=_less(keepdims), axes=[axis], keepdims=int(keepdims))

    def sum(self, x: Any, axis: int, keepdims: bool = False) -> _Named:
        held = x if not x.truth else x.astype(np.float32)
        shape = _less(keepdims)
        return self.made("ReduceSum", held, self.whole(axis), shape=shape, keepdims=int(keepdims))

    def cumsum(self, x: Any, axis: int) -> _Named:
        return self.made("CumSum", x, self.whole(axis), shape=x.shape)

    def ones_like(self, x: Any) -> _Named:
        made: _Named = x * 0 + 1
        return made

    def arange(self, n: int) -> Any:
        return np.arange(n, dtype=np.float32)


class _Named:
    """An array that is known by its name in a graph, and by its shape but for the number of records."""

    __array_ufunc__ = None
    dtype = np.float32

    def __init__(self, graph: _Graph, name: str, shape: tuple[int | None, ...], truth: bool = False) -> None:
        self.graph, self.name, self.shape, self.truth = graph, name, shape, truth

    def __add__(self, other: Any) -> _Named:
        return self.graph.made("Add", self, other)

    def __sub__(self, other: Any) -> _Named:
        return self.graph.made("Sub", self, other)

    def __mul__(self, other: Any) -> _Named:
        return self.graph.made("Mul", self, other)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> _Named:
        return self.graph.made("Div", self, other)

    def _compared(self, kind: str, other: Any) -> _Named:
        made = self.graph.made(kind, self, other)
        made.truth = True
        return made

    def __gt__(self, other: Any) -> _Named:
        return self._compared("Greater", other)

    def __ge__(self, other: Any) -> _Named:
        return self._compared("GreaterOrEqual", other)

    def __eq__(self, other: object) -> Any:
        return self._compared("Equal", other)

    __hash__ = None  # type: ignore[assignment]

    def astype(self, kind: Any) -> _Named:
        del kind
        return self.graph.made("Cast", self, shape=self.shape, to=1)

    @property
    def T(self) -> Iterator[_Named]:  # noqa: N802  # as NumPy calls it
        """The columns one by one."""
        return (self[:, j] for j in range(self.shape[1] or 0))

    def __getitem__(self, key: tuple[Any, Any]) -> _Named:
        """Columns: all records of one place or of a stretch, or a new axis."""
        _, place = key
        if place is None:
            return self.graph.made("Unsqueeze", self, self.graph.whole(1), shape=(None, 1))
        if isinstance(place, slice):
            start, stop, _ = place.indices(self.shape[1] or 0)
            return self._stretch(start, stop)
        held = self._stretch(place, place + 1)
        return self.graph.made("Squeeze", held, self.graph.whole(1), shape=(None,))

    def _stretch(self, start: int, stop: int) -> _Named:
        whole = self.graph.whole
        return self.graph.made(
            "Slice", self, whole(start), whole(stop), whole(1), shape=(None, max(stop - start, 0))
        )


def _together(*given: Any) -> tuple[int | None, ...]:
    """The shape of arrays that are combined place by place: as many axes and columns as the one that has most."""
    wide = [one.shape[1] for one in given if isinstance(one, _Named) and len(one.shape) == 2]
    if not wide:
        return (None,)
    rows = [np.shape(one)[-1] for one in given if not isinstance(one, _Named) and np.ndim(one)]
    return (None, max([w or 0 for w in wide] + rows))


def _less(keepdims: bool) -> tuple[int | None, ...]:
    return (None, 1) if keepdims else (None,)
