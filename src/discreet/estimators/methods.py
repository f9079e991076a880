"""The lift from records in one call."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from discreet.core.errors import ParameterError
from discreet.core.samples import Samples
from discreet.estimators.fitted import Fitted, Learner
from discreet.estimators.records import samples_of
from discreet.estimators.single import Boosting, Logistic, Neighbours, Network, Plugin
from discreet.estimators.stack import Stack
from discreet.estimators.variational import ChiSquared, DonskerVaradhan, Nwj, Tide

METHODS: MappingProxyType[str, Callable[[], Learner]] = MappingProxyType(
    {
        "stack": Stack,
        "plugin": Plugin,
        "logistic": Logistic,
        "boosting": Boosting,
        "network": Network,
        "neighbours": Neighbours,
        "donsker_varadhan": DonskerVaradhan,
        "tide": Tide,
        "nwj": Nwj,
        "chi_squared": ChiSquared,
    }
)
"""The estimators by name, each at its defaults."""


def estimate(
    x: Any, s: Any = None, method: str | Learner = "stack", *, rng: np.random.Generator | None = None
) -> Fitted:
    """Learn what the columns x tell about the secret s: p(s | x) / p(s) of any record.

    x is an array [n, d], a frame of any kind, Columns, or Samples, which hold s too. Text, dates, booleans, numbers and
    what is missing are read as columns_of says; secrets are sorted, as in model.axes[0].labels. Without `rng` a fresh
    generator is taken, and no two fits are quite the same.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(400, 1))
    >>> model = estimate(x, x[:, 0] + rng.normal(size=400) > 0, method="logistic", rng=rng)
    >>> lift = model.lift(np.array([[2.0], [-2.0]]))
    >>> bool(lift.ratio[1, 0] > 1.5 > .5 > lift.ratio[1, 1])
    True
    """
    if isinstance(method, str):
        if method not in METHODS:
            raise ParameterError(
                f"a method among {', '.join(METHODS)}",
                f"method = {method!r}",
                "choose one, or give an Estimator",
            )
        method = METHODS[method]()
    if s is None and not isinstance(x, Samples):
        raise ParameterError("records with their secret", "x alone", "give s, or Samples, which hold both")
    return method.fit(samples_of(x, s), rng=np.random.default_rng() if rng is None else rng)
