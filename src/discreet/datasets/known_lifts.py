"""Records drawn from laws whose lift is known in closed form: what estimators are judged by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.core.axis import Axis
from discreet.core.protocols import Array, Codes
from discreet.core.samples import Column, Columns, Samples

Draw = Callable[[int, np.random.Generator], tuple[Columns, Array, Array]]
"""From how many records to the columns, p(s | x)[row, secret] and p(s)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A law of records and secret, and how many records are customary."""

    name: str
    n: int
    law: Draw

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Samples, Array]:
        """Records with their secrets, and the true log-lift [secret, record]."""
        x, posterior, p_s = self.law(n, rng)
        s = drawn(posterior, rng)
        with np.errstate(divide="ignore"):
            true = np.log(posterior.T) - np.log(p_s)[:, None]
        return Samples(x, s, Axis("s", labels=tuple(range(p_s.size)))), true


def drawn(posterior: Array, rng: np.random.Generator) -> Codes:
    """A secret for each record."""
    u = rng.random(len(posterior))[:, None]
    found: Codes = np.minimum((np.cumsum(posterior, axis=1) < u).sum(axis=1), posterior.shape[1] - 1)
    return found


def _even(score: Array) -> Array:
    """p(s | x) of two secrets from the log-odds."""
    p = 1 / (1 + np.exp(-score))
    return np.column_stack([1 - p, p])


HALF = np.array([0.5, 0.5])


def normals(p_s: list[float], means: Array, covariances: Array) -> Draw:
    """A normal law for each secret."""
    prior = np.array(p_s)

    def law(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
        d = means.shape[1]
        s = rng.choice(prior.size, n, p=prior)
        roots = [np.linalg.cholesky(c) for c in covariances]
        z = rng.normal(size=(n, d))
        x = means[s] + np.stack([z @ r.T for r in roots])[s, np.arange(n)]
        log = np.empty((n, prior.size))
        for k, root in enumerate(roots):
            white = np.linalg.solve(root, (x - means[k]).T)
            log[:, k] = np.log(prior[k]) - 0.5 * (white**2).sum(axis=0) - np.log(np.diag(root)).sum()
        log -= log.max(axis=1, keepdims=True)
        p = np.exp(log)
        return Columns.of_array(x), p / p.sum(axis=1, keepdims=True), prior

    return law


def _spread(d: int, seed: int, strength: float) -> Array:
    """A covariance matrix, the same every time."""
    a = np.random.default_rng(seed).normal(size=(d, d)) * strength / np.sqrt(d)
    matrix: Array = np.eye(d) + a @ a.T
    return matrix


def rings(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """Four rings of the plane, by turns of either secret."""
    x = rng.normal(size=(n, 2)) * 2
    mass = np.exp(-(np.hypot(*x.T) ** 2) / 8)  # uniform on [0, 1]
    return Columns.of_array(x), _even(3 * np.sin(4 * np.pi * mass)), HALF


def three_flags(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """The exclusive or of three of five flags, told truly nine times in ten."""
    flags = rng.integers(0, 2, size=(n, 5))
    odd = flags[:, :3].sum(axis=1) % 2
    columns = [Column(f"flag{j}", flags[:, j], levels=("no", "yes")) for j in range(5)]
    return Columns(columns), _even(np.log(9) * (2.0 * odd - 1)), HALF


def three_signs(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """The product of the signs of three numbers."""
    x = rng.normal(size=(n, 3))
    return Columns.of_array(x), _even(2 * np.sign(x.prod(axis=1))), HALF


def many_levels(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """A category of 500 levels, each with its own odds, beside a number."""
    levels = 500
    odds = np.random.default_rng(7).normal(size=levels)
    odds = np.concatenate([odds[: levels // 2], -odds[: levels // 2]])
    code = rng.integers(0, levels, n)
    z = rng.normal(size=n)
    x = Columns([Column("place", code, levels=tuple(f"p{i:03d}" for i in range(levels))), Column("z", z)])
    return x, _even(odds[code] + 0.7 * z), HALF


def heavy_tails(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """Two Cauchy columns that are moved and stretched by the secret."""
    s = rng.integers(0, 2, n)
    width = np.array([1.0, 2.0])
    move = np.array([0.0, 1.5])
    x = move[s][:, None] + width[s][:, None] * rng.standard_cauchy((n, 2))
    log = np.stack(
        [(np.log(width[k]) - np.log(width[k] ** 2 + (x - move[k]) ** 2)).sum(axis=1) for k in (0, 1)]
    )
    return Columns.of_array(x), _even(log[1] - log[0]), HALF


def seasons(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """A date over 52 weeks of four years: the season and the weekend tell."""
    day = rng.integers(0, 1456, n)
    weekday = day % 7
    score = 1.5 * np.sin(2 * np.pi * day / 364) + np.where(weekday < 2, 1.0, -0.4)
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    weeks = tuple(range(13))
    x = [
        Column("when", day),
        Column("when (weekday)", weekday, levels=names),
        Column("when (month)", day % 364 // 28, levels=weeks),
    ]
    p = _even(score)
    every = np.arange(1456)
    whole = _even(1.5 * np.sin(2 * np.pi * every / 364) + np.where(every % 7 < 2, 1.0, -0.4)).mean(axis=0)
    return Columns(x), p, whole


def net(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """Eight binary variables of a small network; the secret is one that all others hang on."""
    s = rng.integers(0, 2, n)
    strength = np.array([0.9, 0.6, 0.4])
    x: list[Codes] = []
    log = np.zeros(n)
    for j in range(7):
        parent = x[j - 1] if j else np.zeros(n, dtype=np.int64)
        at = [
            strength[j % 3] * (2 * k - 1) * np.where(parent == 1, 1.0, -0.5) + 0.5 * parent - 0.2
            for k in (0, 1)
        ]
        p1 = [1 / (1 + np.exp(-a)) for a in at]
        own = (rng.random(n) < np.where(s == 1, p1[1], p1[0])).astype(np.int64)
        log += np.log(np.where(own == 1, p1[1], 1 - p1[1])) - np.log(np.where(own == 1, p1[0], 1 - p1[0]))
        x.append(own)
    return Columns([Column(f"v{j}", c, levels=("0", "1")) for j, c in enumerate(x)]), _even(log), HALF


def mixed(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """Numbers and categories that change each other's meaning."""
    z = rng.normal(size=(n, 3))
    kind = rng.integers(0, 4, n)
    flag = rng.integers(0, 2, n)
    slope = np.array([1.5, -1.5, 0.5, -0.5])[kind]
    score = slope * z[:, 0] + (2 * flag - 1) * z[:, 1]
    columns = [Column(f"z{j}", z[:, j]) for j in range(3)]
    columns += [Column("kind", kind, levels=tuple("abcd")), Column("flag", flag, levels=(False, True))]
    return Columns(columns), _even(score), HALF


def board(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """A board of 4 × 4 fields, black and white by turns."""
    x = rng.random((n, 2))
    dark = np.floor(4 * x).sum(axis=1) % 2
    return Columns.of_array(x), _even(2 * (2 * dark - 1)), HALF


def wave(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """A sine of three periods."""
    x = rng.random(n)
    return Columns.of_array(x), _even(2 * np.sin(6 * np.pi * x)), HALF


def steps(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """Odds that jump at thresholds of two numbers, among six."""
    x = rng.random((n, 6))
    score = 1.5 * np.sign(x[:, 0] - 0.5) + 1.0 * np.sign(x[:, 1] - 0.5) * (x[:, 0] > 0.5)
    return Columns.of_array(x), _even(score), _even(np.array([2.5, 0.5, -1.5, -1.5])).mean(axis=0)


def coded(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """A whole number that is no quantity but a code, beside one that is."""
    odds = np.random.default_rng(3).permutation(np.concatenate([np.full(10, 1.5), np.full(10, -1.5)]))
    code, age = rng.integers(0, 20, n), rng.integers(0, 60, n)
    x = Columns([Column("code", code), Column("age", age)])
    return x, _even(odds[code] + 0.04 * (age - 29.5)), HALF


def gaps(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """A number that is missing more often under one secret."""
    z = rng.normal(size=(n, 2))
    p_gap = np.array([0.1, 0.4])
    s = rng.integers(0, 2, n)
    gap = rng.random(n) < p_gap[s]
    x0 = np.where(gap, np.nan, z[:, 0] + s)
    log = np.where(gap, np.log(4), np.log(0.6 / 0.9) + np.where(gap, 0, x0) - 0.5)
    return Columns([Column("x0", x0), Column("x1", z[:, 1])]), _even(log), HALF


def nothing(n: int, rng: np.random.Generator) -> tuple[Columns, Array, Array]:
    """Five columns that tell nothing."""
    x = [Column(f"z{j}", rng.normal(size=n)) for j in range(3)]
    x += [Column("kind", rng.integers(0, 6, n), levels=tuple("abcdef")), Column("count", rng.poisson(3, n))]
    return Columns(x), np.full((n, 3), [0.5, 0.3, 0.2]), np.array([0.5, 0.3, 0.2])


def _line(d: int, step: float) -> Array:
    return np.stack([np.zeros(d), np.full(d, step)])


PLANE = np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.5], [-1.0, -1.0]])
WIDTHS = np.stack([np.eye(2), np.eye(2) * 0.5, np.eye(2), np.eye(2) * 2])
RARE = np.array([[0.0, 0.0, 0.0], [1.2, 0.8, 0.0]])


def _two(d: int, step: float, second: Array, p_s: float = 0.5) -> Draw:
    """Two normal laws in d dimensions, the first a standard one."""
    return normals([p_s, 1 - p_s], _line(d, step), np.stack([np.eye(d), second]))


PROBLEMS: tuple[Problem, ...] = (
    Problem("one normal number", 1000, _two(1, 1.0, 2 * np.eye(1))),
    Problem("normal, 5-d, covariances", 5000, _two(5, 0.2, _spread(5, 1, 1.0))),
    Problem("normal, 20-d, shift", 5000, _two(20, 0.2, np.eye(20), 0.6)),
    Problem("normal, 20-d, covariances", 50_000, _two(20, 0.1, _spread(20, 2, 0.5))),
    Problem("four secrets in the plane", 4000, normals([0.4, 0.3, 0.2, 0.1], PLANE, WIDTHS)),
    Problem("one secret in a hundred", 20_000, normals([0.99, 0.01], RARE, np.stack([np.eye(3)] * 2))),
    Problem("rings", 3000, rings),
    Problem("exclusive or of three flags", 5000, three_flags),
    Problem("product of three signs", 8000, three_signs),
    Problem("500 levels", 20_000, many_levels),
    Problem("heavy tails", 3000, heavy_tails),
    Problem("dates", 5000, seasons),
    Problem("network of eight", 5000, net),
    Problem("mixed columns", 5000, mixed),
    Problem("board of sixteen fields", 8000, board),
    Problem("wave", 2000, wave),
    Problem("thresholds", 4000, steps),
    Problem("codes that look like numbers", 4000, coded),
    Problem("telling gaps", 3000, gaps),
    Problem("nothing", 3000, nothing),
)
"""Twenty laws: some suit logistic regression, some trees, some networks, some none of them."""


def problem(name: str) -> Problem:
    """The problem of this name."""
    return next(p for p in PROBLEMS if p.name == name)
