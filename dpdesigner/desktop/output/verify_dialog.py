"""Check a table from a file: whether it is a mechanism, how private it is, and what it costs by the design that is shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QWidget

from dpdesigner.core.numbers.parsing import cut
from dpdesigner.core.numbers.rounding import rounded_up, significant
from dpdesigner.data.mechanism_tables import open_table
from dpdesigner.desktop.background.steps import Work
from dpdesigner.desktop.background.tables import chosen_table
from dpdesigner.desktop.background.worker import Worker
from dpdesigner.desktop.output.files_dialog import WorkDialog
from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.theme.words import capital
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.base.layouts import row_of
from dpdesigner.desktop.widgets.base.sentence_label import as_sentence
from dpdesigner.errors import DpDesignerError
from dpdesigner.files.export.verification_report import VerificationReport, judge, side_of
from dpdesigner.studies.study import Progress, Study


class VerifyDialog(WorkDialog):
    """Says in sentences what was found of a table; another file can be chosen.

    Parameters
    ----------
    worker : Worker
    path : Path
        The table.
    study : Study
        The design that is shown: a table of its size is judged by it too.
    title : str
        What the design is called.
    """

    def __init__(self, worker: Worker, path: Path, study: Study, title: str, parent: QWidget | None = None) -> None:
        super().__init__(worker, parent)
        self.setWindowTitle(self.tr("Verify a table"))
        self._study, self._title = study, title
        self.file = ElidedLabel()
        self.file.setMinimumWidth(360)
        other = QPushButton(self.tr("Another file…"))
        other.clicked.connect(self._choose)
        where = QWidget()
        row_of((self.file, 1), other, on=where)
        self.header = QCheckBox(self.tr("The first line is a header"))
        self.labels = QCheckBox(self.tr("The first column holds labels"))
        for box in (self.header, self.labels):
            box.setToolTip(self.tr("As it was read; change it where the file was misunderstood"))
        self.header.clicked.connect(self._take_header)
        self.labels.clicked.connect(self._take_labels)
        self.verdict = QLabel()
        self.verdict.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.steps.finished.connect(self._tell_judgement)
        self.go.setAccessibleDescription(self.tr("Read the file again and check it"))
        self.buttons.accepted.connect(self._check)
        self.lay_out(self.tr("Check again"), where, self.header, self.labels, self.verdict)
        self._path = path
        self._parts: tuple[bool | None, bool | None] = None, None  # header and labels as the user says; None: as the file does
        self.check(path)

    def check(self, path: Path) -> None:
        """Check a table."""
        self._path = path
        self.file.set_full_text(str(path))
        self._show_verdict("", "")
        self.run(self._work(path))

    def _work(self, path: Path) -> Work:
        found = yield partial(_judged, path, self._study, *self._parts)
        return found

    @Slot()
    def _check(self) -> None:
        self.check(self._path)

    @Slot()
    def _choose(self) -> None:
        if path := chosen_table(self.windowTitle(), self, self._path.parent):
            self._parts = None, None
            self.check(Path(path))

    @Slot(bool)
    def _take_header(self, on: bool) -> None:
        self._parts = on, self._parts[1]
        self._check()

    @Slot(bool)
    def _take_labels(self, on: bool) -> None:
        self._parts = self._parts[0], on
        self._check()

    @Slot(object)
    def _tell_judgement(self, found: tuple[VerificationReport, bool, bool]) -> None:
        self.set_busy(False)
        judgement, *taken = found
        for box, on in zip((self.header, self.labels), taken, strict=True):
            box.setChecked(on)
        real = judgement.verification
        if not real.stochastic:
            words = self.tr("This is no mechanism: not every row is a distribution.")
        elif real.largest is None:
            words = self.tr("This is a mechanism, but not private: some release tells neighbours apart for certain.")
        elif judgement.requested is None:
            epsilon = significant(float(rounded_up(real.epsilon, 5)), 5)
            words = self.tr("A mechanism, private with ε = {epsilon}.").format(epsilon=epsilon)
        elif judgement.passed:
            words = self.tr("A mechanism, and as private as “{title}”.").format(title=cut(self._title))
        else:
            words = self.tr("A mechanism, but less private than “{title}”.").format(title=cut(self._title))
        self._show_verdict(("✓ " if judgement.passed else "") + words, "proved" if judgement.passed else "error")
        self.tell("\n".join([capital(judgement.size), *map(as_sentence, judgement.lines)]))

    @Slot(object)
    def tell_failure(self, error: DpDesignerError) -> None:
        """Say why it cannot be read as a table, and what else can be done with such a file."""
        self.set_busy(False)
        words = as_sentence(str(error).partition("; if ")[0].removesuffix(".") + ".")
        more = self.tr("On the Count page, ⋯ below the prior reads a column of counts, and More ▾ a loss.")
        self.tell(f"{words}\n{more}", wrong=True)

    def _show_verdict(self, words: str, style: str) -> None:
        set_class(self.verdict, style)
        self.verdict.setText(words)
        self.verdict.setVisible(bool(words))


def _judged(
    path: Path, study: Study, header: bool | None, labels: bool | None, progress: Progress
) -> tuple[VerificationReport, bool, bool]:
    """Judge a table, and return whether its first line was taken for a header and its first column for labels."""
    table = open_table(path, header, labels)
    fits = table.n_rows == table.n_columns == side_of(study)
    return judge(table, None, study if fits else None, progress), bool(table.header), bool(table.labels)
