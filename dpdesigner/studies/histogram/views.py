"""The views of a histogram: its own, and those of the noise of a cell."""

from __future__ import annotations

from dpdesigner.studies.noise.views import TEXTS, Tab
from dpdesigner.studies.said import said

#: The views, key, text and tooltip of each.
TABS: tuple[Tab, ...] = (
    ("histogram", said("Histogram"), said("A column of your data, released with exact noise beside the truth")),
    ("density", said("Noise of a cell"), said("How likely each amount of noise is in one cell")),
    ("distribution", *TEXTS["distribution"]),
    ("epsilon", *TEXTS["epsilon"]),
)
