"""Records as the matrices that classifiers read, in each coordinates made once for all attackers of one table."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.adversaries.coordinates import Look, Reader
from discreet.core.samples import Columns, Samples
from discreet.estimators.matrices.views import Seen, Views

Made = TypeVar("Made")


class View(NamedTuple):
    """One look at the records: how others are read, and those to learn from, already read."""

    reader: Reader
    views: Views
    learnt: Seen


class Desk:
    """Records to learn from, and those that will be asked about, in any coordinates; each is made when first asked.

    Every attacker who looks in the same coordinates reads the same matrices.
    """

    def __init__(self, samples: Samples, rng: np.random.Generator, asked: Columns | None = None) -> None:
        self.samples = samples
        self._asked = asked
        self._seed = int(rng.integers(2**63))
        self._views: dict[Look, View] = {}
        self._read: dict[Look, Seen] = {}
        self._lock = Lock()

    def view(self, look: Look) -> View:
        """The records to learn from, through this look."""
        with self._lock:
            return self._view(look)

    def see(self, look: Look, columns: Columns) -> Seen:
        """Other records, as those to learn from were read."""
        with self._lock:
            view = self._view(look)
            if columns is not self._asked:
                return view.views.see(view.reader(columns))
            return _once(self._read, look, lambda: view.views.see(view.reader(columns)))

    def _view(self, look: Look) -> View:
        def made() -> View:
            reader = look(self.samples.x)
            known = self.samples
            read = Samples(reader(known.x), known.s, known.axes[0], known.size)
            return View(reader, *Views.fit(read, np.random.default_rng(self._seed)))

        return _once(self._views, look, made)


def some_rows(n: int, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """All rows, or so many drawn evenly, in order."""
    if n <= most:
        return np.arange(n)
    return np.sort(rng.choice(n, most, replace=False))


def _once(made: dict[Look, Made], look: Look, make: Callable[[], Made]) -> Made:
    if look not in made:
        made[look] = make()
    return made[look]
