"""The machine as discreet sees it: versions, extras, memory, Java, and where secret keys lie."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from discreet.core.errors import DiscreetError

CORE = (
    "numpy",
    "scipy",
    "clarabel",
    "scikit-learn",
    "narwhals",
    "pyarrow",
    "duckdb",
    "pydantic",
    "safetensors",
    "cryptography",
    "jinja2",
    "altair",
    "vl-convert-python",
    "typer",
    "rich",
)

EXTRAS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "learn": (("jax", "optax"), "learned sanitisers, and critics among the estimators"),
    "onnx": (("onnx",), "learned sanitisers as models for other programs"),
    "spark": (("pyspark", "pandas"), "releases on a cluster"),
    "postgres": (("adbc-driver-postgresql", "adbc-driver-sqlite"), "tables of databases"),
    "papers": (("matplotlib",), "the figures of the papers"),
}


@dataclass(frozen=True, slots=True)
class Doctor:
    """What was found."""

    versions: Mapping[str, str | None]
    extras: Mapping[str, bool]
    system: str
    cores: int
    memory: float | None
    java: str | None
    keys: str

    def lines(self) -> Iterator[str]:
        """For a terminal."""
        yield f"discreet {self.versions['discreet']} · Python {platform.python_version()} · {self.system}"
        memory = "unknown memory" if self.memory is None else f"{self.memory:.1f} GiB of memory"
        yield f"{self.cores} cores, {memory}"
        yield f"Java: {self.java or 'not found; only Spark needs it'}"
        yield f"secret keys lie in {self.keys}"
        yield "needed:"
        for name in CORE:
            yield f"  {name:18} {self.versions[name] or 'MISSING: install discreet again'}"
        yield "extras:"
        for name, there in self.extras.items():
            what = EXTRAS[name][1]
            yield f"  {name:16} {'installed' if there else f'not installed: pip install discreet[{name}]'} ({what})"

    def to_json(self) -> dict[str, Any]:
        """discreet/doctor/1."""
        return {
            "schema": "discreet/doctor/1",
            "python": platform.python_version(),
            "system": self.system,
            "cores": self.cores,
            "memory_gib": self.memory,
            "java": self.java,
            "keys": self.keys,
            "versions": dict(self.versions),
            "extras": dict(self.extras),
        }


def doctor() -> Doctor:
    """Look at this machine. Nothing heavy is loaded."""
    from discreet.tables.keys import state_folder

    versions = {name: _version(name) for name in ("discreet", *CORE)}
    extras = {name: all(_version(p) for p in packages) for name, (packages, _) in EXTRAS.items()}
    try:
        keys = str(state_folder())
    except DiscreetError as error:
        keys = error.found
    system = f"{platform.system()} {platform.machine()}"
    return Doctor(versions, extras, system, os.cpu_count() or 1, _memory(), shutil.which("java"), keys)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _memory() -> float | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (ValueError, OSError, AttributeError):
        return None
