"""The answer to one release for many readers: what each of them loses, and why nobody could be served better."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpdesigner.core.audience.reader import AudienceReader
from dpdesigner.core.audience.served import Served, ends
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.messages import message
from dpdesigner.studies.audience.design import AudienceDesign
from dpdesigner.studies.base import Answer, Why

Exact = Fraction | float

_PROVED = 1e-7  # of the loss: a gap up to here is one of rounding

WHY = Why(
    message(
        "<b>One release.</b> The count is released once with geometric noise, which has the privacy level ε. Each reader "
        "applies a remap of their own to the output: the reading with the least expected loss by their prior. Remaps of the "
        "same output cost no further privacy.\n\n"
        "<b>Nobody is served better.</b> If an error never costs less the further a reading is from the truth, no private "
        "release, even one made for this reader alone, has a lower expected loss (Theorem A). For each reader a certificate "
        "proves it by number. The release is optimal for {served}.\n\n"
        "<b>Separate tables.</b> A separate release for each of k readers leaves each of them ε/k. A reader whose table "
        "then ignores the data spends no ε.\n\n"
        "<b>Cautious readers</b> have no prior but a set of possible counts or priors. Their reading is random, and the least "
        "favourable prior proves that no reading does better in the worst case."
    ),
    formula=message(
        "loss = min<sub>remap</sub> Σ<sub><i>i</i></sub> <i>p<sub>i</sub></i> Σ<sub><i>j</i></sub> <i>G<sub>ij</sub></i> "
        "l(<i>i</i>, remap(<i>j</i>))"
    ),
    sources=message(
        "A. Ghosh, T. Roughgarden, M. Sundararajan (2009), Figure 1 and Theorem 3.1. M. Gupte, M. Sundararajan (2010), for "
        "cautious readers. Separate tables, levels and deficiency: our own proofs, in THEORY.md."
    ),
    help="audience",
)


@dataclass(frozen=True, eq=False)
class ReaderResult:
    """The value of the release to one reader.

    Attributes
    ----------
    reader : AudienceReader
    served : Served
        By the release, or by the existing table.
    best : Served
        By geometric noise at the same privacy level.
    separate : Served or None
        By a table of their own at a share of ε; None for a lone reader.
    target : Fraction or None
    least_epsilon : float or None
        The least ε that meets the target; None where there is no target, or none does.
    levels : tuple of Served
        By each of the further levels.
    """

    reader: AudienceReader
    served: Served
    best: Served
    separate: Served | None
    target: Fraction | None
    least_epsilon: float | None
    levels: tuple[Served, ...]

    @property
    def proved(self) -> bool:
        """Whether a certificate proves the optimum at this ε up to rounding."""
        gap = self.best.gap
        return (gap is not None and float(gap) <= _PROVED * max(abs(float(self.best.loss)), 1e-9)) or gap == 0

    @property
    def optimal(self) -> bool:
        """Whether no release at this ε serves the reader better."""
        if not self.proved:
            return False
        return self.served is self.best or float(self.served.loss) <= float(self.best.loss) * (1 + 1e-12)

    @property
    def regret(self) -> Exact | None:
        """By how much the loss is above the least possible, at most."""
        optimum = self.best.optimum
        return None if optimum is None else max(self.served.loss - optimum, 0)

    @property
    def excess(self) -> Exact | None:
        """The same as a share of the least possible; None where that is 0 and the loss is not."""
        optimum, loss = self.best.optimum, self.served.loss
        if optimum is None or (not optimum and loss):
            return None
        if self.optimal and not isinstance(loss, Fraction):
            return 0
        return max(loss / optimum - 1, 0) if optimum else 0

    @property
    def separate_loss(self) -> Exact | None:
        """The least loss of a table of their own, rounded down."""
        if self.separate is None:
            return None
        return self.separate.loss if self.separate.optimum is None else self.separate.optimum

    @property
    def separate_excess(self) -> Exact | None:
        """By what share a table of their own costs more than the one release; None where that costs nothing."""
        separate, loss = self.separate_loss, self.served.loss
        if separate is None or (not loss and separate):
            return None
        return max(separate / loss - 1, Fraction(-1)) if loss else 0

    @property
    def unreachable(self) -> str:
        """Why no ε meets the target; empty where one does."""
        if self.target is None or self.least_epsilon is not None:
            return ""
        least = figure(self.least_loss, 4)
        return message("The target {target} is below {least}, the lowest value at any ε.", target=self.reader.target, least=least)

    @property
    def least_loss(self) -> Exact:
        """The loss at the true count itself."""
        return ends(self.reader)[0]

    @property
    def met(self) -> bool | None:
        """Whether the target is met now; None where there is none."""
        return None if self.target is None else float(self.served.loss) <= float(self.target) * (1 + 1e-12)

    def reading(self, output: int) -> str:
        """Return what an output is read as, in words."""
        column = self.served.read_as[output]
        return message("anything") if column is None else self.reader.reading_name(column)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AudienceAnswer(Answer):
    """The value of one release to each of its readers.

    Attributes
    ----------
    design : AudienceDesign
    findings : mapping of str to Finding
        Those of all readers together, then those of each under ``NAME/key``.
    n : int
        The largest count.
    level : PrivacyLevel
        That of the release; of an existing table its own.
    existing : ReleaseTable or None
        The existing table.
    results : tuple of ReaderResult
        In the order of the readers.
    least_epsilon : float or None
        The least ε that meets all targets.
    kernels : tuple
        Tables in fractions by which each level is drawn from the one before.
    """

    design: AudienceDesign
    n: int
    level: PrivacyLevel
    existing: ReleaseTable | None
    results: tuple[ReaderResult, ...]
    least_epsilon: float | None
    kernels: tuple[Any, ...] = ()

    @property
    def outputs(self) -> tuple[int, ...]:
        """The outputs of the release, in the order of the columns."""
        return tuple(range(self.n + 1)) if self.existing is None else tuple(self.existing.labels)

    def note_rows(self, place: int) -> list[tuple[str, str]]:
        """Return what a reader needs to know: runs of outputs, and how each is read."""
        result, runs = self.results[place], list[tuple[int, int, str]]()
        for column in range(len(self.outputs)):
            read = result.reading(column)
            if runs and runs[-1][2] == read:
                runs[-1] = (runs[-1][0], column, read)
            else:
                runs.append((column, column, read))
        outputs = self.outputs
        return [
            (str(outputs[a]) if a == b else message("{low} to {high}", low=outputs[a], high=outputs[b]), read)
            for a, b, read in runs
        ]
