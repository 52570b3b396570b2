"""The numbers that the scenes of the choice say are those of its designs."""

from __future__ import annotations

import numpy as np

from dpdesigner import resources
from dpdesigner.files.project import read_project


def test_what_the_scenes_say() -> None:
    project = read_project(resources.path("examples", "schooling-scenes.dpd"))
    drawn, less, printed = (study.run() for study in project.studies)
    assert [scene.design for scene in project.scenes] == [0, 0, 0, 1, 2]
    said = [scene.text for scene in project.scenes]
    counts, chances = drawn.task.numbers[0], drawn.rule.probabilities
    assert (counts.sum(), counts[2], counts[5]) == (944, 248, 227) and all(text in said[0] for text in ("944", "248", "227"))
    assert [f"{100 * chances[option]:.0f}%" in said[1] for option in (2, 5)] == [True, True]
    moves = np.zeros(7)
    for part in project.scenes[2].view["neighbour"].split(","):
        option, _, move = part.partition(":")
        moves[int(option)] = float(move)
    assert (moves == drawn.rule.worst.moves(7, "changes")).all()
    after = float(np.exp(drawn.rule.at(moves).logs[5]))
    for number in (f"{100 * chances[5]:.1f}%", f"{100 * after:.1f}%", f"{chances[5] / after:.3f}", f"{np.exp(0.1):.3f}"):
        assert number in said[2]
    assert f"{round(1 / (1 - less.rule.chance_of_best), -3):_.0f}".replace("_", "\u202f") in said[3]
    assert printed.rule.epsilon == 0.2 and not printed.proved and "states ε = 0.1, but the true value is 0.2" in said[4]
    joined = project.studies[2].replace(neighbours="joins").run()
    assert joined.rule.epsilon == 0.1 and joined.proved
