"""What the demonstration says, scene by scene and key by key, and what its narrator says beside it; it takes five minutes.

The words are in ``resources/demo/story.json``, with names in braces for numbers; the numbers are computed (`numbers`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from dpdesigner import resources
from dpdesigner.desktop.demonstration.numbers import ILL, PUPILS, SAID, Numbers, loss
from dpdesigner.messages import Message


@dataclass(frozen=True)
class Step:
    """The step that one key press brings.

    Attributes
    ----------
    caption : Said
        For the audience; what is in ``<w>`` is warm, as in the picture.
    note : Said
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
    title : Said
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
    """Return a caption without its marks."""
    for mark in ("<w>", "</w>", "<b>", "</b>"):
        words = words.replace(mark, "")
    return words


def _values(numbers: Numbers) -> Mapping[str, object]:
    """What stands for the names in the words."""
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
