"""Compiled programs are kept where they are told to be, and nothing is loaded before something is trained."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from discreet.neural.framework import cache_folder, compiled


def test_the_cache_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path / "compiled"
    monkeypatch.delenv("DISCREET_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    if sys.platform == "linux":
        assert cache_folder() == tmp_path / "x" / "discreet" / "compiled"


def test_a_task_is_compiled() -> None:
    pytest.importorskip("jax")
    assert float(compiled(lambda x: x * 2)(np.float32(3))) == 6


def test_opening_the_room_loads_no_framework() -> None:
    said = "import sys, discreet.mechanisms.learned as l; l.LearnedChannel; print('jax' in sys.modules)"
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", said], check=True, capture_output=True, text=True, env=environment
    )
    assert done.stdout.strip() == "False"
