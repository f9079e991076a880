"""The table of implications, row by row: true inside its domain, attained where it says so, false where it says so."""

import math
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.guarantees import implications
from discreet.guarantees import notions as n
from discreet.guarantees.statement import kind
from tests.guarantees.exact import (
    MECHANISMS,
    World,
    at,
    keeps,
    number,
    open_numbers,
    random_joint,
    random_world,
    tried,
)

g = dc.guarantees

LAWS_A_FORM, MOST_TRIED = 60, 1500

IN_DOMAIN_BY_HAND = {"regular", "p_kept", "flagged"}
"""Facts that a law drawn at random does not have; these rows have tests of their own."""


def of_laws(rows):
    return [
        pytest.param(row, id=row.name)
        for row in rows
        if not {one.notion for one in row.source} & MECHANISMS and not set(row.facts) & IN_DOMAIN_BY_HAND
    ]


def with_channel(form):
    return any(one.channel for one in (*form.source, form.target))


def generator(name):
    """The same laws in every run, others for every row."""
    return np.random.default_rng(zlib.crc32(name.encode()))


@pytest.mark.parametrize("row", of_laws(row for row in implications.TABLE if not row.wrong))
def test_a_row_holds_for_every_law(row):
    rng = generator(row.name)
    for form in row.forms():
        inside = 0
        for _ in range(MOST_TRIED):
            world = random_world(rng, with_channel(form))
            free = {name: number(name, rng) for name in form.target.free}
            found = tried(form, world, free, {name: number(name, rng) for name in open_numbers(form)})
            if found is not None:
                inside += 1
                assert keeps(form.target, *found), (form.target.name, found, free, world.before.p)
            if inside == LAWS_A_FORM:
                break
        assert inside >= 20


# --------------------------------------------------------------------------------------------- how a release is made


def normal(y, mean, deviation):
    return np.exp(-(((y - mean) / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))


def excess(p, q, gamma, y):
    """E_γ of two densities on a grid."""
    return float(np.trapezoid(np.maximum(p - gamma * q, 0), y))


@pytest.mark.parametrize("seed", range(8))
def test_gaussian_noise_on_every_record(seed):
    rng = np.random.default_rng(seed)
    points = np.sort(rng.random(4)) * rng.choice([0.5, 1, 3])
    deviation, gamma = float(rng.choice([0.3, 1, 2])), float(np.exp(rng.random()))
    joint = random_joint(rng, (4, 5))
    y = np.linspace(-12 * deviation, points[-1] + 12 * deviation, 20001)
    rows = np.array([normal(y, x, deviation) for x in points])
    lift = joint.lift()
    p_s = lift.p_s[lift.p_s > 0]
    given = (joint.p / np.where(lift.p_s > 0, lift.p_s, 1)[:, None])[lift.p_s > 0] @ rows
    noise = n.GaussianNoise(deviation, float(np.ptp(points)))
    delta = g.imply(noise, n.DifferentialPrivacy, eps=math.log(gamma)).notion.delta
    assert max(excess(a, b, gamma, y) for a in given for b in given) <= delta + 1e-6
    for direction in ("release", "prior"):
        bound = g.imply(noise, n.EGamma, gamma=gamma, direction=direction, p_s=p_s).notion.eta
        pairs = [(a, p_s @ given) if direction == "release" else (p_s @ given, a) for a in given]
        assert max(excess(p, q, gamma, y) for p, q in pairs) <= bound + 1e-6


@pytest.mark.parametrize(("eps", "deviation"), [(0.1, 22.47), (0.4, 5.62), (0.8, 2.81), (0.99, 0.5)])
def test_the_printed_calibration_of_gaussian_noise_is_generous(eps, deviation):
    row = implications.named("calibration-printed")
    assert row.holds(eps)
    assert not row.holds(1.2)
    exact = g.imply(n.GaussianNoise(deviation, 1.0), n.DifferentialPrivacy, eps=eps).notion.delta
    printed = row.map(deviation, 1.0, eps)
    assert exact <= printed
    if printed < 0.2:
        assert 20 * exact <= printed


def flagged_noise(joint, points, flagged, deviation, gamma):
    """The exact E_γ(p(y | s) ‖ p(y)), worst over s, when only flagged records get noise."""
    lift = joint.lift()
    given = joint.p / lift.p_s[:, None]
    y = np.linspace(points.min() - 12 * deviation, points.max() + 12 * deviation, 20001)
    rows = np.array([normal(y, x, deviation) for x in points])
    clear = np.maximum(given - gamma * lift.p_y, 0)[:, ~flagged].sum(axis=1)
    noisy = [excess(p[flagged] @ rows[flagged], lift.p_y[flagged] @ rows[flagged], gamma, y) for p in given]
    return float((clear + noisy).max())


@pytest.mark.parametrize("seed", range(8))
def test_gaussian_noise_on_flagged_records(seed):
    rng = np.random.default_rng(seed)
    joint = dc.Joint(rng.dirichlet(np.full(12, 2.0)).reshape(3, 4))
    lift, points, eps = joint.lift(), rng.normal(size=4), 0.3
    flagged = (np.abs(lift.log_lift) > eps).any(axis=0)
    deviation = float(rng.choice([0.5, 2, 20]))
    noise = n.FlaggedNoise(deviation, float(np.ptp(points[flagged])) if flagged.any() else 1e-9, eps)
    facts = {"p_s": lift.p_s, "flagged": (joint.p[:, flagged].sum(axis=1) / lift.p_s)}
    for gamma in (1.1, math.exp(eps), 1.7):
        true = flagged_noise(joint, points, flagged, deviation, gamma)
        assert true <= g.imply(noise, n.EGamma, gamma=gamma, **facts).notion.eta + 1e-6


def test_theorem_3_as_printed_fails_for_radius_and_for_flags():
    printed = implications.named("theorem-3-printed").map
    y = np.linspace(-12, 12, 20001)
    ours, others = normal(y, 1, 1), normal(y, -1, 1)
    assert excess(ours, 0.1 * ours + 0.9 * others, math.exp(0.5), y) > printed(1.0, 2.0, math.exp(0.5)) + 0.2
    joint = dc.Joint(np.array([[0.1], [0.9]]) * [[0.3, 0.3, 0.4], [0.475, 0.475, 0.05]])
    flagged = (np.abs(joint.lift().log_lift) > 0.5).any(axis=0)
    assert flagged.tolist() == [False, False, True]
    true = flagged_noise(joint, np.arange(3.0), flagged, 50.0, math.exp(0.5))
    assert true == pytest.approx(0.25986, abs=1e-5)
    flags = implications.named("theorem-3-flagged-printed").map
    assert true > flags(50.0, 1.0, math.exp(0.5)) + 0.2


def watched(joint, eps, rng):
    """The release of the watchdog, and how much it kept."""
    kept = (np.abs(joint.lift().log_lift) <= eps).all(axis=0)
    rows = np.diag(kept.astype(float))
    if not kept.all():
        rows[np.ix_(~kept, ~kept)] = rng.dirichlet(np.ones((~kept).sum()))
    return joint.through(dc.MatrixChannel(rows)).lift(), float(joint.lift().p_y[kept].sum())


@pytest.mark.parametrize("seed", range(60))
def test_the_watchdog(seed):
    rng = np.random.default_rng(seed)
    eps = float(rng.exponential(0.6))
    lift, p_kept = watched(random_joint(rng), eps, rng)
    found = g.imply(n.Watchdog(eps), n.LiftPrivacy, p_kept=min(p_kept, 1.0))
    true = float(dc.measures.lift_privacy(lift))
    if found is None:
        assert math.exp(-eps) <= p_kept < 1
    else:
        assert true <= found.notion.eps + 1e-9
        printed = next(implications.named("proposition-2-printed").forms()).row
        if printed.holds(eps, p_kept):
            assert found.notion.eps <= printed.map(eps, p_kept) + 1e-9


def test_lemma_3_under_its_condition_and_without():
    """Given each release the plausible secrets have the mean and the variance of all, so condition (11) holds."""
    values = np.array([-1.0, -1.0, 1.0, 1.0])
    p = np.array([[4, 1], [1, 4], [4, 1], [1, 4]]) / 20
    world = World(dc.Joint(p), values=values)
    weak = n.InformationPrivacy(0.5, float(dc.measures.information_privacy(world.after, 0.5)))
    facts = {"var_s": world.facts["var_s"], "mean_s": world.facts["mean_s"]}
    assert g.imply(weak, n.Mmse, **facts) is None
    bound = g.imply(weak, n.Mmse, regular=True, **facts).notion.eta
    assert bound <= float(dc.measures.mmse(world.after, values))
    revealed = World(dc.Joint(np.eye(2) / 2), values=[0.0, 1.0])
    assert float(dc.measures.information_privacy(revealed.after, 0.7)) == 0
    outside = implications.named("lemma-3-regular").map(0.7, 0.0, revealed.facts["var_s"])
    assert outside > float(dc.measures.mmse(revealed.after, [0.0, 1.0]))


# ------------------------------------------------------------------------------------------------- attained bounds


def law(p):
    p = np.asarray(p, dtype=float)
    return dc.Joint(p / p.sum())


def response(size, factor, prior=None):
    """Randomised response: the true symbol is `factor` times as likely as any other."""
    rows = np.ones((size, size)) + np.eye(size) * (factor - 1)
    prior = np.full(size, 1 / size) if prior is None else np.asarray(prior)
    return law(prior[:, None] * rows / rows.sum(axis=1, keepdims=True))


def erasure(prior, share):
    """The secret itself, or nothing."""
    prior = np.asarray(prior)
    return law(np.c_[np.diag(prior * (1 - share)), prior * share])


def band(size, width):
    """Lifts of 0 and size/width."""
    return law([[float((y - s) % size < width) for y in range(size)] for s in range(size)])


def rare(p, q, mass):
    """A secret of this mass, under which the release has law p; altogether it has law q."""
    p, q = np.asarray(p), np.asarray(q)
    return law([mass * p, q - mass * p])


def as_rare_as_may_be(p, q):
    """The largest mass that a secret with law p can have where the release has law q: then some lift is 1/p(s)."""
    p, q = np.asarray(p), np.asarray(q)
    return rare(p, q, float((q[p > 0] / p[p > 0]).min()))


def diluted(joint, share):
    """The law, or a release that tells nothing."""
    return law(np.c_[joint.p * (1 - share), joint.p.sum(axis=1) * share])


EXTREMES = [
    response(3, 4.0),  # every lift is 2 or 1/2
    diluted(response(3, 4.0), 0.4),
    response(2, 3.0),
    response(2, 3.0, [0.3, 0.7]),
    response(2, 1.001),
    response(4, 9.0),
    law([[0.55, 0.45], [0.45, 0.55]]),
    law([[0.3, 0.1], [0.15, 0.45]]),
    law(np.eye(2)),
    law(np.eye(3)),
    law(np.diag([0.2, 0.3, 0.5])),
    law([[1, 0], [1, 0], [0, 1], [0, 1]]),
    band(3, 2),
    band(4, 2),
    band(5, 2),
    erasure([0.5, 0.5], 0.4),
    erasure([0.3, 0.7], 0.3),
    erasure([1 / 3] * 3, 0.2),
    rare([0.5, 0.5], [1 - 1e-7, 1e-7], 1e-9),
    *(
        make([a, 1 - a], [q, 1 - q])
        for a in (0.7, 0.9, 1.0)
        for q in (0.2, 0.4, 0.5)
        for make in (as_rare_as_may_be,)
    ),
    *(rare([a, 1 - a], [q, 1 - q], 1e-7) for a in (0.6, 0.7, 0.9, 1.0) for q in (0.1, 0.3, 0.4, 0.5)),
]


def telling(lift, name):
    """Chosen numbers at, just below and just above what the law's own lifts are, where bounds jump."""
    jumps = np.unique(np.abs(lift.log_lift[np.isfinite(lift.log_lift)]).round(12))
    jumps = jumps[jumps > 1e-9]
    jumps = np.unique(np.concatenate([jumps, (jumps[:, None] + jumps).ravel()]).round(12))
    near = np.concatenate([[0.0, 0.1, 0.3], jumps, jumps * (1 - 1e-9), jumps * (1 + 1e-9)])
    if name == "gamma":
        return np.exp(near).tolist()
    if name == "alpha":
        return [0.5, 1.0, 1.5, 2.0, 50.0, math.inf]
    return [lambda t: (t - 1) ** 2] if name == "f" else near.tolist()


def through(joint):
    """Channels that keep what contraction lets them keep."""
    size = joint.p.shape[1]
    for made in (response(size, 3.0), erasure([1 / size] * size, 0.3), law(np.eye(size))):
        yield dc.MatrixChannel(made.p * size)


def grid(lift, names):
    if not names:
        return [{}]
    (name,) = names
    return [{name: value} for value in telling(lift, name)]


def nearness(form):
    """How near the bound comes to the truth, law by law: 1 where it is attained."""
    for joint in EXTREMES:
        for channel in through(joint) if with_channel(form) else [None]:
            world = World(joint, channel)
            for free in grid(world.after, tuple(form.target.free)):
                for chosen in grid(world.after, open_numbers(form)):
                    found = tried(form, world, free, chosen)
                    if found is not None and 1e-12 < max(map(abs, found)) < math.inf:
                        bound, true = sorted(map(abs, found))
                        yield bound / true if true else 0.0


@pytest.mark.parametrize("row", of_laws(row for row in implications.TABLE if row.tight))
def test_a_sharp_row_is_attained(row):
    assert any(near > 1 - 2e-5 for form in row.forms() for near in nearness(form))


# -------------------------------------------------------------------------------------------------- wrong as printed


WRONG = {
    "pinsker-printed": ([[0.3, 0.2], [0.2, 0.3]], {}),
    "remark-after-lemma-1": ([[0.495, 0.495], [0.001, 0.009]], {"eps": 0.1}),
    "lemma-1-2-printed": ([[0.4, 0.1], [0.1, 0.4]], {}),
    "all-measures-printed": (np.full((9, 9), 0.125) + np.eye(9) * 7.875, {}),
    "proposition-1-1-printed": ([[0.4, 0.1], [0.1, 0.4]], {"alpha": 0.5}),
    "theorem-1-under-q": ([[0.1, 0.1], [0.0, 0.8]], {"gamma": 1.2}),
    "direct-translation": ([[0.15, 0.35], [0.45, 0.05]], {"t": math.log(1.5)}),
    "equation-18-under-p": (np.eye(10), {"t": 1.0}),
}


def test_every_wrong_row_has_a_counterexample():
    by_hand = {row.name for row in implications.TABLE if row.wrong} - WRONG.keys()
    assert by_hand == {"theorem-3-printed", "theorem-3-flagged-printed"}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_row_fails_where_the_errata_say(name):
    p, free = WRONG[name]
    form = next(implications.named(name).forms())
    bound, true = tried(form, World(law(p)), free, {})
    assert not keeps(form.target, bound, true, 1e-3)


def test_zero_cells_are_what_the_remark_misses():
    p = np.full((10, 2), [0.018, 0.082])
    p[9] = [0.0, 0.1]
    world = World(law(p))
    form = next(implications.named("remark-after-lemma-1").forms())
    assert tried(form, world, {"eps": 0.2}, {}) == pytest.approx((0.0, 0.162), abs=1e-12)
    assert float(dc.measures.differential_privacy(world.after, 0.4)) == pytest.approx(0.18)


# --------------------------------------------------------------------------------- the domain is needed where it is


OUTSIDE = {
    "e-gamma-from-tv": ([[0.5, 0.0], [0.25, 0.25]], {"gamma": 0.5}, {}),
    "sibson-from-information": ([[0.3, 0.1], [0.15, 0.45]], {"alpha": 2.0}, {}),
    "renyi-from-chi-squared": ([[0.3, 0.1], [0.15, 0.45]], {"alpha": 3.0}, {}),
    "corollary-1-two-secrets": ([[8, 8, 3], [5, 2, 10], [3, 16, 19]], {"eps": 1.0}, {}),
    "dp-from-e-gamma-two-secrets": ([[17, 12, 6], [17, 1, 10], [0, 13, 17]], {"eps": 1.0}, {}),
    "e-gamma-at-smaller-gamma": ([[0.3, 0.1], [0.15, 0.45]], {"gamma": 1.6}, {"gamma": 1.1}),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_outside_its_domain_a_row_can_fail(name):
    p, free, chosen = OUTSIDE[name]
    form = next(implications.named(name).forms())
    world = World(law(p))
    assert tried(form, world, free, chosen) is None
    unguarded = form._replace(row=replace(form.row, holds=None))
    assert not keeps(form.target, *tried(unguarded, world, free, chosen), 1e-3)


# ------------------------------------------------------------------------------------------------- the whole search


ASKED = [
    kind(notion)
    for notion in n.NOTIONS
    if notion not in MECHANISMS and not notion.channel and notion is not n.FInformation
] + [
    kind(n.InformationPrivacy, strong=True),
    kind(n.ChiSquared, over="worst", direction="prior"),
    kind(n.EGamma, direction="prior"),
    kind(n.TotalVariation, over="worst"),
]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), staged=st.booleans())
def test_whatever_the_search_finds_is_true(seed, staged):
    rng = np.random.default_rng(seed)
    world = random_world(rng, staged)
    stage = "before" if staged else "after"
    known = []
    for _ in range(rng.integers(1, 4)):
        one = ASKED[rng.integers(len(ASKED))]
        free = {name: number(name, rng) for name in one.free}
        known.append(one.make(free, world.value((one, stage), free)))
    if staged:
        coefficient = kind([n.Contraction, n.Dobrushin, n.Doeblin][rng.integers(3)])
        known.append(coefficient.make({}, world.value((coefficient, "channel"), {})))
    facts = {name: value for name, value in world.facts.items() if rng.random() < 0.6}
    asked = ASKED[rng.integers(len(ASKED))]
    free = {name: number(name, rng) for name in asked.free}
    found = g.imply(known, asked.notion, **free, **dict(asked.fixed), **facts)
    if found is not None:
        bound = getattr(found.notion, asked.notion.bound)
        assert keeps(asked, bound, world.value(at(asked), free)), (known, found)
