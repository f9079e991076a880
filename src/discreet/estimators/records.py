"""Frames and arrays as named columns: numbers stay numbers, dates become numbers, everything else levels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import AxisError, LawError
from discreet.core.protocols import Array
from discreet.core.samples import Column, Columns, Samples
from discreet.estimators.secrets import secret_of

WEEKDAY, MONTH, HOUR = " (weekday)", " (month)", " (hour)"
"""What is read off a date beside its number, as columns of their own."""

DAY = np.timedelta64(1, "D")


def columns_of(x: Any) -> Columns:
    """The named columns of an array [n, d], of a frame of any kind that narwhals knows, or of Columns as they are.

    Numbers stay numbers (NaN is a missing one). Booleans and text become levels in sorted order; a missing value is a
    level of its own, None, the last. A date becomes the days since 1970 and, beside it, levels for its weekday, its
    month and, where there are times, its hour. O(cells), and sorting of the distinct texts.

    >>> columns_of([[1.5, 2.0], [0.5, 1.0]])
    Columns x0, x1 of 2 rows
    """
    if isinstance(x, Columns):
        return x
    if isinstance(x, (list, tuple, np.ndarray)):
        return Columns(_of_array(_as_array(x)))
    return Columns([made for name, series in series_of(x) for made in _of_series(name, series)])


def samples_of(x: Any, s: Any, *, name: str | None = None) -> Samples:
    """Records with their secret, both as they come: frames, series, arrays or lists.

    Secrets are sorted, and the labels of axis 0. A secret that is a number with many values is cut into bins of equal
    shares, which its labels name: see quantile_bins.

    >>> samples_of([[.1], [.7], [.4]], ["no", "yes", "no"]).axes[0].labels
    ('no', 'yes')
    """
    if isinstance(x, Samples):
        return x
    values, own = _vector(s)
    codes, axis = secret_of(values, name or own or "s")
    return Samples(columns_of(x), codes, axis)


def with_hours(x: Columns, names: Sequence[str]) -> Columns:
    """The same columns, with the hour 0 of dates that have no time here but had one where these names come from."""
    wanted = [name for name in names if name.endswith(HOUR) and name not in x.names]
    found = [x[source] for name in wanted if (source := name[: -len(HOUR)]) in x.names]
    return Columns(
        [*x, *(Column(c.name + HOUR, np.isnan(c.values).astype(np.int64), (0, None)) for c in found)]
    )


def groups_of(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The columns that come from one source: a date with its weekday, month and hour.

    >>> groups_of(["age", "when", "when (month)"])
    {'age': ('age',), 'when': ('when', 'when (month)')}
    """
    made: dict[str, list[str]] = {}
    for name in names:
        source = next((name[: -len(t)] for t in (WEEKDAY, MONTH, HOUR) if name.endswith(t)), name)
        made.setdefault(source if source in names else name, []).append(name)
    return {source: tuple(own) for source, own in made.items()}


def series_of(x: Any) -> list[tuple[str, Any]]:
    """The columns of a frame by name."""
    import narwhals as nw

    try:
        held = nw.from_native(x, eager_only=True, allow_series=True)
    except nw.exceptions.DuplicateError:
        twice = sorted({str(name) for name in x.columns if list(x.columns).count(name) > 1})
        raise AxisError(
            "columns with different names", f"{', '.join(twice)} more than once", "rename what comes twice"
        ) from None
    except TypeError:
        raise LawError(
            "records as an array [n, d] or a frame (pandas, polars, pyarrow, …)",
            f"a {type(x).__name__}",
            "collect lazy frames first; a path or a database goes to discreet.audit",
        ) from None
    if isinstance(held, nw.Series):
        return [(str(held.name or "x0"), held)]
    return [(str(name), series) for name, series in zip(held.columns, held.iter_columns(), strict=True)]


def _vector(s: Any) -> tuple[NDArray[Any], str | None]:
    """The values of a secret, and the name that it brings along."""
    if isinstance(s, (list, tuple, np.ndarray)):
        held = np.asarray(s) if isinstance(s, np.ndarray) else _objects(s)
        if held.ndim != 1:
            raise AxisError("one secret a record", f"an array of shape {held.shape}", "give one column")
        return held, None
    if type(s).__name__.endswith("Index"):
        return np.asarray(s), None
    columns = series_of(s)
    if len(columns) != 1:
        raise AxisError(
            "one secret a record", f"{len(columns)} columns", "give one column, or secrets_told all"
        )
    name, series = columns[0]
    known = str(series.name) if series.name else None
    if series.dtype.is_integer() and not series.is_null().any():
        return series.to_numpy(), known
    return _values(_of_series(name, series)[0]), known


def _objects(s: Sequence[Any]) -> NDArray[Any]:
    made = np.empty(len(s), dtype=object)
    made[:] = list(s)
    return made


def _values(column: Column) -> NDArray[Any]:
    if column.levels is None:
        return column.values
    labels = np.empty(len(column.levels), dtype=object)
    labels[:] = list(column.levels)
    found: NDArray[Any] = labels[column.values]
    return found


def _as_array(x: Any) -> NDArray[Any]:
    """An array of equal rows; what is masked is missing."""
    if isinstance(x, np.ma.MaskedArray) and x.dtype.kind in "iuf":
        return np.asarray(np.ma.filled(x.astype(np.float64), np.nan))
    try:
        return np.asarray(x)
    except ValueError:
        raise AxisError("x[row, column]", "rows of unlike length", "give every record each column") from None


def _of_array(held: NDArray[Any]) -> list[Column]:
    table = held[:, None] if held.ndim == 1 else held
    if table.ndim != 2:
        raise AxisError("x[row, column]", f"an array of shape {held.shape}", "one row a record")
    return [made for j in range(table.shape[1]) for made in _of_values(f"x{j}", table[:, j])]


def _of_series(name: str, series: Any) -> list[Column]:
    import narwhals as nw

    kind = series.dtype
    if kind == nw.Boolean:
        return [_levels(name, series.to_numpy().astype(object))]
    if kind.is_numeric():
        return [Column(name, np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64))]
    if kind in (nw.Date, nw.Datetime):
        if getattr(kind, "time_zone", None):
            series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return _of_dates(name, np.asarray(series.to_numpy(), dtype="M8[us]"))
    if kind == nw.Duration:
        return _of_values(name, np.asarray(series.to_numpy(), dtype="m8[us]"))
    if kind.is_nested():
        raise LawError(f"column {name!r} with one value a row", f"type {kind}", "unnest it, or leave it out")
    return _of_values(name, _objects(series.to_list()))


def _of_values(name: str, values: NDArray[Any]) -> list[Column]:
    if values.dtype.kind in "iuf":
        return [Column(name, values.astype(np.float64))]
    if values.dtype.kind == "M":
        return _of_dates(name, values.astype("M8[us]"))
    if values.dtype.kind == "m":
        seconds = values.astype("m8[us]").astype(np.float64) / 1e6
        return [Column(name, np.where(np.isnat(values), np.nan, seconds))]
    if values.dtype.kind == "O" and all(_is_number(v) for v in values):
        return [Column(name, np.array([math.nan if v is None else float(v) for v in values]))]
    if values.dtype.kind not in "OUSb":
        raise LawError(
            f"column {name!r} with numbers, text, dates or booleans",
            f"an array of type {values.dtype}",
            "give the real and the imaginary part, or the fields, as columns of their own",
        )
    return [_levels(name, values.astype(object))]


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float, np.number)) and not isinstance(value, bool))


def _of_dates(name: str, when: NDArray[Any]) -> list[Column]:
    missing = np.isnat(when)
    held = np.where(missing, np.datetime64(0, "us"), when)
    day = held.astype("M8[D]")
    days: Array = (held - np.datetime64(0, "us")) / DAY
    made = [Column(name, np.where(missing, np.nan, days))]
    parts = {
        WEEKDAY: (day.astype(np.int64) + 3) % 7 + 1,
        MONTH: held.astype("M8[M]").astype(np.int64) % 12 + 1,
    }
    if (days != np.floor(days)).any():
        parts[HOUR] = (held - day).astype("m8[h]").astype(np.int64)
    for suffix, part in parts.items():
        labels = part.astype(object)
        labels[missing] = None
        made.append(_levels(name + suffix, labels))
    return made


def _levels(name: str, values: NDArray[Any]) -> Column:
    """Sorted levels; what is missing is a level of its own, None, the last."""
    gaps = (v is None or (isinstance(v, float) and math.isnan(v)) or _is_na(v) for v in values)
    missing = np.fromiter(gaps, np.bool_, values.size)
    present = values[~missing]
    found, codes = sorted_levels(present)
    whole = np.full(values.size, len(found), dtype=np.int64)
    whole[~missing] = codes
    return Column(name, whole, (*found, None) if missing.any() else found)


def _is_na(value: Any) -> bool:
    return type(value).__name__ in ("NAType", "NaTType")


def sorted_levels(values: NDArray[Any]) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """The distinct values in order, by their text where they do not compare, and the number of each value's level."""
    seen: dict[Any, int] = {}
    try:
        first = np.fromiter((seen.setdefault(v, len(seen)) for v in values.tolist()), np.int64, values.size)
    except TypeError:
        odd = next((type(v).__name__ for v in values.tolist() if v.__hash__ is None), "nested value")
        raise LawError(
            "values that can be told apart", f"a {odd}", "give text or numbers, one value a row"
        ) from None
    distinct = list(seen)
    try:
        order = sorted(range(len(distinct)), key=lambda i: distinct[i])
    except TypeError:
        order = sorted(range(len(distinct)), key=lambda i: (type(distinct[i]).__name__, str(distinct[i])))
    place = np.empty(len(distinct), dtype=np.int64)
    place[order] = np.arange(len(distinct))
    return tuple(distinct[i] for i in order), place[first] if values.size else first
