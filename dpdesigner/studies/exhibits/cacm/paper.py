"""The paper whose exhibits are here."""

from dpdesigner.studies.exhibits.exhibit import Paper
from dpdesigner.studies.said import said

PAPER = Paper(
    "cacm",
    2,
    said("Foundations"),
    said("Dwork, 2011"),
    "[CACM]",
    said("C. Dwork, “A Firm Foundation for Private Data Analysis”, Communications of the ACM 54(1), 2011:"),
    ("exponential", "k-means", "id3-tree", "histogram"),
)
