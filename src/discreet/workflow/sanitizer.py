"""`Sanitizer`: design and apply as a scikit-learn estimator, for pipelines."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    check_random_state,
    column_or_1d,
    validate_data,
)

from discreet.tables.keystream import Key
from discreet.workflow.apply import UnseenValues, applied
from discreet.workflow.designed import MOST_SYMBOLS, designed
from discreet.workflow.policy import Policy

LEAK = 0.1
"""The limit where none is given, in nats."""

LEAST_ROWS = 8
"""Rows to fit on."""

MISSING, BETWEEN = "\x00", "\x1f"
"""A missing value, and what stands between two values, where a record is spelled out."""


class Sanitizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Releases X in its own columns and types, so that it tells little about the secret, which is `fit`'s y.

    One limit is held: `leak` nats of I(S; Y), `attacker_at_most`, or `keep`, a share of H(X); without any, a leak of
    0.1. `mechanism` and `symbols` are as in `design`; the policy that was made is `policy_`.

    A record is addressed by what is in it, and by how many equal ones came before it in the same call, so that the same
    X under the same key gives the same release, in whatever order and whatever pieces. The key is a file (`key`) or the
    policy's own. With `random_state`, design and noise come from a seed instead: good for experiments, and never for a
    release, as whoever knows the seed can subtract the noise.

    >>> x = np.arange(4000.0).reshape(2000, 2) % 7
    >>> Sanitizer(leak=0.2, random_state=0).fit_transform(x, x[:, 0] > 2).shape
    (2000, 2)
    """

    def __init__(
        self,
        mechanism: str | Sequence[str] = "funnel",
        *,
        leak: float | None = None,
        keep: float | None = None,
        attacker_at_most: float | None = None,
        symbols: int = MOST_SYMBOLS,
        confidence: float = 0.95,
        key: str | Path | None = None,
        random_state: Any = None,
    ) -> None:
        self.mechanism = mechanism
        self.leak = leak
        self.keep = keep
        self.attacker_at_most = attacker_at_most
        self.symbols = symbols
        self.confidence = confidence
        self.key = key
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Sanitizer:
        """Design the release of these columns that says little about y."""
        frame, columns = self._taken(X, reset=True, y=None if y is None else "no_validation")
        codes = column_or_1d(y)
        check_consistent_length(X, codes)
        secret = _unlike("secret", columns)
        seed = None if self.random_state is None else _seed_of(self.random_state)
        limits = (self.leak, self.keep, self.attacker_at_most)
        self.policy_: Policy = designed(
            _with(frame, secret, codes), private=secret, public=columns, mechanism=self.mechanism,
            leak=LEAK if limits == (None, None, None) else self.leak, keep=self.keep,
            attacker_at_most=self.attacker_at_most, symbols=self.symbols, confidence=self.confidence,
            rng=np.random.default_rng(seed),
        ).policy  # fmt: skip
        self._seed = seed
        if self.policy_.collapsed or not self.policy_.design.limit.met:
            warnings.warn(
                f"the release is of no use: {self.policy_.design.limit.sentence}", Useless, stacklevel=2
            )
        return self

    def transform(self, X: Any) -> Any:
        """The release of these records: the columns, types and kind of frame that came in."""
        check_is_fitted(self, "policy_")
        frame, columns = self._taken(X, reset=False)
        place = _unlike("record", columns)
        key = self.key if self._seed is None else Key.of_seed(self._seed)
        done = applied(self.policy_, _with(frame, place, _addresses(frame)), key=key, id=place)
        if done.warnings:
            warnings.warn("; ".join(done.warnings), UnseenValues, stacklevel=2)
        return done.out if _is_frame(X) else _matrix(done.out, frame)

    def _taken(self, X: Any, *, reset: bool, y: Any = "no_validation") -> tuple[Any, list[str]]:
        """The records as a frame; what scikit-learn wants to know of them is remembered or compared."""
        import narwhals as nw

        least = LEAST_ROWS if reset else 1
        if _is_frame(X):
            validate_data(self, X, y, reset=reset, skip_check_array=True)
            frame = nw.from_native(X, eager_only=True)
            if len(frame) < least:
                raise ValueError(
                    f"a minimum of {least} records is required, and there are n_samples={len(frame)}"
                )
            return frame, list(frame.columns)
        held = validate_data(
            self, X, y, reset=reset, dtype="numeric", ensure_all_finite="allow-nan", ensure_min_samples=least
        )
        columns = [f"x{j}" for j in range(held.shape[1])]
        made = {name: np.ascontiguousarray(held[:, j]) for j, name in enumerate(columns)}
        return nw.from_dict(made, backend="pyarrow"), columns

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class Useless(UserWarning):
    """A release that is constant, or over its limit."""


def _is_frame(x: Any) -> bool:
    """Whether records come with the names and types of their columns; names that are no text are none."""
    import narwhals as nw

    held = nw.from_native(x, eager_only=True, pass_through=True)
    return isinstance(held, nw.DataFrame) and all(isinstance(name, str) for name in held.columns)


def _with(frame: Any, name: str, values: NDArray[Any]) -> Any:
    """The frame with one more column, as the kind of frame that it is."""
    import narwhals as nw

    made = nw.new_series(name, values.tolist(), backend=nw.get_native_namespace(frame))
    if nw.get_native_namespace(frame).__name__ == "pandas":
        native = made.to_native()
        native.index = frame.to_native().index
        made = nw.from_native(native, series_only=True)
    return frame.with_columns(made).to_native()


def _addresses(frame: Any) -> NDArray[Any]:
    """What is in each record, spelled out, and how many equal ones stand before it."""
    import narwhals as nw

    spelled = [nw.col(name).cast(nw.String).fill_null(MISSING) for name in frame.columns]
    text = frame.select(nw.concat_str(*spelled, separator=BETWEEN).alias("record"))["record"].to_numpy()
    _, codes, counts = np.unique(text.astype(str), return_inverse=True, return_counts=True)
    order = np.argsort(codes, kind="stable")
    before = np.empty(len(codes), dtype=np.int64)
    before[order] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.array([f"{one}{BETWEEN}{k}" for one, k in zip(text.tolist(), before.tolist(), strict=True)])


def _matrix(table: Any, frame: Any) -> NDArray[Any]:
    """A table as an array of the numbers that came in."""
    columns = [table.column(name).to_numpy() for name in frame.columns]
    kind = np.result_type(*(frame[name].to_numpy().dtype for name in frame.columns))
    held = np.column_stack(columns)
    return held if np.isnan(held).any() and kind.kind in "iub" else held.astype(kind, copy=False)


def _seed_of(state: Any) -> int:
    """A seed of what scikit-learn takes for one: an integer is its own."""
    return (
        int(state)
        if isinstance(state, int | np.integer)
        else int(check_random_state(state).randint(2**31 - 1))
    )


def _unlike(name: str, columns: Sequence[str]) -> str:
    """A name that no column has."""
    while name in columns:
        name += "_"
    return name
