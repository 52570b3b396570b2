"""The demonstration's script, scene by scene and key by key, and the numbers in it; it takes five minutes.

The words are in ``resources/demo/story.json``, with names in braces for numbers; the numbers are computed (`numbers`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from dpdesigner import resources
from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import figure
from dpdesigner.messages import Message
from dpdesigner.studies.count.answer import cost_table
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.result import CountAnswer
from dpdesigner.studies.count.run import solve_in_closed_form as solve
from dpdesigner.studies.study import Progress, silent

#: The number of pupils, how many of them are ill, and the number on the door in the seventh scene.
PUPILS, ILL, SAID = 20, 7, 12
EPSILON = "ln 2"


@dataclass(frozen=True, eq=False)
class Reader:
    """A reader of the release.

    Attributes
    ----------
    expects, believes : ndarray
        Chances of each count before and after the release.
    costs : ndarray
        (21, 21): what reading r costs where i are ill.
    reads : int
        What the release is taken for.
    below, reached : float
        The chances that at most `reads` - 1, and at most `reads`, are ill.
    pays, face : Fraction
        What the best reading costs on average, and reading the release as it stands.
    prices, shares : tuple of Fraction
        For each true count: its price in the proof, and what the best reading costs there, times its chance.
    """

    expects: Floats
    believes: Floats
    costs: Floats
    reads: int
    below: float
    reached: float
    pays: Fraction
    face: Fraction
    prices: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Numbers:
    """All numbers of the story.

    Attributes
    ----------
    table : ndarray
        (21, 21): the release, rows = how many are ill.
    off : float
        By how much it is off on average where seven are ill.
    best, laplace, ignoring : float
        Average errors over all counts, each as likely: of the best private release, with Laplace noise, and of one constant.
    constant : int
        That constant.
    """

    table: Floats
    off: float
    best: float
    laplace: float
    ignoring: float
    constant: int
    nurse: Reader
    cook: Reader

    @property
    def laplace_more(self) -> int:
        """The excess of Laplace noise's expected error over the best, in per cent."""
        return round(100 * (self.laplace / self.best - 1))

    @property
    def moved(self) -> int:
        """The highest probability in per cent that a 50 : 50 bet can reach if odds change by at most the factor, rounded up."""
        odds = Fraction(2)
        return ceil(100 * odds / (1 + odds))


def compute(progress: Progress = silent) -> Numbers:
    """Compute all numbers, as fractions where exact values are shown; takes about 0.4 seconds."""
    school = _design("uniform", "absolute")
    solved = solve(school, progress=progress)
    table = np.asarray(solved.geometric, dtype=float)
    away = np.abs(np.arange(PUPILS + 1) - ILL)
    others = dict(cost_table(school, progress).losses)
    chances = school.prior.probabilities
    constants = chances @ school.loss.matrix(PUPILS)
    return Numbers(
        table=table,
        off=float(table[ILL] @ away),
        best=float(others["remapped"]),
        laplace=float(others["laplace"]),
        ignoring=float(others["ignore"]),
        constant=int(np.argmin(constants)),
        nurse=_reader(solve(_design("binomial:1/4", "absolute"), exact=True, progress=progress)),
        cook=_reader(solve(_design("uniform", "pinball:3/4"), exact=True, progress=progress)),
    )


def loss(value: float | Fraction) -> str:
    """Return an expected error to four decimals, rounded up."""
    return figure(value, 5 if value >= 1 else 4)


def _design(prior: str, loss: str) -> CountDesign:
    return CountDesign(PUPILS, epsilon=EPSILON, prior=prior, loss=loss)


def _reader(solved: CountAnswer) -> Reader:
    design = solved.design
    weights = [Fraction(weight) for weight in design.prior.weights]
    chances = [weight / sum(weights) for weight in weights]
    release, costs = solved.geometric, design.loss.exact_matrix(PUPILS)
    side = range(PUPILS + 1)
    read = [[sum((Fraction(release[i][j]) for j in side if solved.remap[j] == r), Fraction(0)) for r in side] for i in side]
    shares = tuple(chances[i] * sum(read[i][r] * costs[i][r] for r in side) for i in side)
    face = sum(chances[i] * Fraction(release[i][r]) * costs[i][r] for i in side for r in side)
    joint = [chances[i] * Fraction(release[i][SAID]) for i in side]
    believes = [float(part / sum(joint)) for part in joint]
    reads = int(solved.remap[SAID])
    return Reader(
        expects=np.array(chances, dtype=float),
        believes=np.array(believes),
        costs=np.array(costs, dtype=float),
        reads=reads,
        below=float(sum(joint[:reads]) / sum(joint)),
        reached=float(sum(joint[: reads + 1]) / sum(joint)),
        pays=Fraction(solved.value),
        face=Fraction(face),
        prices=tuple(Fraction(price) for price in solved.certificate.dual),
        shares=shares,
    )


@dataclass(frozen=True)
class Step:
    """A step of the story, shown by one key press.

    Attributes
    ----------
    caption : Message
        For the audience; what is in ``<w>`` is warm, as in the picture.
    note : Message
        For the narrator.
    """

    caption: Message
    note: Message


@dataclass(frozen=True)
class Scene:
    """A picture that is built up step by step.

    Attributes
    ----------
    picture : str
        Which one: see `stage`.
    title : Message
    seconds : int
        How long it should take.
    steps : tuple of Step
    """

    picture: str
    title: Message
    seconds: int
    steps: tuple[Step, ...]


def story(numbers: Numbers) -> tuple[Scene, ...]:
    """Return the scenes."""
    values = _values(numbers)
    with resources.path("demo", "story.json").open(encoding="utf-8") as file:
        scenes = json.load(file)
    return tuple(
        Scene(
            scene["picture"],
            Message(scene["title"], {}),
            scene["seconds"],
            tuple(Step(Message(step["caption"], values), Message(step["note"], values)) for step in scene["steps"]),
        )
        for scene in scenes
    )


def plain_text(words: str) -> str:
    """Return a caption without its markup."""
    for mark in ("<w>", "</w>", "<b>", "</b>"):
        words = words.replace(mark, "")
    return words


def _values(numbers: Numbers) -> Mapping[str, object]:
    """The values of the placeholders in the texts."""
    nurse, cook = numbers.nurse, numbers.cook
    return {
        "pupils": PUPILS,
        "ill": ILL,
        "less": ILL - 1,
        "more": ILL + 1,
        "said": SAID,
        "most": numbers.moved,
        "rest": 100 - numbers.moved,
        "off": f"{numbers.off:.2f}",
        "constant": numbers.constant,
        "best": loss(numbers.best),
        "laplace_more": numbers.laplace_more,
        "times": int(numbers.ignoring / numbers.best),
        "nurse_reads": nurse.reads,
        "nurse_before": nurse.reads - 1,
        "nurse_less": f"{100 * nurse.below:.0f}",
        "nurse_more": f"{100 * nurse.reached:.0f}",
        "nurse_pays": loss(nurse.pays),
        "cook_reads": cook.reads,
        "cook_before": cook.reads - 1,
        "cook_less": f"{100 * cook.below:.0f}",
        "cook_more": f"{100 * cook.reached:.0f}",
        "prices": len(nurse.prices),
    }
