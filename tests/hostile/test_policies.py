"""Policy files from whoever wishes us ill: refused in words, without running, unpacking or allocating anything."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.workflow.people import designed_policy

from discreet.core.errors import PolicyError
from discreet.workflow import archive
from discreet.workflow.policy import Policy, load

MEMORY = 64 << 20
"""Bytes that reading a small hostile file may take at most."""


@pytest.fixture(scope="module")
def policy() -> Policy:
    return designed_policy(leak=0.05)


@pytest.fixture(scope="module")
def whole(policy: Policy) -> bytes:
    return policy.to_bytes()


def refused(held: bytes) -> None:
    """It is refused with a policy's error, in bounded memory, and leaves nothing behind."""
    before = set(Path.cwd().iterdir())
    tracemalloc.start()
    try:
        with pytest.raises(PolicyError):
            Policy.of_bytes(held)
        assert tracemalloc.get_traced_memory()[1] < MEMORY + 4 * len(held)
    finally:
        tracemalloc.stop()
    assert set(Path.cwd().iterdir()) == before


def test_a_changed_byte_anywhere_is_seen(whole: bytes) -> None:
    rng = np.random.default_rng(0)
    step = max(len(whole) // 400, 1)
    for start in range(0, len(whole), step):
        held = bytearray(whole)
        place = min(start + int(rng.integers(step)), len(whole) - 1)
        held[place] ^= int(rng.integers(1, 256))
        with pytest.raises(PolicyError):
            Policy.of_bytes(bytes(held))


def test_a_file_cut_off_or_run_on_is_seen(whole: bytes) -> None:
    for size in {0, 1, 3, 4, 22, 100, len(whole) // 2, len(whole) - 22, len(whole) - 1}:
        refused(whole[:size])
    for more in (b"\0", b"PK\5\6" + bytes(18), whole):
        refused(whole + more)
        refused(more + whole)


def test_noise_is_no_policy() -> None:
    rng = np.random.default_rng(1)
    for size in (1, 22, 1000, 100_000):
        refused(rng.bytes(size))
        refused(b"PK\3\4" + rng.bytes(size))


def zipped(entries: list[tuple[str, bytes]], kind: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", kind) as held:
        for name, part in entries:
            held.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), part, kind)
    return out.getvalue()


def parts(policy: Policy) -> list[tuple[str, bytes]]:
    held = policy._parts
    manifest = archive.manifest(held.policy, held.weights)
    return [("policy.json", held.policy), ("weights.safetensors", held.weights), ("manifest.json", manifest)]


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd", "/etc/passwd", "..\\..\\evil", "C:\\evil", "policy.json/../../evil",
        "./policy.json", "POLICY.JSON", "policy.json ", "__init__.py", "weights.pkl", "", "a" * 60_000,
    ],
)  # fmt: skip
def test_a_path_in_the_archive_leads_nowhere(
    policy: Policy, name: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    _, weights, manifest = parts(policy)
    refused(zipped([(name, policy._parts.policy), weights, manifest]))
    refused(zipped([*parts(policy), (name, b"more")]))
    assert not list(tmp_path.iterdir())


def test_a_name_with_a_hole(whole: bytes) -> None:
    refused(whole.replace(b"policy.json", b"policy\0json"))
    refused(whole.replace(b"policy.json", b"../../../ab"))


def test_two_parts_of_one_name_and_parts_in_another_order(policy: Policy) -> None:
    first, second, third = parts(policy)
    with pytest.warns(UserWarning, match="Duplicate name"):
        held = zipped([first, first, second, third])
    refused(held)
    refused(zipped([second, first, third]))
    refused(zipped([first, second]))


def test_a_bomb_is_not_unpacked(policy: Policy) -> None:
    nothing = bytes(50 << 20)
    for entries in (
        [("policy.json", nothing), *parts(policy)[1:]],
        [parts(policy)[0], ("weights.safetensors", nothing), parts(policy)[2]],
        [("policy.json", nothing)] * 1,
    ):
        held = zipped(entries, zipfile.ZIP_DEFLATED)
        assert len(held) < 1 << 20
        tracemalloc.start()
        with pytest.raises(PolicyError):
            Policy.of_bytes(held)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 4 << 20


def test_a_size_that_is_a_lie(whole: bytes) -> None:
    """The sizes in the directory of the archive say terabytes."""
    place = whole.rindex(b"PK\1\2")
    for field in (20, 24):
        held = bytearray(whole)
        held[place + field : place + field + 4] = struct.pack("<I", 0xFFFFFFF0)
        refused(bytes(held))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    target = tmp_path / "huge.policy"
    with target.open("wb") as file:
        file.truncate(8 << 30)
    tracemalloc.start()
    with pytest.raises(PolicyError, match="more than any policy"):
        load(target)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_what_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", tmp_path / ("x" * 300)):
        with pytest.raises(PolicyError):
            load(path)


Json = dict[str, Any]


def crafted(policy: Policy, change: Callable[[Json], None]) -> bytes:
    """A well-made archive, with right digests, around a changed policy.json."""
    said = json.loads(policy._parts.policy)
    change(said)
    held = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return archive.packed(held, policy._parts.weights)


NASTY: tuple[Any, ...] = (
    None, True, -1, 10**400, 1e308, "", "__import__('os').system('true')", "x" * 5000, [], {}, [[[]]], {"a": {"b": 1}},
)  # fmt: skip


def places(said: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value, a few of each list."""
    yield path
    if isinstance(said, dict):
        for key, value in said.items():
            yield from places(value, (*path, key))
    elif isinstance(said, list):
        for i, value in list(enumerate(said))[:2]:
            yield from places(value, (*path, i))


def replaced(said: Json, path: tuple[Any, ...], value: Any) -> None:
    held: Any = said
    for key in path[:-1]:
        held = held[key]
    held[path[-1]] = value


def test_every_field_takes_nothing_but_what_it_should(policy: Policy) -> None:
    """Each place of policy.json with nasty values: refused, or a policy like any other; never another error."""
    said = json.loads(policy._parts.policy)
    every = [path for path in places(said) if path]
    assert len(every) > 150
    rng = np.random.default_rng(0)
    tried = 0
    for path in every:
        for k in rng.choice(len(NASTY), 2, replace=False):
            held = crafted(policy, lambda one, path=path, k=k: replaced(one, path, NASTY[k]))  # type: ignore[misc]
            try:
                made = Policy.of_bytes(held)
            except PolicyError:
                tried += 1
            else:
                assert made.to_bytes() == held
    assert tried > len(every)


@pytest.mark.parametrize("path", [(), ("codec",), ("columns",), ("channels", 0), ("design",), ("threat",)])
def test_an_unknown_field_is_an_error(policy: Policy, path: tuple[Any, ...]) -> None:
    refused(crafted(policy, lambda said: replaced(said, (*path, "exec"), "os.system")))


@pytest.mark.parametrize(
    "path", [("codec",), ("columns",), ("channels",), ("design", "limit"), ("threat", "secret")]
)
def test_a_missing_field_is_an_error(policy: Policy, path: tuple[Any, ...]) -> None:
    def without(said: Json) -> None:
        held: Any = said
        for key in path[:-1]:
            held = held[key]
        del held[path[-1]]

    refused(crafted(policy, without))


def test_a_channel_of_an_unknown_kind(policy: Policy) -> None:
    for kind in ("pickle", "python", "discreet.core.channel.MatrixChannel", "learned", "gaussian"):
        refused(crafted(policy, lambda said, kind=kind: replaced(said, ("channels", 0, "kind"), kind)))  # type: ignore[misc]


def test_deep_and_doubled_json(policy: Policy) -> None:
    weights = policy._parts.weights
    for text in (b"[" * 200_000, b'{"a":' * 100_000, b"NaN", b"1e999", b"\xff\xfe", b'{"format":1}', b"null"):
        refused(archive.packed(text, weights))
    twice = policy._parts.policy[:-1] + b',"format":"discreet/policy/1"}'
    refused(archive.packed(twice, weights))


def safetensors(header: Any, data: bytes = b"") -> bytes:
    said = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(said)) + said + data


def test_weights_that_are_none(policy: Policy) -> None:
    size = 1 << 40
    hostile = (
        b"", b"\x80\x04\x95cos\nsystem\n", struct.pack("<Q", 1 << 62) + b"{}", safetensors(b"[" * 100_000),
        safetensors({"channel0": {"dtype": "F64", "shape": [size, size], "data_offsets": [0, 8]}}, bytes(8)),
        safetensors({"channel0": {"dtype": "F64", "shape": [2, 2], "data_offsets": [0, 32]}}, bytes(8)),
        safetensors({"channel0": {"dtype": "F64", "shape": [1, 1], "data_offsets": [0, 8]}}, bytes(8)),
        safetensors({"channel0": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}, bytes(8)),
        safetensors({"other": {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}}, bytes(8)),
        safetensors({}),
    )  # fmt: skip
    for weights in hostile:
        refused(archive.packed(policy._parts.policy, weights))


def test_masses_that_are_no_law(policy: Policy) -> None:
    from safetensors.numpy import load as loaded
    from safetensors.numpy import save

    for change in (np.nan, np.inf, -0.5, 2.0, 1e-9):
        arrays = {name: held.copy() for name, held in loaded(policy._parts.weights).items()}
        arrays["channel0"][0, 0] += change
        refused(archive.packed(policy._parts.policy, save(arrays)))


def test_the_file_is_judged_before_it_is_applied(whole: bytes, tmp_path: Path) -> None:
    """Through the command line: exit 3, in words, and no output."""
    from typer.testing import CliRunner

    from discreet.cli import app

    held = bytearray(whole)
    held[len(held) // 2] ^= 1
    (tmp_path / "bad.policy").write_bytes(held)
    (tmp_path / "rows.csv").write_text("age,job,sex\n30,clerk,true\n")
    done = CliRunner().invoke(
        app,
        ["apply", str(tmp_path / "bad.policy"), str(tmp_path / "rows.csv"), "-o", str(tmp_path / "out.csv")],
    )
    assert done.exit_code == 3
    assert not (tmp_path / "out.csv").exists()
    assert "Traceback" not in done.output
