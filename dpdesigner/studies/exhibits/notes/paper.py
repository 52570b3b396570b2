"""The paper whose exhibits are here."""

from dpdesigner.studies.exhibits.exhibit import Paper
from dpdesigner.studies.said import said

PAPER = Paper(
    "notes",
    4,
    said("Lecture notes"),
    said("reconstruction, choice, auctions"),
    "[Notes]",
    said("Lecture notes on differential privacy (reconstruction by linear programming, the exponential mechanism, auctions):"),
    ("laplace-cdf", "utopian-goal", "tightness", "auction-price"),
)
