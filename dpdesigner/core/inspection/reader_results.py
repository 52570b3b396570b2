"""What one release is worth to each of several readers: beside a release of their own, at further levels, and for targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.inspection.readers import AudienceReader
from dpdesigner.core.inspection.release_value import Served, ends, least_epsilon, read_table, serve, shared_level
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.progress import Progress, silent

Exact = Fraction | float

_PROVED = 1e-7  # relative to the loss: a gap up to here is a rounding error


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
        """An upper bound on the loss minus the least possible loss."""
        optimum = self.best.optimum
        return None if optimum is None else max(self.served.loss - optimum, 0)

    @property
    def excess(self) -> Exact | None:
        """The excess loss as a share of the least possible; None where that is 0 and the loss is not."""
        optimum, loss = self.best.optimum, self.served.loss
        if optimum is None or (not optimum and loss):
            return None
        if self.optimal and not isinstance(loss, Fraction):
            return 0
        return max(loss / optimum - 1, 0) if optimum else 0

    @property
    def separate_loss(self) -> Exact | None:
        """The least loss of a separate table for the reader, rounded down."""
        if self.separate is None:
            return None
        return self.separate.loss if self.separate.optimum is None else self.separate.optimum

    @property
    def separate_excess(self) -> Exact | None:
        """The excess cost of a separate table over the one release, as a share; None where the release costs nothing."""
        separate, loss = self.separate_loss, self.served.loss
        if separate is None or (not loss and separate):
            return None
        return max(separate / loss - 1, Fraction(-1)) if loss else 0

    @property
    def unreachable(self) -> bool:
        """Whether there is a target that no ε meets."""
        return self.target is not None and self.least_epsilon is None

    @property
    def least_loss(self) -> Exact:
        """The loss when the true count itself is released."""
        return ends(self.reader)[0]

    @property
    def met(self) -> bool | None:
        """Whether the target is met now; None if there is none."""
        return None if self.target is None else float(self.served.loss) <= float(self.target) * (1 + 1e-12)


def results_of(
    readers: Sequence[AudienceReader],
    level: PrivacyLevel,
    table: ReleaseTable | None = None,
    levels: Sequence[PrivacyLevel] = (),
    roughly: bool = False,
    progress: Progress = silent,
) -> list[ReaderResult]:
    """Compute every reader's best remap of one release.

    Parameters
    ----------
    readers : sequence of AudienceReader
    level : PrivacyLevel
        Of geometric noise; that of the table where there is one.
    table : ReleaseTable, optional
        What is read in place of geometric noise.
    levels : sequence of PrivacyLevel
        Further ones, each read by everybody.
    roughly : bool
        As in `serve`.
    progress : Progress
    """
    own = shared_level(level, len(readers))

    def served(reader: AudienceReader, at: PrivacyLevel, certified: bool) -> Served:
        if roughly:
            return serve(reader, at, roughly=True, certified=certified, progress=progress)
        return _served(reader, at, certified)

    made: dict[int, ReaderResult] = {}
    for place in sorted(range(len(readers)), key=lambda place: readers[place].loss_title):  # readers with the same loss share it
        reader = readers[place]
        progress(len(made) / len(readers), reader.name)
        best = served(reader, level, True)
        read = best if table is None else _read(reader, table)
        separate = served(reader, own, False) if len(readers) > 1 else None
        target = None if reader.target is None else exact(reader.target)
        least = None if target is None else _least(reader, target)
        further = () if roughly or table is not None else tuple(served(reader, each, False) for each in levels)
        made[place] = ReaderResult(reader, read, best, separate, target, least, further)
    return [made[place] for place in range(len(readers))]


@lru_cache(maxsize=1024)
def _served(reader: AudienceReader, level: PrivacyLevel, certified: bool) -> Served:
    return serve(reader, level, certified=certified)


@lru_cache(maxsize=256)
def _read(reader: AudienceReader, table: ReleaseTable) -> Served:
    return read_table(reader, table)


@lru_cache(maxsize=1024)
def _least(reader: AudienceReader, target: Fraction) -> float | None:
    return least_epsilon(reader, target)
