"""What is announced once drops onto the chances, and never leaves the window with them."""

from __future__ import annotations

import numpy as np

from dpdesigner.studies.choice.answer import Announced
from dpdesigner.studies.choice.run import _landing


def test_one_announcement_lands_on_its_chance_and_a_hundred_are_dots() -> None:
    chances, names = np.array([0.2, 0.7, 0.1]), ("A", "B", "C")
    once = Announced(np.array([0, 1, 0]), 1, 1)
    landing = _landing(once, chances, names)
    assert landing is not None and landing.x == (1.0,) and landing.y == (0.7,) and landing.text == "B" and landing.of is once
    assert _landing(Announced(np.array([20, 70, 10]), 1, 70), chances, names) is None
    assert _landing(None, chances, names) is None
