"""i(s; x_j | history): what a column tells about the secret to an adversary who knows others, or what was released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.core.errors import AxisError
from discreet.core.protocols import Array
from discreet.core.reading import Origin, Reading, unit_of
from discreet.core.samples import Columns, Samples
from discreet.estimators.fitted import Fitted, Learner
from discreet.estimators.parts import some_of

ROWS = 10_000
FOLDS = 2
WIDEST = 40
"""Products of two features are tried where there are no more features than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """i(s; x_j | h) = log p(s | h, x_j) − log p(s | h) of each record, [secret, record], out of fold and not clipped.

    `information` is its mean over the records as they are, I(S; X_j | H): an estimate. `rows` are the records' places.
    """

    columns: tuple[str, ...]
    history: tuple[str, ...]
    log_lift: Array
    information: Reading
    rows: NDArray[np.int64]


def conditional_density(
    samples: Samples,
    columns: str | Sequence[str],
    history: Sequence[str] | Columns = (),
    *,
    learner: Learner | None = None,
    rng: np.random.Generator,
) -> Conditional:
    """What these columns tell beyond the history: names of columns of the records, or what was released of them.

    Two calibrated models of the whole conditional law, one with the columns and one without, on the same folds; their
    difference is taken before anything is clipped, since clipped terms do not obey the chain rule (errata E35). Where
    a release came before, give it as Columns in the order of the records: judged by the raw columns instead, a column
    that repeats an earlier one tells nothing and would go out in clear (errata E33). O(records).

    >>> rng = np.random.default_rng(0)
    >>> first, second = rng.integers(0, 2, (2, 2000))
    >>> x = Columns.of_array(np.column_stack([first, second]))
    >>> told = conditional_density(Samples(x, first ^ second), "x1", ["x0"], rng=rng)
    >>> round(told.information.value, 1)
    0.7

    References: paper 003, Definition 2, equation (14) and Theorem 3.
    """
    wanted = (columns,) if isinstance(columns, str) else tuple(columns)
    before = _history(samples, history)
    rows = some_of(samples.n, ROWS, rng)
    known = tuple(f"known: {name}" for name in before.names) if before is not None else ()
    both = [samples.x[name] for name in wanted]
    if before is not None:
        both += [_renamed(before, name, new) for name, new in zip(before.names, known, strict=True)]
    joint = Samples(Columns(both), samples.s, samples.axes[0], samples.size).take(rows)
    seed = int(rng.integers(2**63))
    whole = _fit(joint, learner, seed).held_out.log_lift
    part = _fit(joint.select(known), learner, seed).held_out.log_lift if known else np.zeros_like(whole)
    with np.errstate(invalid="ignore"):
        log_lift = np.where(np.isneginf(part), 0.0, whole - part)
    value = max(float(log_lift[joint.s, np.arange(joint.n)].mean()), 0.0)
    name = "mutual_information" + (f" given {', '.join(before.names)}" if before is not None else "")
    origin = Origin("learned", "the population", joint.n, method="two conditional models")
    reading = Reading(value, unit_of("mutual_information"), name, "estimate", origin=origin)
    return Conditional(wanted, before.names if before is not None else (), log_lift, reading, rows)


def _history(samples: Samples, history: Sequence[str] | Columns) -> Columns | None:
    if not isinstance(history, Columns):
        return samples.x.select(list(history)) if len(history) else None
    if history.n != samples.n:
        raise AxisError(
            "a released history with one row a record",
            f"{history.n} rows for {samples.n} records",
            "give the release in the order of the records",
        )
    return history


def _renamed(columns: Columns, name: str, new: str) -> object:
    from discreet.core.samples import Column

    own = columns[name]
    return Column(new, own.values, own.levels)


def _fit(samples: Samples, learner: Learner | None, seed: int) -> Fitted:
    """The same folds for the same seed, whatever the columns."""
    return (Quick() if learner is None else learner).fit(samples, rng=np.random.default_rng(seed))


@dataclass(frozen=True, slots=True)
class Quick:
    """A small stack for many fits: logistic regression of degree 1 and 2, small trees, counts where they suffice."""

    folds: int = FOLDS

    def fit(self, samples: Samples, *, rng: np.random.Generator) -> Fitted:
        """Learn the lift from these records."""
        from discreet.estimators.families.counting import CountFamily
        from discreet.estimators.families.logistic import LogisticFamily
        from discreet.estimators.families.trees import TreeFamily
        from discreet.estimators.learning import learn

        families = (
            LogisticFamily("linear", (30.0,)),
            LogisticFamily("products", (30.0,), WIDEST),
            TreeFamily(8),
            CountFamily(),
        )
        return learn(samples, families, method="quick stack", rng=rng, folds=self.folds)
