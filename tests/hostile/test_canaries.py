"""Values planted in single cells: no result, page, policy, certificate or message may hold one of them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discreet.report import fragment, page
from discreet.workflow.attack import attack
from discreet.workflow.audit import audit
from discreet.workflow.release import release

WORDS = tuple(f"zq{i:02d}canary" for i in range(41))
NUMBERS = tuple(round(91_000_017.25 + 1_003.5 * i, 2) for i in range(10))
"""Far outside of everything else, so that they are the extremes of their column."""


def planted() -> Any:
    """Six hundred people; fifty-one of them have a cell that nobody else has."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(5)
    n = 600
    ill = rng.random(n) < 0.4
    took = np.where(rng.random(n) < np.where(ill, 0.75, 0.25), "yes", "no").astype(object)
    town = rng.choice(["north", "south", "east"], n).astype(object)
    note = np.array(["nothing"] * n, dtype=object)
    spent = np.round(rng.gamma(2.0, 100.0, n) * (1 + ill), 2)
    places = rng.permutation(n)
    took[places[:10]] = WORDS[:10]
    town[places[10:20]] = WORDS[10:20]
    note[places[20:40]] = WORDS[20:40]
    spent[places[40:50]] = NUMBERS
    secret = np.where(ill, "ill", "well").astype(object)
    secret[places[50]] = WORDS[40]
    return pandas.DataFrame({"took": took, "town": town, "note": note, "spent": spent, "health": secret})


def found_in(text: str) -> list[str]:
    plain = text.replace(",", "").replace("\u202f", "")
    numbers = [f"{number:.0f}"[:6] for number in NUMBERS]
    return [canary for canary in (*WORDS, *numbers) if canary in plain]


@pytest.mark.slow
def test_no_planted_value_comes_out_of_an_audit(capsys: pytest.CaptureFixture[str]) -> None:
    result = audit(planted(), private="health", rng=np.random.default_rng(1))
    written = json.loads(json.dumps(result.to_json()))
    said = capsys.readouterr()
    outputs = {
        "json": json.dumps(written, ensure_ascii=False),
        "page": page(written),
        "fragment": fragment(written),
        "repr": repr(result),
        "messages": said.out + said.err,
    }
    assert {name: found_in(text) for name, text in outputs.items()} == {name: [] for name in outputs}


@pytest.mark.slow
def test_no_planted_value_comes_out_of_a_release(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    people = planted()
    people.to_csv(tmp_path / "people.csv", index=False)
    done = release(
        tmp_path / "people.csv", tmp_path / "out", private="health", public=["took", "town", "spent"], leak=0.02,
        mechanism=["greedy_funnel", "randomised_response"], effort=("logistic",), key=tmp_path / "key",
        rng=np.random.default_rng(1),
    )  # fmt: skip
    said = capsys.readouterr()
    with zipfile.ZipFile(tmp_path / "out" / "public.policy") as policy:
        parts = {name: policy.read(name).decode(errors="replace") for name in policy.namelist()}
    pages = {
        name: (tmp_path / "out" / name).read_text()
        for name in ("certificate.json", "certificate.html", "report.html")
    }
    outputs = {
        **parts, **pages, "json": json.dumps(done.to_json(), ensure_ascii=False), "repr": repr(done),
        "policy": repr(done.policy), "messages": said.out + said.err,
    }  # fmt: skip
    assert {name: found_in(text) for name, text in outputs.items()} == {name: [] for name in outputs}


@pytest.mark.slow
def test_no_planted_value_comes_out_of_an_attack(capsys: pytest.CaptureFixture[str]) -> None:
    people = planted()
    found = attack(
        people[["took", "spent"]],
        truth=people,
        private="health",
        effort=("logistic", "exact values, counted"),
    )
    said = capsys.readouterr()
    outputs = {
        "json": json.dumps(found.to_json(), ensure_ascii=False),
        "page": found.to_html(),
        "repr": repr(found),
        "messages": said.out + said.err,
    }
    assert {name: found_in(text) for name, text in outputs.items()} == {name: [] for name in outputs}
