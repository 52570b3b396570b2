"""The answer to one release for many readers: each reader's loss, and why no reader could be served better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import figure, loss_text
from dpdesigner.core.inspection.reader_results import LossCurves, ReaderResult, curved, loss_curves, printed_reading
from dpdesigner.core.inspection.readers import AudienceReader
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Why
from dpdesigner.studies.inspect.audience_design import AudienceDesign
from dpdesigner.studies.inspect.audience_readers import ReaderSpec
from dpdesigner.studies.plain_language import loss_unit
from dpdesigner.studies.snapshot import Look, Waiting
from dpdesigner.studies.study import Progress, silent

#: What a reader's loss is: expected, or the worst of a cautious reader.
TOLD = {"": message("expected loss {loss}"), "loss": message("worst loss {loss}"), "regret": message("worst regret {loss}")}
_EQUAL = 1e-9  # relative difference of chances that count as equal

WHY = Why(
    message(
        "<b>One release.</b> The count is released once with geometric noise at ε. Each reader applies their own remap to "
        "the output: the reading with the least expected loss by their prior. Remaps of the same output cost no further "
        "privacy.\n\n"
        "<b>Nobody is served better among whole counts.</b> If readings further from the truth never cost less, no mechanism "
        "that sees only the count, releases a whole count and is as private has a lower expected loss, not even one made for "
        "this reader alone (Theorem A). A certificate proves it for each reader. The release is optimal for {served}. Reading "
        "fractions can do better.\n\n"
        "<b>Separate tables.</b> A separate release for each of k readers leaves each of them ε/k. A reader whose table "
        "then ignores the data spends no ε.\n\n"
        "<b>Levels.</b> Each less precise number is drawn from a more precise one, not from the data. All of them together "
        "are therefore as private as the most precise one alone.\n\n"
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
#: The explanation of an existing table.
WHY_TABLE = replace(
    WHY,
    plain_text=message(
        "<b>An existing table.</b> Its noise is fixed. Each reader reads every release as the value with the least expected "
        "loss by their prior. ○ is the loss at face value; the excess is over the best release at the table’s own ε.\n\n"
        "<b>A table of their own</b> for each of k readers has ε/k, so that all together have the table’s ε."
    ),
    formula=WHY.formula.replace("G<sub>ij</sub>", "M<sub>ij</sub>"),
    help="audience#table",
)


def unreachable(result: ReaderResult) -> str:
    """Return why no ε meets a target; empty where one does."""
    if not result.unreachable:
        return ""
    target, least = result.reader.target, figure(result.least_loss, 4)
    return message("The target {target} is below {least}, the lowest value at any ε.", target=target, least=least)


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
    """

    design: AudienceDesign
    n: int
    level: PrivacyLevel
    existing: ReleaseTable | None
    results: tuple[ReaderResult, ...]
    least_epsilon: float | None

    @property
    def specs(self) -> tuple[ReaderSpec, ...]:
        """The readers as entered, cut at the largest count of an existing table."""
        return tuple(spec.fitted(self.n, self.design.n) for spec in self.design.readers)

    @property
    def curve_readers(self) -> tuple[AudienceReader, ...]:
        """The readers that have a curve, with nothing that it does not depend on."""
        specs = self.specs
        return tuple(replace(specs[place], weight=1, target=None).reader(self.n) for place in curved(self.results))

    def find_curves(self, progress: Progress = silent) -> LossCurves:
        """Return the loss of geometric noise to each of these readers at every ε of an axis."""
        shown = (self.level.epsilon, *(self.results[place].least_epsilon for place in curved(self.results)))
        return loss_curves(self.curve_readers, shown, progress, len(self.results))

    @cached_property
    def by_level(self) -> Mapping[str, AudienceAnswer]:
        """The answer at each level, most precise first and without further certificates, by the titles of the levels."""
        if self.existing is not None or not all(result.levels for result in self.results):
            return {"": self}  # without levels
        places, made = {level: place for place, level in enumerate(self.design.levels)}, dict[str, AudienceAnswer]()
        for level in self.design.drawn:
            made[level.title] = self
            if level.privacy.alpha_below != self.level.alpha_below:
                given = [(result, result.levels[places[level]]) for result in self.results]
                results = tuple(replace(result, served=served, best=served) for result, served in given)
                made[level.title] = replace(self, level=level.privacy, results=results)
        return made

    def reading(self, place: int, output: int) -> str:
        """Return what a reader reads an output as, in words."""
        result = self.results[place]
        column = result.served.read_as[output]
        return message("anything") if column is None else result.reader.reading_name(column)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The outputs of the release, in the order of the columns."""
        return tuple(map(str, range(self.n + 1))) if self.existing is None else self.existing.outputs

    def noted(self, place: int, output: int, percent: bool = False) -> str:
        """Return the reading with the probabilities of a random one, which sum to 1: six digits, or percentages."""
        result = self.results[place]
        if result.served.reading is None or result.served.read_as[output] is None:
            return self.reading(place, output)
        names = [result.reader.reading_name(column) for column in range(result.reader.readings)]
        return printed_reading(result.served.reading[output].tolist(), names, percent)

    def runs(self, place: int, said: Callable[[int], str] | None = None) -> list[tuple[int, int, str]]:
        """Return the runs of columns that a reader reads alike, or of which the same is `said`: first, last, and the reading."""
        runs = list[tuple[int, int, str]]()
        for column in range(len(self.outputs)):
            read = self.reading(place, column) if said is None else said(column)
            if runs and runs[-1][2] == read:
                runs[-1] = (runs[-1][0], column, read)
            else:
                runs.append((column, column, read))
        return runs

    def note_rows(self, place: int, percent: bool = False) -> list[tuple[str, str]]:
        """Return the reader's remap: runs of outputs and the reading of each, with its probabilities where it is random."""
        runs, named = self.runs(place, lambda output: self.noted(place, output, percent)), self.existing and self.existing.names
        seen = [self.outputs[a : b + 1] for a, b, _ in runs]
        joined = [
            ", ".join(run) if named or len(run) == 1 else message("{low} to {high}", low=run[0], high=run[-1]) for run in seen
        ]
        return [(text, read) for text, (*_, read) in zip(joined, runs, strict=True)]


def note_words(answer: AudienceAnswer, place: int) -> str:
    """Return whom a note is for, their expected or worst loss, and whether anything better is possible."""
    result, first = answer.results[place], _whom(answer, place)
    if result.served.reading is not None and any(" or " in text for _, text in answer.note_rows(place)):
        first = message("{first} Where readings have chances, draw once with them and keep the result.", first=first)
    told = message(TOLD[result.reader.cautious], loss=loss_text(result.served.loss)).capitalize()
    told = message("{told} ({unit})", told=told, unit=loss_unit(answer.design.readers[place].loss))
    counts = message("{first} {told}: among whole counts, no release with this ε has a lower one.")
    best = message("{first} {told}: no release with this ε has a lower one for this reader.") if result.reader.labels else counts
    words = message(best if result.optimal else message("{first} {told}."), first=first, told=told)
    if (face := result.served.face) is not None and loss_text(face) != loss_text(result.served.loss):
        words = message("{words} At face value, the loss is {face}.", words=words, face=loss_text(face))
    last = message("This table depends on the reader, not on the data.")
    counted = message("This table reveals something about the data of the prior, which nothing protects.")
    return message("{words} {last}", words=words, last=counted if answer.design.readers[place].counted else last)


def _whom(answer: AudienceAnswer, place: int) -> str:
    """Return the belief that a note is for."""
    spec, chances = answer.specs[place], answer.results[place].reader.prior.probabilities
    held, tops = np.flatnonzero(chances), np.flatnonzero(chances >= chances.max() * (1 - _EQUAL))
    lost = answer.design.readers[place].loses(answer.n, answer.design.n)
    cut = message(" (cut at the table’s largest count)") if lost else ""
    words = message("For a reader who expects {low} to {high}{cut}.")
    words = message("For a reader who expects {low} to {high}{cut}, most likely {top}.") if len(tops) == 1 else words
    if spec.caution:
        words = message("For a reader who guards against the worst of {cases}{cut}.")
        words = message("For a reader who holds several beliefs possible.") if "|" in spec.cases_text else words
    cases = spec.cases_text if spec.caution and spec.cases_text != "all" else f"0 to {answer.n}"
    return message(words, cases=cases, cut=cut, low=int(held[0]), high=int(held[-1]), top=int(tops[0]))


def shown_table(look: Look) -> tuple[AudienceAnswer, ReleaseTable, bool]:
    """Return the answer with an existing table, the table, and whether it is only the one that can be tried.

    That one is shown in the window before there is another.
    """
    answer: AudienceAnswer = look.answer
    if answer.existing is not None:
        return answer, answer.existing, False
    tried: AudienceAnswer | None = look.job("sample") if look.view.get("view") else None
    if tried is None or tried.existing is None:
        raise Waiting
    return tried, tried.existing, True
