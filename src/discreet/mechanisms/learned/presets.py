"""The papers' learned mechanisms on mixed records, each a few lines over the one game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.counts import Counts
from discreet.core.design import Status
from discreet.core.frontier import Frontier
from discreet.core.samples import Samples
from discreet.measures.arguments import choice, order
from discreet.measures.fdiv import mutual_information
from discreet.mechanisms.learned.arguments import distortions, leaks
from discreet.mechanisms.learned.likeness import Likeness
from discreet.mechanisms.learned.records import Records, played
from discreet.mechanisms.learned.rounds import DEFAULT, Training

if TYPE_CHECKING:
    from discreet.neural.sanitisers import AdditiveNoise, Generator

Family = Literal["generator", "additive_noise"]
Adversary = Literal[
    "log_loss", "alpha_loss", "squared", "donsker_varadhan", "nwj", "chi_squared", "kernel_mmd"
]

STILL = -3.0
"""log σ of the numbers' own noise before training where a change has its price."""

SHRINK = 150.0
"""How much critics are shrunk, over the number of records: nothing to tens of thousands, much to a few thousand."""

LOST = 0.1
"""Additive noise that loses more than this share of what it could have kept has failed."""


def gap(
    samples: Samples,
    budgets: ArrayLike,
    *,
    sees: Literal["x", "sx"] = "x",
    adversary: Adversary = "log_loss",
    alpha: float = 2.0,
    critics: tuple[tuple[int, ...], ...] = ((64, 64),),
    training: Training = DEFAULT,
    rng: np.random.Generator,
) -> Frontier:
    """Learn a release of mixed records within a distortion, one design for each budget, all trained at once.

    min over g of max over critics of   E log p̂(s | g(X, N)) + 4 max(0, E d(X, g(X, N)) − budget)

    d is the share of a record's values that change, the mean over columns; a number counts by |x − y| / E |x − x′|, x′
    that of somebody else. `Design.utility` is 1 − d on held-out rows. Numbers move by a residual with noise, categories
    by a draw, all together by one network. The leak is an estimate on held-out rows, in nats, by critics of log-loss
    trained afterwards on fresh draws, whatever the adversary of the game was; a stronger attacker may find more.

    `adversary` is what the game's critics are trained for: "log_loss", "alpha_loss" of order `alpha`, or another bound
    of `neural.critics`; "kernel_mmd" has no critic. `critics` are the hidden layers of each of them: a weak one is
    fooled, and so are you.

    For an alphabet of a few hundred symbols `least_leakage` is better and quicker.

    References: paper 004, Section II; the adversaries are (7) and (12), the penalty is (13).
    """
    from discreet.neural.contest import Contest

    choice("sees", sees, ("x", "sx"))
    choice("adversary", adversary, get_args(Adversary))
    order(alpha)
    records = Records.of(samples, None, training.held_out, rng)
    contest = Contest(
        _family("generator", records, samples.size if sees == "sx" else 0, STILL),
        adversary,
        alpha,
        critics,
        utility=_likeness(records),
        constraint="penalty",
        rates=(3e-3, 3e-3),
        limits=_limits(records),
        knots=records.knots,
        shrink=SHRINK / len(records.own),
    )
    return played(records, contest, distortions(budgets), 4.0, (4000, 512), training, rng)


def chi_squared_sanitiser(
    samples: Samples,
    useful: ArrayLike,
    budgets: ArrayLike,
    *,
    family: Family = "generator",
    price: float = 5.0,
    training: Training = DEFAULT,
    rng: np.random.Generator,
) -> Frontier:
    """Keep what is useful, with χ²(S; Y) within a budget, as a critic of the χ² ratio sees it.

    min over g, decoder of   −E log p̂(u | Y) + price · max(0, √χ̂² − √η)

    `useful[i]` is what the receiver needs from record i, 0 and up; the budgets are η. The χ² critic is one adversary
    as others are: for a binary secret it is the best squared loss, and it can be fooled like any other. In the
    experiment of the paper the log-loss of `budgeted_obfuscation` hides more and keeps more.

    family="additive_noise" is the paper's X + h(N). It has no way to spare U where U and S share directions, and is
    known to bury both: designs that lost more than a tenth of what they could have kept have the status COLLAPSED.

    References: paper 000, Algorithm 1, (21) and (25), with its utility loss as corrected (E11).
    """
    return _useful(
        samples, useful, np.sqrt(leaks(budgets)), "chi_squared", "penalty", family, price, training, rng
    )


def mutual_information_sanitiser(
    samples: Samples,
    useful: ArrayLike,
    budgets: ArrayLike,
    *,
    family: Family = "generator",
    price: float = 5.0,
    training: Training = DEFAULT,
    rng: np.random.Generator,
) -> Frontier:
    """Keep what is useful, with I(S; Y) within a budget, as a Donsker–Varadhan critic sees it.

    min over g, decoder of   −E log p̂(u | Y) + price · max(0, Î − budget)

    References: papers 001 (12) and 003 (19) as corrected (E18), in the game of paper 000.
    """
    return _useful(
        samples, useful, leaks(budgets), "donsker_varadhan", "penalty", family, price, training, rng
    )


def budgeted_obfuscation(
    samples: Samples,
    useful: ArrayLike,
    budgets: ArrayLike,
    *,
    family: Family = "generator",
    price: float = 5.0,
    training: Training = DEFAULT,
    rng: np.random.Generator,
) -> Frontier:
    """Keep what is useful while an adversary of log-loss gains at most so many nats.

    min over g, decoder of   −E log p̂(u | Y)   subject to   max over critics of E log p̂(s | Y) + H(S) ≤ budget

    The constraint is an augmented Lagrangian.

    References: Bertran et al., Adversarially learned representations for information obfuscation and inference, 2019,
    which paper 003 compares with.
    """
    return _useful(samples, useful, leaks(budgets), "log_loss", "lagrangian", family, price, training, rng)


def _useful(
    samples: Samples,
    useful: ArrayLike,
    budgets: Any,
    objective: str,
    constraint: Any,
    family: Family,
    price: float,
    training: Training,
    rng: np.random.Generator,
) -> Frontier:
    from discreet.neural.contest import Contest, Utility

    records = Records.of(samples, useful, training.held_out, rng)
    contest = Contest(
        _family(family, records, 0),
        objective=objective,
        utility=Utility("decoder"),
        aim="loss",
        constraint=constraint,
        limits=_limits(records),
        knots=records.knots,
    )
    found = played(records, contest, budgets, price, (2000, 512), training, rng)
    return _flagged(records, found, rng) if family == "additive_noise" else found


def _flagged(records: Records, found: Frontier, rng: np.random.Generator) -> Frontier:
    """Noise of one law for all is known to bury U with S: designs that kept less than 0.9 (I(U; X) − I(S; U)) of U
    are called collapsed. I(U; X) is what a critic tells from untouched held-out records.
    """
    from discreet.neural.fit import fit_critic

    u, own, kept = records.useful, records.own, records.kept
    assert u is not None  # noqa: S101  # every preset that comes here has it
    size = int(u.max()) + 1
    untouched = fit_critic(
        records.wide[own], u[own], size, held_out=(records.wide[kept], u[kept]), rng=rng
    ).held_out
    both = Counts.of_codes(np.stack([records.samples.s[own], u[own]], axis=1), (records.samples.size, size))
    shared = float(mutual_information(both.joint().lift()))
    least = (1 - LOST) * max(untouched - shared, 0.0)
    return Frontier(
        [
            replace(one, status=Status.COLLAPSED) if one.trace["useful_information"].value < least else one
            for one in found
        ]
    )


def _family(family: Family, records: Records, secrets: int, still: float = -1.0) -> Generator | AdditiveNoise:
    from discreet.neural.sanitisers import AdditiveNoise, Generator

    choice("family", family, ("generator", "additive_noise"))
    if family == "additive_noise":
        return AdditiveNoise(records.layout.width)
    sizes = tuple(size for _, size in records.layout.categories)
    return Generator(len(records.layout.numbers), sizes, secrets, still=still, knots=records.knots)


def _limits(records: Records) -> tuple[tuple[float, float], ...]:
    """What the least and the largest number of each column are to a network."""
    columns = [records.layout.columns[j] for j in records.layout.numbers]
    ends = [one.seen(np.array([one.low, one.high])) for one in columns]
    return tuple((float(low), float(high)) for low, high in ends)


def _likeness(records: Records) -> Any:
    from discreet.neural.contest import Utility

    numbers, categories = Likeness.of(records.layout, records.matrix[records.own]).weights
    return Utility("distortion", numbers, categories)
