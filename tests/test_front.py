"""The front door: quick to open, and every name behind it."""

import subprocess
import sys

import discreet as dc


def loaded_by(statement: str) -> set[str]:
    """The top-level packages that a fresh interpreter has loaded after a statement."""
    program = f"import sys; {statement}; print(' '.join({{m.split('.')[0] for m in sys.modules}}))"
    return set(
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout.split()
    )


def test_opening_the_door_loads_nothing_heavy():
    assert not loaded_by("import discreet") & {"numpy", "scipy", "rich", "typer"}
    heavy = loaded_by("import discreet as dc; dc.Joint([[1.]]).lift(); dc.measures, dc.guarantees")
    assert "numpy" in heavy
    assert not heavy & {"scipy", "rich", "typer", "pandas", "sklearn"}


def test_help_is_quick():
    assert not loaded_by("from discreet.cli import app") & {"numpy", "scipy"}


def test_every_name_is_there():
    for name in dc.__all__:
        assert getattr(dc, name) is not None
    assert set(dc.__all__) <= set(dir(dc))
    assert not hasattr(dc, "no_such_name")


def test_no_room_comes_in_by_the_front_door():
    """`discreet/__init__` loads its names when asked; the rooms import one another directly."""
    from pathlib import Path

    source = Path(dc.__file__).parent
    for file in source.rglob("*.py"):
        text = file.read_text()
        assert "import discreet\n" not in text, file
        assert "import discreet as" not in text.replace(">>> import discreet as", ""), file
