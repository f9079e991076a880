"""The installed `discreet`, run as a stranger would: in an empty folder, with keys in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

DISCREET = Path(sys.executable).with_name("discreet")


def run(*args: str | Path, where: Path, given: str | None = None, width: int = 100, **env: str):
    """The command's outcome: exit code, what it printed, what it said beside."""
    held = {
        **os.environ, "COLUMNS": str(width), "NO_COLOR": "1", "DISCREET_HOME": str(where / ".keys"), **env,
    }  # fmt: skip
    return subprocess.run(
        [str(DISCREET), *map(str, args)], cwd=where, env=held, input=given, capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip


def ran(*args: str | Path, where: Path, **how: object) -> str:
    """What a command that ends well printed."""
    done = run(*args, where=where, **how)  # type: ignore[arg-type]
    assert done.returncode == 0, f"{args}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout
