"""The paper whose exhibits are here."""

from dpdesigner.studies.exhibits.exhibit import Paper
from dpdesigner.studies.said import said

PAPER = Paper(
    "blr",
    5,
    said("Learning theory"),
    said("Blum, Ligett, Roth, 2013"),
    "[BLR]",
    said("A. Blum, K. Ligett, A. Roth, “A Learning Theory Approach to Non-Interactive Database Privacy”, 2008/2013:"),
    ("theorem-4.3", "median", "vc-bound", "mirrored-mod"),
)
