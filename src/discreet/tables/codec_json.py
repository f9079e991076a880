"""A codec read back from JSON, and nothing else than a codec: every part is checked against the others."""

from __future__ import annotations

from itertools import pairwise
from math import isclose, prod
from typing import Any

from discreet.tables.arrow_types import nature, type_of
from discreet.tables.bins import Bins
from discreet.tables.block import Block, Coding
from discreet.tables.codec import Codec, Loss
from discreet.tables.levels import Levels
from discreet.tables.record_json import items, maybe, number, scalar, taken, text, truth, whole, wrong

LEVELS = {
    "coding": text,
    "name": text,
    "type": text,
    "levels": items(scalar),
    "weights": items(number),
    "other": truth,
    "missing": truth,
}

BINS = {
    "coding": text,
    "name": text,
    "type": text,
    "cuts": items(number),
    "grain": number,
    "offset": number,
    "knots": items(items(number)),
    "common": items(items(items(number))),
    "weights": items(number),
    "missing": truth,
}


def codec_of(given: Any) -> Codec:
    """The codec that `Codec.to_json` wrote."""
    held = taken(
        given,
        "codec",
        {
            "version": whole,
            "secret": block_of,
            "public": items(block_of),
            "utility": maybe(block_of),
            "order": items(text),
            "loss": _loss,
        },
    )
    if held.pop("version") != 1:
        wrong("codec.version", "a version that this program does not know")
    coded = sorted(name for block in held["public"] for name in block.names)
    if not coded or coded != sorted(held["order"]) or len(set(coded)) != len(coded):
        wrong("codec.order", "not the public columns, each once")
    return Codec(**held)


def block_of(given: Any, what: str = "block") -> Block:
    """The block that `Block.to_json` wrote."""
    held = taken(given, what, {"columns": items(coding_of), "cells": items(whole), "counts": items(whole)})
    columns, cells, counts = held["columns"], held["cells"], held["counts"]
    if not columns or not cells or len(cells) != len(counts) or not sum(counts):
        wrong(what, "no columns, no cells, or not one count for each cell")
    if (
        any(a >= b for a, b in pairwise(cells))
        or cells[-1] >= prod(c.size for c in columns)
        or cells[-1] >= 2**62
    ):
        wrong(f"{what}.cells", "numbers out of order or beyond the alphabet")
    return Block(columns, cells, counts)


def coding_of(given: Any, what: str) -> Coding:
    """The coding of one column."""
    kind = given.get("coding") if isinstance(given, dict) else None
    if kind == "levels":
        held = taken(given, what, LEVELS)
        held.pop("coding")
        return _levels(Levels(**held), what)
    if kind == "bins":
        held = taken(given, what, BINS)
        held.pop("coding")
        held["common"] = tuple(
            tuple((one[0], one[1]) if len(one) == 2 else wrong(what, "no pair") for one in row)
            for row in held["common"]
        )
        return _bins(Bins(**held), what)
    return wrong(what, "neither levels nor bins")


def _levels(made: Levels, what: str) -> Levels:
    kind = type_of(made.type)
    if nature(kind) == "other" or made.size == 0 or len(made.weights) != made.size:
        wrong(what, "no weight for each symbol")
    if len({(type(v), v) for v in made.levels}) != len(made.levels):
        wrong(f"{what}.levels", "a level more than once")
    _shares(made.weights, what)
    made._named  # noqa: B018 — refuses levels that are none of this type
    return made


def _bins(made: Bins, what: str) -> Bins:
    if nature(type_of(made.type)) not in {"number", "date", "boolean"}:
        wrong(f"{what}.type", "a type without numbers")
    if any(a >= b for a, b in pairwise(made.cuts)) or made.grain < 0:
        wrong(what, "borders out of order")
    if len(made.weights) != made.size or not len(made.common) == len(made.knots) == len(made.cuts) + 1:
        wrong(what, "not one weight for each bin")
    if any(len(row) < 2 or any(a > b for a, b in pairwise(row)) for row in made.knots):
        wrong(f"{what}.knots", "values out of order")
    if any(share < 0 for row in made.common for _, share in row) or any(
        sum(s for _, s in row) > 1 + 1e-9 for row in made.common
    ):
        wrong(f"{what}.common", "shares that are none")
    _shares(made.weights, what)
    return made


def _shares(weights: tuple[float, ...], what: str) -> None:
    if any(w < 0 for w in weights) or not isclose(sum(weights), 1, abs_tol=1e-6):
        wrong(f"{what}.weights", "weights that are no shares")


def _loss(given: Any, what: str) -> Loss:
    held = taken(given, what, {"within": _numbers, "moved": items(number), "between": number})
    return Loss(**held)


def _numbers(given: Any, what: str) -> dict[str, float]:
    if not isinstance(given, dict):
        wrong(what, "no object")
    return {text(name, what): number(value, what) for name, value in given.items()}
