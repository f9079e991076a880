"""The section of an audit on classical anonymity."""

from __future__ import annotations

import numpy as np
import pytest
from tests.report import examples

from discreet.core.axis import Axis
from discreet.core.counts import Counts
from discreet.core.samples import Column, Columns, Samples
from discreet.report import page
from discreet.workflow.anonymity import _up, anonymity, classes_of, counts_of_classes


def meanings(counts: Counts) -> dict[str, str]:
    return {row.name: row.means for row in anonymity(counts, ["age"]).attained}


def test_classes_are_equal_values_and_missing_ones_are_alike() -> None:
    age = Column("age", np.array([31.0, np.nan, 31.0, np.nan, 45.0]))
    sex = Column("sex", np.array([0, 1, 0, 1, 0]), levels=("f", "m"))
    classes = classes_of(Columns([age, sex]))
    assert len(set(classes.tolist())) == 3
    assert classes[0] == classes[2]
    assert classes[1] == classes[3]


def test_many_columns_do_not_run_over() -> None:
    rng = np.random.default_rng(3)
    columns = Columns.of_array(rng.integers(1_000, size=(5_000, 60)).astype(float))
    assert len(set(classes_of(columns).tolist())) == 5_000


def test_counts_of_classes_are_the_table() -> None:
    samples = Samples(Columns.of_array([[1.0], [1.0], [2.0]]), [0, 1, 1], Axis("s", labels=("no", "yes")))
    counts = counts_of_classes(samples)
    assert counts.n.tolist() == [[1, 0], [1, 1]]
    found = anonymity(counts, samples.x.names)
    assert (found.records, found.classes, found.alone) == (3, 2, 1)


def test_a_shared_secret_is_said_without_a_small_count() -> None:
    assert "fewer than 20" in meanings(Counts([[5, 40], [0, 40]]))["l-diversity, distinct"]
    assert "500 records" in meanings(Counts([[500, 40], [0, 40]]))["l-diversity, distinct"]


def test_the_words_follow_the_numbers() -> None:
    said = meanings(Counts([[30, 10], [15, 45]]))
    assert "45 records or more" in said["k-anonymity"]
    assert "2 values" in said["l-diversity, distinct"]
    assert "26.7 points" in said["t-closeness"]
    assert "86.7 times" in said["t-closeness"]
    assert "2.2 times as likely" in said["δ-disclosure"]
    assert "1.67 times" in said["β-likeness"]
    assert "no guess" not in meanings(Counts([[50, 0], [0, 50]]))["t-closeness"]
    ruled_out = meanings(Counts([[30, 0], [15, 45]]))
    assert "ruled out" in ruled_out["δ-disclosure"]
    alone = meanings(Counts([[30, 1], [15, 0]]))
    assert "alone" in alone["k-anonymity"]


@pytest.mark.parametrize("number", [2.404, 1.6667, 86.60001, 0.01234, 99.91, 1.0, 2.4])
def test_a_limit_in_words_is_not_below_the_limit(number: float) -> None:
    said = float(_up(number))
    assert number <= said <= 1.01 * number


@pytest.mark.parametrize("n", [[[30, 10], [15, 45]], [[3, 0], [0, 1]], [[7, 9]]])
def test_the_section_is_a_section_of_an_audit(n: list[list[int]]) -> None:
    result = examples.audit()
    result["anonymity"] = anonymity(Counts(n), ["age", "sex"]).to_json()
    assert "β-likeness" in page(result)


def test_a_million_classes_are_walked() -> None:
    n = np.ones((2, 1_000_000), dtype=np.int64)
    found = anonymity(Counts(n), ["everything"])
    assert found.classes == 1_000_000
    assert found.attained[3].reading.value == pytest.approx(0)


def test_one_secret_for_all_tells_nothing_and_zeros_are_exact() -> None:
    found = {row.name: row.reading.value for row in anonymity(Counts([[3, 7, 11]]), ["age"]).attained}
    assert found["t-closeness"] == found["δ-disclosure"] == found["β-likeness"] == 0.0
