"""The left of the attack page: the secret, the questions, their errors, and the attacker."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFormLayout, QGridLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from dpdesigner.core.basics.parsing import cut, double, exact
from dpdesigner.core.basics.rounding import at_most, brief, group_thousands
from dpdesigner.core.reconstruction.attack import Reconstruction, programmable
from dpdesigner.core.reconstruction.problem import FEW, in_roots, sizes
from dpdesigner.desktop.background.tables import bits_of_file, choose_column, chosen_table
from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.controls import menu_chip, named, push_button, together, value_box, wrapped
from dpdesigner.desktop.base.labels import ElidedLabel, SentenceLabel
from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.attack.plots import ExposingCard
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, show_in
from dpdesigner.desktop.plots.people import PeopleGrid
from dpdesigner.desktop.plots.plot_layer import fade
from dpdesigner.studies.attack.answer import AttackAnswer
from dpdesigner.studies.attack.design import EPSILON, ERRORS, SHORT, TIMES, WHO, AttackDesign, answering, asked_again, painted
from dpdesigner.studies.attack.run import hint, place_of, question_range, question_texts
from dpdesigner.studies.data_inputs import bits_of, drawn_by_hand
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.number_inputs import Range
from dpdesigner.studies.snapshot import Found

_EXAMPLE: dict[str, Any] = {"name": "vote", "column": "example:survey_1996.csv#vote", "n": 400}
_STEPS, _FINE_STEPS = 100, 200  # of sliders
_LONGEST_NAME = 16  # letters on a button


class SecretCard(Card):
    """The controls for the attacked column."""

    personChosen = Signal(int)

    def __init__(self, asking: AskingColumn[AttackDesign], held: Callable[[], dict[str, Any]]) -> None:
        super().__init__(self.tr("The secret"), foldable=True)
        self._asking, self._held, self._name, self._presenting = asking, held, "", False
        self._make_buttons()
        self.map = PeopleGrid(paintable=True, least=68)
        self.map.setAccessibleName(self.tr("Map of the secret"))
        self.map.changing.connect(partial(self._take, ""))
        self.map.changed.connect(partial(self._take, self.tr("Paint the secret")))
        self.map.cancelled.connect(asking.previewCancelled)
        self.map.chosen.connect(self.personChosen)
        self.note = SentenceLabel("small")
        self._make_boxes()
        self._lay_out()
        asking.field("column", partial(show_in, self, None))

    def _make_buttons(self) -> None:
        example, own = self.tr("Votes of 1996 (example)"), self.tr("Choose a column…")
        take = partial(self._asking.choose, self.tr("Take votes of 1996"), **_EXAMPLE)
        self.file = menu_chip(self.tr("Data column ▾"), "", ((example, take), (own, self.open)))
        self.file.setStyleSheet("padding: 3px 7px;")
        self.file.setAccessibleName(self.tr("Data column"))
        tip, paint = self.tr("Draw the secret with the mouse"), partial(self._asking.choose, self.tr("Paint the secret"), painted)
        self.paint = push_button(self.tr("Paint"), tip, paint, checkable=True, padding="3px 7px")
        tip = self.tr("Draw everybody’s value at random, with a chosen share of ones; press again for other values")
        draw = partial(self._asking.choose, self.tr("Draw the secret at random"), AttackDesign.redrawn)
        self.random = push_button(self.tr("Random"), tip, draw, checkable=True, padding="3px 7px")

    def _make_boxes(self) -> None:
        tip, asking = self.tr("Number of people"), self._asking
        self.people = asking.box("n", self, "20000", self.tr("People"), tip, self.tr("Change n"))
        tip, words = self.tr("It decides who is taken from a larger file, or a random secret"), self.tr("Change the secret")
        self.seed = asking.box("secret_seed", self, "123456", self.tr("Seed of the secret"), tip, words)
        tip, words = self.tr("The share of ones"), self.tr("Change the share of ones")
        self.share = asking.box("share", self, "0.1234", tip, tip, words)
        share = lambda step: {"share": f"{step / _STEPS:g}"}  # noqa: E731
        self.slider = asking.slider(_STEPS, tip, words, self.share.text, share)

    def _lay_out(self) -> None:
        self._shares = wrapped(named(self.tr("ones"), self.share), self.slider)
        self._boxes, beside = QWidget(), QWidget()
        self._form = form = QFormLayout(self._boxes)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(4)
        form.addRow(self.tr("people"), self.people)
        form.addRow(self.tr("seed"), self.seed)
        row_of((self.map, 1), (column_of(self._boxes, self.note, None, gap=2), 1), on=beside)
        for part in (wrapped(self.file, self.paint, self.random), beside, self._shares):
            self.add(part)

    def show_design(self, design: AttackDesign) -> None:
        """Show the secret of a design; a painted column immediately."""
        by_hand, own = drawn_by_hand(design.column), bool(design.answers)
        for widget in (self.paint, self.random, self._boxes):
            widget.setVisible(not own and not self._presenting)
        if not own:  # answers that it does not fit may be followed by others
            self._held().update(column=design.column, chosen="")
        self._name = "" if by_hand else design.column.replace("\\", "/").rpartition("/")[2].rpartition(":")[2].replace("#", " · ")
        self.file.setChecked(bool(self._name))
        self.file.setText(f"{cut(self._name.rpartition(' · ')[2], _LONGEST_NAME)} ▾" if self._name else self.tr("Data column ▾"))
        self.file.setToolTip(self._name or self.tr("A real column of two values"))
        self.map.paintable = not own
        self.map.setToolTip("" if own else self.tr("Drag to paint, with the right button to erase"))
        self._form.setRowVisible(self.seed, not by_hand)
        self.paint.setChecked(by_hand)
        self.random.setChecked(not design.column)
        self.slider.show_value(round(_STEPS * double(design.share)))
        self._shares.setVisible(not design.column and not own)
        if by_hand:
            self.show_secret(design, bits_of(design.column))

    def show_secret(self, design: AttackDesign, bits: NDArray[np.int8] | None, one: str = "", some: bool = False) -> None:
        """Show a secret, which value of its column is 1, and whether only some rows are used."""
        self.map.setVisible(bits is not None)
        if bits is None:
            self.note.set_sentence(one or self.tr("Choose the column that was counted, to see how much of it is recovered."))
            return
        self.map.show_people(bits.astype(np.float64))
        words = {"ones": group_thousands(int(bits.sum())), "n": group_thousands(len(bits)), "one": cut(one, 30)}
        rows = "{n}" if not some else self.tr("the first {n} rows") if design.answers else self.tr("{n} random rows")
        text = self.tr("{ones} of {rows}: {one}") if one else self.tr("{ones} of {rows} are 1")
        text = text.format(rows=rows.format(**words), **words)
        self.note.set_sentence(text)
        self.set_line(text)

    def set_presenting(self, on: bool) -> None:
        self._presenting = on
        self.file.setHidden(on)
        self._asking.restore()

    def _take(self, label: str, bits: NDArray[np.int8]) -> None:
        self._asking.change(label, column="".join(map(str, bits.tolist())))

    def open(self, path: str = "") -> None:
        """Use a column of two values from a table; ask for one if the path is empty."""
        self._asking.restore()
        title, question = self.tr("A column of two values"), self.tr("Which column of {name} is the secret?")
        with self.error.saying():
            choose_column(self, title, question, self._load, bits_of_file, path)

    def _load(self, path: str, column: str) -> None:
        self._held()["chosen"] = where = f"{path}#{column}"
        late = self._held().get("late", "")  # answers that were refused before
        self._asking.ask_by_job(self.tr("Choose a column"), lambda design: design.with_column(where, late), "column")


class QuestionsCard(Card):
    """The controls for the number of questions, with one question shown."""

    questionChosen = Signal(int)
    questionPointed = Signal(bool)  #: whether the mouse is over the question or its buttons

    def __init__(self, asking: AskingColumn[AttackDesign], held: Callable[[], dict[str, Any]]) -> None:
        super().__init__(self.tr("Questions"), foldable=True)
        self._asking, self._question, self._many, self._presenting = asking, 0, 1, False
        self._held = held  # of the design shown
        self._range = question_range(1)
        self._words = words = self.tr("Change the questions")
        random, tip = self.tr("At random"), self.tr("Counts of random halves of the people")
        take = partial(asking.choose, self.tr("Ask at random"), lambda design: asked_again(held().get("asked"), design))
        self.random = push_button(random, tip, take, checkable=True, padding="0px 6px")
        tip = self.tr("Your own answers, a CSV file:\nanswer,error,rows\n2,1,1 3 4 7\nor answer,error,region: 14,0,North")
        self.own = push_button(self.tr("File…"), tip, self._open, checkable=True, padding="0px 6px")
        self.ways = together(self.random, self.own)
        self.header.addWidget(self.ways)
        self.what, self.tell = SentenceLabel("small"), QCheckBox(self.tr("Reports show everybody’s value"))
        self.tell.setToolTip(self.tr("Otherwise reports and tables show only how many people are exposed, never their values"))
        self.tell.setMinimumHeight(24)  # pixels, so that it is easy to hit
        self.tell.clicked.connect(self.tell_values)
        tip = self.tr("Number of questions, each about a new random half of the people")
        self.box = asking.box("queries", self, "100 000", self.tr("Questions"), tip, words)
        self.times = {times: self._button(times) for times in TIMES}
        self.slider = asking.slider(_FINE_STEPS, self.tr("Questions"), words, self.box.text, self._at)
        tip, few = self.tr("Of a total ε, each of a few questions gets more"), partial(asking.choose, words, queries=FEW)
        self.few = push_button(str(FEW), tip, few, checkable=True, padding="3px 7px")
        self._asked = wrapped(self.box, self.few, *self.times.values())
        tip = self.tr("Seed of the questions, errors and noise; Ctrl+R takes the next one")
        self.seed = asking.box("seed", self, "12345", self.tr("Seed"), tip, self.tr("Change the seed"))
        self._draws = together(self.slider, named(self.tr("seed"), self.seed))
        before = self._step_button("‹", self.tr("The question before"), -1)
        after = self._step_button("›", self.tr("The next question"), 1)
        self.one, self.answered = ElidedLabel(), ElidedLabel()
        question = QWidget()
        row_of(before, after, (column_of(self.one, self.answered, gap=0), 1), on=question, gap=4)
        for label in (self.one, self.answered):
            set_class(label, "small")
        question.installEventFilter(self)
        for part in (self.what, self.tell, self._asked, self._draws, question):
            self.add(part)
        asking.field("answers", partial(show_in, self, None))

    def _button(self, times: int) -> QPushButton:
        tip = self.tr("{times} times as many questions as people").format(times=times)
        take = lambda: self._asking.choose(self._words, lambda design: design.replace(queries=times * design.n))  # noqa: E731
        return push_button("", tip, take, checkable=True, padding="3px 7px")

    def _step_button(self, text: str, tip: str, step: int) -> QPushButton:
        button = push_button(text, tip, lambda: self.questionChosen.emit((self._question + step) % self._many), padding="0px 7px")
        button.setAccessibleName(tip)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return button

    def show_design(self, design: AttackDesign) -> None:
        own = bool(design.answers)
        self.set_heading(self.tr("Published answers") if own else self.tr("Questions"))
        self.tell.setVisible(own)
        self.tell.setChecked(design.tell == "values")
        self.own.setChecked(own)
        self.random.setChecked(not own)
        self._asked.setVisible(not own and not self._presenting)
        self._draws.setVisible(not own)
        if own:
            self._held().update({"late": ""} if self._held().get("late") == design.answers else {})
            self.set_line("")
            return
        self._held()["asked"] = design  # for when answers are left again
        self.set_line(self.tr("{t} questions").format(t=group_thousands(design.queries)))
        self.few.setChecked(design.queries == FEW)
        for times, button in self.times.items():
            button.setText(group_thousands(times * design.n))
            button.setChecked(design.queries == times * design.n)
        self._range = question_range(design.n)
        self.slider.show_value(round(_FINE_STEPS * self._range.place(design.queries)))
        self.slider.set_marks([round(_FINE_STEPS * self._range.place(times * design.n)) for times in TIMES])

    def show_question(self, outcome: AttackAnswer, question: int) -> None:
        self._many = outcome.problem.questions.t
        self._question = question % self._many
        self.what.set_sentence(translated(hint(outcome)))
        for label, texts in zip((self.one, self.answered), question_texts(outcome, question), strict=True):
            label.set_full_text(*map(translated, texts))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.questionPointed.emit(event.type() == QEvent.Type.Enter)
        return False

    def set_folded(self, on: bool) -> None:
        super().set_folded(on)
        self.ways.setHidden(on or self._presenting)

    def set_presenting(self, on: bool) -> None:
        self._presenting = on
        self.ways.setHidden(on or self.folded)
        self._asking.restore()

    def _at(self, step: int) -> dict[str, object]:
        return {"queries": str(round(float(self._range.at(step / _FINE_STEPS))))}

    @Slot()
    def tell_values(self) -> None:
        """Switch between reports and tables that show everybody's value and those that show nobody's."""
        words = self.tr("Change the contents of reports")
        self._asking.ask(words, lambda design: design.replace(tell="numbers" if design.tell == "values" else "values"))

    @Slot()
    def _open(self) -> None:
        self._asking.restore()
        if path := chosen_table(self.tr("Answers: columns answer, error and rows (2,1,1 3 4 7) or groups (14,0,North)"), self):
            chosen, self._held()["late"] = self._held().get("chosen") or self._held().get("column", ""), path
            self._asking.ask_by_job(self.tr("Open published answers"), partial(answering, path, chosen=chosen), "answers")


class ErrorCard(Card):
    """The controls for the kind and size of the error."""

    def __init__(self, asking: AskingColumn[AttackDesign]) -> None:
        super().__init__(self.tr("Error of the answers"), foldable=True)
        self._asking = asking
        self.buttons: dict[str, QPushButton] = {}
        self._choose = partial(asking.choose, self.tr("Change the kind of error"))
        for key, text in ERRORS[:2]:
            words = translated(text)
            self.buttons[key] = push_button(words, words, partial(self._choose, error=key), checkable=True, padding="3px 7px")
        self.noise = self._menu(self.tr("Noise ▾"), self.tr("Noise with an epsilon, without a bound"), ERRORS[4:])
        self.more = self._menu(self.tr("More ▾"), self.tr("Errors that show the limits of a proof"), ERRORS[2:4])
        tip, change = self.tr("Error of the answers"), self.tr("Change the error")
        self.slider = asking.slider(_FINE_STEPS, tip, change, self._spoken, self._at)
        tip = self.tr("Largest error of an answer, in people or like 0.5 sqrt n")
        self.bound = asking.box("size", self, "0.55 √people", self.tr("Error E"), tip, change)
        tip, words = self.tr("Epsilon of all answers together"), self.tr("Change epsilon")
        self.epsilon = asking.box("epsilon", self, "0.123", tip, tip, words)
        tip = self.tr("Epsilon of each answer; the total is this times the number of questions")
        self.each = value_box("0.0006252", self.tr("Epsilon of an answer"), tip, self._give_each)
        self._sizes = named("±", self.bound)
        self.total, own = named(self.tr("total ε"), self.epsilon), QWidget()
        self.own = row_of(on=own)  # of the total, where the attacked answers have one
        self._epsilons = wrapped(own, named(self.tr("per answer"), self.each))
        self.note = styled("small")
        self.add(wrapped(*self.buttons.values(), self.noise, self.more, gap=4))
        self.add(self.slider)
        self.add(wrapped(self._sizes, self._epsilons, self.note))
        asking.field("error", partial(show_in, self, None))

    def _menu(self, text: str, tip: str, kinds: tuple[tuple[str, str], ...]) -> QToolButton:
        button = menu_chip(text, tip, [(translated(words), partial(self._choose, error=key)) for key, words in kinds])
        button.setStyleSheet("padding: 3px 3px;")
        return button

    def show_design(self, design: AttackDesign) -> None:
        for key, button in self.buttons.items():
            button.setChecked(key == design.error)
        words = translated(dict(ERRORS)[design.error])
        self.noise.setChecked(design.noisy)
        self.more.setChecked(design.error in dict(ERRORS[2:4]))
        self.set_word("" if design.error in self.buttons else words)
        self._sizes.setVisible(not design.noisy)
        self._epsilons.setVisible(design.noisy)
        self.note.setVisible(not design.noisy)
        root, roots = in_roots(design.size), self.tr("{root} √people")
        self.bound.show_value(design.size if root is None else roots.format(root=root).strip())
        if design.noisy:
            self.slider.set_marks(())
            share = EPSILON.place(design.epsilon)
            self.each.show_value(at_most(design.epsilon_in_all / design.queries))
            self.set_line(self.tr("{kind}: total ε = {epsilon}").format(kind=words, epsilon=design.epsilon))
        else:
            widest = sizes(design.error)[-1]
            self.slider.set_marks([round(_FINE_STEPS * quarter / 4 / widest) for quarter in range(round(4 * widest) + 1)])
            share = design.bound / math.sqrt(design.n) / widest
            text = design.bound_text if root is not None else roots.format(root=brief(design.bound / math.sqrt(design.n)))
            more = self.tr(" · the easy case") if design.error == "random-sign" else ""
            self.note.setText((f"= {text}" if root is None else self.tr("= {size} people").format(size=text)) + more)
            self.set_line(self.tr("{kind}: within ±{bound}").format(kind=words, bound=design.bound_text))
        self.slider.show_value(round(_FINE_STEPS * min(max(share, 0), 1)))

    def _at(self, step: int) -> dict[str, object]:
        design, share = self._asking.design, step / _FINE_STEPS
        if design is None or design.noisy:
            return {"epsilon": EPSILON.at(share)}
        return {"size": f"{round(sizes(design.error)[-1] * share, 2):g} sqrt n"}

    def _spoken(self) -> str:
        if self._sizes.isHidden():
            words = self.tr("= {each} per answer").format(each=self.each.text())
            return f"{self.epsilon.accessibleName()} {self.epsilon.text()} {words}"
        return f"{self.bound.accessibleName()} {self.bound.text()} {self.note.text()}"

    def _give_each(self, text: str) -> None:
        def given(design: AttackDesign) -> AttackDesign:
            return design.replace(epsilon=str(design.queries * exact(text, "ε of an answer", "epsilon")))

        self._asking.ask(self.tr("Change epsilon"), given)


class AttackersCard(Card):
    """The controls for the attacker."""

    def __init__(self, asking: AskingColumn[AttackDesign]) -> None:
        super().__init__(self.tr("Attacker"), self.tr("recovered"), foldable=True)
        self._asking = asking
        self.buttons: dict[str, QPushButton] = {}
        self.shares: dict[str, QLabel] = {}
        rows = QWidget()
        grid = QGridLayout(rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(3)
        for place, (key, words) in enumerate(WHO):
            padding = "2px 7px; text-align: left"
            take = partial(asking.choose, self.tr("Change who attacks"), attacker=key)
            name, share = capital(translated(SHORT[key])), QLabel()
            self.buttons[key] = push_button(name, translated(words), take, checkable=True, padding=padding)
            self.shares[key] = share
            share.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(self.buttons[key], place, 0)
            grid.addWidget(share, place, 1)
        grid.setColumnStretch(0, 1)
        self.note = SentenceLabel("small")
        self.add(rows)
        self.add(self.note)

    def show_design(self, design: AttackDesign) -> None:
        large = not design.answers and not programmable(design.n, design.queries)
        for key, button in self.buttons.items():
            button.setChecked(key == design.who)
            button.setEnabled(not large or key == "least-squares")
        reason = self.tr("Least squares is used here, because the linear program would take minutes.")
        self.note.set_sentence(reason if large else "")
        self.set_line(reason if large else self.tr("Attacker: {who}").format(who=translated(SHORT[design.who])))

    def show_shares(self, outcome: AttackAnswer, others: Found | None) -> None:
        """Show the share of the secret that each attacker recovers; a dash for an earlier design or without a secret."""
        beside = others.value if others is not None and others.answer.design == outcome.design else {}
        attacks: dict[str, Reconstruction] = {outcome.reconstruction.attacker: outcome.reconstruction, **beside}
        secret = outcome.problem.secret
        for key, label in self.shares.items():
            text = self.tr("not run at this size") if key in outcome.too_long else "–"
            if secret is not None and key in attacks:
                text = format_finding(replace(outcome.findings["recovered"], value=1 - attacks[key].wrong(secret)))
            label.setText(text)


class InputsColumn(AskingColumn[AttackDesign]):
    """Four cards that show a design and request changes."""

    def __init__(self, held: Callable[[], dict[str, Any]]) -> None:
        super().__init__()
        self.secret, self.questions = SecretCard(self, held), QuestionsCard(self, held)
        self.error, self.attackers, self.exposing = ErrorCard(self), AttackersCard(self), ExposingCard()
        self.leave_out = lambda numbers: self.change(self.tr("Leave answers out"), left_out=numbers)
        self.exposing.leftOut.connect(self.leave_out)
        for card in (self.exposing, self.secret, self.questions, self.error, self.attackers):
            self.add(card)
        self.field("attacker", partial(show_in, self.attackers, None))
        self.column.addStretch(1)
        self.folding = Folding(self, self.cards[::-1])

    def show_design(self, before: AttackDesign | None, design: AttackDesign) -> None:
        self.error.setVisible(not design.answers)
        self.exposing.setVisible(bool(design.answers))
        if before is None or (before.answers, before.left_out) != (design.answers, design.left_out):
            self.exposing.forget()
        self.restore()

    def set_late(self, late: bool) -> None:
        self.secret.map.set_stale(late and self.design is not None and not drawn_by_hand(self.design.column))
        fade(late, self.secret.note, self.questions.one, *self.attackers.shares.values())

    def restore(self) -> None:
        if self.design is not None:
            for card in (self.secret, self.questions, self.error, self.attackers):
                card.show_design(self.design)

    def drag(self, target: str, place: float, final: bool) -> None:
        label = self.tr("Drag the line") if final else ""
        if target == "size" and self.design is not None:
            self.change(label, size=f"{round(place / math.sqrt(self.design.n), 2):g} sqrt n")
        else:
            kind = AttackDesign.input_named(target).input
            self.change(label, **{target: kind.near(place) if isinstance(kind, Range) else str(place)})

    def place(self, target: str) -> float | None:
        return None if self.design is None else place_of(self.design, target)

    def set_presenting(self, on: bool) -> None:
        self.secret.set_presenting(on)
        self.questions.set_presenting(on)
