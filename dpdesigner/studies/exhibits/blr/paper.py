"""The paper whose exhibits are here."""

from dpdesigner.messages import message
from dpdesigner.studies.exhibits.exhibit import Paper

PAPER = Paper(
    "blr",
    5,
    message("Learning theory"),
    message("Blum, Ligett, Roth, 2013"),
    "[BLR]",
    message("A. Blum, K. Ligett, A. Roth, “A Learning Theory Approach to Non-Interactive Database Privacy”, 2008/2013:"),
    ("theorem-4.3", "median", "vc-bound", "mirrored-mod"),
)
