"""Applying a policy: the columns, types and rows that came in, from a key that is secret and stays so."""

from __future__ import annotations

import gzip
import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import chi2
from tests.workflow.people import designed_policy, people

from discreet.core.errors import DiscreetError, SchemaError, SecretKeyError, SourceError
from discreet.tables.keystream import Key
from discreet.workflow.apply import UnseenValues, applied
from discreet.workflow.policy import Policy

COLUMNS = ["age", "job", "sex"]


@pytest.fixture(scope="module")
def policy() -> Policy:
    return designed_policy(leak=0.05)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: Any) -> Path:
    monkeypatch.setenv("DISCREET_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_frame_comes_back_as_it_was(policy: Policy) -> None:
    town = people().set_index(np.arange(4_000) * 3)
    town["job"] = town["job"].astype(pd.CategoricalDtype(["pilot", "nurse", "clerk", "farmer"]))
    out = policy.apply(town, key=Key.of_seed(1))
    assert list(out.columns) == COLUMNS
    pd.testing.assert_index_equal(out.index, town.index)
    assert (out.dtypes == town[COLUMNS].dtypes).all()


def test_kinds_of_records_agree(policy: Policy, tmp_path: Path) -> None:
    town = people()
    expected = policy.apply(town, key=Key.of_seed(1))
    table = pa.Table.from_pandas(town, preserve_index=False)
    frame = policy.apply(pl.from_pandas(town), key=Key.of_seed(1))
    assert isinstance(frame, pl.DataFrame)
    assert isinstance(policy.apply(table, key=Key.of_seed(1)), pa.Table)
    pq.write_table(table, tmp_path / "in.parquet")
    town.to_csv(tmp_path / "in.csv.gz", index=False)
    for name, out in (("in.parquet", "out.parquet"), ("in.csv.gz", "out.csv")):
        policy.apply(tmp_path / name, tmp_path / out, key=Key.of_seed(1))
    read = (
        frame.to_pandas(),
        pq.read_table(tmp_path / "out.parquet").to_pandas(),
        pd.read_csv(tmp_path / "out.csv"),
    )
    for one in read:
        for name in COLUMNS:
            assert one[name].astype(object).where(one[name].notna(), None).tolist() == (
                expected[name].astype(object).where(expected[name].notna(), None).tolist()
            )


def test_a_second_release_under_the_same_key_is_the_same(policy: Policy, home: Path) -> None:
    town = people()
    first, second = policy.apply(town), policy.apply(town)
    pd.testing.assert_frame_equal(first, second)
    (key,) = (home / "keys").iterdir()
    assert key.name == f"{policy.digest}.key"
    assert key.stat().st_mode & 0o077 == 0


def test_another_key_gives_another_release(policy: Policy) -> None:
    town = people()
    first, second = (policy.apply(town, key=Key.of_seed(k)) for k in (1, 2))
    assert not first.equals(second)


def test_by_position_a_key_serves_one_input(policy: Policy, home: Path) -> None:
    policy.apply(people())
    with pytest.raises(SecretKeyError, match="id column"):
        policy.apply(people(seed=2))
    out = policy.apply(people(seed=2), key=home / "another.key")
    assert len(out) == 4_000


def test_by_id_order_and_pieces_do_not_matter(policy: Policy, home: Path) -> None:
    town = people()
    whole = policy.apply(town, id="id")
    mixed = town.sample(frac=1, random_state=0)
    parts = pd.concat([policy.apply(mixed[:1_000], id="id"), policy.apply(mixed[1_000:], id="id")])
    pd.testing.assert_frame_equal(parts.loc[town.index], whole)


def test_the_rows_follow_the_channel(policy: Policy) -> None:
    """Each input symbol's releases, counted, against its row of the channel: χ² with p > 1e-4."""
    town = pd.concat([people(seed=k) for k in range(20)], ignore_index=True)
    out = pa.Table.from_pandas(policy.apply(town, key=Key.of_seed(4)))
    table = pa.Table.from_pandas(town)
    tried = 0
    for one, block in zip(policy.channels, policy.codec.public, strict=True):
        x, y = (block.encode(held).symbols for held in (table, out))
        for symbol in range(block.size):
            row, n = one.channel.p[symbol], int((x == symbol).sum())
            often = row * n > 5
            if n < 500 or often.sum() < 2:
                continue
            seen = np.bincount(y[x == symbol], minlength=block.size)
            assert seen[row == 0].sum() == 0
            expected = np.append(row[often], row[~often].sum()) * n
            found = np.append(seen[often], seen[~often].sum())
            kept = expected > 0
            statistic = ((found[kept] - expected[kept]) ** 2 / expected[kept]).sum()
            assert chi2.sf(statistic, kept.sum() - 1) > 1e-4
            tried += 1
    assert tried >= 5


def test_new_values_are_counted_and_told(policy: Policy) -> None:
    town = people()
    town.loc[:9, "job"] = "astronaut"
    with pytest.warns(UnseenValues, match="job: 10 of 4,000"):
        policy.apply(town, key=Key.of_seed(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told = applied(policy, town, key=Key.of_seed(1))
    assert told.surprises["job"] == 10
    assert told.to_json()["unseen"]["job"] == 10


def test_the_result_says_how_but_never_the_key(policy: Policy, home: Path, tmp_path: Path) -> None:
    told = applied(policy, people(), tmp_path / "out.parquet")
    said = told.to_json()
    (key,) = (home / "keys").iterdir()
    assert said["key"] == "the policy's own"
    assert key.read_text().split()[4] not in str(said)
    assert applied(policy, people(), key=Key.of_seed(0)).key == "for experiments, not for release"


def test_a_column_that_is_missing_or_of_another_type(policy: Policy) -> None:
    with pytest.raises(SchemaError, match="job"):
        policy.apply(people().drop(columns="job"), key=Key.of_seed(1))
    with pytest.raises(DiscreetError):
        policy.apply(people().assign(age="old"), key=Key.of_seed(1))


def test_the_secret_need_not_be_there(policy: Policy) -> None:
    out = policy.apply(people()[COLUMNS], key=Key.of_seed(1))
    assert list(out.columns) == COLUMNS


def test_nothing_stands_under_the_name_of_a_release_that_failed(policy: Policy, tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    people().to_csv(source, index=False)
    with pytest.raises(SourceError):
        policy.apply(source, source, key=Key.of_seed(1))
    (tmp_path / "bad.csv").write_text("id,age,job,sex\na,3,clerk,true\nb,4\n")
    with pytest.raises(DiscreetError):
        policy.apply(tmp_path / "bad.csv", tmp_path / "out.csv", key=Key.of_seed(1))
    assert not (tmp_path / "out.csv").exists()


def test_a_file_without_rows(policy: Policy, tmp_path: Path) -> None:
    people()[:0].to_csv(tmp_path / "none.csv", index=False)
    out = policy.apply(people()[:0], key=Key.of_seed(1))
    assert (list(out.columns), len(out)) == (COLUMNS, 0)


def test_standard_output_holds_the_release_whole(
    policy: Policy, tmp_path: Path, capfdbinary: Any, home: Path
) -> None:
    held = gzip.compress(people().to_csv(index=False).encode())
    (tmp_path / "in.csv.gz").write_bytes(held)
    policy.apply(tmp_path / "in.csv.gz", "-")
    printed = pd.read_csv(io.BytesIO(capfdbinary.readouterr().out))
    assert list(printed.columns) == COLUMNS
    assert len(printed) == 4_000


def test_no_framework_is_loaded_to_apply(policy: Policy, tmp_path: Path) -> None:
    """A policy is applied in a fresh interpreter without JAX, and without what only designs need."""
    import subprocess
    import sys

    target = policy.save(tmp_path / "p.policy")
    people().to_csv(tmp_path / "in.csv", index=False)
    code = (
        "import sys; from discreet.workflow.policy import load; "
        f"load({str(target)!r}).apply({str(tmp_path / 'in.csv')!r}, {str(tmp_path / 'out.csv')!r}, "
        f"key={str(tmp_path / 'k.key')!r}); "
        "assert not {'jax', 'torch', 'sklearn', 'altair'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert len(pd.read_csv(tmp_path / "out.csv")) == 4_000
