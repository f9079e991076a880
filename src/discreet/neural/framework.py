"""The one place where JAX comes in: loaded when a network is to be trained, with its compiled programs kept on
disk.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from discreet.core.errors import ParameterError


class Framework(NamedTuple):
    """The modules that training needs."""

    jax: Any
    optax: Any


@cache
def framework() -> Framework:
    """JAX and optax, with the cache of compiled programs switched on; an error names the extra if they are
    missing.
    """
    try:
        jax, optax = import_module("jax"), import_module("optax")
    except ImportError as missing:
        raise ParameterError(
            "networks to be trained",
            f"{missing.name or 'jax'} is not installed",
            "pip install 'discreet[learn]'",
        ) from missing
    if jax.config.jax_compilation_cache_dir is None:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        jax.config.update("jax_compilation_cache_dir", str(folder))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.2)
    return Framework(jax, optax)


def compiled(task: Callable[..., Any]) -> Callable[..., Any]:
    """The task as one program, made by XLA's plainer emitters where it knows them.

    These programs are small and many, and so take longer to compile than to run: plainer code is there a third sooner
    and is hardly slower, the products of matrices being a library's.
    """
    jax, _ = framework()
    held: Callable[..., Any] = jax.jit(task, compiler_options=_options()) if _options() else jax.jit(task)
    return held


@cache
def _options() -> dict[str, Any]:
    """What the compiler is told, or nothing if this version or this device does not know it."""
    jax, _ = framework()
    asked = {"xla_cpu_use_fusion_emitters": False}
    try:
        jax.jit(lambda x: x + 1, compiler_options=asked)(0)
    except (RuntimeError, TypeError, ValueError):
        return {}
    return asked if jax.default_backend() == "cpu" else {}


def cache_folder() -> Path:
    """Where compiled programs are kept: `DISCREET_CACHE`, else the user's cache folder."""
    named = os.environ.get("DISCREET_CACHE")
    if named:
        return Path(named) / "compiled"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "discreet" / "compiled"
    base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "discreet" / "compiled"
