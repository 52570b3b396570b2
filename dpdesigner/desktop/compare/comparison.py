"""The designs that are compared, their values as a table, and the command that opens the comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFont, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import signed, significant
from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.background.runner import Runner
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import tr, translated
from dpdesigner.desktop.document.document import Design, Document
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.studies.findings import Finding, Findings, format_finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Job, Study, design_of


@dataclass(frozen=True)
class ReferenceKey:
    """The key of a job of the reference in the worker: its study and its name."""

    study: Study
    name: str


def related(one: Study, other: Study) -> bool:
    """Whether the numbers of two designs are comparable."""
    return one.compared_as == other.compared_as


class Comparing(QObject):
    """Takes the page's answers and computes, in the background, those of a reference that is not shown."""

    changed = Signal(object)  #: a `Comparison`, or None while nothing is pinned

    def __init__(self, document: Document, host: PageHost, runner: Runner, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._host, self._worker = document, host, worker
        self._reference: Study | None = None  #: the design that `_outcomes` belong to
        self._outcomes: dict[str, Any] = {}  #: by the name of the job; None while it runs
        self._theirs: Portrait | None = None
        self._told = True  #: whether there is a comparison to be taken back once nothing is pinned
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._compare)
        for signal in (document.studyChanged, document.studiesChanged, document.referenceChanged, runner.answered):
            signal.connect(self._wait)
        worker.answered.connect(self._take)

    @Slot()
    def _wait(self) -> None:
        """Compare once after all current events have been handled."""
        page = self._host.page
        if self._document.reference is not None or self._told or (page is not None and page.before is not None):
            self._soon.start(0)

    @Slot()
    def _compare(self) -> None:
        reference, current, page = self._document.reference, self._document.current, self._host.page
        if page is None:
            return
        if reference is None:
            self._forget()
            page.set_before(None, {})
            self.changed.emit(None)
            self._told = False
            return

        self._told, study = True, self._document.study
        solved = design_of(page.outcomes.get("solve")) or study  # during a drag, the design that is drawn
        mine = page.portrait(solved, page.outcomes)
        same = reference.study == study
        if same:
            self._keep(study)
        theirs = mine if same else self._portrait(reference)
        page.set_before(reference.study if related(reference.study, study) else None, self._outcomes)
        name = self.tr("before") if reference.key == current.key else reference.title
        self.changed.emit(Comparison((current.title, name), mine, theirs, same, related(reference.study, study)))

    def _portrait(self, reference: Design) -> Portrait:
        page = self._host.page_of(reference.study.kind)
        if self._reference != reference.study:
            self._forget()
            self._reference = reference.study
        self._submit(reference.study, page.jobs(reference.study))
        if self._theirs is None:
            self._theirs = page.portrait(reference.study, self._outcomes)
        return self._theirs

    def _submit(self, study: Study, jobs: Sequence[Job]) -> None:
        for job in jobs:
            key = ReferenceKey(study, job.name)
            if job.name not in self._outcomes and not self._worker.busy(key):
                self._outcomes[job.name] = None
                self._worker.submit(key, job.run, slow=job.slow, live=False)

    def _keep(self, study: Study) -> None:
        """Keep the answers for the pinned design while it is shown, for when it no longer is."""
        page = self._host.page
        if page is not None:
            self._forget()
            self._reference = study
            self._outcomes = {name: value for name, value in page.outcomes.items() if design_of(value) == study}

    def _forget(self) -> None:
        self._worker.cancel(lambda key: isinstance(key, ReferenceKey))
        self._reference, self._outcomes, self._theirs = None, {}, None

    @Slot(object, object)
    def _take(self, key: Any, outcome: Any) -> None:
        if isinstance(key, ReferenceKey) and key.study == self._reference:
            self._outcomes[key.name], self._theirs = outcome, None
            if key.name == "solve":
                self._submit(key.study, self._host.page_of(key.study.kind).jobs_beside(outcome))
            self._wait()


#: Figures with a relative difference below this differ only by the rounding of doubles.
_SAME = 1e-12
#: Figures with a relative difference below this are no reason for a warm colour.
_SLIGHT = 1e-3


@dataclass(frozen=True)
class Row:
    """One line: a label, its value in both designs, and the difference in words; a title has only a label.

    A slight difference is below a tenth of a percent.
    """

    label: str
    mine: str = ""
    theirs: str = ""
    difference: str = ""
    differs: bool = False
    title: bool = False
    slight: bool = False


@dataclass(frozen=True, eq=False)
class Comparison:
    """A design and the reference.

    Parameters
    ----------
    names : (str, str)
        What the design and the reference are called.
    mine, theirs : Portrait
        What they come to.
    same : bool
        Whether the design is as it was when it was pinned.
    related : bool
        Whether their numbers mean the same.
    """

    names: tuple[str, str]
    mine: Portrait
    theirs: Portrait
    same: bool = False
    related: bool = True

    @property
    def rows(self) -> tuple[Row, ...]:
        """Inputs, then results."""
        inputs = _rows(self.mine.inputs, self.theirs.inputs)
        results = _rows(self.mine.results, self.theirs.results)
        asked, came_out = Row(tr("Inputs"), title=True), Row(tr("Results"), title=True)
        return (asked, *inputs, *((came_out, *results) if results else ()))

    @property
    def reference_summary(self) -> tuple[str, str]:
        """The other design in one line: its name, the inputs that differ, its figure; and a short form."""
        name, figures = self.names[1], list(self.theirs.results.values())[:1]
        value = [translated(format_finding(figure)) for figure in figures]
        others = [row for row in _rows(self.theirs.inputs, self.mine.inputs) if row.differs]
        asked = [_input_summary(row.label, row.mine) for row in others]
        long, short = ", ".join((*asked[:1], *value)), ", ".join(value)
        return f"{name}: {long}" if long else name, f"{name}: {short}" if short else name

    @property
    def charts(self) -> tuple[tuple[Plot, Plot], ...]:
        """The curves that both designs have, on the same axes; dots of many sizes cannot be told apart on each other."""
        theirs = {_axes(chart): chart for chart in self.theirs.charts}
        curves = [chart for chart in self.mine.charts if chart.lines[0].sizes is None]
        return tuple((chart, theirs[_axes(chart)]) for chart in curves if _axes(chart) in theirs)

    @property
    def matrices(self) -> tuple[Floats, Floats] | None:
        """Both mechanisms, if both designs have one."""
        if self.mine.matrix is None or self.theirs.matrix is None:
            return None
        return self.mine.matrix, self.theirs.matrix

    @property
    def headline(self) -> str:
        """The figure compared with the reference's: ``"+10%"``; empty where they cannot be compared."""
        if not self.mine.results or not self.theirs.results or self.same:
            return ""
        mine, theirs = (next(iter(portrait.results.values())) for portrait in (self.mine, self.theirs))
        if (mine.label, mine.measure) != (theirs.label, theirs.measure) or mine.number is None or theirs.number is None:
            return ""
        return percent(mine.number, theirs.number) or change(mine.number, theirs.number)


def _axes(chart: Plot) -> tuple[str, str, str]:
    return chart.title, chart.x.title, chart.y.title


def _input_summary(label: str, text: str) -> str:
    """Return an input in a few words: ``ε = 1``, ``n = 20``, ``uniform prior``."""
    if "=" in text:
        return text
    return f"{label} = {text}" if text[:1].isdigit() else f"{text} {label}"


def change(mine: float, theirs: float) -> str:
    """Return the difference between two numbers: ``"+0.117"``, or ``"="`` if they are equal up to rounding."""
    if not math.isfinite(mine - theirs):
        return "=" if mine == theirs else "≠"
    if abs(mine - theirs) <= _SAME * max(abs(mine), abs(theirs)):
        return "="
    return signed(mine - theirs, 3)


def percent(mine: float, theirs: float) -> str:
    """Return the difference between two numbers in per cent, ``"+10%"``; empty if it is not meaningful."""
    if change(mine, theirs) in ("=", "≠") or theirs <= 0 or mine < 0:
        return ""
    more = 100 * (mine / theirs - 1)
    if more >= 300:
        return tr("{times} times").format(times=significant(mine / theirs, 3))
    return f"{signed(more, 2)}%"


def _rows(mine: Findings, theirs: Findings) -> list[Row]:
    """Pair findings with the same label: those with the same key first, since two inputs may have the same label."""
    others = dict(theirs)
    paired = {key: others.pop(key) for key, finding in mine.items() if key in others and others[key].label == finding.label}
    rows = []
    for key, finding in mine.items():
        if (other := paired.get(key)) is None:
            same = next((name for name, each in others.items() if each.label == finding.label), None)
            other = None if same is None else others.pop(same)
        rows.append(_row(finding, other))
    return rows + [
        Row(translated(other.label), "—", translated(format_finding(other)), differs=True) for other in others.values()
    ]


def _row(mine: Finding, theirs: Finding | None) -> Row:
    label, text = translated(mine.label), translated(format_finding(mine))
    if theirs is None:
        return Row(label, text, "—", differs=True)
    other = translated(format_finding(theirs))
    differs = (text, mine.measure) != (other, theirs.measure)
    difference = "≠" if differs else "="
    if mine.number is not None and mine.measure != theirs.measure:
        return Row(label, text, other, "—")
    if differs and mine.number is not None and theirs.number is not None:
        shares = 100 if mine.share else 1
        difference = change(shares * mine.number, shares * theirs.number)
        if mine.share or mine.unit == "%":  # a percentage of a percentage would be misread
            difference = tr("{difference} points").format(difference=difference) if difference not in ("=", "≠") else difference
        elif more := percent(mine.number, theirs.number):
            difference = f"{difference}  {more}"
        slight = abs(mine.number - theirs.number) <= _SLIGHT * max(abs(mine.number), abs(theirs.number))
        return Row(label, text, other, difference, difference != "=", slight=slight)
    return Row(label, text, other, difference, difference != "=")


_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_WRAP = Qt.TextFlag.TextWordWrap
_LONGEST = 36  # characters of a name above its column
_AROUND = 16  # pixels beside and above the titles
_LEAST = 380  # pixels at normal text size
_PARTS = (0.28, 0.26, 0.26, 0.2)


class FactsModel(QAbstractTableModel):
    """Label, design, reference, difference."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()
        self._names = ("", "")

    def show_comparison(self, comparison: Comparison) -> None:
        """Show other lines; keep the selection if their labels are unchanged."""
        old, self._names = self.rows, comparison.names
        if [row.label for row in old] == [row.label for row in comparison.rows]:
            self.rows = comparison.rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(old) - 1, 3))
        else:
            self.beginResetModel()
            self.rows = comparison.rows
            self.endResetModel()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, 3)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else 4

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text and style of a cell: differing words are bold, and differences are in the warm colour."""
        row, column = self.rows[index.row()], index.column()
        texts = (row.label, row.mine, row.theirs, row.difference)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return texts[column].replace(" = ", "\u00a0=\u00a0")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(text for text in texts if text)
        if role == Qt.ItemDataRole.FontRole and (row.title or (row.difference == "≠" and column)):
            font = QFont()
            font.setPointSizeF(theme().points(9))
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.ForegroundRole and not row.title:
            colours = theme().colours
            muted = column in (0, 3) and not (row.differs and column and not row.slight)
            return QColor(colours.muted if muted else colours.selected if column == 3 else colours.text)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            title = ("", *self._names, self.tr("difference"))[section]
            return _shortened(title) if role == Qt.ItemDataRole.DisplayRole else title
        return None


def _shortened(name: str) -> str:
    """Return a long name without its middle, because names often differ at the end."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST // 2]}…{name[-(_LONGEST // 2) :]}"


class FactsTable(QTableView):
    """Shows the lines, each as high as its texts need."""

    def __init__(self) -> None:
        super().__init__()
        self._model = FactsModel(self)
        self.setModel(self._model)
        self.setAccessibleName(self.tr("Results of the two designs"))
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setWordWrap(True)
        # Qt forgets a padding at the sides when it breaks lines.
        self.setStyleSheet("QTableView { border: none; } QTableView::item { padding: 3px 0; }")
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | _WRAP)
        header.setTextElideMode(Qt.TextElideMode.ElideNone)
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        theme().changed.connect(self._fit)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show other lines."""
        self._model.show_comparison(comparison)
        self.clearSpans()
        for place, row in enumerate(self._model.rows):
            if row.title:
                self.setSpan(place, 0, 1, 4)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Distribute the width, then make each line as high as its texts need."""
        self.setMinimumWidth(round(_LEAST * theme().scale))
        width = self.viewport().width()
        for column, part in enumerate(_PARTS):
            self.setColumnWidth(column, round(width * part))
        self.horizontalHeader().setFixedHeight(self._names_height())
        self.resizeRowsToContents()

    def _names_height(self) -> int:
        """Return the height that the wrapped titles need."""
        metrics, line = self.fontMetrics(), self.fontMetrics().height()
        titles = [str(self._model.headerData(column, Qt.Orientation.Horizontal)) for column in range(4)]
        rooms = [QRect(0, 0, self.columnWidth(column) - _AROUND, 99 * line) for column in range(4)]
        heights = [metrics.boundingRect(room, _WRAP, title).height() for room, title in zip(rooms, titles, strict=True)]
        return max(heights) + _AROUND

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
