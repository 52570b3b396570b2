"""The paper whose exhibits are here."""

from dpdesigner.studies.exhibits.exhibit import Paper
from dpdesigner.studies.said import said

PAPER = Paper(
    "grs",
    1,
    said("Count queries"),
    said("Ghosh, Roughgarden, Sundararajan, 2009"),
    "[GRS]",
    said("A. Ghosh, T. Roughgarden, M. Sundararajan, “Universally Utility-Maximizing Privacy Mechanisms”, 2009:"),
    ("example-2.2", "figure-1", "figures-2-3", "theorem-6.3"),
)
