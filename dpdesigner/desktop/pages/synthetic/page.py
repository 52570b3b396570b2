"""The page of synthetic data: inputs, the synthetic column next to the real one, and a comparison of the methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, cast

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.synthetic.bisection import failures, row_numbers
from dpdesigner.core.synthetic.method_comparison import epsilon_curve, epsilon_for, error_paths, typical_errors
from dpdesigner.desktop.base.card import Folding
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.kit.cards import GivingCard
from dpdesigner.desktop.pages.kit.declared import DeclaredPage, portrait
from dpdesigner.desktop.pages.kit.page import Figure, Stop, Summary
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.pages.synthetic.inputs_column import IntervalAsking, SyntheticAsking
from dpdesigner.errors import Cancelled, DpDesignerError, InputError
from dpdesigner.studies.base import Action, Answer, Panel
from dpdesigner.studies.fields import KEPT_RELEASES, TYPED_ROWS, draws_release
from dpdesigner.studies.findings import public
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Job, Progress
from dpdesigner.studies.synthetic import statements
from dpdesigner.studies.synthetic.answer import IntervalAnswer, answered, interval_answer, surer
from dpdesigner.studies.synthetic.design import IntervalDesign
from dpdesigner.studies.synthetic.halfspace_answer import HalfspaceAnswer, points_before
from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign
from dpdesigner.studies.synthetic.net_design import NetDesign
from dpdesigner.studies.synthetic.rectangle import RectangleDesign
from dpdesigner.studies.synthetic.statements import ColumnResult
from dpdesigner.studies.table_panels import Sentence

#: The additional computations for a column, and the result field that each fills.
_BESIDE = {"surer": "bounds", "rivals": "typical", "against": "epsilon_curve", "paths": "paths", "failures": "failing"}


def _aim_of(design: IntervalDesign) -> IntervalDesign:
    """Return a design that represents the same target, regardless of epsilon and seed."""
    return design.replace(epsilon=1, seed=None)


class SyntheticPage(DeclaredPage):
    """The page that makes a synthetic column to publish, with the error bound and the measured error of its counts."""

    kind: ClassVar[str] = "synthetic"
    front_view: ClassVar[str] = "histogram"  # what is given away
    answering = ("solve", "many", "curve")
    passing = ("draws",)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._facts: ColumnResult | None = None  #: the column shown, with all additional results
        self._wanted: object = None  #: the release that is being analysed; computations for any other one stop
        self._against: Panel | None = None  #: the curve that was shown last
        self._unreleased: Any = None  #: the design that has no release
        self._released: Any = None  #: the answer with the release that was shown last
        self._aims: dict[IntervalDesign, Fraction | None] = {}  #: the epsilon of each aim, so that aiming again changes nothing
        super().__init__(parent)
        self._inputs.aimed.connect(self._aim)
        self._giving = GivingCard()
        self._giving.copied.connect(self.message)
        self._giving.saveWanted.connect(self.exportRequested)
        self._giving.clearWanted.connect(lambda: self._inputs.shown.change(self.tr("Clear the seed"), seed=None))
        self.fades += (self._hold,)
        self._folding = Folding(self._results, (self._results.findings,))
        self._results.chosen = lambda it: it.listed if isinstance(it, IntervalAnswer | HalfspaceAnswer) else {}
        self._column = cast("QVBoxLayout", self._results.layout())
        self._column.insertWidget(0, self._giving)  # the card that users look at first
        self._column.insertWidget(1, self._results.panels)

    def _mark(self, stale: bool) -> None:
        super()._mark(stale)
        self._giving.set_stale(stale)

    def _hold(self, on: bool) -> None:  # nothing is released or given away while an input is refused
        if not self.failed and self.answer is not None and self.answer is self._released:
            given, note = self._released.given, self.tr("Correct the input first.")
            self._giving.show_given(replace(given, ready=False, note=note) if on else given)
            self._giving.plot.set_stale(on)
        self._refresh()

    def asking_column(self) -> SyntheticAsking:
        return SyntheticAsking(self.starting_study, lambda: self.held)

    def button_actions(self) -> Sequence[Action]:
        again = self.tr("Draw again with new noise. Publish only one of them, and do not choose the one that looks best")
        shown: dict[str, Any] = {"presented": True, "main": True}
        shown["offered"] = lambda now: draws_release(now.design) and now.view["view"] != "theory"  # which is not a release
        column: dict[str, Any] = {"on": "total", "offered": lambda now: now.design.kind == "synthetic"}
        column["chosen"] = lambda now: self._facts is not None and self._facts.paths is not None
        actions = (
            Action(self.tr("Release again"), lambda now: self.drawing(1), again, "Ctrl+R", spends=True, **shown),
            replace(statements.TIMES_100, run=lambda now: self._draw_many(), **column),
            *(*super().button_actions(), *RectangleDesign.buttons, *HalfspaceDesign.buttons, *NetDesign.buttons),
        )
        able: Any = lambda own: lambda now: not now.refused and self._unreleased != now.design and own(now)  # noqa: E731
        return [replace(each, when=able(each.when)) for each in actions]

    @classmethod
    def starting_study(cls, kind: str) -> Any:
        """Return the starting point of a new design; of rules, invented rows with a margin."""
        rules: dict[str, Any] = {"margin": "0.7", "names": "income, savings"}
        return HalfspaceDesign.starting(**rules) if kind == "halfspace" else super().starting_study(kind)

    def releases(self, study: Any) -> bool:
        others = study.data_name == TYPED_ROWS and self.design is not None and study.data_key != self.design.data_key
        return not others and KEPT_RELEASES.draws(study)

    def read_data(self, design: Any) -> None:
        design.read_data()

    def may_release(self, design: Any) -> bool:
        return design.seed is not None or super().may_release(design)

    def jobs(self, study: Any) -> Sequence[Job]:
        """Return the job that makes the column; the other results are requested once it exists."""
        quick: dict[str, Any] = {"quick": True} if study.kind == self.kind else {}
        return (Job("solve", partial(KEPT_RELEASES.shown, study, **quick) if draws_release(study) else study.run),)

    def figures(self) -> Iterable[Figure]:
        given = self.tr("What is given away: synthetic rows in each cell")
        own = self.design is not None and self.design.kind == self.kind
        return [replace(each, title=given) if own and each.name == "histogram" else each for each in super().figures()]

    def show_outcome(self, name: str, outcome: Any) -> None:
        self._unreleased = None if name == "solve" else self._unreleased
        if name == "solve" and isinstance(outcome, IntervalAnswer):
            outcome = self._keep(self._carried(outcome.facts))
            super().show_outcome(name, outcome)
            if not self.dragging and outcome.design == self.design:
                self._ask_beside()
        elif name in self.answering:
            if name == "solve":
                KEPT_RELEASES.keep(outcome, not self.dragging)
                if "worst" in self.view and self._released is not None:
                    self.view.update(outcome.turned_back(self._released, self.view))
            super().show_outcome(name, outcome)
        elif name == "aim":
            design, outcome = outcome
            if not isinstance(self.design, IntervalDesign) or _aim_of(self.design) != design:
                return  # another aim was entered meanwhile
            self._aims[design] = outcome
            if outcome is None:
                self.message.emit(self.tr("No ε gives this method so small a bound. Choose cell by cell or a hierarchy."))
            elif isinstance(column := self._inputs.shown, IntervalAsking):
                if self._facts is not None and (rows := self._facts.rows_for_aim):
                    enough = self.tr("At the previous ε, {rows} rows would be enough.")
                    self.message.emit(enough.format(rows=group_thousands(rows)))
                column.aim(outcome)
        elif name in _BESIDE and outcome is not None:
            self._take(name, *outcome)

    def _carried(self, facts: ColumnResult) -> ColumnResult:
        """Keep the additional results of another release of the same design; they do not depend on the noise."""
        old = self._facts
        if old is None or old.synthetic is facts.synthetic or _aim_of(old.design) != _aim_of(facts.design):
            return facts
        if old.design.replace(seed=None) != facts.design.replace(seed=None):  # the curve covers every epsilon
            return replace(facts, epsilon_curve=old.epsilon_curve)
        promises = facts.bounds if old.total != facts.total or old.provisional else old.bounds
        return replace(facts, typical=old.typical, epsilon_curve=old.epsilon_curve, failing=old.failing, bounds=promises)

    def _keep(self, facts: ColumnResult) -> IntervalAnswer:
        self._facts, self._wanted, answer = facts, facts.synthetic, interval_answer(facts)
        KEPT_RELEASES.keep(answer, not self.dragging)
        if isinstance(column := self._inputs.shown, IntervalAsking):
            column.tell(translated(statements.moved(facts)))
        return answer

    def _take(self, name: str, made: object, value: Any) -> None:
        """Show an additional result if it belongs to the current column and design."""
        if (facts := self._facts) is None or made is not facts.synthetic or facts.design != self.design:
            return
        known: dict[str, Any] = {_BESIDE[name]: (*facts.failing, value) if name == "failures" else value}
        self.outcomes["solve"] = self._keep(replace(facts, **known))
        self._refresh()
        if name == "failures":
            self._ask_failures()

    def _ask_beside(self) -> None:
        if (facts := self._facts) is None:
            return
        self._ask("surer", lambda progress: surer(facts, progress).facts.bounds, self.tr("error bounds"))
        if not facts.typical:
            self._ask("rivals", lambda progress: typical_errors(facts.column, progress), self.tr("other methods"))
        if facts.epsilon_curve is None:
            way = facts.design.way
            self._ask("against", lambda progress: epsilon_curve(facts.column, way, progress), self.tr("error against ε"))
        self._ask_failures()

    def _ask_failures(self) -> None:
        if (facts := self._facts) is None or self.view["view"] != "failures":
            return
        known, column = [each.rows for each in facts.failing], facts.column
        if waiting := [rows for rows in row_numbers(facts.sizes.stated, facts.sizes.right) if rows not in known]:
            given = column.bits, waiting[0], column.budget.column, column.accuracy
            self._ask("failures", lambda progress: failures(*given, progress=progress), self.tr("failures"))

    def _ask(self, name: str, compute: Any, title: str) -> None:
        """Request an additional result, tagged with the column that it belongs to."""
        if (facts := self._facts) is not None:
            made = facts.synthetic

            def run(progress: Progress) -> tuple[object, Any]:
                def going_on(fraction: float | None, text: str = "") -> None:
                    if self._wanted is not made:
                        raise Cancelled("cancelled")
                    progress(fraction, text)

                return made, compute(going_on)

            self.requested.emit(Job(name, run, slow=True, live=False, title=title))

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        if name == "solve":
            self._facts, self._unreleased = None, self.design
        if name == "solve" and KEPT_RELEASES.holds(self.design):
            self._unreleased = self._released = None
            self.late.discard(name)
            self._set_late(name, False)
            self._results.show_failure(self.tr("Opening a file releases nothing."))
        else:
            super().show_failure(name, error)
        if name == "solve" and (made := self._released) and self.design and made.design.data_key == self.design.data_key:
            self._giving.show_given(statements.outdated(made))
        elif name == "solve":  # the results of other data are none for these, not even pale
            self._giving.hide()
            told = isinstance(error, InputError) and bool(error.field)  # at its field
            self._pictures.set_blank(self.tr("No results for these inputs.") if told else capital(str(error)))
            if not KEPT_RELEASES.holds(self.design):
                self._results.show_failure("")

    def show_design(self, before: Any, design: Any) -> None:
        if self._facts is None or self._facts.design != design:
            self._wanted = None
        if before is not None and before.kind != design.kind:
            self.forget_refused()  # what was refused belongs to the other question
        super().show_design(before, design)
        if before is not None and before.kind != design.kind and self._answers(design):
            self._show()  # it was left before the other question was answered
        elif before is None or before.kind != design.kind or self._unreleased not in (None, design):  # what is shown is of others
            self._results.show_failure("")
            self._giving.hide()
            self._expect()

    def _expect(self) -> None:
        """Show what is known before there is an answer."""
        if self._unreleased != self.design:  # of which the pictures' place says why there is none
            self._pictures.set_blank("")
            self._pictures.expect(self.view["view"])
        if isinstance(self.design, HalfspaceDesign) and (expected := points_before(self.design)):
            self._pictures.panels.show_panels([expected], self._place)

    def _answers(self, design: Any) -> bool:
        return self.answer is not None and self.answer.design.kind == design.kind

    def _show(self, *_: Any) -> None:
        self._pictures.set_blank("" if self.answer is not None else self._pictures.blank.text())
        super()._show()
        plots = any(isinstance(each, Plot) for each in self._results.panels.panels.values())  # which use the room that is left
        self._column.setStretchFactor(self._results.panels, 99 if plots else 0)
        if self._answers(self.design) and self.answer is not None and draws_release(self.answer.design):
            self._released = self.answer
            self._giving.show_given(self.answer.given)
            if "solve" in self.late:  # a later result of the answer before may have come in between
                self._giving.set_stale(True)
            self._giving.show()
        elif self._answers(self.design):
            self._giving.hide()
        self.summaryChanged.emit()  # its sentence describes the selected interval

    def shared_out(self, answer: Answer) -> tuple[list[Panel], list[Panel]]:
        """Put the queries on the real column below the budget, and the errors against epsilon on the right."""
        if not isinstance(answer, IntervalAnswer):
            middle, beside = super().shared_out(answer)
            lane = [panel for panel in middle if panel in beside]  # it stands at the right only, and last
            return [each for each in middle if each not in lane], [*(each for each in beside if each not in lane), *lane]
        opened, middle, beside = self.view["view"], [], []
        shown = {key for view in answer.design.views if view.key == opened for key in view.panels}
        for panel in self.panels_of(answer):
            key = panel.key
            if key in shown or (key, opened) == ("asked", "budget") or (isinstance(panel, Sentence) and opened == "total"):
                middle.append(panel)
            elif key in ("ways", "against"):
                beside.append(panel)
        if (late := all(panel.key != "against" for panel in beside)) and self._against is not None:
            beside.append(self._against)  # the last curve keeps its place until there is a new one
        self._against, self.waiting["against"] = next((each for each in beside if each.key == "against"), None), late
        return middle, beside

    def summary(self) -> Summary:
        if self.design is not None and self.answer is not None and not self._answers(self.design):
            return Summary(translated(self.design.line), badge=self.tr("computing…"))
        return super().summary()

    def sentences(self, answer: Any) -> Sequence[str]:
        if (facts := self._facts) is None or not isinstance(answer, IntervalAnswer):
            return answer.sentence, *(answer.in_brief if isinstance(answer, HalfspaceAnswer) else super().sentences(self.answer))
        public, brief, told = map(translated, (answer.sentence, statements.in_brief(facts), statements.worst_sentence(facts)))
        return f"{public} {told}", f"{brief} {told}", public, brief

    def tour(self) -> Sequence[Stop]:
        column = self._inputs.shown
        if not isinstance(column, IntervalAsking):
            return super().tour()
        pictures = self.tr("The real and the synthetic running total. Drag the two lines to compare any interval.")
        ways = self.tr("★: the smallest error bound, which ignores the data. Choosing a method by “typical” costs privacy.")
        end = self.tr("The error bound in advance and the measured error, which only you see unless you publish it.")
        return (
            *(Stop(card, title, text, self._inputs.changed) for card, title, text in column.cards_to_tour()),
            Stop(self._pictures, self.tr("Real and synthetic"), pictures),
            Stop(self._giving, self.tr("What you give away"), self.tr("Save or copy the column and its statement.")),
            Stop(self._results.panels, self.tr("Which method is best here?"), ways),
            Stop(self._results.findings, self.tr("Results"), end),
        )

    def _open_view(self, view: str) -> None:
        super()._open_view(view)
        if self.answer is None:
            self._expect()
        self._ask_failures()

    def drawing(self, many: int) -> Job | None:
        """Return the job that draws another column with new noise, if one is needed."""
        design: Any = self.design
        shown = {"draws": self.view.get("draws", 0) + 1, "candidate": ""}
        self.look(**{key: value for key, value in shown.items() if key in self.view})
        if draws_release(design) and design.seed is not None:
            self.changed.emit(design.replace(seed=design.seed + 1), self.tr("Release again"))
            return None
        if design is not None:
            KEPT_RELEASES.forget(design)
        return design and self.jobs(design)[0]

    def _draw_many(self) -> None:
        if (facts := self._facts) is not None and facts.paths is not None:
            self._take("paths", facts.synthetic, None)
        elif facts is not None:
            self._ask("paths", lambda progress: error_paths(facts.column, facts.design.way, progress), self.tr("releases"))

    @Slot()
    def _aim(self) -> None:
        design, facts = self.design, self._facts
        if not isinstance(design, IntervalDesign) or facts is None:
            return
        aim, total = _aim_of(design), facts.total
        if aim in self._aims:
            self.show_outcome("aim", (aim, self._aims[aim]))
            return
        rows, failure = int(design.accuracy * total), facts.column.failure

        def found(progress: Progress) -> tuple[IntervalDesign, Fraction | None]:
            return aim, epsilon_for(aim.way, aim.bits, aim.budget, failure, rows, total, aim.accuracy, progress)

        self.requested.emit(Job("aim", found, slow=True, title=self.tr("ε for this aim")))

    def looks(self, name: str, value: Any) -> Mapping[str, Any]:
        """Return both ends of the interval, at edges of cells; the one not dragged stays too when there is another release."""
        if (facts := self._facts) is None or name not in IntervalDesign.view_defaults:
            return self.answer.turned_to(value, self.view) if isinstance(self.answer, HalfspaceAnswer) else {name: value}
        own, edges = {"low": facts.worst.low, "high": facts.worst.high}, facts.design.cells.edges
        value = float(edges[facts.design.cells.nearest_edge(value)])
        return {**{end: float(edges[cell]) for end, cell in own.items() if self.view[end] is None}, name: value}

    def look(self, **changes: Any) -> None:
        super().look(**changes)
        if "low" in changes:  # a line that is dragged is at the edge of a cell too
            self._pictures.panels.put_handles(self._place)

    def portrait(self, study: Any, outcomes: Mapping[str, Any]) -> Portrait:
        own = portrait(study, self.in_view(outcomes.get("solve")))
        return replace(own, results=public(own.results))

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        if study.kind == "net":
            return Portrait({}, matrix=(made := study.run()).net.counts[[made.drawn]].astype(float))
        column = isinstance(study, IntervalDesign)
        own = portrait(study, answered(study, quick=True)) if column else super().sketched(study)
        charts = own.charts[1:] if column else own.charts[-1:] if study.kind == "halfspace" else own.charts
        return replace(own, results=public(own.results), charts=charts)
