"""The shelf of what followed, none of which stands in the five papers."""

from dpdesigner.messages import message
from dpdesigner.studies.exhibits.exhibit import Paper

PAPER = Paper(
    "after",
    6,
    message("After the five papers"),
    message("later questions on count queries, answered here"),
    "[After]",
    message("None of the five papers states this. Proofs: THEORY.md, section “After the five papers”:"),
    ("fair-worst-case", "triangle", "trees", "histograms", "fair-properties", "property-prices"),
    ours=True,
)
