"""Race from the COMPAS scores: the log-lift that paper 001 estimates, and what its own network makes of it."""

import csv
import gzip
from itertools import pairwise

import numpy as np
import pytest

from discreet.core.axis import Axis
from discreet.core.lift import Lift
from discreet.core.reading import Origin
from discreet.core.samples import Column, Columns, Samples
from discreet.estimators import Stack, columns_of, measured, split

NUMBERS = ("age", "priors_count", "length_of_custody", "decile_score")


@pytest.fixture(scope="module")
def parts(compas):
    """Seven records of ten to learn from, three to judge, as in the paper."""
    with gzip.open(compas, "rt") as file:
        rows = list(csv.DictReader(file))
    columns = [Column("sex", [row["sex"] == "Male" for row in rows], levels=("Female", "Male"))]
    columns += [Column(name, [float(row[name]) for row in rows]) for name in NUMBERS]
    race = Axis("race", labels=("African-American", "Caucasian"))
    samples = Samples(Columns(columns), [int(row["s"]) for row in rows], race)
    assert samples.counts.tolist() == [3175, 2103]
    return split(samples, 0.7, rng=np.random.default_rng(1))


@pytest.fixture(scope="module")
def stack(parts):
    return Stack().fit(parts[0], rng=np.random.default_rng(0))


def test_estimated_log_lifts_obey_their_laws(stack, parts):
    lift = stack.lift(parts[1].x)
    assert np.abs(lift.p_s @ np.exp(lift.log_lift) - 1).max() < 1e-6
    most = -np.log(lift.p_s)
    np.testing.assert_allclose(most, [0.508, 0.920], atol=1e-3)
    assert (lift.log_lift.max(axis=1) <= most).all()
    told = measured(stack, parts[1], rng=np.random.default_rng(0))
    assert told.verdict.leaks
    assert 0.015 < told.lower["mutual_information"].value < told.estimates["mutual_information"].value < 0.09
    assert told.lower["guessing_probability"].value > 2103 / 5278


@pytest.mark.nightly
def test_more_is_known_to_leak_than_by_the_printed_network(stack, parts):
    learn, judge = parts
    printed = Printed(learn)
    bounds = {
        name: measured(model, judge, rng=np.random.default_rng(0)).lower["mutual_information"].value
        for name, model in (("stack", stack), ("printed", printed))
    }
    told = printed.donsker_varadhan(judge)
    assert bounds["stack"] > bounds["printed"] + 0.005
    assert bounds["stack"] > 0.02
    assert told < measured(stack, judge, rng=np.random.default_rng(0)).estimates["mutual_information"].value


def _layer(inputs: int, outputs: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Glorot's uniform weights, and zeros."""
    limit = np.sqrt(6 / (inputs + outputs))
    return [
        rng.uniform(-limit, limit, (inputs, outputs)).astype(np.float32),
        np.zeros(outputs, np.float32),
    ]


class Printed:
    """Paper 001, Section IV-E: objective (12), two layers of 128 tanh, Adagrad at 0.001, 3,000 times all the records.

    It has one output for each secret, so that the product expectation is exact, which can only help it.
    """

    STEPS, RATE, WIDTH = 3000, 1e-3, 128

    def __init__(self, learn: Samples) -> None:
        self.axes, self.p_s = learn.axes, learn.shares
        raw = self._raw(learn.x)
        self.mean, self.scale = raw.mean(axis=0), raw.std(axis=0)
        sizes = (raw.shape[1], self.WIDTH, self.WIDTH, learn.size)
        self.weights = [_layer(a, b, np.random.default_rng(a * b)) for a, b in pairwise(sizes)]
        self._train(self._features(learn.x), np.eye(learn.size, dtype=np.float32)[learn.s])

    @staticmethod
    def _raw(x: Columns) -> np.ndarray:
        return np.column_stack([column.values for column in x]).astype(np.float32)

    def _features(self, x: Columns) -> np.ndarray:
        return (self._raw(x) - self.mean) / self.scale

    def _layers(self, z: np.ndarray) -> list[np.ndarray]:
        held = [z]
        for weight, bias in self.weights[:-1]:
            held.append(np.tanh(held[-1] @ weight + bias))
        return [*held, held[-1] @ self.weights[-1][0] + self.weights[-1][1]]

    def _train(self, z: np.ndarray, s: np.ndarray) -> None:
        seen = [[np.full_like(one, 0.1) for one in layer] for layer in self.weights]
        for _ in range(self.STEPS):
            held = self._layers(z)
            tilted = np.exp(held[-1] - held[-1].max()) * self.p_s
            back = ((s / len(z)) - tilted / tilted.sum()).astype(np.float32)
            for k in (2, 1, 0):
                slopes = [held[k].T @ back, back.sum(axis=0)]
                back = (back @ self.weights[k][0].T) * (1 - held[k] ** 2) if k else back
                for held_by, so_far, slope in zip(self.weights[k], seen[k], slopes, strict=True):
                    np.add(so_far, slope**2, out=so_far)
                    np.add(held_by, self.RATE * slope / np.sqrt(so_far), out=held_by)

    def lift(self, x: Columns) -> Lift:
        g = self._layers(self._features(columns_of(x)))[-1].astype(np.float64)
        log = g - np.log((np.exp(g) @ self.p_s).mean())
        n = len(log)
        return Lift(log.T, self.p_s, np.full(n, 1 / n), self.axes, Origin("learned", "the population"))

    def donsker_varadhan(self, judge: Samples) -> float:
        g = self._layers(self._features(judge.x))[-1].astype(np.float64)
        return float(g[np.arange(judge.n), judge.s].mean() - np.log((np.exp(g) @ judge.shares).mean()))
