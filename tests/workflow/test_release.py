"""The whole way: what is written, on which rows the numbers rest, and what stops a release."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from tests.workflow.conftest import FEW

from discreet.core.errors import DiscreetError
from discreet.report.shapes import checked
from discreet.workflow.demo import written_survey
from discreet.workflow.release import release

FILES = {"public.csv", "public.policy", "certificate.json", "certificate.html", "report.html"}


def test_everything_is_written_and_nothing_else(released):
    assert {one.name for one in released.folder.iterdir()} == FILES
    assert (released.folder / "report.html").stat().st_size < 2_000_000
    assert released.verdict.exit == 0


def test_the_result_has_the_shape_that_it_promises(released):
    told = checked(released.to_json())
    assert told["schema"] == "discreet/release/1"
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert checked(json.loads((released.folder / "certificate.json").read_text())) == told["certificate"]


def test_attackers_and_bounds_count_only_rows_that_the_design_never_saw(released):
    design, held_out = released.split
    assert design + held_out == 944
    assert released.attack.found.judged == held_out
    assert released.certificate.table.table.total == held_out
    assert all(row["n"] == held_out for row in released.certificate.to_json()["bounded"])


def test_what_attackers_reach_lies_below_what_none_exceeds(released):
    bounds = released.certificate.bounds
    assert released.attack.best.value < bounds["guessing_probability"].value < released.before.guess.value
    assert 0 < bounds["mutual_information"].value < 0.4
    assert released.after.information.value < bounds["mutual_information"].value


def test_a_limit_in_words_is_never_below_the_limit(released):
    most = released.certificate.bounds["guessing_probability"].value
    said = re.search(r"more often than ([\d.]+) times in 100", released.certificate.headline)
    assert 100 * most <= float(said.group(1)) < 100 * most + 0.11


def test_the_release_has_all_rows_and_only_public_columns(released):
    lines = (released.folder / "public.csv").read_text().splitlines()
    assert lines[0].replace('"', "") == "party,ideology"
    assert len(lines) == 945


def test_a_certificate_is_for_release_only_with_a_secret_key(released, survey, tmp_path):
    from discreet.tables.keystream import Key

    assert released.certificate.to_json()["for_release"] is True
    toy = release(
        survey, tmp_path / "toy", private="vote", public="party", leak=0.05, key=Key.of_seed(1),
        mechanism="greedy_funnel", effort=FEW, rng=np.random.default_rng(0),
    )  # fmt: skip
    told = toy.certificate.to_json()
    assert told["for_release"] is False
    assert any("not for release" in line for line in told["limits"])
    assert "Not for release" in toy.to_html()


def test_a_release_that_collapsed_says_so_first_and_exits_with_1(survey, tmp_path):
    gone = release(
        survey, tmp_path / "gone", private="vote", public="party", leak=0.0, key=tmp_path / "key",
        mechanism="suppression", effort=FEW, rng=np.random.default_rng(0),
    )  # fmt: skip
    assert gone.verdict.exit == 1
    assert gone.verdict.status == "collapsed"
    assert gone.headline.startswith(gone.verdict.words)
    assert gone.to_json()["headline"].startswith("The release is constant")


def test_too_few_rows_are_refused_with_what_to_do(tmp_path):
    survey = written_survey(tmp_path)
    few = tmp_path / "few.csv"
    few.write_text("\n".join(survey.read_text().splitlines()[:40]) + "\n")
    with pytest.raises(DiscreetError, match="60 rows at least"):
        release(few, tmp_path / "out", private="vote", leak=0.1)
    assert not (tmp_path / "out" / "certificate.json").exists()
