"""Charts of results, as an Altair user gets them."""

from __future__ import annotations

from typing import Any

import altair
import numpy as np
import pytest

from discreet import mechanisms
from discreet.core.errors import ParameterError
from discreet.core.joint import Joint
from discreet.report import plot
from discreet.report.charts import Bracket, cut, guesses, odds, values
from discreet.report.drawing import ACCENT, TOKENS, svg
from tests.report import examples


@pytest.mark.parametrize("name", sorted(examples.ALL))
def test_every_result_has_a_chart_that_says_what_it_shows(name: str) -> None:
    chart = plot(examples.ALL[name]())
    assert isinstance(chart, altair.LayerChart)
    assert len(chart.description) > 40


def test_a_result_is_anything_that_gives_its_json() -> None:
    class Held:
        def to_json(self) -> dict[str, Any]:
            return examples.attack()

    assert plot(Held()).to_dict() == plot(examples.attack()).to_dict()


def test_a_frontier_is_drawn_with_all_of_its_points() -> None:
    joint = Joint([[0.2, 0.1, 0.1], [0.1, 0.2, 0.3]])
    frontier = mechanisms.greedy_funnel_path(joint)
    chart = plot(frontier)
    assert chart.description.startswith(f"{len(frontier)} designs")
    drawn = {(row["leak"], row["kept"]) for row in shown(chart)}
    assert drawn >= {(float(d.leakage), float(d.utility)) for d in frontier}


def shown(chart: Any) -> list[dict[str, Any]]:
    """Every row of data in a chart."""
    layers = [chart.data, *(layer.data for layer in chart.layer)]
    held = [
        layer.to_dict()["values"]
        for layer in layers
        if not isinstance(layer, altair.utils.schemapi.UndefinedType)
    ]
    return [row for rows in held for row in rows]


def test_what_is_no_result_is_refused() -> None:
    with pytest.raises(ParameterError, match="ndarray"):
        plot(np.zeros(3))


def test_a_drawn_chart_takes_the_colours_of_the_page() -> None:
    drawn = svg(plot(examples.audit()), "it")
    assert f"var(--{TOKENS[ACCENT]},{ACCENT})" in drawn
    assert f'"{ACCENT}"' not in drawn
    assert drawn.count("aria-label=") == 1
    assert drawn.startswith('<svg role="img"')
    assert " style=" not in drawn


def test_parts_of_two_charts_do_not_share_a_name() -> None:
    first, second = (svg(plot(examples.design()), name) for name in ("a", "b"))
    ids = [{part.split('"')[0] for part in drawn.split(' id="')[1:]} for drawn in (first, second)]
    assert not ids[0] & ids[1]


def test_long_names_are_cut_and_stay_apart() -> None:
    long = "a" * 100
    assert len(cut(long)) == 40
    chart = guesses([Bracket(long + "b", 0.5, 0.4, 0.6), Bracket(long + "c", 0.6, 0.5, 0.7)], {"blind": 0.5})
    names = {row["name"] for row in shown(chart) if "name" in row}
    assert len(names) == 2


def test_extreme_factors_and_counts_are_drawn() -> None:
    lift = {"unit": "×", "side": "estimate", "law": "the population", "interval": None}
    rows = [
        {"column": "x", "value": "a", "secret": "s", "records": 30, "lift": {**lift, "value": value}}
        for value in (0.0, 1e-9, 1.0, 1e9, "inf")
    ]
    assert "<svg" in svg(values(rows), "v")
    held = {"edges": [0.0, 1.0, "inf"], "counts": [0, None]}
    assert "few" in svg(odds({"n": 3, "doubled": None, "fewest": 20, "histogram": held}), "o")
