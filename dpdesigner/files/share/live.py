"""What the scripts of an interactive page need of a design, as JSON values: its numbers as doubles and as proved texts.

A design that no script can compute is not live; the page shows its pictures instead. A column, answers or a table of people are
never part of it: the attack is shown on made-up people.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from dpdesigner.core.count.costs import costs_of_others
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.studies.findings import format_finding

#: The largest n of a count, and of one whose loss goes into the page as a table.
LARGEST_N, LARGEST_TABLE = 200, 60
#: The epsilons of the page's slider.
LEAST_EPSILON, LARGEST_EPSILON = 0.01, 10.0
#: The most people and answers of an attack.
MOST_PEOPLE, MOST_ANSWERS = 64, 512

_LOSSES = ("absolute", "squared", "zero-one", "pinball")


def live_data(outcome: Any) -> dict[str, Any] | None:
    """Return what the script of a kind needs of a solved design; None where the design cannot be live."""
    make = _LIVE.get(outcome.design.kind)
    return None if make is None else make(outcome)


def live_state(kind: str, n: int, view: dict[str, Any]) -> dict[str, Any]:
    """Return what a scene selects in a live design: of a count the true count, and whether it is read by the remap."""
    row = view.get("row")
    if kind != "count" or not isinstance(row, int) or not 0 <= row <= n:
        return {}
    return {"row": row, "readAs": view.get("view") in ("optimal", "induced", "remap")}


def _in_range(epsilon: float) -> bool:
    return LEAST_EPSILON <= epsilon <= LARGEST_EPSILON


def _count(outcome: Any) -> dict[str, Any] | None:
    design, solved = outcome.design, outcome.solved
    named = design.loss.name in _LOSSES
    if (
        design.uncovered
        or not design.covered
        or not _in_range(design.privacy.epsilon)
        or design.n > (LARGEST_N if named else LARGEST_TABLE)
    ):
        return None
    costs = dict(costs_of_others(design))
    tau = float(design.loss.parameter) if design.loss.name == "pinball" else 0.5
    return {
        "kind": "count",
        "n": design.n,
        "prior": design.prior.probabilities.tolist(),
        "epsilon": design.privacy.epsilon,
        "alpha": design.privacy.alpha,
        "loss": design.loss.name if named else design.loss.matrix(design.n).tolist(),
        "lossTitle": f"{design.loss.title} loss",
        "tau": tau,
        "measure": "expected error" if design.loss.name == "absolute" else "expected cost",
        "value": float(solved.value),
        "valueText": format_finding(solved.findings["value"]),
        "gapText": format_finding(solved.findings["gap"]),
        "attainedText": format_finding(solved.findings["epsilon"]),
        "remap": solved.remap.tolist(),
        "laplace": float(costs["laplace"]),
        "laplaceText": figure(float(costs["laplace"])),
        "ignore": float(costs["ignore"]),
        "ignoreText": figure(float(costs["ignore"])),
        "proved": bool(solved.proved),
        "row": round(float(design.prior.probabilities @ range(design.n + 1))),
    }


def _noise(outcome: Any) -> dict[str, Any] | None:
    design, findings = outcome.design, outcome.findings
    power = {"absolute": 1, "squared": 2}.get(str(design.cost))
    single = design.query == "real" and design.dimension == 1 and design.delta is None
    gamma = outcome.noise.gamma if isinstance(outcome.noise, Staircase) else None
    if power is None or not single or gamma is None or not 0 < gamma < 1 or not _in_range(float(outcome.noise.epsilon)):
        return None
    return {
        "kind": "noise",
        "epsilon": float(outcome.noise.epsilon),
        "sensitivity": float(outcome.noise.sensitivity),
        "gamma": float(gamma),
        "best": design.gamma == "optimal",
        "power": power,
        "cost": float(findings["value"].value),
        "costText": format_finding(findings["value"]),
        "laplace": float(findings["laplace"].value),
        "laplaceText": format_finding(findings["laplace"]),
        "proved": outcome.badge[1] == "proved",
    }


def _attack(outcome: Any) -> dict[str, Any] | None:
    design = outcome.design
    if design.answers or design.n > MOST_PEOPLE:
        return None
    dice = random.Random(design.n)  # made-up people, whatever the design's column is
    secret = [int(dice.random() < 0.5) for _ in range(design.n)]
    error = min(0.5 * design.n**0.5, design.n / 2) if design.noisy else min(design.bound, design.n / 2)
    return {
        "kind": "attack",
        "secret": secret,
        "questions": min(design.queries, MOST_ANSWERS),
        "error": round(2 * error) / 2,
        "seed": 1,
    }


_LIVE: dict[str, Callable[[Any], dict[str, Any] | None]] = {"count": _count, "noise": _noise, "attack": _attack}
