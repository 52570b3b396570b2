"""The paper whose exhibits are here."""

from dpdesigner.studies.exhibits.exhibit import Paper
from dpdesigner.studies.said import said

PAPER = Paper(
    "geng",
    3,
    said("Staircase noise"),
    said("Geng, Viswanath, 2012"),
    "[Geng]",
    said("Q. Geng, P. Viswanath, “The Optimal Mechanism in Differential Privacy”, 2012–2014:"),
    ("density", "gamma-star", "low-privacy", "ages"),
)
