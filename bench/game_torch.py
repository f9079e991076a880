"""The same game of shifts and noise, read eagerly in PyTorch: one budget after the other, one step after the other.

    python bench/game_torch.py records.npz ROUNDS BUDGET … > designs.json

Same records, same family on the same sphere, same critic, same number of steps, minibatches and rates as
`gap_mixture`. It prints, for each budget, the shifts and the variances of the noise for secrets 0 and 1. It judges
nothing, which `gap_mixture` does. Needs torch 2.13.0 (and NumPy), which the package does not.
"""

from __future__ import annotations

import json
import math
import sys

import numpy as np
import torch

BATCH, CRITIC_STEPS, RATES, FLOOR, POWER = 512, 4, (1.5e-2, 3e-2), 0.02, 8.0


def critic(width: int, secrets: int) -> torch.nn.Module:
    layers = [torch.nn.Linear(a, b) for a, b in ((width, 16), (16, 16), (16, secrets))]
    return torch.nn.Sequential(layers[0], torch.nn.Tanh(), layers[1], torch.nn.Tanh(), layers[2])


def decay(optimiser: torch.optim.Optimizer, steps: int) -> torch.optim.lr_scheduler.LambdaLR:
    def factor(step: int) -> float:
        return FLOOR + (1 - FLOOR) * (1 + math.cos(math.pi * min(step, steps) / steps)) / 2

    return torch.optim.lr_scheduler.LambdaLR(optimiser, factor)


def designed(x: torch.Tensor, s: torch.Tensor, rounds: int, budget: float) -> tuple[list[float], list[float]]:
    p_s = torch.bincount(s, minlength=2) / len(s)
    point = torch.randn(2, 2) * 0.1
    point[0] += torch.tensor([0.5, -0.5])
    point[1] += 0.5
    point.requires_grad_()
    slack = torch.full((1,), 0.2, requires_grad=True)
    against = critic(1, 2)
    first = torch.optim.Adam(against.parameters(), lr=RATES[0], betas=(0.9, 0.99))
    second = torch.optim.Adam([point, slack], lr=RATES[1], betas=(0.9, 0.99))
    decays = decay(first, rounds * CRITIC_STEPS), decay(second, rounds)

    def spent() -> torch.Tensor:
        norm = torch.sqrt((point**2).sum() + (slack**2).sum())
        return point / norm * math.sqrt(budget) / torch.sqrt(p_s)

    def beliefs(rows: torch.Tensor) -> torch.Tensor:
        b, g = spent()
        y = x[rows] + b[s[rows]] + g[s[rows]] * torch.randn(len(rows))
        y = (y - y.mean()) / torch.sqrt(y.var(correction=0) + 0.04)
        return torch.log_softmax(against(y[:, None]), dim=1)

    for _ in range(rounds):
        for _ in range(CRITIC_STEPS):
            rows = torch.randint(len(x), (BATCH,))
            first.zero_grad()
            torch.nn.functional.nll_loss(beliefs(rows), s[rows]).backward()
            first.step()
            decays[0].step()
        rows = torch.randint(len(x), (BATCH,))
        second.zero_grad()
        sharp = torch.log_softmax(POWER * beliefs(rows), dim=1)
        sharp.exp().gather(1, s[rows, None]).mean().backward()
        second.step()
        decays[1].step()
    b, g = spent().detach()
    return b.tolist(), (g**2).tolist()


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    with np.load(sys.argv[1]) as file:
        x, s = file["x"], torch.as_tensor(file["s"])
    scale = float(x.std())
    rows = torch.as_tensor((x - x.mean()) / scale, dtype=torch.float32)
    found = []
    for budget in map(float, sys.argv[3:]):
        b, v = designed(rows, s, int(sys.argv[2]), budget / scale**2)
        found.append({"shift": [scale * one for one in b], "variance": [scale**2 * one for one in v]})
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
