"""The paper whose exhibits are here."""

from dpdesigner.messages import message
from dpdesigner.studies.exhibits.exhibit import Paper

PAPER = Paper(
    "grs",
    1,
    message("Count queries"),
    message("Ghosh, Roughgarden, Sundararajan, 2009"),
    "[GRS]",
    message("A. Ghosh, T. Roughgarden, M. Sundararajan, “Universally Utility-Maximizing Privacy Mechanisms”, 2009:"),
    ("example-2.2", "figure-1", "figures-2-3", "theorem-6.3"),
)
