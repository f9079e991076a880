"""A real Chromium that is cut off from everything: what it asks for and complains about is written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass
class Visit:
    """One page, open: what it asked for beside itself, and what the console said."""

    page: Any
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


@contextmanager
def visit(browser: Any, path: Path, *, scheme: str = "light", width: int = 1100) -> Iterator[Visit]:
    """Open a file in a browser without a network."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, offline=True)
    page = context.new_page()
    seen = Visit(page)
    page.on("request", lambda request: seen.asked.append(request.url))
    page.on("console", lambda message: seen.said.append(message.text))
    page.on("pageerror", lambda error: seen.said.append(str(error)))
    page.goto(path.as_uri())
    try:
        yield seen
    finally:
        context.close()
