"""The papers' learned mechanisms on mixed records, each a few lines over the one game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from discreet.core.frontier import Frontier
from discreet.core.samples import Samples
from discreet.measures.arguments import choice
from discreet.mechanisms.learned.arguments import distortions, leaks
from discreet.mechanisms.learned.likeness import Likeness
from discreet.mechanisms.learned.records import Records, played
from discreet.mechanisms.learned.rounds import DEFAULT, Training

if TYPE_CHECKING:
    from discreet.neural.sanitisers import AdditiveNoise, Generator

Family = Literal["generator", "additive_noise"]


def gap(
    samples: Samples,
    budgets: ArrayLike,
    *,
    sees: Literal["x", "sx"] = "x",
    critics: tuple[tuple[int, ...], ...] = ((64, 64),),
    training: Training = DEFAULT,
    rng: np.random.Generator,
) -> Frontier:
    """Learn a release of mixed records within a distortion, one design for each budget, all trained at once.

    min over g of max over critics of   E log p̂(s | g(X, N)) + 4 max(0, E d(X, g(X, N)) − budget)

    d is the share of a record that is lost: 0 untouched, 1 as far away as somebody else's record, the mean over columns;
    `Design.utility` is 1 − d on held-out rows. Numbers move by a residual with noise, categories by a draw, all together
    by one network. The leak is an estimate on held-out rows, in nats, by critics trained afterwards on fresh draws; a
    stronger attacker may find more. `critics` are the hidden layers of each adversary in the game: a weak one is fooled,
    and so are you.

    For an alphabet of a few hundred symbols `least_leakage` is better and quicker.

    References: paper 004, Section II; the penalty is (13).
    """
    from discreet.neural.contest import Contest

    choice("sees", sees, ("x", "sx"))
    records = Records.of(samples, None, training.held_out, rng)
    contest = Contest(
        _family("generator", records, samples.size if sees == "sx" else 0),
        critics=critics,
        utility=_likeness(records),
        constraint="penalty",
    )
    return played(records, contest, distortions(budgets), 4.0, (2500, 512), training, rng)


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

    `useful[i]` is what the receiver needs from record i, 0 and up; the budgets are η. The χ² critic is one adversary as
    others are: for a binary secret it is the best squared loss, and it can be fooled like any other.

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
    )
    return played(records, contest, budgets, price, (2000, 512), training, rng)


def _family(family: Family, records: Records, secrets: int) -> Generator | AdditiveNoise:
    from discreet.neural.sanitisers import AdditiveNoise, Generator

    choice("family", family, ("generator", "additive_noise"))
    if family == "additive_noise":
        return AdditiveNoise(records.layout.width)
    sizes = tuple(size for _, size in records.layout.categories)
    return Generator(len(records.layout.numbers), sizes, secrets)


def _likeness(records: Records) -> Any:
    from discreet.neural.contest import Utility

    numbers, categories = Likeness.of(records.layout, records.matrix[records.own]).weights
    return Utility("distortion", numbers, categories)
