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

LISTED = 8
"""How many partners a block remembers: more cost memory, fewer are looked for again."""

GONE = -1
BLOCK = 1 << 13
"""Several blocks are looked at together, up to so many numbers."""

TINY = 5e-324

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
    state = _Merging(np.ascontiguousarray(p[:, symbols]), gain, budget)
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
        n = columns.shape[1]
        self.gain, self.budget, self.left, self.front = gain, budget, n, 0
        self.rows = np.vstack([columns, columns.sum(axis=0)])
        self.sign = np.append(np.full(len(columns), -1.0), 1.0)
        self.known = np.stack([_x_log_x(self.rows[-1]), self.sign @ _x_log_x(self.rows)])
        self.symbol, self.alive = np.arange(n), np.ones(n, dtype=bool)
        self.best, self.place = np.full(n, -np.inf), np.zeros(n, dtype=np.int64)
        self.listed = np.full((n, LISTED + 1), -np.inf)
        self.partner = np.full((n, LISTED), GONE)
        together = 1 + BLOCK // self.rows.size
        for i in range(0, n, together):
            self._look(slice(i, min(i + together, n)))

    def next(self) -> tuple[int, int, float, float] | None:
        """Merge the best pair; its two symbols and the two falls, or None when no pair fits the budget."""
        while self.left > 1:
            i = int(self.best.argmax())
            if self.best[i] == -np.inf:
                return None
            place = int(self.place[i])
            if place == LISTED:
                self._look(slice(i, i + 1))
                continue
            j = int(self.partner[i, place])
            if j != GONE and self.alive[j]:
                drop_s, drop_x = (float(drop[0, 0]) for drop in self._drops(slice(i, i + 1), slice(j, j + 1)))
                cost = drop_x if self.gain == "s" else drop_s
                if cost <= self.budget:
                    self.budget -= cost
                    step = (int(self.symbol[i]), int(self.symbol[j]), drop_s, drop_x)
                    self._merge(i, j)
                    return step
            self.place[i] = place + 1
            self.best[i] = self.listed[i, place + 1]
        return None

    def _drops(self, i: slice, k: slice) -> tuple[Array, Array]:
        """The falls of I(S; Y) and of I(X; Y) when each of i is merged with each of k.

        I(X; Y) is H(Y) and falls by what p log p grows; I(S; Y) falls by that less the fall of H(S, Y).
        """
        x_log_x = _x_log_x(self.rows[:, i, None] + self.rows[:, None, k])
        drop_x = x_log_x[-1] - self.known[0, k]
        drop_x -= self.known[0, i, None]
        drop_s = (self.sign @ x_log_x.reshape(self.sign.size, -1)).reshape(drop_x.shape)
        drop_s -= self.known[1, k]
        drop_s -= self.known[1, i, None]
        return drop_s, drop_x

    def _scores(self, i: slice, k: slice) -> Array:
        """The gain of each of i with each of k; −∞ for one that is gone, too dear or younger."""
        drop_s, drop_x = self._drops(i, k)
        fits = (drop_x if self.gain == "s" else drop_s) <= self.budget
        fits &= self.alive[k]
        if len(fits) > 1:
            fits &= np.arange(fits.shape[1]) >= np.arange(len(fits))[:, None]
        gain = {"s": drop_s, "x": drop_x}.get(self.gain, -drop_s)
        gain[~fits] = -np.inf
        return gain

    def _look(self, i: slice) -> None:
        """List the best partners of each of i among the older blocks."""
        first = i.start + 1
        scores = self._scores(i, slice(first, None))
        count = min(scores.shape[1], LISTED + 1)
        row = np.arange(len(scores))[:, None]
        if count == 0:
            self.place[i], self.best[i] = 0, -np.inf
            return
        top = scores.argpartition(scores.shape[1] - count, axis=1)[:, -count:]
        top = top[row, (-scores[row, top]).argsort(axis=1)]
        self.listed[i] = -np.inf
        self.listed[i, :count] = scores[row, top]
        self.partner[i, : min(count, LISTED)] = top[:, :LISTED] + first
        self.place[i], self.best[i] = 0, self.listed[i, 0]

    def _merge(self, i: int, j: int) -> None:
        """Write the block of i and j in front, and look for its best partners."""
        self.alive[[i, j]], self.best[[i, j]], self.place[[i, j]] = False, -np.inf, 0
        self.left -= 1
        merged, symbol = self.rows[:, i] + self.rows[:, j], self.symbol[i]
        if self.front == 0:
            self._make_room()
        self.front -= 1
        new = self.front
        self.rows[:, new], self.symbol[new], self.alive[new] = merged, symbol, True
        x_log_x = _x_log_x(merged)
        self.known[:, new] = x_log_x[-1], self.sign @ x_log_x
        self._look(slice(new, new + 1))

    def _make_room(self) -> None:
        """Forget the blocks that are gone and leave room in front for as many as a quarter of those left."""
        keep = self.alive
        room = self.front = keep.sum() // 4 + 1
        place = np.cumsum(keep) - 1 + room
        known = (self.partner != GONE) & keep[self.partner]
        self.partner = np.where(known, place[self.partner], GONE)
        for name in ("rows", "known", "symbol"):
            held = getattr(self, name)[..., keep]
            empty = np.zeros((*held.shape[:-1], room), held.dtype)
            setattr(self, name, np.concatenate([empty, held], axis=-1))
        for name in ("best", "place", "listed", "partner"):
            held = getattr(self, name)[keep]
            empty = np.full((room, *held.shape[1:]), -np.inf if held.dtype == float else 0, held.dtype)
            setattr(self, name, np.concatenate([empty, held]))
        self.alive = np.arange(self.symbol.size) >= room


def _x_log_x(v: Array) -> Array:
    made: Array = np.log(np.maximum(v, TINY))
    made *= v
    return made
