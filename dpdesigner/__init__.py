"""Design differentially private mechanisms.

>>> import dpdesigner as dp
>>> design = dp.CountDesign(n=5, alpha="1/2", prior=["1/4", 0, "1/4", 0, "1/4", "1/4"], loss="power:1.5")
>>> dp.solve(design).remap.tolist()
[0, 2, 2, 3, 4, 5]
>>> round(dp.NoiseStudy("integer", epsilon=1, sensitivity=3).run().cost, 10)
2.8608324896
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpdesigner.errors import Cancelled, DpDesignerError, InputError, ProofError
from dpdesigner.studies.count import CountDesign, CountOutcome, solve
from dpdesigner.studies.count_witness import Witness, linear_program

if TYPE_CHECKING:
    from dpdesigner.studies.noise import NoiseStudy
    from dpdesigner.studies.noise_histogram import HistogramQuery
    from dpdesigner.studies.noise_table import TableQuery

__version__ = "0.1.0"

__all__ = [
    "Cancelled",
    "CountDesign",
    "CountOutcome",
    "DpDesignerError",
    "HistogramQuery",
    "InputError",
    "NoiseStudy",
    "ProofError",
    "TableQuery",
    "Witness",
    "__version__",
    "linear_program",
    "solve",
]

#: What is imported when it is first asked for, so that a count design does not wait for it.
_LATER = {
    "HistogramQuery": "dpdesigner.studies.noise_histogram",
    "NoiseStudy": "dpdesigner.studies.noise",
    "TableQuery": "dpdesigner.studies.noise_table",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'dpdesigner' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
