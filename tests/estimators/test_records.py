"""Frames, arrays and text as named columns, the same from every kind of frame."""

import datetime as dt
import math

import numpy as np
import pytest

from discreet.core.errors import AxisError, LawError
from discreet.core.samples import Columns, Samples
from discreet.estimators import columns_of, groups_of, samples_of

TABLE = {
    "number": [1.5, None, 2.0, -1.0],
    "whole": [3, 1, 2, 1],
    "text": ["b", None, "a", "b"],
    "flag": [True, False, True, True],
    "when": [dt.datetime(2024, 1, 1), dt.datetime(2024, 2, 3, 13), None, dt.datetime(1969, 12, 31)],
}


def frame(kind):
    if kind == "pandas":
        return pytest.importorskip("pandas").DataFrame(TABLE)
    if kind == "polars":
        return pytest.importorskip("polars").DataFrame(TABLE)
    return pytest.importorskip("pyarrow").table(TABLE)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_every_kind_of_frame_gives_the_same_columns(kind):
    x = columns_of(frame(kind))
    assert x.names == (*TABLE, "when (weekday)", "when (month)", "when (hour)")
    np.testing.assert_array_equal(x["number"].values, [1.5, np.nan, 2.0, -1.0])
    assert x["text"].levels == ("a", "b", None)
    assert x["text"].values.tolist() == [1, 2, 0, 1]
    assert x["flag"].levels == (False, True)
    np.testing.assert_allclose(x["when"].values, [19723, 19756 + 13 / 24, np.nan, -1])
    assert x["when (weekday)"].levels == (1, 3, 6, None)
    assert [x["when (month)"].levels[c] for c in x["when (month)"].values] == [1, 2, None, 12]
    assert [x["when (hour)"].levels[c] for c in x["when (hour)"].values] == [0, 13, None, 0]
    assert groups_of(x.names)["when"] == ("when", "when (weekday)", "when (month)", "when (hour)")


def test_arrays_lists_and_columns():
    assert columns_of(np.zeros((3, 2))).names == ("x0", "x1")
    assert columns_of([1, 2, 3]).n == 3
    mixed = columns_of(np.array([["u", 1], [None, 2.5]], dtype=object))
    assert mixed["x0"].levels == ("u", None)
    assert mixed["x1"].is_number
    held = Columns.of_array([1.0])
    assert columns_of(held) is held
    samples = Samples(held, [0])
    assert samples_of(samples, None) is samples


def test_columns_without_words_for_names():
    pd = pytest.importorskip("pandas")
    x = columns_of(pd.DataFrame(np.arange(6.0).reshape(3, 2)))
    assert x.names == ("0", "1")
    assert x["1"].values.tolist() == [1, 3, 5]


def test_other_forms_of_records_and_secrets():
    pd = pytest.importorskip("pandas")
    assert columns_of(pd.Series([1.0, 2.0], name="age")).names == ("age",)
    masked = columns_of(np.ma.masked_array([1, 2, 3], [False, True, False]))["x0"].values
    np.testing.assert_array_equal(masked, [1, np.nan, 3])
    x = np.zeros((2, 1))
    assert samples_of(x, pd.DataFrame({"paid": [1, 0]})).axes[0].name == "paid"
    assert repr(samples_of(x, pd.Series([1, 0])).axes[0].labels) == "(0, 1)"
    days = samples_of(x, pd.date_range("2024-01-01", periods=2)).axes[0].labels
    assert days == (dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2))


def test_a_time_zone_is_read_as_one_instant():
    pd = pytest.importorskip("pandas")
    when = pd.Series(pd.to_datetime(["2024-01-01 00:00", "2024-01-01 12:00"])).dt.tz_localize("Asia/Tokyo")
    days = columns_of(pd.DataFrame({"t": when}))["t"].values
    np.testing.assert_allclose(days, [19723 - 9 / 24, 19723 + 3 / 24])


def test_secrets_are_sorted_and_named():
    pd = pytest.importorskip("pandas")
    x = np.zeros((4, 1))
    assert samples_of(x, ["no", "yes", None, "no"]).axes[0].labels == ("no", "yes", None)
    samples = samples_of(x, pd.Series([3, 1, 2, 1], name="class"))
    assert (samples.axes[0].name, samples.axes[0].labels, samples.s.tolist()) == (
        "class",
        (1, 2, 3),
        [2, 0, 1, 0],
    )
    assert samples_of(x, [True, False, True, True]).axes[0].labels == (False, True)
    assert samples_of(x, [1.0, math.nan, 1.0, 2.0]).axes[0].labels == (1.0, 2.0, None)


def test_what_is_refused():
    pl = pytest.importorskip("polars")
    with pytest.raises(LawError, match="frame"):
        columns_of("people.csv")
    with pytest.raises(LawError, match="one value a row"):
        columns_of(pl.DataFrame({"a": [[1, 2], [3]]}))
    with pytest.raises(AxisError, match="different names"):
        columns_of(pytest.importorskip("pandas").DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(AxisError, match="one secret a record"):
        samples_of(np.zeros((2, 1)), np.zeros((2, 2)))
    with pytest.raises(AxisError, match="unlike length"):
        columns_of([[1], [1, 2]])
    for nested in ([{"a": 1}] * 2, np.array([{"a": 1}, ([1],)], dtype=object)):
        with pytest.raises(LawError, match="told apart"):
            columns_of(nested)
    with pytest.raises(LawError, match="frame"):
        samples_of(np.zeros((3, 1)), "yes")
    with pytest.raises(AxisError, match="2 columns"):
        samples_of(np.zeros((1, 1)), pl.DataFrame({"a": [1], "b": [2]}))
    with pytest.raises(AxisError, match="one secret for each record"):
        samples_of(np.zeros((2, 1)), [0, 1, 0])
    with pytest.raises(LawError, match="secret for each record"):
        samples_of(np.zeros((0, 1)), [])
