"""A certificate against its files: intact on another machine, and never with a byte changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discreet.workflow.archive import canonical
from discreet.workflow.certificate import digest_of
from discreet.workflow.verify import verify

SHIPPED = ("public.csv", "public.policy", "certificate.json")
FLIPS = 1_000


@pytest.fixture
def elsewhere(released, tmp_path: Path) -> Path:
    """The files that are shipped, in another place."""
    for name in SHIPPED:
        shutil.copy(released.folder / name, tmp_path / name)
    return tmp_path


def test_an_intact_certificate_is_recomputed_from_its_files_alone(elsewhere: Path) -> None:
    found = verify(elsewhere / "certificate.json", elsewhere / "public.csv")
    assert found.ok, found.headline
    assert found.verdict.exit == 0
    assert sum(check.ok is True for check in found.checks) >= 7
    assert verify(elsewhere / "certificate.json").ok


def test_any_flipped_byte_is_found(elsewhere: Path) -> None:
    rng = np.random.default_rng(3)
    for _ in range(FLIPS):
        path = elsewhere / SHIPPED[rng.integers(len(SHIPPED))]
        intact = path.read_bytes()
        place, bits = int(rng.integers(len(intact))), int(rng.integers(1, 256))
        path.write_bytes(intact[:place] + bytes([intact[place] ^ bits]) + intact[place + 1 :])
        found = verify(elsewhere / "certificate.json", elsewhere / "public.csv")
        assert not found.ok, (path.name, place, bits)
        assert found.verdict.exit == 1
        path.write_bytes(intact)
    assert verify(elsewhere / "certificate.json").ok


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("how", ["a byte more", "a byte less", "empty", "gone"])
def test_files_that_are_longer_shorter_or_gone(elsewhere: Path, name: str, how: str) -> None:
    path = elsewhere / name
    held = path.read_bytes()
    path.unlink()
    if how != "gone":
        path.write_bytes({"a byte more": held + b"\n", "a byte less": held[:-1], "empty": b""}[how])
    assert not verify(elsewhere / "certificate.json").ok


def forged(path: Path, change: Any) -> Path:
    """The certificate with something else in it, and a digest that is right again."""
    told = json.loads(path.read_text())
    change(told)
    told["digest"] = digest_of(told)
    path.write_bytes(canonical(told))
    return path


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told["secret"]["labels"][0].update(share=0.5),
        lambda told: told["proven"].pop(),
        lambda told: told["policy"].update(digest="0" * 64),
        lambda told: told["bounded"][-1]["reading"].update(value=1e-9),
        lambda told: told["bounded"][0]["reading"].update(value=0.5),
        lambda told: told["files"].pop(0),
        lambda told: told.pop("threat"),
        lambda told: told["files"][0].update(name="../public.csv"),
    ],
)
def test_a_forged_certificate_with_a_right_digest_contradicts_itself(elsewhere: Path, change: Any) -> None:
    assert not verify(forged(elsewhere / "certificate.json", change)).ok


def test_the_policy_of_another_release_does_not_pass(elsewhere: Path, tmp_path: Path) -> None:
    (elsewhere / "public.policy").write_bytes(b"PK\x05\x06" + b"\0" * 18)
    assert not verify(elsewhere / "certificate.json").ok


def test_what_is_no_certificate_is_said_not_thrown(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    for held in (b"", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"schema": "discreet/certificate/1"}'):
        path.write_bytes(held)
        assert not verify(path).ok
