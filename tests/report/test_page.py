"""What a page holds and what it never holds, whatever the names are and however many the rows."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from discreet.core.errors import ParameterError
from discreet.report import fragment, page
from discreet.report.words import visible
from tests.report import examples

MOST = 2_000_000
"""No page is larger, in bytes."""

NASTY = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "</style><style>*{display:none}</style>",
    "a\x00b\x07c\x1b[31m",
    "abc\u202egnp.exe\u2066",
    "line\nbreak\r\ttab",
    "half \ud800 letter",
    "back`tick",
    "&amp;&lt;",
    "datum.value",
    "[0].x\\y'",
    "–" * 400,
    "",
    "名前 العمر גיל",
)


class Seen(HTMLParser):
    """Every tag, attribute and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    handle_startendtag = handle_starttag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("name", sorted(examples.ALL))
def test_a_page_is_small_and_self_contained(name: str) -> None:
    made = page(examples.ALL[name]())
    seen = Seen(made)
    assert len(made.encode()) < MOST
    assert not {"script", "iframe", "object", "embed", "form", "base", "image", "foreignobject"} & set(
        seen.tags
    )
    links = [
        value for key, value in seen.attributes if key in {"href", "src", "xlink:href", "action", "srcset"}
    ]
    assert all(link is not None and link.startswith(("#", "data:")) for link in links)
    assert not [key for key, _ in seen.attributes if key.startswith("on") or key == "style"]


def test_the_same_json_makes_the_same_page() -> None:
    assert page(examples.attack()) == page(json.loads(json.dumps(examples.attack())))


def test_the_rows_do_not_show_in_the_size() -> None:
    small, large = (len(page(examples.audit(rows, 40)).encode()) for rows in (1_000, 1_000_000))
    assert max(small, large) < MOST
    assert abs(small - large) < 20_000


def test_four_hundred_columns_are_still_a_page() -> None:
    assert len(page(examples.audit(1_000_000, 400)).encode()) < MOST


def test_no_name_can_do_harm() -> None:
    clean, dirty = Seen(page(examples.audit())), Seen(page(renamed(examples.audit())))
    assert set(dirty.tags) == set(clean.tags)
    assert {key for key, _ in dirty.attributes} == {key for key, _ in clean.attributes}
    text = "".join([*dirty.texts, *(value or "" for _, value in dirty.attributes)])
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    for name in NASTY:
        assert text.count(visible(name)) >= 8, name


def renamed(result: dict[str, Any]) -> dict[str, Any]:
    """The audit with these names for its columns, values, secrets and files, and in its sentences."""
    row, pair, value = next(iter(result["columns"].values())), result["pairs"][0], result["values"]["rows"][0]
    reason, left, secret = result["records"]["reasons"][0], result["remains"][0], result["secrets"]["each"][0]
    result["columns"] = dict.fromkeys(NASTY, row)
    result["pairs"] = [{**pair, "columns": [name, name]} for name in NASTY]
    result["values"]["rows"] = [{**value, "column": name, "value": name, "secret": name} for name in NASTY]
    result["records"]["reasons"] = [{**reason, "columns": [name]} for name in NASTY]
    result["remains"] = [{**left, "without": [name]} for name in NASTY]
    result["secrets"]["each"] = [{**secret, "name": name} for name in NASTY]
    result["anonymity"]["columns"] = list(NASTY)
    result["secret"]["name"] = result["source"]["name"] = "".join(NASTY)
    result["headline"] = " ".join(f"From `{name}` much is told." for name in NASTY)
    result["warnings"] = [f"`{name}` is odd." for name in NASTY]
    return result


def test_two_names_that_differ_by_what_is_invisible_stay_two() -> None:
    result = examples.audit(width=2)
    row = next(iter(result["columns"].values()))
    result["columns"] = {"age": row, "age\u200e": row, "age\u200f": row}
    made = page(result)
    assert "age⟨U+200E⟩" in made
    assert "age⟨U+200F⟩" in made


def test_small_counts_are_not_shown() -> None:
    result = examples.audit(1_000)
    result["records"]["doubled"] = None
    result["records"]["reasons"][0]["records"] = None
    text = "".join(Seen(page(result)).texts)
    assert text.count("fewer than 20") >= 3


def test_what_is_infinite_or_undefined_says_so() -> None:
    result = examples.audit()
    row = next(iter(result["columns"].values()))
    row["mutual_information"] = {**row["mutual_information"], "value": "inf", "interval": None}
    result["guess"] = {"value": None, "lower": None, "upper": None, "baseline": None}
    result["values"]["rows"][0]["lift"] = {
        **result["values"]["rows"][0]["lift"],
        "value": 0.0,
        "interval": [0.0, 0.0, 0.95],
    }
    text = "".join(Seen(page(result)).texts)
    assert "∞" in text
    assert "ruled out" in text
    assert "nan" not in text.lower().split()


def test_an_empty_audit_is_a_page() -> None:
    result = examples.audit()
    result |= {"columns": {}, "pairs": [], "measures": {}, "remains": [], "secrets": None, "anonymity": None}
    result["values"] = {"rows": [], "suppressed": 0, "fewest": 20}
    result["records"] |= {
        "reasons": [],
        "histogram": {"edges": [0.0, "inf"], "counts": [0]},
        "n": 0,
        "doubled": 0,
    }
    result["assumptions"] = []
    result["method"]["candidates"] = []
    text = "".join(Seen(page(result)).texts)
    assert "No pair of columns" in text
    assert "No value was found" in text


def test_a_failed_release_says_so_before_anything_else() -> None:
    result = examples.release()
    result["headline"] = "The release collapsed: nothing but one value is left."
    result["verdict"] = {"status": "collapsed", "exit": 1, "words": "Every column became constant."}
    made = page(result)
    assert '<p class="verdict failed">' in made
    assert made.index("<h1>The release collapsed") < made.index("<dl")


def test_a_certificate_with_a_published_seed_is_stamped() -> None:
    result = examples.certificate()
    assert "Not for release" not in page(result)
    result["for_release"] = False
    assert "Not for release" in page(result)
    whole = examples.release()
    whole["certificate"]["for_release"] = False
    assert "Not for release" in page(whole)


def test_every_number_of_a_picture_stands_in_a_table_beside_it() -> None:
    seen = Seen(page(examples.attack()))
    text = "".join(seen.texts)
    for name, row in examples.attack()["attackers"].items():
        assert name in text
        assert f"{100 * row['value']:.1f}" in text
    labels = [
        value for key, value in seen.attributes if key == "aria-label" and value and "guessed right" in value
    ]
    assert any("boosting 76.9" in label for label in labels)


@pytest.mark.parametrize(
    ("spoil", "where"),
    [
        (lambda r: r["guess"].update(secret=1), "guess.secret"),
        (lambda r: r["guess"].pop("upper"), "guess.upper"),
        (lambda r: r["columns"]["age"].update(verdict="fine"), "columns.age.verdict"),
        (lambda r: r.update(rows=[["a", 1]]), "rows"),
        (lambda r: r["guess"].update(value=float("nan")), "guess.value"),
        (lambda r: r["guess"].update(value="0.8"), "guess.value"),
    ],
)
def test_a_result_of_another_shape_is_refused_with_the_place(spoil: Any, where: str) -> None:
    result = examples.audit()
    spoil(result)
    with pytest.raises(ParameterError, match=re.escape(where)):
        page(result)


def test_an_unknown_schema_is_refused() -> None:
    with pytest.raises(ParameterError, match="discreet/audit/1"):
        page({"schema": "discreet/audit/9"})
    with pytest.raises(ParameterError, match="None"):
        fragment({})


def test_a_fragment_has_its_headline_verdict_and_picture() -> None:
    made = fragment(examples.attack())
    assert made.startswith("<div")
    assert "The best of 6 attackers" in made
    assert "under the limit of 78" in made
    assert "<script" not in made
    assert made.count("<svg") == 1
