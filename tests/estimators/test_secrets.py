"""Numbers as secrets: bins of equal shares, squares, and several secrets at once."""

import numpy as np
import pytest

from discreet.core.errors import AxisError, EvidenceError, LawError, ParameterError
from discreet.estimators import Logistic, predicted, quantile_bins, samples_of, secrets_told


def test_bins_have_equal_shares_and_say_what_they_hold():
    v = np.random.default_rng(0).normal(size=1000)
    codes, axis = quantile_bins(v, bins=4)
    assert np.bincount(codes).tolist() == [250] * 4
    np.testing.assert_allclose(axis.values, [v[codes == k].mean() for k in range(4)])
    assert axis.labels[0].startswith("up to ")
    assert axis.labels[3].startswith("over ")
    low, high = axis.labels[1].split(" to ")
    assert float(low) == pytest.approx(v[codes == 1].min(), rel=5e-3)  # one record has it: three digits
    assert float(high) == pytest.approx(v[codes == 1].max(), rel=5e-3)


def test_common_values_and_gaps():
    codes, axis = quantile_bins([0.0] * 90 + list(range(1, 11)), bins=4)
    assert axis.labels == ("0", "over 0")
    assert np.bincount(codes).tolist() == [90, 10]
    codes, axis = quantile_bins([1.0, 2.0, np.nan, np.inf], bins=2)
    assert axis.labels == ("up to 2", "inf", "missing")
    assert codes.tolist() == [0, 0, 2, 1]
    assert quantile_bins([1.0, 1 + 1e-12, 1 + 2e-12], bins=3)[1].labels == ("1 (1)", "1 (2)", "1 (3)")
    with pytest.raises(LawError, match="missing"):
        quantile_bins([np.nan])
    with pytest.raises(ParameterError, match="two bins"):
        quantile_bins([1.0], bins=1)


def test_a_number_is_binned_only_where_it_has_many_values():
    x = np.zeros((400, 1))
    rng = np.random.default_rng(0)
    assert samples_of(x, rng.normal(size=400)).size == 8
    assert samples_of(x, rng.integers(0, 5, 400) / 2).size == 5
    assert samples_of(x, np.arange(400)).size == 8
    assert samples_of(x, np.arange(400) % 90).size == 90


def test_the_error_of_a_number_is_found():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4000, 3))
    linear = predicted(x, x[:, 0] + rng.normal(size=4000), rng=rng)
    assert linear.mmse.value == pytest.approx(1.0, abs=0.06)
    assert linear.r_squared.value == pytest.approx(0.5, abs=0.04)
    bent = predicted(x, np.sin(2 * x[:, 0]) + 0.5 * rng.normal(size=4000), rng=rng)
    assert bent.mmse.value == pytest.approx(0.25, abs=0.03)
    nothing = predicted(x, rng.normal(size=4000), rng=rng)
    assert 0 <= nothing.r_squared.value < 0.005
    assert nothing.mmse.side == "estimate"


def test_numbers_at_the_extremes():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 1))
    assert predicted(x, np.ones(200), rng=rng).r_squared.value == 0
    assert predicted(np.zeros((200, 1)), x[:, 0], rng=rng).r_squared.value == pytest.approx(0, abs=1e-9)
    holed = np.where(np.arange(200) % 4, x[:, 0], np.nan)
    assert predicted(x, holed, rng=rng).rows.size == 150
    with pytest.raises(EvidenceError, match="not enough data"):
        predicted(x, np.full(200, np.nan), rng=rng)
    with pytest.raises(AxisError, match="one number a record"):
        predicted(x, [1.0], rng=rng)


def test_numbers_on_any_scale():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 1))
    v = x[:, 0] + rng.normal(size=300)
    told = [predicted(x, scale * v, rng=np.random.default_rng(0)) for scale in (1e-120, 1.0, 1e120)]
    for one, scale in zip(told, (1e-120, 1.0, 1e120), strict=True):
        assert one.r_squared.value == pytest.approx(told[1].r_squared.value, abs=1e-6)
        assert one.mmse.value == pytest.approx(scale**2 * told[1].mmse.value, rel=1e-6)
        assert one.predictions[0] == pytest.approx(scale * told[1].predictions[0], rel=1e-6)
    with pytest.raises(LawError, match="squares"):
        predicted(x, 1e200 * v, rng=rng)
    with pytest.raises(LawError, match="a number"):
        predicted(x, ["a"] * 300, rng=rng)
    with pytest.raises(AxisError, match="one number a record"):
        quantile_bins(np.zeros((3, 2)))


def test_secrets_from_a_frame():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 1))
    frame = pd.DataFrame({"first": x[:, 0] > 0, "noise": rng.integers(0, 2, 200)})
    told = secrets_told(pd.DataFrame(x), frame, learner=Logistic(folds=2), rng=rng)
    assert (told.worst, set(told.each)) == ("first", {"first", "noise"})


def test_several_secrets_each_joint_and_worst():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1500, 2))
    secrets = {"first": x[:, 0] > 0, "second": x[:, 1] + 2 * rng.normal(size=1500) > 0}
    told = secrets_told(x, secrets, learner=Logistic(), rng=rng)
    assert told.worst == "first"
    information = {name: m.estimates["mutual_information"].value for name, m in told.each.items()}
    joint = told.joint.estimates["mutual_information"].value
    assert joint == pytest.approx(sum(information.values()), abs=0.1)
    many = {"first": x[:, 0] > 0, **{f"n{i}": rng.integers(0, 20, 1500) for i in range(2)}}
    wide = secrets_told(x, many, learner=Logistic(folds=2), rng=rng)
    assert wide.joint is None
    assert "too many" in wide.why
    with pytest.raises(ParameterError, match="one secret"):
        secrets_told(x, {}, rng=rng)
