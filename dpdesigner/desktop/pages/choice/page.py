"""The choice page: what may be chosen, how often each option is announced, and how private that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.choice import guiding
from dpdesigner.desktop.pages.choice.inputs_column import InputsColumn
from dpdesigner.desktop.pages.choice.options_card import utilities_now, with_utilities
from dpdesigner.desktop.pages.choice.pictures_card import PicturesCard
from dpdesigner.desktop.pages.choice.results_column import ResultsColumn
from dpdesigner.desktop.pages.choice.side_jobs import Drawn, drawn, limited, swept, worsened
from dpdesigner.desktop.pages.kit.explanation import explained
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Stop, Summary
from dpdesigner.desktop.pages.kit.parts import Part
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.widgets.options.strips_data import Strips
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.choice.panels import constants, falling_short
from dpdesigner.studies.choice.run import solved
from dpdesigner.studies.choice.words import headlines, of_option, on_constants
from dpdesigner.studies.findings import Finding, shown
from dpdesigner.studies.job import Job
from dpdesigner.studies.study import Progress

_MATRIX = 60  # rows of a mechanism that Compare shows


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
        self._connect()
        self._list_parts()
        self.offer_draw(self.tr("Announce once"))
        self.offer_copy(self.tr("Copy all numbers"))
        self._add_command(self.tr("Show the worst neighbour"), "", self._show_worst)

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
        pictures.plots["sweep"].moving.connect(lambda _, level: self._inputs.preview_epsilon(level))
        pictures.plots["sweep"].moved.connect(lambda _, level: self._inputs.change_epsilon(level))
        pictures.plots["sweep"].cancelled.connect(lambda _: self.previewCancelled.emit())
        options.rowChosen.connect(self._take_row)
        self._results.whyRequested.connect(self.whyRequested)
        self._results.ruleChosen.connect(self._take_rule)
        self.look_by(strips.selected, "option")
        self.look_by(options.selected, "option")
        self.look_by(pictures.viewChosen, "view")
        self.look_by(pictures.rivalChosen, "rival")

    def _list_parts(self) -> None:
        inputs, pictures, results = self._inputs, self._pictures, self._results
        self.set_parts(
            Part(None, ("answer", "view.row"), self._show_options),
            Part(None, ("answer",), lambda answer: pictures.set_table(answer.task.table)),
            Part(None, ("view.view",), self._open),
            Part(
                pictures,
                ("answer", "view.view", "view.option", "view.row", "view.rival", "view.neighbour", "worst", "draw", "sweep"),
                self._show_view,
                pictures.set_stale,
                "solve",
            ),
            Part(None, ("view.option", "answer"), lambda option, _: inputs.options.select(option)),
            Part(results, ("answer",), results.show_rules, results.set_stale, "solve"),
            Part(results, ("answer", "view.rival", "view.row"), self._show_short),
            Part(None, ("late.solve", "answer", "view.row"), lambda *_: self.summaryChanged.emit()),
        )

    @classmethod
    def starting_study(cls, kind: str) -> ChoiceDesign:
        """Return the design that a new one starts from: the schooling of 944 people, a level at which the right one may lose."""
        return ChoiceDesign(neighbours="changes", epsilon="0.1")

    # What is computed --------------------------------------------------------------------------------------------------

    def jobs(self, study: ChoiceDesign) -> Sequence[Job]:
        """Compute the rules at once, and what limits them besides."""
        limit = Job("limit", partial(limited, study), slow=True, live=False, title=self.tr("limit of any rule"))
        alike = not study.is_table and study.edges is None and study.base is None
        return (Job("solve", partial(solved, study)), *((limit,) if alike else ()))

    def answered(self) -> ChoiceOutcome | None:
        """Return the rules, with the limit where it is there."""
        found: ChoiceOutcome | None = self.outcomes.get("solve")
        limit = self.outcomes.get("limit")
        if found is None or limit is None or limit.design != found.design:
            return found
        return replace(found, limit=limit.limit, limit_due=False)

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
        if not 0 <= self.view["option"] < answer.task.options:
            self.view["option"] = int(np.argsort(-answer.task.numbers[self._row], kind="stable")[min(1, answer.task.options - 1)])

    def _show_view(self, answer: ChoiceOutcome, view: str, option: int, *_: Any) -> None:
        view, pictures = self._pictures.view, self._pictures
        if view == "chances":
            self._show_strips(answer)
        elif view == "table":
            pictures.show_matrix(answer)
        elif view == "short":
            pictures.show_plot(view, falling_short(answer, answer.rules.get(self.view["rival"]), self._row), self._place)
        elif view == "constants":
            pictures.show_plot(view, constants(answer), self._place)
        elif (sweep := self.outcomes.get("sweep")) is not None and sweep.design == answer.design:
            pictures.show_plot(view, sweep.plot, self._place)
        else:
            self.requested.emit(Job("sweep", partial(swept, answer), slow=answer.task.numbers.size > 60, live=True))

    def _place(self, target: str) -> float | None:
        return None if self.design is None else self.design.epsilon

    def _show_strips(self, answer: ChoiceOutcome) -> None:
        row, option = self._row, min(max(int(self.view["option"]), 0), answer.task.options - 1)
        moves, after, worst = self._neighbour(answer, row)
        chances = np.atleast_2d(answer.rule.probabilities)[row]
        logs = np.atleast_2d(answer.rule.logs)[row]
        rival = answer.rules.get(self.view["rival"])
        beside = None if rival is None or rival.key == answer.design.rule or answer.task.numbers.size > 20_000 else rival
        fell: Drawn | None = self.outcomes.get("draw")
        counts = (
            fell.counts
            if fell is not None and fell.outcome.design == answer.design and fell.row == row and fell.many > 1
            else None
        )
        table = answer.task.table
        with np.errstate(invalid="ignore"):
            ratios = np.nan_to_num(after - logs)
        strips = Strips(
            answer.names,
            answer.task.numbers[row],
            chances,
            moves,
            ratios,
            answer.rule.epsilon,
            _inside(translated(answer.rule.title)),
            None if beside is None else np.atleast_2d(beside.probabilities)[row],
            "" if beside is None else _inside(translated(beside.title)),
            bool(answer.unit),
            (not table, not table),
            answer.design.edges is not None,
            counts,
        )
        sentence = translated(of_option(answer, option, float(chances[option]), float(np.exp(after[option]))))
        if fell is not None and fell.outcome.design == answer.design and fell.row == row:
            sentence = f"{fell.sentence} {sentence}"
        if self.outcomes.get("worst") is None and worst is None:
            sentence = self.tr("Looking for the worst neighbour…") + " " + sentence
        neighbours = answer.design.neighbours if isinstance(answer.design.neighbours, str) else "any"
        self._pictures.show_strips(strips, neighbours, option, sentence, not self.view["neighbour"])

    def _neighbour(self, answer: ChoiceOutcome, row: int) -> tuple[Floats, Floats, bool | None]:
        """What one person moves, and ln of the chances then: the worst, or what was dragged; of a table the next row."""
        task = answer.task
        if task.table:
            pairs = answer.design.neighbouring.pairs if len(task.numbers) <= 100 else ()
            other = next((b if a == row else a for a, b in pairs if row in (a, b)), min(row + 1, len(task.numbers) - 1))
            other = row - 1 if other == row and row else other
            return (task.numbers[other] - task.numbers[row]) / float(task.delta), answer.rule.logs[other], True
        moves = _moves(self.view["neighbour"], task.options)
        if moves is None and answer.worst_known:
            word = answer.design.neighbours
            moves = answer.rule.worst.moves(task.options, word if word in ("changes", "joins") else "any")  # type: ignore[arg-type]
        if moves is None:
            if self._asked_worst is not answer:
                self._asked_worst = answer
                self.requested.emit(Job("worst", partial(worsened, answer), slow=True, title=self.tr("worst neighbour")))
            return np.zeros(task.options), answer.rule.logs, None
        if task.log_base is not None:
            return moves, answer.rule.at(moves).logs, True
        return moves, answer.rule.at(moves).logs, True

    def _show_short(self, answer: ChoiceOutcome, rival: str, row: int) -> None:
        self._results.show_short(answer, rival, self._row)

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show a sentence beside its control; what is drawn belongs to another design."""
        self.late.discard(name)
        super().show_failure(name, error)
        if name == "solve":
            self._pictures.set_stale(True)

    def summary(self) -> Summary:
        """Return header and status bar."""
        if self.design is None:
            return Summary()
        line = translated(self.design.line)
        if "solve" in self.late:
            return Summary(line=line, badge=self.tr("computing…"), state="stale")
        if self.answer is None:
            return Summary(line=line)
        found = Summary.of(self.answer, self.design.line)
        state = found.state if self.answer.design == self.design else "stale"
        return replace(found, state=state, sentence=tuple(map(translated, headlines(self.answer, self._row))))

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return a small table's chances; of many options none."""
        if study.secret:
            return Portrait({})
        return Portrait({}, matrix=np.atleast_2d(solved(study).rules["exponential"].probabilities)[:_MATRIX])

    def explanation(self) -> Explanation | None:
        """Explain the rules, once there is an answer."""
        answer = self.answer
        return None if answer is None else explained("choice", "choice", answer, on_constants, headline=headlines(answer)[0])

    def tour(self) -> Sequence[Stop]:
        """Lead through the page's cards."""
        return guiding.stops(self._inputs, self._pictures, self._results)

    def portrait(self, study: ChoiceDesign, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, results and curves of a design, to be compared with others; an answer for another is left out."""
        inputs = {
            "options": Finding(self.tr("what may be chosen"), translated(study.line)),
            "neighbours": Finding(self.tr("neighbours"), str(study.neighbours)),
            "sensitivity": Finding("Δ", str(study.sensitivity)),
            "rule": Finding(self.tr("rule"), study.rule),
        }
        answer: ChoiceOutcome | None = outcomes.get("solve")
        if answer is None or answer.design != study:
            return Portrait(inputs)
        matrix = np.atleast_2d(answer.rule.probabilities) if answer.task.table and len(answer.task.numbers) <= _MATRIX else None
        return Portrait(inputs, answer.findings, matrix, () if study.secret else (falling_short(answer),))

    # Intents -----------------------------------------------------------------------------------------------------------

    def _take_utilities(self, words: str, utilities: Floats) -> None:
        answer = self.answer
        if answer is None:
            return
        before = utilities_now(answer)
        shown_now = answer.task.numbers[0]
        values = [_number(u) if u != shown_now[k] or k >= len(before) else before[k] for k, u in enumerate(utilities.tolist())]
        self._inputs.ask(words, lambda design: with_utilities(design, answer, values))

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
            self._inputs.ask(self.tr("Choose a rule"), lambda design: design.replace(rule=key))

    # Taking away -------------------------------------------------------------------------------------------------------

    def whole_text(self) -> str:
        """Return all numbers of the strips; where they are somebody's, say why not."""
        strips = self._pictures.strips.strips
        if self.answer is None or strips is None:
            return ""
        if self.answer.design.secret:
            self.message.emit(self.tr("The counts are somebody’s: only draws leave the window."))
            return ""
        return "\n".join("\t".join(row) for row in strips.rows())

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
        found = [Figure("constants", self.tr("What a mechanism called 1 has"), constants(answer))]
        if answer.design.secret:
            return found
        found.append(
            Figure(
                "short",
                self.tr("How far short it may fall"),
                falling_short(answer, answer.rules.get(self.view["rival"]), self._row),
            )
        )
        found.append(Figure("rules", self.tr("How often it gets it right"), self._results.bars.figure()))
        if answer.task.table:
            self._pictures.show_matrix(answer)
            found.insert(0, Figure("table", self.tr("Probabilities"), self._pictures.matrix.figure()))
        else:
            self._show_strips(answer)
            found.insert(0, Figure("chances", self.tr("How often each is announced"), self._pictures.strips.figure()))
        return found

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore what `view_state` gave."""
        checks = {"view": str, "option": int, "row": int, "rival": str, "neighbour": str}
        given = {key: state[key] for key, kind in checks.items() if isinstance(state.get(key), kind)}
        if given.get("view") not in (None, *self._pictures._pages):
            given.pop("view")
        self.look(**given)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._inputs.set_presenting(on)
        super().set_presenting(on)


def _moves(text: str, options: int) -> Floats | None:
    """What one person moves, from the text of the view; None for the worst."""
    found = np.zeros(options)
    try:
        for part in filter(None, text.split(",")):
            option, _, move = part.partition(":")
            found[int(option)] = min(max(float(move), -1.0), 1.0)
    except (ValueError, IndexError):
        return None
    return found if found.any() else None


def _inside(title: str) -> str:
    """A rule's title inside a line; formulas and names in it stay as they are."""
    return title[:1].lower() + title[1:]


def _number(value: float) -> int | float:
    return int(value) if value == round(value) else value


__all__ = ["ChoicePage", "Progress", "shown"]
