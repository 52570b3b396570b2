"""Design differentially private mechanisms.

>>> import dpdesigner as dp
>>> design = dp.CountDesign(n=5, alpha="1/2", prior=["1/4", 0, "1/4", 0, "1/4", "1/4"], loss="power:1.5")
>>> dp.solve(design).remap.tolist()
[0, 2, 2, 3, 4, 5]
>>> dp.solve(design).findings["released"].value
5
>>> round(dp.NoiseDesign("integer", epsilon=1, sensitivity=3).run().cost, 10)
2.8608324896
"""

import dpdesigner.interrupts  # noqa: F401  # isort: skip  (first: Ctrl+C may come while the others are imported)
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, overload

from dpdesigner.errors import Cancelled, DpDesignerError, InputError, ProofError
from dpdesigner.studies.registry import ENTRIES

if TYPE_CHECKING:
    from dpdesigner.files.project import read, save
    from dpdesigner.notebook.release import epsilon_for, read_halfspaces, release
    from dpdesigner.notebook.share import edit, share
    from dpdesigner.notebook.sweep import sweep
    from dpdesigner.notebook.tables import VerifiedTable, inspect, keyed_count, office_text, read_table, verify
    from dpdesigner.studies.attack.answer import AttackAnswer
    from dpdesigner.studies.attack.design import AttackDesign
    from dpdesigner.studies.auction.answer import AuctionAnswer
    from dpdesigner.studies.auction.design import AuctionDesign
    from dpdesigner.studies.base import Answer
    from dpdesigner.studies.choice.answer import ChoiceAnswer
    from dpdesigner.studies.choice.design import ChoiceDesign
    from dpdesigner.studies.count.answer import LinearProgramCheck, linear_program
    from dpdesigner.studies.count.design import CountDesign
    from dpdesigner.studies.count.result import CountAnswer
    from dpdesigner.studies.count.run import DeltaAnswer
    from dpdesigner.studies.exhibits.listing import PapersDesign, exhibit, exhibits
    from dpdesigner.studies.inspect.answer import InspectAnswer
    from dpdesigner.studies.inspect.audience_answer import AudienceAnswer
    from dpdesigner.studies.inspect.audience_design import AudienceDesign
    from dpdesigner.studies.inspect.design import InspectDesign
    from dpdesigner.studies.noise.answer import NoiseAnswer
    from dpdesigner.studies.noise.design import NoiseDesign
    from dpdesigner.studies.noise.histogram_answer import HistogramAnswer
    from dpdesigner.studies.noise.histogram_design import HistogramDesign
    from dpdesigner.studies.registry import kinds
    from dpdesigner.studies.spending import total_epsilon
    from dpdesigner.studies.study import Progress, Study, silent
    from dpdesigner.studies.synthetic.answer import IntervalAnswer
    from dpdesigner.studies.synthetic.design import IntervalDesign
    from dpdesigner.studies.synthetic.halfspace_answer import HalfspaceAnswer
    from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign
    from dpdesigner.studies.synthetic.net_answer import NetAnswer
    from dpdesigner.studies.synthetic.net_design import NetDesign
    from dpdesigner.studies.synthetic.rectangle import RectangleAnswer, RectangleDesign
    from dpdesigner.studies.synthetic.sizes import SizesAnswer, SizesDesign

    A = TypeVar("A")

    @overload
    def solve(design: CountDesign, exact: bool = False, progress: Progress = silent) -> CountAnswer: ...
    @overload
    def solve(design: NoiseDesign, exact: bool = False, progress: Progress = silent) -> NoiseAnswer: ...
    @overload
    def solve(design: HistogramDesign, exact: bool = False, progress: Progress = silent) -> HistogramAnswer: ...
    @overload
    def solve(design: ChoiceDesign, exact: bool = False, progress: Progress = silent) -> ChoiceAnswer: ...
    @overload
    def solve(design: AuctionDesign, exact: bool = False, progress: Progress = silent) -> AuctionAnswer: ...
    @overload
    def solve(design: AttackDesign, exact: bool = False, progress: Progress = silent) -> AttackAnswer: ...
    @overload
    def solve(design: IntervalDesign, exact: bool = False, progress: Progress = silent) -> IntervalAnswer: ...
    @overload
    def solve(design: RectangleDesign, exact: bool = False, progress: Progress = silent) -> RectangleAnswer: ...
    @overload
    def solve(design: NetDesign, exact: bool = False, progress: Progress = silent) -> NetAnswer: ...
    @overload
    def solve(design: HalfspaceDesign, exact: bool = False, progress: Progress = silent) -> HalfspaceAnswer: ...
    @overload
    def solve(design: SizesDesign, exact: bool = False, progress: Progress = silent) -> SizesAnswer: ...
    @overload
    def solve(design: PapersDesign, exact: bool = False, progress: Progress = silent) -> Answer: ...
    @overload
    def solve(design: AudienceDesign, exact: bool = False, progress: Progress = silent) -> AudienceAnswer: ...
    @overload
    def solve(design: InspectDesign, exact: bool = False, progress: Progress = silent) -> InspectAnswer: ...
    @overload
    def solve(design: Study[A], exact: bool = False, progress: Progress = silent) -> A: ...
    def solve(design: Any, exact: bool = False, progress: Progress = silent) -> Any:
        """Solve a design: the type of its answer follows from the type of the design."""


__version__ = "0.1.0"

__all__ = [
    "Answer",
    "AttackAnswer",
    "AttackDesign",
    "AuctionAnswer",
    "AuctionDesign",
    "AudienceAnswer",
    "AudienceDesign",
    "Cancelled",
    "ChoiceAnswer",
    "ChoiceDesign",
    "CountAnswer",
    "CountDesign",
    "DeltaAnswer",
    "DpDesignerError",
    "HalfspaceAnswer",
    "HalfspaceDesign",
    "HistogramAnswer",
    "HistogramDesign",
    "InputError",
    "InspectAnswer",
    "InspectDesign",
    "IntervalAnswer",
    "IntervalDesign",
    "LinearProgramCheck",
    "NetAnswer",
    "NetDesign",
    "NoiseAnswer",
    "NoiseDesign",
    "PapersDesign",
    "ProofError",
    "RectangleAnswer",
    "RectangleDesign",
    "SizesAnswer",
    "SizesDesign",
    "VerifiedTable",
    "__version__",
    "edit",
    "epsilon_for",
    "exhibit",
    "exhibits",
    "inspect",
    "keyed_count",
    "kinds",
    "linear_program",
    "office_text",
    "read",
    "read_halfspaces",
    "read_table",
    "release",
    "save",
    "share",
    "solve",
    "sweep",
    "total_epsilon",
    "verify",
]

#: Each kind's design class and its module: a registry entry makes the class public, whether or not it is named above.
_DESIGNS = {name: module for module, _, name in (known.study.partition(":") for known in ENTRIES)}
__all__ += [name for name in _DESIGNS if name not in __all__]

#: Each kind's answer class, named after its design class, and its module; other kinds return an `Answer`.
_ANSWERS = {
    "Answer": "dpdesigner.studies.base",
    "AttackAnswer": "dpdesigner.studies.attack.answer",
    "AudienceAnswer": "dpdesigner.studies.inspect.audience_answer",
    "AuctionAnswer": "dpdesigner.studies.auction.answer",
    "ChoiceAnswer": "dpdesigner.studies.choice.answer:ChoiceAnswer",
    "CountAnswer": "dpdesigner.studies.count.result",
    "DeltaAnswer": "dpdesigner.studies.count.run",
    "HalfspaceAnswer": "dpdesigner.studies.synthetic.halfspace_answer",
    "HistogramAnswer": "dpdesigner.studies.noise.histogram_answer",
    "InspectAnswer": "dpdesigner.studies.inspect.answer",
    "IntervalAnswer": "dpdesigner.studies.synthetic.answer",
    "NetAnswer": "dpdesigner.studies.synthetic.net_answer",
    "NoiseAnswer": "dpdesigner.studies.noise.answer",
    "RectangleAnswer": "dpdesigner.studies.synthetic.rectangle",
    "SizesAnswer": "dpdesigner.studies.synthetic.sizes",
}

#: Names imported on first use, so that nothing waits for modules it does not use.
_LATER = {
    **_DESIGNS,
    **_ANSWERS,
    "VerifiedTable": "dpdesigner.notebook.tables",
    "LinearProgramCheck": "dpdesigner.studies.count.answer",
    "edit": "dpdesigner.notebook.share",
    "epsilon_for": "dpdesigner.notebook.release",
    "exhibit": "dpdesigner.studies.exhibits.listing",
    "exhibits": "dpdesigner.studies.exhibits.listing",
    "inspect": "dpdesigner.notebook.tables",
    "keyed_count": "dpdesigner.notebook.tables",
    "kinds": "dpdesigner.studies.registry",
    "linear_program": "dpdesigner.studies.count.answer",
    "office_text": "dpdesigner.notebook.tables",
    "read": "dpdesigner.files.project",
    "read_halfspaces": "dpdesigner.notebook.release",
    "read_table": "dpdesigner.notebook.tables",
    "release": "dpdesigner.notebook.release",
    "save": "dpdesigner.files.project",
    "share": "dpdesigner.notebook.share",
    "solve": "dpdesigner.studies.registry",
    "sweep": "dpdesigner.notebook.sweep",
    "total_epsilon": "dpdesigner.studies.spending",
    "verify": "dpdesigner.notebook.tables",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        module, _, called = _LATER[name].partition(":")
        globals()[name] = getattr(import_module(module), called or name)
        return globals()[name]
    raise AttributeError(f"module 'dpdesigner' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
