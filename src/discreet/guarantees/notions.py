"""Privacy notions: each measure's name in CamelCase, with its parameters. A notion is a statement; it may be false.

`direction="release"` compares p(y | s) with p(y), "prior" p(y) with p(y | s); `over="mean"` averages over the secrets,
"worst" holds for each of them. Paper 000 calls direction="prior", over="worst" the strong form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from discreet.guarantees.statement import Direction, Over, Statement

# ------------------------------------------------------------------------------- how far from independence


@dataclass(frozen=True)
class MutualInformation(Statement):
    """I(S; Y) ≤ eta, in nats."""

    noun = "mutual information"
    says = "{divergence} is at most {eta} nats{whom}"
    symbol = "I"
    eta: float
    direction: Direction = "release"
    over: Over = "mean"


@dataclass(frozen=True)
class TotalVariation(Statement):
    """½ Σ p(s) p(y) |l − 1| ≤ eta, between 0 and 1."""

    noun = "total variation"
    says = "{divergence} is at most {eta}{whom}"
    symbol = "TV"
    most = 1.0
    symmetric = True
    eta: float
    direction: Direction = "release"
    over: Over = "mean"


@dataclass(frozen=True)
class ChiSquared(Statement):
    """χ²(S; Y) ≤ eta.

    >>> ChiSquared(eta=.01).words
    'χ²(S;Y) is at most 0.01'
    >>> ChiSquared(eta=.01, direction="prior", over="worst").words
    'χ² of p(y) from p(y|s) is at most 0.01 for every s'
    """

    noun = "χ²"
    says = "{divergence} is at most {eta}{whom}"
    symbol = "χ²"
    eta: float
    direction: Direction = "release"
    over: Over = "mean"


@dataclass(frozen=True)
class Hellinger(Statement):
    """½ Σ p(s) p(y) (√l − 1)² ≤ eta, between 0 and 1."""

    noun = "squared Hellinger distance"
    says = "{divergence} is at most {eta}{whom}"
    symbol = "H²"
    most = 1.0
    symmetric = True
    eta: float
    direction: Direction = "release"
    over: Over = "mean"


@dataclass(frozen=True)
class FInformation(Statement):
    """Σ p(s) p(y) f(l) ≤ eta for a convex f with f(1) = 0, which takes and gives arrays."""

    noun = "f-information"
    says = "{divergence} is at most {eta}{whom}"
    symbol = "I_f"
    free: ClassVar[Mapping[str, int]] = {"f": 0}
    f: Callable[[Any], Any]
    eta: float
    direction: Direction = "release"
    over: Over = "mean"


@dataclass(frozen=True)
class EGamma(Statement):
    """E_γ ≤ eta: no event is more than γ times as likely as with nothing released, plus eta."""

    noun = "E_γ"
    says = "{divergence} is at most {eta}{whom}"
    symbol = "E_{gamma}"
    most = 1.0
    free: ClassVar[Mapping[str, int]] = {"gamma": 1}
    gamma: float
    eta: float
    direction: Direction = "release"
    over: Over = "worst"


@dataclass(frozen=True)
class Tail(Statement):
    """P(i > t) ≤ delta, or P(i < −t) on the lower side, of the log-lift i.

    `direction` says under which law: "release" p(y | s), "prior" p(y); over="mean" takes the joint or the product law.
    """

    noun = "tail of the log-lift"
    says = "under {law} the log-lift {side}{t} with probability at most {delta} {over}"
    bound = "delta"
    most = 1.0
    free: ClassVar[Mapping[str, int]] = {"t": 1}
    processing = False
    t: float
    delta: float
    side: Literal["upper", "lower"] = "upper"
    direction: Direction = "release"
    over: Over = "worst"


# ------------------------------------------------------------------------------------------ orders of information


@dataclass(frozen=True)
class Sibson(Statement):
    """Sibson's information of order alpha is at most eta, in nats."""

    noun = "Sibson's information"
    says = "Sibson's information of order {alpha} is at most {eta} nats"
    free: ClassVar[Mapping[str, int]] = {"alpha": -1}
    alpha: float
    eta: float


@dataclass(frozen=True)
class Arimoto(Statement):
    """H_α(S) − H_α(S | Y) ≤ eta, in nats."""

    noun = "Arimoto's information"
    says = "Arimoto's information of order {alpha} is at most {eta} nats"
    free: ClassVar[Mapping[str, int]] = {"alpha": 0}
    alpha: float
    eta: float


@dataclass(frozen=True)
class Renyi(Statement):
    """The Rényi divergence of order alpha of the joint law from the product is at most eta, in nats."""

    noun = "Rényi divergence"
    says = "the Rényi divergence of order {alpha} from independence is at most {eta} nats"
    free: ClassVar[Mapping[str, int]] = {"alpha": -1}
    alpha: float
    eta: float


@dataclass(frozen=True)
class MaximalLeakage(Statement):
    """log Σ_y max_s p(y | s) ≤ eta."""

    noun = "maximal leakage"
    says = "any function of the secret is guessed right at most {times} times as often as blindly"
    eta: float


@dataclass(frozen=True)
class MinEntropyLeakage(Statement):
    """log of the guessing probability over max p(s) ≤ eta."""

    noun = "min-entropy leakage"
    says = "the secret is guessed right at most {times} times as often as blindly"
    eta: float


@dataclass(frozen=True)
class MaximalCorrelation(Statement):
    """ρ_m(S; Y) ≤ eta."""

    noun = "maximal correlation"
    says = "no function of the release correlates with one of the secret by more than {eta}"
    most = 1.0
    eta: float


# ------------------------------------------------------------------------------------------------ the worst cell


@dataclass(frozen=True)
class LiftPrivacy(Statement):
    """sup |log l| ≤ eps: ε-lift privacy, which paper 000 calls ε-information privacy."""

    noun = "lift privacy"
    says = "the posterior always stays within a factor e^±{eps} of the prior"
    bound = "eps"
    eps: float


@dataclass(frozen=True)
class LocalPrivacy(Statement):
    """p(y | s) ≤ e^eps p(y | s′) for every y, s and s′."""

    noun = "local privacy"
    says = "no release shifts the odds between two secrets by more than a factor e^{eps}"
    bound = "eps"
    eps: float


@dataclass(frozen=True)
class InformationPrivacy(Statement):
    """P(|log l| > eps) ≤ delta; strong: p_Y of the releases with such a cell, possible or not, is at most delta.

    >>> InformationPrivacy(eps=.5, delta=.039).words
    'with probability at least 0.961 the posterior of the true secret stays within a factor e^±0.5 of its prior'
    """

    noun = "information privacy"
    says = (
        "with probability at least {surely} the posterior {strong} "
        "stays within a factor e^±{eps} of its prior"
    )
    bound = "delta"
    most = 1.0
    free: ClassVar[Mapping[str, int]] = {"eps": 1}
    processing = False
    eps: float
    delta: float
    strong: bool = False


@dataclass(frozen=True)
class DifferentialPrivacy(Statement):
    """P(A | s) ≤ e^eps P(A | s′) + delta for every event A and every two secrets."""

    noun = "differential privacy"
    says = "between any two secrets the release is ({eps}, {delta})-differentially private"
    bound = "delta"
    most = 1.0
    free: ClassVar[Mapping[str, int]] = {"eps": 1}
    eps: float
    delta: float


# --------------------------------------------------------------------------------------------------- an adversary


@dataclass(frozen=True)
class GuessingProbability(Statement):
    """Σ_y max_s p(s, y) ≤ eta."""

    noun = "guessing probability"
    says = "no adversary guesses the secret right with probability above {eta}"
    most = 1.0
    eta: float


@dataclass(frozen=True)
class InferenceGain(Statement):
    """The release saves an adversary at most eta of his expected cost; cost="any" is any cost of the stated range."""

    noun = "inference gain"
    says = "the release saves an adversary at most {eta} of his expected cost, for {cost}"
    eta: float
    cost: Literal["any", "log", "zero_one", "brier", "table"] = "any"


@dataclass(frozen=True)
class Mmse(Statement):
    """The mean square error of every estimate of the secret, a number, is at least eta: larger is more private."""

    noun = "least mean square error"
    says = "every estimate of the secret has a mean square error of at least {eta}"
    at_least = True
    eta: float


# ------------------------------------------------------------------------------------------- mechanisms by design


@dataclass(frozen=True)
class Contraction(Statement):
    """I(S; Y) ≤ eta I(S; X) for every S and every law: the channel's contraction coefficient is at most eta."""

    noun = "contraction"
    says = "the channel keeps at most a share {eta} of any information about its input"
    most = 1.0
    channel = True
    eta: float


@dataclass(frozen=True)
class Dobrushin(Statement):
    """Any two rows p(y | x) of the channel are at most eta apart in total variation."""

    noun = "Dobrushin's coefficient"
    says = "any two rows of the channel are at most {eta} apart in total variation"
    most = 1.0
    channel = True
    eta: float


@dataclass(frozen=True)
class Doeblin(Statement):
    """Σ_y min_x p(y | x) ≥ eta: larger is more private."""

    noun = "Doeblin's coefficient"
    says = "the channel ignores its input with probability at least {eta}"
    at_least = True
    most = 1.0
    channel = True
    eta: float


@dataclass(frozen=True)
class GaussianNoise(Statement):
    """Every record, a vector in a set of this diameter, gets Gaussian noise of this deviation in each coordinate."""

    noun = "Gaussian noise"
    says = "every record of a set of diameter {diameter} gets Gaussian noise of deviation {deviation}"
    bound = "deviation"
    at_least = True
    free: ClassVar[Mapping[str, int]] = {"diameter": 1}
    channel = True
    deviation: float
    diameter: float


@dataclass(frozen=True)
class FlaggedNoise(Statement):
    """Records with |i(s, x)| > eps for some s, a set of this diameter, get Gaussian noise; no others do.

    The flags must be computed on what has been released before, not on the raw columns.
    """

    noun = "Gaussian noise on flagged records"
    says = (
        "records whose log-lift exceeds {eps}, a set of diameter {diameter}, "
        "get Gaussian noise of deviation {deviation}, and no others do"
    )
    bound = "deviation"
    at_least = True
    free: ClassVar[Mapping[str, int]] = {"diameter": 1, "eps": 0}
    processing = False
    deviation: float
    diameter: float
    eps: float


@dataclass(frozen=True)
class Watchdog(Statement):
    """Symbols with |i(s, x)| ≤ eps for every s are released; for all others one draws from a law of other symbols."""

    noun = "watchdog"
    says = "symbols whose log-lift exceeds {eps} are replaced by draws that do not depend on them"
    bound = "eps"
    processing = False
    eps: float


NOTIONS: tuple[type[Statement], ...] = (
    MutualInformation,
    TotalVariation,
    ChiSquared,
    Hellinger,
    FInformation,
    EGamma,
    Tail,
    Sibson,
    Arimoto,
    Renyi,
    MaximalLeakage,
    MinEntropyLeakage,
    MaximalCorrelation,
    LiftPrivacy,
    LocalPrivacy,
    InformationPrivacy,
    DifferentialPrivacy,
    GuessingProbability,
    InferenceGain,
    Mmse,
    Contraction,
    Dobrushin,
    Doeblin,
    GaussianNoise,
    FlaggedNoise,
    Watchdog,
)
"""Every notion that the table of implications knows."""
