"""The paper whose exhibits are here."""

from dpdesigner.messages import message
from dpdesigner.studies.exhibits.exhibit import Paper

PAPER = Paper(
    "cacm",
    2,
    message("Foundations"),
    message("Dwork, 2011"),
    "[CACM]",
    message("C. Dwork, “A Firm Foundation for Private Data Analysis”, Communications of the ACM 54(1), 2011:"),
    ("exponential", "k-means", "id3-tree", "histogram"),
)
