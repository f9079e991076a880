"""Many public columns as a few blocks: what belongs together stays together while its alphabet stays small."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from discreet.core.protocols import Codes

LOOKED_AT = 64
"""Beyond so many columns, only those that tell most about the secret are considered for a common block."""

WORTH = 0.01
"""Columns that share less than this, in nats, are not joined."""


@dataclass(frozen=True)
class Limits:
    """A block has at most `most` symbols; each stands for `rare` records at least; `moved` is the share of records
    that may be coded as a near symbol because their own is too rare.
    """

    most: int
    rare: int
    moved: float


def entropy(codes: Codes) -> float:
    """H of these records' codes, in nats."""
    n = _counts(codes) / max(len(codes), 1)
    return float(-(n * np.log(n)).sum())


def shared(a: Codes, b: Codes) -> float:
    """I(A; B) of these records without the bias of finite tables (Miller and Madow), in nats; 0 at least."""
    tables = [_counts(one) for one in (_flat(a, b), a, b)]
    both, one, other = (
        float(np.log(max(len(a), 1)) - (n * np.log(n)).sum() / max(len(a), 1)) for n in tables
    )
    bias = (len(tables[0]) - len(tables[1]) - len(tables[2]) + 1) / (2 * max(len(a), 1))
    return max(one + other - both - bias, 0.0)


def blocks_of(codes: Sequence[Codes], secret: Codes, limits: Limits) -> list[list[int]]:
    """Which columns form a block: joined greedily, the pair of blocks that tell most about each other first."""
    groups: dict[int, list[int]] = {j: [j] for j in range(len(codes))}
    held = dict(enumerate(codes))
    considered = _telling(codes, secret)
    gains = {
        (a, b): shared(codes[a], codes[b]) for i, a in enumerate(considered) for b in considered[i + 1 :]
    }
    while gains:
        a, b = max(gains, key=lambda pair: gains[pair])
        if gains.pop((a, b)) < WORTH:
            break
        both = _joined(held[a], held[b])
        if not fits(both, limits):
            continue
        groups[a] = sorted(groups[a] + groups.pop(b))
        held[a] = both
        gains = {pair: gain for pair, gain in gains.items() if not {a, b} & set(pair)}
        gains |= {(min(a, c), max(a, c)): shared(both, held[c]) for c in considered if c in groups and c != a}
    return sorted(groups.values())


def fits(both: Codes, limits: Limits) -> bool:
    """Whether few combinations are enough, and few records have a rare one."""
    n = _counts(both)
    often = n >= limits.rare
    return bool(often.any() and often.sum() <= limits.most and n[~often].sum() <= limits.moved * n.sum())


def lost_between(blocks: Sequence[Codes]) -> float:
    """Σ H(block) − H(all blocks), in nats, of these records: what the blocks tell about each other."""
    joint = blocks[0]
    for one in blocks[1:]:
        joint = _joined(joint, one)
    return max(sum(map(entropy, blocks)) - entropy(joint), 0.0)


def _telling(codes: Sequence[Codes], secret: Codes) -> list[int]:
    if len(codes) <= LOOKED_AT:
        return list(range(len(codes)))
    told: Callable[[int], float] = lambda j: -shared(codes[j], secret)  # noqa: E731
    return sorted(sorted(range(len(codes)), key=told)[:LOOKED_AT])


def _joined(a: Codes, b: Codes) -> Codes:
    """One code for each pair that occurs."""
    made: Codes = np.unique(_flat(a, b), return_inverse=True)[1].astype(np.int64)
    return made


def _flat(a: Codes, b: Codes) -> Codes:
    return a * (int(b.max(initial=0)) + 1) + b


def _counts(codes: Codes) -> Codes:
    """How often each code occurs, of those that do."""
    if codes.size and codes.max() < max(4 * codes.size, 1 << 16):
        n = np.bincount(codes)
        return n[n > 0]
    return np.unique(codes, return_counts=True)[1]
