"""The count page: inputs, mechanism, meaning and cost, with one selection linked through all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.count.costs import CostCurves
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.pages.count.meaning_column import MeaningColumn
from dpdesigner.desktop.pages.count.mechanism_card import MechanismCard
from dpdesigner.desktop.pages.count.taking_away import figures, portrait
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Snapshot, Stop, Summary
from dpdesigner.desktop.pages.kit.parts import Part
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.studies.count.answer import CountOverview, Witness, answer
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.jobs import aiming, drawing, jobs
from dpdesigner.studies.count.result import attained
from dpdesigner.studies.count.run import DeltaAnswer, Solved
from dpdesigner.studies.study import Job

Floats = NDArray[np.float64]
Now = Snapshot[CountDesign, CountOverview]

_QUICK = 200  #: up to this n a design is solved in much less than a frame


class CountPage(Page[CountDesign, CountOverview]):
    """Design the best private mechanism for one user of a count query."""

    answering = ("solve", "exact", "witness", "follow", "costs")
    view_keys = ("view", "beside", "band", "row", "column")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view.update(view="optimal", beside=False, band=False, row=0, column=0, posterior=False)
        self._inputs, self._mechanism = InputsColumn(), MechanismCard()
        self._meaning = MeaningColumn(self._inputs)
        lay_out_columns(self, "count-columns", (self._inputs, self._mechanism, self._meaning), (346, 468, 326))
        self.set_asking(self._inputs)
        self.head = self._inputs.head
        self._words: tuple[str, ...] = ()
        self._pointed = ""  # what is said of what is under the mouse
        self._connect()
        self._list_parts()
        self.offer_draw(self.tr("Release once"))
        self.add_command(self.tr("Use the posterior as prior"), "", self._adopt_posterior)
        self.offer_copy(self.tr("Copy matrix"))

    def _connect(self) -> None:
        inputs, matrix, release = self._inputs, self._mechanism, self._meaning.release
        inputs.privacy.aim_by(aiming, self.requested.emit)
        release.drawRequested.connect(self.draw)
        self._meaning.costs.whyRequested.connect(self.whyRequested)
        self._meaning.costs.bars.pointed.connect(self._point_at_cost)
        matrix.hovered.connect(self._point)
        inputs.prior.emptied.connect(self.summaryChanged)
        for signal, key in (
            (inputs.countSelected, "row"),
            (matrix.rowSelected, "row"),
            (matrix.columnSelected, "column"),
            (release.columnSelected, "column"),
            (release.posteriorToggled, "posterior"),
            (matrix.viewChosen, "view"),
            (matrix.besideToggled, "beside"),
            (matrix.bandToggled, "band"),
        ):
            self.look_by(signal, key)

    def _list_parts(self) -> None:
        inputs, matrix, meaning = self._inputs, self._mechanism, self._meaning
        release, costs, curves, level = meaning.release, meaning.costs, meaning.curves, inputs.privacy.control

        def views(s: Now) -> tuple[Any, ...]:
            return s.view["view"], s.view["beside"], s.view["band"]

        def selection(s: Now) -> tuple[Any, ...]:
            return s.view["row"], s.view["column"]

        def best(s: Now) -> tuple[Any, ...]:
            return s.answer.solved, s.answer.best

        self.set_parts(
            Part(inputs, lambda s: (s.view["row"],), inputs.prior.set_selected),
            Part(inputs, lambda s: (s.answer.best,), lambda best: level.target.set_value(float(best.value))),
            Part(inputs, lambda s: (s.outcome("reach"),), lambda reach: level.target.set_range(reach.best, reach.worst)),
            Part(inputs, lambda s: ("solve" in s.late, s.answered and s.answered.best), self._show_attained),
            Part(inputs, lambda s: (s.view["posterior"], s.view["column"], s.answer.mechanism), self._show_posterior),
            Part(matrix, views, matrix.open),
            Part(matrix, lambda s: (*best(s), self._program_in_view(), *views(s)), self._show_matrix, matrix.set_stale),
            Part(matrix, selection, matrix.set_selected),
            Part(release, lambda s: (s.answer.design, s.answer.mechanism), release.set_mechanism),
            Part(release, selection, release.set_selected),
            Part(release, lambda s: (s.outcome("draw"),), release.show_draws),
            Part(None, lambda s: (s.before, s.answered and s.answered.design.uncovered), self._show_before),
            Part(costs, lambda s: (*best(s), s.answer.costs, s.before), self._show_costs, costs.set_stale, "costs"),
            Part(curves, lambda s: (s.design,), self._set_line),
            Part(curves, lambda s: (s.answer.design,), meaning.show_attacker),
            Part(curves, lambda s: (s.outcome("rough"),), self._show_curves),
            Part(
                curves,
                lambda s: (s.outcome("curves"), s.outcomes.get("optimum"), s.before),
                self._show_curves,
                curves.set_stale,
                "curves",
            ),
            Part(None, lambda s: (s.outcome("target"),), inputs.privacy.reach),
        )

    @classmethod
    def starting_study(cls, kind: str) -> CountDesign:
        """Return what a new design starts from: 20 rows, every count equally likely, half a bit more or less certain."""
        return CountDesign.starting()

    @classmethod
    def starting_view(cls, study: CountDesign) -> Mapping[str, Any]:
        """Return the best mechanism, and a possible true count with what is said of it most often."""
        beliefs, row = study.prior.probabilities, study.n // 3
        if not beliefs[row]:
            row = int(beliefs.argmax())
        column = int(study.run().induced.row(row).argmax()) if study.n <= _QUICK else row
        return {"view": "optimal", "beside": False, "row": row, "column": column}

    # What is shown -----------------------------------------------------------------------------------------------------

    def show_design(self, before: CountDesign | None, design: CountDesign) -> None:
        """Show a design's inputs; what is selected stays within them."""
        super().show_design(before, design)
        if before is None:
            self.set_view_state(self.starting_view(design))
        elif before.n != design.n:
            self.look(row=min(self.view["row"], design.n), column=min(self.view["column"], design.n))

    def jobs(self, study: CountDesign) -> Sequence[Job]:
        """Return what is computed for a design."""
        return jobs(study, self.view, self.session)

    def put_together(self, outcomes: Mapping[str, Any]) -> CountOverview | None:
        """Put closed form, linear program and what others cost together."""
        solved = outcomes.get("solve")
        return None if solved is None else answer(solved.design, outcomes)

    def _program_in_view(self) -> Witness | None:
        """The linear program's newest answer, where the open view shows something of it."""
        seen = self.view["beside"] or self.view["view"] in ("witness", "difference")
        compared = self.answer.compared if seen and self.answer is not None else None
        return None if compared is None else compared.witness

    def _show_matrix(self, *_: Any) -> None:
        if (known := self.answer) is not None:
            self._mechanism.set_outcome(known.solved, known.compared, known.mechanism, known.best.proved)

    def _show_before(self, known: CountOverview | None, uncovered: object = None) -> None:
        """Draw what was pinned behind prior, row and matrix."""
        self._inputs.set_before(None if known is None else known.design)
        self._meaning.release.set_before(self._released_before(known))
        if self._mechanism.set_before(known) and known is None and self.view["view"] == "before":
            self.look(view="optimal")  # there is no difference to show any more

    def _released_before(self, pinned: CountOverview | None) -> Mechanism | None:
        """What is outlined behind the release: of the design that was pinned, otherwise what it is without delta."""
        if pinned is not None:
            return pinned.mechanism
        solved = None if self.answer is None else self.answer.solved
        return solved.plain.induced if isinstance(solved, DeltaAnswer) else None

    def _show_costs(self, *_: Any) -> None:
        if self.answer is not None:
            self._meaning.set_costs(self.answer, self.before)

    def _show_curves(self, curves: CostCurves, *_: Any) -> None:
        if self.answer is not None:
            known = replace(self.answer, curves=curves, optimum=self.outcomes.get("optimum"))
            self._meaning.set_curves(known, self.before)

    def _set_line(self, design: CountDesign) -> None:
        """Put the line of the curve at the level asked for; there is none on what an attacker learns."""
        if not design.uncovered:
            self._meaning.curves.set_design(design)

    def _show_attained(self, late: bool, best: Solved | Witness | None) -> None:
        if best is None or late:
            self._inputs.privacy.control.set_attained(None)
        else:
            self._inputs.privacy.set_attained(best.design.privacy, attained(best), self.tr("The mechanism shown has"))

    def _show_posterior(self, on: bool, *_: Any) -> None:
        self._inputs.prior.plot.set_posterior(self._posterior() if on else None)

    def _posterior(self) -> Floats | None:
        """What would be believed after the selected release; None where it never happens."""
        known, column = self.answer, self.view["column"]
        if known is None or column > known.mechanism.n:
            return None
        return known.mechanism.posterior(known.design.prior.probabilities, column)

    def summary(self) -> Summary:
        """Return the header line, the figure, the badge and the facts."""
        if (design := self.design) is None:
            return Summary()
        if (known := self.answer) is None:
            return Summary(translated(design.line))
        if known.design != design and "solve" in self.late:
            return Summary(translated(design.line), badge=self.tr("computing…"), state="stale")
        if (
            known.costs is not None or not self._words or "costs" in self.late or known.design.uncovered
        ):  # else they come in the same frame
            self._words = tuple(map(translated, known.sentences))
        words = (self._pointed,) if self._pointed else self._words
        if self._inputs.prior.plot.blank:
            words = (self.tr("First draw what you expect. All numbers here still belong to the previous prior."),)
        return replace(Summary.of(known, design.line), rest=translated(design.rest), sentence=words)

    @Slot(int, int)
    def _point(self, row: int, column: int) -> None:
        """Say of the cell under the mouse what it says."""
        self._say(escape(self._mechanism.view.read_out()) if row >= 0 else "")

    @Slot(str)
    def _point_at_cost(self, key: str) -> None:
        """Say of the bar under the mouse what it is."""
        known = self.answer
        self._say(translated(known.cost_comparison(key)) if known is not None and key in known.findings else "")

    def _say(self, words: str) -> None:
        if words != self._pointed:
            self._pointed = words
            self.summaryChanged.emit()

    @classmethod
    def sketched(cls, study: CountDesign) -> Portrait:
        """Return a portrait of the study's own answer."""
        return portrait(study, {"solve": study.run()})

    def explanation(self) -> Explanation | None:
        """Explain the mechanism shown, once there is one."""
        from dpdesigner.desktop.pages.count import explaining

        return None if self.answer is None else explaining.explanation(self.answer)

    def tour(self) -> Sequence[Stop]:
        """Lead through the page's cards."""
        from dpdesigner.desktop.pages.count import tour

        return tour.stops(self._inputs, self._mechanism, self._meaning)

    # What is selected --------------------------------------------------------------------------------------------------

    def views(self) -> Sequence[str]:
        """Return the views that every design has."""
        return ("optimal", "geometric", "remap")

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore the open view and the selection."""
        view, row, column = (state.get(key) for key in ("view", "row", "column"))
        if view in self._mechanism.views:
            self.look(view=view)
        self.look(**{key: state[key] for key in ("beside", "band") if isinstance(state.get(key), bool)})
        if self.design is not None and isinstance(row, int) and isinstance(column, int):
            row, column = (min(max(place, 0), self.design.n) for place in (row, column))
            self.look(row=row, column=column)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._mechanism.set_presenting(on)
        self._meaning.release.set_presenting(on)
        self._inputs.set_presenting(on)
        super().set_presenting(on)

    # What is asked -----------------------------------------------------------------------------------------------------

    def draw_once(self) -> None:
        """Do what the button does."""
        self._meaning.release.release_once()

    def drawing(self, many: int) -> Job | None:
        """Return the job that draws real releases of the selected true count."""
        return None if self.answer is None else drawing(self.answer.mechanism, self.view["row"], many)

    @Slot()
    def _adopt_posterior(self) -> None:
        if self.answer is None:
            return
        posterior = self._posterior()
        if posterior is None:
            self.message.emit(self.tr("This value is never released, so there is no posterior after it."))
        else:
            self._inputs.change(self.tr("Posterior becomes prior"), prior=posterior)

    # Taking away -------------------------------------------------------------------------------------------------------

    def whole_text(self) -> str:
        """Return the matrix of the open view."""
        return self._mechanism.view.as_text()

    def selected_text(self) -> str:
        """Return the selected row and column."""
        return self._mechanism.view.selection_as_text()

    def takers(self) -> Sequence[tuple[str, Callable[[str], object]]]:
        """Return what a table can be taken as."""
        inputs = self._inputs
        return (self.tr("Prior from a column of counts"), inputs.take_counts), (self.tr("Loss matrix"), inputs.take_matrix)

    def portrait(self, study: CountDesign, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, results, matrix and curves of a design, to be compared with others."""
        return portrait(study, outcomes)

    def figures(self) -> Sequence[Figure]:
        """Return the matrix, the release, the costs and the curve."""
        return figures(self.view["view"], self.view["row"], self._inputs, self._mechanism, self._meaning)
