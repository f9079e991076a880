"""One thread in each learner: on tables of this size several wait for one another longer than they work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def alone() -> Iterator[None]:
    """One thread inside each learner; several learners at a time make better use of the machine."""
    import sklearn.ensemble  # noqa: F401  only threads of what is loaded can be held
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1):
        yield
