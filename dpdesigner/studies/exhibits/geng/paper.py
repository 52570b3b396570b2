"""The paper whose exhibits are here."""

from dpdesigner.messages import message
from dpdesigner.studies.exhibits.exhibit import Paper

PAPER = Paper(
    "geng",
    3,
    message("Staircase noise"),
    message("Geng, Viswanath, 2012"),
    "[Geng]",
    message("Q. Geng, P. Viswanath, “The Optimal Mechanism in Differential Privacy”, 2012–2014:"),
    ("density", "gamma-star", "low-privacy", "ages"),
)
