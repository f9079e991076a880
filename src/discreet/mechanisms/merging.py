"""Merging symbols two by two: always the pair that gains most among those that the budget still allows.

A pair is kept by the younger of its two blocks, so a merge makes one row of pairs anew, that of the block it makes,
and only takes pairs away from the others. A block whose best partner is gone keeps the gain it had as an upper
bound, and is looked at again only when that comes to the top. What a pair costs does not change while it exists and
the budget only falls, so a pair that is too dear stays so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from discreet.core.protocols import Array, Codes

LISTED = 16
"""How many partners a block remembers: more cost memory, fewer are looked for again."""

GONE = -1
"""The place of a partner that is gone, the last in the mask of those gone."""

TINY = 1e-300
"""A cell without mass holds so much, whose p log p is nothing beside any other."""

What = Literal["s", "x", "relevance"]
"""What a merge is chosen for: the largest fall of I(S; Y), the largest of I(X; Y), or the smallest of I(S; Y)."""


@dataclass(frozen=True, slots=True)
class Merges:
    """Which symbols were merged, in order, and what each merge took from I(S; Y) and from I(X; Y).

    `second[k]` joins the block of `first[k]`; symbols are positions on the axis of X, and `symbols` are those with
    mass.
    """

    symbols: Codes
    first: Codes
    second: Codes
    drop_s: Array
    drop_x: Array

    def __len__(self) -> int:
        return len(self.first)

    def blocks(self, steps: int, size: int, resting: int) -> Codes:
        """The block of each of `size` symbols after so many merges; those without mass are with `resting`."""
        head = np.full(size, resting)
        head[self.symbols] = self.symbols
        for k in range(steps - 1, -1, -1):
            # a later merge moves the head that an earlier one merged into, so walk back and point to the last head
            head[self.second[k]] = head[self.first[k]]
        head[np.setdiff1d(np.arange(size), self.symbols)] = head[resting]
        return np.unique(head, return_inverse=True)[1].astype(np.int64)


def merge_pairs(p: Array, gain: What, budget: float) -> Merges:
    """Merge the columns of p[s, x] while a pair is left whose cost fits the budget, the pair of the largest gain first.

    gain="s": the gain is the fall of I(S; Y) and the cost the fall of I(X; Y); gain="x": the other way round;
    gain="relevance": as little as possible of I(S; Y) is lost, which is the cost as well.
    O(n²|S|) time in all, about n² pairs looked at; O(n|S|) memory.
    """
    symbols = np.flatnonzero(p.sum(axis=0) > 0)
    state = _Merging(p[:, symbols], gain, budget)
    steps: list[tuple[int, int, float, float]] = []
    while (step := state.next()) is not None:
        steps.append(step)
    first, second, drop_s, drop_x = zip(*steps, strict=True) if steps else ((), (), (), ())
    return Merges(
        symbols,
        symbols[np.array(first, dtype=np.int64)],
        symbols[np.array(second, dtype=np.int64)],
        np.array(drop_s, dtype=np.float64),
        np.array(drop_x, dtype=np.float64),
    )


class _Merging:
    """The blocks left, the youngest first, each with a short list of its best partners among the older ones.

    The pairs of a block that are not on its list gain no more than the last number in its row of `listed`. A new
    block is written in front of the others; from time to time the blocks that are gone are forgotten.
    """

    def __init__(self, columns: Array, gain: What, budget: float) -> None:
        n_s, n = columns.shape
        self.gain, self.budget, self.left, self.front = gain, budget, n, 0
        self.rows = np.vstack([np.maximum(columns, TINY), columns.sum(axis=0)])
        # I(X; Y) is H(Y) and falls by what p log p grows; I(S; Y) falls by that less the fall of H(S, Y)
        self.falls = np.array([[-1.0] * n_s + [1.0], [0.0] * n_s + [1.0]])
        self.known = self.falls @ _x_log_x(self.rows)
        self.symbol, self.gone = np.arange(n), np.arange(n + 1) == n
        self.best, self.place = np.full(n, -np.inf), np.zeros(n, dtype=np.int64)
        self.listed = np.full((n, LISTED + 1), -np.inf)
        self.partner = np.full((n, LISTED), GONE)
        for i in range(n):
            self._look(i)

    def next(self) -> tuple[int, int, float, float] | None:
        """Merge the best pair; its two symbols and the two falls, or None when no pair fits the budget."""
        while self.left > 1:
            i = int(self.best.argmax())
            if self.best[i] == -np.inf:
                return None
            place = int(self.place[i])
            if place == LISTED:
                self._look(i)
                continue
            partner = self.partner[i].tolist()
            step = None if self.gone[partner[place]] else self._merge(i, partner[place])
            if step is not None:
                return step
            place += 1
            while place < LISTED and self.gone[partner[place]]:
                place += 1
            self.place[i], self.best[i] = place, self.listed[i, place]
        return None

    def _look(self, i: int) -> None:
        """List the best partners of a block among the older ones: not those that are gone, nor those too dear."""
        first = i + 1
        drop = self.falls @ _x_log_x(self.rows[:, i, None] + self.rows[:, first:])
        drop -= self.known[:, first:]
        drop -= self.known[:, i, None]
        drop_s, drop_x = drop
        gain = {"s": drop_s, "x": drop_x}.get(self.gain, -drop_s)
        out = (drop_x if self.gain == "s" else drop_s) > self.budget
        out |= self.gone[first:GONE]
        gain[out] = -np.inf
        count = min(gain.size, LISTED + 1)
        top = gain.argpartition(gain.size - count)[-count:] if count < gain.size else np.arange(count)
        top = top[gain[top].argsort()[::-1]]
        self.listed[i, :count], self.listed[i, count:] = gain[top], -np.inf
        self.partner[i, : min(count, LISTED)] = top[:LISTED] + first
        self.place[i], self.best[i] = 0, self.listed[i, 0]

    def _merge(self, i: int, j: int) -> tuple[int, int, float, float] | None:
        """Write the block of i and j in front, and look for its best partners, if the budget allows."""
        merged = self.rows[:, i] + self.rows[:, j]
        known = self.falls @ _x_log_x(merged)
        drop_s, drop_x = (known - self.known[:, i] - self.known[:, j]).tolist()
        cost = drop_x if self.gain == "s" else drop_s
        if cost > self.budget:
            return None
        self.budget -= cost
        self.left -= 1
        step = int(self.symbol[i]), int(self.symbol[j]), drop_s, drop_x
        for old in (i, j):
            self.gone[old], self.best[old], self.place[old] = True, -np.inf, 0
        if self.front == 0:
            self._make_room()
        self.front = new = self.front - 1
        self.rows[:, new], self.known[:, new], self.symbol[new], self.gone[new] = (
            merged,
            known,
            step[0],
            False,
        )
        self._look(new)
        return step

    def _make_room(self) -> None:
        """Forget the blocks that are gone and leave room in front for as many as an eighth of those left."""
        keep = ~self.gone[:GONE]
        room = self.front = keep.sum() // 8 + 1
        place = np.cumsum(keep) - 1 + room
        known = ~self.gone[self.partner]
        self.partner = np.where(known, place[self.partner], GONE)
        for name in ("rows", "known", "symbol"):
            held = getattr(self, name)[..., keep]
            empty = np.zeros((*held.shape[:-1], room), held.dtype)
            setattr(self, name, np.concatenate([empty, held], axis=-1))
        for name in ("best", "place", "listed", "partner"):
            held = getattr(self, name)[keep]
            empty = np.full((room, *held.shape[1:]), -np.inf if held.dtype == float else 0, held.dtype)
            setattr(self, name, np.concatenate([empty, held]))
        self.gone = np.append(np.arange(self.symbol.size) < room, True)


def _x_log_x(v: Array) -> Array:
    made: Array = np.log(v)
    made *= v
    return made
