"""A small town with a secret: age tells it, job and sex tell a little, and some values are missing."""

from __future__ import annotations

import numpy as np
import pandas as pd

from discreet.workflow.policy import Policy


def people(n: int = 4_000, seed: int = 0) -> pd.DataFrame:
    """Rows with an id, three public columns of different types, what the receiver needs, and the secret `ill`."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    job = rng.choice(["farmer", "clerk", "nurse", "pilot"], n, p=[0.3, 0.4, 0.2, 0.1])
    sex = rng.random(n) < 0.5
    ill = rng.random(n) < 0.1 + 0.5 * (age > 60) + 0.1 * (job == "nurse")
    frame = pd.DataFrame({
        "id": [f"p{i:05d}" for i in range(n)], "age": age, "job": job, "sex": sex,
        "pays": rng.random(n) < 0.2 + 0.5 * (job == "pilot") + 0.2 * sex,
        "ill": np.where(ill, "yes", "no"),
    })  # fmt: skip
    frame.loc[rng.random(n) < 0.05, "job"] = None
    return frame


def designed_policy(**asked: object) -> Policy:
    """A policy for them, quickly made."""
    from discreet.workflow.design import design

    given = {"mechanism": "greedy_funnel", "leak": 0.03, "rng": np.random.default_rng(1)} | asked
    return design(people(), private="ill", public=["age", "job", "sex"], **given)  # type: ignore[arg-type]
