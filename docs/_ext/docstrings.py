"""Our docstrings are plain text with formulas. This turns them into what the manual's parser reads.

A paragraph stays one, `backquoted` words become code, an indented block is shown as it stands, `>>>` is an example.
"""

import re
from typing import Any

from sphinx.application import Sphinx

MARKUP = re.compile(r"([\\*_|])")


def inline(line: str) -> str:
    words = line.split("`")
    if len(words) % 2 == 0:
        return MARKUP.sub(r"\\\1", line).replace("`", r"\`")
    return "".join(f"``{w}``" if i % 2 else MARKUP.sub(r"\\\1", w) for i, w in enumerate(words))


def blocks(lines: list[str]) -> list[list[str]]:
    """Runs of lines that belong together: divided by empty lines, and where the indentation begins or ends."""
    runs: list[list[str]] = [[]]
    for line in lines:
        last = runs[-1]
        turns = (
            last and last[-1].startswith("    ") != line.startswith("    ") and not last[0].startswith(">>>")
        )
        if not line.strip() or turns:
            runs.append([])
        if line.strip():
            runs[-1].append(line)
    return [run for run in runs if run]


def shown_as_it_stands(run: list[str]) -> bool:
    """A formula, a list in columns or a tree: what has no full stop, or more than one space between words."""
    text = "\n".join(run)
    return not text.endswith((".", ":", "?")) or "  " in text


def plain(lines: list[str]) -> list[str]:
    made: list[str] = []
    for run in blocks(lines):
        if run[0].startswith("    "):
            made += ["::", "", *run, ""]
        elif run[0].startswith(">>>"):
            made += [*run, ""]
        elif made and shown_as_it_stands(run):
            made += ["::", "", *(f"    {line}" for line in run), ""]
        else:
            made += [*map(inline, run), ""]
    return made


def process(_app: Sphinx, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = plain(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
