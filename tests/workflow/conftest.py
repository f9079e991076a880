"""A release of the survey, made once: what is tested of it reads its files, or changes copies of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.workflow.demo import written_survey
from discreet.workflow.release import Release, release

FEW = ("logistic", "exact values, counted")


@pytest.fixture(scope="session")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The survey as a file."""
    return written_survey(tmp_path_factory.mktemp("survey"))


@pytest.fixture(scope="session")
def released(survey: Path, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Two columns of the survey, released for a limit on the leak."""
    folder = tmp_path_factory.mktemp("released")
    key = tmp_path_factory.mktemp("key") / "secret.key"
    return release(
        survey, folder, private="vote", public=["party", "ideology"], leak=0.05, key=key,
        mechanism=["greedy_funnel", "randomised_response"], effort=FEW, rng=np.random.default_rng(0),
    )  # fmt: skip
