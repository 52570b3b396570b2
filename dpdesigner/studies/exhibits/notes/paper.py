"""The paper whose exhibits are here."""

from dpdesigner.messages import message
from dpdesigner.studies.exhibits.exhibit import Paper

PAPER = Paper(
    "notes",
    4,
    message("Lecture notes"),
    message("reconstruction, choice, auctions"),
    "[Notes]",
    message("Lecture notes on differential privacy (reconstruction by linear programming, the exponential mechanism, auctions):"),
    ("laplace-cdf", "utopian-goal", "tightness", "auction-price"),
)
