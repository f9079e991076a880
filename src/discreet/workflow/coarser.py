"""Coarser and coarser views of a block of columns: neighbouring ranges joined, a column of names given up whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from discreet import measures
from discreet.core.joint import Joint
from discreet.core.protocols import Codes
from discreet.tables.bins import Bins
from discreet.tables.block import Block, Coding


def coarser(joint: Joint, block: Block) -> Iterator[Codes]:
    """groups[symbol] of ever coarser views, from the block as it is to one group of all.

    At each step one column becomes coarser: the one whose step hides most of I(S; X) for what it forgets of H(X). With
    c columns of k symbols O(c log k) steps of c laws each.
    """
    depth = [0] * len(block.columns)
    groups = _groups(block, depth)
    yield groups
    while groups.max() > 0:
        tried = [
            (_price(joint, groups, _groups(block, _deeper(depth, j))), j)
            for j in range(len(depth))
            if depth[j] < _steps(block.columns[j])
        ]
        depth = _deeper(depth, min(tried)[1])
        groups = _groups(block, depth)
        yield groups


def _deeper(depth: list[int], column: int) -> list[int]:
    return [d + (j == column) for j, d in enumerate(depth)]


def _steps(coding: Coding) -> int:
    """How many steps lead from a column to one group of all its values."""
    return int(np.ceil(np.log2(max(_ranks(coding), 1)))) + 1 if _ordered(coding) else 1


def _groups(block: Block, depth: list[int]) -> Codes:
    """The group of each symbol when each column has gone so many steps."""
    held = np.stack(
        [
            _of_column(coding, depth[j])[block.parts[:, j]] for j, coding in enumerate(block.columns)
        ],
        axis=1,
    )  # fmt: skip
    made: Codes = np.unique(held, axis=0, return_inverse=True)[1].reshape(-1)
    return made


def _of_column(coding: Coding, depth: int) -> Codes:
    """The group of each value: neighbours by twos, fours and so on; last of all the values that have no neighbours."""
    if depth == _steps(coding):
        return np.zeros(coding.size, dtype=np.int64)
    places = np.arange(coding.size)
    return np.where(places < _ranks(coding), places >> depth, coding.size + places)


def _ordered(coding: Coding) -> bool:
    if isinstance(coding, Bins):
        return True
    return len(coding.levels) > 2 and all(isinstance(v, int | float) for v in coding.levels)


def _ranks(coding: Coding) -> int:
    """How many of its symbols stand in an order: all but the rare and the missing."""
    return len(coding.cuts) + 1 if isinstance(coding, Bins) else len(coding.levels)


def _price(joint: Joint, groups: Codes, after: Codes) -> float:
    """What a step forgets of H(X) for each nat about the secret that it hides."""
    (told, kept), (less, left) = (_read(joint, g) for g in (groups, after))
    return (kept - left) / max(told - less, 1e-15)


def _read(joint: Joint, groups: Codes) -> tuple[float, float]:
    merged = np.zeros((joint.p.shape[0], int(groups.max()) + 1))
    np.add.at(merged.T, groups, joint.p.T)
    lift = Joint(merged / merged.sum()).lift()
    return measures.mutual_information(lift).value, measures.entropy(lift.reversed).value
