"""The pages in a real browser, cut off from the network: nothing asked for, nothing complained of, usable by all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from discreet.report import page
from tests.report import examples
from tests.report.browser import visit

RESULTS = sorted(examples.ALL)


def written(folder: Path, name: str, **size: int) -> Path:
    path = folder / f"{name}.html"
    path.write_text(page(examples.ALL[name](**size)), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", RESULTS)
def test_a_page_asks_for_nothing_and_the_console_stays_silent(
    name: str, browser: Any, tmp_path: Path
) -> None:
    path = written(tmp_path, name)
    with visit(browser, path) as seen:
        drawn = seen.page.locator("figure svg").count()
        headline = seen.page.locator("h1").inner_text()
    assert seen.asked == [path.as_uri()]
    assert seen.said == []
    assert drawn >= 1
    assert headline


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "name", ["audit", "release", "compare"]
)  # their sections are those of all the others
def test_axe_finds_nothing_serious(name: str, scheme: str, browser: Any, tmp_path: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    # axe runs as a script of the tester, which the page's own policy refuses: it is lifted for this look only
    path = written(tmp_path, name)
    text = path.read_text(encoding="utf-8").replace("Content-Security-Policy", "X-Not-A-Policy")
    path.write_text(text, encoding="utf-8")
    with visit(browser, path, scheme=scheme) as seen:
        outcome = axe.Axe().run(seen.page).response
    found = [v for v in outcome["violations"] if v["impact"] in {"serious", "critical"}]
    serious = [(v["id"], [n["html"] for n in v["nodes"]][:2]) for v in found]
    assert len(outcome["passes"]) > 10
    assert serious == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_follow_the_page_into_the_dark(scheme: str, browser: Any, tmp_path: Path) -> None:
    with visit(browser, written(tmp_path, "audit"), scheme=scheme) as seen:
        ink, body = seen.page.evaluate(
            "() => {const texts = [...document.querySelectorAll('figure svg text')];"
            "const name = texts.find(text => text.textContent === 'age');"
            "return [getComputedStyle(name).fill, getComputedStyle(document.documentElement).color]}"
        )
    assert ink == body


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1100])
def test_no_page_is_wider_than_its_window(width: int, browser: Any, tmp_path: Path) -> None:
    result = examples.audit(width=40)
    result["columns"] = {name * 12: row for name, row in result["columns"].items()}
    path = tmp_path / "wide.html"
    path.write_text(page(result), encoding="utf-8")
    with visit(browser, path, width=width) as seen:
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_the_policy_lets_no_script_run(browser: Any, tmp_path: Path) -> None:
    path = written(tmp_path, "audit")
    text = path.read_text(encoding="utf-8")
    attack = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\"></main>"
    path.write_text(text.replace("</main>", attack), encoding="utf-8")
    with visit(browser, path) as seen:
        title = seen.page.title()
    assert title == "Audit of income"
    assert any("Content Security Policy" in line for line in seen.said)


@pytest.mark.slow
def test_a_keyboard_reaches_every_table_and_the_first_stop_is_the_content(
    browser: Any, tmp_path: Path
) -> None:
    with visit(browser, written(tmp_path, "attack")) as seen:
        seen.page.keyboard.press("Tab")
        first = seen.page.evaluate("document.activeElement.getAttribute('href')")
        tables = seen.page.locator(".table").count()
        reached = seen.page.locator(".table[tabindex='0']").count()
    assert first == "#main"
    assert tables == reached > 0
