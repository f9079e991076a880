"""The pages of a real release in a real browser: quiet, and with nothing serious for a screen reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.report.browser import visit
from tests.report.conftest import browser  # noqa: F401  a fixture

from discreet.workflow.release import Release


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report.html", "certificate.html"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_released_page_is_quiet_and_usable(
    name: str,
    scheme: str,
    released: Release,
    browser: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    path = released.folder / name
    with visit(browser, path, scheme=scheme) as seen:
        wide = seen.page.evaluate("document.documentElement.scrollWidth")
    assert seen.asked == [path.as_uri()]
    assert seen.said == []
    assert wide <= 1100
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    copy = tmp_path / name  # axe runs as a script of the tester, which the page's own policy refuses
    copy.write_text(path.read_text().replace("Content-Security-Policy", "X-Not-A-Policy"))
    with visit(browser, copy, scheme=scheme) as seen:
        found = axe.Axe().run(seen.page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in {"serious", "critical"}] == []
