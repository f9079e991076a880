"""One policy, one file: the same bytes for the same content, the same release after a round trip, no secrets in it."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.workflow.people import designed_policy, people

from discreet.core.errors import PolicyError
from discreet.tables.keystream import Key
from discreet.workflow import archive, policy_file
from discreet.workflow.design import design
from discreet.workflow.policy import Policy, load


@pytest.fixture(scope="module")
def policy() -> Policy:
    return designed_policy(leak=0.05)


@pytest.fixture(scope="module")
def noisy() -> Policy:
    return design(
        people(), private="ill", public="age", mechanism="obfuscation", leak=0.1, rng=np.random.default_rng(0)
    )


def test_a_round_trip_keeps_everything(policy: Policy, tmp_path: Path) -> None:
    again = load(policy.save(tmp_path / "a.policy"))
    assert again.digest == policy.digest
    assert again.to_bytes() == policy.to_bytes() == (tmp_path / "a.policy").read_bytes()
    assert repr(again) == repr(policy)
    assert json.dumps(again.to_json(), sort_keys=True) == json.dumps(policy.to_json(), sort_keys=True)


def test_a_loaded_policy_releases_the_same(policy: Policy, tmp_path: Path) -> None:
    again = load(policy.save(tmp_path / "a.policy"))
    first, second = (one.apply(people(), key=Key.of_seed(1)) for one in (policy, again))
    pd.testing.assert_frame_equal(first, second)


def test_noise_survives_a_round_trip(noisy: Policy, tmp_path: Path) -> None:
    again = load(noisy.save(tmp_path / "n.policy"))
    assert again.to_bytes() == noisy.to_bytes()
    assert again.design.leakage["e_gamma, whatever the data"].parameters == {"gamma": pytest.approx(np.e)}
    first, second = (one.apply(people(), key=Key.of_seed(1)) for one in (noisy, again))
    pd.testing.assert_frame_equal(first, second)


def test_the_file_is_an_uncompressed_zip_of_three_parts(policy: Policy, tmp_path: Path) -> None:
    with zipfile.ZipFile(policy.save(tmp_path / "a.policy")) as held:
        assert held.namelist() == ["policy.json", "weights.safetensors", "manifest.json"]
        assert all(entry.compress_type == zipfile.ZIP_STORED for entry in held.infolist())
        manifest = json.loads(held.read("manifest.json"))
    assert set(manifest["sha256"]) == {"policy.json", "weights.safetensors"}


def test_no_key_no_seed_and_no_record_is_in_the_file(
    policy: Policy, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("DISCREET_HOME", str(tmp_path / "home"))
    town = people()
    policy.apply(town)
    (key,) = (tmp_path / "home" / "keys").iterdir()
    secret = re.search(r"[0-9a-f]{64}", key.read_text().splitlines()[0])
    assert secret is not None
    held = policy.to_bytes()
    for canary in (secret[0].encode(), bytes.fromhex(secret[0]), *(one.encode() for one in town["id"][:500])):
        assert canary not in held
    assert b"seed" not in held.replace(b"seeded", b"")
    assert key.stat().st_mode & 0o077 == 0


def test_a_rare_value_is_never_named(tmp_path: Path) -> None:
    """Values of fewer than twenty records are one level of their own; a number's extremes belong to somebody."""
    town = people()
    town["job"] = town["job"].astype(object)
    town.loc[[10, 11, 12], "job"] = "astronaut"
    town["pay"] = np.round(np.random.default_rng(0).normal(3000, 200, len(town)), 2)
    town.loc[17, "pay"] = 987654.25
    held = design(
        town, private="ill", public=["job", "pay"], mechanism="greedy_funnel", leak=0.05, held_out=people_with_pay(),
        rng=np.random.default_rng(0),
    ).to_bytes()  # fmt: skip
    assert b"astronaut" not in held
    assert b"987654" not in held
    assert b"farmer" in held


def people_with_pay() -> pd.DataFrame:
    town = people(seed=5)
    town["pay"] = np.round(np.random.default_rng(1).normal(3000, 200, len(town)), 2)
    return town


def test_rare_values_are_warned_of() -> None:
    town = people(200)
    policy = design(
        town, private="ill", public=["age", "job"], mechanism="randomised_response", leak=0.2,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    assert any("fewer than 20 records" in warning for warning in policy.rare)
    assert not any(job in warning for warning in policy.rare for job in ("farmer", "clerk", "nurse", "pilot"))
    assert policy.to_json()["warnings"]


def test_an_older_version_is_brought_forward(policy: Policy, monkeypatch: Any) -> None:
    """As it will be with format 2: the step is registered, and a file of format 1 comes through it."""
    said = json.loads(policy._parts.policy)
    monkeypatch.setattr(policy_file, "VERSION", 2)
    with pytest.raises(PolicyError, match="brought forward"):
        policy_file.parsed(archive.canonical(said))
    seen = []

    def step(found: dict[str, Any]) -> dict[str, Any]:
        seen.append(found["format"])
        return {**found, "design": {**found["design"], "status": "brought forward"}}

    monkeypatch.setitem(policy_file.MIGRATIONS, 1, step)
    made = policy_file.parsed(archive.canonical(said))
    assert seen == ["discreet/policy/1"]
    assert made.design.status == "brought forward"


def test_a_newer_version_asks_for_a_newer_discreet(policy: Policy) -> None:
    said = {**json.loads(policy._parts.policy), "format": "discreet/policy/7"}
    with pytest.raises(PolicyError, match="newer discreet"):
        policy_file.parsed(archive.canonical(said))


def test_a_policy_written_by_the_first_version_is_read(tmp_path: Path) -> None:
    """The file lies beside this test and never changes; whoever changes the format adds a migration."""
    stored = Path(__file__).with_name("first.policy")
    held = load(stored)
    assert held.kernel.columns == ("age", "job")
    out = held.apply(people(50), key=Key.of_seed(1))
    assert list(out.columns) == ["age", "job"]
    assert held.design.limit.knob == "leak"


def test_the_repr_says_what_matters(policy: Policy) -> None:
    assert "releases age, job, sex; hides ill" in repr(policy)
    assert "held against an upper bound" in repr(policy)
