"""The attack page: the same people twice, known from answers that are close, and from private ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.reconstruction.counting import RANGES, cases
from dpdesigner.core.reconstruction.sweep import Curves, curves
from dpdesigner.desktop.pages.attack import guiding
from dpdesigner.desktop.pages.attack.crowds import Crowds
from dpdesigner.desktop.pages.attack.inputs_column import InputsColumn
from dpdesigner.desktop.pages.attack.plots import Plots
from dpdesigner.desktop.pages.attack.taking_away import figures, portrait, sketched
from dpdesigner.desktop.pages.kit.explanation import explained
from dpdesigner.desktop.pages.kit.handles import Handles
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Snapshot, Stop, Summary
from dpdesigner.desktop.pages.kit.parts import Part
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.studies.attack.answer import AttackAnswer, in_brief, in_short
from dpdesigner.studies.attack.data import setting
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.attack.run import Beside, attack, certain, others, privately
from dpdesigner.studies.job import Job
from dpdesigner.studies.snapshot import Waiting
from dpdesigner.studies.study import Progress

_QUICK = 2_000_000  # people times questions: so many keep up with the mouse
_LOOKS = ("marks", "seen")
_VIEWS = ("error", "questions", "lemma", "counting")

Now = Snapshot[AttackDesign, AttackAnswer]


class AttackPage(Page[AttackDesign, AttackAnswer]):
    """Attack a secret column by way of answers to subset counts, and see what privacy makes of it."""

    answering = ("solve", "private", "ranges")
    view_keys = ("view", "look", "person", "question", "counting")

    _so_far = Signal(object)  #: from a job: what it has found on the way

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view.update(view="error", pointed=False, look="marks", person=-1, question=0, counting={})
        self._partial: AttackAnswer | None = None
        self._runs: Curves | None = None  # those made so far
        self._inputs, self._crowds, self._plots = InputsColumn(), Crowds(), Plots()
        middle, last = _column(self._crowds.left, self._plots.left), _column(self._crowds.right, self._plots.right)
        lay_out_columns(self, "attack-columns", (self._inputs, middle, last), (302, 423, 423))
        self.set_asking(self._inputs)
        self._connect()
        self._list_parts()
        self.add_command(self.tr("Draw everything again from the next seed"), "Ctrl+R", self._next_seed)
        self.add_command(self.tr("People: right or wrong"), "1", partial(self.look, look="marks"))
        self.add_command(self.tr("People: as seen by the attacker"), "2", partial(self.look, look="seen"))
        self.add_command(self.tr("Reports show everybody's value, or nobody's"), "", self._inputs.questions.tell_values)

    def _connect(self) -> None:
        self._so_far.connect(self._show_so_far)
        self.look_by(self._crowds.left.lookChosen, "look")
        self.look_by(self._plots.left.plotChosen, "view")
        self.look_by(self._plots.calculator.changed, "counting")
        self.look_by(self._inputs.questions.questionChosen, "question")
        self.look_by(self._inputs.questions.questionPointed, "pointed")
        for part in (self._crowds.left, self._crowds.right, self._inputs.secret):
            self.look_by(part.personChosen, "person")
        handles = Handles(self)
        for card in (self._plots.left, self._plots.right):
            handles.follow(card)
        self._plots.left.nextWanted.connect(self._next_question)

    def _list_parts(self) -> None:
        inputs, crowds = self._inputs, self._crowds
        self.fades = (crowds.left.set_stale, crowds.right.set_stale)
        self.set_parts(
            Part(inputs, lambda s: (s.answer, s.outcomes.get("others")), inputs.attackers.show_shares),
            Part(inputs, lambda s: (s.answer, s.design), self._show_secret),
            Part(inputs, lambda s: (s.answer, s.view["question"]), inputs.questions.show_question),
            Part(None, lambda s: (s.answer, s.view["look"]), crowds.show_left, crowds.left.set_stale),
            Part(
                None,
                lambda s: (s.answer, s.view["view"], s.view["question"], s.view["pointed"]),
                crowds.show_question,
            ),
            Part(
                None,
                lambda s: (s.answer, s.outcomes.get("private"), s.view["look"]),
                crowds.show_right,
                crowds.right.set_stale,
                "private",
            ),
            Part(None, lambda s: (s.answer, s.outcomes.get("private"), s.view["person"]), crowds.ring),
            Part(None, lambda s: (s.view["person"],), inputs.secret.map.ring),
            Part(None, self._plotted, self._plots.show),
            Part(None, self._runs_made, inputs.questions.show_enough),
        )

    def _runs_made(self, now: Now) -> tuple[Any, ...]:
        if (runs := self._runs_known(now)) is None:
            raise Waiting
        return runs, now.design

    def _plotted(self, now: Now) -> tuple[Any, ...]:
        view = now.view
        return now.answer, now.design, self._runs_known(now), now.before, view["view"], view["question"], view["counting"]

    @classmethod
    def starting_study(cls, kind: str) -> AttackDesign:
        """Return the votes of 1996, which are nearly all recovered."""
        return AttackDesign(n=400, queries=1600, column="example:survey_1996.csv#vote")

    def jobs(self, study: AttackDesign) -> Sequence[Job]:
        """Return the attack, the private side, the other attackers and the runs; of published answers, certain values."""
        quick = study.n * study.queries <= _QUICK and not study.answers
        title = self.tr("least squares") if study.who == "least-squares" else self.tr("linear program")
        tell = self._so_far.emit
        planned = [Job("solve", lambda progress: attack(study, progress, tell), slow=not quick, live=quick, title=title)]
        if study.answers:
            return [*planned, Job("ranges", partial(certain, study), slow=True, live=False, title=self.tr("certain values"))]
        before: Beside | None = self.outcomes.get("private")
        same = before is not None and before.design.asked_privately == study.asked_privately
        run = (lambda progress: before) if same else partial(privately, study)  # it does not rest on the error
        planned.append(Job("private", run, slow=not quick, live=quick, title=self.tr("the private side")))
        planned.append(Job("others", partial(others, study), slow=True, live=False, title=self.tr("the other attackers")))
        planned.append(Job("curves", partial(self._run_curves, study), slow=True, live=False, title=self.tr("other runs")))
        return planned

    def _run_curves(self, study: AttackDesign, progress: Progress) -> Curves:
        """Make the runs; in another thread."""
        return curves(setting(study), self.session.setdefault("runs", {}), progress, self._so_far.emit, design=study)

    def put_together(self, outcomes: Mapping[str, Any]) -> AttackAnswer | None:
        """Return the attack with what else is known of its design."""
        outcome: AttackAnswer | None = outcomes.get("solve")
        if outcome is None:
            return None
        design = outcome.design
        private, ranges, runs = (outcomes.get(name) for name in ("private", "ranges", "curves"))
        if private is not None and not design.answers and private.design.asked_privately == design.asked_privately:
            outcome = outcome.completed(private=None if design.noisy else private.by["private"])
        if runs is not None and runs.design == design:
            outcome = outcome.completed(curves=runs)
        return outcome if ranges is None or ranges.design != design else outcome.completed(ranges=ranges.ranges)

    @Slot(object)
    def _show_so_far(self, partial: AttackAnswer | Curves) -> None:
        """Show what a job has found on the way, if it is still about the design shown."""
        if partial.design != self.design:
            return
        if isinstance(partial, Curves):
            self._runs = partial
            self._refresh()
        elif "solve" in self.late or self.answer is None:
            self._partial = partial
            self._crowds.left.set_stale(False)
            self._crowds.show_left(partial, self.view["look"], so_far=True)
            self.summaryChanged.emit()

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show what a job gave."""
        if name == "solve":
            self._partial = None
        super().show_outcome(name, outcome)

    def show_design(self, before: AttackDesign | None, design: AttackDesign) -> None:
        """Show a design's inputs, and its lines in the plots."""
        super().show_design(before, design)
        if self.answer is not None and self.answer.design.answers != design.answers:
            self._crowds.right.set_stale(True)  # what stands there is something else
        self._plots.show_design(design)

    def _show_secret(self, answer: AttackAnswer, design: AttackDesign) -> None:
        if answer.design == design:
            self._inputs.secret.show_secret(design, answer.problem.secret)

    def _runs_known(self, now: Now) -> Curves | None:
        """Those made so far for the design shown, or else the last ones that came to an end."""
        runs = self._runs
        return runs if runs is not None and runs.design == now.study else now.outcomes.get("curves")

    def summary(self) -> Summary:
        """Return the header line, what is recovered, the badge and the sentence."""
        if self.design is None:
            return Summary()
        line = translated(self.design.line)
        answer = self._partial or self.answer
        if answer is None or ("solve" in self.late and self._partial is None):
            return Summary(line=line, badge=self.tr("computing…") if self.late else "", state="stale")
        made = Summary.of(answer, line)
        if answer is self._partial:
            return replace(made, badge=self.tr("so far"), state="stale", facts=(), note="")
        return replace(made, sentence=(translated(answer.sentence), translated(in_brief(answer)), translated(in_short(answer))))

    def explanation(self) -> Explanation | None:
        """Explain why the attack gets as far as it does."""
        answer, runs = self.answer, self._runs_known(self.snapshot())
        if answer is None:
            return None
        n, bound, t = answer.design.n, answer.design.bound, answer.design.queries
        own = runs if runs is not None and runs.design == answer.design else None
        columns = cases(n, n - answer.problem.commonest[1], bound, t)
        return explained("attack", "attack", answer.completed(curves=own), cases=columns)

    def tour(self) -> Sequence[Stop]:
        """Lead through the page's cards."""
        return guiding.stops(self._inputs, self._crowds, self._plots)

    def takers(self) -> Sequence[tuple[str, Callable[[str], object]]]:
        """Return what a table can be taken as."""
        return ((self.tr("A column of 0 and 1"), self._inputs.secret.open),)

    def portrait(self, study: AttackDesign, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, findings and curves of a design, to be compared with others; an answer for another is left out."""
        own = {name: value for name, value in outcomes.items() if value is not None and value.design == study}
        return portrait(study, self.put_together(own))

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return a map of the secret: an attack takes too long for a small picture."""
        return sketched(study)

    def _next_seed(self) -> None:
        self._inputs.ask(self.tr("Draw from the next seed"), lambda design: design.replace(seed=design.seed + 1))

    def _next_question(self) -> None:
        many = 1 if self.answer is None else self.answer.problem.questions.t
        self.look(question=(self.view["question"] + 1) % many)

    def selected_text(self) -> str:
        """Return the curves that are open, as tab-separated text."""
        rows = [] if self.answer is None else self._plots.left.plot.plot.as_table().as_rows()
        return "\n".join("\t".join(row) for row in rows)

    def views(self) -> Sequence[str]:
        """Return the plots that can be open."""
        return _VIEWS

    def figures(self) -> Sequence[Figure]:
        """Return the curves, and the people where the design tells everybody's value."""
        if self.answer is None:
            return ()
        return figures(self.answer, self._crowds, self._plots)

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore the look, the open curve, the ringed person and the question."""
        for key, allowed in (("look", _LOOKS), ("view", _VIEWS)):
            if state.get(key) in allowed:
                self.look(**{key: state[key]})
        given = state.get("counting")
        if isinstance(given, dict) and all(isinstance(text, str) for text in given.values()) and RANGES.keys() >= given.keys():
            self.look(counting=given)
        for key in ("person", "question"):
            if isinstance(value := state.get(key), int):
                self.look(**{key: max(value, -1 if key == "person" else 0)})

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._inputs.set_presenting(on)
        self._crowds.left.set_presenting(on)
        super().set_presenting(on)


def _column(above: QWidget, below: QWidget) -> QWidget:
    made = QWidget()
    layout = ColumnLayout(made)
    layout.addWidget(above, 3)
    layout.addWidget(below, 2)
    return made
