"""What a law says of every notion: the exact value of the number that the notion bounds, and rows tried on laws."""

import math

import numpy as np

import discreet as dc
from discreet.guarantees import notions as n
from discreet.guarantees.implication import SUFFIXES, arguments, call
from discreet.guarantees.routes import Place, route_to

m = dc.measures

MECHANISMS = {n.GaussianNoise, n.FlaggedNoise, n.Watchdog}
"""Notions that say how a release is made; no measure of a law shows them."""


def tail(lift, t, side, direction, over):
    """P(i > t) or P(i < −t), under p(y | s) or p(y)."""
    i = lift.log_lift
    beyond = i > t if side == "upper" else i < -t
    law = lift.p_y * (lift.ratio if direction == "release" else np.ones_like(i))
    by_s = np.where(beyond, law, 0).sum(axis=1)
    return lift.p_s @ by_s if over == "mean" else by_s[lift.p_s > 0].max()


MEASURES = {
    n.MutualInformation: m.mutual_information,
    n.TotalVariation: m.total_variation,
    n.ChiSquared: m.chi_squared,
    n.Hellinger: m.hellinger,
    n.FInformation: m.f_information,
    n.EGamma: m.e_gamma,
    n.Tail: tail,
    n.Sibson: m.sibson,
    n.Arimoto: m.arimoto,
    n.Renyi: m.renyi,
    n.MaximalLeakage: m.maximal_leakage,
    n.MinEntropyLeakage: m.min_entropy_leakage,
    n.MaximalCorrelation: m.maximal_correlation,
    n.LiftPrivacy: m.lift_privacy,
    n.LocalPrivacy: m.local_privacy,
    n.InformationPrivacy: m.information_privacy,
    n.DifferentialPrivacy: m.differential_privacy,
    n.GuessingProbability: m.guessing_probability,
}

OF_CHANNELS = {
    n.Contraction: m.channel.contraction,
    n.Dobrushin: m.channel.dobrushin,
    n.Doeblin: m.channel.doeblin,
    n.LocalPrivacy: m.channel.local_privacy,
}


class World:
    """A law, with a value and costs for each secret, perhaps released through a channel: all that can be measured."""

    def __init__(self, joint, channel=None, values=None, costs=None):
        self.channel = channel
        self.before = joint.lift()
        self.after = self.before if channel is None else joint.through(channel).lift()
        size = self.before.p_s.size
        self.values = np.arange(size) ** 2.0 if values is None else np.asarray(values)
        self.costs = 1 - np.eye(size) if costs is None else np.asarray(costs)
        mass = self.before.p_s > 0
        values, p_s = self.values[mass], self.before.p_s[mass]
        self.facts = {
            "p_s": p_s,
            "n_s": int(mass.sum()),
            "n_y": int((self.after.p_y > 0).sum()),
            "mean_s": float(p_s @ values),
            "var_s": float(p_s @ (values - p_s @ values) ** 2),
            "range_s": float(np.ptp(values)),
            "cost_range": float(np.ptp(self.costs[mass])),
            "cost_top": float(np.abs(self.costs[mass]).max()),
        }

    def value(self, place, free):
        """The exact value of what this kind bounds, at these chosen numbers."""
        kind, stage = place
        if stage == "channel":
            return float(OF_CHANNELS[kind.notion](self.channel))
        lift = self.before if stage == "before" else self.after
        how = dict(kind.fixed)
        if kind.notion is n.Mmse:
            return float(m.mmse(lift, self.values))
        if kind.notion is n.InferenceGain:
            cost = self.costs if how["cost"] in {"any", "table"} else how["cost"]
            return float(m.inference_gain(lift, cost))
        return float(MEASURES[kind.notion](lift, **free, **how))


def at(place):
    """The place of a kind of the release, or of the channel."""
    return Place(place, "channel" if place.channel else "after")


def open_numbers(form):
    """The numbers of a source that neither the asker nor the row chooses."""
    return route_to(form, at(form.target)).open


def tried(form, world, free, chosen):
    """What the row concludes from the true values of its sources, and the true value; None outside its domain."""
    row, route = form.row, route_to(form, at(form.target))
    seen = {**free, **{f"{name}_asked": value for name, value in free.items()}, **world.facts, **chosen}
    if row.holds and all(name in seen for name in arguments(row.holds)) and not call(row.holds, seen):
        return None
    needed_at = {**seen, **(call(row.at, seen) if row.at else {})}
    for source, suffix in zip(route.sources, SUFFIXES, strict=False):
        needed = {name: needed_at.get(name + suffix, needed_at.get(name)) for name in source.kind.free}
        value = world.value(source, needed)
        if math.isinf(value):
            return None
        seen.update({name + suffix: number for name, number in needed.items()})
        seen[source.kind.notion.bound + suffix] = value
    if row.holds and not call(row.holds, seen):
        return None
    return float(call(row.map, seen)), world.value(at(form.target), free)


def keeps(kind, bound, true, slack=1e-9):
    """Whether the true value is on the right side of the bound."""
    if kind.notion.at_least:
        bound, true = -bound, -true
    return true <= bound + slack * max(1.0, abs(bound))


CURVES = (
    lambda t: t * np.log(t),
    lambda t: (t - 1) ** 2 / (t + 1),
    lambda t: -np.log(t),
    lambda t: np.abs(t - 1) + (t - 1) ** 2,
)
"""Convex functions with f(1) = 0, finite at 0 and not."""


def number(name, rng):
    """A chosen number of this name, now and then at an end of its range."""
    if name == "f":
        return CURVES[rng.integers(len(CURVES))]
    if name == "gamma":
        return 1.0 if rng.random() < 0.15 else float(np.exp(rng.exponential(0.5)))
    if name == "alpha":
        return float(rng.choice([0.2, 0.5, 0.9, 1.0, 1.3, 2.0, 5.0, math.inf]))
    return 0.0 if rng.random() < 0.05 else float(rng.exponential(0.5))


def random_joint(rng, sizes=(2, 6)):
    """A law, even or concentrated, with cells that cannot occur."""
    shape = tuple(rng.integers(*sizes, size=2))
    p = rng.dirichlet(np.full(shape[0] * shape[1], rng.choice([0.3, 1.0, 10.0, 100.0]))).reshape(shape)
    p = np.where((rng.random(shape) < 0.25) & (rng.random() < 0.4), 0, p)
    p[p < 1e-7] = 0
    return dc.Joint(p / p.sum() if p.sum() else np.full(shape, 1 / p.size))


def random_channel(rng, inputs):
    """A channel with a few outputs, noisy or nearly a map."""
    outputs = int(rng.integers(2, 5))
    return dc.MatrixChannel(rng.dirichlet(np.full(outputs, rng.choice([0.3, 1.0, 10.0])), size=inputs))


def random_world(rng, with_channel):
    """A world drawn at random, with random values and costs."""
    joint = random_joint(rng)
    secrets, inputs = joint.p.shape
    costs = rng.random((secrets, 3)) * rng.choice([-1, 1]) + rng.choice([0, 2])
    channel = random_channel(rng, inputs) if with_channel else None
    return World(joint, channel, rng.normal(size=secrets).round(3) ** 2, costs)
