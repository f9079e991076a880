"""A realistic result of every shape, of any number of rows and columns: what pages, charts and their tests stand on."""

from __future__ import annotations

import math
from typing import Any

Json = dict[str, Any]

INCOME = (
    # column, kind, nats, guess, null, finding
    ("relationship", "6 levels", 0.1142, 0.7607, 0.0003, "tells"),
    ("marital-status", "7 levels", 0.1085, 0.7607, 0.0003, "tells"),
    ("capital-gain", "numbers, 12 ranges", 0.0807, 0.8043, 0.0005, "tells"),
    ("age", "numbers, 16 ranges", 0.0647, 0.7607, 0.0006, "tells"),
    ("education", "16 levels", 0.0645, 0.7786, 0.0006, "tells"),
    ("occupation", "15 levels", 0.0640, 0.7607, 0.0006, "tells"),
    ("hours-per-week", "numbers, 14 ranges", 0.0405, 0.7607, 0.0006, "tells"),
    ("sex", "2 levels", 0.0257, 0.7607, 0.0001, "tells"),
    ("workclass", "9 levels", 0.0153, 0.7620, 0.0003, "tells"),
    ("race", "5 levels", 0.0057, 0.7607, 0.0002, "tells"),
    ("native-country", "42 levels", 0.0059, 0.7607, 0.0019, "tells"),
    ("fnlwgt", "numbers, 16 ranges", 0.0006, 0.7607, 0.0006, "nothing found"),
)
ENTROPY = 0.5500


def reading(
    value: float | str | None,
    unit: str = "",
    side: str = "estimate",
    law: str = "the population",
    spread: float | None = None,
) -> Json:
    interval = None
    if spread is not None and isinstance(value, float):
        interval = [round(max(value - spread, 0.0), 6), round(value + spread, 6), 0.95]
    return {"value": value, "unit": unit, "side": side, "law": law, "interval": interval}


def guess(value: float, spread: float = 0.0055, baseline: float = 0.7607) -> Json:
    return {"value": value, "lower": value - spread, "upper": value + spread, "baseline": baseline}


def verdict(status: str = "leaks", code: int = 0, words: str = "") -> Json:
    return {"status": status, "exit": code, "words": words or "The columns tell about the secret."}


def source(rows: int, columns: int) -> Json:
    return {"name": "people.parquet", "rows": rows, "columns": columns, "fingerprint": "sha256:" + "5e" * 32}


def secret() -> Json:
    labels = [{"label": "<=50K", "share": 0.7607}, {"label": ">50K", "share": 0.2393}]
    return {"name": "income", "labels": labels, "entropy": reading(ENTROPY, "nats", "exact", "this table")}


def head(command: str, headline: str, outcome: Json | None = None) -> Json:
    return {
        "schema": f"discreet/{command}/1",
        "headline": headline,
        "verdict": outcome or verdict(),
        "made": {
            "version": "0.1.0",
            "command": f"discreet {command} people.parquet --private income",
            "at": "2026-11-19",
        },
        "secret": secret(),
        "warnings": [],
        "assumptions": [
            "The rows are independent draws from the population that the numbers are about.",
            "The attacker sees one record a person, knows the law of the data and nothing else about the person.",
        ],
    }


def method(rows: int) -> Json:
    names = ("boosting", "logistic", "plugin", "neighbours")
    scores = zip(names, (0.2781, 0.3172, 0.3605, 0.4102), (0.81, 0.14, 0.05, 0.0), strict=True)
    return {
        "estimator": "stack",
        "candidates": [{"name": n, "log_loss": loss, "weight": w} for n, loss, w in scores],
        "records": rows,
        "held_out": rows,
        "folds": 5,
        "shuffles": 20,
        "notes": ["Every number is read off rows that the estimator had not seen when it judged them."],
    }


def measured(
    value: float | str | None,
    symbol: str,
    meaning: str,
    unit: str = "",
    null: float | None = None,
    **more: Any,
) -> Json:
    spread = 0.02 * value if isinstance(value, float) else None
    held = reading(value, unit, more.pop("side", "estimate"), more.pop("law", "the population"), spread)
    better = more.pop("better", "lower")
    low = (
        reading(0.93 * value, unit, "lower", held["law"])
        if isinstance(value, float) and null is not None
        else None
    )
    row = {
        "symbol": symbol,
        "meaning": meaning,
        "better": better,
        "parameters": more,
        "null": null,
        "lower": low,
    }
    return {**held, **row}


def measures() -> Json:
    return {
        "mutual_information": measured(
            0.2719, "I(S;Y)", "How many nats the release tells about the secret, in the mean.", "nats", 0.0031
        ),
        "total_variation": measured(
            0.1712,
            "TV",
            "The share of probability that must be moved to make secret and release independent.",
            null=0.01,
        ),
        "chi_squared": measured(
            0.4483,
            "χ²",
            "How much better than blind every function of the secret can be estimated, summed over directions.",
            null=0.004,
        ),
        "maximal_correlation": measured(
            0.6696,
            "ρ_m",
            "The largest correlation between a function of the secret and one of the release.",
            null=0.06,
        ),
        "maximal_leakage": measured(
            0.5031,
            "L",
            "How much any attacker, after any function of the secret, can gain.",
            "nats",
            side="lower",
        ),
        "guessing_probability": measured(
            0.8391, "V(S|Y)", "How often the best guess of the secret from the release is right.", null=0.7607
        ),
        "lift_privacy": measured(
            "inf",
            "sup|log l|",
            "How far the most telling release moves the probability of a secret, up or down, as a logarithm.",
            "nats",
        ),
        "information_privacy[eps=1]": measured(
            0.2204, "δ(ε)", "How likely the posterior leaves a factor e^±ε of the prior.", eps=1.0
        ),
        "mmse": measured(
            None,
            "mmse",
            "The least mean square error with which the secret, as a number, is estimated.",
            better="higher",
        ),
    }


def columns(count: int = len(INCOME)) -> Json:
    rows: Json = {}
    for i in range(count):
        name, kind, nats, right, null, finding = INCOME[i % len(INCOME)]
        name, nats = (name, nats) if i < len(INCOME) else (f"{name} {i}", nats / (1 + i // len(INCOME)))
        rows[name] = {
            "kind": kind,
            "mutual_information": reading(nats, "nats", spread=0.06 * nats + 0.0004),
            "guessing_probability": reading(right, spread=0.0041),
            "added": reading(0.21 * nats, "nats", spread=0.02 * nats + 0.0004),
            "null": null,
            "verdict": finding,
        }
    return rows


def pairs() -> list[Json]:
    found = (
        ("education", "age", 0.1412, 0.0645, 0.0647, 0.0120),
        ("occupation", "sex", 0.0932, 0.0640, 0.0257, 0.0035),
    )
    return [
        {
            "columns": [a, b],
            "mutual_information": reading(both, "nats", spread=0.004),
            "alone": [first, second],
            "extra": reading(extra, "nats", spread=0.0011),
            "null": 0.0008,
        }
        for a, b, both, first, second, extra in found
    ]


def values() -> Json:
    rows = (
        ("capital-gain", "5,178 to 99,999", ">50K", 4.12, 2_411),
        ("education", "Doctorate", ">50K", 3.05, 594),
        ("education", "Prof-school", ">50K", 3.09, 834),
        ("relationship", "Own-child", ">50K", 0.061, 7_581),
        ("age", "17 to 22", ">50K", 0.021, 5_103),
        ("occupation", "Exec-managerial", ">50K", 2.0, 6_086),
    )
    return {
        "rows": [
            {
                "column": c,
                "value": v,
                "secret": s,
                "lift": reading(lift, "×", spread=0.06 * lift),
                "records": n,
            }
            for c, v, s, lift, n in rows
        ],
        "suppressed": 41,
        "fewest": 20,
    }


def records(rows: int) -> Json:
    shape = (0.0002, 0.004, 0.016, 0.051, 0.109, 0.182, 0.238, 0.211, 0.120, 0.048, 0.0167, 0.0041)
    edges = [
        0.0,
        1 / 16,
        1 / 8,
        1 / 4,
        1 / 2,
        1 / math.sqrt(2),
        1.0,
        math.sqrt(2),
        2.0,
        4.0,
        8.0,
        16.0,
        "inf",
    ]
    counts = [round(share * rows) for share in shape]
    return {
        "n": rows,
        "doubled": sum(counts[8:]),
        "halved": sum(counts[:4]),
        "largest": 41.7,
        "histogram": {"edges": edges, "counts": [n if n == 0 or n >= 20 else None for n in counts]},
        "reasons": [
            {"columns": ["education", "age"], "records": round(0.071 * rows)},
            {"columns": ["capital-gain"], "records": round(0.049 * rows)},
            {"columns": ["occupation", "hours-per-week"], "records": round(0.022 * rows)},
            {"columns": ["native-country"], "records": None},
        ],
        "fewest": 20,
        "scores": None,
    }


def remains() -> list[Json]:
    steps = (
        (["income"], 0.2719, 0.8391),
        (["income", "capital-gain"], 0.2308, 0.8256),
        (["income", "capital-gain", "relationship"], 0.2294, 0.8249),
        (["income", "capital-gain", "relationship", "marital-status"], 0.1623, 0.8012),
        (["income", "capital-gain", "relationship", "marital-status", "education"], 0.1401, 0.7925),
    )
    return [
        {
            "without": list(without),
            "mutual_information": reading(nats, "nats", spread=0.006),
            "guessing_probability": reading(right, spread=0.0055),
        }
        for without, nats, right in steps
    ]


def secrets() -> Json:
    def one(name: str, value: float, baseline: float, nats: float) -> Json:
        told = reading(nats, "nats", spread=0.007)
        return {"name": name, "guess": guess(value, baseline=baseline), "mutual_information": told}

    return {
        "each": [one("income", 0.8391, 0.7607, 0.2719), one("sex", 0.8512, 0.6685, 0.3604)],
        "together": one("income and sex", 0.7188, 0.4643, 0.6301),
        "worst": "sex",
    }


def anonymity(rows: int) -> Json:
    def row(name: str, value: float | str, unit: str, lift: str, means: str) -> Json:
        return {
            "name": name,
            "reading": reading(value, unit, "exact", "this table"),
            "lift": lift,
            "means": means,
        }

    return {
        "columns": ["age", "education", "sex"],
        "records": rows,
        "classes": 1_672,
        "alone": 214,
        "rows": [
            row(
                "k-anonymity",
                1.0,
                "",
                "none: it does not look at the secret",
                "Somebody is alone in a class.",
            ),
            row("l-diversity, distinct", 1.0, "", "a cell with lift 0", "Some class has a single value."),
            row("l-diversity, entropy", 1.0, "", "H(S|Y = y) ≥ log l", "Some class leaves nothing to guess."),
            row(
                "t-closeness",
                0.7607,
                "",
                "the mean of |l − 1|, halved, in the worst class",
                "Guessed right at most always.",
            ),
            row("δ-disclosure", "inf", "nats", "sup |log l|", "A secret is ruled out in some class."),
            row("β-likeness", 3.1788, "", "sup l − 1", "No secret becomes more than 4.2 times as likely."),
        ],
    }


def audit(rows: int = 48_842, width: int = len(INCOME)) -> Json:
    return {
        **head(
            "audit",
            "From the columns you want to release an attacker guesses `income` right 84 times in 100 (76 without the "
            "data; interval 83.4–84.5). Most of it comes through `education` with `age`. "
            f"{records(rows)['doubled']:,} records more than double the odds.",
        ),
        "warnings": [
            "`fnlwgt` has 28,523 different values in 48,842 rows: it may be an id. Name it with --id, or drop it.",
            "`capital-gain` and `capital-loss` are zero for nine rows in ten.",
        ],
        "source": source(rows, width + 1),
        "guess": guess(0.8391),
        "measures": measures(),
        "columns": columns(width),
        "pairs": pairs(),
        "values": values(),
        "records": records(rows),
        "remains": remains(),
        "secrets": secrets(),
        "anonymity": anonymity(rows),
        "method": method(rows),
    }


def attack(rows: int = 48_842) -> Json:
    def lower(value: float) -> Json:
        return reading(value, side="lower", spread=0.0061)

    return {
        **head(
            "attack",
            "The best of 6 attackers guesses `income` right 77 times in 100 from the released file "
            "(76 without it, 84 from the data untouched).",
            verdict("fine", 0, "The best attacker stays under the limit of 78 in 100."),
        ),
        "source": {**source(rows, 12), "name": "public.parquet"},
        "best": lower(0.7688),
        "baseline": reading(0.7607, side="exact", law="this table"),
        "control": lower(0.8362),
        "attackers": {
            "majority of the same symbol": lower(0.7672),
            "boosting": lower(0.7688),
            "logistic": lower(0.7631),
            "neighbours": lower(0.7425),
            "random forest": lower(0.7660),
            "network": lower(0.7640),
        },
        "controls": {"boosting": lower(0.8362), "logistic": lower(0.8254), "random forest": lower(0.8311)},
        "figures": {
            "gain": reading(0.0081, side="lower", spread=0.0061),
            "auc": reading(0.6120, side="lower", spread=0.0075),
        },
        "strongest": "boosting",
        "held_out": rows // 4,
        "method": method(rows),
    }


def point(
    mechanism: str,
    leak: float,
    kept: float,
    right: float,
    *,
    fits: bool,
    bound: float | None = None,
    **at: Any,
) -> Json:
    return {
        "mechanism": mechanism,
        "parameters": at,
        "leakage": reading(leak, "nats", spread=0.12 * leak + 0.0006),
        "utility": reading(kept, spread=0.01),
        "guessing_probability": reading(right, spread=0.005),
        "bound": None if bound is None else reading(bound, "nats", "lower", "this table"),
        "status": "Built by a rule; nothing is claimed about what another mechanism could do.",
        "fits": fits,
    }


def frontier() -> Json:
    points = [
        point("suppression", 0.0153, 0.31, 0.7625, fits=True, columns="workclass, race, native-country"),
        point("suppression", 0.0710, 0.52, 0.7786, fits=False, columns="education, race"),
        point("generalisation", 0.0412, 0.48, 0.7711, fits=False, levels=5),
        point("generalisation", 0.1210, 0.71, 0.7952, fits=False, levels=9),
        point("randomised response", 0.0180, 0.22, 0.7634, fits=True, eps=1.0),
        point("randomised response", 0.0905, 0.55, 0.7831, fits=False, eps=3.0),
        point("watchdog", 0.0195, 0.44, 0.7652, fits=True, eps=0.5),
        point("watchdog", 0.0720, 0.63, 0.7790, fits=False, eps=1.0),
        point("funnel", 0.0050, 0.50, 0.7612, fits=True, bound=0.0031, rate=1.2),
        point("funnel", 0.0190, 0.66, 0.7640, fits=True, bound=0.0160, rate=1.6),
        point("funnel", 0.0640, 0.81, 0.7771, fits=False, bound=0.0590, rate=2.0),
        point("zero leak", 0.0002, 0.34, 0.7607, fits=True, bound=0.0),
        point("learned", 0.0182, 0.69, 0.7642, fits=True, weight=12.0),
        point("learned", 0.0980, 0.86, 0.7862, fits=False, weight=3.0),
    ]
    return {
        "leakage": "I(S;Y)",
        "utility": "the share of H(X) that is kept",
        "points": points,
        "before": point("the data untouched", 0.2719, 1.0, 0.8391, fits=False),
        "chosen": 12,
        "limit": 0.02,
    }


def proven() -> list[Json]:
    odds = "no release shifts the odds between two secrets by more than a factor e^0.55"
    lift = "the posterior always stays within a factor e^±0.55 of the prior"
    guessed = "no adversary guesses the secret right with probability above 0.8466"
    chi = "χ²(S;Y) is at most 0.0364"
    tail = "with probability at least 0.9665 the posterior of the true secret stays within a factor e^±1 of its prior"
    return [
        {
            "words": guessed,
            "notion": "GuessingProbability",
            "law": "this law",
            "basis": "theorem",
            "confidence": None,
            "chain": [
                {"known": [odds], "follows": lift, "cite": "p(y) is a mean of p(y|s)"},
                {"known": [lift], "follows": guessed, "cite": "the posterior is at most e^ε times the prior"},
            ],
        },
        {
            "words": tail,
            "notion": "InformationPrivacy",
            "law": "people of this composition",
            "basis": "confidence",
            "confidence": 0.95,
            "chain": [{"known": [chi], "follows": tail, "cite": "T1, replaces paper 000, Theorem 1(c)"}],
        },
    ]


def design(rows: int = 48_842) -> Json:
    return {
        **head(
            "design",
            "The learned mechanism tells 0.018 nats about `income` (limit 0.02) and keeps 69 % of the columns' "
            "information; an attacker guesses right 76 times in 100 (84 before, 76 blind).",
            verdict("fine", 0, "Under the limit: 0.0182 of 0.02 nats."),
        ),
        "source": source(rows, 13),
        "asked": {"knob": "leak", "limit": 0.02, "words": "at most 0.02 nats about `income`"},
        "frontier": frontier(),
        "rule": "Of all designs that meet the limit on held-out rows, the one that keeps most.",
        "why": "6 of 14 designs meet the limit. `learned` keeps 69 %, the next best, `funnel`, 66 %.",
        "changes": [
            {"column": "age", "words": "replaced by one of 7 representatives", "kept": 0.74},
            {"column": "education", "words": "16 levels merged to 5, then randomised", "kept": 0.62},
            {"column": "capital-gain", "words": "constant", "kept": 0.0},
            {"column": "race", "words": "unchanged", "kept": 1.0},
        ],
        "proven": proven(),
        "method": method(rows),
    }


def certificate(rows: int = 48_842) -> Json:
    n = rows // 4
    bounded = [
        {
            "measure": "guessing_probability",
            "symbol": "V(S|Y)",
            "reading": reading(0.7752, side="upper"),
            "words": f"With 95 % confidence over the drawing of these {n:,} people, no attacker, whatever his method, "
            "guesses `income` right from the release more often than 77.5 %; without the release always naming the "
            "commoner value is right for 76.1 % of these people.",
            "baseline": 0.7607,
            "n": n,
        },
        {
            "measure": "mutual_information",
            "symbol": "I(S;Y)",
            "reading": reading(0.0252, "nats", "upper", "people of this composition"),
            "words": f"For people composed like these {n:,}, the release tells at most 0.0252 nats (4.6 % of what "
            "there is to know) about `income`; 98.3 % confidence.",
            "baseline": 0.0,
            "n": n,
        },
        {
            "measure": "local_privacy",
            "symbol": "local ε",
            "reading": reading("inf", "nats", "upper"),
            "words": "No bound can be given: 3 symbols were never seen with some secret. Merge them in the release or "
            "publish δ.",
            "baseline": 0.0,
            "n": n,
        },
    ]
    return {
        **head(
            "certificate",
            "With 95 % confidence no attacker, whatever his method, guesses `income` right from this release more "
            "often than 78 times in 100 (76 without it).",
            verdict("fine", 0, "Everything that can be recomputed agrees."),
        ),
        "for_release": True,
        "policy": {
            "digest": "sha256:" + "a1" * 32,
            "mechanism": "learned",
            "words": "Each record's columns are replaced by a draw from a trained network; the draw uses a secret key.",
        },
        "files": files(),
        "threat": [
            "The attacker sees one released record of each person, and knows the mechanism and the law of the data.",
            "He knows nothing else about the person and does not have the key.",
        ],
        "proven": proven(),
        "bounded": bounded,
        "measured": attack(rows),
        "limits": [
            "Nothing is claimed about secrets other than `income`.",
            "A second release of the same people under another policy adds to this one.",
            "A digest shows that a file was changed; it is no signature and does not say who made it.",
        ],
        "digest": "sha256:" + "c7" * 32,
    }


def files() -> list[Json]:
    return [
        {"role": "release", "name": "public.parquet", "sha256": "0f" * 32, "size": 1_482_113},
        {"role": "policy", "name": "public.policy", "sha256": "a1" * 32, "size": 48_220},
        {"role": "certificate", "name": "certificate.json", "sha256": "c7" * 32, "size": 9_115},
    ]


def release(rows: int = 48_842) -> Json:
    def told(right: float, nats: float, kept: float | None) -> Json:
        return {
            "guess": guess(right),
            "mutual_information": reading(nats, "nats", spread=0.004),
            "utility": None if kept is None else reading(kept, spread=0.01),
        }

    return {
        **head(
            "release",
            "From the released file the best attacker guesses `income` right 77 times in 100 (84 before, 76 without "
            "any data); 69 % of what the columns say is kept.",
            verdict("fine", 0, "Under the limit: at most 0.0252 of 0.03 nats."),
        ),
        "source": source(rows, 13),
        "before": told(0.8391, 0.2719, 1.0),
        "after": told(0.7688, 0.0182, 0.69),
        "split": {"design": rows - rows // 4, "held_out": rows // 4},
        "files": files(),
        "design": design(rows),
        "attack": attack(rows),
        "certificate": certificate(rows),
    }


def compare(rows: int = 48_842) -> Json:
    def one(name: str, words: str, right: float, nats: float, kept: float, outcome: Json) -> Json:
        return {
            "name": name,
            "words": words,
            "guess": guess(right),
            "mutual_information": reading(nats, "nats", spread=0.08 * nats + 0.0008),
            "utility": reading(kept, spread=0.01),
            "verdict": outcome,
        }

    fine = verdict("fine", 0, "Under the limit.")
    return {
        **head(
            "compare",
            "Of 5 releases, `public.parquet` tells least about `income` at what it keeps; one got worse.",
            fine,
        ),
        "source": source(rows, 13),
        "before": one("people.parquet", "the data untouched", 0.8391, 0.2719, 1.0, verdict()),
        "releases": [
            one("public.parquet", "discreet, learned", 0.7688, 0.0182, 0.69, fine),
            one("k5.parquet", "generalised to 5-anonymity", 0.8012, 0.1490, 0.58, verdict()),
            one("synthetic.parquet", "a synthesiser", 0.8251, 0.2210, 0.74, verdict()),
            one(
                "erased.parquet",
                "linear erasure",
                1.0,
                0.5500,
                0.93,
                verdict("worse than before", 1, "It reveals the secret."),
            ),
            one(
                "constant.parquet", "one value", 0.7607, 0.0, 0.0, verdict("collapsed", 1, "Nothing is left.")
            ),
        ],
        "method": method(rows),
    }


def demo(rows: int = 944) -> Json:
    headline = "From `party` an attacker guesses `vote` right 90 times in 100 (58 without it); after the release, 60."
    made = {**head("demo", headline), "audit": audit(rows), "release": release(rows)}
    return {**made, "schema": "discreet/demo/2"}


ALL = {f.__name__: f for f in (audit, attack, design, release, certificate, compare, demo)}
