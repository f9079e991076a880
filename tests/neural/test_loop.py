"""One loop: the same seed, the same players; killed at any moment, it goes on to the same; runs do not disturb each
other; held-out rows stop it; the caller is told.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discreet.core.errors import DiscreetError
from discreet.neural.loop import Game, Move, Schedule, Step, Trained, train

pytest.importorskip("jax")

ROWS = np.random.default_rng(0).normal(3, 1, (200, 1)).astype(np.float32)
SCHEDULE = Schedule(60, 6, 32)


def _miss(own: Any, others: Any, rows: Any, key: Any, knobs: Any) -> Any:
    return knobs["scale"] * ((own["point"]["at"] - rows[0]) ** 2).mean()


def _score(players: Any, rows: Any, key: Any, knobs: Any) -> Any:
    return _miss(players, None, rows, key, knobs)


GAME = Game((Move(("point",), _miss, 2, 0.1),), _score)


def play(scale: tuple[float, ...] = (1.0, 2.0), schedule: Schedule = SCHEDULE, **asked: Any) -> Trained:
    start = {"point": {"at": np.zeros((len(scale), 1), dtype=np.float32)}}
    asked = {"seed": 1, **asked}
    return train(
        GAME,
        start,
        (ROWS[:150],),
        (ROWS[150:],),
        knobs={"scale": np.array(scale)},
        schedule=schedule,
        **asked,
    )


def point(trained: Trained) -> np.ndarray:
    return np.asarray(trained.players["point"]["at"])


def test_it_plays_well() -> None:
    assert point(play(schedule=Schedule(300, 6, 32))) == pytest.approx(ROWS[:150].mean(), abs=0.1)


def test_the_same_seed_gives_the_same_players_and_another_seed_others() -> None:
    assert np.array_equal(point(play()), point(play()))
    assert not np.array_equal(point(play()), point(play(seed=2)))


def test_a_run_is_the_same_in_any_company() -> None:
    """Runs share noise and minibatches; a third beside two changes neither."""
    assert point(play((1.0, 2.0, 5.0)))[:2] == pytest.approx(point(play()), abs=1e-5)


def test_a_training_that_was_cut_goes_on_to_the_same(tmp_path: Path) -> None:
    class Cut(Exception):  # noqa: N818
        pass

    def cut(step: Step) -> None:
        if step.done == 3:
            raise Cut

    path = tmp_path / "state"
    with pytest.raises(Cut):
        play(resume=path, progress=cut)
    seen: list[int] = []
    again = play(resume=path, progress=lambda step: seen.append(step.done))
    assert seen == [4, 5, 6]
    assert np.array_equal(point(again), point(play()))
    assert np.array_equal(again.history, play().history)


def test_one_that_has_ended_is_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "state"
    once, seen = play(resume=path), []
    again = play(resume=path, progress=seen.append)
    assert not seen
    assert np.array_equal(point(again), point(once))


@pytest.mark.parametrize("other", [{"seed": 5}, {"scale": (1.0, 3.0)}, {"schedule": Schedule(60, 6, 16)}])
def test_the_state_of_another_training_is_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    path = tmp_path / "state"
    play(resume=path)
    with pytest.raises(DiscreetError, match="another training"):
        play(resume=path, **other)


def test_held_out_rows_stop_it_and_the_best_is_kept() -> None:
    """Eight rows are learned by heart; the score of others says when to stop."""
    told = play(schedule=Schedule(2000, 40, 8, keep="best", patience=3))
    assert len(told.history) < 40
    assert told.score == pytest.approx(told.history.min(axis=0))


def test_progress_counts_down_to_nothing() -> None:
    seen: list[Step] = []
    play(progress=seen.append)
    assert [step.done for step in seen] == [1, 2, 3, 4, 5, 6]
    assert {step.total for step in seen} == {6}
    assert seen[-1].left == 0
    assert all(step.left > 0 for step in seen[:-1])


def test_multipliers_rise_until_the_budget_is_met() -> None:
    """min (x − 3)² subject to x ≤ 1, by the augmented Lagrangian: x = 1, λ = 4."""
    from discreet.neural.constraints import lagrangian
    from discreet.neural.framework import framework

    def over(players: Any, rows: Any, key: Any, knobs: Any) -> Any:
        return players["point"]["at"] - 1

    def loss(own: Any, others: Any, rows: Any, key: Any, knobs: Any) -> Any:
        xp, at = framework().jax.numpy, own["point"]["at"][0]
        return (at - 3) ** 2 + lagrangian(xp, at - 1, others["duals"][0], 1.0)

    def score(players: Any, rows: Any, key: Any, knobs: Any) -> Any:
        return (players["point"]["at"][0] - 3) ** 2

    start = {"point": {"at": np.zeros((1, 1), np.float32)}, "duals": np.zeros((1, 1), np.float32)}
    game = Game((Move(("point",), loss, 1, 0.1),), score, over, 0.1)
    told = train(game, start, (ROWS,), (ROWS,), knobs={}, schedule=Schedule(800, 4, 8), seed=0)
    assert point(told) == pytest.approx(1, abs=0.02)
    assert told.players["duals"] == pytest.approx(4, abs=0.2)


def test_a_run_that_is_still_moving_is_not_settled() -> None:
    falling, flat = np.linspace(5, 1, 12), np.r_[5.0, 3.0, np.ones(10)]
    broken = np.r_[np.ones(11), np.nan]
    told = Trained({}, np.zeros(3), np.stack([falling, flat, broken], axis=1))
    assert told.settled.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("data", "held_out"),
    [
        ((ROWS[:0],), (ROWS,)),
        ((ROWS, ROWS[:3]), (ROWS, ROWS)),
        ((ROWS * np.nan,), (ROWS,)),
    ],
)
def test_what_is_refused(data: Any, held_out: Any) -> None:
    start = {"point": {"at": np.zeros((1, 1), dtype=np.float32)}}
    with pytest.raises(DiscreetError, match="to do"):
        train(GAME, start, data, held_out, knobs={"scale": np.ones(1)}, schedule=SCHEDULE, seed=0)
    with pytest.raises(DiscreetError, match="to do"):
        Schedule(0)


KILLED = """
import sys
from pathlib import Path
import numpy as np
from discreet.core.samples import Columns, Samples
from discreet.mechanisms.learned.mixture import gap_mixture
from discreet.mechanisms.learned.rounds import Training

rng = np.random.default_rng(0)
s = rng.integers(0, 2, 600)
people = Samples(Columns.of_array(np.where(s == 1, 3, -3)[:, None] + rng.normal(size=(600, 1))), s)
state = Path(sys.argv[1]) if sys.argv[1] != "-" else None
told = lambda step: print(step.done, flush=True)
training = Training(120, 64, pieces=12, progress=told, resume=state)
found = gap_mixture(people, [2.0, 5.0], training=training, rng=np.random.default_rng(1))
print("end", [p.channel.shift.tobytes().hex() + p.channel.cov.tobytes().hex() for p in found])
"""


@pytest.mark.slow
def test_killed_outright_it_goes_on_to_the_same_parameters(tmp_path: Path) -> None:
    """A preset in a process of its own, killed by the system in the middle, twice; its state is never half written."""
    state = tmp_path / "state"

    def run(path: str, most: int | None = None) -> str:
        command = [sys.executable, "-c", KILLED, path]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            line = ""
            for line in process.stdout:
                if most is not None and line.strip() == str(most):
                    process.send_signal(signal.SIGKILL)
                    break
            process.wait()
            assert process.returncode == (0 if most is None else -signal.SIGKILL)
            return line

    whole = run("-")
    run(str(state), 3)
    assert state.exists()
    run(str(state), 8)
    assert run(str(state)) == whole
    assert whole.startswith("end")
