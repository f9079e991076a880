"""What an adversary can do who guesses, estimates, or pays any other cost: paper 002, Theorem 1, and its like."""

from __future__ import annotations

from math import asin, pi, sin, sqrt

from discreet.guarantees.implication import row
from discreet.guarantees.notions import (
    ChiSquared,
    EGamma,
    GuessingProbability,
    Hellinger,
    InferenceGain,
    MaximalCorrelation,
    Mmse,
    MutualInformation,
    TotalVariation,
)
from discreet.guarantees.sharp import kl_guess
from discreet.guarantees.statement import kind

TWO_OUTCOMES = "two outcomes, right and wrong; data processing"


def _turned(eta: float, top: float) -> float:
    """The coin whose root is turned from that of `top` by the angle of a Hellinger distance eta."""
    angle = asin(sqrt(top)) + 2 * asin(sqrt(eta / 2))
    return sin(angle) ** 2 if angle < pi / 2 else 1.0


DETECTION = (
    row(
        "guess-from-e-gamma",
        kind(EGamma, over="mean"),
        GuessingProbability,
        lambda gamma, eta, p_s: gamma * p_s.max() + eta,
        formula=r"V \le \gamma \max p_S + \eta",
        cite="T3b, replaces paper 000, Lemma 2",
        tight=True,
    ),
    row(
        "guess-from-information",
        MutualInformation,
        GuessingProbability,
        lambda eta, p_s: kl_guess(eta, p_s.max()),
        formula=r"d(V \,\|\, \max p_S) \le \eta",
        cite=f"{TWO_OUTCOMES}; Fano's inequality where p(s) is uniform",
        tight=True,
    ),
    row(
        "guess-from-chi-squared",
        ChiSquared,
        GuessingProbability,
        lambda eta, p_s: p_s.max() + sqrt(eta * p_s.max() * (1 - p_s.max())),
        formula=r"V \le m + \sqrt{\eta\, m(1-m)},\; m = \max p_S",
        cite=TWO_OUTCOMES,
        tight=True,
    ),
    row(
        "guess-from-tv",
        TotalVariation,
        GuessingProbability,
        lambda eta, p_s: p_s.max() + eta,
        formula=r"V \le \max p_S + \eta",
        cite=TWO_OUTCOMES,
        tight=True,
    ),
    row(
        "guess-from-hellinger",
        Hellinger,
        GuessingProbability,
        lambda eta, p_s: _turned(eta, p_s.max()),
        formula=r"V \le \sin^2\bigl(\arcsin\sqrt{m} + \arccos(1-\eta)\bigr),\; m = \max p_S",
        cite=TWO_OUTCOMES,
        tight=True,
    ),
    row(
        "guess-from-correlation",
        MaximalCorrelation,
        GuessingProbability,
        lambda eta, p_s: p_s.max() + eta * sqrt((1 - float((p_s**2).sum())) * (1 - 1 / len(p_s))),
        formula=r"V \le m + \rho \sqrt{(1 - \textstyle\sum_s p(s)^2)(1 - 1/|S|)},\; m = \max p_S",
        cite="after Calmon et al. (2017)",
        tight=True,
    ),
)

ANY_COST = (
    row(
        "gain-from-tv",
        TotalVariation,
        InferenceGain,
        lambda eta, cost_range: cost_range * eta,
        formula=r"\Delta C \le (\sup C - \inf C)\, \eta",
        cite="T4, before Pinsker's inequality",
        domain="costs within cost_range of one another",
        tight=True,
    ),
    row(
        "theorem-1",
        MutualInformation,
        InferenceGain,
        lambda eta, cost_range: cost_range * sqrt(eta / 2),
        formula=r"\Delta C \le (\sup C - \inf C) \sqrt{\eta/2}",
        cite="T4, replaces paper 002, Theorem 1",
        domain="costs within cost_range of one another",
        tight=True,
    ),
    row(
        "theorem-1-printed",
        MutualInformation,
        InferenceGain,
        lambda eta, cost_top: 2 * sqrt(2) * cost_top * sqrt(eta),
        formula=r"\Delta C \le 2\sqrt2\, L \sqrt{\eta},\; L = \sup|C|",
        cite="paper 002, Theorem 1; E20",
        domain="costs of at most cost_top in size",
        printed=True,
    ),
    row(
        "gain-of-log-loss",
        MutualInformation,
        kind(InferenceGain, cost="log"),
        lambda eta: eta,
        formula=r"\Delta C_{\log} = I",
        cite="paper 002, Lemma 1",
        tight=True,
    ),
    row(
        "information-from-log-loss",
        kind(InferenceGain, cost="log"),
        MutualInformation,
        lambda eta: eta,
        formula=r"I = \Delta C_{\log}",
        cite="paper 002, Lemma 1",
        tight=True,
    ),
    row(
        "gain-of-a-guess",
        GuessingProbability,
        kind(InferenceGain, cost="zero_one"),
        lambda eta, p_s: max(eta - p_s.max(), 0.0),
        formula=r"\Delta C_{01} = V - \max p_S",
        cite="definition",
        tight=True,
    ),
    row(
        "guess-from-gain",
        kind(InferenceGain, cost="zero_one"),
        GuessingProbability,
        lambda eta, p_s: eta + p_s.max(),
        formula=r"V = \max p_S + \Delta C_{01}",
        cite="definition",
        tight=True,
    ),
    row(
        "gain-of-a-guess-from-tv",
        TotalVariation,
        kind(InferenceGain, cost="zero_one"),
        lambda eta: eta,
        formula=r"\Delta C_{01} \le \eta",
        cite="T4, before Pinsker's inequality, with costs of 0 and 1",
        tight=True,
    ),
    row(
        "gain-of-a-table",
        InferenceGain,
        kind(InferenceGain, cost="table"),
        lambda eta: eta,
        formula=r"\Delta C_{\mathrm{table}} \le \eta",
        cite="one of the costs within the stated range",
    ),
    row(
        "gain-of-brier-score-from-information",
        MutualInformation,
        kind(InferenceGain, cost="brier"),
        lambda eta: eta,
        formula=r"\Delta C_{\mathrm{Brier}} \le 2\, \mathrm E\, \mathrm{TV}(p_{S|y}, p_S)^2 \le \eta",
        cite="Pinsker's inequality for each release; below T4 for a range of 2",
        tight=True,
    ),
    row(
        "gain-of-brier-score-from-tv",
        TotalVariation,
        kind(InferenceGain, cost="brier"),
        lambda eta, p_s: 2 * (1 - p_s.min()) * eta,
        formula=r"\Delta C_{\mathrm{Brier}} \le 2\, \mathrm E\, \mathrm{TV}(p_{S|y}, p_S)^2"
        r" \le 2 (1 - \min p_S)\, \eta",
        cite="no posterior is further than 1 − p(s) from the prior",
        tight=True,
    ),
    row(
        "gain-of-brier-score",
        kind(ChiSquared, over="worst"),
        kind(InferenceGain, cost="brier"),
        lambda eta, p_s: eta * float((p_s**2).sum()),
        formula=r"\Delta C_{\mathrm{Brier}} = \sum_s p(s)^2 \chi^2_s \le \eta \textstyle\sum_s p(s)^2",
        cite="the variance of the posterior",
        tight=True,
    ),
)

ESTIMATION = (
    row(
        "mmse-from-correlation",
        MaximalCorrelation,
        Mmse,
        lambda eta, var_s: (1 - eta**2) * var_s,
        formula=r"\mathrm{mmse} \ge (1 - \rho^2)\, \mathrm{Var}\, S",
        cite="definition of the maximal correlation",
        domain="any real secret",
        tight=True,
    ),
    row(
        "mmse-from-information",
        MutualInformation,
        Mmse,
        lambda eta, var_s, range_s: var_s - range_s**2 * eta / 2,
        formula=r"\mathrm{mmse} \ge \mathrm{Var}\, S - (\max S - \min S)^2\, \eta/2",
        cite="Pinsker's inequality for each release",
        domain="a secret within range_s",
    ),
    row(
        "mmse-from-tv",
        TotalVariation,
        Mmse,
        lambda eta, var_s, range_s: var_s - range_s**2 * eta,
        formula=r"\mathrm{mmse} \ge \mathrm{Var}\, S - (\max S - \min S)^2\, \eta",
        cite="the posterior mean moves by at most the range times TV",
        domain="a secret within range_s",
    ),
)

ROWS = (*DETECTION, *ANY_COST, *ESTIMATION)
