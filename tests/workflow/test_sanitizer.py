"""The estimator keeps what scikit-learn asks of one, and what discreet asks of a release."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests.workflow.people import people

from discreet.core.errors import ParameterError
from discreet.workflow.sanitizer import Sanitizer, Useless

COLUMNS = ["age", "job", "sex"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("DISCREET_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def town() -> pd.DataFrame:
    return people()


@pytest.fixture(scope="module")
def fitted(town: pd.DataFrame) -> Sanitizer:
    return Sanitizer(leak=0.05, random_state=1).fit(town[COLUMNS], town["ill"])


@parametrize_with_checks([Sanitizer(leak=0.1, random_state=0)])
def test_what_scikit_learn_asks(estimator: Any, check: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_a_frame_keeps_its_kind_its_types_and_its_index(fitted: Sanitizer, town: pd.DataFrame) -> None:
    out = fitted.transform(town[COLUMNS].set_index(town["id"]))
    assert (out.dtypes == town[COLUMNS].dtypes).all()
    assert out.index.tolist() == town["id"].tolist()
    assert fitted.get_feature_names_out().tolist() == COLUMNS


def test_polars_in_and_out(town: pd.DataFrame) -> None:
    held = pl.from_pandas(town[COLUMNS])
    out = Sanitizer(leak=0.05, random_state=1).fit(held, town["ill"]).transform(held)
    assert isinstance(out, pl.DataFrame)
    assert out.schema == held.schema


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_the_kind_of_output_can_be_set(kind: Any, town: pd.DataFrame) -> None:
    made = Sanitizer(leak=0.05, random_state=1).set_output(transform=kind)
    out = made.fit_transform(town[["age"]].to_numpy(dtype=float), town["ill"])
    assert type(out).__module__.startswith(kind)
    assert list(out.columns) == ["x0"]


def test_equal_records_get_noise_of_their_own(fitted: Sanitizer, town: pd.DataFrame) -> None:
    """One record many times in one call is many people; the same call again is the same release."""
    many = pd.concat([town[COLUMNS].iloc[[0]]] * 500, ignore_index=True)
    first, second = fitted.transform(many), fitted.transform(many)
    pd.testing.assert_frame_equal(first, second)
    assert first["age"].nunique() > 1


def test_order_and_pieces_do_not_matter(fitted: Sanitizer, town: pd.DataFrame) -> None:
    whole = fitted.transform(town.drop_duplicates(COLUMNS)[COLUMNS])
    mixed = town.drop_duplicates(COLUMNS)[COLUMNS].sample(frac=1, random_state=0)
    parts = pd.concat([fitted.transform(mixed[:100]), fitted.transform(mixed[100:])])
    pd.testing.assert_frame_equal(parts.loc[whole.index], whole)


def test_a_secret_key_is_used_without_a_seed(town: pd.DataFrame, tmp_path: Path) -> None:
    made = Sanitizer(leak=0.05).fit(town[COLUMNS], town["ill"])
    first, second = made.transform(town[COLUMNS]), made.transform(town[COLUMNS])
    pd.testing.assert_frame_equal(first, second)
    assert len(list((tmp_path / "keys").iterdir())) == 1


def test_in_a_pipeline(town: pd.DataFrame) -> None:
    x = town[["age", "sex"]].astype(float)
    pipe = make_pipeline(Sanitizer(leak=0.2, random_state=0), LogisticRegression(max_iter=1000))
    hit = pipe.fit(x, town["ill"]).score(x, town["ill"])
    assert 0.5 < hit < 0.9


def test_clone_and_pickle(fitted: Sanitizer, town: pd.DataFrame) -> None:
    fresh = clone(fitted)
    assert fresh.get_params() == fitted.get_params()
    with pytest.raises(NotFittedError):
        fresh.transform(town[COLUMNS])
    again = pickle.loads(pickle.dumps(fitted))
    pd.testing.assert_frame_equal(again.transform(town[COLUMNS]), fitted.transform(town[COLUMNS]))
    assert "Sanitizer" in fitted._repr_html_()


def test_the_limit_is_held(fitted: Sanitizer) -> None:
    assert fitted.policy_.design.limit.met
    assert not fitted.policy_.collapsed


def test_a_release_that_is_of_no_use_is_warned_of(town: pd.DataFrame) -> None:
    with pytest.warns(Useless, match="no use"):
        Sanitizer(leak=0.0, random_state=0).fit(town[COLUMNS], town["ill"])


def test_two_limits_are_refused(town: pd.DataFrame) -> None:
    with pytest.raises(ParameterError, match="one limit"):
        Sanitizer(leak=0.1, keep=0.5, random_state=0).fit(town[COLUMNS], town["ill"])


def test_a_number_as_the_secret(town: pd.DataFrame) -> None:
    made = Sanitizer(leak=0.05, random_state=0).fit(town[["job", "sex"]], town["age"])
    assert made.policy_.codec.secret.size == 4


def test_missing_numbers_are_taken() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 2))
    x[rng.random((600, 2)) < 0.1] = np.nan
    out = Sanitizer(leak=0.3, random_state=0).fit(x, rng.random(600) < 0.5).transform(x)
    assert out.shape == x.shape
    assert out.dtype == x.dtype
