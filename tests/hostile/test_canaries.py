"""Values planted in single cells: no result, page or message of an audit may hold one of them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from discreet.report import fragment, page
from discreet.workflow.audit import audit

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
