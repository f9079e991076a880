"""Small networks with one output for each secret, stopped on rows set aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.protocols import Array, Codes
from discreet.estimators.families.family import Predictor, log_shares
from discreet.estimators.matrices.views import Seen

MOST_ROWS = 16_000
UNITS = {"corners": "relu", "bends": "tanh"}
EPOCHS = 60
PATIENCE = 6
WIDTH = 800


@dataclass(frozen=True, slots=True)
class NetworkFamily:
    """Two hidden layers trained by Adam on log-loss; the weights of the epoch that judged best are kept."""

    hidden: tuple[int, ...] = (64, 32)

    def suits(self, seen: Seen, size: int) -> bool:
        """Numbers or levels to read, and not thousands of them."""
        del size
        return bool(0 < seen.linear.shape[1] <= WIDTH)

    def fit(self, seen: Seen, s: Codes, size: int, rng: np.random.Generator) -> dict[str, Predictor]:
        """One member for each kind of unit: corners suit some laws, smooth bends others."""
        z = np.clip(seen.linear, -10, 10)
        order = rng.permutation(s.size)[:MOST_ROWS]
        base = log_shares(s, size)
        return {
            f"network of {name}": _Network(_trained(self.hidden, unit, z[order], s[order], size, rng), base)
            for name, unit in UNITS.items()
        }


def _trained(
    hidden: tuple[int, ...], unit: str, z: NDArray[np.float32], s: Codes, size: int, rng: np.random.Generator
) -> Any:
    """Trained on these records but a seventh, which decide when to stop."""
    from sklearn.neural_network import MLPClassifier

    aside = max(10, s.size // 7)
    judge, learn = slice(0, aside), slice(aside, None)
    many = s.size - aside
    model = MLPClassifier(
        hidden,
        activation=unit,
        alpha=1e-3,
        learning_rate_init=3e-3,
        batch_size=int(min(np.clip(many // 20, 16, 256), many)),
        random_state=int(rng.integers(2**31)),
    )
    best, kept, since = np.inf, None, 0
    for _ in range(EPOCHS):
        model.partial_fit(z[learn], s[learn], classes=np.arange(size))
        p = model.predict_proba(z[judge])
        now = -float(np.mean(np.log(np.maximum(p[np.arange(aside), s[judge]], 1e-12))))
        since += 1
        if now < best - 1e-5:
            best, since = now, 0
            kept = ([w.copy() for w in model.coefs_], [b.copy() for b in model.intercepts_])
        if since >= PATIENCE:
            break
    if kept is not None:
        model.coefs_, model.intercepts_ = kept
    return model


@dataclass(frozen=True, slots=True)
class _Network:
    model: Any
    base: Array

    def log_ratio(self, seen: Seen) -> Array:
        p = self.model.predict_proba(np.clip(seen.linear, -10, 10)).astype(np.float64)
        found: Array = np.log(np.maximum(p, 1e-9)) - self.base
        return found
