"""Sending the attackers at one table: each learns, the best is chosen on rows to learn from, held-out rows judge."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from discreet.adversaries import figures
from discreet.adversaries.attacker import Attacker, Student, normal
from discreet.adversaries.desk import Desk
from discreet.adversaries.figures import Hits
from discreet.adversaries.result import Trial
from discreet.adversaries.rows import Division, choosing_rows
from discreet.core.protocols import Array, Codes
from discreet.core.reading import Origin
from discreet.core.samples import Columns, Samples
from discreet.estimators.threads import alone

COMMITTEE = "committee of the best three"

LEARNERS = ("ensemble", "kernel_approximation", "linear_model", "neighbors", "neural_network", "pipeline")
"""What is loaded of scikit-learn before attackers run side by side: threads that load it together see half of it."""

Learnt = Callable[[Codes], Samples]
"""The records to learn from at these rows: as released, and as released again where the mechanism can be run."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What one attacker believes: of the rows on which he may be chosen, and of those that judge him."""

    choosing: Array
    judging: Array


def sent(
    zoo: Sequence[Attacker], samples: Samples, learnt: Learnt, division: Division, *, rng: np.random.Generator
) -> dict[str, Heard]:
    """What every attacker believes, and the committee of the three who did best where they may be compared."""
    for part in LEARNERS:
        import_module(f"sklearn.{part}")
    turns = [*division.turns, (division.learnt, division.judging)]
    believed: dict[str, list[Array]] = {attacker.name: [] for attacker in zoo}
    with quiet(), ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for (fit, asked), stream in zip(turns, rng.spawn(len(turns)), strict=True):
            columns = samples.x.take(asked)
            desk = Desk(learnt(fit), stream, columns)
            jobs = [
                pool.submit(_one, a, desk, columns, own)
                for a, own in zip(zoo, stream.spawn(len(zoo)), strict=True)
            ]
            for attacker, job in zip(zoo, jobs, strict=True):
                believed[attacker.name].append(job.result())
    heard = {name: Heard(np.concatenate(parts[:-1]), parts[-1]) for name, parts in believed.items()}
    if len(zoo) >= 3:
        s = samples.s[choosing_rows(division)]
        right = {name: hits(h.choosing, s).mean() for name, h in heard.items()}
        three = [heard[name] for name in sorted(right, key=right.__getitem__)[-3:]]
        heard[COMMITTEE] = Heard(_together(h.choosing for h in three), _together(h.judging for h in three))
    return heard


def judged(
    heard: Mapping[str, Heard],
    samples: Samples,
    division: Division,
    confidence: float,
    *,
    rng: np.random.Generator,
) -> tuple[Trial, dict[str, Hits]]:
    """The trial, and each attacker's hits on the held-out rows."""
    chosen, blind, prior = _chosen(heard, samples, division)
    s = samples.s[division.judging]
    right = {name: hits(h.judging, s) for name, h in heard.items()}
    origin = {name: origin_of(name, division) for name in heard}
    attackers = {name: figures.hit_rate(right[name], origin[name], confidence) for name in heard}
    best, ranker, fair = (chosen[what] for what in ("guess", "auc", "balanced_guess"))
    balanced = hits(heard[fair].judging / prior, s)
    found = {
        "gain": figures.gain(right[best], s == blind, origin[best], confidence),
        "auc": figures.auc(heard[ranker].judging, s, origin[ranker], confidence),
        "balanced_guess": figures.balanced_guess(balanced, s, samples.size, origin[fair], confidence),
    }
    chance = figures.chance(heard[chosen["belief"]].judging, s, rng=rng)
    return Trial(best, attackers, found, chosen, chance), right


def hits(beliefs: Array, s: Codes) -> Hits:
    """Whether the secret that is believed most is the true one."""
    return np.asarray(beliefs.argmax(axis=1) == s)


def _one(attacker: Attacker, desk: Desk, columns: Columns, rng: np.random.Generator) -> Array:
    with alone():
        if isinstance(attacker, Student):
            guesser = attacker.learn(desk, rng=rng)
        else:
            guesser = attacker.fit(desk.samples, rng=rng)
        return normal(guesser.beliefs(columns))


def _chosen(
    heard: Mapping[str, Heard], samples: Samples, division: Division
) -> tuple[dict[str, str], int, Array]:
    """For each figure the attacker that does best on rows to learn from; the blind guess; the prior."""
    s = samples.s[choosing_rows(division)]
    counts = samples.take(division.learnt).counts
    prior = (counts + 0.5) / (counts.sum() + 0.5 * counts.size)
    none = Origin()
    score: dict[str, Callable[[Array], float]] = {
        "guess": lambda b: float(hits(b, s).mean()) + 1e-6 * _log_score(b, s),
        "belief": lambda b: _log_score(b, s),
        "auc": lambda b: figures.auc(b, s, none, 0.95).value,
        "balanced_guess": lambda b: (
            figures.balanced_guess(hits(b / prior, s), s, samples.size, none, 0.95).value
        ),
    }
    chosen = {what: max(heard, key=lambda name: rate(heard[name].choosing)) for what, rate in score.items()}
    return chosen, int(counts.argmax()), prior


def _log_score(beliefs: Array, s: Codes) -> float:
    return float(np.log(0.99 * beliefs[np.arange(s.size), s] + 0.01 / beliefs.shape[1]).mean())


def _together(beliefs: Iterable[Array]) -> Array:
    total = np.sum([np.log(b) for b in beliefs], axis=0) / 3
    return normal(np.exp(total - total.max(axis=1, keepdims=True)))


def origin_of(name: str, division: Division) -> Origin:
    """Who was judged, by how many rows, and from how many he learnt."""
    method = f"{name}, taught by {division.learnt.size:,} rows"
    return Origin("learned", "the population", n=division.judging.size, method=method)


@contextmanager
def quiet() -> Iterator[None]:
    """A learner that stops before its optimum is still an attacker; what he reaches is measured."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
