"""The choice page: what may be chosen, how often each option is announced, and how private that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.arrays import Floats
from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.pages.choice import guiding
from dpdesigner.desktop.pages.choice.inputs_column import InputsColumn
from dpdesigner.desktop.pages.choice.neighbour import neighbour_of, strips_of, unmoved
from dpdesigner.desktop.pages.choice.options_card import dragged, with_utilities
from dpdesigner.desktop.pages.choice.pictures_card import PicturesCard
from dpdesigner.desktop.pages.choice.portrait import portrait, sketched
from dpdesigner.desktop.pages.choice.results_column import ResultsColumn
from dpdesigner.desktop.pages.choice.side_jobs import Drawn, drawn, limited, swept, worsened
from dpdesigner.desktop.pages.kit.explanation import explained
from dpdesigner.desktop.pages.kit.handles import Handles
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Snapshot, Stop
from dpdesigner.desktop.pages.kit.parts import Part
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.headlines import headlines, of_option, on_constants
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.choice.panels import constants, falling_short
from dpdesigner.studies.choice.run import solved
from dpdesigner.studies.job import Job
from dpdesigner.studies.panels import Plot

Now = Snapshot[ChoiceDesign, ChoiceOutcome]


class ChoicePage(Page[ChoiceDesign, ChoiceOutcome]):
    """Drag what people said, see how often the right option is announced and what one person can do to that."""

    answering = ("solve", "limit")
    view_keys = ("view", "option", "row", "rival", "neighbour")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view.update(zip(self.view_keys, ("chances", -1, 0, "exponential", ""), strict=True))
        self._inputs, self._pictures, self._results = InputsColumn(), PicturesCard(), ResultsColumn()
        lay_out_columns(self, "choice-columns", (self._inputs, self._pictures, self._results), (328, 532, 336))
        self.set_asking(self._inputs)
        self._asked_worst: ChoiceOutcome | None = None
        self._options = 0  # how many there were in the answer before
        self._connect()
        self._list_parts()
        self.offer_draw(self.tr("Announce once"))
        self.offer_copy(self.tr("Copy all numbers"))
        self.add_command(self.tr("Show the worst neighbour"), "", self._show_worst)

    def _connect(self) -> None:
        pictures, strips, options = self._pictures, self._pictures.strips, self._inputs.options
        strips.utilitiesMoving.connect(partial(self._take_utilities, ""))
        strips.utilitiesMoved.connect(partial(self._take_utilities, self.tr("Drag a utility")))
        strips.cancelled.connect(self.previewCancelled)
        strips.neighbourMoved.connect(self._take_neighbour)
        strips.worstRequested.connect(self._show_worst)
        strips.drawRequested.connect(self.draw_once)
        pictures.drawWanted.connect(self.draw)
        pictures.worstWanted.connect(self._show_worst)
        pictures.matrix.rowSelected.connect(self._take_row)
        Handles(self).follow(pictures.plots["sweep"])
        options.rowChosen.connect(self._take_row)
        self._results.whyRequested.connect(self.whyRequested)
        self._results.ruleChosen.connect(self._take_rule)
        self.look_by(strips.selected, "option")
        self.look_by(options.selected, "option")
        self.look_by(pictures.viewChosen, "view")
        self.look_by(pictures.rivalChosen, "rival")

    def _list_parts(self) -> None:
        inputs, pictures, results = self._inputs, self._pictures, self._results
        self.fades = (pictures.set_stale,)

        def seen(s: Now) -> tuple[Any, ...]:
            return s.answer, *(s.view[key] for key in self.view_keys), *map(s.outcomes.get, ("worst", "draw", "sweep"))

        self.set_parts(
            Part(None, lambda s: (s.answer, s.view["row"]), self._show_options),
            Part(None, lambda s: (s.answer,), lambda answer: pictures.set_table(answer.task.table)),
            Part(None, lambda s: (s.view["view"],), self._open),
            Part(pictures, seen, self._show_view, pictures.set_stale),
            Part(None, lambda s: (s.view["option"], s.answered), lambda *_: inputs.options.select(self.view["option"])),
            Part(results, lambda s: (s.answer,), results.show_rules, results.set_stale),
            Part(results, lambda s: (s.answer, s.view["rival"], s.view["row"]), self._show_short),
        )

    @classmethod
    def starting_study(cls, kind: str) -> ChoiceDesign:
        """Return the design that a new one starts from: the schooling of 944 people, a level at which the right one may lose."""
        return ChoiceDesign.starting()

    def summed_up(self, now: Now) -> tuple[Any, ...]:
        """Return what the summary is made from: of a table the row as well."""
        return (*super().summed_up(now), now.view["row"])

    # What is computed --------------------------------------------------------------------------------------------------

    def jobs(self, study: ChoiceDesign) -> Sequence[Job]:
        """Compute the rules at once, and what limits them besides."""
        limit = Job("limit", partial(limited, study), slow=True, live=False, title=self.tr("limit of any rule"))
        alike = not study.is_table and study.edges is None and study.base is None
        return (Job("solve", partial(solved, study)), *((limit,) if alike else ()))

    def put_together(self, outcomes: Mapping[str, Any]) -> ChoiceOutcome | None:
        """Return the rules, with the limit where it is there."""
        outcome: ChoiceOutcome | None = outcomes.get("solve")
        limit = outcomes.get("limit")
        if outcome is None or limit is None or limit.design != outcome.design:
            return outcome
        return replace(outcome, limit=limit.limit, limit_due=False)

    def drawing(self, many: int) -> Job | None:
        """Return what announces so many times, exactly."""
        answer = self.answer
        if answer is None or answer.design != self.design:
            return None
        return Job("draw", partial(drawn, answer, self._row, many), slow=True)

    @property
    def _row(self) -> int:
        rows = 1 if self.answer is None else len(self.answer.task.numbers)
        return min(max(int(self.view["row"]), 0), rows - 1)

    # What is shown -----------------------------------------------------------------------------------------------------

    def _open(self, view: str) -> None:
        self._pictures.open(view)
        self.view["view"] = self._pictures.view

    def _show_options(self, answer: ChoiceOutcome, row: int) -> None:
        self._inputs.show_outcome(answer, self._row)
        others, self._options = answer.task.options != self._options, answer.task.options
        if (others and answer.task.options > 12) or not 0 <= self.view["option"] < answer.task.options:
            self.view["option"] = int(np.argsort(-answer.task.numbers[self._row], kind="stable")[min(1, answer.task.options - 1)])

    def _show_view(self, answer: ChoiceOutcome, view: str, option: int, *_: Any) -> None:
        view, pictures = self._pictures.view, self._pictures
        if view == "chances":
            self._show_strips(answer)
        elif view == "table":
            pictures.show_matrix(answer)
        elif view == "short":
            pictures.show_plot(view, self._falling_short(answer), self._inputs.place)
        elif view == "constants":
            pictures.show_plot(view, constants(answer), self._inputs.place)
        elif (sweep := self.outcomes.get("sweep")) is not None and sweep.design == answer.design:
            pictures.show_plot(view, sweep.plot, self._inputs.place)
        else:
            self.requested.emit(Job("sweep", partial(swept, answer), slow=answer.task.numbers.size > 60, live=True))

    def _show_short(self, answer: ChoiceOutcome, *_: Any) -> None:
        self._results.short.show_plot(self._falling_short(answer))

    def _falling_short(self, answer: ChoiceOutcome) -> Plot:
        return falling_short(answer, answer.rules.get(self.view["rival"]), self._row)

    def _show_strips(self, answer: ChoiceOutcome) -> None:
        row, option = self._row, min(max(int(self.view["option"]), 0), answer.task.options - 1)
        neighbour = neighbour_of(answer, row, self.view["neighbour"])
        fell: Drawn | None = self.outcomes.get("draw")
        if fell is not None and (fell.outcome.design != answer.design or fell.row != row):
            fell = None
        counts = fell.counts if fell is not None and fell.many > 1 else None
        strips = strips_of(answer, row, neighbour or unmoved(answer), self.view["rival"], counts)
        after = float(np.exp((neighbour or unmoved(answer)).logs[option]))
        sentence = translated(of_option(answer, option, float(strips.chances[option]), after))
        if fell is not None:
            sentence = f"{fell.sentence} {sentence}"
        if neighbour is None:
            self._look_for_worst(answer)
            if self.outcomes.get("worst") is None:
                sentence = self.tr("Looking for the worst neighbour…") + " " + sentence
        neighbours = answer.design.neighbours if isinstance(answer.design.neighbours, str) else "any"
        self._pictures.show_strips(strips, neighbours, option, sentence, not self.view["neighbour"])

    def _look_for_worst(self, answer: ChoiceOutcome) -> None:
        if self._asked_worst is not answer:
            self._asked_worst = answer
            self.requested.emit(Job("worst", partial(worsened, answer), slow=True, title=self.tr("worst neighbour")))

    def sentences(self, answer: ChoiceOutcome) -> Sequence[str]:
        """Return how often the right option is announced, of a table in the row shown."""
        return headlines(answer, self._row)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return a small table's chances; of many options none."""
        return sketched(study)

    def explanation(self) -> Explanation | None:
        """Explain the rules, once there is an answer."""
        answer = self.answer
        return None if answer is None else explained("choice", "choice", answer, on_constants, headline=headlines(answer)[0])

    def tour(self) -> Sequence[Stop]:
        """Lead through the page's cards."""
        return guiding.stops(self._inputs, self._pictures, self._results)

    def takers(self) -> Sequence[tuple[str, Callable[[str], object]]]:
        """Return what a table can be taken as."""
        options = self._inputs.options
        return (self.tr("A column to count"), options.open_column), (
            self.tr("Utilities: databases by options"),
            options.take_matrix,
        )

    def portrait(self, study: ChoiceDesign, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, results and curves of a design, to be compared with others; an answer for another is left out."""
        return portrait(study, outcomes.get("solve"))

    # Intents -----------------------------------------------------------------------------------------------------------

    def _take_utilities(self, words: str, utilities: Floats) -> None:
        answer = self.answer
        if answer is None:
            return
        self._inputs.ask(words, lambda design: with_utilities(design, answer, dragged(answer, utilities)))

    @Slot(object)
    def _take_neighbour(self, moves: Floats) -> None:
        self.look(neighbour=",".join(f"{k}:{move:g}" for k, move in enumerate(moves.tolist()) if move))

    @Slot()
    def _show_worst(self) -> None:
        self.look(neighbour="")
        self._pictures.worst.setChecked(True)

    @Slot(int)
    def _take_row(self, row: int) -> None:
        self.look(row=row, neighbour="")

    @Slot(str)
    def _take_rule(self, key: str) -> None:
        """Draw another rule; the old one stays as thin marks."""
        before = self.design.rule if self.design is not None else ""
        if before and before != key:
            self.view["rival"] = before
            self._inputs.change(self.tr("Choose a rule"), rule=key)

    # Taking away -------------------------------------------------------------------------------------------------------

    def whole_text(self) -> str:
        """Return all numbers of the strips; where they are somebody's, say why not."""
        strips = self._pictures.strips.strips
        if self.answer is None or strips is None:
            return ""
        if self.answer.design.secret:
            self.message.emit(self.tr("The counts are somebody’s: only draws leave the window."))
            return ""
        return tabbed(strips.rows())

    def selected_text(self) -> str:
        """Return the same: what is selected is seen among the others."""
        return self.whole_text()

    def views(self) -> Sequence[str]:
        """Return the views."""
        return ("chances", "short", "sweep", "constants")

    def figures(self) -> Sequence[Figure]:
        """Return the open view, then rules and constants; nothing that shows somebody's counts."""
        answer = self.answer
        if answer is None:
            return ()
        plots = [constants(answer)] if answer.design.secret else [constants(answer), self._falling_short(answer)]
        figures = [Figure(plot.key, translated(plot.title), plot) for plot in plots]
        if answer.design.secret:
            return figures
        figures.append(Figure("rules", self.tr("How often it gets it right"), self._results.bars))
        if answer.task.table:
            self._pictures.show_matrix(answer)
            return [Figure("table", self.tr("Probabilities"), self._pictures.matrix.figure()), *figures]
        self._show_strips(answer)
        return [Figure("chances", self.tr("How often each is announced"), self._pictures.strips), *figures]

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore what `view_state` gave."""
        checks = {"view": str, "option": int, "row": int, "rival": str, "neighbour": str}
        given = {key: state[key] for key, kind in checks.items() if isinstance(state.get(key), kind)}
        if given.get("view") not in (None, *self._pictures.pages):
            given.pop("view")
        self.look(**given)
