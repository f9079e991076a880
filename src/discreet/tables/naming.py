"""Names of columns as a message may show them: harmless, short, and not too many."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 60
MOST = 12


def shown(names: Sequence[str]) -> str:
    r"""The names, quoted, without control characters, the first of them only where there are many.

    >>> shown(["age", "a\x1b[31mb"])
    "'age', 'a\\x1b[31mb'"
    """
    held = [_short(name) for name in names[:MOST]]
    return ", ".join(held) + (f" and {len(names) - MOST} more" if len(names) > MOST else "")


def printable(text: str) -> str:
    r"""A path or another text as a terminal may show it: what is no character to be seen is written as an escape.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _short(name: str) -> str:
    return repr(name if len(name) <= LONGEST else name[:LONGEST] + "…")
