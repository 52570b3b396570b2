"""Design differentially private mechanisms.

>>> import dpdesigner as dp
>>> design = dp.CountDesign(n=5, alpha="1/2", prior=["1/4", 0, "1/4", 0, "1/4", "1/4"], loss="power:1.5")
>>> dp.solve(design).remap.tolist()
[0, 2, 2, 3, 4, 5]
"""

from dpdesigner.errors import Cancelled, DpDesignerError, InputError, ProofError
from dpdesigner.studies.count import CountDesign, CountOutcome, solve
from dpdesigner.studies.count_witness import Witness, linear_program

__version__ = "0.1.0"

__all__ = [
    "Cancelled",
    "CountDesign",
    "CountOutcome",
    "DpDesignerError",
    "InputError",
    "ProofError",
    "Witness",
    "__version__",
    "linear_program",
    "solve",
]
